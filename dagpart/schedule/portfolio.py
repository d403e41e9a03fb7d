"""`auto`: many ways to schedule a problem, of which the best is kept.

Acyclic parts of several numbers, each under every clustered list scheduler; plain list schedulers;
clusterings that are mapped; and everything on one processor, which is best where messages cost much and there
is little to gain. After Ozkaya, Benoit, Ucar, Herrmann and Catalyurek, "A scalable clustering-based task
scheduler for homogeneous processors using DAG partitioning", IPDPS 2019, who choose the best of several
numbers of parts. Local search then moves what the best one has put apart.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from dagpart import metrics
from dagpart._arguments import check_size
from dagpart.dag import Dag
from dagpart.errors import BalanceWarning, InfeasibleError
from dagpart.partitioning import partition
from dagpart.schedule.clustering import CLUSTERINGS, Clustering
from dagpart.schedule.improvement import improve
from dagpart.schedule.lists import LISTS, VARIANTS, Variant, list_schedule
from dagpart.schedule.mapping import MAPPINGS, schedule_clusters
from dagpart.schedule.problem import Problem
from dagpart.schedule.result import Schedule

__all__ = ["Attempt", "Parts", "auto", "best_of", "ladder", "portfolio"]

_LISTS = ("bl-est", "etf", "heft")
"""Those that are tried over parts; alone, all are."""

_FEWEST_TASKS = 20
"""Mean tasks of a part where parts are many: with fewer, a plain list scheduler does as well."""

_IMBALANCE = 0.1
"""Parts need no exact balance, since a processor gets several; what is cut weighs more."""

# Where these would take longer than all the rest together they are left out.
_MOST_TASKS = {"sarkar": 3_000, "mapped": 20_000}
_PAIRING = frozenset({"etf", "dls", "min-min", "peft"})
_MOST_PAIRS = 500_000
"""Tasks times processors up to which those are tried alone that look at every such pair, or keep them."""

_TRIALS, _TRIED = 500, 2**21
"""Most schedules that local search tries, and most tasks and edges of all of them together."""

_GRAINS = (4, 16)
"""Parts for each processor whose moves local search tries before it moves single tasks."""


@dataclass
class Parts:
    """Acyclic partitions of a graph, made when they are asked for and kept.

    Attributes
    ----------
    graph : Dag
        With the mean times of the tasks, or what is proportional to them, as weights.
    seed : int
    """

    graph: Dag
    seed: int = 0
    _made: dict[int, NDArray[np.int32]] = field(default_factory=dict)

    @classmethod
    def of(cls, problem: Problem, seed: int = 0) -> Parts:
        """Partitions for a problem.

        Examples
        --------
        >>> Parts.of(Problem.of([(0, 1), (1, 2), (2, 3)], 2))(2).tolist()
        [0, 0, 1, 1]
        """
        graph = problem.graph
        if problem.costs is not None or problem.overhead > 0:
            graph = graph.with_weights(vertex_weights=problem.mean_durations)
        return cls(graph, seed)

    def __call__(self, k: int) -> NDArray[np.int32]:
        """Labels of k acyclic parts, whose loads may be a tenth out of balance: int32[n]."""
        k, n = check_size(k, "clusters"), self.graph.n
        if not n:
            return np.zeros(0, np.int32)
        if k > n:
            raise InfeasibleError(f"clusters={k} parts for {n} tasks leave some empty; ask for at most {n}")
        if k not in self._made:
            with warnings.catch_warnings():
                # A task that is heavier than a part may be still makes a good part.
                warnings.simplefilter("ignore", BalanceWarning)
                found = partition(self.graph, k, imbalance=self._imbalance(k), preset="fast", seed=self.seed)
            self._made[k] = found.labels
        return self._made[k]

    def _imbalance(self, k: int) -> float:
        """So much that the heaviest task has room."""
        mean = max(-(-self.graph.total_weight // k), 1)
        return max(_IMBALANCE, int(self.graph.vertex_weights.max(initial=0)) / mean * (1 + 1e-9) - 1)


@dataclass(frozen=True)
class Attempt:
    """One way to schedule a problem.

    Attributes
    ----------
    algorithm : str
    clusters : int or None
        Number of parts, where it works on parts.
    run : callable
    """

    algorithm: str
    clusters: int | None
    run: Callable[[], Schedule]


def ladder(n: int, p: int) -> list[int]:
    """Numbers of parts to try: from 2 to n / 20, doubling, p among them.

    Parameters
    ----------
    n, p : int
        Tasks and processors.

    Examples
    --------
    >>> ladder(1540, 16)
    [2, 4, 8, 16, 32, 64]
    """
    steps = {p} if p > 1 else set()
    k = p
    while k > 3:
        k //= 2
        steps.add(k)
    k = max(p, 2)
    while k <= max(n // _FEWEST_TASKS, p):
        steps.add(k)
        k *= 2
    return sorted(k for k in steps if k <= n) or [1]


def auto(
    problem: Problem,
    parts: Parts,
    labels: NDArray[np.int32] | None = None,
    *,
    deadline: float | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Schedule:
    """The best of the portfolio, improved by local search.

    Parameters
    ----------
    problem : Problem
    parts : Parts
    labels : int32[n], optional
        The only clusters to try.
    deadline : float, optional
        By the clock of `time.monotonic`. Until then other partitions are tried, and searched from.
    seed, threads : int

    Returns
    -------
    Schedule
        With the facts of `best_of`, and ``"moved"``: whether local search has made it shorter.
    """
    if labels is None:
        attempts = portfolio(problem, parts)
    else:
        attempts = over_parts(problem, labels, isinstance(metrics.quotient(problem.graph, labels), Dag))
    best = best_of(attempts, deadline=deadline, threads=threads)
    if problem.p == 1 or problem.n <= 1:
        return best
    best = _search(best, parts, deadline, seed)
    again = seed
    while deadline is not None and time.monotonic() < deadline:
        again = (again + 1) % 2**64
        if labels is None:
            parts = Parts(parts.graph, again)
            counts = ladder(problem.n, problem.p)
            attempts = (attempt for k in counts for attempt in over_parts(problem, parts(k)))
            other = _search(best_of(attempts, deadline=deadline, threads=threads), parts, deadline, again)
            best = min(best, other, key=_makespan)
        best = _search(best, parts, deadline, again)
    return best


def portfolio(problem: Problem, parts: Parts) -> Iterator[Attempt]:
    """What `auto` tries before it searches, what is sure to be quick first.

    Parameters
    ----------
    problem : Problem
    parts : Parts
    """
    few = problem.n * problem.p <= _MOST_PAIRS
    for name in sorted(LISTS, key=_PAIRING.__contains__):
        if few or name not in _PAIRING:
            yield listed(problem, name)
    for name in CLUSTERINGS:
        if problem.n <= _MOST_TASKS.get(name, _MOST_TASKS["mapped"]):
            yield from mapped(problem, name)
    for k in ladder(problem.n, problem.p):
        yield from over_parts(problem, parts(k))


def over_parts(problem: Problem, labels: NDArray[np.int32], acyclic: bool = True) -> Iterator[Attempt]:
    """Everything that works on clusters, on the same ones; and one processor for all."""
    for name in _LISTS:
        for variant in VARIANTS if acyclic else ("part", "busy"):
            yield listed(problem, name, labels, variant)
    if problem.n <= _MOST_TASKS["mapped"]:
        for mapping in MAPPINGS:
            yield mapped_parts(problem, labels, mapping)
    yield listed(problem, "serial")


def listed(
    problem: Problem, name: str, labels: NDArray[np.int32] | None = None, variant: Variant | None = None
) -> Attempt:
    """A list scheduler, alone or over parts."""
    if labels is None:
        return Attempt(name, None, lambda: list_schedule(problem, name))
    count = int(labels.max(initial=-1)) + 1
    return Attempt(
        f"{name}-{variant}", count, lambda: list_schedule(problem, name, clusters=labels, variant=variant)
    )


def mapped(problem: Problem, name: str, mappings: Iterable[str] = tuple(MAPPINGS)) -> Iterator[Attempt]:
    """A clustering under several mappings."""
    clustering = CLUSTERINGS[name](problem)
    for mapping in mappings:
        yield _mapped(clustering, f"{name}-{mapping}", mapping)


def mapped_parts(problem: Problem, labels: NDArray[np.int32], mapping: str) -> Attempt:
    """Clusters from elsewhere under a mapping."""
    return _mapped(Clustering.of(problem, labels), mapping, mapping)


def _mapped(clustering: Clustering, algorithm: str, mapping: str) -> Attempt:
    return Attempt(algorithm, clustering.count, lambda: schedule_clusters(clustering, mapping))


def best_of(attempts: Iterable[Attempt], *, deadline: float | None = None, threads: int = 1) -> Schedule:
    """The shortest schedule of several; of equal ones the first.

    Parameters
    ----------
    attempts : iterable of Attempt
        At least one.
    deadline : float, optional
        By the clock of `time.monotonic`: what has not begun by then is left out, the first excepted.
    threads : int, default 1
        Attempts that run at a time.

    Returns
    -------
    Schedule
        With the facts ``"chosen"``, the algorithm that made it, ``"clusters"``, on how many, and ``"tried"``,
        of how many.
    """
    best: Schedule | None = None
    tried = 0
    with ThreadPoolExecutor(threads) as pool:
        for batch in _batches(attempts, threads):
            if best is not None and deadline is not None and time.monotonic() >= deadline:
                break
            for attempt, found in zip(batch, pool.map(lambda a: a.run(), batch), strict=True):
                tried += 1
                if best is None or found.makespan < best.makespan:
                    facts = {"chosen": attempt.algorithm, "clusters": attempt.clusters}
                    best = replace(found, facts=(found.facts or {}) | facts)
    assert best is not None
    return replace(best, facts=(best.facts or {}) | {"tried": tried})


def _batches(attempts: Iterable[Attempt], size: int) -> Iterator[list[Attempt]]:
    iterator = iter(attempts)
    while batch := list(islice(iterator, size)):
        yield batch


def _search(schedule: Schedule, parts: Parts, deadline: float | None, seed: int) -> Schedule:
    """Local search in three grains."""
    problem = schedule.problem
    counts = [f * problem.p for f in _GRAINS if f * problem.p < problem.n]
    grains = chain(map(parts, counts), [np.arange(problem.n, dtype=np.int32)])
    trials = min(_TRIALS, _TRIED // (problem.n + problem.graph.m)) // (len(counts) + 1)
    found = improve(schedule, grains, trials, seed=seed, deadline=deadline)
    if found is schedule:
        return schedule
    return replace(found, facts=(schedule.facts or {}) | {"moved": True})


def _makespan(schedule: Schedule) -> float:
    return schedule.makespan
