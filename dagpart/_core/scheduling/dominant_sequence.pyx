"""Dominant sequence clustering of task graphs.

As in all clusterings, a delay does not count inside a cluster, which runs its tasks one after the other; there are
processors for all clusters, and messages between them delay tasks.
"""

import numpy as np

from libc.stdint cimport int64_t
from libcpp.algorithm cimport sort
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.base.types cimport vid_t
from dagpart._core.scheduling.pace cimport tick
from dagpart._core.scheduling.priorities cimport TaskGraph, Tasks, key_t, later


cdef struct Arrivals:
    # Of the data that have been sent to a task: the last to arrive, its producer's cluster (-1: none), and the last to
    # arrive from any other cluster.
    double last, other
    vid_t cluster


cdef void take(Arrivals& known, double arrival, vid_t source) noexcept nogil:
    if source == known.cluster:
        known.last = later(known.last, arrival)
    elif arrival > known.last or known.cluster < 0:
        if known.cluster >= 0:
            known.other = known.last
        known.last = arrival
        known.cluster = source
    else:
        known.other = later(known.other, arrival)


cdef cppclass Dsc:
    Tasks t
    const double* level             # bottom levels
    vector[Arrivals] arrivals
    vector[vid_t] missing           # predecessors without a cluster
    vector[vid_t] cluster           # -1: not yet
    vector[vid_t] size              # tasks of a cluster
    vector[double] free             # when a cluster's last task ends
    vector[double] start
    priority_queue[key_t] ready, partly
    int64_t spent


cdef int init_dsc(Dsc& d, const Tasks& tasks, const double* level) except -1 nogil:
    cdef Arrivals nothing
    cdef vid_t v
    d.t = tasks
    d.level = level
    d.spent = 0
    nothing.last = nothing.other = 0.0
    nothing.cluster = -1
    d.arrivals.assign(tasks.n, nothing)
    d.missing.resize(tasks.n)
    d.cluster.assign(tasks.n, -1)
    d.start.assign(tasks.n, 0.0)
    for v in range(tasks.n):
        d.missing[v] = <vid_t>(tasks.pxadj[v + 1] - tasks.pxadj[v])
        if d.missing[v] == 0:
            d.ready.push(keyed(d, v))
    return 0


cdef double priority(Dsc& d, vid_t v) noexcept nogil:
    return d.arrivals[v].last + d.level[v]


cdef key_t keyed(Dsc& d, vid_t v) noexcept nogil:
    cdef key_t key
    key.first = priority(d, v)
    key.second = -v             # the least id first
    return key


cdef vid_t reserved(Dsc& d, vid_t v) except -2 nogil:
    # The cluster that is kept free for a task that waits for more than v does and still misses some input: the
    # one that makes it start sooner. -1: there is none.
    cdef vid_t waiting
    cdef key_t key
    while not d.partly.empty():
        key = d.partly.top()
        waiting = -key.second
        if d.missing[waiting] == 0 or key.first != priority(d, waiting):
            d.partly.pop()
            continue
        if key.first <= priority(d, v):
            return -1
        if later(d.free[d.arrivals[waiting].cluster], d.arrivals[waiting].other) \
                < d.arrivals[waiting].last:
            return d.arrivals[waiting].cluster
        return -1
    return -1


cdef vid_t new_cluster(Dsc& d) except -1 nogil:
    d.size.push_back(0)
    d.free.push_back(0.0)
    return <vid_t>d.size.size() - 1


cdef int append(Dsc& d, vid_t v, vid_t c, double start) except -1 nogil:
    d.cluster[v] = c
    d.size[c] += 1
    d.start[v] = start
    d.free[c] = start + d.t.time[v]
    return 0


cdef double ready_in(Dsc& d, vid_t u, vid_t c) except? -1 nogil:
    # When the inputs of u are there if it joins cluster c.
    cdef double latest = 0.0, arrival
    cdef vid_t w
    cdef int64_t e
    tick(d.spent, d.t.pxadj[u + 1] - d.t.pxadj[u] + 1)
    for e in range(d.t.pxadj[u], d.t.pxadj[u + 1]):
        w = d.t.padj[e]
        arrival = d.start[w] + d.t.time[w]
        if d.cluster[w] != c:
            arrival += d.t.delay[d.t.place[e]]
        if arrival > latest:
            latest = arrival
    return latest


cdef double join_start(Dsc& d, vector[key_t]& movable, vid_t moved, double others, vid_t c, vector[key_t]& queue) \
        except -1 nogil:
    # When a task starts in cluster c if the first `moved` go there before it, in the order in which they get
    # ready, which is left in `queue`; `others` is when the rest of its data arrive.
    cdef vid_t i
    cdef double at = d.free[c]
    cdef key_t key
    queue.clear()
    for i in range(moved):
        key.first = ready_in(d, movable[i].second, c)
        key.second = movable[i].second
        queue.push_back(key)
    sort(queue.begin(), queue.end())
    for i in range(moved):
        at = later(at, queue[i].first) + d.t.time[queue[i].second]
    at = later(at, others)
    if moved < <vid_t>movable.size():
        at = later(at, -movable[moved].first)
    return at


cdef int place(Dsc& d, vid_t v) except -1 nogil:
    # Into the cluster of the producer whose data arrive last, if it then starts sooner; producers that are alone
    # and work for nobody else may come along.
    cdef vid_t c = d.arrivals[v].cluster, u, low, high, middle, i
    cdef int64_t e
    cdef double alone = d.arrivals[v].last, others = 0.0, at
    cdef vector[key_t] movable, queue
    cdef key_t key
    cdef bint fits
    if c < 0 or c == reserved(d, v):
        return append(d, v, new_cluster(d), alone)
    if d.arrivals[v].other > d.free[c]:
        for e in range(d.t.pxadj[v], d.t.pxadj[v + 1]):
            u = d.t.padj[e]
            if d.cluster[u] == c:
                continue
            key.first = -(d.start[u] + d.t.time[u] + d.t.delay[d.t.place[e]])
            key.second = u
            if d.size[d.cluster[u]] == 1 and d.t.xadj[u + 1] - d.t.xadj[u] == 1:
                movable.push_back(key)
            else:
                others = later(others, -key.first)
        sort(movable.begin(), movable.end())
        # The more are moved the later the cluster is free, and the sooner the rest has arrived: the best is where
        # the two meet.
        low, high = 0, <vid_t>movable.size()
        while low < high:
            middle = (low + high) // 2
            at = join_start(d, movable, middle, 0.0, c, queue)
            fits = at == -movable[middle].first and at > others
            if fits:
                low = middle + 1
            else:
                high = middle
        if low > 0 and join_start(d, movable, low - 1, others, c, queue) \
                <= join_start(d, movable, low, others, c, queue):
            low -= 1
        at = join_start(d, movable, low, others, c, queue)
    else:
        at = later(d.free[c], d.arrivals[v].other)
    if at >= alone:
        return append(d, v, new_cluster(d), alone)
    for i in range(<vid_t>queue.size()):
        u = queue[i].second
        d.size[d.cluster[u]] -= 1
        append(d, u, c, later(d.free[c], queue[i].first))
    return append(d, v, c, at)


cdef int run_dsc(Dsc& d) except -1 nogil:
    cdef vid_t v, w
    cdef int64_t e
    while not d.ready.empty():
        v = -d.ready.top().second
        d.ready.pop()
        place(d, v)
        tick(d.spent, d.t.xadj[v + 1] - d.t.xadj[v] + d.t.pxadj[v + 1] - d.t.pxadj[v] + 1)
        for e in range(d.t.xadj[v], d.t.xadj[v + 1]):
            w = d.t.adj[e]
            take(d.arrivals[w], d.start[v] + d.t.time[v] + d.t.delay[e], d.cluster[v])
            d.missing[w] -= 1
            if d.missing[w] == 0:
                d.ready.push(keyed(d, w))
            else:
                d.partly.push(keyed(d, w))
    return 0


def dominant_sequence(TaskGraph graph, const double[::1] levels):
    """Dominant sequence clustering, in O((n + m) log n) but for joins, whose producers are sorted.

    Parameters
    ----------
    graph : TaskGraph
    levels : float64[n]
        Longest way from the start of each task to the end, delays included.

    Returns
    -------
    labels : int32[n]
        Not all numbers up to the largest need be in use.
    start : float64[n]
        When each task starts if every cluster has a processor.
    """
    cdef const double* level = &levels[0]
    cdef Dsc dsc
    cdef vid_t v, n = graph.tasks.n
    labels, starts = np.zeros(n, np.int32), np.zeros(n)
    cdef vid_t[::1] label = labels
    cdef double[::1] start = starts
    with nogil:
        init_dsc(dsc, graph.tasks, level)
        run_dsc(dsc)
        for v in range(n):
            label[v] = dsc.cluster[v]
            start[v] = dsc.start[v]
    return labels, starts
