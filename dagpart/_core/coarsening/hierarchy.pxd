from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.coarsening.clusterer cimport Clusterer
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling


cdef cppclass Hierarchy:
    # graph[0] stands for the caller's finest graph and stays empty; cluster[i] maps level i to level i + 1.
    int depth
    vector[Graph] graph
    vector[vector[vid_t]] cluster


cdef inline const Graph* graph_at(const Graph& g, const Hierarchy& h, int level) noexcept nogil:
    if level == 0:
        return &g
    return &h.graph[level]


cdef int register_clusterer(const Clusterer& clusterer) except -1
cdef vid_t run_clusterer(int which, const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, const Options& opt,
                         Rng& rng, vector[vid_t]& cluster) except -1 nogil
cdef int coarsen(const Graph& g, const vector[vid_t]& cell, vid_t stop, const Options& opt, Rng& rng,
                 Hierarchy& h) except -1 nogil
cdef int coarsen_undirected(const Graph& g, vid_t stop, const Options& opt, Rng& rng, Hierarchy& h) except -1 nogil
cdef int carry(const vector[vid_t]& cluster, vid_t nc, const vector[vid_t]& fine,
               vector[vid_t]& coarse) except -1 nogil
cdef int restrict_labels(const Graph& g, const Hierarchy& h, Labelling& parts) except -1 nogil
cdef int project(const Graph& fine, const vector[vid_t]& cluster, Labelling& parts) except -1 nogil
