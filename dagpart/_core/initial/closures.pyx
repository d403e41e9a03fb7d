"""Closed sets: the nearest monotone labels, guides made monotone, and what anchors bind."""

from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph


cdef int close_downwards(const Graph& g, vector[vid_t]& label) noexcept nogil:
    # Every ancestor of a vertex of part 0 joins part 0.
    cdef vid_t v
    cdef eid_t e
    for v in range(g.n - 1, -1, -1):
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if label[g.adj[e]] < label[v]:
                label[v] = label[g.adj[e]]
    return 0


cdef int close_upwards(const Graph& g, vector[vid_t]& label) noexcept nogil:
    # Every descendant of a vertex of part 1 joins part 1.
    cdef vid_t v
    cdef eid_t e
    for v in range(g.n):
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            if label[g.padj[e]] > label[v]:
                label[v] = label[g.padj[e]]
    return 0


cdef int repair_guide(const Graph& g, const vector[vid_t]& guided, const vector[vid_t]& side, int way,
                      vector[vid_t]& label) except -1 nogil:
    # The four ways to make a guide monotone: either side first, closed downwards or upwards.
    cdef vid_t v
    cdef vid_t flip = (way & 2) >> 1
    label.resize(g.n)
    for v in range(g.n):
        label[v] = guided[v] ^ flip
    bind(side, label)
    if way & 1:
        close_upwards(g, label)
    else:
        close_downwards(g, label)
    return 0


cdef int anchor_classes(const Graph& g, vid_t k0, vid_t k1, vector[vid_t]& side) except -1 nogil:
    # Shares the anchors out to the two sides of a bisection: -1 free, 0 or 1 bound by an anchor. Ids are topological,
    # so the first anchors can go below and the rest above; what precedes or follows them is bound with them.
    cdef vid_t v, before = 0, count = 0, low
    cdef eid_t e
    cdef wgt_t weight = 0
    cdef double share = <double>g.total * k0 / (<double>k0 + k1)
    side.assign(g.n, -1)
    for v in range(g.n):
        count += g.anchor[v] != 0
        if g.anchor[v] and weight < share:
            before += 1
        weight += g.vwgt[v]
    low = max(min(before, k0), count - k1)
    for v in range(g.n):
        if g.anchor[v]:
            side[v] = low <= 0
            low -= 1
    for v in range(g.n):
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            if side[g.padj[e]] == 1:
                side[v] = 1
    for v in range(g.n - 1, -1, -1):
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if side[g.adj[e]] == 0:
                side[v] = 0
    return 0


cdef int bind(const vector[vid_t]& side, vector[vid_t]& label) noexcept nogil:
    cdef size_t v
    for v in range(side.size()):
        if side[v] >= 0:
            label[v] = side[v]
    return 0


cdef int bind_order(const vector[vid_t]& side, vector[vid_t]& order) except -1 nogil:
    # Stable: bound below, free, bound above. Still topological, since the bound sets are closed.
    cdef vector[vid_t] out
    cdef int which
    cdef size_t i
    if side.empty():
        return 0
    out.reserve(order.size())
    for which in range(3):
        for i in range(order.size()):
            if side[order[i]] == (1 if which == 2 else -which):
                out.push_back(order[i])
    order.swap(out)
    return 0
