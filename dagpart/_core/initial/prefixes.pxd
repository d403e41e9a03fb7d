from libcpp.vector cimport vector

from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph

cdef int best_prefix(const Graph& g, const vector[vid_t]& order, const vector[wgt_t]& cap,
                     vector[vid_t]& label) except -1 nogil
cdef int best_split(const Graph& g, const vector[vid_t]& order, vid_t k, const vector[wgt_t]& cap,
                    vector[vid_t]& label) except -1 nogil
cdef int split_order(const Graph& g, vid_t k, wgt_t cap, const vector[vid_t]& order,
                     vector[vid_t]& label) except -1 nogil
