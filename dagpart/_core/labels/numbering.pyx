"""The numbers of the parts: a random topological order of the quotient, and no part left empty."""

from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from dagpart._core.base.counting cimport bucket_sort
from dagpart._core.base.random cimport Rng, below
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling, excess, measure


cdef int list_quotient(const Graph& g, const Labelling& parts, vector[eid_t]& first, vector[vid_t]& heads,
                       vector[vid_t]& missing) except -1 nogil:
    # Successors of each part, each once, and how many predecessors it has.
    cdef vector[vid_t] at, members, seen
    cdef vid_t a, b, i, v
    cdef eid_t e
    bucket_sort(parts.label.data(), g.n, parts.k, at, members)
    seen.assign(parts.k, -1)
    missing.assign(parts.k, 0)
    first.resize(parts.k + 1)
    for a in range(parts.k):
        first[a] = <eid_t>heads.size()
        seen[a] = a
        for i in range(at[a], at[a + 1]):
            v = members[i]
            for e in range(g.xadj[v], g.xadj[v + 1]):
                b = parts.label[g.adj[e]]
                if seen[b] != a:
                    seen[b] = a
                    heads.push_back(b)
                    missing[b] += 1
    first[parts.k] = <eid_t>heads.size()
    return 0


cdef int renumber(const Graph& g, Rng& rng, Labelling& parts) except -1 nogil:
    # Draws a new topological order of the quotient: moves that the old numbering forbade open up.
    cdef vector[vid_t] heads, missing, ready, number, count
    cdef vector[wgt_t] load
    cdef vector[eid_t] first
    cdef vid_t v, a, j, at = 0
    cdef eid_t e
    list_quotient(g, parts, first, heads, missing)
    for a in range(parts.k):
        if missing[a] == 0:
            ready.push_back(a)
    number.assign(parts.k, -1)
    while not ready.empty():
        j = below(rng, <vid_t>ready.size())
        a = ready[j]
        ready[j] = ready.back()
        ready.pop_back()
        number[a] = at
        at += 1
        for e in range(first[a], first[a + 1]):
            missing[heads[e]] -= 1
            if missing[heads[e]] == 0:
                ready.push_back(heads[e])
    for v in range(g.n):
        parts.label[v] = number[parts.label[v]]
    load = parts.load
    count = parts.count
    parts.score.over = 0
    for a in range(parts.k):
        parts.load[number[a]] = load[a]
        parts.count[number[a]] = count[a]
        parts.score.over += excess(load[a], parts.cap[number[a]])
    return 0


cdef int pick_outermost(const Graph& g, const Labelling& parts, vector[vid_t]& pick, vector[wgt_t]& cost,
                        vector[char]& after) except -1 nogil:
    # For each part of two or more vertices the one that is cheapest to set free, among those without predecessors or
    # without successors in the part; -1 where there is none. `after`: it will stand behind its part.
    cdef vid_t v, p
    cdef eid_t e
    cdef wgt_t from_inside, to_inside
    cdef int before, behind
    pick.assign(parts.k, -1)
    cost.assign(parts.k, 0)
    after.assign(parts.k, 0)
    for v in range(g.n):
        p = parts.label[v]
        if parts.count[p] < 2:
            continue
        from_inside = 0
        to_inside = 0
        before = 0
        behind = 0
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            if parts.label[g.padj[e]] == p:
                from_inside += g.pwgt[e]
                before += 1
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if parts.label[g.adj[e]] == p:
                to_inside += g.wgt[e]
                behind += 1
        if before and behind:
            continue
        if pick[p] < 0 or from_inside + to_inside < cost[p]:
            pick[p] = v
            cost[p] = from_inside + to_inside
            after[p] = behind == 0
    return 0


cdef int fill_empty(const Graph& g, Labelling& parts) except -1 nogil:
    # Gives each empty part a vertex: one without predecessors in its part becomes a part of its own just before that
    # part, one without successors there just after. The cheapest such vertices are taken, one from a part in a round.
    # Ends measured.
    cdef vector[vid_t] pick, moved_to, own
    cdef vector[wgt_t] cost
    cdef vector[char] after
    cdef vector[pair[wgt_t, vid_t]] cheapest
    cdef pair[wgt_t, vid_t] item
    cdef vid_t v, p, empty, at
    cdef size_t i
    while True:
        measure(g, parts)
        empty = 0
        for p in range(parts.k):
            empty += parts.count[p] == 0
        if empty == 0:
            return 0
        pick_outermost(g, parts, pick, cost, after)
        cheapest.clear()
        for p in range(parts.k):
            if pick[p] >= 0:
                item.first = cost[p]
                item.second = p
                cheapest.push_back(item)
        if cheapest.empty():
            return 0
        sort(cheapest.begin(), cheapest.end())
        for i in range(empty, cheapest.size()):
            pick[cheapest[i].second] = -1
        # New numbers: parts keep their order, each picked vertex stands beside its old part, empty parts vanish
        # (those still missing go to the end and are filled in the next round).
        own.assign(parts.k, -1)
        moved_to.assign(parts.k, -1)
        at = 0
        for p in range(parts.k):
            if parts.count[p] == 0:
                continue
            if pick[p] >= 0 and not after[p]:
                moved_to[p] = at
                at += 1
            own[p] = at
            at += 1
            if pick[p] >= 0 and after[p]:
                moved_to[p] = at
                at += 1
        for v in range(g.n):
            p = parts.label[v]
            if pick[p] == v:
                parts.label[v] = moved_to[p]
            else:
                parts.label[v] = own[p]


cdef int measure_filled(const Graph& g, bint allow_empty, Labelling& parts) except -1 nogil:
    # Measures; parts that must not be empty get a vertex.
    if allow_empty:
        return measure(g, parts)
    return fill_empty(g, parts)
