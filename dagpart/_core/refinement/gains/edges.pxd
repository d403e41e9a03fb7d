# Gains under the edge cut: wlo and whi are the edge weight to the predecessors and successors in parts lo and hi.
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.refinement.queues cimport drop_slot, set_slot
from dagpart._core.refinement.workspace cimport VertexState, Workspace

cdef enum:
    RESCAN_DEGREE = 64      # vertices of higher degree are rescanned at most RESCANS times in a pass
    RESCANS = 8


cdef inline void scan_predecessors(const Graph& g, const vid_t* label, vid_t v, VertexState* s) noexcept nogil:
    cdef eid_t e
    cdef vid_t l
    s.lo = -1
    s.clo = 0
    s.wlo = 0
    for e in range(g.pxadj[v], g.pxadj[v + 1]):
        l = label[g.padj[e]]
        if l > s.lo:
            s.lo = l
            s.clo = 1
            s.wlo = g.pwgt[e]
        elif l == s.lo:
            s.clo += 1
            s.wlo += g.pwgt[e]


cdef inline void scan_successors(const Graph& g, const vid_t* label, vid_t k, vid_t v, VertexState* s) noexcept nogil:
    cdef eid_t e
    cdef vid_t l
    s.hi = k
    s.chi = 0
    s.whi = 0
    for e in range(g.xadj[v], g.xadj[v + 1]):
        l = label[g.adj[e]]
        if l < s.hi:
            s.hi = l
            s.chi = 1
            s.whi = g.wgt[e]
        elif l == s.hi:
            s.chi += 1
            s.whi += g.wgt[e]


cdef inline bint may_rescan(VertexState* s, eid_t degree) noexcept nogil:
    # A hub rescanned each time its extreme label changes could cost degree^2; past a few rescans it sits out the pass.
    if degree <= RESCAN_DEGREE:
        return True
    s.rescans += 1
    return s.rescans <= RESCANS


cdef inline int follow_successor(const Graph& g, const vid_t* label, vid_t k, vid_t x, wgt_t w, vid_t a, vid_t b,
                                 VertexState* s) noexcept nogil:
    # A successor of x has moved from part a to part b. 0: hi stays, 1: it is another one, 2: x sits out the pass.
    if b < s.hi:
        s.hi = b
        s.chi = 1
        s.whi = w
        return 1
    if b == s.hi:
        s.chi += 1
        s.whi += w
    if a == s.hi:
        s.chi -= 1
        s.whi -= w
        if s.chi == 0:
            if not may_rescan(s, g.xadj[x + 1] - g.xadj[x]):
                return 2
            scan_successors(g, label, k, x, s)
            return 1
    return 0


cdef inline int follow_predecessor(const Graph& g, const vid_t* label, vid_t x, wgt_t w, vid_t a, vid_t b,
                                   VertexState* s) noexcept nogil:
    # The same for a predecessor, and lo.
    if b > s.lo:
        s.lo = b
        s.clo = 1
        s.wlo = w
        return 1
    if b == s.lo:
        s.clo += 1
        s.wlo += w
    if a == s.lo:
        s.clo -= 1
        s.wlo -= w
        if s.clo == 0:
            if not may_rescan(s, g.pxadj[x + 1] - g.pxadj[x]):
                return 2
            scan_predecessors(g, label, x, s)
            return 1
    return 0


cdef inline int queue_moves(vid_t own, vid_t k, vid_t v, wgt_t up, wgt_t down, Workspace& ws, Rng& rng) except -1 nogil:
    # The two moves that can gain, to hi and to lo, where they differ from the own part.
    cdef VertexState* s = &ws.state[v]
    if own < s.hi < k:
        set_slot(ws, v, 1, s.hi, up, rng)
    else:
        drop_slot(ws, v, 1)
    if 0 <= s.lo < own:
        set_slot(ws, v, 0, s.lo, down, rng)
    else:
        drop_slot(ws, v, 0)
    return 0


cdef inline int queue_edges(const vid_t* label, vid_t k, vid_t v, Workspace& ws, Rng& rng) except -1 nogil:
    cdef VertexState* s = &ws.state[v]
    cdef vid_t own = label[v]
    cdef wgt_t up = s.whi, down = s.wlo
    if s.lo == own:
        up -= s.wlo
    if s.hi == own:
        down -= s.whi
    return queue_moves(own, k, v, up, down, ws, rng)
