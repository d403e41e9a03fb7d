from dagpart._core.base.types cimport wgt_t
from dagpart._core.refinement.flow.network cimport Network

cdef wgt_t augment(Network& net, wgt_t most) except -1 nogil
