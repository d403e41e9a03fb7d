"""Short cycles of a digraph, and the numbering of what is left when its cycles are merged."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

# Vertices and edges that the search for a short cycle may look at: about a second or two.
_BUDGET = 20_000_000
# What one breadth-first search costs besides: calls into SciPy.
_CALL = 2_000


def short_cycle(indptr: NDArray[np.int64], indices: NDArray[Any]) -> list[int]:
    """A short directed cycle of a digraph that has one.

    Pairs of opposite edges come first. Otherwise breadth-first search from vertices of the strongly connected
    components, smallest component first, keeps the shortest cycle until the work budget is spent. So the
    result is a shortest cycle when the components are small, and always the same one.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m] or int64[m]
        Successors, sorted, without self-loops or duplicates.

    Returns
    -------
    list of int
        Vertices around the cycle, from its smallest id.
    """
    n = indptr.size - 1
    pattern = scipy.sparse.csr_array((np.ones(indices.size, dtype=np.int8), indices, indptr), shape=(n, n))
    opposite = pattern.multiply(pattern.T.tocsr()).tocoo()
    if opposite.nnz:
        first = np.lexsort((opposite.col, opposite.row))[0]
        return [int(opposite.row[first]), int(opposite.col[first])]
    count, component = components(pattern)
    blocks, vertices, starts = _component_blocks(pattern, component, count)
    best = _shortest_in_blocks(blocks, starts)
    cycle = [int(vertices[v]) for v in best]
    turn = cycle.index(min(cycle))
    return cycle[turn:] + cycle[:turn]


def topological_numbers(indptr: NDArray[np.int64], indices: NDArray[Any]) -> NDArray[Any]:
    """Position of each vertex of a DAG in its lexicographically smallest topological order.

    The identity when every edge already runs from a lower id to a higher one.
    """
    n = indptr.size - 1
    numbers = np.arange(n, dtype=indices.dtype)
    if np.all(np.repeat(numbers, np.diff(indptr)) < indices):
        return numbers
    starts = indptr.tolist()
    targets = indices.tolist()
    missing = np.bincount(indices, minlength=n).tolist()
    # Ascending, hence already a heap.
    ready = [v for v in range(n) if not missing[v]]
    for number in range(n):
        v = heapq.heappop(ready)
        numbers[v] = number
        for w in targets[starts[v] : starts[v + 1]]:
            missing[w] -= 1
            if not missing[w]:
                heapq.heappush(ready, w)
    return numbers


def _component_blocks(
    pattern: Any, component: NDArray[Any], count: int
) -> tuple[Any, NDArray[Any], NDArray[Any]]:
    """The cyclic components as diagonal blocks of one matrix, by size, then by smallest vertex."""
    n = component.size
    size = np.bincount(component, minlength=count)
    first = np.empty(count, dtype=np.int64)
    # Of repeated positions the last value stays: the smallest vertex.
    first[component[::-1]] = np.arange(n - 1, -1, -1)
    rank = np.empty(count, dtype=np.int64)
    by_size = np.lexsort((first, size))
    rank[by_size] = np.arange(count)
    order = np.argsort(rank[component], kind="stable")
    vertices = order[np.count_nonzero(size == 1) :]
    place = np.full(n, -1, dtype=np.int64)
    place[vertices] = np.arange(vertices.size)
    coo = pattern.tocoo()
    inside = (component[coo.row] == component[coo.col]) & (place[coo.row] >= 0)
    ends = place[coo.row[inside]], place[coo.col[inside]]
    blocks = scipy.sparse.csr_array((np.ones(ends[0].size), ends), shape=(vertices.size, vertices.size))
    starts = np.concatenate(([0], np.cumsum(size[by_size][size[by_size] > 1])))
    return blocks, vertices, starts


def _shortest_in_blocks(blocks: Any, starts: NDArray[Any]) -> list[int]:
    best: list[int] = []
    budget = _BUDGET
    for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        begin, end = blocks.indptr[low], blocks.indptr[high]
        block = scipy.sparse.csr_array(
            (blocks.data[begin:end], blocks.indices[begin:end] - low, blocks.indptr[low : high + 1] - begin),
            shape=(high - low, high - low),
        )
        # Each vertex of a plain ring is on its one cycle.
        ring = end - begin == high - low
        for root in range(1 if ring else high - low):
            # Opposite edges were looked for before, so nothing is shorter than three.
            if best and (len(best) == 3 or budget < 0):
                return best
            budget -= _CALL + high - low + int(end - begin)
            cycle = _shortest_through(block, root)
            if not best or len(cycle) < len(best):
                best = [low + v for v in cycle]
    return best


def components(pattern: Any) -> tuple[int, NDArray[np.int32]]:
    """Number of the strongly connected components of an adjacency matrix, and that of each vertex."""
    # Most graphs have no cycle, and csgraph takes as long to load as all else that graphs need.
    from scipy.sparse import csgraph

    count, component = csgraph.connected_components(pattern, connection="strong")
    return count, component


def _shortest_through(block: Any, root: int) -> list[int]:
    """Shortest cycle through a vertex of a strongly connected graph."""
    from scipy.sparse import csgraph

    order, parent = csgraph.breadth_first_order(block, root)
    last = np.searchsorted(block.indptr, np.flatnonzero(block.indices == root), side="right") - 1
    closes = np.zeros(order.size, dtype=bool)
    closes[last] = True
    # Vertices come in order of their distance from the root.
    v = int(order[np.argmax(closes[order])])
    path = []
    while v != root:
        path.append(v)
        v = int(parent[v])
    return [root, *reversed(path)]
