"""Graphs of a plain shape: chains, stars, trees, fork and join, and others that show one thing at a time.

They have no arithmetic of their own; where costs are wanted they are drawn at random.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_choice, check_size
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate._arguments import Seed, Weights, fits, generator
from dagpart.generate._edges import with_drawn_costs


def chain(n: int, *, weights: Weights = "unit", ccr: float = 1.0, seed: Seed = 0) -> Dag:
    """Chain: every vertex but the last has one successor.

    Parameters
    ----------
    n : int
        Number of vertices.
    weights : {"unit", "cost"}
        "cost": work and data at random, see `random_costs`.
    ccr : float, default 1
        For the costs, as `seed` is.
    seed : int or numpy.random.Generator, default 0

    Returns
    -------
    Dag
        `n` vertices and ``n - 1`` edges.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    Examples
    --------
    >>> chain(5)
    Dag(n=5, m=4)
    """
    n = fits(check_size(n, "n"))
    edges = np.column_stack((np.arange(n - 1), np.arange(1, n)))
    return with_drawn_costs(n, edges, weights, ccr, generator(seed))


def star(
    n: int,
    *,
    direction: Literal["out", "in"] = "out",
    weights: Weights = "unit",
    ccr: float = 1.0,
    seed: Seed = 0,
) -> Dag:
    """Star: one vertex, the first or the last, with an edge to or from each other one.

    Parameters
    ----------
    n : int
        Number of vertices.
    direction : {"out", "in"}
    weights, ccr, seed
        As for `chain`.

    Returns
    -------
    Dag
        `n` vertices and ``n - 1`` edges.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    Examples
    --------
    >>> star(5).indices.tolist(), star(5, direction="in").indices.tolist()
    ([1, 2, 3, 4], [4, 4, 4, 4])
    """
    n = fits(check_size(n, "n"))
    check_choice(direction, "direction", ("out", "in"))
    leaf = np.arange(1, n)
    edges = _turned(n, np.column_stack((np.zeros_like(leaf), leaf)), direction == "in")
    return with_drawn_costs(n, edges, weights, ccr, generator(seed))


def fence(
    n: int, *, closed: bool = False, weights: Weights = "unit", ccr: float = 1.0, seed: Seed = 0
) -> Dag:
    """Fence: sources and sinks in turn along a line, or, closed, around a ring; every edge joins neighbours.

    Parameters
    ----------
    n : int
        Number of vertices; even and at least 4 if closed.
    closed : bool, default False
        Also known as a crown.
    weights, ccr, seed
        As for `chain`.

    Returns
    -------
    Dag
        `n` vertices, all sources before all sinks, and ``n - 1`` edges, n if closed.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    Examples
    --------
    >>> fence(5), fence(6, closed=True)
    (Dag(n=5, m=4), Dag(n=6, m=6))
    """
    n = fits(check_size(n, "n", least=4 if closed else 1))
    if closed and n % 2:
        raise DagpartError(f"n must be even for a closed fence, got {n}")
    sources = (n + 1) // 2
    # Posts 0, 2, 4, ... are sources, the others sinks; rails join posts p and p + 1.
    post = np.arange(n)
    number = np.where(post % 2 == 0, post // 2, sources + post // 2)
    rail = np.column_stack((post, np.roll(post, -1)))[: n if closed else n - 1]
    rail = np.sort(number[rail], axis=1)
    return with_drawn_costs(n, rail, weights, ccr, generator(seed))


def pyramid(base: int, *, weights: Weights = "unit", ccr: float = 1.0, seed: Seed = 0) -> Dag:
    """Pyramid: rows of vertices, each with one less than the row before; two neighbours make one above.

    Parameters
    ----------
    base : int
        Vertices of the first row, b.
    weights, ccr, seed
        As for `chain`.

    Returns
    -------
    Dag
        ``b * (b + 1) / 2`` vertices, row by row, and ``b * (b - 1)`` edges.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    S. A. Cook, "An observation on time-storage trade off", Journal of Computer and System Sciences 9(3),
    1974: the pebbling of pyramids.

    Examples
    --------
    >>> pyramid(4)
    Dag(n=10, m=12)
    """
    base = check_size(base, "base")
    n = fits(base * (base + 1) // 2)
    length = np.arange(base, 0, -1)
    row = np.repeat(np.arange(base), length)[base:]
    vertex = np.arange(base, n)
    left = vertex - length[row - 1]
    edges = np.concatenate((np.column_stack((left, vertex)), np.column_stack((left + 1, vertex))))
    return with_drawn_costs(n, edges, weights, ccr, generator(seed))


def out_tree(
    n: int,
    *,
    shape: Literal["complete", "random"] = "complete",
    branching: int = 2,
    weights: Weights = "unit",
    ccr: float = 1.0,
    seed: Seed = 0,
) -> Dag:
    """Tree whose edges run from the root to the leaves.

    Parameters
    ----------
    n : int
        Number of vertices.
    shape : {"complete", "random"}
        All levels full but the last; or the parent of every vertex drawn from all vertices before it.
    branching : int, default 2
        Children of a vertex of the complete tree.
    weights, ccr, seed
        As for `chain`; the seed is that of a random tree, too.

    Returns
    -------
    Dag
        `n` vertices, the root first, and ``n - 1`` edges.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    R. T. Smythe and H. M. Mahmoud, "A survey of recursive trees", Theory of Probability and Mathematical
    Statistics 51, 1995: the random tree.

    Examples
    --------
    >>> out_tree(7).indices.tolist()
    [1, 2, 3, 4, 5, 6]
    >>> int(out_tree(7, branching=6).levels.max())
    1
    """
    return _tree(n, shape, branching, weights, ccr, seed, inwards=False)


def in_tree(
    n: int,
    *,
    shape: Literal["complete", "random"] = "complete",
    branching: int = 2,
    weights: Weights = "unit",
    ccr: float = 1.0,
    seed: Seed = 0,
) -> Dag:
    """Tree whose edges run from the leaves to the root: a reduction.

    Parameters
    ----------
    n, shape, branching, weights, ccr, seed
        As for `out_tree`, of which this is the reverse.

    Returns
    -------
    Dag
        `n` vertices, the root last, and ``n - 1`` edges.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    Examples
    --------
    >>> in_tree(7).indices.tolist()
    [4, 4, 5, 5, 6, 6]
    """
    return _tree(n, shape, branching, weights, ccr, seed, inwards=True)


def fork_join(stages: int, width: int, *, weights: Weights = "unit", ccr: float = 1.0, seed: Seed = 0) -> Dag:
    """Fork and join, several times: parallel tasks between points of synchronization.

    Parameters
    ----------
    stages : int
        How often, s.
    width : int
        Parallel tasks of a stage, w.
    weights, ccr, seed
        As for `chain`.

    Returns
    -------
    Dag
        ``s * (w + 1) + 1`` vertices and ``2 * s * w`` edges; vertices 0, w + 1, 2 (w + 1), ... synchronize.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    Examples
    --------
    >>> fork_join(2, 3)
    Dag(n=9, m=12)
    """
    stages = check_size(stages, "stages")
    width = check_size(width, "width")
    n = fits(stages * (width + 1) + 1)
    fork = np.repeat(np.arange(stages) * (width + 1), width)
    task = fork + np.tile(np.arange(1, width + 1), stages)
    edges = np.concatenate((np.column_stack((fork, task)), np.column_stack((task, fork + width + 1))))
    return with_drawn_costs(n, edges, weights, ccr, generator(seed))


def _tree(n: int, shape: str, branching: int, weights: Weights, ccr: float, seed: Seed, inwards: bool) -> Dag:
    n = fits(check_size(n, "n"))
    branching = check_size(branching, "branching")
    check_choice(shape, "shape", ("complete", "random"))
    rng = generator(seed)
    child = np.arange(1, n)
    parent = (child - 1) // branching if shape == "complete" else (rng.random(n - 1) * child).astype(np.int64)
    edges = _turned(n, np.column_stack((parent, child)), inwards)
    return with_drawn_costs(n, edges, weights, ccr, rng)


def _turned(n: int, edges: NDArray[np.int64], inwards: bool) -> NDArray[np.int64]:
    """The edges, or those of the reverse graph with its vertices numbered backwards."""
    return (n - 1 - edges)[:, ::-1] if inwards else edges
