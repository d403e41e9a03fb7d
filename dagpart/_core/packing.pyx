"""Parts under a cap, filled one after another.

To have least parts under a cap, whatever the edges cut weigh, is the simple assembly line balancing problem of type 1:
stations, tasks with times, precedences, a cycle time. The rule here is its station-oriented procedure with a list of
priorities: A. Scholl, C. Becker, "State-of-the-art exact and heuristic solution procedures for simple assembly line
balancing", European Journal of Operational Research 168(3), 2006, section 4.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t, wgt_t


def pack(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights, const int32_t[::1] order,
         int64_t cap):
    """Fill parts one by one: each takes, while any fits, the first vertex in `order` whose predecessors are placed.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Successors; acyclic.
    weights : int64[n]
        None of them above cap.
    order : int32[n]
        All vertices, the most wanted first; any order.
    cap : int
        The heaviest that a part may be.

    Returns
    -------
    labels : int32[n]
        They rise along every edge, and no number from 0 to the highest is missing.

    Raises
    ------
    ValueError
        If there is a cycle, or a weight above cap.
    """
    cdef vid_t n = <vid_t>weights.shape[0]
    cdef vid_t v, placed = 0, part = 0
    cdef eid_t e
    cdef size_t leaves = 1, i
    cdef wgt_t room = cap
    cdef vector[vid_t] missing
    cdef vector[size_t] leaf
    # Node i holds the least weight among the ready vertices below it; leaves stand in `order`.
    cdef vector[wgt_t] least
    out = np.zeros(n, dtype=np.int32)
    cdef int32_t[::1] label = out
    with nogil:
        while leaves < <size_t>n:
            leaves *= 2
        least.assign(2 * leaves, INT64_MAX)
        missing.assign(n, 0)
        leaf.resize(n)
        for i in range(<size_t>n):
            leaf[order[i]] = leaves + i
        for e in range(indices.shape[0]):
            missing[indices[e]] += 1
        for v in range(n):
            if missing[v] == 0:
                set_leaf(least, leaf[v], weights[v])
        while placed < n:
            if least[1] > room:
                if least[1] > cap:
                    break
                part += 1
                room = cap
            i = 1
            while i < leaves:
                i *= 2
                if least[i] > room:
                    i += 1
            v = order[i - leaves]
            label[v] = part
            room -= weights[v]
            placed += 1
            set_leaf(least, i, INT64_MAX)
            for e in range(indptr[v], indptr[v + 1]):
                missing[indices[e]] -= 1
                if missing[indices[e]] == 0:
                    set_leaf(least, leaf[indices[e]], weights[indices[e]])
    if placed < n:
        raise ValueError("a cycle, or a vertex above the cap")
    return out


cdef void set_leaf(vector[wgt_t]& least, size_t i, wgt_t weight) noexcept nogil:
    least[i] = weight
    while i > 1:
        i //= 2
        least[i] = min(least[2 * i], least[2 * i + 1])


def longest_paths(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights,
                  const int32_t[::1] order):
    """Weight of the heaviest path that starts in each vertex, itself included.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Successors.
    weights : int64[n]
        Not negative, their sum below 2**63.
    order : int32[n]
        A topological order.

    Returns
    -------
    int64[n]
    """
    cdef vid_t n = <vid_t>weights.shape[0]
    cdef vid_t i, v
    cdef eid_t e
    cdef wgt_t longest
    out = np.zeros(n, dtype=np.int64)
    cdef int64_t[::1] path = out
    with nogil:
        for i in range(n - 1, -1, -1):
            v = order[i]
            longest = 0
            for e in range(indptr[v], indptr[v + 1]):
                longest = max(longest, path[indices[e]])
            path[v] = longest + weights[v]
    return out
