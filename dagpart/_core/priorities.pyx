"""Priorities of tasks: longest paths with durations and delays, and optimistic costs."""

import numpy as np

from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.types cimport eid_t, vid_t


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
    cdef double way
    out = np.zeros(order.shape[0])
    cdef double[::1] tail = out
    with nogil:
        for i in range(order.shape[0] - 1, -1, -1):
            v = order[i]
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
    cdef double way, elsewhere
    cdef vector[double] least           # over the processors, of a task's duration and what follows
    out = np.zeros((order.shape[0], p))
    cdef double[:, ::1] cost = out
    with nogil:
        least.resize(order.shape[0])
        for i in range(order.shape[0] - 1, -1, -1):
            if i % 4096 == 0:
                check_interrupt()
            v = order[i]
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
