"""`partition`: a balanced acyclic partition of a task graph, and `Partition`, what it returns."""

from __future__ import annotations

import math
import os
import time
import warnings
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from scipy.sparse import csgraph

from dagpart import metrics
from dagpart._arguments import (
    Objective,
    check_count,
    check_ids,
    check_objective,
    check_parts,
    check_seed,
    check_threads,
    check_time_limit,
)
from dagpart._core import csr
from dagpart._named import Values, as_dict, is_missing, is_named
from dagpart.dag import Dag, Digraph
from dagpart.errors import BalanceWarning, DagpartError, InfeasibleError, WeightError
from dagpart.evolution import Problem, evolve
from dagpart.options import Options, options_of

__all__ = ["Partition", "partition"]


@dataclass(frozen=True, eq=False)
class Partition:
    """A partition of a graph and what it costs.

    Attributes
    ----------
    graph : Digraph
        The graph that was partitioned, with the weights that were used.
    labels : int32[n]
        Part of each vertex. Parts are numbered in a topological order of the quotient, unless part ids were
        fixed.
    k : int
        Number of parts.
    part_order : int32[k]
        Parts in a topological order of the quotient: 0 .. k - 1 unless part ids were fixed.
    cap : int
        The heaviest that a part was allowed to be.
    seed : int
    seconds : float
        Wall time of the engine.
    merged : int
        Vertices that were merged into others beforehand, because they share a cycle, a group, a fixed part,
        or lie on a path between such vertices.

    Examples
    --------
    >>> r = partition([(0, 1), (1, 2), (2, 3)], 2)
    >>> r.labels.tolist(), r.edge_cut, r.part_weights.tolist()
    ([0, 0, 1, 1], 1, [2, 2])
    """

    graph: Digraph
    labels: NDArray[np.int32]
    k: int
    part_order: NDArray[np.int32]
    cap: int
    seed: int
    seconds: float
    merged: int = 0

    @cached_property
    def by_name(self) -> dict[Hashable, int]:
        """Part of each vertex by its name; by its id where vertices have no names.

        Examples
        --------
        >>> partition([("load", "solve")], 2).by_name
        {'load': 0, 'solve': 1}
        """
        names = range(self.graph.n) if self.graph.names is None else self.graph.names
        return dict(zip(names, self.labels.tolist(), strict=True))

    @cached_property
    def edge_cut(self) -> int:
        """Weight of the edges between parts."""
        return metrics.edge_cut(self.graph, self.labels)

    @cached_property
    def comm_volume(self) -> int:
        """Data sent: each vertex's output once for every other part that holds a successor."""
        return metrics.comm_volume(self.graph, self.labels)

    @cached_property
    def part_weights(self) -> NDArray[np.int64]:
        """Weight of each part, int64[k]."""
        return metrics.part_weights(self.graph, self.labels, self.k)

    @cached_property
    def imbalance(self) -> float:
        """Weight of the heaviest part over the mean, less 1."""
        return metrics.imbalance(self.graph, self.labels, self.k)

    @cached_property
    def critical_path(self) -> int | float | None:
        """Longest path at latency 1: vertices cost their weight, edges between parts theirs.

        A cycle that was condensed counts as one vertex of the summed weight. None where the length passes
        ``2**63 - 1``.
        """
        dag, labels = self.graph, self.labels
        if not isinstance(dag, Dag):
            dag, membership = dag.condense()
            labels = np.empty(dag.n, dtype=np.int32)
            labels[membership] = self.labels
        try:
            return metrics.critical_path(dag, labels)
        except WeightError:
            return None

    @cached_property
    def quotient(self) -> Dag:
        """The graph of the parts: summed weights, edges that carry the cut between two parts."""
        quotient = metrics.quotient(self.graph, self.labels, self.k)
        assert isinstance(quotient, Dag)
        return quotient

    @cached_property
    def order(self) -> NDArray[Any]:
        """Vertices part by part, in topological order inside each part (and over all of the graph)."""
        position = np.empty(self.k, dtype=np.int32)
        position[self.part_order] = np.arange(self.k, dtype=np.int32)
        if isinstance(self.graph, Dag):
            rank = csr.topological_numbers(self.graph.indptr, self.graph.indices)
        else:
            _, rank = self.graph.condense()
        return np.lexsort((rank, position[self.labels]))

    def to_dict(self, labels: bool = False) -> dict[str, Any]:
        """The figures in plain Python types, ready for JSON.

        Parameters
        ----------
        labels : bool, default False
            Whether the labels go in too.
        """
        out: dict[str, Any] = {
            "k": self.k,
            "edge_cut": self.edge_cut,
            "comm_volume": self.comm_volume,
            "critical_path": self.critical_path,
            "imbalance": self.imbalance,
            "part_weights": self.part_weights.tolist(),
            "cap": self.cap,
            "merged": self.merged,
            "weight_scale": self.graph.weight_scale,
            "vertex_weight_scale": self.graph.vertex_weight_scale,
            "seconds": self.seconds,
            "seed": self.seed,
        }
        if labels:
            out["labels"] = self.labels.tolist()
        return out

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the partition, whole or not at all, in the form that the file's suffix says.

        One part id a line, in vertex order; or ``.json``, ``.csv``, ``.dot``, as
        `dagpart.io.write_partition` has them.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        # Reading and writing stand above partitioning; only this shorthand reaches up to them.
        from dagpart.io import write_partition

        write_partition(path, self.graph, self.labels, self.to_dict())


def partition(
    graph: Any,
    k: int,
    *,
    imbalance: float = 0.03,
    objective: Objective = "edge_cut",
    preset: Literal["fast", "default", "strong"] | Options = "default",
    vertex_weights: Values | None = None,
    edge_weights: Values | None = None,
    fixed: Values | None = None,
    groups: Iterable[Iterable[Hashable]] | None = None,
    allow_empty: bool = False,
    on_cycle: Literal["raise", "condense"] = "raise",
    time_limit: float | None = None,
    seed: int = 0,
    threads: int = 1,
    executor: Executor | None = None,
    progress: Callable[[float, int], None] | None = None,
) -> Partition:
    """Split a directed acyclic graph into k balanced parts with an acyclic quotient and little between them.

    Parameters
    ----------
    graph : Dag, Digraph, SciPy sparse matrix, (indptr, indices[, weights]), NetworkX DiGraph, edges, or path
        See `Digraph.from_any`. In a matrix the entry (i, j) is the edge i -> j; a matrix that stands for a
        solver's dependencies goes through `Dag.from_matrix` first.
    k : int
        Number of parts, from 1 to the number of vertices.
    imbalance : float, default 0.03
        No part weighs more than ``floor((1 + imbalance) * ceil(W / k))`` for total weight W.
    objective : {"edge_cut", "comm_volume"}
        What is made small: the weight of the edges between parts, or the data sent, where a vertex sends its
        output once to each other part that holds a successor (the largest weight among its edges into that
        part). Should one vertex have edges of more than 8 different weights, the search rounds some up.
    preset : {"fast", "default", "strong"} or Options
        How much time goes into quality.
    vertex_weights : array_like of n numbers, mapping, pandas.Series or str, optional
        Work of each vertex; by default what the graph holds, else 1. A mapping or a Series goes by name; a
        str is an attribute of the graph's vertices, or "unit".
    edge_weights : array_like of m numbers, mapping, pandas.Series or str, optional
        Data on each edge, in the same way; names of edges are pairs (source, target). See `Digraph`.
    fixed : mapping or pandas.Series {vertex: part}, or int array of length n, optional
        Vertices that must end in a given part; -1 is a free one. A mapping or a Series goes by name, and what
        is not in it, or is missing there, is free.
    groups : iterable of iterables of vertices, optional
        Vertices that must share a part. Every vertex on a path between two of them goes along.
    allow_empty : bool, default False
        Whether parts may be empty (then k may be more than n).
    on_cycle : {"raise", "condense"}
        A graph with a cycle is refused, or each strongly connected component is kept in one part.
    time_limit : float, optional
        Seconds. An evolutionary search then starts from what the presets find and goes on until the limit,
        with `preset` for its best start and its refinement; what it reaches depends on the machine.
    seed : int, default 0
        Same input, options and seed: same labels, on every platform and for any number of threads (without
        a time limit).
    threads : int, default 1
        Threads that work on independent parts of the problem; with a time limit, populations that evolve
        side by side.
    executor : concurrent.futures.Executor, optional
        With a time limit: what runs the populations instead of threads, such as a process pool, mpi4py's
        MPIPoolExecutor or a Dask client's executor.
    progress : callable, optional
        With a time limit: called now and then with the seconds spent and the objective of the best
        partition so far.

    Returns
    -------
    Partition

    Raises
    ------
    NotADagError
        If the graph has a cycle and `on_cycle` is "raise".
    InfeasibleError
        If no partition can satisfy the request; names what stands in the way.
    DagpartError
        If an argument is not what it should be.

    Warns
    -----
    BalanceWarning
        If the balance asked for was not found (it may still be possible); the least overload found is
        returned.

    Notes
    -----
    Multilevel: acyclic coarsening and recursive bisection as in [1]_ with a repaired undirected partition
    among the starts, then k-way V-cycles on labels kept monotone. The source of each step stands in its
    module under ``dagpart/_core``.

    References
    ----------
    .. [1] Herrmann, Ozkaya, Ucar, Kaya, Catalyurek, "Multilevel algorithms for acyclic partitioning of
       directed acyclic graphs", SIAM J. Sci. Comput. 41(4), 2019.

    Examples
    --------
    >>> import dagpart
    >>> r = dagpart.partition([("a", "b"), ("b", "c"), ("c", "d")], 2, fixed={"d": 0})
    >>> r.by_name, r.part_order.tolist()
    ({'a': 1, 'b': 1, 'c': 0, 'd': 0}, [1, 0])
    """
    options = options_of(preset)
    k = check_count(k, "k")
    threads = check_threads(threads)
    seed = check_seed(seed)
    time_limit = check_time_limit(time_limit)
    objective = check_objective(objective)
    given = Digraph.from_any(graph, vertex_weights=vertex_weights, edge_weights=edge_weights)
    request = prepare(given, k, imbalance, fixed, groups, allow_empty, on_cycle)
    given, cap = request.given, request.cap

    started = time.perf_counter()
    problem = request.problem(allow_empty, objective)
    if time_limit is None:
        merged_labels = problem.engine().solve(options, seed, threads)
    else:
        merged_labels = evolve(problem, options, seed, time_limit, threads, executor, progress)
    seconds = time.perf_counter() - started
    labels, name_of = request.answer(merged_labels)
    result = Partition(given, labels, k, name_of, cap, seed, seconds, given.n - request.dag.n)
    heaviest = int(result.part_weights.max(initial=0))
    if heaviest > cap:
        warnings.warn(
            f"part {int(result.part_weights.argmax())} weighs {heaviest}, more than the {cap} allowed: no "
            "better balance was found; allow a larger imbalance or use fewer parts",
            BalanceWarning,
            stacklevel=2,
        )
    return result


@dataclass(frozen=True)
class Request:
    """What is asked for, checked, on a graph in which all that must share a part is one vertex.

    Attributes
    ----------
    given : Digraph
        The graph of the caller; a `Dag` where it is acyclic.
    dag : Dag
        The graph to work on.
    membership : int array of length given.n, or None
        The vertex of `dag` that each vertex went into; None where nothing was merged.
    rank : int array of length dag.n
        A topological numbering.
    part_of : int64[dag.n]
        The part that a vertex is fixed to, or -1.
    anchors : int8[dag.n] or int8[0]
        1 for the vertices that are fixed, to different parts; empty where nothing is.
    k, cap : int
        Number of parts, and the heaviest that one may be.
    """

    given: Digraph
    dag: Dag
    membership: NDArray[Any] | None
    rank: NDArray[Any]
    part_of: NDArray[np.int64]
    anchors: NDArray[np.int8]
    k: int
    cap: int

    @property
    def parts(self) -> int:
        """Number of parts that can be in use."""
        return max(min(self.k, max(self.dag.n, 1)), int(self.anchors.sum()))

    def heaviest(self) -> int:
        """Weight of the heaviest vertex of `dag`."""
        return int(self.dag.vertex_weights.max(initial=0))

    def heaviest_words(self) -> str:
        """A sentence on that vertex, in the caller's terms, up to its weight."""
        block = int(self.dag.vertex_weights.argmax())
        members = np.array([block]) if self.membership is None else np.flatnonzero(self.membership == block)
        who = f"vertex {self.given.name(int(members[0]))}"
        if members.size == 1:
            return f"{who} weighs"
        return f"{who} and the {members.size - 1} others that must share its part weigh"

    def problem(self, allow_empty: bool, objective: Objective = "edge_cut") -> Problem:
        """What the engine is given."""
        dag = self.dag
        nets = None
        if objective == "comm_volume":
            # Merged vertices still send one by one.
            place = np.arange(dag.n) if self.membership is None else self.membership
            given = self.given
            nets = (
                given.indptr,
                given.indices.astype(np.int32, copy=False),
                given.edge_weights,
                place.astype(np.int32, copy=False),
            )
        return Problem(
            (
                dag.indptr,
                dag.indices.astype(np.int32, copy=False),
                dag.edge_weights,
                dag.vertex_weights,
                self.rank.astype(np.int32, copy=False),
                self.anchors,
                self.parts,
                min(self.cap, max(dag.total_weight, 1)),
                allow_empty,
                nets,
            )
        )

    def answer(self, labels: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """From monotone labels of `dag`: those of the caller, and a topological order of the parts."""
        name_of = _part_names(labels, self.part_of, self.k)
        labels = name_of[labels]
        if self.membership is not None:
            labels = labels[self.membership]
        labels.setflags(write=False)
        return labels, name_of


def prepare(
    given: Digraph, k: int, imbalance: float, fixed: Any, groups: Any, allow_empty: bool, on_cycle: str
) -> Request:
    """Check a request and merge what must share a part; the arguments are those of `partition`.

    Raises
    ------
    NotADagError, InfeasibleError, DagpartError
        As `partition`.
    """
    k = check_parts(given.n, k, allow_empty)
    cap = metrics.max_part_weight(given.total_weight, k, imbalance)
    request = merge(given, k, cap, fixed, groups, on_cycle)
    if k > request.dag.n and not allow_empty:
        raise InfeasibleError(
            f"merging cycles, groups and fixed parts leaves {request.dag.n} blocks for k={k} parts, so some "
            "stay empty; ask for fewer parts, or allow_empty=True"
        )
    heaviest = request.heaviest()
    if heaviest > cap:
        exact = Fraction(heaviest, -(-given.total_weight // k)) - 1
        needed = float(exact)
        while Fraction(str(needed)) < exact:
            needed = math.nextafter(needed, math.inf)
        raise InfeasibleError(
            f"{request.heaviest_words()} {heaviest}, more than the {cap} a part may; "
            f"the smallest imbalance that would do is {needed!r}",
            needed,
        )
    return request


def merge(given: Digraph, k: int, cap: int, fixed: Any, groups: Any, on_cycle: str) -> Request:
    """Merge what must share a part; whether the blocks fit under the cap is left to the caller.

    Parameters
    ----------
    given : Digraph
    k : int
        Number of parts, as `check_parts` gives it.
    cap : int
        The heaviest that a part may be.
    fixed, groups, on_cycle
        As for `partition`.

    Raises
    ------
    NotADagError, InfeasibleError, DagpartError
        As `partition`.
    """
    if on_cycle not in ("raise", "condense"):
        raise DagpartError(f'on_cycle must be "raise" or "condense", got {on_cycle!r}')
    if not given.is_acyclic and on_cycle == "raise":
        given = Dag.from_any(given)  # raises, with the cycle
    elif given.is_acyclic:
        given = Dag.from_any(given)

    wanted = _fixed_parts(given, fixed, k)
    together = _group_members(given, groups)
    bound = [np.flatnonzero(wanted == p).tolist() for p in np.unique(wanted[wanted >= 0]).tolist()]
    if isinstance(given, Dag) and not together and not bound:
        dag, membership = given, None
        rank = csr.topological_numbers(dag.indptr, dag.indices)
    else:
        dag, membership = given.condense(together + bound)
        rank = np.arange(dag.n, dtype=dag.indices.dtype)
    part_of = np.full(dag.n, -1, dtype=np.int64)
    anchors = np.zeros(0, dtype=np.int8)
    if bound:
        assert membership is not None
        held = np.flatnonzero(wanted >= 0)
        part_of[membership[held]] = wanted[held]
        clash = held[part_of[membership[held]] != wanted[held]]
        if clash.size:
            raise _contradiction(given, together + bound, wanted, membership, int(clash[0]))
        anchors = (part_of >= 0).astype(np.int8)
    return Request(given, dag, membership, rank, part_of, anchors, k, cap)


def _vertex(graph: Digraph, v: Any, where: str) -> int:
    """Id of a vertex that the caller named, by its name where the graph has names."""
    if graph.names is not None:
        return graph.index(v)
    vertex = check_count(v, f"a vertex in {where}")
    if vertex >= graph.n:
        raise DagpartError(f"{where}: there is no vertex {vertex}; ids run from 0 to {graph.n - 1}")
    return vertex


def _group_members(graph: Digraph, groups: Any) -> list[list[int]]:
    try:
        return [[_vertex(graph, v, "groups") for v in group] for group in groups or ()]
    except TypeError:
        raise DagpartError("groups must be lists of vertices that share a part: [[0, 1], [5, 7]]") from None


def _fixed_parts(graph: Digraph, fixed: Any, k: int) -> NDArray[np.int64]:
    """int64[n], the part each vertex is fixed to or -1."""
    wanted = np.full(graph.n, -1, dtype=np.int64)
    if fixed is None:
        return wanted
    if is_named(fixed):
        # A Series with gaps holds floats.
        fixed = {
            v: int(p) if isinstance(p, float) and p.is_integer() else p
            for v, p in as_dict(fixed, "fixed").items()
            if not (is_missing(p) or p == -1)
        }
        held = np.array([_vertex(graph, v, "fixed") for v in fixed], dtype=np.int64)
        parts = check_ids(
            [check_count(p, f"the part that {v} is fixed to") for v, p in fixed.items()], "fixed"
        )
    else:
        held = np.arange(graph.n)
        parts = check_ids(fixed, "fixed")
        if len(parts) != graph.n:
            raise DagpartError(f"fixed has {len(parts)} entries for {graph.n} vertices; -1 is a free one")
    bad = np.flatnonzero((parts < -1) | (parts >= k))
    if bad.size:
        v, part = graph.name(int(held[bad[0]])), parts[bad[0]]
        raise DagpartError(f"vertex {v} is fixed to part {part}; parts run from 0 to {k - 1}, -1 is free")
    wanted[held] = parts
    return wanted


def _part_names(labels: NDArray[np.int32], part_of: NDArray[np.int64], k: int) -> NDArray[np.int32]:
    """The caller's id for each of the engine's labels: fixed ids where asked for, the others ascending."""
    name_of = np.full(k, -1, dtype=np.int32)
    held = np.flatnonzero(part_of >= 0)
    name_of[labels[held]] = part_of[held]
    name_of[name_of < 0] = np.setdiff1d(np.arange(k, dtype=np.int32), name_of[name_of >= 0])
    return name_of


def _contradiction(
    graph: Digraph, groups: list[list[int]], wanted: NDArray[np.int64], membership: NDArray[Any], v: int
) -> InfeasibleError:
    """Why `v` and a vertex fixed to another part cannot be told apart: each must precede the other."""
    block = np.flatnonzero((membership == membership[v]) & (wanted >= 0) & (wanted != wanted[v]))
    u = int(block[0])
    tails = np.repeat(np.arange(graph.n), np.diff(graph.indptr))
    heads = graph.indices
    for group in groups:
        turn = np.asarray(group)
        tails = np.concatenate((tails, turn))
        heads = np.concatenate((heads, np.roll(turn, -1)))
    pattern = scipy.sparse.csr_array((np.ones(len(tails), np.int8), (tails, heads)), shape=(graph.n, graph.n))
    there, back = (_path(graph, pattern, a, b) for a, b in ((u, v), (v, u)))
    return InfeasibleError(
        f"fixed parts contradict each other: part {wanted[u]} would have to precede part {wanted[v]} "
        f"({there}) and follow it ({back}); free one of these vertices or fix them to one part"
    )


def _path(graph: Digraph, pattern: Any, a: int, b: int) -> str:
    """A shortest path in words; a step inside a group or a fixed part, which is no edge, is written ~."""
    _, before = csgraph.breadth_first_order(pattern, a)
    path = [b]
    while path[-1] != a:
        path.append(int(before[path[-1]]))
    path.reverse()
    words = str(graph.name(path[0]))
    for x, y in pairwise(path):
        row = graph.indices[graph.indptr[x] : graph.indptr[x + 1]]
        words += f" {'->' if y in row else '~'} {graph.name(y)}"
    return words
