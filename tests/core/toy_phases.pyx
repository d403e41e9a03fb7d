# cython: language_level=3, boundscheck=False, wraparound=False
# distutils: language = c++
"""A toy refiner, clusterer and start, each all that the recipe for one asks for: a function and a line in a table."""

from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.coarsening.clusterer cimport Clusterer
from dagpart._core.coarsening.hierarchy cimport register_clusterer
from dagpart._core.graph.csr cimport Graph, is_anchored
from dagpart._core.labels.labelling cimport Labelling, excess, measure
from dagpart._core.multilevel.portfolio cimport register_start
from dagpart._core.multilevel.start cimport Bisection, Start
from dagpart._core.refinement.level cimport register_refiner
from dagpart._core.refinement.refiner cimport Refiner, Scratch

cdef:
    long refined = 0
    long clustered = 0
    long started = 0


def calls():
    """How often each was called."""
    return {"refiner": refined, "clusterer": clustered, "start": started}


cdef int fill_from_below(const Graph& g, const Options& opt, Scratch& scratch, Rng& rng,
                         Labelling& parts) except -1 nogil:
    # Every vertex that may goes one part down, where that has room and the edge cut does not rise.
    global refined
    cdef vid_t v, p
    cdef eid_t e
    cdef wgt_t rise
    cdef bint free
    refined += 1
    for v in range(g.n):
        p = parts.label[v]
        free = p > 0 and not is_anchored(g, v) and parts.count[p] > 1
        if not free or parts.load[p - 1] + g.vwgt[v] > parts.cap[p - 1]:
            continue
        rise = 0
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            free = free and parts.label[g.padj[e]] < p
            if parts.label[g.padj[e]] == p - 1:
                rise -= g.pwgt[e]
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if parts.label[g.adj[e]] == p:
                rise += g.wgt[e]
        if free and rise <= 0:
            parts.score.over -= excess(parts.load[p], parts.cap[p])
            parts.label[v] = p - 1
            parts.load[p] -= g.vwgt[v]
            parts.load[p - 1] += g.vwgt[v]
            parts.count[p] -= 1
            parts.count[p - 1] += 1
            parts.score.over += excess(parts.load[p], parts.cap[p])
            parts.score.cost += rise
    return 0


cdef vid_t pair_neighbours(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, const Options& opt, Rng& rng,
                           vector[vid_t]& cluster) except -1 nogil:
    # Two by two along the ids, which are a topological order.
    global clustered
    cdef vid_t v, count = 0
    cdef bint joins, open_ = False
    clustered += 1
    cluster.resize(g.n)
    for v in range(g.n):
        joins = open_ and g.vwgt[v - 1] + g.vwgt[v] <= max_weight and (cell.empty() or cell[v - 1] == cell[v])
        if not joins:
            count += 1
        cluster[v] = count - 1
        open_ = not joins
    return count


cdef int halve_ids(const Graph& g, const Bisection& problem, const vector[vid_t]& guide, const Options& opt,
                   Scratch& scratch, Rng& rng, Labelling& parts) except -1 nogil:
    # The lower half of the vertices is part 0.
    global started
    cdef vid_t v
    started += 1
    parts.label.resize(g.n)
    for v in range(g.n):
        parts.label[v] = v >= g.n // 2
    return measure(g, parts)


cdef Refiner refiner
refiner.name = b"toy"
refiner.refine = fill_from_below
register_refiner(refiner)

cdef Clusterer clusterer
clusterer.name = b"toy"
clusterer.cluster = pair_neighbours
register_clusterer(clusterer)

cdef Start start
start.name = b"toy_start"
start.make = halve_ids
start.for_each_guide = False
start.stream = 0x70E
register_start(start)
