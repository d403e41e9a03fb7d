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


cdef enum Change:
    # What becomes of a vertex's extreme label as a neighbour moves.
    SAME, OTHER, LOST           # it stays; it is another one; nobody has it any more


cdef inline Change follow_extreme(bint nearer, wgt_t w, vid_t a, vid_t b, vid_t* extreme, vid_t* count,
                                  wgt_t* weight) noexcept nogil:
    # A neighbour, joined by an edge of weight w, has moved from part a to part b. `nearer`: b comes before the extreme.
    if nearer:
        extreme[0] = b
        count[0] = 1
        weight[0] = w
        return OTHER
    if b == extreme[0]:
        count[0] += 1
        weight[0] += w
    if a == extreme[0]:
        count[0] -= 1
        weight[0] -= w
        if count[0] == 0:
            return LOST
    return SAME


cdef inline Change follow_successor(const Graph& g, const vid_t* label, vid_t k, vid_t x, wgt_t w, vid_t a, vid_t b,
                                    VertexState* s) noexcept nogil:
    # Of x. LOST: x has been rescanned too often and sits out the pass.
    cdef Change change = follow_extreme(b < s.hi, w, a, b, &s.hi, &s.chi, &s.whi)
    if change == LOST and may_rescan(s, g.xadj[x + 1] - g.xadj[x]):
        scan_successors(g, label, k, x, s)
        change = OTHER
    return change


cdef inline Change follow_predecessor(const Graph& g, const vid_t* label, vid_t x, wgt_t w, vid_t a, vid_t b,
                                      VertexState* s) noexcept nogil:
    cdef Change change = follow_extreme(b > s.lo, w, a, b, &s.lo, &s.clo, &s.wlo)
    if change == LOST and may_rescan(s, g.pxadj[x + 1] - g.pxadj[x]):
        scan_predecessors(g, label, x, s)
        change = OTHER
    return change


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
