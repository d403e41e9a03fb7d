"""The starts of a bisection: scanned orders, repaired guides, multilevel runs inside a guide."""

from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport MULTILEVEL_STREAM, REPAIR_STREAM, SCAN_STREAM, Rng
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.coarsening.hierarchy cimport Hierarchy, carry, coarsen, graph_at
from dagpart._core.graph.csr cimport Graph
from dagpart._core.initial.closures cimport bind, bind_order, repair_guide
from dagpart._core.initial.orders cimport (
    BOTTOM_LEVEL, BREADTH_FIRST, BY_ID, DEPTH_FIRST, GREEDY, ORDERS, TOP_LEVEL, Order, make_order, order_by_component,
)
from dagpart._core.initial.prefixes cimport best_prefix
from dagpart._core.labels.labelling cimport Labelling, Score, less, measure, take_label
from dagpart._core.multilevel.cycles cimport settle, uncoarsen
from dagpart._core.multilevel.guide cimport affordable
from dagpart._core.multilevel.start cimport NOT_MADE, Bisection
from dagpart._core.refinement.level cimport refine_level
from dagpart._core.refinement.refiner cimport Scratch

cdef enum:
    SCANS = 8               # orders there are to scan
    REPAIRS = 4             # ways to repair a guide

cdef double MENDING = 4.0   # what a share of overload costs a repair, over the same share of the guide's cut


cdef inline int keep_better(Labelling& kept, Labelling& tried) except -1 nogil:
    if kept.score.over == NOT_MADE or less(tried.score, kept.score):
        take_label(kept, tried)
    return 0


cdef int open_two(const Bisection& problem, Labelling& parts) except -1 nogil:
    parts.k = 2
    parts.cap = problem.cap[0]
    parts.score.over = NOT_MADE
    return 0


cdef int scan_orders(const Graph& g, const Bisection& problem, const vector[vid_t]& guide, const Options& opt,
                     Scratch& scratch, Rng& rng, Labelling& parts) except -1 nogil:
    # The best prefix over several topological orders. Where the graph is in pieces, these are packed whole.
    cdef Order[SCANS] kinds = [BY_ID, TOP_LEVEL, BOTTOM_LEVEL, DEPTH_FIRST, GREEDY, DEPTH_FIRST, GREEDY, BREADTH_FIRST]
    cdef bint[SCANS] backward = [False, False, False, False, False, True, True, False]
    cdef vector[vid_t] order
    cdef Labelling best, tried
    cdef int i
    open_two(problem, best)
    open_two(problem, tried)
    for i in range(-1, min(opt.scans, SCANS)):
        if i >= 0:
            make_order(g, kinds[i], backward[i], rng, order)
        elif order_by_component(g, order) < 2:
            continue
        bind_order(problem.side[0], order)
        best_prefix(g, order, problem.cap[0], tried.label)
        bind(problem.side[0], tried.label)
        measure(g, tried)
        keep_better(best, tried)
        check_interrupt()
    settle(g, opt, scratch, rng, best)
    return take_label(parts, best)


cdef int repair(const Graph& g, const Bisection& problem, const vector[vid_t]& guide, const Options& opt,
                Scratch& scratch, Rng& rng, Labelling& parts) except -1 nogil:
    # The most promising of the guide's four repairs, refined.
    cdef vector[Labelling] fixes
    cdef Labelling guided
    cdef Score[REPAIRS] promise
    cdef int[REPAIRS] rank
    cdef double mend
    cdef int t, i, q
    if guide.empty():
        return 0
    open_two(problem, guided)
    guided.label = guide
    measure(g, guided)
    fixes.resize(REPAIRS)
    for t in range(REPAIRS):
        open_two(problem, fixes[t])
        repair_guide(g, guide, problem.side[0], t, fixes[t].label)
        measure(g, fixes[t])
        # What a repair left out of balance will cost to mend; rank by both.
        mend = MENDING * fixes[t].score.over * (<double>guided.score.cost + 1) / (<double>g.total + 1)
        promise[t].cost = fixes[t].score.cost + <wgt_t>min(mend, 1e18)
        rank[t] = t
    for i in range(1, REPAIRS):
        q = i
        while q > 0 and promise[rank[q]].cost < promise[rank[q - 1]].cost:
            rank[q], rank[q - 1] = rank[q - 1], rank[q]
            q -= 1
    for i in range(min(opt.repairs, REPAIRS)):
        settle(g, opt, scratch, rng, fixes[rank[i]])
        keep_better(parts, fixes[rank[i]])
    return 0


cdef int carry_down(const Hierarchy& h, vector[vid_t]& what) except -1 nogil:
    # To the coarsest level, if there is anything to carry.
    cdef vector[vid_t] coarse
    cdef int level
    if what.empty():
        return 0
    for level in range(h.depth):
        carry(h.cluster[level], h.graph[level + 1].n, what, coarse)
        what.swap(coarse)
    return 0


cdef int run_multilevel(const Graph& g, const Bisection& problem, const vector[vid_t]& guide, const Options& opt,
                        Scratch& scratch, Rng& rng, Labelling& parts) except -1 nogil:
    # Acyclic coarsening inside the guide's two sides, many starts on the coarsest graph, refinement on the way back.
    cdef Hierarchy h
    cdef vector[vid_t] cell = guide, side = problem.side[0], coarse_guide = guide, order
    cdef Labelling best, tried
    cdef vid_t v
    cdef int t, starts
    open_two(problem, best)
    open_two(problem, tried)
    if not side.empty():
        cell.resize(g.n, 0)
        for v in range(g.n):
            cell[v] = 3 * cell[v] + side[v] + 1
    coarsen(g, cell, opt.coarsest, opt, rng, h)
    cdef const Graph* coarsest = graph_at(g, h, h.depth)
    carry_down(h, side)
    carry_down(h, coarse_guide)
    starts = affordable(opt.starts, coarsest.n)
    for t in range(starts + (0 if guide.empty() else REPAIRS)):
        if t < starts:
            make_order(coarsest[0], <Order>(t % <int>ORDERS), (t // <int>ORDERS) & 1, rng, order)
            bind_order(side, order)
            best_prefix(coarsest[0], order, problem.cap[0], tried.label)
            bind(side, tried.label)
        else:
            repair_guide(coarsest[0], coarse_guide, side, t - starts, tried.label)
        measure(coarsest[0], tried)
        settle(coarsest[0], opt, scratch, rng, tried)
        keep_better(best, tried)
    uncoarsen(g, refine_level, opt, scratch, rng, h, best)
    settle(g, opt, scratch, rng, best)
    return take_label(parts, best)


SCAN.name = b"scan"
SCAN.make = scan_orders
SCAN.for_each_guide = False
SCAN.stream = SCAN_STREAM
REPAIR.name = b"repair"
REPAIR.make = repair
REPAIR.for_each_guide = True
REPAIR.stream = REPAIR_STREAM
MULTILEVEL.name = b"multilevel"
MULTILEVEL.make = run_multilevel
MULTILEVEL.for_each_guide = True
MULTILEVEL.stream = MULTILEVEL_STREAM
