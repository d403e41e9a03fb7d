from libc.stdint cimport int8_t, int32_t, int64_t
from libcpp.vector cimport vector

from dagpart._core.nets cimport Nets
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t


cdef cppclass Graph:
    # A graph in both directions whose every edge runs from a lower id to a higher one. Acyclic graphs are numbered
    # in a topological order; undirected ones (the guide's) store each edge once, which is the same shape.
    vid_t n
    wgt_t total                 # sum of vwgt
    vector[eid_t] xadj          # successors of v: adj[xadj[v]:xadj[v + 1]]
    vector[vid_t] adj
    vector[wgt_t] wgt
    vector[eid_t] pxadj         # predecessors
    vector[vid_t] padj
    vector[wgt_t] pwgt
    vector[wgt_t] vwgt
    vector[char] anchor         # vertices that refinement must leave where they are; empty: none
    Nets nets                   # none: partitions cost their edge cut; else edge weights only say what is tied to what


cdef struct Score:
    wgt_t over, cost            # weight above the caps, summed over the parts; edge cut or communication volume


cdef inline bint less(Score a, Score b) noexcept nogil:
    return a.over < b.over or (a.over == b.over and a.cost < b.cost)


cdef int contract(const Graph& g, const vector[vid_t]& cluster, vid_t nc, bint undirected,
                  Graph& coarse) except -1 nogil
cdef int induce(const Graph& g, const vector[vid_t]& label, vid_t part, vector[vid_t]& members,
                Graph& sub) except -1 nogil
cdef int top_levels(const Graph& g, vector[vid_t]& level) except -1 nogil
cdef int bottom_levels(const Graph& g, vector[vid_t]& level) except -1 nogil
cdef wgt_t cut_of(const Graph& g, const vector[vid_t]& label) noexcept nogil
cdef wgt_t cost_of(const Graph& g, const vector[vid_t]& label, vid_t k) except -1 nogil
cdef int part_loads(const Graph& g, const vector[vid_t]& label, vid_t k, vector[wgt_t]& load) except -1 nogil
cdef wgt_t overload_of(const vector[wgt_t]& load, const vector[wgt_t]& cap) noexcept nogil
cdef bint is_monotone(const Graph& g, const vector[vid_t]& label) noexcept nogil
cdef int load_graph(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights,
                    const int64_t[::1] vertex_weights, const int32_t[::1] rank, const int8_t[::1] anchor,
                    Graph& g) except -1 nogil
cdef int share_out(Graph& g) except -1 nogil
