"""V-cycles: down the hierarchy with the labels, and up again with refinement on every level."""

from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t
from dagpart._core.coarsening.hierarchy cimport Hierarchy, coarsen, graph_at, project, restrict_labels
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling
from dagpart._core.refinement.balancer cimport rebalance
from dagpart._core.refinement.level cimport refine_level
from dagpart._core.refinement.refiner cimport Scratch, refine_t


cdef int uncoarsen(const Graph& g, refine_t refine, const Options& opt, Scratch& scratch, Rng& rng, Hierarchy& h,
                   Labelling& parts) except -1 nogil:
    # From labels of the coarsest level to refined labels of g. Levels that are done are given up.
    cdef int level
    cdef Graph nothing
    for level in range(h.depth - 1, -1, -1):
        project(graph_at(g, h, level)[0], h.cluster[level], parts)
        refine(graph_at(g, h, level)[0], opt, scratch, rng, parts)
        if level > 0:
            h.graph[level + 1] = nothing
    return 0


cdef int v_cycle(const Graph& g, vid_t stop, const vector[vid_t]& cell, const Options& opt, Scratch& scratch, Rng& rng,
                 Labelling& parts) except -1 nogil:
    # Coarsens inside the cells (which no part boundary may cut) to `stop` vertices, refines on the way back.
    cdef Hierarchy h
    coarsen(g, cell, stop, opt, rng, h)
    restrict_labels(g, h, parts)
    refine_level(graph_at(g, h, h.depth)[0], opt, scratch, rng, parts)
    return uncoarsen(g, refine_level, opt, scratch, rng, h, parts)


cdef int settle(const Graph& g, const Options& opt, Scratch& scratch, Rng& rng, Labelling& parts) except -1 nogil:
    # Balance, then refinement.
    rebalance(g, scratch.fm, rng, parts)
    return refine_level(g, opt, scratch, rng, parts)
