"""The portfolio of one bisection: the table of starts, those that the options name, and V-cycles for the best."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from dagpart._core.base.options cimport MOST_NAMED, Options
from dagpart._core.base.random cimport BISECTION_CYCLES_STREAM, GUIDE_STREAM, Rng, derive
from dagpart._core.base.types cimport vid_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.initial.closures cimport anchor_classes
from dagpart._core.labels.labelling cimport Labelling, check_labels, less, take_label
from dagpart._core.multilevel.cycles cimport v_cycle
from dagpart._core.multilevel.guide cimport find_guide
from dagpart._core.multilevel.start cimport NOT_MADE, Bisection, Start
from dagpart._core.multilevel.starts cimport MULTILEVEL, REPAIR, SCAN
from dagpart._core.refinement.refiner cimport Scratch

cdef double OTHER_SHRINK = 1.6      # how much faster every second guide coarsens: on some graphs slow guides best

cdef vector[Start] starts
starts.push_back(SCAN)
starts.push_back(REPAIR)
starts.push_back(MULTILEVEL)


cdef int register_start(const Start& start) except -1:
    starts.push_back(start)
    return 0


def start_names():
    """Names of the starts, in the order of their numbers."""
    cdef size_t i
    return [(<bytes>starts[i].name).decode() for i in range(starts.size())]


cdef int enter_starts(bint for_each_guide, int guide, const Options& opt, Portfolio& folio) except -1 nogil:
    # Those that the options name.
    cdef Entrant entrant
    cdef int i
    for i in range(MOST_NAMED):
        if opt.starts_named[i] >= 0 and starts[opt.starts_named[i]].for_each_guide == for_each_guide:
            entrant.start = opt.starts_named[i]
            entrant.guide = guide
            folio.entrants.push_back(entrant)
    return 0


cdef int open_portfolio(const Graph& g, vid_t k0, vid_t k1, const Options& opt, uint64_t seed,
                        Portfolio& folio) except -1 nogil:
    # folio.cap is given.
    cdef int j, guides = 1
    cdef size_t i
    if opt.guide and g.n > opt.coarsest:
        guides = opt.guides
    folio.seed = seed
    folio.guides.resize(guides)
    enter_starts(False, 0, opt, folio)
    for j in range(guides):
        enter_starts(True, j, opt, folio)
    folio.made.resize(folio.entrants.size())
    for i in range(folio.made.size()):
        folio.made[i].k = 2
        folio.made[i].cap = folio.cap
        folio.made[i].score.over = NOT_MADE
    if not g.anchor.empty():
        anchor_classes(g, k0, k1, folio.side)
    return 0


cdef int make_guide(const Graph& g, const Options& opt, int which, Scratch& scratch, Portfolio& folio) except -1 nogil:
    cdef Rng rng = derive(folio.seed, GUIDE_STREAM, which)
    cdef Options other = opt
    if opt.guide and g.n > opt.coarsest:
        if which & 1:
            other.guide_shrink *= OTHER_SHRINK
        find_guide(g, folio.cap, other, scratch, rng, folio.guides[which])
    return 0


cdef int make_start(const Graph& g, const Options& opt, int which, Scratch& scratch, Portfolio& folio) except -1 nogil:
    cdef Entrant entrant = folio.entrants[which]
    cdef Start* start = &starts[entrant.start]
    cdef Rng rng = derive(folio.seed, start.stream, entrant.guide)
    cdef Bisection problem
    problem.cap = &folio.cap
    problem.side = &folio.side
    return start.make(g, problem, folio.guides[entrant.guide], opt, scratch, rng, folio.made[which])


cdef int close_portfolio(const Graph& g, const Options& opt, Scratch& scratch, Portfolio& folio,
                         vector[vid_t]& label) except -1 nogil:
    # The best start gets the V-cycles.
    cdef Rng rng = derive(folio.seed, BISECTION_CYCLES_STREAM, 0)
    cdef Labelling best, tried
    cdef size_t i
    cdef int _cycle
    best.k = 2
    best.cap = folio.cap
    best.score.over = NOT_MADE
    for i in range(folio.made.size()):
        if folio.made[i].score.over != NOT_MADE:
            if best.score.over == NOT_MADE or less(folio.made[i].score, best.score):
                take_label(best, folio.made[i])
    if g.n > opt.coarsest:
        for _cycle in range(opt.cycles):
            tried = best
            v_cycle(g, opt.coarsest, best.label, opt, scratch, rng, tried)
            if less(tried.score, best.score):
                take_label(best, tried)
    if opt.check:
        check_labels(g, best.label, 2, b"bisection")
    label.swap(best.label)
    return 0
