"""Monotone k-way Fiduccia-Mattheyses refinement and the balancer that goes with it.

Labels are kept monotone (label[u] <= label[v] on every edge), which is the same as an acyclic quotient. A vertex then
has at most two targets that can gain: the highest label of its predecessors and the lowest of its successors. Gains
are counted in edges or, for the communication volume, in nets.
Fiduccia, Mattheyses, DAC 1982; move rules for acyclic parts after Herrmann et al., SIAM J. Sci. Comput. 41(4), 2019.
"""

from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from dagpart._core.csr cimport Graph, part_loads
from dagpart._core.base.heap cimport Entry, heap_change, heap_push, heap_remove
from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.nets cimport Occupancy, enter, leave, occupy, pins_in
from dagpart._core.base.random cimport Rng, draw32
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t

cdef enum:
    RESCAN_DEGREE = 64      # vertices of higher degree are rescanned at most RESCANS times in a pass
    RESCANS = 8
    LARGE_NET = 256         # pins; vertices of larger nets learn of a move only when they come up for one themselves
    CHECK_EVERY = 1 << 16


cdef int prepare(const Graph& g, vid_t k, Workspace& ws) except -1 nogil:
    cdef VertexState fresh
    if <vid_t>ws.state.size() < g.n:
        fresh.stamp = 0
        fresh.locked = 0
        fresh.listed = 0
        ws.state.resize(g.n, fresh)
        ws.slot_pos.resize(2 * <size_t>g.n, -1)
    if <vid_t>ws.heap.size() < k:
        ws.heap.resize(k)
        ws.ready_pos.resize(k, -1)
        ws.parked.resize(k, 0)
    if ws.epoch > 2000000000:
        for v in range(<vid_t>ws.state.size()):
            ws.state[v].stamp = 0
            ws.state[v].locked = 0
            ws.state[v].listed = 0
        ws.epoch = 0
    return 0


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


cdef inline void scan_sides(const Graph& g, const vid_t* label, vid_t v, VertexState* s) noexcept nogil:
    cdef eid_t e
    s.wlo = 0
    s.whi = 0
    for e in range(g.xadj[v], g.xadj[v + 1]):
        if label[g.adj[e]] == label[v]:
            s.wlo += g.wgt[e]
        else:
            s.whi += g.wgt[e]
    for e in range(g.pxadj[v], g.pxadj[v + 1]):
        if label[g.padj[e]] == label[v]:
            s.wlo += g.pwgt[e]
        else:
            s.whi += g.pwgt[e]


cdef inline int sync_ready(Workspace& ws, vid_t t) except -1 nogil:
    # Makes the heap of parts agree with the heap of part t.
    cdef int32_t i = ws.ready_pos[t]
    cdef Entry e
    if ws.heap[t].empty() or ws.parked[t]:
        if i >= 0:
            heap_remove(ws.ready, ws.ready_pos.data(), i)
        return 0
    e = ws.heap[t][0]
    if i < 0:
        e.item = t
        heap_push(ws.ready, ws.ready_pos.data(), e)
    elif ws.ready[i].gain != e.gain or ws.ready[i].tie != e.tie:
        heap_change(ws.ready, ws.ready_pos.data(), i, e.gain, e.tie)
    return 0


cdef inline int drop_slot(Workspace& ws, vid_t v, int up) except -1 nogil:
    cdef int32_t slot = 2 * v + up
    cdef int32_t i = ws.slot_pos[slot]
    cdef vid_t t
    if i >= 0:
        t = ws.state[v].to_down
        if up:
            t = ws.state[v].to_up
        heap_remove(ws.heap[t], ws.slot_pos.data(), i)
        sync_ready(ws, t)
    return 0


cdef inline int set_slot(Workspace& ws, vid_t v, int up, vid_t t, wgt_t gain, Rng& rng) except -1 nogil:
    cdef int32_t slot = 2 * v + up
    cdef int32_t i = ws.slot_pos[slot]
    cdef VertexState* s = &ws.state[v]
    cdef Entry e
    if i >= 0:
        if (s.to_up if up else s.to_down) == t:
            if ws.heap[t][i].gain != gain:
                heap_change(ws.heap[t], ws.slot_pos.data(), i, gain, draw32(rng))
                sync_ready(ws, t)
            return 0
        drop_slot(ws, v, up)
    if up:
        s.to_up = t
    else:
        s.to_down = t
    e.gain = gain
    e.tie = draw32(rng)
    e.item = slot
    heap_push(ws.heap[t], ws.slot_pos.data(), e)
    sync_ready(ws, t)
    return 0


cdef inline int queue(const vid_t* label, vid_t k, Rule rule, vid_t v, Workspace& ws, Rng& rng) except -1 nogil:
    # Brings v's slots in the heaps up to date with its state.
    cdef VertexState* s = &ws.state[v]
    cdef vid_t own = label[v]
    cdef wgt_t up = s.whi, down = s.wlo
    if rule == UNDIRECTED:
        if up > 0:
            set_slot(ws, v, 1, 1 - own, up - down, rng)
        else:
            drop_slot(ws, v, 1)
        return 0
    if rule == CUT:
        if s.lo == own:
            up -= s.wlo
        if s.hi == own:
            down -= s.whi
    if own < s.hi < k:
        set_slot(ws, v, 1, s.hi, up, rng)
    else:
        drop_slot(ws, v, 1)
    if 0 <= s.lo < own:
        set_slot(ws, v, 0, s.lo, down, rng)
    else:
        drop_slot(ws, v, 0)
    return 0


cdef inline void weigh_nets(const Graph& g, vid_t k, vid_t own, const Occupancy& occupancy, vid_t v,
                            VertexState* s) noexcept nogil:
    # What moving v to its two targets gains.
    cdef eid_t i
    cdef vid_t e
    cdef wgt_t c
    s.wlo = 0
    s.whi = 0
    for i in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
        e = g.nets.net[i]
        c = g.nets.cost[e]
        if pins_in(occupancy, e, own) == 1:
            s.wlo += c
            s.whi += c
        if 0 <= s.lo < own and pins_in(occupancy, e, s.lo) == 0:
            s.wlo -= c
        if own < s.hi < k and pins_in(occupancy, e, s.hi) == 0:
            s.whi -= c


cdef inline void scan(const Graph& g, const vid_t* label, vid_t k, Rule rule, vid_t v, Workspace& ws) noexcept nogil:
    # v's state, from nothing.
    cdef VertexState* s = &ws.state[v]
    if rule == UNDIRECTED:
        scan_sides(g, label, v, s)
        return
    scan_predecessors(g, label, v, s)
    scan_successors(g, label, k, v, s)
    if rule == VOLUME:
        weigh_nets(g, k, label[v], ws.occupancy, v, s)


cdef inline int touch(const Graph& g, const vid_t* label, vid_t k, Rule rule, vid_t v, Workspace& ws) except -1 nogil:
    # The pass's first look at v.
    ws.state[v].stamp = ws.epoch
    ws.state[v].rescans = 0
    ws.touched.push_back(v)
    scan(g, label, k, rule, v, ws)
    return 0


cdef inline bint may_rescan(VertexState* s, eid_t degree) noexcept nogil:
    # A hub rescanned each time its extreme label changes could cost degree^2; past a few rescans it sits out the pass.
    if degree <= RESCAN_DEGREE:
        return True
    s.rescans += 1
    return s.rescans <= RESCANS


cdef inline int retire(Workspace& ws, vid_t v) except -1 nogil:
    ws.state[v].locked = ws.epoch
    drop_slot(ws, v, 0)
    drop_slot(ws, v, 1)
    return 0


cdef inline int follow(const Graph& g, const vid_t* label, vid_t k, Rule rule, vid_t x, bint above, wgt_t w, vid_t a,
                       vid_t b, Workspace& ws, Rng& rng) except -1 nogil:
    # A neighbour of x, joined by an edge of weight w, has moved from part a to part b; it stands behind x, or above.
    cdef VertexState* s = &ws.state[x]
    cdef bint changed
    if s.locked == ws.epoch:
        return 0
    if s.stamp != ws.epoch:
        touch(g, label, k, rule, x, ws)
    elif rule == UNDIRECTED:
        if label[x] == b:
            w = -w
        s.wlo -= w
        s.whi += w
    else:
        if rule == VOLUME:
            w = 0
        if above:
            changed = b < s.hi
            if changed:
                s.hi = b
                s.chi = 1
                s.whi = w
            else:
                if b == s.hi:
                    s.chi += 1
                    s.whi += w
                if a == s.hi:
                    s.chi -= 1
                    s.whi -= w
                    if s.chi == 0:
                        if not may_rescan(s, g.xadj[x + 1] - g.xadj[x]):
                            return retire(ws, x)
                        scan_successors(g, label, k, x, s)
                        changed = True
        else:
            changed = b > s.lo
            if changed:
                s.lo = b
                s.clo = 1
                s.wlo = w
            else:
                if b == s.lo:
                    s.clo += 1
                    s.wlo += w
                if a == s.lo:
                    s.clo -= 1
                    s.wlo -= w
                    if s.clo == 0:
                        if not may_rescan(s, g.pxadj[x + 1] - g.pxadj[x]):
                            return retire(ws, x)
                        scan_predecessors(g, label, x, s)
                        changed = True
        if changed and rule == VOLUME:
            if not may_rescan(s, g.nets.xnet[x + 1] - g.nets.xnet[x]):
                return retire(ws, x)
            weigh_nets(g, k, label[x], ws.occupancy, x, s)
    return queue(label, k, rule, x, ws, rng)


cdef int update_neighbours(const Graph& g, const vid_t* label, vid_t k, Rule rule, vid_t v, vid_t a, vid_t b,
                           Workspace& ws, Rng& rng) except -1 nogil:
    # v has just moved from part a to part b.
    cdef eid_t e
    for e in range(g.xadj[v], g.xadj[v + 1]):
        follow(g, label, k, rule, g.adj[e], False, g.wgt[e], a, b, ws, rng)
    for e in range(g.pxadj[v], g.pxadj[v + 1]):
        follow(g, label, k, rule, g.padj[e], True, g.pwgt[e], a, b, ws, rng)
    return 0


cdef int update_nets(const Graph& g, const vid_t* label, vid_t k, vid_t v, vid_t a, vid_t b, Workspace& ws,
                     Rng& rng) except -1 nogil:
    # v has just moved from part a to part b; its nets follow, and with them the gains of their other pins, where the
    # number of pins in a or b came near zero.
    cdef eid_t i, j
    cdef vid_t e, x, left, come
    cdef wgt_t c
    cdef VertexState* s
    for i in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
        e = g.nets.net[i]
        leave(ws.occupancy, e, a)
        enter(ws.occupancy, e, b)
        left = pins_in(ws.occupancy, e, a)
        come = pins_in(ws.occupancy, e, b)
        if (left > 1 and come > 2) or g.nets.first[e + 1] - g.nets.first[e] > LARGE_NET:
            continue
        c = g.nets.cost[e]
        for j in range(g.nets.first[e], g.nets.first[e + 1]):
            x = g.nets.pin[j]
            s = &ws.state[x]
            if s.stamp != ws.epoch or s.locked == ws.epoch:
                continue
            if left == 0:
                if s.lo == a:
                    s.wlo -= c
                if s.hi == a:
                    s.whi -= c
            elif left == 1 and label[x] == a:
                s.wlo += c
                s.whi += c
            if come == 1:
                if s.lo == b:
                    s.wlo += c
                if s.hi == b:
                    s.whi += c
            elif come == 2 and label[x] == b:
                s.wlo -= c
                s.whi -= c
            queue(label, k, VOLUME, x, ws, rng)
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


cdef inline wgt_t excess(wgt_t load, wgt_t cap) noexcept nogil:
    return load - cap if load > cap else 0


cdef wgt_t one_pass(const Graph& g, vid_t* label, vid_t k, const vector[wgt_t]& cap, const FmOptions& opt,
                    Workspace& ws, wgt_t* over, Rng& rng) except? -1 nogil:
    # One FM pass from ws.boundary; returns the gain kept and updates *over. Leaves every heap empty.
    cdef vid_t v, a, b, since = 0, limit
    cdef int32_t slot
    cdef size_t i, best_len = 0
    cdef eid_t e
    cdef wgt_t gain = 0, best = 0, now = over[0], best_over = over[0], w, before, room
    cdef wgt_t mean = g.total // g.n + 1
    cdef Entry top
    limit = <vid_t>(opt.stop_fraction * g.n)
    limit = min(max(limit, opt.stop_min), opt.stop_max)
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
        touch(g, label, k, opt.rule, v, ws)
        queue(label, k, opt.rule, v, ws, rng)
    while not ws.ready.empty():
        b = ws.ready[0].item
        top = ws.heap[b][0]
        slot = top.item
        v = slot >> 1
        a = label[v]
        w = g.vwgt[v]
        room = cap[b] + opt.slack - ws.load[b]
        if w > room and not (ws.load[a] > cap[a] and w - (cap[b] - ws.load[b]) < ws.load[a] - cap[a]):
            if room < mean:
                ws.parked[b] = 1
                sync_ready(ws, b)
            else:
                drop_slot(ws, v, slot & 1)
            continue
        if ws.count[a] == 1:
            drop_slot(ws, v, slot & 1)
            continue
        if opt.rule == VOLUME:
            # Large nets did not tell.
            weigh_nets(g, k, a, ws.occupancy, v, &ws.state[v])
            queue(label, k, VOLUME, v, ws, rng)
            if ws.slot_pos[slot] < 0 or ws.heap[b][ws.slot_pos[slot]].gain != top.gain:
                continue
        retire(ws, v)
        before = excess(ws.load[a], cap[a]) + excess(ws.load[b], cap[b])
        ws.load[a] -= w
        ws.load[b] += w
        now += excess(ws.load[a], cap[a]) + excess(ws.load[b], cap[b]) - before
        ws.count[a] -= 1
        ws.count[b] += 1
        label[v] = b
        ws.moved.push_back(v)
        ws.origin.push_back(a)
        if opt.rule == VOLUME:
            update_nets(g, label, k, v, a, b, ws, rng)
        if ws.parked[a]:
            ws.parked[a] = 0
            sync_ready(ws, a)
        gain += top.gain
        since += 1
        if now < best_over or (now == best_over and gain > best):
            best_over = now
            best = gain
            best_len = ws.moved.size()
            since = 0
        elif since > limit:
            break
        update_neighbours(g, label, k, opt.rule, v, a, b, ws, rng)
        if (ws.moved.size() & (CHECK_EVERY - 1)) == 0:
            check_interrupt()
    i = ws.moved.size()
    while i > best_len:
        i -= 1
        v = ws.moved[i]
        b = label[v]
        a = ws.origin[i]
        label[v] = a
        ws.load[b] -= g.vwgt[v]
        ws.load[a] += g.vwgt[v]
        ws.count[b] -= 1
        ws.count[a] += 1
        if opt.rule == VOLUME:
            for e in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
                leave(ws.occupancy, g.nets.net[e], b)
                enter(ws.occupancy, g.nets.net[e], a)
    for i in range(ws.touched.size()):
        ws.slot_pos[2 * ws.touched[i]] = -1
        ws.slot_pos[2 * ws.touched[i] + 1] = -1
    for b in range(k):
        ws.heap[b].clear()
        ws.ready_pos[b] = -1
        ws.parked[b] = 0
    ws.ready.clear()
    over[0] = best_over
    return best


cdef inline int list_boundary(Workspace& ws, vid_t v) except -1 nogil:
    if ws.state[v].listed != ws.epoch:
        ws.state[v].listed = ws.epoch
        ws.boundary.push_back(v)
    return 0


cdef int refine(const Graph& g, vector[vid_t]& label, vid_t k, const vector[wgt_t]& cap, const FmOptions& opt,
                Workspace& ws, Rng& rng) except -1 nogil:
    # FM passes until one gains nothing. Never raises (overload, cost), which ends up in ws.score; labels stay monotone.
    cdef wgt_t over = 0, was, gain, cost = 0
    cdef vid_t v, own
    cdef eid_t e
    cdef size_t i
    cdef int p, _pass
    prepare(g, k, ws)
    ws.load.assign(k, 0)
    ws.count.assign(k, 0)
    ws.boundary.clear()
    ws.epoch += 1
    for v in range(g.n):
        own = label[v]
        ws.load[own] += g.vwgt[v]
        ws.count[own] += 1
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if label[g.adj[e]] != own:
                cost += g.wgt[e]
                list_boundary(ws, v)
                list_boundary(ws, g.adj[e])
    if opt.rule == VOLUME:
        cost = occupy(g.nets, label, k, ws.occupancy)
    for p in range(k):
        over += excess(ws.load[p], cap[p])
    if k > 1:
        for _pass in range(opt.passes):
            check_interrupt()
            was = over
            gain = one_pass(g, label.data(), k, cap, opt, ws, &over, rng)
            cost -= gain
            if over == was and gain <= 0:
                break
            # Only what the pass looked at can have changed.
            ws.boundary.clear()
            for i in range(ws.touched.size()):
                v = ws.touched[i]
                if on_boundary(g, label.data(), v):
                    ws.boundary.push_back(v)
    ws.score.over = over
    ws.score.cost = cost
    return 0


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


cdef int shift(const Graph& g, vid_t* label, const vector[vid_t]& members, vid_t p, vid_t q, wgt_t amount,
               Workspace& ws, vector[vid_t]& inner, vector[vid_t]& gained, Rng& rng) except -1 nogil:
    # Moves about `amount` of weight from part p to the neighbouring part q = p + 1 or p - 1, cheapest vertices first.
    # A vertex can go once none of its neighbours on q's side is left in p; its gain is then fixed.
    cdef bint up = q > p
    cdef bint anchored = not g.anchor.empty()
    cdef const vector[eid_t]* ahead_x = &g.xadj if up else &g.pxadj
    cdef const vector[vid_t]* ahead = &g.adj if up else &g.padj
    cdef const vector[wgt_t]* ahead_w = &g.wgt if up else &g.pwgt
    cdef const vector[eid_t]* behind_x = &g.pxadj if up else &g.xadj
    cdef const vector[vid_t]* behind = &g.padj if up else &g.adj
    cdef const vector[wgt_t]* behind_w = &g.pwgt if up else &g.wgt
    cdef vector[Entry]* heap = &ws.heap[p]
    cdef size_t i
    cdef vid_t v, x
    cdef eid_t e
    cdef Entry entry
    cdef vector[vid_t] work
    for i in range(members.size()):
        v = members[i]
        if label[v] != p:
            continue
        inner[v] = 0
        for e in range(ahead_x[0][v], ahead_x[0][v + 1]):
            if label[ahead[0][e]] == p:
                inner[v] += 1
        if inner[v] == 0 and not (anchored and g.anchor[v]):
            work.push_back(v)
    while True:
        while not work.empty():
            v = work.back()
            work.pop_back()
            entry.gain = 0
            for e in range(ahead_x[0][v], ahead_x[0][v + 1]):
                if label[ahead[0][e]] == q:
                    entry.gain += ahead_w[0][e]
            for e in range(behind_x[0][v], behind_x[0][v + 1]):
                if label[behind[0][e]] == p:
                    entry.gain -= behind_w[0][e]
            entry.tie = draw32(rng)
            entry.item = v
            heap_push(heap[0], ws.slot_pos.data(), entry)
        if amount <= 0 or heap.empty():
            break
        v = heap[0][0].item
        heap_remove(heap[0], ws.slot_pos.data(), 0)
        # Past half its weight a last vertex overshoots more than it mends; a vertex too heavy is passed over.
        if ws.count[p] <= 1 or g.vwgt[v] - amount >= amount:
            continue
        amount -= g.vwgt[v]
        ws.load[p] -= g.vwgt[v]
        ws.load[q] += g.vwgt[v]
        ws.count[p] -= 1
        ws.count[q] += 1
        label[v] = q
        gained.push_back(v)
        for e in range(behind_x[0][v], behind_x[0][v + 1]):
            x = behind[0][e]
            if label[x] == p:
                inner[x] -= 1
                if inner[x] == 0 and not (anchored and g.anchor[x]):
                    work.push_back(x)
    for i in range(heap.size()):
        ws.slot_pos[heap[0][i].item] = -1
    heap.clear()
    return 0


cdef int rebalance(const Graph& g, vector[vid_t]& label, vid_t k, const vector[wgt_t]& cap, Workspace& ws,
                   Rng& rng) except -1 nogil:
    # Carries overload along the line of parts to where there is room. With monotone labels the last vertices of part
    # p can always enter part p + 1 and the first ones part p - 1, so with unit weights this always succeeds.
    cdef vector[wgt_t] left, right, now_at
    cdef vector[vector[vid_t]] members
    cdef vector[vid_t] inner
    cdef vid_t v, p
    cdef int _attempt
    cdef wgt_t cost_left = 0, cost_right = 0, now, total
    if k < 2 or g.n == 0:
        return 0
    prepare(g, k, ws)
    for _attempt in range(3):
        part_loads(g, label, k, ws.load)
        total = 0
        for p in range(k):
            total += excess(ws.load[p], cap[p])
        if total == 0:
            return 0
        balanced_prefixes(ws.load, cap, True, left)
        balanced_prefixes(ws.load, cap, False, right)
        now = 0
        now_at.resize(k)
        cost_left = 0
        cost_right = 0
        for p in range(k):
            now += ws.load[p]
            now_at[p] = now
            cost_left += excess(left[p], now) + excess(now, left[p])
            cost_right += excess(right[p], now) + excess(now, right[p])
        if cost_right < cost_left:
            left.swap(right)
        members.resize(k)
        for p in range(k):
            members[p].clear()
        ws.count.assign(k, 0)
        for v in range(g.n):
            members[label[v]].push_back(v)
            ws.count[label[v]] += 1
        inner.resize(g.n)
        # In the direction of the flow, so that what a part passes on has reached it. A shift changes only the prefix
        # it crosses.
        for p in range(k - 1):
            if now_at[p] > left[p]:
                shift(g, label.data(), members[p], p, p + 1, now_at[p] - left[p], ws, inner, members[p + 1], rng)
        for p in range(k - 2, -1, -1):
            if now_at[p] < left[p]:
                shift(g, label.data(), members[p + 1], p + 1, p, left[p] - now_at[p], ws, inner, members[p], rng)
        check_interrupt()
    return 0
