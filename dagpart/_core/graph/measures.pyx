"""What a partition costs: counting kernels, each one pass over the graph.

All weights are non-negative, the edge weights of a graph sum to at most 2**62 and its vertex weights to at most
2**63 - 1 (`Digraph` sees to it), so sums over edges or over vertices alone cannot overflow. Only the critical path
adds both kinds and multiplies; it checks every step.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int64_t
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, id_t, vid_t, wgt_t

ctypedef fused cost_t:
    int64_t
    double


def edge_cut(
    const eid_t[::1] indptr, const id_t[::1] indices, const wgt_t[::1] edge_weights, const vid_t[::1] labels
):
    """Total weight of the edges between different parts.

    Parameters
    ----------
    indptr, indices, edge_weights : int64[n + 1], int32[m] or int64[m], int64[m]
        Successors.
    labels : int32[n]

    Returns
    -------
    int
    """
    cdef eid_t p
    cdef id_t u
    cdef vid_t own
    cdef wgt_t cut = 0
    with nogil:
        for u in range(<id_t>(indptr.shape[0] - 1)):
            own = labels[u]
            for p in range(indptr[u], indptr[u + 1]):
                if labels[indices[p]] != own:
                    cut += edge_weights[p]
    return cut


def comm_volume(
    const eid_t[::1] indptr, const id_t[::1] indices, const wgt_t[::1] edge_weights, const vid_t[::1] labels, vid_t k
):
    """For each vertex and each other part that holds a successor, the heaviest edge between the two, summed.

    Parameters
    ----------
    indptr, indices, edge_weights : int64[n + 1], int32[m] or int64[m], int64[m]
        Successors.
    labels : int32[n]
        In [0, k).
    k : int

    Returns
    -------
    int
    """
    cdef eid_t p
    cdef int64_t u
    cdef vid_t own, part
    cdef wgt_t volume = 0
    # heaviest[part] belongs to vertex stamp[part]: a stale stamp empties the array for the next vertex in O(1).
    cdef vector[int64_t] stamp
    cdef vector[wgt_t] heaviest
    with nogil:
        stamp.assign(k, -1)
        heaviest.resize(k)
        for u in range(indptr.shape[0] - 1):
            own = labels[u]
            for p in range(indptr[u], indptr[u + 1]):
                part = labels[indices[p]]
                if part == own:
                    continue
                if stamp[part] != u:
                    stamp[part] = u
                    heaviest[part] = 0
                if edge_weights[p] > heaviest[part]:
                    volume += edge_weights[p] - heaviest[part]
                    heaviest[part] = edge_weights[p]
    return volume


def part_weights(const wgt_t[::1] vertex_weights, const vid_t[::1] labels, vid_t k):
    """Sum of the vertex weights of every part.

    Parameters
    ----------
    vertex_weights : int64[n]
    labels : int32[n]
        In [0, k).
    k : int

    Returns
    -------
    int64[k]
    """
    cdef int64_t v
    out = np.zeros(k, dtype=np.int64)
    cdef wgt_t[::1] load = out
    with nogil:
        for v in range(labels.shape[0]):
            load[labels[v]] += vertex_weights[v]
    return out


def critical_path(
    const eid_t[::1] indptr, const id_t[::1] indices, const wgt_t[::1] edge_weights,
    const wgt_t[::1] vertex_weights, const id_t[::1] order, const vid_t[::1] labels, cost_t latency
):
    """Longest path: a vertex costs its weight, an edge between parts its weight times `latency`, other edges nothing.

    Parameters
    ----------
    indptr, indices, edge_weights : int64[n + 1], int32[m] or int64[m], int64[m]
        Successors.
    vertex_weights : int64[n]
    order : array of the dtype of `indices`
        A topological order of all n vertices.
    labels : int32[n]
    latency : int or float
        Not negative. An int is reckoned with exactly, in int64.

    Returns
    -------
    int or float, as `latency`
        -1 when the exact sum passes 2**63 - 1.
    """
    cdef int64_t i
    cdef eid_t p
    cdef id_t u, v
    cdef cost_t weight, done, arrival, longest = 0
    cdef bint overflow = False
    cdef vector[cost_t] ready       # when all that a vertex waits for is there
    with nogil:
        ready.assign(order.shape[0], <cost_t>0)
        for i in range(order.shape[0]):
            u = order[i]
            weight = <cost_t>vertex_weights[u]
            if cost_t is int64_t and ready[u] > INT64_MAX - weight:
                overflow = True
                break
            done = ready[u] + weight
            if done > longest:
                longest = done
            for p in range(indptr[u], indptr[u + 1]):
                v = indices[p]
                arrival = done
                if labels[v] != labels[u]:
                    weight = <cost_t>edge_weights[p]
                    if cost_t is int64_t and weight != 0 and latency > (INT64_MAX - done) // weight:
                        overflow = True
                        break
                    arrival += weight * latency
                if arrival > ready[v]:
                    ready[v] = arrival
            if overflow:
                break
    if cost_t is int64_t:
        return -1 if overflow else longest
    return longest
