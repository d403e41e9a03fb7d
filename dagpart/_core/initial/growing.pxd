from libcpp.vector cimport vector

from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph

cdef int grow(const Graph& g, const vector[wgt_t]& cap, Rng& rng, vector[vid_t]& label) except -1 nogil
