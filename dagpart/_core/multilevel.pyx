"""The order of the phases: guide, starts, V-cycles, recursive bisection, direct k-way refinement."""

from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from dagpart._core.coarsening cimport cluster_levels, cluster_runs, cluster_undirected
from dagpart._core.csr cimport (
    Graph, Score, contract, cost_of, induce, is_monotone, less, load_graph, overload_of, part_loads,
    share_out,
)
from dagpart._core.flow cimport Corridor, FlowOptions, refine_pairs
from dagpart._core.fm cimport CUT, UNDIRECTED, VOLUME, FmOptions, Workspace, rebalance, refine
from dagpart._core.initial cimport (
    BOTTOM_LEVEL, BREADTH_FIRST, BY_ID, DEPTH_FIRST, GREEDY, ORDERS, RANDOM, TOP_LEVEL, Order, best_prefix, best_split,
    close_downwards, close_upwards, grow, make_order, order_by_component, rise,
)
from dagpart._core.base.interrupt cimport Stop, check_interrupt, watch
from dagpart._core.nets cimport load_nets
from dagpart._core.numbering cimport fill_empty, renumber
from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng, below, derive, draw32
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t

cdef enum:
    MAX_LEVELS = 64
    START_WORK = 1 << 17    # vertices that the starts on one coarsest graph may visit together
    THREAD_MIN = 2000       # vertices below which handing out jobs costs more than it saves


cdef cppclass Scratch:
    Workspace fm
    Corridor flow


cdef cppclass Hierarchy:
    # graph[0] stands for the caller's finest graph and stays empty; cluster[i] maps level i to level i + 1.
    int depth
    vector[Graph] graph
    vector[vector[vid_t]] cluster
    vector[vid_t] cell          # of the coarsest level


cdef inline const Graph* graph_at(const Graph& g, const Hierarchy& h, int level) noexcept nogil:
    if level == 0:
        return &g
    return &h.graph[level]


cdef int score_of(const Graph& g, const vector[vid_t]& label, vid_t k, const vector[wgt_t]& cap,
                  Score& out) except -1 nogil:
    cdef vector[wgt_t] load
    part_loads(g, label, k, load)
    out.over = overload_of(load, cap)
    out.cost = cost_of(g, label, k)
    return 0


cdef int require(bint truth, const char* what) except -1 nogil:
    if not truth:
        with gil:
            raise AssertionError(f"engine invariant broken: {what.decode()}")
    return 0


cdef int check_labels(const Graph& g, const vector[vid_t]& label, vid_t k, const char* phase) except -1 nogil:
    cdef vid_t v
    require(<vid_t>label.size() == g.n, phase)
    for v in range(g.n):
        require(0 <= label[v] < k, phase)
    return require(is_monotone(g, label), phase)


cdef int check_graph(const Graph& g, const char* phase) except -1 nogil:
    cdef vid_t v
    cdef eid_t e
    cdef wgt_t total = 0
    for v in range(g.n):
        total += g.vwgt[v]
        for e in range(g.xadj[v], g.xadj[v + 1]):
            require(v < g.adj[e] < g.n, phase)
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            require(0 <= g.padj[e] < v, phase)
    require(total == g.total, phase)
    return require(g.xadj[g.n] == g.pxadj[g.n], phase)


cdef int improve(const Graph& g, vid_t k, const vector[wgt_t]& cap, bint monotone, const Options& opt, Scratch& ws,
                 Rng& rng, vector[vid_t]& label, wgt_t slack=0) except -1 nogil:
    # The refinement of one level: FM, then minimum cuts between pairs of parts where the level is small enough.
    # ws.fm.score becomes that of the labels.
    cdef FmOptions fm
    cdef FlowOptions flow
    cdef wgt_t cost
    fm.passes = opt.passes
    fm.rule = UNDIRECTED
    if monotone:
        fm.rule = CUT if g.nets.cost.empty() else VOLUME
    fm.stop_fraction = opt.stop_fraction
    fm.stop_min = opt.stop_min
    fm.stop_max = opt.stop_max
    fm.slack = slack
    refine(g, label, k, cap, fm, ws.fm, rng)
    if not monotone or k < 2 or g.n > opt.flow_vertices:
        return 0
    cost = ws.fm.score.cost
    flow.rounds = opt.flow_rounds
    flow.depth = opt.flow_depth
    flow.max_nodes = opt.flow_nodes
    flow.reach = opt.flow_reach
    refine_pairs(g, label, k, cap, flow, ws.flow, ws.fm.score, rng)
    if opt.check:
        check_score(g, label, k, cap, ws.fm.score)
    if ws.fm.score.cost < cost:
        refine(g, label, k, cap, fm, ws.fm, rng)
    return 0


cdef int check_score(const Graph& g, const vector[vid_t]& label, vid_t k, const vector[wgt_t]& cap,
                     Score kept) except -1 nogil:
    cdef Score counted
    score_of(g, label, k, cap, counted)
    require(counted.cost == kept.cost and counted.over == kept.over, b"score kept by flow refinement")
    return check_labels(g, label, k, b"flow refinement")


cdef int coarsen(const Graph& g, const vector[vid_t]& cell, vid_t stop, bint undirected, const Options& opt, Rng& rng,
                 Hierarchy& h) except -1 nogil:
    # Coarsens until `stop` vertices are left or clustering stalls.
    cdef const Graph* fine = &g
    cdef vid_t nc, v
    cdef vector[vid_t] next_cell
    cdef wgt_t max_weight = <wgt_t>(1.5 * g.total / stop) + 1
    h.graph.resize(MAX_LEVELS)
    h.cluster.resize(MAX_LEVELS)
    h.depth = 0
    h.cell = cell
    while fine.n > stop and h.depth + 1 < MAX_LEVELS:
        check_interrupt()
        if undirected:
            nc = cluster_undirected(fine[0], h.cell, max_weight, opt.guide_shrink, rng, h.cluster[h.depth])
        elif below(rng, 4) == 0:
            nc = cluster_levels(fine[0], h.cell, max_weight, rng, h.cluster[h.depth])
        else:
            nc = cluster_runs(fine[0], h.cell, max_weight, opt.shrink, rng, h.cluster[h.depth])
            if nc > 0.9 * fine.n:
                nc = cluster_levels(fine[0], h.cell, max_weight, rng, h.cluster[h.depth])
        if nc > 0.95 * fine.n:
            break
        contract(fine[0], h.cluster[h.depth], nc, undirected, h.graph[h.depth + 1])
        if not h.cell.empty():
            next_cell.resize(nc)
            for v in range(fine.n):
                next_cell[h.cluster[h.depth][v]] = h.cell[v]
            h.cell.swap(next_cell)
        h.depth += 1
        fine = &h.graph[h.depth]
        if opt.check:
            check_graph(fine[0], b"contraction")
    return 0


cdef int project(const vector[vid_t]& cluster, const vector[vid_t]& coarse, vector[vid_t]& fine) except -1 nogil:
    cdef size_t v
    fine.resize(cluster.size())
    for v in range(cluster.size()):
        fine[v] = coarse[cluster[v]]
    return 0


cdef int restrict(const vector[vid_t]& cluster, vid_t nc, const vector[vid_t]& fine,
                  vector[vid_t]& coarse) except -1 nogil:
    # Labels of the clusters, for a labelling that no cluster crosses.
    cdef size_t v
    coarse.resize(nc)
    for v in range(cluster.size()):
        coarse[cluster[v]] = fine[v]
    return 0


cdef int uncoarsen(const Graph& g, Hierarchy& h, vid_t k, const vector[wgt_t]& cap, bint monotone, const Options& opt,
                   Scratch& ws, Rng& rng, vector[vid_t]& label) except -1 nogil:
    # From labels of the coarsest level to refined labels of g.
    cdef int level
    cdef vector[vid_t] fine
    cdef const Graph* graph
    cdef Graph nothing
    for level in range(h.depth - 1, -1, -1):
        project(h.cluster[level], label, fine)
        label.swap(fine)
        graph = graph_at(g, h, level)
        improve(graph[0], k, cap, monotone, opt, ws, rng, label)
        if opt.check and monotone:
            check_labels(graph[0], label, k, b"uncoarsening")
        if level > 0:
            h.graph[level + 1] = nothing
    return 0


cdef int settle(const Graph& g, vid_t k, const vector[wgt_t]& cap, const Options& opt, Scratch& ws, Rng& rng,
                vector[vid_t]& label) except -1 nogil:
    # Balance, then refinement.
    rebalance(g, label, k, cap, ws.fm, rng)
    return improve(g, k, cap, True, opt, ws, rng, label)


cdef inline int affordable(int starts, vid_t n) noexcept nogil:
    # Where coarsening stalled the coarsest graph is large, and fewer starts must do.
    return min(starts, max(1, START_WORK // (n + 1)))


cdef int guide(const Graph& g, const vector[wgt_t]& cap, const Options& opt, Scratch& ws, Rng& rng,
               vector[vid_t]& label) except -1 nogil:
    # A multilevel bisection that ignores direction.
    cdef Hierarchy h
    cdef vector[vid_t] none, tried
    cdef Score best
    cdef int _t
    coarsen(g, none, opt.coarsest, True, opt, rng, h)
    cdef const Graph* coarsest = graph_at(g, h, h.depth)
    best.over = -1
    for _t in range(affordable(opt.guide_starts, coarsest.n)):
        grow(coarsest[0], cap, ws.fm, rng, tried)
        improve(coarsest[0], 2, cap, False, opt, ws, rng, tried)
        if best.over < 0 or less(ws.fm.score, best):
            best = ws.fm.score
            label.swap(tried)
    return uncoarsen(g, h, 2, cap, False, opt, ws, rng, label)


cdef int cycle(const Graph& g, vid_t k, const vector[wgt_t]& cap, vid_t stop, const vector[vid_t]& cell,
               const Options& opt, Scratch& ws, Rng& rng, vector[vid_t]& label) except -1 nogil:
    # A V-cycle: coarsen inside the cells (which no part boundary of `label` may cut), refine on the way back.
    cdef Hierarchy h
    cdef vector[vid_t] coarse
    cdef int level
    coarsen(g, cell, stop, False, opt, rng, h)
    for level in range(h.depth):
        restrict(h.cluster[level], h.graph[level + 1].n, label, coarse)
        label.swap(coarse)
    improve(graph_at(g, h, h.depth)[0], k, cap, True, opt, ws, rng, label)
    return uncoarsen(g, h, k, cap, True, opt, ws, rng, label)


cdef int anchor_classes(const Graph& g, vid_t k0, vid_t k1, vector[vid_t]& side) except -1 nogil:
    # Shares the anchors out to the two sides of a bisection: -1 free, 0 or 1 bound by an anchor. Ids are topological,
    # so the first anchors can go below and the rest above; what precedes or follows them is bound with them.
    cdef vid_t v, before = 0, count = 0, low
    cdef eid_t e
    cdef wgt_t weight = 0
    cdef double share = <double>g.total * k0 / (<double>k0 + k1)
    side.assign(g.n, -1)
    for v in range(g.n):
        count += g.anchor[v] != 0
        if g.anchor[v] and weight < share:
            before += 1
        weight += g.vwgt[v]
    low = max(min(before, k0), count - k1)
    for v in range(g.n):
        if g.anchor[v]:
            side[v] = low <= 0
            low -= 1
    for v in range(g.n):
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            if side[g.padj[e]] == 1:
                side[v] = 1
    for v in range(g.n - 1, -1, -1):
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if side[g.adj[e]] == 0:
                side[v] = 0
    return 0


cdef int bind(const vector[vid_t]& side, vector[vid_t]& label) noexcept nogil:
    cdef size_t v
    for v in range(side.size()):
        if side[v] >= 0:
            label[v] = side[v]
    return 0


cdef int bind_order(const vector[vid_t]& side, vector[vid_t]& order) except -1 nogil:
    # Stable: bound below, free, bound above. Still topological, since the bound sets are closed.
    cdef vector[vid_t] out
    cdef int which
    cdef size_t i
    if side.empty():
        return 0
    out.reserve(order.size())
    for which in range(3):
        for i in range(order.size()):
            if side[order[i]] == (1 if which == 2 else -which):
                out.push_back(order[i])
    order.swap(out)
    return 0


cdef int best_scan(const Graph& g, const vector[wgt_t]& cap, const vector[vid_t]& side, int orders, Rng& rng,
                   vector[vid_t]& label) except -1 nogil:
    # The best prefix over several topological orders, unrefined. Where the graph is in pieces, these are packed whole.
    cdef Order[8] kinds = [BY_ID, TOP_LEVEL, BOTTOM_LEVEL, DEPTH_FIRST, GREEDY, DEPTH_FIRST, GREEDY, BREADTH_FIRST]
    cdef bint[8] backward = [False, False, False, False, False, True, True, False]
    cdef vector[vid_t] order, tried
    cdef Score best, now
    cdef int i
    best.over = -1
    for i in range(-1, min(orders, 8)):
        if i >= 0:
            make_order(g, kinds[i], backward[i], rng, order)
        elif order_by_component(g, order) < 2:
            continue
        bind_order(side, order)
        best_prefix(g, order, cap, tried)
        bind(side, tried)
        score_of(g, tried, 2, cap, now)
        if best.over < 0 or less(now, best):
            best = now
            label.swap(tried)
        check_interrupt()
    return 0


cdef int multilevel_starts(const Graph& g, const vector[wgt_t]& cap, const vector[vid_t]& side,
                           const vector[vid_t]& guided, vid_t stop, const Options& opt, Scratch& ws, Rng& rng,
                           vector[vid_t]& label) except -1 nogil:
    # Acyclic coarsening inside the guide's two sides, many starts on the coarsest graph, refinement on the way back.
    cdef Hierarchy h
    cdef vector[vid_t] cell, order, tried, coarse_side, coarse_guide, swap
    cdef vid_t v
    cdef int t, level, starts
    cdef Score best
    cell = guided
    if not side.empty():
        cell.resize(g.n, 0)
        for v in range(g.n):
            cell[v] = 3 * cell[v] + side[v] + 1
    coarsen(g, cell, stop, False, opt, rng, h)
    cdef const Graph* coarsest = graph_at(g, h, h.depth)
    coarse_side = side
    coarse_guide = guided
    for level in range(h.depth):
        if not side.empty():
            restrict(h.cluster[level], h.graph[level + 1].n, coarse_side, swap)
            coarse_side.swap(swap)
        if not guided.empty():
            restrict(h.cluster[level], h.graph[level + 1].n, coarse_guide, swap)
            coarse_guide.swap(swap)
    best.over = -1
    starts = affordable(opt.starts, coarsest.n)
    for t in range(starts + (0 if guided.empty() else 4)):
        if t < starts:
            make_order(coarsest[0], <Order>(t % <int>ORDERS), (t // <int>ORDERS) & 1, rng, order)
            bind_order(coarse_side, order)
            best_prefix(coarsest[0], order, cap, tried)
            bind(coarse_side, tried)
        else:
            repaired(coarsest[0], coarse_guide, coarse_side, t - starts, tried)
        settle(coarsest[0], 2, cap, opt, ws, rng, tried)
        if best.over < 0 or less(ws.fm.score, best):
            best = ws.fm.score
            label.swap(tried)
    return uncoarsen(g, h, 2, cap, True, opt, ws, rng, label)


cdef int repaired(const Graph& g, const vector[vid_t]& guided, const vector[vid_t]& side, int way,
                  vector[vid_t]& label) except -1 nogil:
    # The four ways to make a guide monotone: either side first, closed downwards or upwards.
    cdef vid_t v
    cdef vid_t flip = (way & 2) >> 1
    label.resize(g.n)
    for v in range(g.n):
        label[v] = guided[v] ^ flip
    bind(side, label)
    if way & 1:
        close_upwards(g, label)
    else:
        close_downwards(g, label)
    return 0


cdef cppclass Start:
    vector[vid_t] label
    Score score                 # overload -1: not made


cdef cppclass Portfolio:
    # The starts of one bisection: the best scan and, for each guide, its best repair and the best of a multilevel run
    # inside its sides. Each has a stream of random numbers of its own, so that they can be made side by side.
    uint64_t seed
    vector[vid_t] side          # what anchors bind, as anchor_classes gives it
    vector[vector[vid_t]] guided
    vector[Start] starts        # 0 the scan, 1 + 2 j the repair of guide j, 2 + 2 j the multilevel run


cdef int open_portfolio(const Graph& g, vid_t k0, vid_t k1, const Options& opt, uint64_t seed,
                        Portfolio& folio) except -1 nogil:
    cdef size_t i
    cdef int guides = 1
    if opt.guides > 1 and g.n > opt.coarsest:
        guides = opt.guides
    folio.seed = seed
    folio.guided.resize(guides)
    folio.starts.resize(1 + 2 * guides)
    for i in range(folio.starts.size()):
        folio.starts[i].score.over = -1
    if not g.anchor.empty():
        anchor_classes(g, k0, k1, folio.side)
    return 0


cdef int find_guide(const Graph& g, const vector[wgt_t]& cap, const Options& opt, int j, Scratch& ws,
                    Portfolio& folio) except -1 nogil:
    cdef Rng rng = derive(folio.seed, 1, j)
    cdef Options other = opt
    if opt.guides > 0 and g.n > opt.coarsest:
        # On some graphs slow coarsening guides best, on others fast coarsening.
        if j & 1:
            other.guide_shrink *= 1.6
        guide(g, cap, other, ws, rng, folio.guided[j])
    return 0


cdef int keep_better(Start& start, Score score, vector[vid_t]& label) except -1 nogil:
    if start.score.over < 0 or less(score, start.score):
        start.score = score
        start.label.swap(label)
    return 0


cdef int start_scanned(const Graph& g, const vector[wgt_t]& cap, const Options& opt, Scratch& ws,
                       Portfolio& folio) except -1 nogil:
    cdef Rng rng = derive(folio.seed, 2, 0)
    cdef vector[vid_t] label
    if opt.scans > 0:
        best_scan(g, cap, folio.side, opt.scans, rng, label)
        settle(g, 2, cap, opt, ws, rng, label)
        keep_better(folio.starts[0], ws.fm.score, label)
    return 0


cdef int start_repaired(const Graph& g, const vector[wgt_t]& cap, const Options& opt, int j, Scratch& ws,
                        Portfolio& folio) except -1 nogil:
    # The most promising of the guide's four repairs, refined.
    cdef Rng rng = derive(folio.seed, 3, j)
    cdef vector[vector[vid_t]] fixes
    cdef Score guide_score
    cdef Score[4] scores
    cdef double mend
    cdef int[4] rank
    cdef int t, i, q
    if folio.guided[j].empty():
        return 0
    fixes.resize(4)
    score_of(g, folio.guided[j], 2, cap, guide_score)
    for t in range(4):
        repaired(g, folio.guided[j], folio.side, t, fixes[t])
        score_of(g, fixes[t], 2, cap, scores[t])
        # What a repair left out of balance will cost to mend; rank by both.
        mend = 4.0 * scores[t].over * (<double>guide_score.cost + 1) / (<double>g.total + 1)
        scores[t].cost += <wgt_t>min(mend, 1e18)
        rank[t] = t
    for i in range(1, 4):
        q = i
        while q > 0 and scores[rank[q]].cost < scores[rank[q - 1]].cost:
            rank[q], rank[q - 1] = rank[q - 1], rank[q]
            q -= 1
    for i in range(min(opt.repairs, 4)):
        settle(g, 2, cap, opt, ws, rng, fixes[rank[i]])
        keep_better(folio.starts[1 + 2 * j], ws.fm.score, fixes[rank[i]])
    return 0


cdef int start_multilevel(const Graph& g, const vector[wgt_t]& cap, const Options& opt, int j, Scratch& ws,
                          Portfolio& folio) except -1 nogil:
    cdef Rng rng = derive(folio.seed, 4, j)
    cdef vector[vid_t] label
    if opt.starts > 0:
        multilevel_starts(g, cap, folio.side, folio.guided[j], opt.coarsest, opt, ws, rng, label)
        settle(g, 2, cap, opt, ws, rng, label)
        keep_better(folio.starts[2 + 2 * j], ws.fm.score, label)
    return 0


cdef int close_portfolio(const Graph& g, const vector[wgt_t]& cap, const Options& opt, Scratch& ws, Portfolio& folio,
                         vector[vid_t]& label) except -1 nogil:
    # The best start gets the V-cycles.
    cdef Rng rng = derive(folio.seed, 5, 0)
    cdef vector[vid_t] tried
    cdef Score best
    cdef size_t i
    cdef int _t
    best.over = -1
    for i in range(folio.starts.size()):
        if folio.starts[i].score.over >= 0 and (best.over < 0 or less(folio.starts[i].score, best)):
            best = folio.starts[i].score
            label = folio.starts[i].label
    if g.n > opt.coarsest:
        for _t in range(opt.cycles):
            tried = label
            cycle(g, 2, cap, opt.coarsest, label, opt, ws, rng, tried)
            if less(ws.fm.score, best):
                best = ws.fm.score
                label.swap(tried)
    if opt.check:
        check_labels(g, label, 2, b"bisection")
    return 0


cdef int bisect(const Graph& g, vid_t k0, vid_t k1, const vector[wgt_t]& cap, const Options& opt, uint64_t seed,
                Scratch& ws, vector[vid_t]& label) except -1 nogil:
    cdef Portfolio folio
    cdef size_t j
    open_portfolio(g, k0, k1, opt, seed, folio)
    start_scanned(g, cap, opt, ws, folio)
    for j in range(folio.guided.size()):
        find_guide(g, cap, opt, j, ws, folio)
        start_repaired(g, cap, opt, j, ws, folio)
        start_multilevel(g, cap, opt, j, ws, folio)
    return close_portfolio(g, cap, opt, ws, folio, label)


cdef cppclass Job:
    Graph graph
    vector[vid_t] member        # ids in the whole graph
    vid_t first, k


cdef inline wgt_t times(wgt_t cap, vid_t k, wgt_t most) noexcept nogil:
    return most if cap > most // k else cap * k


cdef int side_caps(wgt_t total, wgt_t cap, vid_t k0, vid_t k1, vector[wgt_t]& out) except -1 nogil:
    # What is left of the tolerance is shared out evenly over the levels of bisection still to come.
    cdef vid_t k = k0 + k1
    cdef int depth = 0
    cdef double slack = <double>cap * k / (<double>total + 1e-300) - 1
    cdef double exact
    cdef vid_t ks
    cdef int i
    while (<int64_t>1 << depth) < k:
        depth += 1
    slack = max(0.0, slack / depth)
    out.resize(2)
    for i in range(2):
        ks = k1 if i else k0
        exact = <double>total * ks / k
        out[i] = <wgt_t>min(exact * (1 + slack), 9.0e18)
        out[i] = max(out[i], <wgt_t>min(exact, 9.0e18) + (1 if slack * exact < 1 else 0))
        out[i] = min(out[i], times(cap, ks, total))
    # Both sides together must be able to hold everything.
    if out[0] < total - out[1]:
        out[0] = min(times(cap, k0, total), total - out[1])
        if out[0] < total - out[1]:
            out[1] = min(times(cap, k1, total), total - out[0])
    return 0


cdef inline uint64_t seed_of(const Job& job, uint64_t seed) noexcept nogil:
    return derive(seed, job.first, job.k).state


cdef int halve(const Job& job, const Graph& g, wgt_t cap, Job& low, Job& high, vector[wgt_t]& caps) except -1 nogil:
    # The numbers of parts on either side, and what each side may weigh.
    low.k = job.k // 2
    high.k = job.k - low.k
    low.first = job.first
    high.first = job.first + low.k
    return side_caps(g.total, cap, low.k, high.k, caps)


cdef int part_ways(const Job& job, const Graph& g, const vector[vid_t]& side, Job& low, Job& high) except -1 nogil:
    cdef size_t v
    induce(g, side, 0, low.member, low.graph)
    induce(g, side, 1, high.member, high.graph)
    if not job.member.empty():
        for v in range(low.member.size()):
            low.member[v] = job.member[low.member[v]]
        for v in range(high.member.size()):
            high.member[v] = job.member[high.member[v]]
    return 0


cdef int split(const Job& job, const Graph& g, wgt_t cap, const Options& opt, uint64_t seed, Scratch& ws, Job& low,
               Job& high) except -1 nogil:
    # One bisection. g is the job's graph, or for the first job, which leaves its own empty, the whole graph.
    cdef vector[vid_t] side
    cdef vector[wgt_t] caps
    halve(job, g, cap, low, high, caps)
    bisect(g, low.k, high.k, caps, opt, seed_of(job, seed), ws, side)
    return part_ways(job, g, side, low, high)


cdef inline bint is_leaf(const Job& job) noexcept nogil:
    return job.k == 1 or job.graph.n == 0


cdef inline int write_leaf(const Job& job, vector[vid_t]& label) noexcept nogil:
    cdef size_t v
    for v in range(job.member.size()):
        label[job.member[v]] = job.first
    return 0


cdef int recursive_bisection(const Graph& g, vid_t k, wgt_t cap, const Options& opt, uint64_t seed, Scratch& ws,
                             vector[vid_t]& label) except -1 nogil:
    cdef vector[Job] stack
    cdef Job job, low, high
    label.assign(g.n, 0)
    job.first = 0
    job.k = k
    split(job, g, cap, opt, seed, ws, low, high)
    stack.push_back(high)
    stack.push_back(low)
    while not stack.empty():
        check_interrupt()
        job = stack.back()
        stack.pop_back()
        if is_leaf(job):
            write_leaf(job, label)
            continue
        split(job, job.graph, cap, opt, seed, ws, low, high)
        stack.push_back(high)
        stack.push_back(low)
    return 0


cdef vid_t kway_stop(const Graph& g, vid_t k, const Options& opt) noexcept nogil:
    return <vid_t>max(<int64_t>opt.coarsest, min(<int64_t>opt.coarsest_per_part * k, <int64_t>g.n))


cdef int split_order(const Graph& g, vid_t k, wgt_t cap, const vector[vid_t]& order,
                     vector[vid_t]& label) except -1 nogil:
    # Cuts an order into k runs of about equal weight, each boundary where it costs least within what balance allows.
    cdef double share = <double>g.total / k
    cdef double half = max(0.0, (<double>cap - share) / 2)
    cdef wgt_t weight = 0, cost = 0, best = 0
    cdef vid_t i, v, part = 0, last = -1, start = 0
    cdef vector[vid_t] inside
    label.resize(g.n)
    inside.assign(g.nets.cost.size(), 0)
    for i in range(g.n):
        v = order[i]
        weight += g.vwgt[v]
        cost += rise(g, v, inside)
        while part < k - 1 and weight > share * (part + 1) + half:
            # Past this boundary's window: close the run at the best place seen.
            if last < 0:
                last = i - 1
            while start <= last:
                label[order[start]] = part
                start += 1
            part += 1
            last = -1
        if part < k - 1 and weight >= share * (part + 1) - half and (last < 0 or cost <= best):
            last = i
            best = cost
    while start < g.n:
        label[order[start]] = part
        start += 1
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


cdef int kway_cycles(const Graph& g, vid_t k, const vector[wgt_t]& caps, const Options& opt, int cycles, Scratch& ws,
                     Rng& rng, vector[vid_t]& label, Score& best) except -1 nogil:
    # Direct k-way V-cycles, the numbering redrawn before each.
    cdef vector[vid_t] tried
    cdef int _t
    for _t in range(cycles):
        tried = label
        renumber(g, k, rng, tried)
        cycle(g, k, caps, kway_stop(g, k, opt), tried, opt, ws, rng, tried)
        if not less(best, ws.fm.score):
            best = ws.fm.score
            label.swap(tried)
    return 0


cdef cppclass Polish:
    # What follows recursive bisection: direct k-way V-cycles on its result and, where it comes near in cost, on the
    # order the vertices came in cut into k runs. The two can be worked at side by side.
    uint64_t seed
    vid_t k
    vector[wgt_t] cap
    bint allow_empty
    Score before                # of recursive bisection's result
    vector[Start] starts


cdef int prepare_polish(vid_t k, wgt_t cap, bint allow_empty, uint64_t seed, Polish& polish) except -1 nogil:
    polish.k = k
    polish.cap.assign(k, cap)
    polish.allow_empty = allow_empty
    polish.seed = seed
    return 0


cdef int open_polish(const Graph& g, const Options& opt, Scratch& ws, vector[vid_t]& label,
                     Polish& polish) except -1 nogil:
    # Takes the result of one recursive bisection, in place of that of another if it is better.
    cdef Rng rng = derive(polish.seed, 0xD1, polish.k)
    if not polish.allow_empty:
        fill_empty(g, polish.k, label)
    settle(g, polish.k, polish.cap, opt, ws, rng, label)
    if polish.starts.empty() or less(ws.fm.score, polish.before):
        polish.before = ws.fm.score
        polish.starts.resize(2)
        polish.starts[0].label.swap(label)
        polish.starts[0].score = ws.fm.score
        polish.starts[1].score.over = -1
    return 0


cdef inline int restarts_for(const Graph& g, vid_t k, const Options& opt) noexcept nogil:
    cdef int64_t most = opt.restarts
    cdef int depth = 1
    if k == 2:
        most = opt.bisection_restarts
    while (<int64_t>1 << depth) < k:
        depth += 1
    return <int>min(most, opt.restart_work // (depth * (g.n + <int64_t>g.adj.size()) + 1))


cdef inline uint64_t seed_of_restart(uint64_t seed, int restart) noexcept nogil:
    if restart == 0:
        return seed
    return derive(seed, 0xA7, restart).state


cdef int polish_start(const Graph& g, const Options& opt, int which, Scratch& ws, Polish& polish) except -1 nogil:
    cdef Rng rng = derive(polish.seed, 0xD2, which)
    cdef Start* start = &polish.starts[which]
    cdef vector[vid_t] order
    cdef vid_t k = polish.k
    cdef int cycles = opt.kway_cycles
    if k == 2:
        # The same as those that the bisection has had.
        cycles = max(0, cycles - opt.cycles)
    if which == 1:
        if opt.order_ratio <= 0 or not g.anchor.empty():
            return 0
        given_order(g, order)
        split_order(g, k, polish.cap[0], order, start.label)
        if not polish.allow_empty:
            fill_empty(g, k, start.label)
        if cost_of(g, start.label, k) >= 3 * opt.order_ratio * polish.before.cost:
            return 0
        settle(g, k, polish.cap, opt, ws, rng, start.label)
        start.score = ws.fm.score
        if start.score.cost >= opt.order_ratio * polish.before.cost:
            return 0
        cycles = max(1, cycles)
    return kway_cycles(g, k, polish.cap, opt, cycles, ws, rng, start.label, start.score)


cdef int close_polish(const Graph& g, const Options& opt, Scratch& ws, Polish& polish,
                      vector[vid_t]& label) except -1 nogil:
    cdef Rng rng = derive(polish.seed, 0xD3, polish.k)
    cdef vector[vid_t] tried
    cdef Score best = polish.starts[0].score
    label.swap(polish.starts[0].label)
    if polish.starts[1].score.over >= 0 and less(polish.starts[1].score, best):
        best = polish.starts[1].score
        label.swap(polish.starts[1].label)
    if best.over > 0:
        tried = label
        settle(g, polish.k, polish.cap, opt, ws, rng, tried)
        if less(ws.fm.score, best):
            label.swap(tried)
    if opt.check:
        check_labels(g, label, polish.k, b"k-way refinement")
    return 0


cdef class Branch:
    # A job of recursive bisection that any thread can take: which thread does so changes nothing but the time.
    cdef Job job
    cdef Options opt
    cdef wgt_t cap
    cdef uint64_t seed

    cdef Branch child(self, const Job& job):
        cdef Branch b = Branch()
        b.job = job
        b.opt = self.opt
        b.cap = self.cap
        b.seed = self.seed
        return b

    def split(self, Stop stop):
        cdef Job low, high
        cdef Scratch ws
        watch(stop)
        try:
            with nogil:
                ws.fm.epoch = 0
                split(self.job, self.job.graph, self.cap, self.opt, self.seed, ws, low, high)
        finally:
            watch(None)
        return self.child(low), self.child(high)


cdef enum Step:
    GUIDE, SCAN, REPAIR, RUN, POLISH


cdef class Crew:
    # Steps on the whole graph that threads can take side by side.
    cdef const Graph* g
    cdef Options opt
    cdef vector[wgt_t] cap
    cdef Portfolio folio
    cdef Polish polish

    cdef int work(self, int step, int which, Scratch& ws) except -1 nogil:
        if step == GUIDE:
            return find_guide(self.g[0], self.cap, self.opt, which, ws, self.folio)
        if step == SCAN:
            return start_scanned(self.g[0], self.cap, self.opt, ws, self.folio)
        if step == REPAIR:
            return start_repaired(self.g[0], self.cap, self.opt, which, ws, self.folio)
        if step == RUN:
            return start_multilevel(self.g[0], self.cap, self.opt, which, ws, self.folio)
        return polish_start(self.g[0], self.opt, which, ws, self.polish)

    def take(self, int step, int which, Stop stop):
        cdef Scratch ws
        watch(stop)
        try:
            with nogil:
                ws.fm.epoch = 0
                self.work(step, which, ws)
        finally:
            watch(None)


cdef int bisect_threaded(pool, const Graph& g, vid_t k, wgt_t cap, const Options& opt, uint64_t seed, Scratch& ws,
                         Stop stop, vector[vid_t]& label) except -1:
    # Recursive bisection: the starts of the first one side by side, then the branches.
    cdef Crew crew = Crew()
    cdef Branch root = Branch(), branch
    cdef Job low, high
    cdef vector[vid_t] side
    crew.g = &g
    crew.opt = opt
    root.opt = opt
    root.cap = cap
    root.seed = seed
    root.job.first = 0
    root.job.k = k
    label.assign(g.n, 0)
    with nogil:
        halve(root.job, g, cap, low, high, crew.cap)
        open_portfolio(g, low.k, high.k, opt, seed_of(root.job, seed), crew.folio)
    guides = range(crew.folio.guided.size())
    for steps in (
        [(GUIDE, j) for j in guides] + [(SCAN, 0)],
        [(step, j) for j in guides for step in (REPAIR, RUN)],
    ):
        for done in [pool.submit(crew.take, step, j, stop) for step, j in steps]:
            done.result()
    with nogil:
        close_portfolio(g, crew.cap, opt, ws, crew.folio, side)
        part_ways(root.job, g, side, low, high)
    ready = [root.child(low), root.child(high)]
    running = set()
    while ready or running:
        for branch in ready:
            if is_leaf(branch.job):
                write_leaf(branch.job, label)
            else:
                running.add(pool.submit(branch.split, stop))
        done, running = wait(running, return_when=FIRST_COMPLETED) if running else ((), running)
        ready = [child for future in done for child in future.result()]
    return 0


cdef int threaded(const Graph& g, vid_t k, wgt_t cap, bint allow_empty, const Options& opt, uint64_t seed, Scratch& ws,
                  int threads, Stop given, vector[vid_t]& label) except -1:
    # What `unthreaded` does, by several threads.
    cdef Crew crew = Crew()
    cdef Stop stop = Stop() if given is None else given
    cdef int restart
    crew.g = &g
    crew.opt = opt
    prepare_polish(k, cap, allow_empty, seed, crew.polish)
    with ThreadPoolExecutor(threads) as pool:
        try:
            for restart in range(restarts_for(g, k, opt) + 1):
                bisect_threaded(pool, g, k, cap, opt, seed_of_restart(seed, restart), ws, stop, label)
                with nogil:
                    open_polish(g, opt, ws, label, crew.polish)
            for done in [pool.submit(crew.take, POLISH, j, stop) for j in range(2)]:
                done.result()
            with nogil:
                close_polish(g, opt, ws, crew.polish, label)
        except BaseException:
            if not stop.raised:
                stop.set()
            raise
    return 0


cdef int unthreaded(const Graph& g, vid_t k, wgt_t cap, bint allow_empty, const Options& opt, uint64_t seed,
                    Scratch& ws, vector[vid_t]& label) except -1 nogil:
    cdef Polish polish
    cdef int which, restart
    prepare_polish(k, cap, allow_empty, seed, polish)
    for restart in range(restarts_for(g, k, opt) + 1):
        recursive_bisection(g, k, cap, opt, seed_of_restart(seed, restart), ws, label)
        open_polish(g, opt, ws, label, polish)
    for which in range(2):
        polish_start(g, opt, which, ws, polish)
    return close_polish(g, opt, ws, polish, label)


cdef int search_small(const Graph& g, vid_t k, wgt_t cap, const Options& opt, uint64_t seed, Scratch& ws,
                      vector[vid_t]& best_label) except -1 nogil:
    # Random restarts for graphs so small that hundreds cost nothing: the best split of a topological order, FM (also
    # through overloaded states, which swap vertices between full parts) and redrawn numberings.
    cdef vector[wgt_t] caps
    cdef vector[vid_t] label, order, by_label
    cdef Rng rng = derive(seed, 0x51, k)
    cdef wgt_t heaviest = 0
    cdef Score best, was
    cdef vid_t v, p, low, high
    cdef int64_t t, turn, rounds, work
    work = <int64_t>g.n * (<int64_t>g.n * k + <int64_t>g.nets.pin.size())
    work += 64 * (<int64_t>g.n + <int64_t>g.adj.size())
    rounds = min(<int64_t>opt.small_rounds, opt.small_work // work)
    caps.assign(k, cap)
    for v in range(g.n):
        heaviest = max(heaviest, g.vwgt[v])
    score_of(g, best_label, k, caps, best)
    for t in range(rounds):
        make_order(g, DEPTH_FIRST if draw32(rng) & 1 else RANDOM, draw32(rng) & 1, rng, order)
        if t % 4:
            # Part by part along the best partition in a new numbering, the order drawn at random inside the parts and
            # inside a few neighbouring parts taken as one: the split moves every boundary, and redraws those parts.
            label = best_label
            renumber(g, k, rng, label)
            low = below(rng, k)
            high = min(k, low + <vid_t>(t % 4))
            for v in range(g.n):
                if low < label[v] < high:
                    label[v] = low
            by_label.clear()
            for p in range(k):
                for v in range(g.n):
                    if label[order[v]] == p:
                        by_label.push_back(order[v])
            order.swap(by_label)
        if best_split(g, order, k, caps, label):
            continue
        improve(g, k, caps, True, opt, ws, rng, label)
        turn = 0
        while turn < 4:
            was = ws.fm.score
            renumber(g, k, rng, label)
            improve(g, k, caps, True, opt, ws, rng, label, heaviest)
            improve(g, k, caps, True, opt, ws, rng, label)
            turn = 0 if less(ws.fm.score, was) else turn + 1
        if less(ws.fm.score, best):
            best = ws.fm.score
            best_label.swap(label)
        check_interrupt()
    return 0


cdef Options read_options(options):
    cdef Options o
    o.guides = options.guides
    o.guide_starts = options.guide_starts
    o.starts = options.starts
    o.scans = options.scans
    o.repairs = options.repairs
    o.cycles = options.cycles
    o.restarts = options.restarts
    o.bisection_restarts = options.bisection_restarts
    o.restart_work = options.restart_work
    o.kway_cycles = options.kway_cycles
    o.passes = options.passes
    o.shrink = options.shrink
    o.guide_shrink = options.guide_shrink
    o.stop_fraction = options.stop_fraction
    o.stop_min = options.stop_min
    o.stop_max = options.stop_max
    o.coarsest = options.coarsest
    o.coarsest_per_part = options.coarsest_per_part
    o.order_ratio = options.order_ratio
    o.flow_vertices = options.flow_vertices
    o.flow_rounds = options.flow_rounds
    o.flow_depth = options.flow_depth
    o.flow_nodes = options.flow_nodes
    o.flow_reach = options.flow_reach
    o.small_rounds = options.small_rounds
    o.small_work = options.small_work
    o.check = options.check
    return o


cdef class Engine:
    """A graph and what is asked of its partitions; every call works on arrays of its own, so threads may share one.

    Parameters
    ----------
    indptr, indices, edge_weights : int64[n + 1], int32[m], int64[m]
        Successors. Weights must sum to less than 2^62.
    vertex_weights : int64[n]
        Must sum to less than 2^62: engine sums of two such figures must not overflow.
    rank : int32[n]
        A topological numbering of the vertices.
    anchor : int8[n] or int8[0]
        Nonzero for vertices that must end in distinct parts, at most k of them.
    k, cap : int
        Number of parts and the weight no part should pass.
    allow_empty : bool
        Whether parts may stay empty though k <= n.
    nets : (indptr, indices, edge_weights, place), optional
        Makes the objective the communication volume instead of the edge cut: the graph whose vertices send and
        receive, int64[N + 1], int32[M], int64[M], and the vertex that each of its vertices belongs to, int32[N].
    """

    cdef Graph g
    cdef vector[vid_t] rank
    cdef vid_t k
    cdef wgt_t cap
    cdef bint allow_empty

    def __init__(self, const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] edge_weights,
                 const int64_t[::1] vertex_weights, const int32_t[::1] rank, const int8_t[::1] anchor, int32_t k,
                 int64_t cap, bint allow_empty, nets=None):
        cdef vid_t v
        self.k = k
        self.cap = cap
        self.allow_empty = allow_empty
        cdef const int64_t[::1] net_indptr, net_weights
        cdef const int32_t[::1] net_indices, place
        cdef bint volume = nets is not None
        if volume:
            net_indptr, net_indices, net_weights, place = nets
            place = np.take(rank, place)
        with nogil:
            load_graph(indptr, indices, edge_weights, vertex_weights, rank, anchor, self.g)
            self.rank.resize(self.g.n)
            for v in range(self.g.n):
                self.rank[v] = rank[v]
            if volume:
                load_nets(net_indptr, net_indices, net_weights, place, self.g.n, self.g.nets)
                share_out(self.g)

    def solve(self, options, uint64_t seed, int threads=1, Stop stop=None):
        """Partition with monotone labels.

        Parameters
        ----------
        options : dagpart.options.Options
        seed : int
        threads : int
            Does not change the labels.
        stop : Stop, optional
            Ends the call from another thread.

        Returns
        -------
        labels : int32[n]
            They rise along every edge. Parts above cap are those that could not be mended.
        """
        cdef Options opt = read_options(options)
        cdef Scratch ws
        cdef vector[vid_t] label
        watch(stop)
        try:
            with nogil:
                ws.fm.epoch = 0
                if opt.check:
                    check_graph(self.g, b"input")
                if self.k == 1 or self.g.n == 0:
                    label.assign(self.g.n, 0)
                else:
                    if threads > 1 and self.g.n > THREAD_MIN:
                        with gil:
                            threaded(self.g, self.k, self.cap, self.allow_empty, opt, seed, ws, threads, stop, label)
                    else:
                        unthreaded(self.g, self.k, self.cap, self.allow_empty, opt, seed, ws, label)
                    if self.k <= self.g.n:
                        search_small(self.g, self.k, self.cap, opt, seed, ws, label)
        finally:
            watch(None)
        return self.to_caller(label)

    def split(self, options):
        """The order the vertices came in cut into k runs, balanced: an answer for who has no time at all.

        Parameters
        ----------
        options : dagpart.options.Options

        Returns
        -------
        labels : int32[n] or None
            Monotone; None where anchors rule such a simple partition out.
        """
        cdef Options opt = read_options(options)
        cdef Scratch ws
        cdef Rng rng = derive(0, 0x57, self.k)
        cdef vector[vid_t] label, order
        cdef vector[wgt_t] caps
        if not self.g.anchor.empty():
            return None
        with nogil:
            ws.fm.epoch = 0
            caps.assign(self.k, self.cap)
            given_order(self.g, order)
            split_order(self.g, self.k, self.cap, order, label)
            if not self.allow_empty:
                fill_empty(self.g, self.k, label)
            rebalance(self.g, label, self.k, caps, ws.fm, rng)
            if opt.check:
                check_labels(self.g, label, self.k, b"split of the given order")
        return self.to_caller(label)

    def combine(self, const int32_t[::1] labels, const int32_t[::1] other, options, uint64_t seed, Stop stop=None):
        """A V-cycle from `labels` that contracts nothing that either labelling cuts.

        Cells of the overlay of two acyclic partitions are ordered by the product of the two orders, so contracting
        inside them leaves an acyclic graph on which both partitions live. With `other` equal to `labels` this is an
        ordinary V-cycle. The numbering of the parts is redrawn.

        Parameters
        ----------
        labels, other : int32[n]
            Monotone.
        options, seed, stop
            As for `solve`.

        Returns
        -------
        labels : int32[n]
            Not worse than `labels`.
        """
        cdef Options opt = read_options(options)
        cdef Scratch ws
        cdef Rng rng = derive(seed, 0xC0, self.k)
        cdef vector[vid_t] label, start, cell
        cdef vector[wgt_t] caps
        cdef Score before
        cdef vid_t v, n = self.g.n
        cdef bint same = self.k > 46340     # k * k must fit
        watch(stop)
        try:
            with nogil:
                ws.fm.epoch = 0
                caps.assign(self.k, self.cap)
                start.resize(n)
                cell.resize(n)
                for v in range(n):
                    start[self.rank[v]] = labels[v]
                    cell[self.rank[v]] = labels[v]
                    if not same:
                        cell[self.rank[v]] = labels[v] * self.k + other[v]
                score_of(self.g, start, self.k, caps, before)
                label = start
                renumber(self.g, self.k, rng, label)
                cycle(self.g, self.k, caps, kway_stop(self.g, self.k, opt), cell, opt, ws, rng, label)
                if less(before, ws.fm.score):
                    label.swap(start)
        finally:
            watch(None)
        return self.to_caller(label)

    def close(self, const int32_t[::1] labels, bint upwards):
        """The nearest labels above or below the given ones that rise along every edge.

        Parameters
        ----------
        labels : int32[n]
        upwards : bool
            Every vertex takes the highest label among its own and its ancestors'; else the lowest among its own and
            its descendants'.

        Returns
        -------
        labels : int32[n]
            Monotone.
        """
        cdef vector[vid_t] label
        cdef vid_t v
        label.resize(self.g.n)
        for v in range(self.g.n):
            label[self.rank[v]] = labels[v]
        if upwards:
            close_upwards(self.g, label)
        else:
            close_downwards(self.g, label)
        return self.to_caller(label)

    def refine(self, const int32_t[::1] labels, options, uint64_t seed, Stop stop=None):
        """Balance and refinement of a given partition, without coarsening.

        Parameters
        ----------
        labels : int32[n]
            Monotone; parts may be empty or too heavy.
        options, seed, stop
            As for `solve`.

        Returns
        -------
        labels : int32[n]
            Monotone. Parts above cap are those that could not be mended.
        """
        cdef Options opt = read_options(options)
        cdef Scratch ws
        cdef Rng rng = derive(seed, 0x4E, self.k)
        cdef vector[vid_t] label
        cdef vector[wgt_t] caps
        cdef vid_t v
        watch(stop)
        try:
            with nogil:
                ws.fm.epoch = 0
                caps.assign(self.k, self.cap)
                label.resize(self.g.n)
                for v in range(self.g.n):
                    label[self.rank[v]] = labels[v]
                if not self.allow_empty:
                    fill_empty(self.g, self.k, label)
                settle(self.g, self.k, caps, opt, ws, rng, label)
                if opt.check:
                    check_labels(self.g, label, self.k, b"refinement of given labels")
        finally:
            watch(None)
        return self.to_caller(label)

    def score(self, const int32_t[::1] labels):
        """Weight above the caps, summed over the parts, and the objective: partitions compare by this pair."""
        cdef vector[vid_t] label
        cdef vector[wgt_t] caps
        cdef Score s
        cdef vid_t v
        label.resize(self.g.n)
        for v in range(self.g.n):
            label[self.rank[v]] = labels[v]
        caps.assign(self.k, self.cap)
        score_of(self.g, label, self.k, caps, s)
        return s.over, s.cost

    cdef to_caller(self, const vector[vid_t]& label):
        cdef vid_t v
        out = np.empty(self.g.n, dtype=np.int32)
        cdef int32_t[::1] labels = out
        for v in range(self.g.n):
            labels[v] = label[self.rank[v]]
        return out
