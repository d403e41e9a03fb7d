from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling
from dagpart._core.refinement.flow.network cimport Network

cdef int open_corridor(const Graph& g, vid_t a, vid_t b, const Options& opt, const Labelling& parts, Rng& rng,
                       Network& net) except -1 nogil
cdef int close_corridor(Network& net) noexcept nogil
