"""The balancer: carries overload along the line of parts to where there is room."""

from libcpp.vector cimport vector

from dagpart._core.base.heap cimport Entry, heap_push, heap_remove
from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.random cimport Rng, draw32
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph, Neighbours, is_anchored, look
from dagpart._core.labels.labelling cimport Labelling, excess, measure
from dagpart._core.refinement.workspace cimport Workspace, prepare

cdef enum:
    ATTEMPTS = 3


cdef int balanced_prefixes(const vector[wgt_t]& load, const vector[wgt_t]& cap, bint from_left,
                           vector[wgt_t]& prefix) except -1 nogil:
    # Prefix sums of part loads that keep every cap, near the present ones: excess is pushed to higher parts first
    # (from_left) or to lower parts first, and what does not fit there the other way.
    cdef vid_t k = <vid_t>load.size()
    cdef vid_t p
    cdef wgt_t total = 0, run
    cdef vector[wgt_t] now
    now.resize(k)
    for p in range(k):
        total += load[p]
        now[p] = total
    prefix.resize(k)
    if from_left:
        run = 0
        for p in range(k):
            run = min(now[p], run + cap[p])
            prefix[p] = run
        run = total
        for p in range(k - 1, -1, -1):
            prefix[p] = max(prefix[p], run)
            run = prefix[p] - cap[p]
    else:
        run = total
        for p in range(k - 1, -1, -1):
            prefix[p] = run
            run = run - cap[p]
            if p > 0 and run < now[p - 1]:
                run = now[p - 1]
        run = 0
        for p in range(k):
            run = min(prefix[p], run + cap[p])
            prefix[p] = run
    return 0


cdef int choose_prefixes(const Labelling& parts, vector[wgt_t]& now, vector[wgt_t]& aim) except -1 nogil:
    # Prefix sums of the loads as they are, and the nearer of the two balanced ones.
    cdef vector[wgt_t] right
    cdef wgt_t sum = 0, left_moves = 0, right_moves = 0
    cdef vid_t p
    balanced_prefixes(parts.load, parts.cap, True, aim)
    balanced_prefixes(parts.load, parts.cap, False, right)
    now.resize(parts.k)
    for p in range(parts.k):
        sum += parts.load[p]
        now[p] = sum
        left_moves += excess(aim[p], sum) + excess(sum, aim[p])
        right_moves += excess(right[p], sum) + excess(sum, right[p])
    if right_moves < left_moves:
        aim.swap(right)
    return 0


cdef cppclass Shifting:
    # What a shift from a part to its neighbour works with.
    vector[vector[vid_t]] members       # of each part, with those that left it
    vector[vid_t] inner                 # neighbours ahead that are in the same part
    vector[vid_t] free                  # vertices that can go now and are not queued yet


cdef int find_free(const Graph& g, const Neighbours& ahead, const vid_t* label, vid_t p, Shifting& s) except -1 nogil:
    # Members of p that none of their neighbours ahead holds back.
    cdef size_t i
    cdef vid_t v
    cdef eid_t e
    s.free.clear()
    for i in range(s.members[p].size()):
        v = s.members[p][i]
        if label[v] != p:
            continue
        s.inner[v] = 0
        for e in range(ahead.row[v], ahead.row[v + 1]):
            if label[ahead.entry[e]] == p:
                s.inner[v] += 1
        if s.inner[v] == 0 and not is_anchored(g, v):
            s.free.push_back(v)
    return 0


cdef int queue_free(const Neighbours& ahead, const Neighbours& behind, const vid_t* label, vid_t p, vid_t q,
                    Shifting& s, Workspace& ws, Rng& rng) except -1 nogil:
    # By what they gain, which is settled: all their neighbours ahead have left.
    cdef Entry entry
    cdef vid_t v
    cdef eid_t e
    while not s.free.empty():
        v = s.free.back()
        s.free.pop_back()
        entry.gain = 0
        for e in range(ahead.row[v], ahead.row[v + 1]):
            if label[ahead.entry[e]] == q:
                entry.gain += ahead.weight[e]
        for e in range(behind.row[v], behind.row[v + 1]):
            if label[behind.entry[e]] == p:
                entry.gain -= behind.weight[e]
        entry.tie = draw32(rng)
        entry.item = v
        heap_push(ws.heap[p], ws.slot_pos.data(), entry)
    return 0


cdef int shift(const Graph& g, vid_t p, vid_t q, wgt_t amount, Shifting& s, Workspace& ws, Rng& rng,
               Labelling& parts) except -1 nogil:
    # Moves about `amount` of weight from part p to the neighbouring part q = p + 1 or p - 1, cheapest vertices first.
    # A vertex can go once none of its neighbours on q's side is left in p.
    cdef vid_t* label = parts.label.data()
    cdef Neighbours ahead = look(g, q > p)
    cdef Neighbours behind = look(g, q < p)
    cdef size_t i
    cdef vid_t v, x
    cdef eid_t e
    find_free(g, ahead, label, p, s)
    while True:
        queue_free(ahead, behind, label, p, q, s, ws, rng)
        if amount <= 0 or ws.heap[p].empty():
            break
        v = ws.heap[p][0].item
        heap_remove(ws.heap[p], ws.slot_pos.data(), 0)
        # Past half its weight a last vertex overshoots more than it mends; a vertex too heavy is passed over.
        if parts.count[p] <= 1 or g.vwgt[v] - amount >= amount:
            continue
        amount -= g.vwgt[v]
        parts.load[p] -= g.vwgt[v]
        parts.load[q] += g.vwgt[v]
        parts.count[p] -= 1
        parts.count[q] += 1
        label[v] = q
        s.members[q].push_back(v)
        for e in range(behind.row[v], behind.row[v + 1]):
            x = behind.entry[e]
            if label[x] == p:
                s.inner[x] -= 1
                if s.inner[x] == 0 and not is_anchored(g, x):
                    s.free.push_back(x)
    for i in range(ws.heap[p].size()):
        ws.slot_pos[ws.heap[p][i].item] = -1
    ws.heap[p].clear()
    return 0


cdef int rebalance(const Graph& g, Workspace& ws, Rng& rng, Labelling& parts) except -1 nogil:
    # With monotone labels the last vertices of part p can always enter part p + 1 and the first ones part p - 1, so
    # with unit weights this always succeeds. Takes and leaves a measured labelling; may raise the cost.
    cdef Shifting s
    cdef vector[wgt_t] now, aim
    cdef vid_t v, p
    cdef int _attempt
    if parts.k < 2 or g.n == 0:
        return 0
    prepare(g.n, parts.k, ws)
    for _attempt in range(ATTEMPTS):
        if parts.score.over == 0:
            return 0
        choose_prefixes(parts, now, aim)
        s.members.resize(parts.k)
        for p in range(parts.k):
            s.members[p].clear()
        for v in range(g.n):
            s.members[parts.label[v]].push_back(v)
        s.inner.resize(g.n)
        # In the direction of the flow, so that what a part passes on has reached it. A shift changes only the prefix
        # it crosses.
        for p in range(parts.k - 1):
            if now[p] > aim[p]:
                shift(g, p, p + 1, now[p] - aim[p], s, ws, rng, parts)
        for p in range(parts.k - 2, -1, -1):
            if now[p] < aim[p]:
                shift(g, p + 1, p, aim[p] - now[p], s, ws, rng, parts)
        measure(g, parts)
        check_interrupt()
    return 0
