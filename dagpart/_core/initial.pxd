from libcpp.vector cimport vector

from dagpart._core.csr cimport Graph
from dagpart._core.fm cimport Workspace
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t

cdef enum Order:
    BY_ID, TOP_LEVEL, BOTTOM_LEVEL, BREADTH_FIRST, DEPTH_FIRST, GREEDY, RANDOM, ORDERS

cdef vid_t order_by_component(const Graph& g, vector[vid_t]& order) except -1 nogil
cdef int make_order(const Graph& g, Order kind, bint backward, Rng& rng, vector[vid_t]& order) except -1 nogil
cdef wgt_t rise(const Graph& g, vid_t v, vector[vid_t]& inside) noexcept nogil
cdef int best_prefix(const Graph& g, const vector[vid_t]& order, const vector[wgt_t]& cap,
                     vector[vid_t]& label) except -1 nogil
cdef int best_split(const Graph& g, const vector[vid_t]& order, vid_t k, const vector[wgt_t]& cap,
                    vector[vid_t]& label) except -1 nogil
cdef int grow(const Graph& g, const vector[wgt_t]& cap, Workspace& ws, Rng& rng, vector[vid_t]& label) except -1 nogil
cdef int close_downwards(const Graph& g, vector[vid_t]& label) noexcept nogil
cdef int close_upwards(const Graph& g, vector[vid_t]& label) noexcept nogil
