"""A partition under way: labels with what is known of them, counted anew or checked."""

from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.graph.objectives cimport cost_of, cut_of


cdef inline int weigh_parts(const Graph& g, Labelling& parts) except -1 nogil:
    cdef vid_t v
    cdef size_t p
    parts.load.assign(parts.k, 0)
    parts.count.assign(parts.k, 0)
    for v in range(g.n):
        parts.load[parts.label[v]] += g.vwgt[v]
        parts.count[parts.label[v]] += 1
    parts.score.over = 0
    for p in range(parts.load.size()):
        parts.score.over += excess(parts.load[p], parts.cap[p])
    return 0


cdef int measure(const Graph& g, Labelling& parts) except -1 nogil:
    # Loads, counts and score of the labels, from nothing.
    weigh_parts(g, parts)
    parts.score.cost = cost_of(g, parts.label, parts.k)
    return 0


cdef int measure_undirected(const Graph& g, Labelling& parts) except -1 nogil:
    # The same for a guide, which costs its edges whatever the objective.
    weigh_parts(g, parts)
    parts.score.cost = cut_of(g, parts.label.data())
    return 0


cdef int count_parts(const Graph& g, Labelling& parts) except -1 nogil:
    # After labels went to a coarser or finer graph, where parts weigh and cost the same but hold other vertices.
    cdef vid_t v
    parts.count.assign(parts.k, 0)
    for v in range(g.n):
        parts.count[parts.label[v]] += 1
    return 0


cdef bint is_monotone(const Graph& g, const vector[vid_t]& label) noexcept nogil:
    cdef vid_t v
    cdef eid_t e
    for v in range(g.n):
        for e in range(g.xadj[v], g.xadj[v + 1]):
            if label[v] > label[g.adj[e]]:
                return False
    return True


cdef int require(bint truth, const char* what) except -1 nogil:
    if not truth:
        with gil:
            raise AssertionError(f"engine invariant broken: {what.decode()}")
    return 0


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


cdef int check_labels(const Graph& g, const vector[vid_t]& label, vid_t k, const char* phase) except -1 nogil:
    cdef vid_t v
    require(<vid_t>label.size() == g.n, phase)
    for v in range(g.n):
        require(0 <= label[v] < k, phase)
    return require(is_monotone(g, label), phase)


cdef int check_labelling(const Graph& g, const Labelling& parts, const char* phase) except -1 nogil:
    # Monotone labels, and loads, counts and score as they are when counted anew.
    cdef Labelling counted
    cdef vid_t p
    check_labels(g, parts.label, parts.k, phase)
    counted = parts
    measure(g, counted)
    require(<vid_t>parts.load.size() == parts.k and <vid_t>parts.count.size() == parts.k, phase)
    for p in range(parts.k):
        require(counted.load[p] == parts.load[p] and counted.count[p] == parts.count[p], phase)
    return require(counted.score.cost == parts.score.cost and counted.score.over == parts.score.over, phase)
