"""Symbolic factorization: elimination tree, column counts, supernodes and their rows.

Matrices are symmetric patterns in compressed rows: row i lists its columns, both triangles; the diagonal may be
there or not.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t


def elimination_tree(const int64_t[::1] indptr, const int32_t[::1] indices):
    """Parent of each column in the elimination tree, by Liu's algorithm with path compression.

    Returns
    -------
    parent : int32[n]
        Row of the first entry below the diagonal in the factor's column; -1 where there is none.
    """
    cdef vid_t n = <vid_t>(indptr.shape[0] - 1)
    cdef vid_t i, j, following
    cdef eid_t p
    cdef vector[vid_t] ancestor     # a shortcut towards the root of what has been built
    out = np.full(n, -1, dtype=np.int32)
    cdef int32_t[::1] parent = out
    with nogil:
        ancestor.assign(n, -1)
        for i in range(n):
            for p in range(indptr[i], indptr[i + 1]):
                j = indices[p]
                while j < i:
                    following = ancestor[j]
                    ancestor[j] = i
                    if following == -1:
                        parent[j] = i
                        break
                    # The walk ends at i, or at an ancestor that has led there before.
                    j = following
    return out


def postorder(const int32_t[::1] parent):
    """Vertices of a forest, each right after all of its descendants; siblings ascending.

    Parameters
    ----------
    parent : int32[n]
        Larger than the vertex, or -1 for a root.

    Returns
    -------
    order : int32[n]
    """
    cdef vid_t n = <vid_t>parent.shape[0]
    cdef vid_t v, child, at = 0
    cdef vector[vid_t] first, sibling, path
    out = np.empty(n, dtype=np.int32)
    cdef int32_t[::1] order = out
    with nogil:
        first.assign(n + 1, -1)     # the last entry stands above all roots
        sibling.assign(n, -1)
        for v in range(n - 1, -1, -1):
            child = parent[v]
            if child < 0:
                child = n
            sibling[v] = first[child]
            first[child] = v
        path.push_back(n)
        while not path.empty():
            v = path.back()
            child = first[v]
            if child >= 0:
                first[v] = sibling[child]
                path.push_back(child)
            else:
                path.pop_back()
                if v < n:
                    order[at] = v
                    at += 1
    return out


cdef vid_t find(vector[vid_t]& above, vid_t v) noexcept nogil:
    # Root of v in a union-find forest, with path halving.
    while above[v] != v:
        above[v] = above[above[v]]
        v = above[v]
    return v


def column_counts(const int64_t[::1] indptr, const int32_t[::1] indices, const int32_t[::1] parent):
    """Entries of each column of the factor, the diagonal one included.

    Row i of the factor is a subtree of the elimination tree with root i. A column is counted in it once if
    each of its leaves counts 1, and the lowest common ancestor of each two leaves in succession, and the parent
    of the root, count -1, all summed up over subtrees (Gilbert, Ng and Peyton).

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Columns ascending in each row.
    parent : int32[n]
        Elimination tree of the matrix, which must be numbered in postorder.

    Returns
    -------
    count : int64[n]
    """
    cdef vid_t n = <vid_t>(indptr.shape[0] - 1)
    cdef vid_t i, j
    cdef eid_t p
    cdef vector[vid_t] first        # first descendant
    cdef vector[vid_t] last_leaf    # of each row subtree so far
    cdef vector[vid_t] last_entry   # of each row so far
    cdef vector[vid_t] above        # vertices that have been passed belong to the set of their parent
    out = np.ones(n, dtype=np.int64)
    cdef int64_t[::1] count = out
    with nogil:
        first.resize(n)
        above.resize(n)
        last_leaf.assign(n, -1)
        last_entry.assign(n, -1)
        for j in range(n):
            first[j] = j
            above[j] = j
        for j in range(n):
            if parent[j] >= 0:
                if first[j] < first[parent[j]]:
                    first[parent[j]] = first[j]
                # The row subtree of each vertex but a leaf of the tree has other leaves than its root.
                count[parent[j]] = 0
        for j in range(n):
            if parent[j] >= 0:
                count[parent[j]] -= 1
            for p in range(indptr[j], indptr[j + 1]):
                i = indices[p]
                if i <= j:
                    continue
                if last_entry[i] < first[j]:
                    count[j] += 1
                    if last_leaf[i] >= 0:
                        count[find(above, last_leaf[i])] -= 1
                    last_leaf[i] = j
                last_entry[i] = j
            if parent[j] >= 0:
                above[j] = parent[j]
        for j in range(n):
            if parent[j] >= 0:
                count[parent[j]] += count[j]
    return out


def amalgamate(
    const int64_t[::1] start, const int32_t[::1] parent, const int64_t[::1] count, double zeros, int64_t width
):
    """Merge supernodes with their parents where that stores few zeros.

    A supernode may go into its parent if its columns are right before the parent's. Supernodes are taken in
    postorder, and each takes in one child after the other, the last first, as long as the merged one has no more
    zeros than allowed.

    Parameters
    ----------
    start : int64[s + 1]
        First column of each supernode, and the number of columns.
    parent, count : int32[n], int64[n]
        Elimination tree in postorder, column counts.
    zeros : float
        The largest share of zeros among the stored entries of a supernode that is merged.
    width : int
        The most columns of a supernode that is merged.

    Returns
    -------
    start : int64[t + 1]
    """
    cdef eid_t supernodes = start.shape[0] - 1
    cdef eid_t s, j, begin, end, columns, rows, entries, stored
    cdef vector[eid_t] first        # of each supernode so far: first column,
    cdef vector[eid_t] filled       # and entries that are no zeros
    with nogil:
        for s in range(supernodes):
            begin = start[s]
            end = start[s + 1]
            entries = 0
            for j in range(begin, end):
                entries += count[j]
            rows = count[begin]
            # The parent of the column right before is the first one with it as a descendant.
            while not first.empty() and begin <= parent[begin - 1] < end:
                columns = end - first.back()
                rows += begin - first.back()
                stored = columns * rows - columns * (columns - 1) // 2
                if columns > width or stored - (entries + filled.back()) > zeros * stored:
                    break
                begin = first.back()
                entries += filled.back()
                first.pop_back()
                filled.pop_back()
            first.push_back(begin)
            filled.push_back(entries)
        first.push_back(start[supernodes])
    return np.asarray(<eid_t[:first.size()]>first.data()).copy()


def supernode_rows(
    const int64_t[::1] indptr, const int32_t[::1] indices, const int32_t[::1] parent, const int64_t[::1] start
):
    """Rows of each supernode below its own columns.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
    parent : int32[n]
        Elimination tree in postorder.
    start : int64[s + 1]
        First column of each supernode, and the number of columns.

    Returns
    -------
    rowptr, rows : int64[s + 1], int32[r]
        Those of supernode s are ``rows[rowptr[s]:rowptr[s + 1]]``, ascending.
    """
    cdef eid_t supernodes = start.shape[0] - 1
    cdef vid_t n = <vid_t>parent.shape[0]
    cdef eid_t s, p, above, child
    cdef vid_t i, j, last
    cdef vector[eid_t] of           # supernode of each column
    cdef vector[eid_t] first, sibling
    cdef vector[eid_t] seen         # the last supernode that has taken a row
    cdef vector[vid_t] rows
    out = np.zeros(supernodes + 1, dtype=np.int64)
    cdef int64_t[::1] rowptr = out
    with nogil:
        of.resize(n)
        seen.assign(n, -1)
        first.assign(supernodes, -1)
        sibling.assign(supernodes, -1)
        for s in range(supernodes):
            for j in range(start[s], start[s + 1]):
                of[j] = s
        for s in range(supernodes):
            last = <vid_t>(start[s + 1] - 1)
            for j in range(start[s], start[s + 1]):
                for p in range(indptr[j], indptr[j + 1]):
                    i = indices[p]
                    if i > last and seen[i] != s:
                        seen[i] = s
                        rows.push_back(i)
            child = first[s]
            while child >= 0:
                for p in range(rowptr[child], rowptr[child + 1]):
                    i = rows[p]
                    if i > last and seen[i] != s:
                        seen[i] = s
                        rows.push_back(i)
                child = sibling[child]
            rowptr[s + 1] = <eid_t>rows.size()
            sort(rows.begin() + rowptr[s], rows.end())
            if parent[last] >= 0:
                above = of[parent[last]]
                sibling[s] = first[above]
                first[above] = s
    if rows.empty():
        return out, np.empty(0, dtype=np.int32)
    return out, np.asarray(<vid_t[:rows.size()]>rows.data()).copy()
