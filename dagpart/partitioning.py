"""`partition`: a balanced acyclic partition of a task graph."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Executor
from typing import Any, Literal

from dagpart._arguments import (
    Objective,
    check_count,
    check_objective,
    check_seed,
    check_threads,
    check_time_limit,
)
from dagpart._core.graph import measures
from dagpart._named import Values
from dagpart._weights import unscaled
from dagpart.dag import Digraph
from dagpart.errors import BalanceWarning, DagpartError
from dagpart.options import Options, options_of
from dagpart.search.evolution import evolve
from dagpart.search.request import prepare
from dagpart.search.result import Partition

__all__ = ["Partition", "partition"]


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
    progress: Callable[[float, float], None] | None = None,
) -> Partition:
    """Split a directed acyclic graph into k balanced parts with an acyclic quotient and little between them.

    Parameters
    ----------
    graph : Dag, Digraph, SciPy sparse matrix, (indptr, indices[, weights]), NetworkX DiGraph, edges, or path
        See `Digraph.from_any`. In a matrix the entry (i, j) is the edge i -> j; a matrix that stands for a
        solver's dependencies, as ``A.tril()``, goes through `Dag.from_matrix` first (and a lower triangular
        one that does not is warned of).
    k : int
        Number of parts, from 1 to the number of vertices.
    imbalance : float, default 0.03
        No part weighs more than ``floor((1 + imbalance) * ceil(W / k))`` for total weight W, in
        units of the last decimal where weights are not whole.
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
        Vertices that must end in a given part. A mapping or a Series goes by name, and what is not in it, or
        is missing there, is free; in a Series or an array -1 is free, too.
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
        partition so far, in the unit of the weights as they were given.

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
    if time_limit is None:
        for name, value in (("executor", executor), ("progress", progress)):
            if value is not None:
                raise DagpartError(f"{name} goes with a time limit: give time_limit, or leave {name} out")
    objective = check_objective(objective)
    given = Digraph.from_any(graph, vertex_weights=vertex_weights, edge_weights=edge_weights)
    request = prepare(given, k, imbalance, fixed, groups, allow_empty, on_cycle)
    given, cap = request.given, request.cap

    def told(spent: float, best: int) -> None:
        if progress is not None:
            progress(spent, unscaled(best, given.weight_scale))

    started = time.perf_counter()
    engine_input = request.engine_input(allow_empty, objective)
    if time_limit is None:
        merged_labels = engine_input.engine().solve(options, seed, threads)
    else:
        merged_labels = evolve(engine_input, options, seed, time_limit, threads, executor, told)
    seconds = time.perf_counter() - started
    labels, name_of = request.answer(merged_labels)
    cap_told = request.told(cap)
    result = Partition(given, labels, k, name_of, cap_told, seed, seconds, given.n - request.dag.n)
    # Quotients may round to one number what the integers tell apart.
    heaviest = int(measures.part_weights(given.vertex_weights, labels, k).max(initial=0))
    if heaviest > cap:
        warnings.warn(
            f"part {int(result.part_weights.argmax())} weighs {request.told(heaviest)}, more than the "
            f"{cap_told} allowed: no better balance was found; allow a larger imbalance or use fewer parts",
            BalanceWarning,
            stacklevel=2,
        )
    return result
