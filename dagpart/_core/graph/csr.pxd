from libc.stdint cimport int8_t, int32_t, int64_t
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.nets cimport Nets


cdef enum Objective:
    # What a partition of a graph costs: the weight of the edges between parts, or what its nets pay.
    EDGE_CUT, COMM_VOLUME


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
    Objective objective
    Nets nets                   # COMM_VOLUME: edge weights only say what is tied to what. EDGE_CUT: none


cdef struct Neighbours:
    # One direction of a graph: what is next to v stands in entry[row[v]:row[v + 1]].
    const eid_t* row
    const vid_t* entry
    const wgt_t* weight


cdef inline Neighbours look(const Graph& g, bint ahead) noexcept nogil:
    # The successors, if ahead, or the predecessors.
    cdef Neighbours view
    if ahead:
        view.row = g.xadj.data()
        view.entry = g.adj.data()
        view.weight = g.wgt.data()
    else:
        view.row = g.pxadj.data()
        view.entry = g.padj.data()
        view.weight = g.pwgt.data()
    return view


cdef inline bint is_anchored(const Graph& g, vid_t v) noexcept nogil:
    return not g.anchor.empty() and g.anchor[v] != 0


cdef int contract(const Graph& g, const vector[vid_t]& cluster, vid_t nc, bint undirected,
                  Graph& coarse) except -1 nogil
cdef int induce(const Graph& g, const vector[vid_t]& label, vid_t part, vector[vid_t]& members,
                Graph& sub) except -1 nogil
cdef int top_levels(const Graph& g, vector[vid_t]& level) except -1 nogil
cdef int bottom_levels(const Graph& g, vector[vid_t]& level) except -1 nogil
cdef int load_graph(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights,
                    const int64_t[::1] vertex_weights, const int32_t[::1] rank, const int8_t[::1] anchor,
                    Graph& g) except -1 nogil
cdef int pay_for_nets(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights,
                      const int32_t[::1] place, Graph& g) except -1 nogil
