"""Graphs in both directions: topological order, levels, transposition, contraction."""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.nets cimport Nets, contract_nets, induce_nets, volume_of
from dagpart._core.base.types cimport eid_t, id_t, vid_t, wgt_t

cdef enum:
    SHARES = 60             # of a producer's data: what can be told apart when edge weights stand for a net


def topological_order(const int64_t[::1] indptr, const id_t[::1] indices, const int64_t[::1] pred_indptr):
    """Kahn's topological order of a digraph.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m] or int64[m]
        Successors.
    pred_indptr : int64[n + 1]
        Row pointer of the predecessors; only the in-degrees are read.

    Returns
    -------
    order : array of the dtype of `indices`
        Vertices, each after all of its predecessors, ready vertices first in, first out. Shorter than n exactly
        when the digraph has a cycle: the vertices that are missing lie on or behind one.
    """
    cdef int64_t n = indptr.shape[0] - 1
    cdef int64_t head = 0, tail = 0, p, v
    cdef vector[int64_t] missing
    out = np.empty(n, dtype=np.int32 if id_t is int32_t else np.int64)
    cdef id_t[::1] order = out
    with nogil:
        missing.resize(n)
        for v in range(n):
            missing[v] = pred_indptr[v + 1] - pred_indptr[v]
            if missing[v] == 0:
                order[tail] = <id_t>v
                tail += 1
        while head < tail:
            v = order[head]
            head += 1
            for p in range(indptr[v], indptr[v + 1]):
                missing[indices[p]] -= 1
                if missing[indices[p]] == 0:
                    order[tail] = indices[p]
                    tail += 1
    return out[:tail]


def topological_numbers(const int64_t[::1] indptr, const id_t[::1] indices):
    """Position of each vertex of an acyclic graph in its lexicographically smallest topological order.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m] or int64[m]
        Successors.

    Returns
    -------
    number : array of the dtype of `indices`
        0 .. n - 1 when every edge already runs from a lower id to a higher one.
    """
    cdef int64_t n = indptr.shape[0] - 1
    cdef int64_t p, v
    cdef id_t at = 0
    cdef bint sorted_already = True
    cdef vector[int64_t] missing
    cdef priority_queue[int64_t] ready      # of negated ids: the least comes first
    out = np.arange(n, dtype=np.int32 if id_t is int32_t else np.int64)
    cdef id_t[::1] number = out
    with nogil:
        for v in range(n):
            for p in range(indptr[v], indptr[v + 1]):
                if indices[p] <= v:
                    sorted_already = False
                    break
            if not sorted_already:
                break
        if not sorted_already:
            missing.assign(n, 0)
            for p in range(indices.shape[0]):
                missing[indices[p]] += 1
            for v in range(n):
                if missing[v] == 0:
                    ready.push(-v)
            while not ready.empty():
                v = -ready.top()
                ready.pop()
                number[v] = at
                at += 1
                for p in range(indptr[v], indptr[v + 1]):
                    missing[indices[p]] -= 1
                    if missing[indices[p]] == 0:
                        ready.push(-<int64_t>indices[p])
    return out


def levels(const int64_t[::1] indptr, const id_t[::1] indices, const id_t[::1] order):
    """Longest distance, in edges, of each vertex from the sources.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m] or int64[m]
        Successors.
    order : array of the dtype of `indices`
        A topological order of all n vertices.

    Returns
    -------
    level : array of the dtype of `indices`
    """
    cdef int64_t i, p
    cdef id_t v, below
    out = np.zeros(indptr.shape[0] - 1, dtype=np.int32 if id_t is int32_t else np.int64)
    cdef id_t[::1] level = out
    with nogil:
        for i in range(order.shape[0]):
            v = order[i]
            below = level[v] + 1
            for p in range(indptr[v], indptr[v + 1]):
                if level[indices[p]] < below:
                    level[indices[p]] = below
    return out


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


cdef int contract(const Graph& g, const vector[vid_t]& cluster, vid_t nc, bint undirected,
                  Graph& coarse) except -1 nogil:
    # cluster[v] in 0 .. nc - 1. For an acyclic clustering the numbers must be a topological order of the clusters;
    # for an undirected one any numbers do, and edges are turned to run from the lower number to the higher.
    cdef vector[vid_t] first, members
    cdef vector[eid_t] slot
    cdef vid_t v, c, d, i
    cdef eid_t e, row
    cdef const vid_t* cl = cluster.data()
    cdef Nets nothing
    first.assign(nc + 1, 0)
    members.resize(g.n)
    coarse.n = nc
    coarse.total = g.total
    coarse.vwgt.assign(nc, 0)
    for v in range(g.n):
        first[cl[v] + 1] += 1
        coarse.vwgt[cl[v]] += g.vwgt[v]
    coarse.anchor.clear()
    if not g.anchor.empty():
        coarse.anchor.assign(nc, 0)
        for v in range(g.n):
            coarse.anchor[cl[v]] |= g.anchor[v]
    for c in range(nc):
        first[c + 1] += first[c]
    for v in range(g.n):
        members[first[cl[v]]] = v
        first[cl[v]] += 1
    for c in range(nc, 0, -1):
        first[c] = first[c - 1]
    first[0] = 0

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
                    if at[d] >= row:
                        coarse.wgt[at[d]] += g.wgt[e]
                    else:
                        at[d] = <eid_t>coarse.adj.size()
                        coarse.adj.push_back(d)
                        coarse.wgt.push_back(g.wgt[e])
            if undirected:
                for e in range(g.pxadj[v], g.pxadj[v + 1]):
                    d = cl[g.padj[e]]
                    if d > c:
                        if at[d] >= row:
                            coarse.wgt[at[d]] += g.pwgt[e]
                        else:
                            at[d] = <eid_t>coarse.adj.size()
                            coarse.adj.push_back(d)
                            coarse.wgt.push_back(g.pwgt[e])
    coarse.xadj[nc] = <eid_t>coarse.adj.size()
    # A guide goes by the weights of the edges alone.
    if undirected or g.nets.cost.empty():
        coarse.nets = nothing
    else:
        contract_nets(g.nets, cluster, nc, coarse.nets)
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
    if g.nets.cost.empty():
        sub.nets = nothing
    else:
        induce_nets(g.nets, local, sub.n, sub.nets)
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


cdef wgt_t cut_of(const Graph& g, const vector[vid_t]& label) noexcept nogil:
    cdef wgt_t cut = 0
    cdef vid_t v
    cdef eid_t e
    for v in range(g.n):
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if label[g.adj[e]] != label[v]:
                cut += g.wgt[e]
    return cut


cdef wgt_t cost_of(const Graph& g, const vector[vid_t]& label, vid_t k) except -1 nogil:
    if g.nets.cost.empty():
        return cut_of(g, label)
    return volume_of(g.nets, label, k)


cdef int part_loads(const Graph& g, const vector[vid_t]& label, vid_t k, vector[wgt_t]& load) except -1 nogil:
    cdef vid_t v
    load.assign(k, 0)
    for v in range(g.n):
        load[label[v]] += g.vwgt[v]
    return 0


cdef wgt_t overload_of(const vector[wgt_t]& load, const vector[wgt_t]& cap) noexcept nogil:
    cdef wgt_t over = 0
    cdef size_t p
    for p in range(load.size()):
        if load[p] > cap[p]:
            over += load[p] - cap[p]
    return over


cdef bint is_monotone(const Graph& g, const vector[vid_t]& label) noexcept nogil:
    cdef vid_t v
    cdef eid_t e
    for v in range(g.n):
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if label[v] > label[g.adj[e]]:
                return False
    return True


cdef int load_graph(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights,
                    const int64_t[::1] vertex_weights, const int32_t[::1] rank, const int8_t[::1] anchor,
                    Graph& g) except -1 nogil:
    # Copies a graph in, vertex v becoming rank[v]; rank must be a topological numbering. An
    # empty anchor array means none.
    cdef vid_t n = <vid_t>vertex_weights.shape[0]
    cdef vid_t v
    cdef eid_t e, q
    g.n = n
    g.total = 0
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


cdef int share_out(Graph& g) except -1 nogil:
    # For graphs judged by nets: the weight of an edge becomes an even share of its producer's data, as coarsening wants
    # it.
    cdef wgt_t sent = 1, scale
    cdef vid_t v
    cdef eid_t e
    for e in range(<eid_t>g.wgt.size()):
        sent += g.wgt[e]
    scale = max(<wgt_t>1, min(<wgt_t>SHARES, (<wgt_t>1 << 61) // sent))
    for v in range(g.n):
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if g.wgt[e] > 0:
                g.wgt[e] = max(<wgt_t>1, g.wgt[e] * scale // (g.xadj[v + 1] - g.xadj[v]))
    return fill_predecessors(g)
