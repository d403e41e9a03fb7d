# The contract of a clusterer.
from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph

# Fills cluster[v] and returns the number of clusters. Vertices of different cells are never joined (an empty cell
# vector: no such rule), no cluster of several vertices passes max_weight. Clusters are numbered in a topological order
# of what contraction will make of them, but for a clusterer of undirected graphs.
ctypedef vid_t (*cluster_t)(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, const Options& opt, Rng& rng,
                            vector[vid_t]& cluster) except -1 nogil


cdef struct Clusterer:
    const char* name
    cluster_t cluster
