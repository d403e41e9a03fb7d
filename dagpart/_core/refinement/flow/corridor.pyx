"""The corridor of a pair of parts: the vertices around their cut that a minimum cut may move.

Sanders, Schulz, ESA 2011, section 4.
"""

from libc.stdint cimport int32_t
from libcpp.algorithm cimport sort

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng, shuffle
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph, is_anchored
from dagpart._core.labels.labelling cimport Labelling
from dagpart._core.refinement.flow.network cimport Network

cdef enum:
    HUB = 20000             # vertices of higher degree stay where they are


cdef inline bint can_move(const Graph& g, const vid_t* label, vid_t v, vid_t a, vid_t b) noexcept nogil:
    # Whether no neighbour in a part between a and b holds v back.
    cdef eid_t e
    cdef vid_t l
    if is_anchored(g, v):
        return False
    if label[v] == a:
        if g.xadj[v + 1] - g.xadj[v] > HUB:
            return False
        for e in range(g.xadj[v], g.xadj[v + 1]):
            l = label[g.adj[e]]
            if a < l < b:
                return False
    else:
        if g.pxadj[v + 1] - g.pxadj[v] > HUB:
            return False
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            l = label[g.padj[e]]
            if a < l < b:
                return False
    return True


cdef int grow_side(const Graph& g, const vid_t* label, vid_t own, vid_t a, vid_t b, wgt_t most, const Options& opt,
                   Network& net) except -1 nogil:
    # Breadth-first from net.boundary inside part `own`, as far as weight and number of vertices allow.
    cdef size_t start = net.node.size(), i = start
    cdef size_t limit
    cdef wgt_t weight = 0
    cdef vid_t v, x, seeds = 0, most_nodes = opt.flow_nodes // 2
    cdef eid_t e
    cdef size_t s
    cdef int side
    cdef const eid_t* row[2]        # of the successors, of the predecessors
    cdef const vid_t* entry[2]
    row[0] = g.xadj.data()
    row[1] = g.pxadj.data()
    entry[0] = g.adj.data()
    entry[1] = g.padj.data()
    for s in range(net.boundary.size()):
        v = net.boundary[s]
        if label[v] == own and net.local[v] < 0 and weight + g.vwgt[v] <= most and can_move(g, label, v, a, b):
            net.local[v] = <int32_t>net.node.size()
            net.node.push_back(v)
            weight += g.vwgt[v]
            seeds += 1
            if seeds >= most_nodes:
                break
    limit = start + min(<size_t>most_nodes, <size_t>opt.flow_depth * seeds + 100)
    while i < net.node.size() and net.node.size() < limit:
        v = net.node[i]
        i += 1
        for side in range(2):
            for e in range(row[side][v], row[side][v + 1]):
                x = entry[side][e]
                if label[x] == own and net.local[x] == -1:
                    net.local[x] = -2
                    if weight + g.vwgt[x] <= most and can_move(g, label, x, a, b):
                        net.local[x] = <int32_t>net.node.size()
                        net.node.push_back(x)
                        weight += g.vwgt[x]
                    else:
                        net.aside.push_back(x)
    for s in range(net.aside.size()):
        net.local[net.aside[s]] = -1
    net.aside.clear()
    return 0


cdef int prune(const Graph& g, const vid_t* label, vid_t a, vid_t b, Network& net) except -1 nogil:
    # Leaves out what a fixed neighbour holds in its part: a vertex of a before a fixed one of a, a vertex of b behind
    # a fixed one of b. Ids are topological, so one sweep in each direction settles it; the nodes end up sorted by id.
    cdef size_t i, kept = 0
    cdef vid_t v
    cdef eid_t e
    sort(net.node.begin(), net.node.end())
    i = net.node.size()
    while i > 0:
        i -= 1
        v = net.node[i]
        if label[v] == a:
            for e in range(g.xadj[v], g.xadj[v + 1]):
                if label[g.adj[e]] == a and net.local[g.adj[e]] < 0:
                    net.local[v] = -1
                    break
    for i in range(net.node.size()):
        v = net.node[i]
        if label[v] == b:
            for e in range(g.pxadj[v], g.pxadj[v + 1]):
                if label[g.padj[e]] == b and net.local[g.padj[e]] < 0:
                    net.local[v] = -1
                    break
    for i in range(net.node.size()):
        v = net.node[i]
        if net.local[v] >= 0:
            net.local[v] = <int32_t>kept
            net.node[kept] = v
            kept += 1
    net.node.resize(kept)
    return 0


cdef int open_corridor(const Graph& g, vid_t a, vid_t b, const Options& opt, const Labelling& parts, Rng& rng,
                       Network& net) except -1 nogil:
    # Fills net.node and net.local from net.boundary, sorted by id.
    cdef const vid_t* label = parts.label.data()
    net.node.clear()
    shuffle(rng, net.boundary.data(), <vid_t>net.boundary.size())
    grow_side(g, label, a, a, b, max(<wgt_t>0, parts.cap[b] - parts.load[b]) + <wgt_t>(opt.flow_reach * parts.cap[b]),
              opt, net)
    grow_side(g, label, b, a, b, max(<wgt_t>0, parts.cap[a] - parts.load[a]) + <wgt_t>(opt.flow_reach * parts.cap[a]),
              opt, net)
    return prune(g, label, a, b, net)


cdef int close_corridor(Network& net) noexcept nogil:
    cdef size_t i
    for i in range(net.node.size()):
        net.local[net.node[i]] = -1
    return 0
