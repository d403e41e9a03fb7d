"""`schedule`: the front of all schedulers, and `compare`, which runs several."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagpart._arguments import check_seed, check_threads, check_time_limit, is_one_of
from dagpart._named import Values
from dagpart.errors import DagpartError
from dagpart.io import read_partition
from dagpart.metrics import as_labels
from dagpart.schedule.clustering import CLUSTERINGS
from dagpart.schedule.lists import LISTS, VARIANTS, Variant
from dagpart.schedule.mapping import MAPPINGS
from dagpart.schedule.models import DEFAULT_MODEL, ModelName
from dagpart.schedule.platform import Platform
from dagpart.schedule.portfolio import (
    Attempt,
    Parts,
    auto,
    best_of,
    ladder,
    listed,
    mapped,
    mapped_parts,
)
from dagpart.schedule.problem import Charging, Problem
from dagpart.schedule.result import Schedule
from dagpart.search.result import Partition

__all__ = ["Clusters", "algorithms", "compare", "schedule", "solve"]

AUTO = "auto"

Clusters = int | str | os.PathLike[str] | ArrayLike | Partition | None
"""A number of parts, ``"auto"``, a file, labels, or a partition; None leaves the choice to the algorithm."""


def algorithms() -> tuple[str, ...]:
    """Names that `schedule` takes.

    A list scheduler alone or with a variant over clusters, a clustering alone or with a mapping, or a mapping
    of clusters from elsewhere.

    Examples
    --------
    >>> [name for name in algorithms() if name.startswith("dsc")]
    ['dsc', 'dsc-glb', 'dsc-load-balanced', 'dsc-affinity']
    """
    lists = (f"{name}-{variant}" for name in LISTS for variant in VARIANTS)
    mapped = (f"{name}-{mapping}" for name in CLUSTERINGS for mapping in MAPPINGS)
    return (AUTO, *LISTS, *lists, *CLUSTERINGS, *mapped, *MAPPINGS)


def schedule(
    graph: Any,
    platform: Platform | int,
    *,
    algorithm: str = AUTO,
    clusters: Clusters = None,
    model: ModelName = DEFAULT_MODEL,
    charging: Charging = "edge",
    ccr: float | None = None,
    task_overhead: float = 0.0,
    costs: Values | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Schedule:
    """Where and when the tasks of a graph run.

    Parameters
    ----------
    graph : Dag or anything `dagpart.partition` takes
        Vertex weights are the work of tasks, edge weights the data that go from one to the other.
    platform : Platform or int
        A number stands for so many processors of speed 1 and latency 0, with bandwidth 1, or that of gigabit
        Ethernet for a graph that knows its units (see `Problem.of`).
    algorithm : str, default "auto"
        A list scheduler as in ``"etf"``, one over clusters as in ``"bl-est-part"``, ``"etf-busy"`` or
        ``"heft-macro"``, a clustering with or without a mapping as in ``"dsc"`` or ``"sarkar-affinity"``, or
        a mapping of given clusters, as in ``"glb"``; `algorithms` lists all. Without a mapping the best one
        is kept. ``"auto"`` tries many, keeps the best, and improves it by local search.
    clusters : int, "auto", array_like of int, Partition, path, or None
        For the algorithms that work on clusters: a number of acyclic parts, or parts as labels, as a
        `Partition`, or in a file as `dagpart.io.write_partition` makes it. ``"auto"`` and None: several
        numbers of parts are tried.
    model : str, default "duplex"
        Of communication: one of those in `dagpart.schedule.models`, which describes them.
    charging : {"edge", "unique"}
    ccr, task_overhead, costs
        As for `Problem.of`.
    time_limit : float, optional
        Seconds for algorithms that try several ways: no other one begins after that, and until then more
        partitions are tried. What they find then depends on the machine.
    seed : int, default 0
        Same input, options and seed: same schedule, on every platform and for any number of threads (without
        a time limit).
    threads : int, default 1
        Ways that are tried at a time.

    Returns
    -------
    Schedule
        Its facts say which algorithm was ``"chosen"``, on how many ``"clusters"``, how many were ``"tried"``,
        and whether local search has ``"moved"`` tasks.

    Raises
    ------
    NotADagError
        The graph has a cycle.
    DagpartError
        An argument is not what it should be.

    Examples
    --------
    >>> import dagpart
    >>> parts = dagpart.partition(dagpart.generate.cholesky(8), 8)
    >>> found = schedule(parts.graph, 4, clusters=parts, algorithm="etf-part", ccr=5)
    >>> found.makespan <= schedule(parts.graph, 4, algorithm="serial").makespan
    True
    """
    problem = Problem.of(
        graph,
        platform,
        model=model,
        charging=charging,
        ccr=ccr,
        task_overhead=task_overhead,
        costs=costs,
    )
    return solve(problem, algorithm, clusters=clusters, time_limit=time_limit, seed=seed, threads=threads)


def compare(
    graph: Any,
    platform: Platform | int,
    algorithms: Iterable[str] = (
        "bl-est",
        "etf",
        "heft",
        "dsc",
        "bl-est-part",
        "bl-est-busy",
        "bl-est-macro",
        AUTO,
    ),
    *,
    clusters: Clusters = None,
    model: ModelName = DEFAULT_MODEL,
    charging: Charging = "edge",
    ccr: float | None = None,
    task_overhead: float = 0.0,
    costs: Values | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[Schedule], None] | None = None,
) -> list[Schedule]:
    """Several algorithms on one problem.

    Parameters
    ----------
    algorithms : iterable of str
        Names as `schedule` takes them.
    clusters
        As for `schedule`, for the algorithms that work on clusters.
    time_limit : float, optional
        For each algorithm.
    progress : callable, optional
        Called with each schedule as it comes.
    graph, platform, model, charging, ccr, task_overhead, costs, seed, threads
        As for `schedule`.

    Returns
    -------
    list of Schedule
        In the order of the algorithms.

    Raises
    ------
    NotADagError, DagpartError
        As `schedule`.

    Examples
    --------
    >>> [s.makespan for s in compare([(0, 1), (2, 3)], 2, ["serial", "bl-est"])]
    [4.0, 2.0]
    """
    problem = Problem.of(
        graph,
        platform,
        model=model,
        charging=charging,
        ccr=ccr,
        task_overhead=task_overhead,
        costs=costs,
    )
    if np.isscalar(algorithms) or not np.iterable(algorithms):
        raise DagpartError(f"algorithms={algorithms!r}: give a list of names, as in ['heft', 'etf']")
    names = {name: _takes_clusters(*_split(name)) for name in algorithms}
    parts = Parts.of(problem, check_seed(seed))
    found = []
    for name, takes_clusters in names.items():
        found.append(
            solve(
                problem,
                name,
                clusters=clusters if takes_clusters else None,
                parts=parts,
                time_limit=time_limit,
                seed=seed,
                threads=threads,
            )
        )
        if progress is not None:
            progress(found[-1])
    return found


def solve(
    problem: Problem,
    algorithm: str = AUTO,
    *,
    clusters: Clusters = None,
    parts: Parts | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Schedule:
    """A schedule for a problem; see `schedule`.

    Parameters
    ----------
    problem : Problem
    algorithm, clusters, time_limit, seed, threads
        As for `schedule`.
    parts : Parts, optional
        Partitions of the problem's graph that are there already, such as those for another platform or ccr.

    Examples
    --------
    >>> solve(Problem.of([(0, 1), (1, 2), (0, 3)], 2, ccr=0.1), "bl-est").algorithm
    'bl-est'
    """
    seed, limit, threads = check_seed(seed), check_time_limit(time_limit), check_threads(threads)
    started = time.monotonic()
    parts = Parts.of(problem, seed) if parts is None else parts
    base, suffix = _split(algorithm)
    if clusters is not None and not _takes_clusters(base, suffix):
        with_clusters = f"{base}-{VARIANTS[0]}" if base in LISTS else next(iter(MAPPINGS))
        raise DagpartError(f"{algorithm} takes no clusters; did you mean {with_clusters}?")
    labels = _labels(clusters, problem, parts)
    deadline = None if limit is None else started + limit
    if base == AUTO:
        found = auto(problem, parts, labels, deadline=deadline, seed=seed, threads=threads)
    else:
        attempts = _attempts(problem, base, suffix, labels, parts)
        found = best_of(attempts, deadline=deadline, threads=threads)
    return replace(found, algorithm=algorithm, seconds=time.monotonic() - started)


def _split(algorithm: str) -> tuple[str, str | None]:
    """A name without its suffix, and the suffix."""
    if is_one_of(algorithm, (AUTO, *LISTS, *CLUSTERINGS, *MAPPINGS)):
        return algorithm, None
    for bases, suffixes in ((LISTS, VARIANTS), (CLUSTERINGS, MAPPINGS)):
        for suffix in suffixes:
            base = str(algorithm).removesuffix(f"-{suffix}")
            if base != algorithm and base in bases:
                return base, suffix
    names = ", ".join((AUTO, *LISTS, *CLUSTERINGS, *MAPPINGS))
    raise DagpartError(
        f"there is no algorithm {algorithm!r}; choose from {names}; list schedulers also with "
        f"-{', -'.join(VARIANTS)}, clusterings with -{', -'.join(MAPPINGS)}"
    )


def _takes_clusters(base: str, suffix: str | None) -> bool:
    return base in (AUTO, *MAPPINGS) or suffix in VARIANTS


def _labels(clusters: Clusters, problem: Problem, parts: Parts) -> NDArray[np.int32] | None:
    """The labels that the caller means; None where the choice is ours."""
    if clusters is None or (isinstance(clusters, str) and clusters == AUTO):
        return None
    if isinstance(clusters, Partition):
        names = problem.graph.names
        by_name = names is not None and clusters.graph.names is not None
        return as_labels(clusters.by_name if by_name else clusters.labels, problem.n, names=names)[0]
    if isinstance(clusters, str | os.PathLike):
        return read_partition(clusters, problem.graph)
    if np.isscalar(clusters):
        if isinstance(clusters, bool | np.bool_):
            raise DagpartError(f"clusters={clusters} is no number of parts: give one from 1 to the tasks")
        return parts(cast(Any, clusters))
    return as_labels(clusters, problem.n, names=problem.graph.names)[0]


def _attempts(
    problem: Problem, base: str, suffix: str | None, labels: NDArray[np.int32] | None, parts: Parts
) -> Iterable[Attempt]:
    """What an algorithm stands for."""
    if base in CLUSTERINGS:
        return mapped(problem, base, MAPPINGS if suffix is None else (suffix,))
    if not _takes_clusters(base, suffix):
        return (listed(problem, base),)
    if labels is None and not problem.n:
        # No number of parts fits no task.
        labels = np.zeros(0, np.int32)
    choices = map(parts, ladder(problem.n, problem.p) or [1]) if labels is None else (labels,)
    if base in MAPPINGS:
        return (mapped_parts(problem, chosen, base) for chosen in choices)
    return (listed(problem, base, chosen, cast(Variant, suffix)) for chosen in choices)
