"""Runs of a topological order: clusters that are acyclic by construction.

Edges go forward in the order, so whatever it is cut into, the runs form an acyclic graph, in O(n + m) and without a
search. Quality comes from the order: Kahn's, always extended by the ready vertex most strongly tied to the current run.
"""

from libc.math cimport sqrt
from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng, below, draw32, shuffle
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.coarsening.visiting cimport CHECK_EVERY, SIBLING_BUDGET, weight_limit
from dagpart._core.graph.csr cimport Graph, Neighbours, look

cdef enum:
    CANDIDATES = 48         # vertices a run chooses its next member among


cdef struct VisitState:
    # One cache line holds what a visit to a vertex needs.
    double tie              # to the current run
    vid_t missing           # neighbours behind that are not placed yet
    vid_t run               # -1: not placed
    vid_t[2] cursor         # entries of the two adjacency lists whose vertices are all placed


cdef inline int tie_ahead(const Neighbours& ahead, vid_t v, VisitState* state, vector[vid_t]& ready,
                          vector[vid_t]& near) except -1 nogil:
    # v was placed: what it leads to comes nearer, and may be ready now.
    cdef eid_t e
    cdef vid_t x
    cdef VisitState* sx
    for e in range(ahead.row[v], ahead.row[v + 1]):
        x = ahead.entry[e]
        sx = &state[x]
        sx.missing -= 1
        if sx.missing == 0:
            ready.push_back(x)
        # What ties a vertex that is not ready yet counts when it becomes so within this run.
        if sx.tie == 0:
            if near.size() >= CANDIDATES:
                continue
            near.push_back(x)
        sx.tie += ahead.weight[e]
    return 0


cdef inline int tie_siblings(const Neighbours& there, const Neighbours& back, int which, vid_t v, VisitState* state,
                             vector[vid_t]& near) except -1 nogil:
    # Siblings: ready vertices that share a neighbour with v, by one edge there and another back.
    cdef int budget = SIBLING_BUDGET
    cdef eid_t e, q, end
    cdef vid_t x, y
    cdef double share
    cdef VisitState* sx
    for e in range(there.row[v], there.row[v + 1]):
        y = there.entry[e]
        end = back.row[y + 1]
        q = back.row[y] + state[y].cursor[which]
        while q < end and state[back.entry[q]].run >= 0:
            q += 1
        state[y].cursor[which] = <vid_t>(q - back.row[y])
        share = 0.5 / (end - back.row[y])
        while q < end and budget > 0:
            x = back.entry[q]
            sx = &state[x]
            q += 1
            budget -= 1
            if sx.run < 0 and sx.missing == 0 and (sx.tie > 0 or near.size() < CANDIDATES):
                if sx.tie == 0:
                    near.push_back(x)
                sx.tie += share
        if budget <= 0:
            break
    return 0


cdef inline vid_t choose(const Graph& g, const vector[vid_t]& cell, vid_t current, wgt_t room,
                         const VisitState* state, const vector[vid_t]& near) noexcept nogil:
    # The ready vertex of the same cell that is tied most strongly, for its weight, and fits; -1 if there is none.
    cdef bint constrained = not cell.empty()
    cdef vid_t x, best = -1
    cdef double score, best_score = 0
    cdef size_t i
    cdef const VisitState* sx
    for i in range(near.size()):
        x = near[i]
        sx = &state[x]
        if sx.run >= 0 or sx.missing > 0 or g.vwgt[x] > room:
            continue
        if constrained and cell[x] != cell[current]:
            continue
        score = sx.tie / sqrt(<double>g.vwgt[x] + 1.0)
        if score > best_score:
            best_score = score
            best = x
    return best


cdef vid_t cluster_runs(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, const Options& opt, Rng& rng,
                        vector[vid_t]& cluster) except -1 nogil:
    # The direction of travel and the policy for the next run's first vertex are drawn at random.
    cdef bint backward = draw32(rng) & 1
    cdef bint fifo = below(rng, 3) == 0
    cdef Neighbours ahead = look(g, not backward)
    cdef Neighbours behind = look(g, backward)
    cdef wgt_t limit = weight_limit(g, max_weight, opt.shrink)
    cdef vector[VisitState] states
    cdef vector[vid_t] ready, near
    cdef VisitState* state
    cdef VisitState fresh
    cdef vid_t nc = 0, v, current, placed = 0
    cdef size_t head = 0, i
    cdef wgt_t weight
    fresh.tie = 0
    fresh.missing = 0
    fresh.run = -1
    fresh.cursor[0] = 0
    fresh.cursor[1] = 0
    states.assign(g.n, fresh)
    state = states.data()
    for v in range(g.n):
        state[v].missing = <vid_t>(behind.row[v + 1] - behind.row[v])
        if state[v].missing == 0:
            ready.push_back(v)
    shuffle(rng, ready.data(), <vid_t>ready.size())
    while placed < g.n:
        if fifo:
            v = ready[head]
            head += 1
        else:
            v = ready.back()
            ready.pop_back()
        if state[v].run >= 0:
            continue
        weight = 0
        near.clear()
        current = v
        while current >= 0:
            state[current].run = nc
            weight += g.vwgt[current]
            placed += 1
            if placed % CHECK_EVERY == 0:
                check_interrupt()
            tie_ahead(ahead, current, state, ready, near)
            if weight >= limit:
                break
            tie_siblings(behind, ahead, 0, current, state, near)
            tie_siblings(ahead, behind, 1, current, state, near)
            current = choose(g, cell, current, limit - weight, state, near)
        for i in range(near.size()):
            state[near[i]].tie = 0
        nc += 1
    cluster.resize(g.n)
    for v in range(g.n):
        cluster[v] = nc - 1 - state[v].run if backward else state[v].run
    return nc


RUNS.name = b"runs"
RUNS.cluster = cluster_runs
