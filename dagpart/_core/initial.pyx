"""Starts for a bisection: prefixes of topological orders, repaired guides, and region growing for the guide itself."""

from libc.stdint cimport int32_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from dagpart._core.csr cimport Graph, bottom_levels, top_levels
from dagpart._core.fm cimport Workspace
from dagpart._core.base.heap cimport Entry, heap_change, heap_push, heap_remove
from dagpart._core.base.random cimport Rng, below, draw32, shuffle
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t


cdef int order_by_level(const Graph& g, bint top, vector[vid_t]& order) except -1 nogil:
    # Counting sort, stable: vertices of one level stay in id order.
    cdef vector[vid_t] level, start
    cdef vid_t v, deepest = 0
    if top:
        top_levels(g, level)
    else:
        bottom_levels(g, level)
    for v in range(g.n):
        deepest = max(deepest, level[v])
    start.assign(deepest + 2, 0)
    for v in range(g.n):
        start[level[v] + 1] += 1
    for v in range(deepest + 1):
        start[v + 1] += start[v]
    for v in range(g.n):
        order[start[level[v]]] = v
        start[level[v]] += 1
    return 0


cdef int kahn(const Graph& g, Order kind, bint backward, Rng& rng, vector[vid_t]& order) except -1 nogil:
    # Kahn's algorithm from the sources or, backward, from the sinks; `kind` says which ready vertex comes next: the
    # oldest, the newest, any, or the one that raises the cut of the prefix least.
    cdef const vector[eid_t]* ahead_x = &g.pxadj if backward else &g.xadj
    cdef const vector[vid_t]* ahead = &g.padj if backward else &g.adj
    cdef const vector[eid_t]* behind_x = &g.xadj if backward else &g.pxadj
    cdef vector[vid_t] missing, ready
    cdef vector[Entry] heap
    cdef vector[int32_t] pos
    cdef vid_t v, x, i, j
    cdef eid_t e
    cdef size_t head = 0
    missing.resize(g.n)
    order.resize(g.n)
    if kind == GREEDY:
        pos.assign(g.n, -1)
    for v in range(g.n):
        missing[v] = <vid_t>(behind_x[0][v + 1] - behind_x[0][v])
        if missing[v] == 0:
            ready.push_back(v)
    shuffle(rng, ready.data(), <vid_t>ready.size())
    if kind == GREEDY:
        for i in range(<vid_t>ready.size()):
            push_by_rise(g, ready[i], backward, heap, pos, rng)
    for i in range(g.n):
        if kind == BREADTH_FIRST:
            v = ready[head]
            head += 1
        elif kind == DEPTH_FIRST:
            v = ready.back()
            ready.pop_back()
        elif kind == GREEDY:
            v = heap[0].item
            heap_remove(heap, pos.data(), 0)
        else:
            j = below(rng, <vid_t>ready.size())
            v = ready[j]
            ready[j] = ready.back()
            ready.pop_back()
        order[i] = v
        for e in range(ahead_x[0][v], ahead_x[0][v + 1]):
            x = ahead[0][e]
            missing[x] -= 1
            if missing[x] == 0:
                if kind == GREEDY:
                    push_by_rise(g, x, backward, heap, pos, rng)
                else:
                    ready.push_back(x)
    return 0


cdef inline int push_by_rise(const Graph& g, vid_t v, bint backward, vector[Entry]& heap, vector[int32_t]& pos,
                             Rng& rng) except -1 nogil:
    cdef Entry entry
    cdef eid_t e
    cdef wgt_t rise = 0
    for e in range(g.xadj[v], g.xadj[v + 1]):
        rise += g.wgt[e]
    for e in range(g.pxadj[v], g.pxadj[v + 1]):
        rise -= g.pwgt[e]
    entry.item = v
    entry.tie = draw32(rng)
    entry.gain = rise if backward else -rise
    return heap_push(heap, pos.data(), entry)


cdef vid_t order_by_component(const Graph& g, vector[vid_t]& order) except -1 nogil:
    # Weakly connected components, the heaviest first, ids in order inside each: a prefix tears one component at most.
    # Returns the number of components.
    cdef vector[vid_t] component, stack
    cdef vector[wgt_t] weight
    cdef vector[pair[pair[wgt_t, vid_t], vid_t]] key
    cdef pair[pair[wgt_t, vid_t], vid_t] item
    cdef vid_t v, x, c = 0
    cdef eid_t e
    component.assign(g.n, -1)
    for v in range(g.n):
        if component[v] >= 0:
            continue
        weight.push_back(0)
        component[v] = c
        stack.push_back(v)
        while not stack.empty():
            x = stack.back()
            stack.pop_back()
            weight[c] += g.vwgt[x]
            for e in range(g.xadj[x], g.xadj[x + 1]):
                if component[g.adj[e]] < 0:
                    component[g.adj[e]] = c
                    stack.push_back(g.adj[e])
            for e in range(g.pxadj[x], g.pxadj[x + 1]):
                if component[g.padj[e]] < 0:
                    component[g.padj[e]] = c
                    stack.push_back(g.padj[e])
        c += 1
    order.resize(g.n)
    if c < 2:
        for v in range(g.n):
            order[v] = v
        return c
    key.resize(g.n)
    for v in range(g.n):
        item.first.first = -weight[component[v]]
        item.first.second = component[v]
        item.second = v
        key[v] = item
    sort(key.begin(), key.end())
    for v in range(g.n):
        order[v] = key[v].second
    return c


cdef int make_order(const Graph& g, Order kind, bint backward, Rng& rng, vector[vid_t]& order) except -1 nogil:
    cdef vid_t v
    order.resize(g.n)
    if kind == BY_ID:
        for v in range(g.n):
            order[v] = v
    elif kind == TOP_LEVEL:
        order_by_level(g, True, order)
    elif kind == BOTTOM_LEVEL:
        order_by_level(g, False, order)
    else:
        kahn(g, kind, backward, rng, order)
        if backward:
            for v in range(g.n // 2):
                order[v], order[g.n - 1 - v] = order[g.n - 1 - v], order[v]
    return 0


cdef wgt_t rise(const Graph& g, vid_t v, vector[vid_t]& inside) noexcept nogil:
    # What the cost of a prefix of an order rises by as v joins it; `inside` counts the pins of each net in the prefix.
    cdef wgt_t cost = 0
    cdef eid_t e
    cdef vid_t t
    if inside.empty():
        for e in range(g.xadj[v], g.xadj[v + 1]):
            cost += g.wgt[e]
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            cost -= g.pwgt[e]
        return cost
    for e in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
        t = g.nets.net[e]
        if inside[t] == 0:
            cost += g.nets.cost[t]
        inside[t] += 1
        if inside[t] == g.nets.first[t + 1] - g.nets.first[t]:
            cost -= g.nets.cost[t]
    return cost


cdef int best_prefix(const Graph& g, const vector[vid_t]& order, const vector[wgt_t]& cap,
                     vector[vid_t]& label) except -1 nogil:
    # Part 0 becomes the prefix of least cost among those within both caps; where none is, the one least beyond them.
    cdef vid_t i, v, best_at = 0
    cdef wgt_t weight = 0, cost = 0, over, best_over = 0, best_cost = 0
    cdef bint have = False
    cdef vector[vid_t] inside
    inside.assign(g.nets.cost.size(), 0)
    for i in range(g.n - 1):
        v = order[i]
        weight += g.vwgt[v]
        cost += rise(g, v, inside)
        over = max(<wgt_t>0, weight - cap[0]) + max(<wgt_t>0, g.total - weight - cap[1])
        if not have or over < best_over or (over == best_over and cost < best_cost):
            have = True
            best_over = over
            best_cost = cost
            best_at = i
        if weight > cap[0]:
            break
    label.assign(g.n, 1)
    for i in range(min(g.n, best_at + 1)):
        label[order[i]] = 0
    return 0


cdef int best_split(const Graph& g, const vector[vid_t]& order, vid_t k, const vector[wgt_t]& cap,
                    vector[vid_t]& label) except -1 nogil:
    # The best cut of an order into k non-empty runs, by least overload, then least cut: a dynamic program over
    # prefixes. Exact for the order, hence for the graph if the order lists some optimum part by part.
    # O(k n^2) time and O(k n) memory: for small graphs. Needs 1 <= k <= n.
    cdef vid_t n = g.n
    cdef vector[vid_t] place, chosen, touched
    # Best for the first i vertices in j runs: overload, and weight kept inside runs (nets: minus what the runs touch).
    cdef vector[wgt_t] over, inside
    cdef vid_t i, j, p, v, t, anchors
    cdef eid_t e
    cdef wgt_t weight, kept, o, c
    cdef size_t at, before
    place.resize(n)
    for i in range(n):
        place[order[i]] = i
    over.assign((<size_t>k + 1) * (n + 1), -1)
    inside.assign((<size_t>k + 1) * (n + 1), 0)
    chosen.assign((<size_t>k + 1) * (n + 1), -1)
    over[0] = 0
    touched.assign(g.nets.cost.size(), -1)
    for i in range(n):
        # Runs order[i], .., order[p]; prefixes of length i are final by now.
        weight = 0
        kept = 0
        anchors = 0
        for p in range(i, n):
            v = order[p]
            weight += g.vwgt[v]
            if not g.anchor.empty() and g.anchor[v]:
                anchors += 1
                if anchors > 1:
                    break
            if touched.empty():
                for e in range(g.pxadj[v], g.pxadj[v + 1]):
                    if place[g.padj[e]] >= i:
                        kept += g.pwgt[e]
            else:
                for e in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
                    t = g.nets.net[e]
                    if touched[t] < i:
                        touched[t] = i
                        kept -= g.nets.cost[t]
            for j in range(max(0, k - (n - i)), min(k, i + 1)):
                before = <size_t>j * (n + 1) + i
                if over[before] < 0:
                    continue
                o = over[before] + max(<wgt_t>0, weight - cap[j])
                c = inside[before] + kept
                at = before + (n + 1) + (p - i + 1)
                if over[at] < 0 or o < over[at] or (o == over[at] and c > inside[at]):
                    over[at] = o
                    inside[at] = c
                    chosen[at] = i
    label.assign(n, 0)
    p = n
    for j in range(k, 0, -1):
        i = chosen[<size_t>j * (n + 1) + p]
        if i < 0:
            return 1
        while p > i:
            p -= 1
            label[order[p]] = j - 1
    return 0


cdef int grow(const Graph& g, const vector[wgt_t]& cap, Workspace& ws, Rng& rng, vector[vid_t]& label) except -1 nogil:
    # Undirected greedy growing (Karypis, Kumar, SIAM J. Sci. Comput. 20(1), 1998, section 4.2): part 0 starts from a
    # random vertex and takes the one that raises the cut least until it has its share.
    cdef wgt_t target = <wgt_t>(<double>g.total * cap[0] / (<double>cap[0] + <double>cap[1]))
    cdef wgt_t weight = 0
    cdef vector[Entry] frontier
    cdef vector[int32_t] pos
    cdef vid_t v, fresh = 0
    cdef eid_t e
    cdef vector[vid_t] seeds
    label.assign(g.n, 1)
    pos.assign(g.n, -1)
    seeds.resize(g.n)
    for v in range(g.n):
        seeds[v] = v
    shuffle(rng, seeds.data(), g.n)
    while weight < target:
        if frontier.empty():
            while fresh < g.n and label[seeds[fresh]] == 0:
                fresh += 1
            if fresh == g.n:
                break
            v = seeds[fresh]
        else:
            v = frontier[0].item
            heap_remove(frontier, pos.data(), 0)
        if weight + g.vwgt[v] > cap[0]:
            if frontier.empty():
                break
            continue
        label[v] = 0
        weight += g.vwgt[v]
        for e in range(g.xadj[v], g.xadj[v + 1]):
            pull(g, g.adj[e], g.wgt[e], label, frontier, pos, rng)
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            pull(g, g.padj[e], g.pwgt[e], label, frontier, pos, rng)
    return 0


cdef inline int pull(const Graph& g, vid_t x, wgt_t w, const vector[vid_t]& label, vector[Entry]& frontier,
                     vector[int32_t]& pos, Rng& rng) except -1 nogil:
    cdef Entry entry
    cdef eid_t e
    if label[x] == 0:
        return 0
    if pos[x] >= 0:
        heap_change(frontier, pos.data(), pos[x], frontier[pos[x]].gain + 2 * w, draw32(rng))
        return 0
    entry.item = x
    entry.tie = draw32(rng)
    entry.gain = 2 * w
    for e in range(g.xadj[x], g.xadj[x + 1]):
        entry.gain -= g.wgt[e]
    for e in range(g.pxadj[x], g.pxadj[x + 1]):
        entry.gain -= g.pwgt[e]
    return heap_push(frontier, pos.data(), entry)


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
