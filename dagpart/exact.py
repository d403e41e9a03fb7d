"""The optimum for small graphs, with a proof: an integer program, solved by HiGHS through SciPy.

The unknowns say for each vertex v and each p below k - 1 whether the label of v is above p. Labels that rise
along every edge are then plain inequalities, and numbering the parts so takes most of their k! symmetries
away. (For an integer program on parts without an order see M. Y. Ozkaya and U. V. Catalyurek, "A simple and
elegant mathematical formulation for the acyclic DAG partitioning problem", arXiv:2207.13638, 2022.)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from dagpart._arguments import Objective, check_choice, check_time_limit
from dagpart._core.graph import measures
from dagpart._named import Values
from dagpart._weights import unscaled
from dagpart.dag import Digraph
from dagpart.errors import InfeasibleError, WeightError
from dagpart.search.request import Request, prepare

__all__ = ["Optimum", "partition"]

T = TypeVar("T")

# How far the solver's figures may be off, relative to them.
_TOLERANCE = 1e-6
_SOLVER = "HiGHS"
# Status of scipy.optimize.milp.
_SOLVED, _INFEASIBLE = 0, 2


def _edge_cut(graph: Digraph, labels: NDArray[np.int32], k: int) -> int:
    return measures.edge_cut(graph.indptr, graph.indices, graph.edge_weights, labels)


def _comm_volume(graph: Digraph, labels: NDArray[np.int32], k: int) -> int:
    return measures.comm_volume(graph.indptr, graph.indices, graph.edge_weights, labels, k)


# In integers, which alone can be compared with a bound.
_MEASURES: dict[str, Callable[[Digraph, NDArray[np.int32], int], int]] = {
    "edge_cut": _edge_cut,
    "comm_volume": _comm_volume,
}


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best partition found, and how good any can be.

    Attributes
    ----------
    labels : int32[n] or None
        Part of each vertex, numbered as `dagpart.partition` does. None where time ran out before any
        partition was found.
    part_order : int32[k] or None
        Parts in a topological order of the quotient.
    objective : int or float or None
        What the partition costs, in the unit of the weights as they were given: an int where these are whole.
    bound : int or float
        No partition costs less.
    proven : bool
        Whether the partition is an optimum; `objective` and `bound` are then the same.
    seconds : float
        Wall time of the solver.
    """

    labels: NDArray[np.int32] | None
    part_order: NDArray[np.int32] | None
    objective: int | float | None
    bound: int | float
    proven: bool
    seconds: float


def partition(
    graph: Any,
    k: int,
    *,
    imbalance: float = 0.03,
    objective: Objective = "edge_cut",
    vertex_weights: Values | None = None,
    edge_weights: Values | None = None,
    fixed: Values | None = None,
    groups: Iterable[Iterable[Hashable]] | None = None,
    allow_empty: bool = False,
    on_cycle: Literal["raise", "condense"] = "raise",
    time_limit: float | None = 60.0,
) -> Optimum:
    """An acyclic partition of least cost, for graphs of some dozens of vertices.

    Parameters
    ----------
    graph, k, imbalance, vertex_weights, edge_weights, fixed, groups, allow_empty, on_cycle
        As for `dagpart.partition`.
    objective : {"edge_cut", "comm_volume"}
        What a partition costs: `dagpart.metrics.edge_cut` or `dagpart.metrics.comm_volume`.
    time_limit : float or None, default 60
        Seconds; the best partition so far is then returned, with the bound so far.

    Returns
    -------
    Optimum

    Raises
    ------
    NotADagError
        If the graph has a cycle and `on_cycle` is "raise".
    InfeasibleError
        If there is no such partition, which is proven too.
    WeightError
        If weights span too many digits for the solver's floating-point numbers.
    DagpartError
        If an argument is not what it should be.

    Examples
    --------
    >>> best = partition([(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)], 2, imbalance=0.4)
    >>> best.objective, best.bound, best.proven, best.labels.tolist()
    (1, 1, True, [0, 0, 0, 0, 1])
    """
    check_choice(objective, "objective", _MEASURES)
    limit = check_time_limit(time_limit)
    given = Digraph.from_any(graph, vertex_weights=vertex_weights, edge_weights=edge_weights)
    request = prepare(given, k, imbalance, fixed, groups, allow_empty, on_cycle)
    started = time.perf_counter()
    if request.parts == 1:
        labels: NDArray[np.int32] | None = np.zeros(request.dag.n, dtype=np.int32)
        bound, solved = 0.0, True
    else:
        unit = _common_factor(request.given.edge_weights)
        program = _Program(request, objective, allow_empty, unit)
        # HiGHS does not look for Ctrl-C; this thread does, while another one runs HiGHS.
        labels, bound, solved = _in_background(lambda: program.solve(limit))
        bound *= unit
    seconds = time.perf_counter() - started
    if labels is None:
        if solved:
            raise InfeasibleError(
                f"no acyclic partition into {k} parts of at most {request.told(request.cap)} exists; "
                "allow a larger imbalance, fewer parts, or fix less"
            )
        return Optimum(None, None, None, unscaled(_whole(bound), request.given.weight_scale), False, seconds)
    labels, order = request.answer(labels)
    heaviest = int(measures.part_weights(request.given.vertex_weights, labels, request.k).max())
    if heaviest > request.cap:
        raise WeightError(
            "the weights of the vertices span too many digits for the solver: "
            f"it takes {request.told(heaviest)} for no more than {request.told(request.cap)}; divide them, "
            "or round them"
        )
    cost = _MEASURES[objective](request.given, labels, request.k)
    proven = solved and bound >= cost - _TOLERANCE * max(1, cost)
    least = cost if proven else min(_whole(bound), cost)
    told, bound_told = (unscaled(value, request.given.weight_scale) for value in (cost, least))
    return Optimum(labels, order, told, bound_told, proven, seconds)


class _Program:
    """The integer program of a request."""

    def __init__(self, request: Request, objective: str, allow_empty: bool, unit: int) -> None:
        dag, given, k = request.dag, request.given, request.parts
        self.n, self.k = dag.n, k
        # From y[v, p], "the label of v is above p", to x[v, q], "v is in part q": in_part @ y + first.
        in_part = scipy.sparse.diags_array([1.0, -1.0], offsets=[-1, 0], shape=(k, k - 1))
        first = np.eye(1, k)[0]
        each = scipy.sparse.eye_array(k - 1)
        self.rows: list[tuple[Any, Any, ArrayLike, ArrayLike]] = []

        # Above p means above p - 1, and so do all successors.
        nested = scipy.sparse.diags_array([1.0, -1.0], offsets=[0, 1], shape=(k - 2, k - 1))
        self._add(scipy.sparse.kron(scipy.sparse.eye_array(dag.n), nested), 0, np.inf)
        self._add(scipy.sparse.kron(_differences(dag, np.arange(dag.n)), each), 0, np.inf)

        weights, total = dag.vertex_weights, dag.total_weight
        factor = _common_factor(weights)
        weights, total, cap = weights // factor, total // factor, min(request.cap, total) // factor
        self._add(
            scipy.sparse.kron(weights[None, :], in_part),
            total - (k - 1) * cap - total * first,
            cap - total * first,
        )
        # What lies above p fits the parts that are left: implied, but it helps the solver.
        left = k - 1 - np.arange(k - 1)
        self._add(scipy.sparse.kron(weights[None, :], each), total - (k - left) * cap, left * cap)
        if not allow_empty:
            self._add(scipy.sparse.kron(np.ones((1, dag.n)), in_part), 1 - dag.n * first, np.inf)
        if request.anchors.size:
            count = int(request.anchors.sum())
            self._add(
                scipy.sparse.kron(request.anchors.astype(float)[None, :], in_part), -np.inf, 1 - count * first
            )

        # The cost is that of the caller's graph, of which several vertices may be one here.
        place = np.arange(given.n) if request.membership is None else request.membership
        edges = _differences(given, place)
        costs = given.edge_weights / unit
        if objective == "edge_cut":
            # One variable an edge, 1 where some p lies between the labels of its ends.
            self.cost = costs
            paid = scipy.sparse.kron(scipy.sparse.eye_array(given.m), np.ones((k - 1, 1)))
            self._add(scipy.sparse.kron(edges, each), -np.inf, 0, -paid)
        else:
            # One variable for a vertex and a part: what it has to send there, at most.
            self.cost = np.ones(given.n * (k - 1))
            sender = np.repeat(np.arange(given.n), np.diff(given.indptr))
            sent = scipy.sparse.csr_array(
                (np.ones(given.m), (np.arange(given.m), sender)), shape=(given.m, given.n)
            )
            arrives = scipy.sparse.kron(scipy.sparse.diags_array(costs) @ edges, in_part.tocsr()[1:])
            self._add(arrives, -np.inf, 0, -scipy.sparse.kron(sent, each))

    def _add(self, labels: Any, least: ArrayLike, most: ArrayLike, costs: Any = None) -> None:
        """Rows that hold between `least` and `most`."""
        self.rows.append((scipy.sparse.csr_array(labels), costs, least, most))

    def solve(self, limit: float | None) -> tuple[NDArray[np.int32] | None, float, bool]:
        """Labels of the best partition or None, the bound, and whether that is the last word."""
        # Half a second of imports that few need.
        from scipy.optimize import Bounds, LinearConstraint, milp

        size, extra = self.n * (self.k - 1), self.cost.size
        blocks, least, most = [], [], []
        for labels, costs, low, high in self.rows:
            count = labels.shape[0]
            blocks.append([labels, scipy.sparse.csr_array((count, extra)) if costs is None else costs])
            least.append(np.broadcast_to(low, count))
            most.append(np.broadcast_to(high, count))
        matrix = scipy.sparse.csc_array(scipy.sparse.block_array(blocks))
        result = milp(
            np.concatenate((np.zeros(size), self.cost)),
            constraints=LinearConstraint(matrix, np.concatenate(least), np.concatenate(most)),
            integrality=np.concatenate((np.ones(size), np.zeros(extra))),
            bounds=Bounds(0, np.concatenate((np.ones(size), np.full(extra, np.inf)))),
            options={"mip_rel_gap": 0, **({} if limit is None else {"time_limit": limit})},
        )
        bound = 0.0 if result.mip_dual_bound is None else max(0.0, float(result.mip_dual_bound))
        if result.x is None:
            return None, bound, result.status == _INFEASIBLE
        above = np.rint(result.x[:size]).reshape(self.n, self.k - 1)
        return above.sum(axis=1).astype(np.int32), bound, result.status == _SOLVED


def _differences(graph: Digraph, place: NDArray[Any]) -> Any:
    """A row for each edge: 1 at the place of its target, -1 at that of its source; 0 where they are one."""
    source = place[np.repeat(np.arange(graph.n), np.diff(graph.indptr))]
    target = place[graph.indices]
    edge = np.arange(graph.m)
    ones = np.ones(graph.m)
    out = scipy.sparse.csr_array(
        (
            np.concatenate((ones, -ones)),
            (np.concatenate((edge, edge)), np.concatenate((target, source))),
        ),
        shape=(graph.m, int(place.max(initial=-1)) + 1),
    )
    return out


def _common_factor(weights: NDArray[np.int64]) -> int:
    """The greatest common divisor, 1 at least: the smaller the numbers, the less the solver rounds."""
    return max(1, int(np.gcd.reduce(weights))) if weights.size else 1


def _whole(bound: float) -> int:
    """Costs are whole: the least one not below the bound, which may be a bit too high itself."""
    return int(np.ceil(bound - _TOLERANCE * max(1.0, bound)))


def _in_background(work: Callable[[], T]) -> T:
    """Run in a thread of its own, so that this one can be interrupted; the work then goes on to its end."""
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name=_SOLVER, daemon=True)
    thread.start()
    while thread.is_alive():
        # Without a time a signal would have to wait for it where another thread gets it.
        thread.join(0.1)
    if errors:
        raise errors[0]
    return results[0]
