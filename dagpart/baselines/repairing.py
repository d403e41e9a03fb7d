"""Making any labelling acyclic: parts numbered, edges that run back mended, then the engine's refinement.

A partition is acyclic just when its parts can be numbered so that labels never fall along an edge. So the
parts of the given labelling are put into an order in which little weight runs back, and every vertex moves no
further than it must for the labels to rise. The move of least weight is an isotonic regression in the sum of
distances, and is found by minimum cuts, one for each of log2(k) halvings of the range of labels: D. S.
Hochbaum and M. Queyranne, "Minimizing a convex cost closure set", SIAM J. Discrete Math. 16(2), 2003.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from scipy.sparse import csgraph

from dagpart import _entries, metrics
from dagpart._arguments import check_parts, check_seed
from dagpart._child import protected
from dagpart._core.multilevel.engine import Engine
from dagpart._named import Values
from dagpart._weights import scaled_down, unscaled
from dagpart.dag import Dag, Digraph
from dagpart.errors import BalanceWarning
from dagpart.options import Options, options_of
from dagpart.search.request import Request, prepare

# Above this many parts only their mean position orders them: the search looks at every pair.
_MOST_SORTED = 2000
_ROUNDS = 50
# Vertices times levels that the minimum cuts for one order may look at, some seconds: on a chain of 30,000
# vertices with its halves exchanged, 9e8 took 10 s; on a grid of 500,000 with random labels, 7e8 took 17 s.
_MOST_WORK = 200_000_000
# Of these, what one cut may look at here, some tenths of a second: SciPy's flow sees no interrupt. A longer
# one goes to a process of its own, which an interrupt ends.
_SHORT_WORK = 20_000_000
# scipy.sparse.csgraph.maximum_flow counts in 32 bits.
_INFINITE = 2**31 - 1
_MOST_FLOW = 2**30


@dataclass(frozen=True, eq=False)
class Repaired:
    """An acyclic partition made from labels that may not have been one.

    Attributes
    ----------
    labels : int32[n]
        They rise along every edge.
    k : int
        Number of parts.
    cap : int or float
        The heaviest that a part was allowed to be. This and the cuts are in the unit of the weights as they
        were given: ints where these are whole, else floats.
    was_acyclic : bool
        Whether the given labels were an acyclic partition.
    cut_before, cut_after : int or float
        Edge cut of the given labels, and of these.
    """

    labels: NDArray[np.int32]
    k: int
    cap: int | float
    was_acyclic: bool
    cut_before: int | float
    cut_after: int | float

    @property
    def price(self) -> float:
        """The price of acyclicity: cut after the repair over cut before.

        Below 1 where the refinement gained more than the repair cost; 1 where both are 0, infinite where only
        the first is.
        """
        if self.cut_before == self.cut_after:
            return 1.0
        return self.cut_after / self.cut_before if self.cut_before else math.inf


def repair(
    graph: Any,
    labels: Values,
    imbalance: float = 0.03,
    *,
    k: int | None = None,
    preset: Literal["fast", "default", "strong"] | Options = "default",
    seed: int = 0,
) -> Repaired:
    """Turn any labelling into an acyclic partition of near-equal balance.

    Parameters
    ----------
    graph : Dag or anything `dagpart.partition` takes
    labels : array_like of int, shape (n,)
        Part of each vertex, as an undirected partitioner gives it.
    imbalance : float, default 0.03
        Tolerance, as for `dagpart.partition`.
    k : int, optional
        Number of parts; by default one more than the highest label.
    preset : {"fast", "default", "strong"} or Options
        How much time the refinement takes.
    seed : int, default 0

    Returns
    -------
    Repaired

    Raises
    ------
    NotADagError
        If the graph has a cycle.
    InfeasibleError
        If a vertex weighs more than a part may, or there are more parts than vertices.
    DagpartError
        If an argument is not what it should be.

    Warns
    -----
    BalanceWarning
        If the balance asked for was not found; with unit weights it always is.

    Notes
    -----
    Two orders of the parts are tried, by the mean level of their vertices and by a local search for little
    weight that runs back; for each, all vertices move up, all move down, or as little weight moves as can be.
    Each result is balanced and refined without coarsening, and the best is kept.

    Examples
    --------
    >>> from dagpart.dag import Dag
    >>> square = Dag.from_edges([(0, 1), (0, 2), (1, 3), (2, 3)])
    >>> r = repair(square, [0, 1, 1, 0])
    >>> r.was_acyclic, r.labels.tolist(), r.cut_before, r.cut_after, r.price
    (False, [0, 0, 1, 1], 4, 2, 0.5)
    """
    options, seed = options_of(preset), check_seed(seed)
    dag = graph if isinstance(graph, Dag) else Dag.from_any(graph)
    part, k = metrics.as_labels(labels, dag.n, k, dag.names)
    check_parts(dag.n, k)
    request = prepare(dag, k, imbalance, None, None, False, "raise")
    quotient = metrics.quotient(dag, part, k)
    engine = request.engine_input(allow_empty=False).engine()
    found = [engine.refine(start, options, seed) for start in _starts(request, engine, part, quotient)]
    best = min(found, key=engine.score)
    if engine.score(best)[0]:
        best = min(best, engine.refine(_runs(request, best), options, seed), key=engine.score)
    over, cut = engine.score(best)
    if over:
        warnings.warn(
            f"parts weigh {request.told(over)} more than the {request.told(request.cap)} allowed to each: no "
            "better balance was found; allow a larger imbalance or use fewer parts",
            BalanceWarning,
            stacklevel=2,
        )
    best.setflags(write=False)
    before, after = (unscaled(weight, dag.weight_scale) for weight in (quotient.total_edge_weight, cut))
    return Repaired(best, k, request.told(request.cap), isinstance(quotient, Dag), before, after)


def _starts(
    request: Request, engine: Engine, part: NDArray[np.int32], quotient: Digraph
) -> Iterator[NDArray[np.int32]]:
    """Monotone labels near the given ones, each once."""
    dag, k = request.dag, request.k
    seen = set()
    for position in _positions(dag, part, quotient):
        labels = position[part]
        nearest = engine.close(labels, True)
        if np.array_equal(nearest, labels):
            # Monotone as it is: nothing has to move, and no other order lets less move.
            yield labels
            return
        for start in (nearest, engine.close(labels, False), _least_moves(dag, labels, k)):
            key = start.tobytes()
            if key not in seen:
                seen.add(key)
                yield start


def _positions(dag: Dag, part: NDArray[np.int32], quotient: Digraph) -> Iterator[NDArray[np.int32]]:
    """Numberings of the parts, int32[k], in which little weight runs from a part to an earlier one."""
    if isinstance(quotient, Dag):
        yield _inverse(quotient.order)
        return
    k = quotient.n
    members = np.maximum(np.bincount(part, minlength=k), 1)
    order = np.argsort(np.bincount(part, weights=dag.levels, minlength=k) / members, kind="stable")
    yield _inverse(order)
    if k <= _MOST_SORTED:
        yield _inverse(_sort_parts(quotient.to_scipy().toarray().astype(np.float64), order))


def _inverse(order: NDArray[Any]) -> NDArray[np.int32]:
    position = np.empty(order.size, dtype=np.int32)
    position[order] = np.arange(order.size, dtype=np.int32)
    return position


def _sort_parts(weight: NDArray[np.float64], order: NDArray[Any]) -> NDArray[Any]:
    """Move single parts to where least weight runs back, until no move helps."""
    forward = weight - weight.T
    for _ in range(_ROUNDS):
        moved = False
        for part in order.copy():
            at = int(np.flatnonzero(order == part)[0])
            others = np.delete(order, at)
            # What is gained by standing behind the first i of the others, against standing before all.
            gain = np.concatenate(([0.0], -np.cumsum(forward[part, others])))
            best = int(gain.argmax())
            if gain[best] > gain[at]:
                order, moved = np.insert(others, best, part), True
        if not moved:
            break
    return order


def _least_moves(
    dag: Dag, labels: NDArray[np.int32], k: int, most_work: int = _MOST_WORK
) -> NDArray[np.int32]:
    """Monotone labels at the least sum of weight times distance from the given ones, or near it.

    When `most_work` is used up, the rest is split by the cheaper of two closures in place of a minimum cut.
    """
    source = np.repeat(np.arange(dag.n, dtype=dag.indices.dtype), np.diff(dag.indptr))
    target = dag.indices
    weights = np.maximum(scaled_down(dag.vertex_weights, _MOST_FLOW), 1)
    low = np.zeros(dag.n, dtype=np.int32)
    high = np.full(dag.n, k - 1, dtype=np.int32)
    # Vertices with the same range of labels are split together into an upper and a lower half of that range;
    # edges between different ranges rise already.
    while np.any(low < high):
        inside = (low[source] == low[target]) & (low[source] < high[source])
        source, target = source[inside], target[inside]
        middle = (low + high) // 2
        wanted = labels > middle
        edges = _entries.pattern(dag.n, source, target)
        above, below = _reached(edges, wanted), _reached(edges.T.tocsr(), ~wanted)
        # Only vertices between one that wants up and a later one that does not may have to give way.
        torn = np.flatnonzero(above & below)
        work = torn.size * int(np.ptp(dag.levels[torn]) + 1 if torn.size else 0)
        most_work -= work
        if most_work >= 0:
            above = wanted.copy()
            problem = edges[torn][:, torn], wanted[torn], weights[torn]
            long = work > _SHORT_WORK
            above[torn] = (
                protected("minimum cut", _least_closure, *problem) if long else _least_closure(*problem)
            )
        elif weights[torn[wanted[torn]]].sum() < weights[torn[~wanted[torn]]].sum():
            above = ~below
        active = low < high
        low = np.where(active & above, middle + 1, low)
        high = np.where(active & ~above, middle, high)
    return low


def _least_closure(edges: Any, wanted: NDArray[np.bool_], weights: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The set that holds the successors of its members and differs from the wanted one in least weight."""
    n = wanted.size
    if not n:
        return wanted
    source, target = edges.nonzero()
    up, down = np.flatnonzero(wanted), np.flatnonzero(~wanted)
    # What is reached from the start along arcs with capacity left stays out: a vertex that wants out hangs on
    # the start, one that wants in on the end, both by their weight; what is out draws its predecessors out.
    start, end = n, n + 1
    capacity = np.concatenate((weights[down], weights[up], np.full(source.size, _INFINITE)))
    tails = np.concatenate((np.full(down.size, start), up, target))
    heads = np.concatenate((down, np.full(up.size, end), source))
    network = scipy.sparse.csr_array(
        (capacity.astype(np.int32), (tails.astype(np.int32), heads.astype(np.int32))), shape=(n + 2, n + 2)
    )
    residual = scipy.sparse.csr_array(network - csgraph.maximum_flow(network, start, end).flow)
    residual.eliminate_zeros()
    above = np.ones(n + 2, dtype=bool)
    above[csgraph.breadth_first_order(residual, start, return_predecessors=False)] = False
    return above[:n]


def _reached(edges: Any, seeds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The seeds and all that can be reached from them."""
    n = seeds.size
    heads = np.flatnonzero(seeds)
    from_all = scipy.sparse.csr_array(
        (
            np.ones(edges.nnz + heads.size, dtype=np.int8),
            np.concatenate((edges.indices, heads)).astype(np.int32),
            np.concatenate((edges.indptr, [edges.nnz + heads.size])).astype(np.int32),
        ),
        shape=(n + 1, n + 1),
    )
    out = np.zeros(n + 1, dtype=bool)
    out[csgraph.breadth_first_order(from_all, n, return_predecessors=False)] = True
    return out[:n]


def _runs(request: Request, labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """The topological order of monotone labels cut into runs, none heavier than the mean and one vertex."""
    order = np.lexsort((request.rank, labels))
    weights = request.dag.vertex_weights[order].astype(np.float64)
    middles = np.cumsum(weights) - weights / 2
    runs = np.minimum(middles * request.k / max(request.dag.total_weight, 1), request.k - 1)
    out = np.empty(order.size, dtype=np.int32)
    out[order] = np.maximum.accumulate(runs.astype(np.int32))
    return out
