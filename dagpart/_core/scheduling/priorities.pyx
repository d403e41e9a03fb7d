"""Task graphs with a time for each task and a delay for each edge: longest ways, optimistic costs, and starts.

Priorities are made of these, and clusterings are judged by them.
"""

import numpy as np

from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t
from dagpart._core.scheduling.pace cimport tick


cdef class TaskGraph:
    """A graph in both directions with a time for each task and a delay for each edge.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Successors.
    pred_indptr, pred_indices, pred_positions : int64[n + 1], int32[m], int64[m]
        Predecessors, and where in `indices` their edges stand.
    durations, delays : float64[n], float64[m]
    """

    def __init__(self, const eid_t[::1] indptr, const vid_t[::1] indices, const eid_t[::1] pred_indptr,
                 const vid_t[::1] pred_indices, const eid_t[::1] pred_positions,
                 const double[::1] durations, const double[::1] delays):
        self.held = (indptr, indices, pred_indptr, pred_indices, pred_positions, durations, delays)
        self.tasks.n = <vid_t>durations.shape[0]
        self.tasks.xadj = &indptr[0]
        self.tasks.adj = &indices[0]
        self.tasks.pxadj = &pred_indptr[0]
        self.tasks.padj = &pred_indices[0]
        self.tasks.place = &pred_positions[0]
        self.tasks.time = &durations[0]
        self.tasks.delay = &delays[0]


def tails(
    const eid_t[::1] indptr,
    const vid_t[::1] indices,
    const vid_t[::1] order,
    const double[::1] durations,
    const double[::1] delays,
):
    """Longest way from the end of each task to the end of the last one behind it.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Successors; predecessors for the longest way to each task's start.
    order : int32[n]
        A topological order of that graph.
    durations : float64[n]
    delays : float64[m]
        In the order of `indices`.

    Returns
    -------
    float64[n]
    """
    cdef eid_t i, e
    cdef vid_t v, w
    cdef int64_t spent = 0
    cdef double way
    out = np.zeros(order.shape[0])
    cdef double[::1] tail = out
    with nogil:
        for i in range(order.shape[0] - 1, -1, -1):
            v = order[i]
            tick(spent, indptr[v + 1] - indptr[v] + 1)
            for e in range(indptr[v], indptr[v + 1]):
                w = indices[e]
                way = delays[e] + durations[w] + tail[w]
                if way > tail[v]:
                    tail[v] = way
    return out


def optimistic_costs(
    const eid_t[::1] indptr,
    const vid_t[::1] indices,
    const vid_t[::1] order,
    const double[:, ::1] durations,
    const double[::1] delays,
):
    """Longest way from the end of each task to the end, each task on the way where that is shortest.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Successors.
    order : int32[n]
        A topological order.
    durations : float64[n, p] or float64[n, 1]
    delays : float64[m]
        Between two processors, in the order of `indices`.

    Returns
    -------
    float64[n, p] or float64[n, 1]
        By the task's own processor.
    """
    cdef eid_t i, e
    cdef vid_t v, w, q
    cdef vid_t p = <vid_t>durations.shape[1]
    cdef int64_t spent = 0
    cdef double way, elsewhere
    cdef vector[double] least           # over the processors, of a task's duration and what follows
    out = np.zeros((order.shape[0], p))
    cdef double[:, ::1] cost = out
    with nogil:
        least.resize(order.shape[0])
        for i in range(order.shape[0] - 1, -1, -1):
            v = order[i]
            tick(spent, p * (indptr[v + 1] - indptr[v] + 1))
            for e in range(indptr[v], indptr[v + 1]):
                w = indices[e]
                elsewhere = least[w] + delays[e]
                for q in range(p):
                    way = durations[w, q] + cost[w, q]
                    if way > elsewhere:
                        way = elsewhere
                    if way > cost[v, q]:
                        cost[v, q] = way
            least[v] = durations[v, 0] + cost[v, 0]
            for q in range(1, p):
                way = durations[v, q] + cost[v, q]
                if way < least[v]:
                    least[v] = way
    return out


def cluster_starts(TaskGraph graph, const vid_t[::1] order, const vid_t[::1] labels):
    """When each task starts if every cluster has a processor and runs its tasks in a given order.

    Parameters
    ----------
    graph : TaskGraph
    order : int32[n]
        A topological order.
    labels : int32[n]
        In [0, n).

    Returns
    -------
    float64[n]
    """
    cdef Tasks t = graph.tasks
    cdef vid_t i, u, v
    cdef eid_t e
    cdef int64_t spent = 0
    cdef double ready, arrival
    cdef vector[double] free
    out = np.zeros(t.n)
    cdef double[::1] start = out
    with nogil:
        free.assign(t.n, 0.0)
        for i in range(t.n):
            v = order[i]
            tick(spent, t.pxadj[v + 1] - t.pxadj[v] + 1)
            ready = free[labels[v]]
            for e in range(t.pxadj[v], t.pxadj[v + 1]):
                u = t.padj[e]
                arrival = start[u] + t.time[u]
                if labels[u] != labels[v]:
                    arrival += t.delay[t.place[e]]
                if arrival > ready:
                    ready = arrival
            start[v] = ready
            free[labels[v]] = ready + t.time[v]
    return out
