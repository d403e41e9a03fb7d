"""Linear clusters of task graphs: the longest path, then the longest of the rest, and so on."""

import numpy as np

from libc.stdint cimport int64_t
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.base.types cimport vid_t
from dagpart._core.scheduling.pace cimport tick
from dagpart._core.scheduling.priorities cimport TaskGraph, Tasks, key_t


cdef cppclass Linear:
    Tasks t
    const vid_t* topological
    vid_t* label                    # -1: not yet
    vector[double] level            # longest way from the start of a task to the end, over what is left
    vector[vid_t] position
    vector[char] waits
    priority_queue[key_t] longest
    priority_queue[vid_t] stale     # positions of tasks whose levels may have changed
    int64_t spent


cdef int queue_level(Linear& l, vid_t v, double level) except -1 nogil:
    cdef key_t key
    l.level[v] = level
    key.first = level
    key.second = -l.position[v]
    l.longest.push(key)
    return 0


cdef int init_linear(Linear& l, const Tasks& tasks, const vid_t* order, const double* levels,
                     vid_t* label) except -1 nogil:
    cdef vid_t i
    l.t = tasks
    l.topological = order
    l.label = label
    l.level.resize(tasks.n)
    l.position.resize(tasks.n)
    l.waits.assign(tasks.n, 0)
    l.spent = 0
    for i in range(tasks.n):
        tick(l.spent, 1)
        l.position[order[i]] = i
        queue_level(l, order[i], levels[order[i]])
    return 0


cdef vid_t longest_follower(Linear& l, vid_t v, double* way) noexcept nogil:
    # The successor through which the longest way of what is left leads, -1 where none is left, and the length.
    cdef vid_t w = -1
    cdef int64_t e
    cdef double below
    way[0] = 0.0
    for e in range(l.t.xadj[v], l.t.xadj[v + 1]):
        if l.label[l.t.adj[e]] < 0:
            below = l.t.delay[e] + l.level[l.t.adj[e]]
            if w < 0 or below > way[0]:
                w = l.t.adj[e]
                way[0] = below
    return w


cdef int doubt_producers(Linear& l, vid_t v) except -1 nogil:
    cdef int64_t e
    cdef vid_t u
    tick(l.spent, l.t.xadj[v + 1] - l.t.xadj[v] + l.t.pxadj[v + 1] - l.t.pxadj[v] + 1)
    for e in range(l.t.pxadj[v], l.t.pxadj[v + 1]):
        u = l.t.padj[e]
        if l.label[u] < 0 and not l.waits[u]:
            l.waits[u] = 1
            l.stale.push(l.position[u])
    return 0


cdef int renew_levels(Linear& l) except -1 nogil:
    # Last in the topological order first, so that each is renewed once.
    cdef vid_t v
    cdef double way
    while not l.stale.empty():
        v = l.topological[l.stale.top()]
        l.stale.pop()
        l.waits[v] = 0
        if l.label[v] >= 0:
            continue
        longest_follower(l, v, &way)
        tick(l.spent, l.t.xadj[v + 1] - l.t.xadj[v] + 1)
        if l.t.time[v] + way == l.level[v]:
            continue
        queue_level(l, v, l.t.time[v] + way)
        doubt_producers(l, v)
    return 0


cdef int run_linear(Linear& l) except -1 nogil:
    cdef key_t key
    cdef vid_t v, cluster = 0
    cdef double way
    while not l.longest.empty():
        key = l.longest.top()
        l.longest.pop()
        v = l.topological[-key.second]
        if l.label[v] >= 0 or l.level[v] != key.first:
            continue
        while v >= 0:
            l.label[v] = cluster
            doubt_producers(l, v)
            v = longest_follower(l, v, &way)
        cluster += 1
        renew_levels(l)
    return 0


def linear_clusters(TaskGraph graph, const vid_t[::1] order, const double[::1] levels):
    """Longest path, delays included, of what is left, again and again: each is a cluster.

    Bottom levels are only renewed where a path that was taken away changes them.

    Parameters
    ----------
    graph : TaskGraph
    order : int32[n]
        A topological order.
    levels : float64[n]
        Longest way from the start of each task to the end, delays included.

    Returns
    -------
    labels : int32[n]
        Clusters are numbered as they were found.
    """
    cdef const vid_t* topological = &order[0]
    cdef const double* level = &levels[0]
    cdef Linear linear
    labels = np.full(graph.tasks.n, -1, np.int32)
    cdef vid_t[::1] label = labels
    with nogil:
        init_linear(linear, graph.tasks, topological, level, &label[0])
        run_linear(linear)
    return labels
