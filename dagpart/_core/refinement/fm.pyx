"""Fiduccia-Mattheyses refinement: of a monotone labelling in k parts, and of a bisection that ignores direction.

Labels are kept monotone (label[u] <= label[v] on every edge), which is the same as an acyclic quotient. A vertex then
has at most two targets that can gain: the highest label of its predecessors and the lowest of its successors. What a
move gains is counted by the gains in gains/.
Fiduccia, Mattheyses, DAC 1982; move rules for acyclic parts after Herrmann et al., SIAM J. Sci. Comput. 41(4), 2019.
"""

from dagpart._core.base.heap cimport Entry
from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling, excess
from dagpart._core.refinement.gains.gains cimport (
    BY_SIDES, Gains, follow, gains_of, open_gains, queue, still_gains, take_back, tell_nets, touch,
)
from dagpart._core.refinement.queues cimport close_queues, drop_slot, retire, sync_ready
from dagpart._core.refinement.refiner cimport Scratch
from dagpart._core.refinement.workspace cimport Workspace, prepare

cdef enum:
    CHECK_EVERY = 1 << 16   # moves between two looks for an interrupt


cdef inline int list_vertex(Workspace& ws, vid_t v) except -1 nogil:
    if ws.state[v].listed != ws.epoch:
        ws.state[v].listed = ws.epoch
        ws.boundary.push_back(v)
    return 0


cdef int list_boundary(const Graph& g, const vid_t* label, Workspace& ws) except -1 nogil:
    # Both ends of every edge between parts.
    cdef vid_t v, own
    cdef eid_t e
    ws.boundary.clear()
    ws.epoch += 1
    for v in range(g.n):
        own = label[v]
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if label[g.adj[e]] != own:
                list_vertex(ws, v)
                list_vertex(ws, g.adj[e])
    return 0


cdef inline bint on_boundary(const Graph& g, const vid_t* label, vid_t v) noexcept nogil:
    cdef eid_t e
    cdef vid_t own = label[v]
    for e in range(g.xadj[v], g.xadj[v + 1]):
        if label[g.adj[e]] != own:
            return True
    for e in range(g.pxadj[v], g.pxadj[v + 1]):
        if label[g.padj[e]] != own:
            return True
    return False


cdef int open_pass(const Graph& g, const Labelling& parts, Gains by, Workspace& ws, Rng& rng) except -1 nogil:
    # Queues the moves of the boundary.
    cdef const vid_t* label = parts.label.data()
    cdef vid_t v
    cdef size_t i
    ws.epoch += 1
    ws.moved.clear()
    ws.origin.clear()
    ws.touched.clear()
    if not g.anchor.empty():
        for v in range(g.n):
            if g.anchor[v]:
                ws.state[v].locked = ws.epoch
    for i in range(ws.boundary.size()):
        v = ws.boundary[i]
        if ws.state[v].stamp == ws.epoch or ws.state[v].locked == ws.epoch:
            continue
        touch(g, label, parts.k, by, v, ws)
        queue(label, parts.k, by, v, ws, rng)
    return 0


cdef inline bint admit(const Graph& g, const Labelling& parts, vid_t v, int up, vid_t b, wgt_t slack,
                       Workspace& ws) except -1 nogil:
    # Whether the best candidate for part b may go there; if not, it leaves the queue or, where b is full, waits with
    # all others until b has room.
    cdef vid_t a = parts.label[v]
    cdef wgt_t w = g.vwgt[v], free = parts.cap[b] - parts.load[b], over = parts.load[a] - parts.cap[a]
    if w > free + slack and not (over > 0 and w - free < over):
        if free + slack < g.total // g.n + 1:
            ws.parked[b] = 1
            sync_ready(ws, b)
        else:
            drop_slot(ws, v, up)
        return False
    if parts.count[a] == 1:
        drop_slot(ws, v, up)
        return False
    return True


cdef inline int carry_out(const Graph& g, vid_t v, vid_t a, vid_t b, Labelling& parts) noexcept nogil:
    # Moves v from part a to part b; the overload follows.
    cdef wgt_t w = g.vwgt[v]
    cdef wgt_t before = excess(parts.load[a], parts.cap[a]) + excess(parts.load[b], parts.cap[b])
    parts.load[a] -= w
    parts.load[b] += w
    parts.score.over += excess(parts.load[a], parts.cap[a]) + excess(parts.load[b], parts.cap[b]) - before
    parts.count[a] -= 1
    parts.count[b] += 1
    parts.label[v] = b
    return 0


cdef int roll_back(const Graph& g, Gains by, size_t kept, Workspace& ws, Labelling& parts) noexcept nogil:
    # Undoes all moves behind the first `kept`.
    cdef size_t i = ws.moved.size()
    cdef vid_t v, b
    while i > kept:
        i -= 1
        v = ws.moved[i]
        b = parts.label[v]
        carry_out(g, v, b, ws.origin[i], parts)
        take_back(g, by, v, ws.origin[i], b, ws)
    return 0


cdef int one_pass(const Graph& g, Gains by, const Options& opt, Workspace& ws, Rng& rng,
                  Labelling& parts) except -1 nogil:
    # One FM pass from ws.boundary, kept up to its best moment. Leaves every heap empty.
    cdef vid_t* label = parts.label.data()
    cdef vid_t k = parts.k, v, a, b, since = 0
    cdef vid_t limit = min(max(<vid_t>(opt.stop_fraction * g.n), opt.stop_min), opt.stop_max)
    cdef size_t best_length = 0
    cdef eid_t e
    cdef wgt_t gain = 0, best = 0, best_over = parts.score.over
    cdef Entry top
    open_pass(g, parts, by, ws, rng)
    while not ws.ready.empty():
        b = ws.ready[0].item
        top = ws.heap[b][0]
        v = top.item >> 1
        if not admit(g, parts, v, top.item & 1, b, opt.slack, ws):
            continue
        if not still_gains(g, label, k, by, v, top.item & 1, top.gain, ws, rng):
            continue
        a = label[v]
        retire(ws, v)
        carry_out(g, v, a, b, parts)
        ws.moved.push_back(v)
        ws.origin.push_back(a)
        tell_nets(g, label, k, by, v, a, b, ws, rng)
        if ws.parked[a]:
            ws.parked[a] = 0
            sync_ready(ws, a)
        gain += top.gain
        since += 1
        if parts.score.over < best_over or (parts.score.over == best_over and gain > best):
            best_over = parts.score.over
            best = gain
            best_length = ws.moved.size()
            since = 0
        elif since > limit:
            break
        for e in range(g.xadj[v], g.xadj[v + 1]):
            follow(g, label, k, by, g.adj[e], False, g.wgt[e], a, b, ws, rng)
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            follow(g, label, k, by, g.padj[e], True, g.pwgt[e], a, b, ws, rng)
        if (ws.moved.size() & (CHECK_EVERY - 1)) == 0:
            check_interrupt()
    roll_back(g, by, best_length, ws, parts)
    close_queues(ws, k)
    parts.score.cost -= best
    return 0


cdef int passes(const Graph& g, Gains by, const Options& opt, Workspace& ws, Rng& rng,
                Labelling& parts) except -1 nogil:
    # Passes until one gains nothing.
    cdef wgt_t over, cost
    cdef vid_t v
    cdef size_t i
    cdef int _pass
    prepare(g.n, parts.k, ws)
    list_boundary(g, parts.label.data(), ws)
    open_gains(g, parts.label.data(), parts.k, by, ws)
    if parts.k < 2:
        return 0
    for _pass in range(opt.passes):
        check_interrupt()
        over = parts.score.over
        cost = parts.score.cost
        one_pass(g, by, opt, ws, rng, parts)
        if parts.score.over == over and parts.score.cost >= cost:
            break
        # Only what the pass looked at can have changed.
        ws.boundary.clear()
        for i in range(ws.touched.size()):
            v = ws.touched[i]
            if on_boundary(g, parts.label.data(), v):
                ws.boundary.push_back(v)
    return 0


cdef int refine_monotone(const Graph& g, const Options& opt, Scratch& scratch, Rng& rng,
                         Labelling& parts) except -1 nogil:
    return passes(g, gains_of(g), opt, scratch.fm, rng, parts)


cdef int refine_two_way(const Graph& g, const Options& opt, Scratch& scratch, Rng& rng,
                        Labelling& parts) except -1 nogil:
    # Of two parts; the score is the edge cut's whatever the objective.
    return passes(g, BY_SIDES, opt, scratch.fm, rng, parts)


MONOTONE_FM.name = b"fm"
MONOTONE_FM.refine = refine_monotone
TWO_WAY_FM.name = b"two_way_fm"
TWO_WAY_FM.refine = refine_two_way
