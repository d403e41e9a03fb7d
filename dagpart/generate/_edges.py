"""Edges and weights that generators make in bulk."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_choice, check_number
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate._arguments import Weights

# Work of a task is drawn from 1 to this.
_MOST_WORK = 199
# Whole numbers up to here are exact in double precision, halves too.
_MOST_DATA = 2**52


def distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The values, each once, ascending; by sorting, which for millions is faster than NumPy's hashing."""
    ascending = np.sort(values, axis=None)
    first = np.ones(len(ascending), dtype=bool)
    first[1:] = ascending[1:] != ascending[:-1]
    chosen: NDArray[np.int64] = ascending[first]
    return chosen


def distinct_edges(n: int, source: NDArray[Any], target: NDArray[Any]) -> NDArray[np.int64]:
    """Pairs of vertices below n, each once, sorted; shape (m, 2)."""
    return np.column_stack(np.divmod(distinct(source * n + target), max(n, 1)))


def merged_edges(
    n: int, source: NDArray[Any], target: NDArray[Any], nbytes: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of vertices below n, each once, sorted, and the sum of the bytes of each."""
    key = source * n + target
    sequence = np.argsort(key, kind="stable")
    key = key[sequence]
    first = np.ones(len(key), dtype=bool)
    first[1:] = key[1:] != key[:-1]
    edges = np.column_stack(np.divmod(key[first], max(n, 1)))
    sums = np.zeros(len(edges), dtype=np.int64)
    np.add.at(sums, np.cumsum(first) - 1, nbytes[sequence])
    return edges, sums


def weighed(n: int, edges: NDArray[np.int64], flops: Any, nbytes: Any, weights: Weights) -> Dag:
    """A graph whose vertices weigh their flops and edges their bytes, if that is asked for; else 1 each.

    Flops and bytes are numbers for all, or one for each vertex and each edge.
    """
    check_choice(weights, "weights", ("unit", "cost"))
    if weights == "unit":
        return Dag.from_edges(edges, n=n)
    vertex_weights = np.broadcast_to(np.asarray(flops, dtype=np.int64), (n,))
    edge_weights = np.broadcast_to(np.asarray(nbytes, dtype=np.int64), (len(edges),))
    return Dag.from_edges(edges, n=n, vertex_weights=vertex_weights, edge_weights=edge_weights)


def drawn_costs(
    n: int, m: int, ccr: float, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Work of n tasks and data of m edges at random, with a ratio of the mean data to the mean work.

    Both are uniform, from almost nothing to twice the mean.
    """
    ccr = check_number(ccr, "ccr", 0.0)
    work = 1 + (rng.random(n) * _MOST_WORK).astype(np.int64)
    if m == 0:
        return work, np.empty(0, dtype=np.int64)
    # Rounding the running total, not each weight, keeps the total and so the ratio.
    share = np.cumsum(1.0 - rng.random(m))
    total = ccr * int(work.sum()) * m / n
    if total > _MOST_DATA:
        raise DagpartError(f"ccr must be at most {ccr * _MOST_DATA / total:.3g} for this graph, got {ccr}")
    total = round(total)
    data = np.diff(np.rint(share * (total / share[-1])), prepend=0.0)
    return work, data.astype(np.int64)


def with_drawn_costs(
    n: int, edges: NDArray[np.int64], weights: Weights, ccr: float, rng: np.random.Generator
) -> Dag:
    """A graph without an arithmetic of its own: unit weights, or costs at random with the ratio `ccr`."""
    check_choice(weights, "weights", ("unit", "cost"))
    check_number(ccr, "ccr", 0.0)
    if weights == "unit":
        return Dag.from_edges(edges, n=n)
    work, data = drawn_costs(n, len(edges), ccr, rng)
    return weighed(n, edges, work, data, weights)
