"""Direct k-way refinement of what recursive bisection and the given order come to."""

from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport (
    KWAY_CLOSE_STREAM, KWAY_OPEN_STREAM, KWAY_START_STREAM, RESTART_STREAM, Rng, derive,
)
from dagpart._core.base.types cimport vid_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.initial.orders cimport given_order
from dagpart._core.initial.prefixes cimport split_order
from dagpart._core.labels.labelling cimport Labelling, check_labels, less, open_labelling, take_label
from dagpart._core.labels.numbering cimport measure_filled, renumber
from dagpart._core.multilevel.bisection cimport recursive_bisection
from dagpart._core.multilevel.cycles cimport settle, v_cycle
from dagpart._core.multilevel.start cimport NOT_MADE
from dagpart._core.refinement.refiner cimport Scratch

cdef enum:
    PROMISE = 3             # before refinement the given order may cost so many times what it must come to


cdef vid_t kway_stop(const Graph& g, vid_t k, const Options& opt) noexcept nogil:
    return <vid_t>max(<int64_t>opt.coarsest, min(<int64_t>opt.coarsest_per_part * k, <int64_t>g.n))


cdef int restarts_for(const Graph& g, vid_t k, const Options& opt) noexcept nogil:
    cdef int64_t most = opt.restarts
    cdef int depth = 1
    if k == 2:
        most = opt.bisection_restarts
    while (<int64_t>1 << depth) < k:
        depth += 1
    return <int>min(most, opt.restart_work // (depth * (g.n + <int64_t>g.adj.size()) + 1))


cdef uint64_t seed_of_restart(uint64_t seed, int restart) noexcept nogil:
    if restart == 0:
        return seed
    return derive(seed, RESTART_STREAM, restart).state


cdef int enter_bisected(const Graph& g, const Options& opt, Scratch& scratch, vector[vid_t]& label,
                        Final& final) except -1 nogil:
    # The result of one recursive bisection takes the place of that of another if it is better.
    cdef Rng rng = derive(final.request.seed, KWAY_OPEN_STREAM, final.request.k)
    cdef Labelling parts
    open_labelling(final.request.k, final.request.cap, parts)
    parts.label.swap(label)
    measure_filled(g, final.request.allow_empty, parts)
    settle(g, opt, scratch, rng, parts)
    if final.finalists.empty():
        final.finalists.resize(FINALISTS)
        open_labelling(final.request.k, final.request.cap, final.finalists[BISECTED])
        open_labelling(final.request.k, final.request.cap, final.finalists[ORDERED])
    elif not less(parts.score, final.before):
        return 0
    final.before = parts.score
    take_label(final.finalists[BISECTED], parts)
    final.finalists[ORDERED].score.over = NOT_MADE
    return 0


cdef int cut_given_order(const Graph& g, const Options& opt, Scratch& scratch, Rng& rng,
                         Final& final) except -1 nogil:
    # Enters the given order, refined, where it promises to come near recursive bisection's result.
    cdef vector[vid_t] order
    cdef Labelling parts
    open_labelling(final.request.k, final.request.cap, parts)
    given_order(g, order)
    split_order(g, final.request.k, final.request.cap, order, parts.label)
    measure_filled(g, final.request.allow_empty, parts)
    if parts.score.cost >= PROMISE * opt.order_ratio * final.before.cost:
        return 0
    settle(g, opt, scratch, rng, parts)
    return take_label(final.finalists[ORDERED], parts)


cdef int kway_cycles(const Graph& g, const Options& opt, int cycles, Scratch& scratch, Rng& rng,
                     Labelling& parts) except -1 nogil:
    # Direct k-way V-cycles, the numbering redrawn before each.
    cdef Labelling tried
    cdef int _cycle
    for _cycle in range(cycles):
        tried = parts
        renumber(g, rng, tried)
        v_cycle(g, kway_stop(g, parts.k, opt), tried.label, opt, scratch, rng, tried)
        if not less(parts.score, tried.score):
            take_label(parts, tried)
    return 0


cdef int improve_finalist(const Graph& g, const Options& opt, int which, Scratch& scratch,
                          Final& final) except -1 nogil:
    cdef Rng rng = derive(final.request.seed, KWAY_START_STREAM, which)
    cdef Labelling* parts = &final.finalists[which]
    cdef int cycles = opt.kway_cycles
    if final.request.k == 2:
        # The same as those that the bisection has had.
        cycles = max(0, cycles - opt.cycles)
    if which == ORDERED:
        if not opt.order or not g.anchor.empty():
            return 0
        cut_given_order(g, opt, scratch, rng, final)
        if parts.score.over == NOT_MADE or parts.score.cost >= opt.order_ratio * final.before.cost:
            return 0
        cycles = max(1, cycles)
    return kway_cycles(g, opt, cycles, scratch, rng, parts[0])


cdef int close_final(const Graph& g, const Options& opt, Scratch& scratch, Final& final,
                     vector[vid_t]& label) except -1 nogil:
    cdef Rng rng = derive(final.request.seed, KWAY_CLOSE_STREAM, final.request.k)
    cdef Labelling* best = &final.finalists[BISECTED]
    cdef Labelling* ordered = &final.finalists[ORDERED]
    cdef Labelling tried
    if ordered.score.over != NOT_MADE and less(ordered.score, best.score):
        best = ordered
    if best.score.over > 0:
        tried = best[0]
        settle(g, opt, scratch, rng, tried)
        if less(tried.score, best.score):
            take_label(best[0], tried)
    if opt.check:
        check_labels(g, best.label, final.request.k, b"k-way refinement")
    label.swap(best.label)
    return 0


cdef int solve(const Graph& g, const Request& request, const Options& opt, Scratch& scratch,
               vector[vid_t]& label) except -1 nogil:
    # Recursive bisections of which the best is refined, on this thread alone.
    cdef Final final
    cdef int restart, which
    final.request = request
    for restart in range(restarts_for(g, request.k, opt) + 1):
        recursive_bisection(g, request.k, request.cap, opt, seed_of_restart(request.seed, restart), scratch, label)
        enter_bisected(g, opt, scratch, label, final)
    for which in range(<int>FINALISTS):
        improve_finalist(g, opt, which, scratch, final)
    return close_final(g, opt, scratch, final, label)
