"""Graphs in both directions: topological order, levels, transposition, contraction."""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from dagpart._core.types cimport id_t


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
