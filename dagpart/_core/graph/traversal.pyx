"""Topological orders and levels of a caller's graph."""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.base.types cimport id_t


def topological_order(const int64_t[::1] indptr, const id_t[::1] indices, const int64_t[::1] pred_indptr):
    """Kahn's topological order of a digraph.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m] or int64[m]
        Successors.
    pred_indptr : int64[n + 1]
        Row pointer of the predecessors; only the in-degrees are read.

    Returns
    -------
    order : array of the dtype of `indices`
        Vertices, each after all of its predecessors, ready vertices first in, first out. Shorter than n exactly
        when the digraph has a cycle: the vertices that are missing lie on or behind one.
    """
    cdef int64_t n = indptr.shape[0] - 1
    cdef int64_t head = 0, tail = 0, p, v
    cdef vector[int64_t] missing
    out = np.empty(n, dtype=np.int32 if id_t is int32_t else np.int64)
    cdef id_t[::1] order = out
    with nogil:
        missing.resize(n)
        for v in range(n):
            missing[v] = pred_indptr[v + 1] - pred_indptr[v]
            if missing[v] == 0:
                order[tail] = <id_t>v
                tail += 1
        while head < tail:
            v = order[head]
            head += 1
            for p in range(indptr[v], indptr[v + 1]):
                missing[indices[p]] -= 1
                if missing[indices[p]] == 0:
                    order[tail] = indices[p]
                    tail += 1
    return out[:tail]


def topological_numbers(const int64_t[::1] indptr, const id_t[::1] indices):
    """Position of each vertex of an acyclic graph in its lexicographically smallest topological order.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m] or int64[m]
        Successors.

    Returns
    -------
    number : array of the dtype of `indices`
        0 .. n - 1 when every edge already runs from a lower id to a higher one.
    """
    cdef int64_t n = indptr.shape[0] - 1
    cdef int64_t p, v
    cdef id_t at = 0
    cdef bint sorted_already = True
    cdef vector[int64_t] missing
    cdef priority_queue[int64_t] ready      # of negated ids: the least comes first
    out = np.arange(n, dtype=np.int32 if id_t is int32_t else np.int64)
    cdef id_t[::1] number = out
    with nogil:
        for v in range(n):
            for p in range(indptr[v], indptr[v + 1]):
                if indices[p] <= v:
                    sorted_already = False
                    break
            if not sorted_already:
                break
        if not sorted_already:
            missing.assign(n, 0)
            for p in range(indices.shape[0]):
                missing[indices[p]] += 1
            for v in range(n):
                if missing[v] == 0:
                    ready.push(-v)
            while not ready.empty():
                v = -ready.top()
                ready.pop()
                number[v] = at
                at += 1
                for p in range(indptr[v], indptr[v + 1]):
                    missing[indices[p]] -= 1
                    if missing[indices[p]] == 0:
                        ready.push(-<int64_t>indices[p])
    return out


def levels(const int64_t[::1] indptr, const id_t[::1] indices, const id_t[::1] order):
    """Longest distance, in edges, of each vertex from the sources.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m] or int64[m]
        Successors.
    order : array of the dtype of `indices`
        A topological order of all n vertices.

    Returns
    -------
    level : array of the dtype of `indices`
    """
    cdef int64_t i, p
    cdef id_t v, below
    out = np.zeros(indptr.shape[0] - 1, dtype=np.int32 if id_t is int32_t else np.int64)
    cdef id_t[::1] level = out
    with nogil:
        for i in range(order.shape[0]):
            v = order[i]
            below = level[v] + 1
            for p in range(indptr[v], indptr[v + 1]):
                if level[indices[p]] < below:
                    level[indices[p]] = below
    return out
