"""Edges and weights that generators make in bulk."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart.dag import Dag
from dagpart.generate._arguments import Weights


def distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The values, each once, ascending; by sorting, which for millions is faster than NumPy's hashing."""
    ascending = np.sort(values, axis=None)
    first = np.ones(len(ascending), dtype=bool)
    first[1:] = ascending[1:] != ascending[:-1]
    chosen: NDArray[np.int64] = ascending[first]
    return chosen


def distinct_edges(n: int, source: NDArray[np.int64], target: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs of vertices below n, each once, sorted; shape (m, 2)."""
    return np.column_stack(np.divmod(distinct(source * n + target), max(n, 1)))


def weighed(n: int, edges: NDArray[np.int64], flops: Any, nbytes: Any, weights: Weights) -> Dag:
    """A graph whose vertices weigh their flops and edges their bytes, if that is asked for; else 1 each.

    Flops and bytes are numbers for all, or one for each vertex and each edge.
    """
    if weights == "unit":
        return Dag.from_edges(edges, n=n)
    vertex_weights = np.broadcast_to(np.asarray(flops, dtype=np.int64), (n,))
    edge_weights = np.broadcast_to(np.asarray(nbytes, dtype=np.int64), (len(edges),))
    return Dag.from_edges(edges, n=n, vertex_weights=vertex_weights, edge_weights=edge_weights)
