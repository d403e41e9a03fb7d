from libcpp.vector cimport vector

from dagpart._core.csr cimport Graph
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t

# Each scheme fills cluster[v] and returns the number of clusters. Vertices of different cells are never joined (an
# empty cell vector: no such rule), no cluster passes max_weight. The acyclic schemes number clusters topologically.
cdef vid_t cluster_runs(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, double shrink, Rng& rng,
                        vector[vid_t]& cluster) except -1 nogil
cdef vid_t cluster_levels(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, Rng& rng,
                          vector[vid_t]& cluster) except -1 nogil
cdef vid_t cluster_undirected(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, double shrink, Rng& rng,
                              vector[vid_t]& cluster) except -1 nogil
