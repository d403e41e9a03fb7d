"""Topological orders to cut: by levels, by Kahn's algorithm under several policies, by component, as given."""

from libc.stdint cimport int32_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from dagpart._core.base.counting cimport bucket_sort
from dagpart._core.base.heap cimport Entry, heap_push, heap_remove
from dagpart._core.base.random cimport Rng, below, draw32, shuffle
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph, bottom_levels, top_levels
from dagpart._core.graph.objectives cimport rise_by_edges


cdef int order_by_level(const Graph& g, bint top, vector[vid_t]& order) except -1 nogil:
    # Stable: vertices of one level stay in id order.
    cdef vector[vid_t] level, start
    cdef vid_t v, deepest = 0
    if top:
        top_levels(g, level)
    else:
        bottom_levels(g, level)
    for v in range(g.n):
        deepest = max(deepest, level[v])
    return bucket_sort(level.data(), g.n, deepest + 1, start, order)


cdef inline int push_by_rise(const Graph& g, vid_t v, bint backward, vector[Entry]& heap, vector[int32_t]& pos,
                             Rng& rng) except -1 nogil:
    cdef Entry entry
    cdef wgt_t rise = rise_by_edges(g, v)
    entry.item = v
    entry.tie = draw32(rng)
    entry.gain = rise if backward else -rise
    return heap_push(heap, pos.data(), entry)


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


cdef vid_t find_components(const Graph& g, vector[vid_t]& component, vector[wgt_t]& weight) except -1 nogil:
    # Weakly connected components, numbered by their lowest vertex; returns how many there are.
    cdef vector[vid_t] stack
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
    return c


cdef vid_t order_by_component(const Graph& g, vector[vid_t]& order) except -1 nogil:
    # The heaviest component first, ids in order inside each: a prefix tears one component at most. Returns the number
    # of components; of a single one the order is not made.
    cdef vector[vid_t] component
    cdef vector[wgt_t] weight
    cdef vector[pair[pair[wgt_t, vid_t], vid_t]] key
    cdef pair[pair[wgt_t, vid_t], vid_t] item
    cdef vid_t v, count = find_components(g, component, weight)
    if count < 2:
        return count
    key.resize(g.n)
    order.resize(g.n)
    for v in range(g.n):
        item.first.first = -weight[component[v]]
        item.first.second = component[v]
        item.second = v
        key[v] = item
    sort(key.begin(), key.end())
    for v in range(g.n):
        order[v] = key[v].second
    return count


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


cdef int given_order(const Graph& g, vector[vid_t]& order) except -1 nogil:
    # The order the vertices came in, each source moved to just before its first use.
    cdef vector[pair[vid_t, vid_t]] key
    cdef pair[vid_t, vid_t] item
    cdef vid_t v
    cdef eid_t e
    key.resize(g.n)
    for v in range(g.n):
        item.first = v
        item.second = v
        if g.pxadj[v] == g.pxadj[v + 1] and g.xadj[v] < g.xadj[v + 1]:
            item.first = g.adj[g.xadj[v]]
            for e in range(g.xadj[v], g.xadj[v + 1]):
                item.first = min(item.first, g.adj[e])
            # Ids are below the first use, so sources sort before it.
        key[v] = item
    sort(key.begin(), key.end())
    order.resize(g.n)
    for v in range(g.n):
        order[v] = key[v].second
    return 0
