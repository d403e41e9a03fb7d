"""What a partition costs, and whether it is one: measures and `check`.

Every measure takes the graph in any form that `dagpart.partition` takes, and labels as a sequence of
one integer for each vertex, in vertex order, or in a mapping or a pandas Series by name. Graphs with
cycles are welcome except where a longest path is asked for. Costs are in the unit in which the weights were
given: ints where these are whole, else floats.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_count, check_ids
from dagpart._core.graph import measures as _kernels
from dagpart._named import Values, in_order
from dagpart._weights import INT64_MAX, exact_total, unscaled
from dagpart.dag import Dag, Digraph
from dagpart.errors import DagpartError, WeightError

__all__ = [
    "Report",
    "as_labels",
    "check",
    "comm_volume",
    "critical_path",
    "edge_cut",
    "imbalance",
    "max_part_weight",
    "part_weights",
    "quotient",
]

_INT32_MAX = int(np.iinfo(np.int32).max)


def _as_digraph(graph: Any) -> Digraph:
    return graph if isinstance(graph, Digraph) else Digraph.from_any(graph)


def as_labels(
    labels: Values, n: int, k: int | None = None, names: Sequence[Hashable] | None = None
) -> tuple[NDArray[np.int32], int]:
    """Labels as the engine wants them, or an error that names the first bad one.

    Parameters
    ----------
    labels : array_like of int, shape (n,), or mapping or pandas.Series
        Part of each vertex, counted from 0; what carries names goes by these.
    n : int
        Number of vertices.
    k : int, optional
        Number of parts. By default one more than the highest label, which must then be less than `n`:
        more than n parts cannot all be in use, so a higher label is more likely a mistake.
    names : sequence of n hashable, optional
        Names of the vertices; by default 0 .. n-1.

    Returns
    -------
    labels : int32[n]
        The array that came in where it has this type already, else a copy.
    k : int

    Raises
    ------
    DagpartError
        Wrong length or type, a name without a label, a negative label, a label out of range, or a `k`
        below 1.

    Examples
    --------
    >>> as_labels([0, 0, 2], 3)
    (array([0, 0, 2], dtype=int32), 3)
    >>> as_labels({"b": 1, "a": 0}, 2, names=("a", "b"))[0].tolist()
    [0, 1]
    """
    given = check_ids(in_order(labels, n, names, "vertex", "label"), "the labels")
    if len(given) != n:
        raise DagpartError(f"{len(given)} labels for {n} vertices: give one for each, in vertex order")
    if k is not None:
        k = check_count(k, "k")
        # Without vertices there may be no parts.
        if not min(n, 1) <= k <= _INT32_MAX:
            raise DagpartError(f"the number of parts must be from 1 to {_INT32_MAX}, got k={k}")
    if n == 0:
        return np.zeros(0, dtype=np.int32), 0 if k is None else k
    lowest, highest = int(given.min()), int(given.max())
    if lowest < 0:
        raise DagpartError(
            f"label {lowest} of vertex {int(given.argmin())} is negative; parts are counted from 0"
        )
    if k is None and highest >= n:
        raise DagpartError(
            f"label {highest} of vertex {int(given.argmax())} is too high: {n} vertices fill at most "
            f"{n} parts, counted from 0; give k if more are meant"
        )
    if k is not None and highest >= k:
        raise DagpartError(
            f"label {highest} of vertex {int(given.argmax())} is not below k={k}; parts are counted from 0"
        )
    return np.ascontiguousarray(given, dtype=np.int32), highest + 1 if k is None else k


def _as_classes(labels: Values, graph: Digraph) -> tuple[NDArray[np.int32], int]:
    """Labels for what does not depend on the number of parts, which may then be any: at most n in use."""
    n = graph.n
    part, _ = as_labels(labels, n, _INT32_MAX, graph.names)
    top = int(part.max(initial=0))
    if top < n:
        return part, top + 1
    used, renumbered = np.unique(part, return_inverse=True)
    return renumbered.astype(np.int32), len(used)


def edge_cut(graph: Any, labels: Values) -> int | float:
    """Total weight of the edges whose ends lie in different parts.

    Parameters
    ----------
    graph : Digraph or anything `dagpart.partition` takes
    labels : array_like of int, shape (n,)

    Returns
    -------
    int or float
        Exact, in the unit of the edge weights as they were given: an int where these were whole.

    Raises
    ------
    DagpartError
        If the labels do not fit the graph.

    Examples
    --------
    >>> from dagpart.dag import Dag
    >>> edge_cut(Dag.from_edges([(0, 1), (1, 2), (0, 2)]), [0, 0, 1])
    2
    >>> edge_cut([(0, 1, 0.25), (1, 2, 0.25)], [0, 0, 1])
    0.25
    """
    graph = _as_digraph(graph)
    part, _ = _as_classes(labels, graph)
    cut = _kernels.edge_cut(graph.indptr, graph.indices, graph.edge_weights, part)
    return unscaled(cut, graph.weight_scale)


def comm_volume(graph: Any, labels: Values) -> int | float:
    """Data that has to move, when a vertex sends its result once to every other part that needs it.

    For every vertex u and every part other than its own that holds a successor of u, the heaviest edge
    from u into that part counts once. With unit weights this is the (lambda - 1) measure of the
    hypergraph whose nets are the vertices with their successors [1]_.

    Parameters
    ----------
    graph : Digraph or anything `dagpart.partition` takes
    labels : array_like of int, shape (n,)

    Returns
    -------
    int or float
        Exact, in the unit of the edge weights as they were given: an int where these were whole.

    Raises
    ------
    DagpartError
        If the labels do not fit the graph.

    References
    ----------
    .. [1] U. V. Catalyurek and C. Aykanat, "Hypergraph-partitioning-based decomposition for parallel
       sparse-matrix vector multiplication", IEEE Transactions on Parallel and Distributed Systems
       10(7), 1999: the column-net model.

    Examples
    --------
    >>> from dagpart.dag import Dag
    >>> comm_volume(Dag.from_edges([(0, 1), (0, 2), (0, 3)]), [0, 1, 1, 2])
    2
    """
    graph = _as_digraph(graph)
    part, k = _as_classes(labels, graph)
    volume = _kernels.comm_volume(graph.indptr, graph.indices, graph.edge_weights, part, k)
    return unscaled(volume, graph.weight_scale)


def part_weights(graph: Any, labels: Values, k: int | None = None) -> NDArray[Any]:
    """Sum of the vertex weights of every part.

    Parameters
    ----------
    graph : Digraph or anything `dagpart.partition` takes
    labels : array_like of int, shape (n,)
    k : int, optional
        Number of parts; by default one more than the highest label.

    Returns
    -------
    int64[k] or float64[k]
        In the unit of the vertex weights as they were given: int64, and exact, where these were whole.

    Raises
    ------
    DagpartError
        If the labels do not fit the graph or `k`.

    Examples
    --------
    >>> from dagpart.dag import Dag
    >>> part_weights(Dag.from_edges([(0, 1), (1, 2)]), [0, 0, 1], k=3)
    array([2, 1, 0])
    """
    graph = _as_digraph(graph)
    return unscaled(_loads(graph, labels, k), graph.vertex_weight_scale)


def imbalance(graph: Any, labels: Values, k: int | None = None) -> float:
    """How far the heaviest part is above the mean: ``max(part weights) / (W / k) - 1``.

    Parameters
    ----------
    graph : Digraph or anything `dagpart.partition` takes
    labels : array_like of int, shape (n,)
    k : int, optional
        Number of parts; by default one more than the highest label.

    Returns
    -------
    float
        0.0 when all parts weigh the same, and when the whole graph weighs nothing.

    Raises
    ------
    DagpartError
        If the labels do not fit the graph or `k`.

    Examples
    --------
    >>> from dagpart.dag import Dag
    >>> imbalance(Dag.from_edges([(0, 1), (1, 2)], n=4), [0, 0, 0, 1])
    0.5
    """
    return _imbalance_of(_loads(_as_digraph(graph), labels, k))


def max_part_weight(total: int, k: int, imbalance: float) -> int:
    """The heaviest a part may be: ``floor((1 + imbalance) * ceil(total / k))``, in exact arithmetic.

    Parameters
    ----------
    total : int
        Weight of all vertices, as ``total_weight`` of a graph. Where weights were scaled to integers, that
        is scaled too, and so is the result.
    k : int
        Number of parts, at least 1.
    imbalance : float, int, Fraction or Decimal
        Tolerance, at least 0. A float stands for the decimal number it prints as: 0.03 is 3/100, not
        the binary fraction beside it.

    Returns
    -------
    int
        At most ``2**63 - 1``, more than any graph may weigh.

    Raises
    ------
    DagpartError
        If `k` is below 1 or `imbalance` is no finite number from 0 up.

    Examples
    --------
    >>> max_part_weight(1000, 8, 0.04)
    130
    >>> max_part_weight(100, 1, 0.15), int((1 + 0.15) * 100)
    (115, 114)
    """
    if check_count(k, "k") < 1:
        raise DagpartError(f"the number of parts must be at least 1, got k={k}")
    try:
        tolerance = Fraction(str(imbalance))
    except (ValueError, ZeroDivisionError):
        tolerance = Fraction(-1)
    if tolerance < 0:
        raise DagpartError(
            f"imbalance must be a finite number from 0 up (0.03 is 3 percent), got {imbalance!r}"
        )
    share = -(-int(total) // int(k))
    return min(math.floor((1 + tolerance) * share), INT64_MAX)


def critical_path(graph: Any, labels: Values, latency: float = 1) -> int | float:
    """Length of the longest path, when what crosses between parts takes time.

    A vertex costs its weight. An edge costs nothing inside a part, and its weight times `latency`
    between parts.

    Parameters
    ----------
    graph : Dag or anything `dagpart.partition` takes
    labels : array_like of int, shape (n,)
    latency : int or float, default 1
        Cost of one unit of edge weight that crosses, in units of vertex weight; at least 0.

    Returns
    -------
    int or float
        In the unit of the weights as they were given. An exact int when these and `latency` are whole; else
        a float with the usual rounding. 0 without vertices.

    Raises
    ------
    NotADagError
        If the graph has a cycle.
    WeightError
        If the exact length passes ``2**63 - 1``.
    DagpartError
        If the labels do not fit the graph, or `latency` is negative or not finite.

    Examples
    --------
    >>> from dagpart.dag import Dag
    >>> chain = Dag.from_edges([(0, 1), (1, 2)])
    >>> critical_path(chain, [0, 0, 1]), critical_path(chain, [0, 0, 1], latency=2.5)
    (4, 5.5)
    """
    dag = graph if isinstance(graph, Dag) else Dag.from_any(graph)
    part, _ = _as_classes(labels, dag)
    whole = isinstance(latency, (int, np.integer))
    if not whole:
        latency = float(latency)
    if not 0 <= latency < math.inf:
        raise DagpartError(f"latency must be a finite number from 0 up, got {latency!r}")
    # Vertices may have kept a coarser unit than edges; the scales are powers of ten or of two.
    unit = int(dag.weight_scale / dag.vertex_weight_scale)
    length: int | float = -1
    if dag.total_weight * unit <= INT64_MAX and (not whole or latency <= INT64_MAX):
        length = _kernels.critical_path(
            dag.indptr,
            dag.indices,
            dag.edge_weights,
            dag.vertex_weights if unit == 1 else dag.vertex_weights * unit,
            dag.order,
            part,
            int(latency) if whole else latency,
        )
    if length < 0:
        raise WeightError(
            f"the longest path at latency {latency} passes 2**63 - 1, or may; use smaller weights, "
            "or a float latency"
        )
    return unscaled(length, dag.weight_scale)


def quotient(graph: Any, labels: Values, k: int | None = None) -> Digraph:
    """The graph of the parts.

    Part a has an edge to part b when some vertex of a has an edge to some vertex of b.

    Parameters
    ----------
    graph : Digraph or anything `dagpart.partition` takes
    labels : array_like of int, shape (n,)
    k : int, optional
        Number of parts; by default one more than the highest label.

    Returns
    -------
    Dag or Digraph
        Vertices are the parts 0..k-1 with the weights of their members summed; edges carry the cut
        between two parts. A `Dag` exactly when the partition is acyclic. As any graph it holds integers,
        with the scales of `graph`.

    Raises
    ------
    DagpartError
        If the labels do not fit the graph or `k`.

    Examples
    --------
    >>> from dagpart.dag import Dag
    >>> q = quotient(Dag.from_edges([(0, 1), (0, 2), (1, 2)]), [0, 0, 1])
    >>> q.n, q.m, q.edge_weights.tolist(), q.vertex_weights.tolist()
    (2, 1, [2], [2, 1])
    """
    graph = _as_digraph(graph)
    part, k = as_labels(labels, graph.n, k, graph.names)
    between = graph.contract(part, k)
    return Dag.from_any(between) if between.is_acyclic else between


@dataclass(frozen=True)
class Report:
    """What `check` found out about a partition; `print` shows it.

    Attributes
    ----------
    valid : bool
        Acyclic, balanced as far as that was asked for, and no part empty that could have been filled.
    acyclic : bool
        Whether the graph of the parts has no directed cycle.
    cycle : list of int or None
        Parts around a cycle, the shortest found: each has an edge to the next, the last one to the first.
    cycle_edges : list of (name, name) or None
        For each step around the cycle, the heaviest edge of the graph that makes it.
    k : int
        Number of parts.
    edge_cut, comm_volume : int or float
        As `edge_cut` and `comm_volume` count them. These and all other costs are in the unit of the weights
        as they were given: ints where these are whole, else floats.
    critical_path : int or float or None
        At latency 1; None when the graph itself is cyclic, or the length passes ``2**63 - 1``.
    part_weights : int64[k] or float64[k]
    imbalance : float
        Heaviest part over the mean, less 1.
    cap : int or float or None
        The heaviest a part may be; None when no tolerance was given.
    balanced : bool or None
        Whether no part is above `cap`; None when no tolerance was given.
    empty_parts : list of int
        Parts without a vertex.
    weight_scale, vertex_weight_scale : float
        What weights of edges and of vertices were multiplied by to make them whole inside the graph; nothing
        here is. 1.0 where all were whole.
    """

    valid: bool
    acyclic: bool
    cycle: list[int] | None
    cycle_edges: list[tuple[Hashable, Hashable]] | None
    k: int
    edge_cut: int | float
    comm_volume: int | float
    critical_path: int | float | None
    part_weights: NDArray[Any]
    imbalance: float
    cap: int | float | None
    balanced: bool | None
    empty_parts: list[int]
    weight_scale: float
    vertex_weight_scale: float

    def to_dict(self) -> dict[str, Any]:
        """The attributes in plain Python types, ready for JSON (where names of vertices are).

        Returns
        -------
        dict
        """
        out = {field.name: getattr(self, field.name) for field in fields(self)}
        out["part_weights"] = self.part_weights.tolist()
        return out

    def __str__(self) -> str:
        rows = [("valid", _yes(self.valid)), ("acyclic", _yes(self.acyclic))]
        if self.cycle is not None and self.cycle_edges is not None:
            rows.append(
                ("cycle", f"{_shorten([*self.cycle, self.cycle[0]], ' -> ')}  ({len(self.cycle)} parts)")
            )
            around = zip(self.cycle, self.cycle[1:] + self.cycle[:1], self.cycle_edges, strict=True)
            steps = [f"part {a} -> {b} by the edge {u} -> {v}" for a, b, (u, v) in around]
            rows += [("", step) for step in (steps if len(steps) <= _SHOWN else [*steps[:_SHOWN], "..."])]
        rows.append(("parts", str(self.k)))
        if self.empty_parts:
            rows.append(("empty", f"{_shorten(self.empty_parts, ', ')}  ({len(self.empty_parts)} parts)"))
        if self.balanced is not None:
            rows.append(("balanced", _yes(self.balanced)))
        heaviest = f"{self.part_weights.max(initial=0)}"
        if self.cap is not None:
            heaviest += f" of {self.cap} allowed"
        rows += [
            ("heaviest part", heaviest),
            ("imbalance", f"{100 * self.imbalance:.2f} %"),
            ("edge cut", str(self.edge_cut)),
            ("comm volume", str(self.comm_volume)),
        ]
        if self.critical_path is not None:
            rows.append(("critical path", str(self.critical_path)))
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def check(
    graph: Any,
    labels: Values,
    k: int | None = None,
    imbalance: float | None = None,
    *,
    allow_empty: bool = False,
) -> Report:
    """Whether labels are an acyclic, balanced partition, and what it costs.

    Parameters
    ----------
    graph : Digraph or anything `dagpart.partition` takes
        May have cycles; each must then lie inside one part.
    labels : array_like of int, shape (n,)
    k : int, optional
        Number of parts; by default one more than the highest label.
    imbalance : float, optional
        Tolerance to hold the parts to, as for `max_part_weight`. By default balance is reported, not judged.
    allow_empty : bool, default False
        Whether parts may be empty although there are vertices enough for all.

    Returns
    -------
    Report
        With a cycle of parts and the edges that make it, when there is one.

    Raises
    ------
    DagpartError
        If the labels do not fit the graph or `k`, or `imbalance` is no finite number from 0 up.

    Examples
    --------
    >>> from dagpart.dag import Dag
    >>> diamond = Dag.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])
    >>> print(check(diamond, [0, 1, 0, 0]))
    valid          NO
    acyclic        NO
    cycle          0 -> 1 -> 0  (2 parts)
                   part 0 -> 1 by the edge a -> b
                   part 1 -> 0 by the edge b -> d
    parts          2
    heaviest part  3
    imbalance      50.00 %
    edge cut       2
    comm volume    2
    critical path  5
    """
    graph = _as_digraph(graph)
    part, k = as_labels(labels, graph.n, k, graph.names)
    between = quotient(graph, part, k)
    loads = between.vertex_weights
    cycle = None if isinstance(between, Dag) else between.find_cycle()
    cap = None if imbalance is None else max_part_weight(graph.total_weight, max(k, 1), imbalance)
    balanced = None if cap is None else int(loads.max(initial=0)) <= cap
    empty = np.flatnonzero(np.bincount(part, minlength=k) == 0).tolist()
    return Report(
        valid=cycle is None and balanced is not False and (allow_empty or not empty or k > graph.n),
        acyclic=cycle is None,
        cycle=cycle,
        cycle_edges=None if cycle is None else _edges_around(graph, part, cycle),
        k=k,
        edge_cut=unscaled(between.total_edge_weight, graph.weight_scale),
        comm_volume=comm_volume(graph, part),
        critical_path=_critical_path_or_none(graph, part),
        part_weights=unscaled(loads, graph.vertex_weight_scale),
        imbalance=_imbalance_of(loads),
        cap=None if cap is None else unscaled(cap, graph.vertex_weight_scale),
        balanced=balanced,
        empty_parts=empty,
        weight_scale=graph.weight_scale,
        vertex_weight_scale=graph.vertex_weight_scale,
    )


def _loads(graph: Digraph, labels: Values, k: int | None) -> NDArray[np.int64]:
    """Weights of the parts in the graph's own integers."""
    part, k = as_labels(labels, graph.n, k, graph.names)
    return _kernels.part_weights(graph.vertex_weights, part, k)


def _imbalance_of(loads: NDArray[np.int64]) -> float:
    # Python integers: the one rounding is that of the division.
    total = exact_total(loads)
    return (int(loads.max()) * len(loads) - total) / total if total else 0.0


def _edges_around(
    graph: Digraph, part: NDArray[np.int32], cycle: list[int]
) -> list[tuple[Hashable, Hashable]]:
    """For each step of a cycle of parts, the heaviest edge between the two; the first of several."""
    source = np.repeat(np.arange(graph.n), np.diff(graph.indptr))
    tail, head = part[source], part[graph.indices]
    following = np.full(part.max() + 1, -1)
    following[cycle] = cycle[1:] + cycle[:1]
    steps = np.flatnonzero(following[tail] == head)
    by_weight = steps[np.argsort(-graph.edge_weights[steps], kind="stable")]
    parts, first = np.unique(tail[by_weight], return_index=True)
    chosen = dict(zip(parts.tolist(), by_weight[first].tolist(), strict=True))
    return [
        (graph.name(int(source[e])), graph.name(int(graph.indices[e])))
        for e in map(chosen.__getitem__, cycle)
    ]


def _critical_path_or_none(graph: Digraph, part: NDArray[np.int32]) -> int | float | None:
    if not graph.is_acyclic:
        return None
    try:
        return critical_path(graph, part)
    except WeightError:
        return None


# As many steps of a witness or members of a list as a reader wants to see.
_SHOWN = 8


def _yes(answer: bool) -> str:
    return "yes" if answer else "NO"


def _shorten(items: list[int], separator: str) -> str:
    shown = items if len(items) <= _SHOWN else [*items[: _SHOWN - 1], "...", items[-1]]
    return separator.join(map(str, shown))
