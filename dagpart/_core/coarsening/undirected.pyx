"""A clusterer that ignores direction, for the guide."""

from libc.math cimport sqrt
from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.coarsening.visiting cimport CHECK_EVERY, SCAN_LIMIT, visiting_order, weight_limit
from dagpart._core.graph.csr cimport Graph, Neighbours, look


cdef inline int tie_clusters(const Neighbours& there, const vector[vid_t]& cell, vid_t u,
                             const vector[vid_t]& cluster, vector[wgt_t]& tie, vector[vid_t]& near) except -1 nogil:
    # How strongly u is tied to the clusters of its neighbours in one direction.
    cdef bint constrained = not cell.empty()
    cdef eid_t e
    cdef vid_t v, c
    for e in range(there.row[u], min(there.row[u + 1], there.row[u] + SCAN_LIMIT)):
        v = there.entry[e]
        if constrained and cell[v] != cell[u]:
            continue
        c = cluster[v]
        if tie[c] == 0:
            near.push_back(c)
        tie[c] += there.weight[e]
    return 0


cdef vid_t cluster_undirected(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, const Options& opt, Rng& rng,
                              vector[vid_t]& cluster) except -1 nogil:
    # Each vertex joins the neighbouring cluster it is most strongly tied to. What finds its favourite full pairs up
    # with the last vertex that wanted the same one (two-hop clusters: without them stars do not shrink).
    cdef vector[vid_t] order, waiting, near, number
    cdef vector[wgt_t] weight, tie
    cdef vector[char] fixed
    cdef vid_t i, u, c, best, wish, nc = 0
    cdef size_t j
    cdef double score, best_score, wish_score
    cdef bint constrained = not cell.empty()
    cdef wgt_t limit = weight_limit(g, max_weight, opt.guide_shrink)
    visiting_order(g.n, rng, order)
    cluster.resize(g.n)
    weight.resize(g.n)
    fixed.assign(g.n, 0)
    tie.assign(g.n, 0)
    waiting.assign(g.n + 1, -1)
    for u in range(g.n):
        cluster[u] = u
        weight[u] = g.vwgt[u]
    for i in range(g.n):
        u = order[i]
        if (i + 1) % CHECK_EVERY == 0:
            check_interrupt()
        if fixed[u]:
            continue
        near.clear()
        tie_clusters(look(g, True), cell, u, cluster, tie, near)
        tie_clusters(look(g, False), cell, u, cluster, tie, near)
        best = -1
        wish = g.n
        best_score = 0
        wish_score = 0
        for j in range(near.size()):
            c = near[j]
            score = tie[c] / sqrt(<double>weight[c] + 1.0)
            if weight[c] + g.vwgt[u] <= limit:
                if score > best_score:
                    best_score = score
                    best = c
            elif score > wish_score:
                wish_score = score
                wish = c
            tie[c] = 0
        if best < 0:
            best = waiting[wish]
            if best < 0 or weight[best] + g.vwgt[u] > limit or (constrained and cell[best] != cell[u]):
                waiting[wish] = u
                continue
        cluster[u] = best
        weight[best] += g.vwgt[u]
        fixed[u] = 1
        fixed[best] = 1
    number.assign(g.n, -1)
    for u in range(g.n):
        # A waiting vertex that later became a cluster's seed still points at itself; members point at seeds.
        c = cluster[u]
        if number[c] < 0:
            number[c] = nc
            nc += 1
        cluster[u] = number[c]
    return nc


UNDIRECTED.name = b"undirected"
UNDIRECTED.cluster = cluster_undirected
