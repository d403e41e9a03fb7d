"""Pairs within a level and over two neighbouring levels.

Levels are longest distances from the sources, or from the sinks. Only pairs over the same two levels can close a cycle;
each gets a rank such that every edge between two of them rises in rank, and a pair that fits no rank is not made.
Clustering of neighbouring levels: Herrmann et al., SIAM J. Sci. Comput. 41(4), 2019, section 4.1.
"""

from libc.math cimport sqrt
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng, draw32
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.coarsening.visiting cimport CHECK_EVERY, SCAN_LIMIT, SIBLING_BUDGET, visiting_order
from dagpart._core.graph.csr cimport Graph, Neighbours, bottom_levels, look, top_levels

cdef enum Kind:
    SINGLE, LOWER, UPPER, SIBLING   # alone; lower and upper end of a pair over two levels; one of two of one level


cdef struct Candidate:
    # A partner for the vertex at hand.
    vid_t mate                      # -1: none
    double score
    Kind kind                       # LOWER: a pair over two levels, SIBLING: of one
    double rank


cdef cppclass Pairing:
    vector[vid_t] level, mate
    vector[char] kind
    vector[double] rank


cdef bint find_rank(const Graph& g, const Pairing& pairs, vid_t a, vid_t b, double* rank) noexcept nogil:
    # A rank for the pair of a and b, one level above: below those of the pairs that a leads to, above those of the
    # pairs that lead to b. Whether there is one.
    cdef bint has_after = False, has_before = False
    cdef double lowest = 0, highest = 0
    cdef vid_t y
    cdef eid_t q
    for q in range(g.xadj[a], g.xadj[a + 1]):
        y = g.adj[q]
        if y != b and pairs.kind[y] == UPPER and pairs.level[y] == pairs.level[b]:
            if not has_after or pairs.rank[y] < lowest:
                lowest = pairs.rank[y]
            has_after = True
    for q in range(g.pxadj[b], g.pxadj[b + 1]):
        y = g.padj[q]
        if y != a and pairs.kind[y] == LOWER and pairs.level[y] == pairs.level[a]:
            if not has_before or pairs.rank[y] > highest:
                highest = pairs.rank[y]
            has_before = True
    if has_after and has_before:
        rank[0] = 0.5 * (lowest + highest)
        return highest < rank[0] < lowest
    if has_after:
        rank[0] = lowest - 1
    elif has_before:
        rank[0] = highest + 1
    else:
        rank[0] = 0
    return True


cdef int seek_over_levels(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, const Pairing& pairs, vid_t u,
                          bint backward, Candidate& best) noexcept nogil:
    # Neighbours of u in one direction that are one level away.
    cdef Neighbours there = look(g, not backward)
    cdef bint constrained = not cell.empty()
    cdef vid_t x, a, b
    cdef eid_t e
    cdef double score, rank
    for e in range(there.row[u], min(there.row[u + 1], there.row[u] + SCAN_LIMIT)):
        x = there.entry[e]
        a = x if backward else u
        b = u if backward else x
        if pairs.mate[x] >= 0 or pairs.level[b] != pairs.level[a] + 1 or g.vwgt[a] + g.vwgt[b] > max_weight:
            continue
        if constrained and cell[a] != cell[b]:
            continue
        score = there.weight[e] / sqrt(<double>g.vwgt[x] + 1.0)
        if score <= best.score:
            continue
        if g.xadj[a + 1] - g.xadj[a] > SCAN_LIMIT or g.pxadj[b + 1] - g.pxadj[b] > SCAN_LIMIT:
            continue
        if find_rank(g, pairs, a, b, &rank):
            best.score = score
            best.mate = x
            best.kind = LOWER
            best.rank = rank
    return 0


cdef int seek_siblings(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, const Pairing& pairs, vid_t u,
                       bint backward, Candidate& best) noexcept nogil:
    # Vertices of u's level that share a neighbour with it, which u has in one direction.
    cdef Neighbours there = look(g, not backward)
    cdef Neighbours back = look(g, backward)
    cdef bint constrained = not cell.empty()
    cdef int budget = 8 * SIBLING_BUDGET
    cdef vid_t x, y
    cdef eid_t e, q
    cdef double score
    for e in range(there.row[u], there.row[u + 1]):
        x = there.entry[e]
        for q in range(back.row[x], back.row[x + 1]):
            budget -= 1
            if budget < 0:
                return 0
            y = back.entry[q]
            if y == u or pairs.mate[y] >= 0 or pairs.level[y] != pairs.level[u]:
                continue
            if g.vwgt[y] + g.vwgt[u] > max_weight or (constrained and cell[y] != cell[u]):
                continue
            score = back.weight[q] / sqrt(<double>g.vwgt[y] + 1.0)
            if score > best.score:
                best.score = score
                best.mate = y
                best.kind = SIBLING
    return 0


cdef int pair_up(Pairing& pairs, vid_t u, const Candidate& best) noexcept nogil:
    cdef vid_t x = best.mate, low = u, high = best.mate
    pairs.mate[u] = x
    pairs.mate[x] = u
    if best.kind == SIBLING:
        pairs.kind[u] = SIBLING
        pairs.kind[x] = SIBLING
        return 0
    if pairs.level[x] < pairs.level[u]:
        low = x
        high = u
    pairs.kind[low] = LOWER
    pairs.kind[high] = UPPER
    pairs.rank[low] = best.rank
    pairs.rank[high] = best.rank
    return 0


cdef vid_t number_clusters(const Graph& g, const Pairing& pairs, vector[vid_t]& cluster) except -1 nogil:
    # By level of the lowest member; in a level, clusters of that level alone first, then pairs by rank.
    cdef vector[pair[pair[vid_t, double], vid_t]] by_rank
    cdef pair[pair[vid_t, double], vid_t] item
    cdef vector[vid_t] start
    cdef vid_t u, i, count, deepest = 0
    cdef bint leads
    cluster.assign(g.n, -1)
    for u in range(g.n):
        deepest = max(deepest, pairs.level[u])
    start.assign(deepest + 2, 0)
    for u in range(g.n):
        if pairs.kind[u] == LOWER:
            item.first.first = pairs.level[u]
            item.first.second = pairs.rank[u]
            item.second = u
            by_rank.push_back(item)
        leads = pairs.kind[u] == SINGLE or (pairs.kind[u] == SIBLING and pairs.mate[u] > u)
        if leads or pairs.kind[u] == LOWER:
            start[pairs.level[u] + 1] += 1
    for i in range(deepest + 1):
        start[i + 1] += start[i]
    count = start[deepest + 1]
    for u in range(g.n):
        if pairs.kind[u] == SINGLE or (pairs.kind[u] == SIBLING and pairs.mate[u] > u):
            cluster[u] = start[pairs.level[u]]
            if pairs.kind[u] == SIBLING:
                cluster[pairs.mate[u]] = cluster[u]
            start[pairs.level[u]] += 1
    sort(by_rank.begin(), by_rank.end())
    for i in range(<vid_t>by_rank.size()):
        u = by_rank[i].second
        cluster[u] = start[pairs.level[u]]
        cluster[pairs.mate[u]] = cluster[u]
        start[pairs.level[u]] += 1
    return count


cdef vid_t cluster_levels(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, const Options& opt, Rng& rng,
                          vector[vid_t]& cluster) except -1 nogil:
    cdef Pairing pairs
    cdef vector[vid_t] order
    cdef Candidate best
    cdef vid_t i, u
    if draw32(rng) & 1:
        top_levels(g, pairs.level)
    else:
        bottom_levels(g, pairs.level)
    visiting_order(g.n, rng, order)
    pairs.mate.assign(g.n, -1)
    pairs.kind.assign(g.n, SINGLE)
    pairs.rank.assign(g.n, 0.0)
    for i in range(g.n):
        u = order[i]
        if pairs.mate[u] >= 0:
            continue
        if (i + 1) % CHECK_EVERY == 0:
            check_interrupt()
        best.mate = -1
        best.score = 0
        seek_over_levels(g, cell, max_weight, pairs, u, False, best)
        seek_over_levels(g, cell, max_weight, pairs, u, True, best)
        if best.mate < 0:
            seek_siblings(g, cell, max_weight, pairs, u, False, best)
            seek_siblings(g, cell, max_weight, pairs, u, True, best)
        if best.mate >= 0:
            pair_up(pairs, u, best)
    return number_clusters(g, pairs, cluster)


LEVELS.name = b"levels"
LEVELS.cluster = cluster_levels
