from libcpp.vector cimport vector

from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t
from dagpart._core.graph.csr cimport Graph

cdef enum Order:
    BY_ID, TOP_LEVEL, BOTTOM_LEVEL, BREADTH_FIRST, DEPTH_FIRST, GREEDY, RANDOM, ORDERS

cdef int make_order(const Graph& g, Order kind, bint backward, Rng& rng, vector[vid_t]& order) except -1 nogil
cdef vid_t order_by_component(const Graph& g, vector[vid_t]& order) except -1 nogil
cdef int given_order(const Graph& g, vector[vid_t]& order) except -1 nogil
