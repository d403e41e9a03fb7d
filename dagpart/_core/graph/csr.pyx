"""Graphs in both directions: loading, contraction, subgraphs, levels."""

from libc.stdint cimport int8_t, int32_t, int64_t
from libcpp.vector cimport vector

from dagpart._core.base.counting cimport bucket_sort
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.nets cimport Nets, contract_nets, induce_nets, load_nets, net_count

cdef enum:
    SHARES = 60             # of a producer's data: what can be told apart when edge weights stand for a net


cdef inline void inherit_objective(const Graph& g, Graph& made) noexcept nogil:
    # A graph made from g is judged as g is; but where no net is left, nets have nothing more to say.
    made.objective = g.objective
    if made.objective == COMM_VOLUME and net_count(made.nets) == 0:
        made.objective = EDGE_CUT


cdef int fill_predecessors(Graph& g) except -1 nogil:
    # Transposes the successor arrays; each predecessor list comes out ascending.
    cdef vid_t u
    cdef eid_t e, q
    cdef eid_t m = <eid_t>g.adj.size()
    g.pxadj.assign(g.n + 1, 0)
    g.padj.resize(m)
    g.pwgt.resize(m)
    cdef eid_t* px = g.pxadj.data()
    for e in range(m):
        px[g.adj[e] + 1] += 1
    for u in range(g.n):
        px[u + 1] += px[u]
    for u in range(g.n):
        for e in range(g.xadj[u], g.xadj[u + 1]):
            q = px[g.adj[e]]
            px[g.adj[e]] += 1
            g.padj[q] = u
            g.pwgt[q] = g.wgt[e]
    for u in range(g.n, 0, -1):
        px[u] = px[u - 1]
    px[0] = 0
    return 0


cdef inline int add_edge(eid_t* at, eid_t row, vid_t head, wgt_t weight, Graph& coarse) except -1 nogil:
    # Parallel edges of the row that began at `row` become one; at[d] is where the last edge to d stands.
    if at[head] >= row:
        coarse.wgt[at[head]] += weight
    else:
        at[head] = <eid_t>coarse.adj.size()
        coarse.adj.push_back(head)
        coarse.wgt.push_back(weight)
    return 0


cdef int merge_edges(const Graph& g, const vid_t* cl, vid_t nc, const vector[vid_t]& first,
                     const vector[vid_t]& members, bint undirected, Graph& coarse) except -1 nogil:
    # The successors of each cluster.
    cdef vector[eid_t] slot
    cdef vid_t v, c, d, i
    cdef eid_t e, row
    coarse.xadj.resize(nc + 1)
    coarse.adj.clear()
    coarse.wgt.clear()
    coarse.adj.reserve(g.adj.size())
    coarse.wgt.reserve(g.adj.size())
    slot.assign(nc, -1)
    cdef eid_t* at = slot.data()
    for c in range(nc):
        row = <eid_t>coarse.adj.size()
        coarse.xadj[c] = row
        for i in range(first[c], first[c + 1]):
            v = members[i]
            for e in range(g.xadj[v], g.xadj[v + 1]):
                d = cl[g.adj[e]]
                if d > c:
                    add_edge(at, row, d, g.wgt[e], coarse)
            if undirected:
                for e in range(g.pxadj[v], g.pxadj[v + 1]):
                    d = cl[g.padj[e]]
                    if d > c:
                        add_edge(at, row, d, g.pwgt[e], coarse)
    coarse.xadj[nc] = <eid_t>coarse.adj.size()
    return 0


cdef int contract(const Graph& g, const vector[vid_t]& cluster, vid_t nc, bint undirected,
                  Graph& coarse) except -1 nogil:
    # cluster[v] in 0 .. nc - 1. For an acyclic clustering the numbers must be a topological order of the clusters;
    # for an undirected one any numbers do, and edges are turned to run from the lower number to the higher.
    cdef vector[vid_t] first, members
    cdef vid_t v
    cdef const vid_t* cl = cluster.data()
    cdef Nets nothing
    coarse.n = nc
    coarse.total = g.total
    coarse.vwgt.assign(nc, 0)
    for v in range(g.n):
        coarse.vwgt[cl[v]] += g.vwgt[v]
    coarse.anchor.clear()
    if not g.anchor.empty():
        coarse.anchor.assign(nc, 0)
        for v in range(g.n):
            coarse.anchor[cl[v]] |= g.anchor[v]
    bucket_sort(cl, g.n, nc, first, members)
    merge_edges(g, cl, nc, first, members, undirected, coarse)
    # A guide goes by the weights of the edges alone.
    if undirected or net_count(g.nets) == 0:
        coarse.nets = nothing
    else:
        contract_nets(g.nets, cluster, nc, coarse.nets)
    inherit_objective(g, coarse)
    return fill_predecessors(coarse)


cdef int induce(const Graph& g, const vector[vid_t]& label, vid_t part, vector[vid_t]& members,
                Graph& sub) except -1 nogil:
    # The subgraph of the vertices with this label, in their old order; members[new id] = old id.
    cdef vector[vid_t] local
    cdef Nets nothing
    cdef vid_t v, i
    cdef eid_t e
    local.assign(g.n, -1)
    members.clear()
    for v in range(g.n):
        if label[v] == part:
            local[v] = <vid_t>members.size()
            members.push_back(v)
    sub.n = <vid_t>members.size()
    sub.xadj.resize(sub.n + 1)
    sub.vwgt.resize(sub.n)
    sub.adj.clear()
    sub.wgt.clear()
    sub.anchor.clear()
    if not g.anchor.empty():
        sub.anchor.resize(sub.n)
        for i in range(sub.n):
            sub.anchor[i] = g.anchor[members[i]]
    sub.total = 0
    for i in range(sub.n):
        v = members[i]
        sub.xadj[i] = <eid_t>sub.adj.size()
        sub.vwgt[i] = g.vwgt[v]
        sub.total += g.vwgt[v]
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if local[g.adj[e]] >= 0:
                sub.adj.push_back(local[g.adj[e]])
                sub.wgt.push_back(g.wgt[e])
    sub.xadj[sub.n] = <eid_t>sub.adj.size()
    if net_count(g.nets) == 0:
        sub.nets = nothing
    else:
        induce_nets(g.nets, local, sub.n, sub.nets)
    inherit_objective(g, sub)
    return fill_predecessors(sub)


cdef int top_levels(const Graph& g, vector[vid_t]& level) except -1 nogil:
    # Longest distance from the sources.
    cdef vid_t v, below
    cdef eid_t e
    level.assign(g.n, 0)
    for v in range(g.n):
        below = level[v] + 1
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if level[g.adj[e]] < below:
                level[g.adj[e]] = below
    return 0


cdef int bottom_levels(const Graph& g, vector[vid_t]& level) except -1 nogil:
    # Depth of the graph minus the longest distance to a sink: rises along every edge, as top_levels does.
    cdef vid_t v, deepest = 0
    cdef eid_t e
    level.assign(g.n, 0)
    for v in range(g.n - 1, -1, -1):
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if level[v] < level[g.adj[e]] + 1:
                level[v] = level[g.adj[e]] + 1
        if level[v] > deepest:
            deepest = level[v]
    for v in range(g.n):
        level[v] = deepest - level[v]
    return 0


cdef int load_graph(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights,
                    const int64_t[::1] vertex_weights, const int32_t[::1] rank, const int8_t[::1] anchor,
                    Graph& g) except -1 nogil:
    # Copies a graph in, vertex v becoming rank[v]; rank must be a topological numbering. An empty anchor array means
    # none. The objective is the edge cut.
    cdef vid_t n = <vid_t>vertex_weights.shape[0]
    cdef vid_t v
    cdef eid_t e, q
    g.n = n
    g.total = 0
    g.objective = EDGE_CUT
    g.vwgt.resize(n)
    g.xadj.assign(n + 1, 0)
    g.adj.resize(indices.shape[0])
    g.wgt.resize(indices.shape[0])
    for v in range(n):
        g.vwgt[rank[v]] = vertex_weights[v]
        g.total += vertex_weights[v]
        g.xadj[rank[v] + 1] = indptr[v + 1] - indptr[v]
    g.anchor.clear()
    if anchor.shape[0] == n:
        g.anchor.resize(n)
        for v in range(n):
            g.anchor[rank[v]] = anchor[v]
    for v in range(n):
        g.xadj[v + 1] += g.xadj[v]
    for v in range(n):
        q = g.xadj[rank[v]]
        for e in range(indptr[v], indptr[v + 1]):
            g.adj[q] = rank[indices[e]]
            g.wgt[q] = weights[e]
            q += 1
    return fill_predecessors(g)


cdef int pay_for_nets(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights,
                      const int32_t[::1] place, Graph& g) except -1 nogil:
    # The objective becomes what the nets of the caller's graph pay, whose vertex v belongs to vertex place[v] of g. The
    # weight of an edge becomes an even share of its producer's data, as coarsening wants it.
    cdef wgt_t sent = 1, scale
    cdef vid_t v
    cdef eid_t e
    load_nets(indptr, indices, weights, place, g.n, g.nets)
    g.objective = COMM_VOLUME
    inherit_objective(g, g)
    for e in range(<eid_t>g.wgt.size()):
        sent += g.wgt[e]
    scale = max(<wgt_t>1, min(<wgt_t>SHARES, (<wgt_t>1 << 61) // sent))
    for v in range(g.n):
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if g.wgt[e] > 0:
                g.wgt[e] = max(<wgt_t>1, g.wgt[e] * scale // (g.xadj[v + 1] - g.xadj[v]))
    return fill_predecessors(g)
