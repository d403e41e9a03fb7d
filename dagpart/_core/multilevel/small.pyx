"""Random restarts for graphs so small that hundreds cost nothing.

Each cuts a topological order where it costs least, refines that by FM (also through overloaded states, which swap
vertices between full parts) and redraws the numbering.
"""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport SMALL_STREAM, Rng, below, derive, draw32
from dagpart._core.base.types cimport vid_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.initial.orders cimport DEPTH_FIRST, RANDOM, Order, make_order
from dagpart._core.initial.prefixes cimport best_split
from dagpart._core.labels.labelling cimport Labelling, Score, less, measure, open_labelling, take_label
from dagpart._core.labels.numbering cimport renumber
from dagpart._core.multilevel.kway cimport Request
from dagpart._core.refinement.level cimport refine_level
from dagpart._core.refinement.refiner cimport Scratch

cdef enum:
    EDGE_WORK = 64          # what a vertex or an edge costs a restart, over one step of the split's dynamic program
    TURNS = 4               # redrawn numberings in a row that may gain nothing


cdef int64_t rounds_for(const Graph& g, vid_t k, const Options& opt) noexcept nogil:
    cdef int64_t work = <int64_t>g.n * (<int64_t>g.n * k + <int64_t>g.nets.pin.size())
    work += EDGE_WORK * (<int64_t>g.n + <int64_t>g.adj.size())
    return min(<int64_t>opt.small_rounds, opt.small_work // work)


cdef int order_along(const Graph& g, const Labelling& best, int width, Rng& rng, Labelling& parts,
                     vector[vid_t]& order) except -1 nogil:
    # Part by part along the best partition in a new numbering, the order as it is inside the parts and inside a few
    # neighbouring parts taken as one: the split moves every boundary, and redraws those parts.
    cdef vector[vid_t] by_label
    cdef vid_t v, p, low, high
    parts = best
    renumber(g, rng, parts)
    low = below(rng, parts.k)
    high = min(parts.k, low + <vid_t>width)
    for v in range(g.n):
        if low < parts.label[v] < high:
            parts.label[v] = low
    for p in range(parts.k):
        for v in range(g.n):
            if parts.label[order[v]] == p:
                by_label.push_back(order[v])
    order.swap(by_label)
    return 0


cdef int redraw(const Graph& g, const Options& opt, const Options& through, Scratch& scratch, Rng& rng,
                Labelling& parts) except -1 nogil:
    # New numberings, each refined through overloaded states and again without, until a few in a row gain nothing.
    cdef Score was
    cdef int turn = 0
    while turn < TURNS:
        was = parts.score
        renumber(g, rng, parts)
        refine_level(g, through, scratch, rng, parts)
        refine_level(g, opt, scratch, rng, parts)
        turn = 0 if less(parts.score, was) else turn + 1
    return 0


cdef int search_small(const Graph& g, const Request& request, const Options& opt, Scratch& scratch,
                      vector[vid_t]& label) except -1 nogil:
    # Improves the labels.
    cdef Labelling best, parts
    cdef Options through = opt
    cdef vector[vid_t] order
    cdef Rng rng = derive(request.seed, SMALL_STREAM, request.k)
    cdef vid_t v
    cdef Order kind
    cdef bint backward
    cdef int64_t t, rounds = rounds_for(g, request.k, opt)
    if rounds < 1:
        return 0
    for v in range(g.n):
        through.slack = max(through.slack, g.vwgt[v])
    open_labelling(request.k, request.cap, best)
    open_labelling(request.k, request.cap, parts)
    best.label.swap(label)
    measure(g, best)
    for t in range(rounds):
        kind = DEPTH_FIRST if draw32(rng) & 1 else RANDOM
        backward = draw32(rng) & 1
        make_order(g, kind, backward, rng, order)
        if t % 4:
            order_along(g, best, t % 4, rng, parts, order)
        if best_split(g, order, request.k, parts.cap, parts.label):
            continue
        measure(g, parts)
        refine_level(g, opt, scratch, rng, parts)
        redraw(g, opt, through, scratch, rng, parts)
        if less(parts.score, best.score):
            take_label(best, parts)
        check_interrupt()
    label.swap(best.label)
    return 0
