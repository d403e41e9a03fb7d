"""The numbers of the parts: a random topological order of the quotient, and no part left empty."""

from libcpp.vector cimport vector

from dagpart._core.csr cimport Graph
from dagpart._core.base.random cimport Rng, below
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t


cdef int renumber(const Graph& g, vid_t k, Rng& rng, vector[vid_t]& label) except -1 nogil:
    # Draws a new topological order of the quotient: moves that the old numbering forbade open up.
    cdef vector[vid_t] first, members, seen, heads, new
    cdef vector[vid_t] missing, ready
    cdef vector[eid_t] qx
    cdef vid_t v, a, b, i, j, at = 0
    cdef eid_t e
    first.assign(k + 1, 0)
    members.resize(g.n)
    for v in range(g.n):
        first[label[v] + 1] += 1
    for a in range(k):
        first[a + 1] += first[a]
    for v in range(g.n):
        members[first[label[v]]] = v
        first[label[v]] += 1
    for a in range(k, 0, -1):
        first[a] = first[a - 1]
    first[0] = 0
    seen.assign(k, -1)
    missing.assign(k, 0)
    qx.resize(k + 1)
    for a in range(k):
        qx[a] = <eid_t>heads.size()
        seen[a] = a
        for i in range(first[a], first[a + 1]):
            v = members[i]
            for e in range(g.xadj[v], g.xadj[v + 1]):
                b = label[g.adj[e]]
                if seen[b] != a:
                    seen[b] = a
                    heads.push_back(b)
                    missing[b] += 1
    qx[k] = <eid_t>heads.size()
    for a in range(k):
        if missing[a] == 0:
            ready.push_back(a)
    new.assign(k, -1)
    while not ready.empty():
        j = below(rng, <vid_t>ready.size())
        a = ready[j]
        ready[j] = ready.back()
        ready.pop_back()
        new[a] = at
        at += 1
        for e in range(qx[a], qx[a + 1]):
            missing[heads[e]] -= 1
            if missing[heads[e]] == 0:
                ready.push_back(heads[e])
    for v in range(g.n):
        label[v] = new[label[v]]
    return 0


cdef int fill_empty(const Graph& g, vid_t k, vector[vid_t]& label) except -1 nogil:
    # Gives each empty part a vertex: one without predecessors in its part becomes a part of its own just before that
    # part, one without successors there just after. The cheapest such vertices are taken, one from a part in a round.
    cdef vector[vid_t] count, order, where
    cdef vector[wgt_t] cost
    cdef vector[vid_t] pick
    cdef vector[char] after
    cdef vid_t v, p, empties, at
    cdef eid_t e
    cdef wgt_t inside_in, inside_out, c
    cdef bint up
    cdef int n_in, n_out
    while True:
        count.assign(k, 0)
        for v in range(g.n):
            count[label[v]] += 1
        empties = 0
        for p in range(k):
            empties += count[p] == 0
        if empties == 0:
            return 0
        pick.assign(k, -1)
        cost.assign(k, 0)
        after.assign(k, 0)
        for v in range(g.n):
            p = label[v]
            if count[p] < 2:
                continue
            inside_in = 0
            inside_out = 0
            n_in = 0
            n_out = 0
            for e in range(g.pxadj[v], g.pxadj[v + 1]):
                if label[g.padj[e]] == p:
                    inside_in += g.pwgt[e]
                    n_in += 1
            for e in range(g.xadj[v], g.xadj[v + 1]):
                if label[g.adj[e]] == p:
                    inside_out += g.wgt[e]
                    n_out += 1
            if n_in and n_out:
                continue
            up = n_in > 0 or (n_out == 0 and n_in == 0)
            c = inside_in + inside_out
            if pick[p] < 0 or c < cost[p]:
                pick[p] = v
                cost[p] = c
                after[p] = up
        # Cheapest parts first: a selection by repeated halving is not worth it, k is small beside n.
        order.clear()
        for p in range(k):
            if pick[p] >= 0:
                order.push_back(p)
        if order.empty():
            return 0
        sort_by_cost(order, cost)
        for at in range(min(empties, <vid_t>order.size()), <vid_t>order.size()):
            pick[order[at]] = -1
        # New numbers: parts keep their order, each picked vertex stands beside its old part, empty parts vanish
        # (those still missing go to the end and are filled in the next round).
        where.assign(k, -1)
        at = 0
        for p in range(k):
            if count[p] == 0:
                continue
            if pick[p] >= 0 and not after[p]:
                cost[p] = at
                at += 1
            where[p] = at
            at += 1
            if pick[p] >= 0 and after[p]:
                cost[p] = at
                at += 1
        for v in range(g.n):
            p = label[v]
            if pick[p] == v:
                label[v] = <vid_t>cost[p]
            else:
                label[v] = where[p]


cdef int sort_by_cost(vector[vid_t]& order, const vector[wgt_t]& cost) except -1 nogil:
    # Heap sort, ascending; ties by part number.
    cdef size_t n = order.size(), i
    cdef vid_t t
    for i in range(n // 2, 0, -1):
        sink(order, cost, i - 1, n)
    for i in range(n, 1, -1):
        t = order[0]
        order[0] = order[i - 1]
        order[i - 1] = t
        sink(order, cost, 0, i - 1)
    return 0


cdef inline bint dearer(const vector[wgt_t]& cost, vid_t a, vid_t b) noexcept nogil:
    return cost[a] > cost[b] or (cost[a] == cost[b] and a > b)


cdef inline void sink(vector[vid_t]& order, const vector[wgt_t]& cost, size_t root, size_t n) noexcept nogil:
    cdef vid_t t = order[root]
    cdef size_t child = 2 * root + 1
    while child < n:
        if child + 1 < n and dearer(cost, order[child + 1], order[child]):
            child += 1
        if not dearer(cost, order[child], t):
            break
        order[root] = order[child]
        root = child
        child = 2 * root + 1
    order[root] = t
