"""Clusterings for coarsening: two that keep the graph acyclic, one that ignores direction (for the guide)."""

from libc.math cimport sqrt
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from dagpart._core.csr cimport Graph, bottom_levels, top_levels
from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.random cimport Rng, below, draw32, shuffle
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t

cdef enum:
    BLOCK = 64              # vertices visited together: random enough, and neighbours in memory
    SIBLING_BUDGET = 8      # entries of a neighbour's list looked at for siblings
    CANDIDATES = 48         # vertices a run chooses its next member among
    SCAN_LIMIT = 1000       # entries of one adjacency list that decide a vertex's cluster
    CHECK_EVERY = 1 << 18


cdef struct RunState:
    # One cache line holds what a visit to a vertex needs.
    double tie              # to the current run
    vid_t missing           # neighbours behind that are not placed yet
    vid_t run               # -1: not placed
    vid_t[2] cursor         # entries of the two adjacency lists whose vertices are all placed


cdef int visiting_order(vid_t n, Rng& rng, vector[vid_t]& order) except -1 nogil:
    # Blocks in random order, vertices in random order inside a block.
    cdef vector[vid_t] blocks
    cdef vid_t b, i, start, at = 0
    blocks.resize((n + BLOCK - 1) // BLOCK)
    order.resize(n)
    for b in range(<vid_t>blocks.size()):
        blocks[b] = b
    shuffle(rng, blocks.data(), <vid_t>blocks.size())
    for b in range(<vid_t>blocks.size()):
        start = at
        for i in range(blocks[b] * BLOCK, min(n, (blocks[b] + 1) * BLOCK)):
            order[at] = i
            at += 1
        shuffle(rng, order.data() + start, at - start)
    return 0


cdef vid_t cluster_runs(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, double shrink, Rng& rng,
                        vector[vid_t]& cluster) except -1 nogil:
    # Cuts a topological order into runs. Edges go forward in the order, so the runs are acyclic by construction. The
    # order is Kahn's, always extended by the ready vertex most strongly tied to the current run; direction of travel
    # (from the sources or from the sinks) and the policy for the next run's first vertex are drawn at random.
    cdef bint backward = draw32(rng) & 1
    cdef bint fifo = below(rng, 3) == 0
    cdef const vector[eid_t]* ax = &g.pxadj if backward else &g.xadj
    cdef const vector[vid_t]* aa = &g.padj if backward else &g.adj
    cdef const vector[wgt_t]* aw = &g.pwgt if backward else &g.wgt
    cdef const vector[eid_t]* bx = &g.xadj if backward else &g.pxadj
    cdef const vector[vid_t]* ba = &g.adj if backward else &g.padj
    cdef const eid_t* ahead_x = ax[0].data()
    cdef const vid_t* ahead = aa[0].data()
    cdef const wgt_t* ahead_w = aw[0].data()
    cdef const eid_t* behind_x = bx[0].data()
    cdef const vid_t* behind = ba[0].data()
    cdef wgt_t limit = min(max_weight, <wgt_t>min(shrink * (<double>g.total / g.n), 9.0e18) + 1)
    cdef vector[RunState] states
    cdef vector[vid_t] ready, near
    cdef RunState* state
    cdef RunState* sx
    cdef RunState fresh
    cdef vid_t nc = 0, v, x, y, current, best, placed = 0
    cdef size_t head = 0, i
    cdef wgt_t weight
    cdef eid_t e, q, end
    cdef int budget
    cdef double score, best_score, share
    cdef bint constrained = not cell.empty()
    fresh.tie = 0
    fresh.run = -1
    fresh.cursor[0] = 0
    fresh.cursor[1] = 0
    states.assign(g.n, fresh)
    state = states.data()
    for v in range(g.n):
        state[v].missing = <vid_t>(behind_x[v + 1] - behind_x[v])
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
        while True:
            state[current].run = nc
            weight += g.vwgt[current]
            placed += 1
            if placed % CHECK_EVERY == 0:
                check_interrupt()
            for e in range(ahead_x[current], ahead_x[current + 1]):
                x = ahead[e]
                sx = &state[x]
                sx.missing -= 1
                if sx.missing == 0:
                    ready.push_back(x)
                # What ties a vertex that is not ready yet counts when it becomes so within this run.
                if sx.tie == 0:
                    if near.size() >= CANDIDATES:
                        continue
                    near.push_back(x)
                sx.tie += ahead_w[e]
            if weight >= limit:
                break
            # Siblings: ready vertices that share a neighbour with the run, on either side.
            budget = SIBLING_BUDGET
            for e in range(behind_x[current], behind_x[current + 1]):
                y = behind[e]
                end = ahead_x[y + 1]
                q = ahead_x[y] + state[y].cursor[0]
                while q < end and state[ahead[q]].run >= 0:
                    q += 1
                state[y].cursor[0] = <vid_t>(q - ahead_x[y])
                share = 0.5 / (end - ahead_x[y])
                while q < end and budget > 0:
                    x = ahead[q]
                    sx = &state[x]
                    q += 1
                    budget -= 1
                    if sx.run < 0 and sx.missing == 0 and (sx.tie > 0 or near.size() < CANDIDATES):
                        if sx.tie == 0:
                            near.push_back(x)
                        sx.tie += share
                if budget <= 0:
                    break
            budget = SIBLING_BUDGET
            for e in range(ahead_x[current], ahead_x[current + 1]):
                y = ahead[e]
                end = behind_x[y + 1]
                q = behind_x[y] + state[y].cursor[1]
                while q < end and state[behind[q]].run >= 0:
                    q += 1
                state[y].cursor[1] = <vid_t>(q - behind_x[y])
                share = 0.5 / (end - behind_x[y])
                while q < end and budget > 0:
                    x = behind[q]
                    sx = &state[x]
                    q += 1
                    budget -= 1
                    if sx.run < 0 and sx.missing == 0 and (sx.tie > 0 or near.size() < CANDIDATES):
                        if sx.tie == 0:
                            near.push_back(x)
                        sx.tie += share
                if budget <= 0:
                    break
            best = -1
            best_score = 0
            for i in range(near.size()):
                x = near[i]
                sx = &state[x]
                if sx.run >= 0 or sx.missing > 0 or weight + g.vwgt[x] > limit:
                    continue
                if constrained and cell[x] != cell[current]:
                    continue
                score = sx.tie / sqrt(<double>g.vwgt[x] + 1.0)
                if score > best_score:
                    best_score = score
                    best = x
            if best < 0:
                break
            current = best
        for i in range(near.size()):
            state[near[i]].tie = 0
        nc += 1
    cluster.resize(g.n)
    for v in range(g.n):
        cluster[v] = state[v].run
    if backward:
        for v in range(g.n):
            cluster[v] = nc - 1 - cluster[v]
    return nc


cdef vid_t cluster_levels(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, Rng& rng,
                          vector[vid_t]& cluster) except -1 nogil:
    # Pairs of vertices joined by an edge between neighbouring levels, and pairs of one level that share a neighbour.
    # Only pairs over the same two levels can close a cycle; each gets a rank such that every edge between two of them
    # rises in rank, and a pair that fits no rank is not made. Levels are counted from the sources or from the sinks.
    cdef vector[vid_t] level, order, mate
    cdef vector[char] kind          # 1 lower end of a pair over two levels, 2 upper end, 3 one of two siblings
    cdef vector[double] rank
    cdef vid_t u, x, y, a, b, best, i, c, lev
    cdef int best_kind, budget, side
    cdef double score, best_score, best_rank, r, lowest, highest
    cdef bint constrained = not cell.empty(), has_after, has_before
    cdef eid_t e, q
    cdef vector[pair[pair[vid_t, double], vid_t]] pairs
    cdef vector[vid_t] start
    cdef pair[pair[vid_t, double], vid_t] item
    cdef const eid_t* row[2]        # of the successors, of the predecessors
    cdef const vid_t* entry[2]
    cdef const wgt_t* weight[2]
    row[0] = g.xadj.data()
    row[1] = g.pxadj.data()
    entry[0] = g.adj.data()
    entry[1] = g.padj.data()
    weight[0] = g.wgt.data()
    weight[1] = g.pwgt.data()
    if draw32(rng) & 1:
        top_levels(g, level)
    else:
        bottom_levels(g, level)
    visiting_order(g.n, rng, order)
    mate.assign(g.n, -1)
    kind.assign(g.n, 0)
    rank.assign(g.n, 0.0)
    for i in range(g.n):
        u = order[i]
        if mate[u] >= 0:
            continue
        if (i + 1) % CHECK_EVERY == 0:
            check_interrupt()
        best = -1
        best_score = 0
        best_kind = 0
        best_rank = 0
        for side in range(2):
            for e in range(row[side][u], min(row[side][u + 1], row[side][u] + SCAN_LIMIT)):
                x = entry[side][e]
                a = u
                b = x
                if side == 1:
                    a = x
                    b = u
                if mate[x] >= 0 or level[b] != level[a] + 1 or g.vwgt[a] + g.vwgt[b] > max_weight:
                    continue
                if constrained and cell[a] != cell[b]:
                    continue
                score = weight[side][e] / sqrt(<double>g.vwgt[x] + 1.0)
                if score <= best_score:
                    continue
                if g.xadj[a + 1] - g.xadj[a] > SCAN_LIMIT or g.pxadj[b + 1] - g.pxadj[b] > SCAN_LIMIT:
                    continue
                has_after = False
                has_before = False
                lowest = 0
                highest = 0
                for q in range(g.xadj[a], g.xadj[a + 1]):
                    y = g.adj[q]
                    if y != b and kind[y] == 2 and level[y] == level[b]:
                        if not has_after or rank[y] < lowest:
                            lowest = rank[y]
                        has_after = True
                for q in range(g.pxadj[b], g.pxadj[b + 1]):
                    y = g.padj[q]
                    if y != a and kind[y] == 1 and level[y] == level[a]:
                        if not has_before or rank[y] > highest:
                            highest = rank[y]
                        has_before = True
                if has_after and has_before:
                    r = 0.5 * (lowest + highest)
                    if not (highest < r < lowest):
                        continue
                elif has_after:
                    r = lowest - 1
                elif has_before:
                    r = highest + 1
                else:
                    r = 0
                best_score = score
                best = x
                best_kind = 1
                best_rank = r
        if best < 0:
            for side in range(2):
                budget = 8 * SIBLING_BUDGET
                for e in range(row[side][u], row[side][u + 1]):
                    x = entry[side][e]
                    for q in range(row[1 - side][x], row[1 - side][x + 1]):
                        budget -= 1
                        if budget < 0:
                            break
                        y = entry[1 - side][q]
                        if y == u or mate[y] >= 0 or level[y] != level[u] or g.vwgt[y] + g.vwgt[u] > max_weight:
                            continue
                        if constrained and cell[y] != cell[u]:
                            continue
                        score = weight[1 - side][q] / sqrt(<double>g.vwgt[y] + 1.0)
                        if score > best_score:
                            best_score = score
                            best = y
                            best_kind = 3
                    if budget < 0:
                        break
        if best >= 0:
            mate[u] = best
            mate[best] = u
            if best_kind == 1:
                a = u
                b = best
                if level[best] < level[u]:
                    a = best
                    b = u
                kind[a] = 1
                kind[b] = 2
                rank[a] = best_rank
                rank[b] = best_rank
            else:
                kind[u] = 3
                kind[best] = 3
    # Number by level of the lowest member; in a level, clusters of that level alone first, then pairs by rank.
    cluster.assign(g.n, -1)
    lev = 0
    for u in range(g.n):
        lev = max(lev, level[u])
    start.assign(lev + 2, 0)
    for u in range(g.n):
        if kind[u] == 1:
            item.first.first = level[u]
            item.first.second = rank[u]
            item.second = u
            pairs.push_back(item)
        if kind[u] == 0 or kind[u] == 1 or (kind[u] == 3 and mate[u] > u):
            start[level[u] + 1] += 1
    for i in range(lev + 1):
        start[i + 1] += start[i]
    c = start[lev + 1]
    for u in range(g.n):
        if kind[u] == 0 or (kind[u] == 3 and mate[u] > u):
            cluster[u] = start[level[u]]
            if kind[u] == 3:
                cluster[mate[u]] = cluster[u]
            start[level[u]] += 1
    sort(pairs.begin(), pairs.end())
    for i in range(<vid_t>pairs.size()):
        u = pairs[i].second
        cluster[u] = start[level[u]]
        cluster[mate[u]] = cluster[u]
        start[level[u]] += 1
    return c


cdef vid_t cluster_undirected(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, double shrink, Rng& rng,
                              vector[vid_t]& cluster) except -1 nogil:
    # Each vertex joins the neighbouring cluster it is most strongly tied to. What finds its favourite full pairs up
    # with the last vertex that wanted the same one (two-hop clusters: without them stars do not shrink).
    cdef vector[vid_t] order, waiting, near, number
    cdef vector[wgt_t] weight, tie
    cdef vector[char] fixed
    cdef vid_t i, u, v, c, best, wish, nc = 0
    cdef size_t j
    cdef eid_t e, end
    cdef double score, best_score, wish_score
    cdef bint constrained = not cell.empty()
    cdef wgt_t limit = min(max_weight, <wgt_t>min(shrink * (<double>g.total / g.n), 9.0e18) + 1)
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
        end = min(g.xadj[u + 1], g.xadj[u] + SCAN_LIMIT)
        for e in range(g.xadj[u], end):
            v = g.adj[e]
            if constrained and cell[v] != cell[u]:
                continue
            c = cluster[v]
            if tie[c] == 0:
                near.push_back(c)
            tie[c] += g.wgt[e]
        end = min(g.pxadj[u + 1], g.pxadj[u] + SCAN_LIMIT)
        for e in range(g.pxadj[u], end):
            v = g.padj[e]
            if constrained and cell[v] != cell[u]:
                continue
            c = cluster[v]
            if tie[c] == 0:
                near.push_back(c)
            tie[c] += g.pwgt[e]
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
