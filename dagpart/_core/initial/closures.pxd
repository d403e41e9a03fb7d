from libcpp.vector cimport vector

from dagpart._core.base.types cimport vid_t
from dagpart._core.graph.csr cimport Graph

cdef int close_downwards(const Graph& g, vector[vid_t]& label) noexcept nogil
cdef int close_upwards(const Graph& g, vector[vid_t]& label) noexcept nogil
cdef int repair_guide(const Graph& g, const vector[vid_t]& guided, const vector[vid_t]& side, int way,
                      vector[vid_t]& label) except -1 nogil
cdef int anchor_classes(const Graph& g, vid_t k0, vid_t k1, vector[vid_t]& side) except -1 nogil
cdef int bind(const vector[vid_t]& side, vector[vid_t]& label) noexcept nogil
cdef int bind_order(const vector[vid_t]& side, vector[vid_t]& order) except -1 nogil
