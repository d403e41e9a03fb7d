# The objectives: what labels cost, and what a prefix of an order costs as it grows. Gains of single moves are in
# refinement/gains, the gadgets of minimum cuts in refinement/flow; each of the three asks the graph's objective once.
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport COMM_VOLUME, Graph
from dagpart._core.graph.nets cimport volume_of


cdef inline wgt_t cut_of(const Graph& g, const vid_t* label) noexcept nogil:
    cdef wgt_t cut = 0
    cdef vid_t v
    cdef eid_t e
    for v in range(g.n):
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if label[g.adj[e]] != label[v]:
                cut += g.wgt[e]
    return cut


cdef inline wgt_t cost_of(const Graph& g, const vector[vid_t]& label, vid_t k) except -1 nogil:
    if g.objective == COMM_VOLUME:
        return volume_of(g.nets, label, k)
    return cut_of(g, label.data())


cdef inline wgt_t rise_by_edges(const Graph& g, vid_t v) noexcept nogil:
    # What the cut between a prefix of a topological order and the rest rises by as v joins the prefix.
    cdef wgt_t rise = 0
    cdef eid_t e
    for e in range(g.xadj[v], g.xadj[v + 1]):
        rise += g.wgt[e]
    for e in range(g.pxadj[v], g.pxadj[v + 1]):
        rise -= g.pwgt[e]
    return rise


cdef inline wgt_t rise_by_nets(const Graph& g, vid_t v, vector[vid_t]& inside) noexcept nogil:
    # `inside` counts the pins of each net in the prefix.
    cdef wgt_t rise = 0
    cdef eid_t e
    cdef vid_t t
    for e in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
        t = g.nets.net[e]
        if inside[t] == 0:
            rise += g.nets.cost[t]
        inside[t] += 1
        if inside[t] == g.nets.first[t + 1] - g.nets.first[t]:
            rise -= g.nets.cost[t]
    return rise


cdef inline wgt_t rise_of(const Graph& g, vid_t v, vector[vid_t]& inside) noexcept nogil:
    # What the cost of a prefix rises by; `inside` starts as a zero for each net and belongs to the prefix.
    if g.objective == COMM_VOLUME:
        return rise_by_nets(g, v, inside)
    return rise_by_edges(g, v)
