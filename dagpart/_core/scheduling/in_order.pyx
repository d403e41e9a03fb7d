"""Times of plans: tasks on given processors, placed one after the other in a given order."""

import numpy as np

from libc.stdint cimport int64_t
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t
from dagpart._core.scheduling.machine cimport Input, Machine, State, begin, deliver, load_inputs, outcome, run_task
from dagpart._core.scheduling.pace cimport tick


def placement_order(
    const eid_t[::1] indptr,
    const vid_t[::1] indices,
    const vid_t[::1] processor,
    const vid_t[::1] order,
):
    """The first topological order, by the given order, that keeps the given order on every processor.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Successors.
    processor, order : int32[n]
        The order is a permutation of the tasks.

    Returns
    -------
    int32[n]
        Shorter exactly when edges and orders make a cycle: the tasks that are missing lie on or behind one.
    """
    cdef vid_t n = <vid_t>order.shape[0]
    cdef vid_t i, v, last
    cdef eid_t e
    cdef int64_t spent = 0
    cdef vid_t at = 0
    cdef vector[vid_t] missing, place, follower, newest
    cdef priority_queue[int64_t] ready      # negated places
    out = np.empty(n, np.int32)
    cdef vid_t[::1] placed = out
    with nogil:
        missing.assign(n, 0)
        place.resize(n)
        follower.assign(n, -1)
        for e in range(indices.shape[0]):
            missing[indices[e]] += 1
        for i in range(n):
            v = order[i]
            place[v] = i
            while processor[v] >= <vid_t>newest.size():
                newest.push_back(-1)
            last = newest[processor[v]]
            if last >= 0:
                follower[last] = v
                missing[v] += 1
            newest[processor[v]] = v
        for v in range(n):
            if missing[v] == 0:
                ready.push(-<int64_t>place[v])
        while not ready.empty():
            v = order[-ready.top()]
            tick(spent, indptr[v + 1] - indptr[v] + 1)
            ready.pop()
            placed[at] = v
            at += 1
            for e in range(indptr[v], indptr[v + 1]):
                missing[indices[e]] -= 1
                if missing[indices[e]] == 0:
                    ready.push(-<int64_t>place[indices[e]])
            if follower[v] >= 0:
                missing[follower[v]] -= 1
                if missing[follower[v]] == 0:
                    ready.push(-<int64_t>place[follower[v]])
    return out[:at]


def in_order(Machine m, const vid_t[::1] processor, const vid_t[::1] order):
    """Times of tasks that are placed one after the other.

    Parameters
    ----------
    m : Machine
    processor, order : int32[n]
        The order is a topological one.

    Returns
    -------
    tuple
        As `outcome` in machine.pyx says.
    """
    cdef State s
    cdef vector[Input] inputs
    cdef vid_t i, v, q
    cdef double start
    with nogil:
        begin(m, s)
        for i in range(m.n):
            v = order[i]
            q = processor[v]
            load_inputs(m, s, v, inputs)
            start = deliver(m, s, inputs.data(), <eid_t>inputs.size(), q, 0)
            if start < s.free_from[q]:
                start = s.free_from[q]
            s.free_from[q] = run_task(m, s, v, q, start)
    return outcome(m, s)
