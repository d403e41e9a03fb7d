"""The table of clusterers, coarsening by those that the options name, and labels on their way up and down."""

from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.options cimport MOST_NAMED, Options
from dagpart._core.base.random cimport Rng, below
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.coarsening.clusterer cimport Clusterer
from dagpart._core.coarsening.level_pairs cimport LEVELS
from dagpart._core.coarsening.runs cimport RUNS
from dagpart._core.coarsening.undirected cimport UNDIRECTED
from dagpart._core.graph.csr cimport Graph, contract
from dagpart._core.labels.labelling cimport Labelling, check_graph, count_parts

cdef enum:
    MOST_LEVELS = 64
    TURN = 4                # one step of coarsening in so many goes to another clusterer than the first

cdef:
    double ROOM = 1.5       # what a cluster may weigh over the mean of the coarsest graph
    double STALLED = 0.9    # clusters over vertices above which another clusterer is tried
    double STUCK = 0.95     # clusters over vertices above which coarsening ends

cdef vector[Clusterer] clusterers
clusterers.push_back(RUNS)
clusterers.push_back(LEVELS)


cdef int register_clusterer(const Clusterer& clusterer) except -1:
    clusterers.push_back(clusterer)
    return 0


def clusterer_names():
    """Names of the clusterers, in the order of their numbers."""
    cdef size_t i
    return [(<bytes>clusterers[i].name).decode() for i in range(clusterers.size())]


cdef vid_t run_clusterer(int which, const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, const Options& opt,
                         Rng& rng, vector[vid_t]& cluster) except -1 nogil:
    return clusterers[which].cluster(g, cell, max_weight, opt, rng, cluster)


cdef vid_t cluster_once(const Graph& g, const vector[vid_t]& cell, wgt_t max_weight, const Options& opt, Rng& rng,
                        vector[vid_t]& cluster) except -1 nogil:
    # One of the clusterers that the options name: the first in three steps of four, since mixing them serves diversity;
    # where it stalls, the next.
    cdef vid_t nc
    cdef int named = 0, which = 0
    while named < MOST_NAMED and opt.clusterers[named] >= 0:
        named += 1
    if named > 1 and below(rng, TURN) == 0:
        which = 1
        if named > 2:
            which += below(rng, named - 1)
    nc = run_clusterer(opt.clusterers[which], g, cell, max_weight, opt, rng, cluster)
    if which == 0 and named > 1 and nc > STALLED * g.n:
        nc = run_clusterer(opt.clusterers[1], g, cell, max_weight, opt, rng, cluster)
    return nc


cdef int coarsen_by(const Graph& g, const vector[vid_t]& given, vid_t stop, bint undirected, const Options& opt,
                    Rng& rng, Hierarchy& h) except -1 nogil:
    # Coarsens until `stop` vertices are left or clustering stalls.
    cdef const Graph* fine = &g
    cdef vid_t nc
    cdef vector[vid_t] cell = given, coarse_cell
    cdef wgt_t max_weight = <wgt_t>(ROOM * g.total / stop) + 1
    h.graph.resize(MOST_LEVELS)
    h.cluster.resize(MOST_LEVELS)
    h.depth = 0
    while fine.n > stop and h.depth + 1 < MOST_LEVELS:
        check_interrupt()
        if undirected:
            nc = UNDIRECTED.cluster(fine[0], cell, max_weight, opt, rng, h.cluster[h.depth])
        else:
            nc = cluster_once(fine[0], cell, max_weight, opt, rng, h.cluster[h.depth])
        if nc > STUCK * fine.n:
            break
        contract(fine[0], h.cluster[h.depth], nc, undirected, h.graph[h.depth + 1])
        if not cell.empty():
            carry(h.cluster[h.depth], nc, cell, coarse_cell)
            cell.swap(coarse_cell)
        h.depth += 1
        fine = &h.graph[h.depth]
        if opt.check:
            check_graph(fine[0], b"contraction")
    return 0


cdef int coarsen(const Graph& g, const vector[vid_t]& cell, vid_t stop, const Options& opt, Rng& rng,
                 Hierarchy& h) except -1 nogil:
    # Acyclic; nothing that the cells part is contracted.
    return coarsen_by(g, cell, stop, False, opt, rng, h)


cdef int coarsen_undirected(const Graph& g, vid_t stop, const Options& opt, Rng& rng, Hierarchy& h) except -1 nogil:
    cdef vector[vid_t] none
    return coarsen_by(g, none, stop, True, opt, rng, h)


cdef int carry(const vector[vid_t]& cluster, vid_t nc, const vector[vid_t]& fine,
               vector[vid_t]& coarse) except -1 nogil:
    # What the vertices have becomes what the clusters have; no cluster may hold two kinds.
    cdef size_t v
    coarse.resize(nc)
    for v in range(cluster.size()):
        coarse[cluster[v]] = fine[v]
    return 0


cdef int restrict_labels(const Graph& g, const Hierarchy& h, Labelling& parts) except -1 nogil:
    # Labels of g that no cluster crosses become labels of the coarsest graph.
    cdef vector[vid_t] coarse
    cdef int level
    for level in range(h.depth):
        carry(h.cluster[level], h.graph[level + 1].n, parts.label, coarse)
        parts.label.swap(coarse)
    return count_parts(graph_at(g, h, h.depth)[0], parts)


cdef int project(const Graph& fine, const vector[vid_t]& cluster, Labelling& parts) except -1 nogil:
    # One level down, to the vertices of the clusters.
    cdef vector[vid_t] label
    cdef size_t v
    label.resize(cluster.size())
    for v in range(cluster.size()):
        label[v] = parts.label[cluster[v]]
    parts.label.swap(label)
    return count_parts(fine, parts)
