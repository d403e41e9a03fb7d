"""The table of refiners, and the refinement of one level by those that the options name."""

from libcpp.vector cimport vector

from dagpart._core.base.options cimport MOST_NAMED, Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling, check_labelling
from dagpart._core.refinement.flow.pairs cimport FLOW
from dagpart._core.refinement.fm cimport MONOTONE_FM
from dagpart._core.refinement.refiner cimport Refiner, Scratch

cdef vector[Refiner] refiners
refiners.push_back(MONOTONE_FM)
refiners.push_back(FLOW)


cdef int register_refiner(const Refiner& refiner) except -1:
    refiners.push_back(refiner)
    return 0


def refiner_names():
    """Names of the refiners, in the order of their numbers."""
    cdef size_t i
    return [(<bytes>refiners[i].name).decode() for i in range(refiners.size())]


cdef int run_refiner(int which, const Graph& g, const Options& opt, Scratch& scratch, Rng& rng,
                     Labelling& parts) except -1 nogil:
    refiners[which].refine(g, opt, scratch, rng, parts)
    if opt.check:
        check_labelling(g, parts, refiners[which].name)
    return 0


cdef int refine_level(const Graph& g, const Options& opt, Scratch& scratch, Rng& rng,
                      Labelling& parts) except -1 nogil:
    # One refiner after the other. One that had its turn gets another only where the cost has fallen since.
    cdef wgt_t[MOST_NAMED] cost
    cdef int i, j
    cdef bint pointless
    for i in range(MOST_NAMED):
        if opt.refiners[i] < 0:
            break
        pointless = False
        for j in range(i):
            if opt.refiners[j] == opt.refiners[i]:
                pointless = parts.score.cost >= cost[j]
        if not pointless:
            run_refiner(opt.refiners[i], g, opt, scratch, rng, parts)
        cost[i] = parts.score.cost
    return 0
