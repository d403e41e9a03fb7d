"""Guides: multilevel bisections that ignore direction. Coarsening keeps to their sides; repaired they are starts."""

from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.coarsening.hierarchy cimport Hierarchy, coarsen_undirected, graph_at
from dagpart._core.graph.csr cimport Graph
from dagpart._core.initial.growing cimport grow
from dagpart._core.labels.labelling cimport Labelling, less, measure_undirected, take_label
from dagpart._core.multilevel.cycles cimport uncoarsen
from dagpart._core.refinement.fm cimport TWO_WAY_FM
from dagpart._core.refinement.refiner cimport Scratch

cdef enum:
    START_WORK = 1 << 17    # vertices that the starts on one coarsest graph may visit together


cdef int affordable(int starts, vid_t n) noexcept nogil:
    # Where coarsening stalled the coarsest graph is large, and fewer starts must do.
    return min(starts, max(1, START_WORK // (n + 1)))


cdef int find_guide(const Graph& g, const vector[wgt_t]& cap, const Options& opt, Scratch& scratch, Rng& rng,
                    vector[vid_t]& label) except -1 nogil:
    cdef Hierarchy h
    cdef Labelling best, tried
    cdef int t
    coarsen_undirected(g, opt.coarsest, opt, rng, h)
    cdef const Graph* coarsest = graph_at(g, h, h.depth)
    best.k = 2
    best.cap = cap
    tried.k = 2
    tried.cap = cap
    for t in range(affordable(opt.guide_starts, coarsest.n)):
        grow(coarsest[0], cap, rng, tried.label)
        measure_undirected(coarsest[0], tried)
        TWO_WAY_FM.refine(coarsest[0], opt, scratch, rng, tried)
        if t == 0 or less(tried.score, best.score):
            take_label(best, tried)
    uncoarsen(g, TWO_WAY_FM.refine, opt, scratch, rng, h, best)
    label.swap(best.label)
    return 0
