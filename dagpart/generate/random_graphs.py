"""Random task graphs, and random costs for any task graph."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_number, check_size
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate._arguments import Seed, Weights, fits, generator, permutation
from dagpart.generate._edges import distinct_edges, drawn_costs, with_drawn_costs

# Positions in the list of all pairs are made of 53 random bits.
_MOST_PAIRS = 2**53


def layered(
    layers: int,
    width: int,
    *,
    degree: int = 3,
    spread: float | None = None,
    skip: float = 0.2,
    reach: int = 5,
    weights: Weights = "unit",
    ccr: float = 1.0,
    seed: Seed = 0,
) -> Dag:
    """Layered random DAG.

    Every vertex behind the first layer draws `degree` predecessors; one that is drawn twice counts
    once. A predecessor is in the layer before, or, with probability `skip`, between 2 and `reach`
    layers before (the first layer when that is out of range).

    Parameters
    ----------
    layers, width : int
        Number of layers, and of vertices in each.
    degree : int, default 3
        Predecessors drawn for each vertex.
    spread : float, optional
        Standard deviation of a normal distance between the place of a vertex in its layer and that of
        its predecessor; layers close to a ring. By default predecessors are drawn from the whole layer.
    skip : float, default 0.2
        Probability of skipping layers, from 0 to 1.
    reach : int, default 5
        The most layers that an edge may span.
    weights : {"unit", "cost"}
        "cost": work and data at random, see `random_costs`.
    ccr : float, default 1
        For the costs.
    seed : int or numpy.random.Generator, default 0

    Returns
    -------
    Dag
        ``layers * width`` vertices, layer by layer; at most `layers` levels.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    T. Tobita and H. Kasahara, "A standard task graph set for fair evaluation of multiprocessor
    scheduling algorithms", Journal of Scheduling 5(5), 2002, describes random graphs by layers among
    its methods.

    Examples
    --------
    >>> g = layered(10, 100, spread=4.0)
    >>> g.n, int(g.levels.max()) + 1
    (1000, 10)
    """
    layers = check_size(layers, "layers")
    width = check_size(width, "width")
    degree = check_size(degree, "degree")
    reach = check_size(reach, "reach")
    skip = check_number(skip, "skip", 0.0, 1.0)
    rng = generator(seed)
    n = fits(layers * width)
    fits(n * degree, "edges")
    vertex = np.repeat(np.arange(width, n), degree)
    layer, place = np.divmod(vertex, width)
    back = np.ones(len(vertex), dtype=np.int64)
    # Three columns of one draw, so that the graph does not depend on which options are in use.
    skips, distance, sideways = rng.random((3, len(vertex)))
    if reach > 1:
        back += (skips < skip) * (1 + (distance * (reach - 1)).astype(np.int64))
    if spread is None:
        column = (sideways * width).astype(np.int64)
    else:
        # 0 may be drawn, and lies infinitely far out.
        from scipy.special import ndtri

        shift = np.rint(ndtri(np.maximum(sideways, 2.0**-54)) * check_number(spread, "spread", 0.0))
        column = (place + shift.astype(np.int64)) % width
    source = np.maximum(layer - back, 0) * width + column
    return with_drawn_costs(n, distinct_edges(n, source, vertex), weights, ccr, rng)


def erdos_renyi(
    n: int,
    edges: int | None = None,
    *,
    probability: float | None = None,
    weights: Weights = "unit",
    ccr: float = 1.0,
    seed: Seed = 0,
) -> Dag:
    """Random graph of Erdos and Renyi, or of Gilbert, made acyclic by the numbers of its vertices.

    Parameters
    ----------
    n : int
        Number of vertices.
    edges : int, optional
        Number of edges: all graphs with as many are equally likely.
    probability : float, optional
        Instead: that of each edge by itself.
    weights, ccr, seed
        As for `layered`.

    Returns
    -------
    Dag
        Every edge runs from a lower number to a higher one.

    Raises
    ------
    DagpartError
        If not exactly one of `edges` and `probability` is given, or an argument is out of range.

    References
    ----------
    .. [1] P. Erdos and A. Renyi, "On random graphs I", Publicationes Mathematicae Debrecen 6, 1959.
    .. [2] V. Batagelj and U. Brandes, "Efficient generation of large random networks", Physical Review E 71,
       2005: to skip over pairs that are no edges.

    Examples
    --------
    >>> erdos_renyi(1000, 5000)
    Dag(n=1000, m=5000)
    >>> erdos_renyi(100, probability=1.0).m
    4950
    """
    n = fits(check_size(n, "n"))
    pairs = n * (n - 1) // 2
    if pairs > _MOST_PAIRS:
        raise DagpartError(f"n must be at most {math.isqrt(2 * _MOST_PAIRS)}, got {n}")
    rng = generator(seed)
    if (edges is None) == (probability is None):
        raise DagpartError("give either edges or probability")
    if edges is not None:
        m = check_size(edges, "edges", least=0)
        if m > pairs:
            raise DagpartError(f"edges must be at most {pairs} for {n} vertices, got {m}")
        key = _sample(pairs, fits(m, "edges"), rng)
    else:
        assert probability is not None
        key = _thinned(pairs, check_number(probability, "probability", 0.0, 1.0), rng)
    source, target = _pair(key)
    return with_drawn_costs(n, distinct_edges(n, source, target), weights, ccr, rng)


def series_parallel(
    n: int, *, parallel: float = 0.5, weights: Weights = "unit", ccr: float = 1.0, seed: Seed = 0
) -> Dag:
    """Random series-parallel graph between two terminals.

    A block of vertices between two terminals is put together from two smaller blocks, of random sizes: in
    parallel, or one after the other with a vertex in between.

    Parameters
    ----------
    n : int
        Number of vertices, at least 2.
    parallel : float, default 0.5
        Probability of putting in parallel a block of two or more vertices.
    weights, ccr, seed
        As for `layered`.

    Returns
    -------
    Dag
        `n` vertices, the first the only source and the last the only sink.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    J. Valdes, R. E. Tarjan and E. L. Lawler, "The recognition of series parallel digraphs", SIAM Journal on
    Computing 11(2), 1982.

    Examples
    --------
    >>> series_parallel(100, parallel=0.0)
    Dag(n=100, m=99)
    >>> series_parallel(100, parallel=1.0).m
    196
    """
    n = fits(check_size(n, "n", least=2))
    parallel = check_number(parallel, "parallel", 0.0, 1.0)
    rng = generator(seed)
    edges = [np.empty((0, 2), dtype=np.int64)]
    # Of each block: its terminals, its first vertex and how many it has.
    source, target, first, count = (np.array([value]) for value in (0, n - 1, 1, n - 2))
    while len(count):
        empty = count == 0
        edges.append(np.column_stack((source[empty], target[empty])))
        source, target, first, count = (each[~empty] for each in (source, target, first, count))
        kind, cut = rng.random((2, len(count)))
        beside = (kind < parallel) & (count > 1)
        # In parallel both have vertices; in series the first may have none, up to all but the one in between.
        left = beside + (cut * (count - beside)).astype(np.int64)
        middle = first + left
        source, target, first, count = (
            np.concatenate(halves)
            for halves in (
                (source, np.where(beside, source, middle)),
                (np.where(beside, target, middle), target),
                (first, np.where(beside, middle, middle + 1)),
                (left, np.where(beside, count - left, count - left - 1)),
            )
        )
    return with_drawn_costs(n, np.concatenate(edges), weights, ccr, rng)


def random_dag(
    n: int,
    *,
    fat: float = 1.0,
    degree: float = 3.0,
    jump: int = 1,
    weights: Weights = "cost",
    ccr: float = 1.0,
    seed: Seed = 0,
) -> Dag:
    """Random task graph with a given ratio of communication to computation.

    Levels have random widths. Each task behind the first level draws a random number of predecessors: one
    from the level before, the others from up to `jump` levels before.

    Parameters
    ----------
    n : int
        Number of tasks.
    fat : float, default 1
        The mean width of a level is ``fat * sqrt(n)``: below 1 the graph is long, above 1 it is wide.
    degree : float, default 3
        Mean number of predecessors that a task draws, at least 1; one that is drawn twice counts once.
    jump : int, default 1
        The most levels that an edge spans.
    weights : {"cost", "unit"}
        "cost": work and data at random, see `random_costs`.
    ccr : float, default 1
        Mean data of an edge, divided by mean work of a task.
    seed : int or numpy.random.Generator, default 0

    Returns
    -------
    Dag
        Tasks level by level.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    H. Topcuoglu, S. Hariri and M.-Y. Wu, "Performance-effective and low-complexity task scheduling for
    heterogeneous computing", IEEE Transactions on Parallel and Distributed Systems 13(3), 2002: graphs by
    size, shape, degree and communication-to-computation ratio.

    Examples
    --------
    >>> g = random_dag(1000, ccr=10.0)
    >>> g.n, round(float(g.edge_weights.mean() / g.vertex_weights.mean()), 3)
    (1000, 10.0)
    """
    n = fits(check_size(n, "n"))
    fat = check_number(fat, "fat", 0.0)
    degree = check_number(degree, "degree", 1.0)
    jump = check_size(jump, "jump")
    fits(math.ceil(n * degree), "edges")
    rng = generator(seed)
    mean = min(max(fat * math.sqrt(n), 1.0), float(n))
    # Widths from 1 to twice the mean; as many as there could be levels.
    widths = 1 + (rng.random(n) * (2 * mean - 1)).astype(np.int64)
    ends = np.cumsum(widths)
    level = np.searchsorted(ends, np.arange(n), side="right")
    start = np.concatenate(([0], ends))
    wanted = 1 + (rng.random(n) * (2 * degree - 1)).astype(np.int64)
    wanted[level == 0] = 0
    vertex = np.repeat(np.arange(n), wanted)
    span, place = rng.random((2, len(vertex)))
    back = 1 + (span * np.minimum(jump, level[vertex])).astype(np.int64)
    # The first that each vertex draws keeps it in its level.
    back[np.cumsum(wanted)[wanted > 0] - wanted[wanted > 0]] = 1
    origin = level[vertex] - back
    source = start[origin] + (place * widths[origin]).astype(np.int64)
    return with_drawn_costs(n, distinct_edges(n, source, vertex), weights, ccr, rng)


def random_costs(graph: Dag, *, ccr: float = 1.0, seed: Seed = 0) -> Dag:
    """The same graph with costs at random, and a given ratio of communication to computation.

    Work of tasks is uniform, whole, from 1 to 199. Data of edges are uniform from nothing to twice their
    mean, rounded such that their total is the nearest whole number to what the ratio asks for.

    Parameters
    ----------
    graph : Dag
    ccr : float, default 1
        Mean data of an edge, divided by mean work of a task.
    seed : int or numpy.random.Generator, default 0

    Returns
    -------
    Dag

    Raises
    ------
    DagpartError
        If the ratio is negative or not finite.

    Examples
    --------
    >>> from dagpart.generate import grid2d
    >>> g = random_costs(grid2d(100), ccr=0.1)
    >>> round(float(g.edge_weights.mean() / g.vertex_weights.mean()), 3)
    0.1
    """
    work, data = drawn_costs(graph.n, graph.m, ccr, generator(seed))
    return graph.with_weights(vertex_weights=work, edge_weights=data)


def _sample(count: int, wanted: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Distinct numbers below `count`, all sets of them equally likely."""
    if 2 * wanted > count:
        return permutation(rng, count)[:wanted]
    drawn = np.empty(0, dtype=np.int64)
    first = drawn
    while len(first) < wanted:
        more = wanted + wanted // 4 + 16
        drawn = np.concatenate((drawn, (rng.random(more) * count).astype(np.int64)))
        # Where each number was drawn first: those that were drawn earliest are a fair sample.
        _, first = np.unique(drawn, return_index=True)
    return drawn[np.sort(first)[:wanted]]


def _thinned(count: int, probability: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Numbers below `count`, each with the given probability by itself, ascending."""
    if probability == 0.0:
        return np.empty(0, dtype=np.int64)
    fits(math.ceil(count * probability), "edges")
    if probability == 1.0:
        return np.arange(count)
    parts, last = [], -1
    rate = math.log1p(-probability)
    while last < count:
        expected = (count - last) * probability
        more = int(expected + 4 * math.sqrt(expected)) + 16
        # Gaps between successes are geometric; none needs to be longer than all that is left.
        gaps = np.minimum(np.log1p(-rng.random(more)) / rate, float(count)).astype(np.int64)
        parts.append(last + np.cumsum(gaps + 1))
        last = int(parts[-1][-1])
    chosen: NDArray[np.int64] = np.concatenate(parts)
    return chosen[chosen < count]


def _pair(key: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pair i < j at a position of the list (0, 1), (0, 2), (1, 2), (0, 3), ..."""
    high = ((1 + np.sqrt(1 + 8 * key.astype(np.float64))) / 2).astype(np.int64)
    # The root may be off by one.
    high -= high * (high - 1) // 2 > key
    high += high * (high + 1) // 2 <= key
    return key - high * (high - 1) // 2, high
