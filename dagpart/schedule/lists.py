"""List schedulers, plain and over the parts of a partition."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagpart import metrics
from dagpart._arguments import check_count, check_ids, is_one_of
from dagpart._core.scheduling import list_scheduling
from dagpart.errors import DagpartError
from dagpart.schedule import _kernels
from dagpart.schedule.blocks import BlockGraph, superstep_delay
from dagpart.schedule.problem import Problem
from dagpart.schedule.result import Schedule
from dagpart.schedule.simulation import simulate

if TYPE_CHECKING:
    from dagpart._core.scheduling.machine import Outcome

__all__ = ["LISTS", "VARIANTS", "ListScheduler", "Variant", "list_schedule"]

Variant = Literal["part", "busy", "macro"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)


@dataclass(frozen=True, eq=False)
class _Plan:
    """How blocks are ranked and placed.

    `place`, a key of ``list_scheduling.RULES``: the ready block of the highest priority goes where it starts
    first (``"start"``), ends first (``"finish"``, `extra` added to the end) or in turn (``"turn"``);
    ``"pair"``: the block and the processor of the earliest start, `extra` added, are chosen together.
    `fixed` are processors, or -1.
    """

    priority: NDArray[np.float64]
    place: Literal["start", "finish", "turn", "pair"]
    insertion: bool = False
    extra: NDArray[np.float64] | None = None
    fixed: NDArray[np.int32] | None = None


@dataclass(frozen=True)
class ListScheduler:
    """An entry of `LISTS`.

    Attributes
    ----------
    summary : str
        What it does, in a few words.
    plan : callable
        From the blocks, and whether bottom levels count communication, to how they are placed.
    """

    summary: str
    plan: Callable[[BlockGraph, bool], _Plan]


def _bl_est(blocks: BlockGraph, communication: bool) -> _Plan:
    return _Plan(blocks.bottom_levels(communication=communication), "start")


def _etf(blocks: BlockGraph, communication: bool) -> _Plan:
    return _Plan(blocks.bottom_levels(communication=communication), "pair")


def _heft(blocks: BlockGraph, communication: bool) -> _Plan:
    return _Plan(blocks.bottom_levels(communication=communication), "finish", insertion=True)


def _cpop(blocks: BlockGraph, communication: bool) -> _Plan:
    below = blocks.bottom_levels()
    path = _critical_path(blocks, below)
    fixed = np.full(blocks.k, -1, np.int32)
    fixed[path] = blocks.durations[path].sum(axis=0).argmin() if path else -1
    return _Plan(below + blocks.top_levels(), "finish", insertion=True, fixed=fixed)


def _critical_path(blocks: BlockGraph, below: NDArray[np.float64]) -> list[int]:
    """The blocks of a longest path, from the bottom levels."""
    graph = blocks.graph
    sources = np.flatnonzero(np.diff(graph.pred_indptr) == 0)
    if not sources.size:
        return []
    path = [int(sources[below[sources].argmax()])]
    while True:
        first, last = graph.indptr[path[-1]], graph.indptr[path[-1] + 1]
        if first == last:
            return path
        ways = blocks.delays[first:last] + below[graph.indices[first:last]]
        path.append(int(graph.indices[first + ways.argmax()]))


def _peft(blocks: BlockGraph, communication: bool) -> _Plan:
    costs = blocks.optimistic_costs()
    return _Plan(costs.mean(axis=1), "finish", insertion=True, extra=costs)


def _dls(blocks: BlockGraph, communication: bool) -> _Plan:
    median = np.median(blocks.durations, axis=1)
    static = blocks.bottom_levels(communication=False, durations=median)
    # The dynamic level is the static level, less the start, plus the median less the duration.
    return _Plan(static, "pair", extra=blocks.durations - (median + static)[:, None])


def _min_min(blocks: BlockGraph, communication: bool) -> _Plan:
    return _Plan(
        blocks.bottom_levels(communication=communication),
        "pair",
        extra=np.ascontiguousarray(blocks.durations),
    )


def _round_robin(blocks: BlockGraph, communication: bool) -> _Plan:
    return _Plan(blocks.bottom_levels(communication=communication), "turn")


def _serial(blocks: BlockGraph, communication: bool) -> _Plan:
    fastest = int(blocks.durations.sum(axis=0).argmin())
    return _Plan(
        blocks.bottom_levels(communication=communication),
        "start",
        fixed=np.full(blocks.k, fastest, np.int32),
    )


LISTS: dict[str, ListScheduler] = {
    "bl-est": ListScheduler("highest bottom level, to the processor of the earliest start", _bl_est),
    "cpop": ListScheduler("critical path on one processor, earliest finish with insertion", _cpop),
    "dls": ListScheduler("task and processor of the highest dynamic level", _dls),
    "etf": ListScheduler("task and processor of the earliest start", _etf),
    "heft": ListScheduler("highest bottom level, earliest finish with insertion", _heft),
    "min-min": ListScheduler("task and processor of the earliest finish", _min_min),
    "peft": ListScheduler("optimistic costs, earliest finish with insertion", _peft),
    "round-robin": ListScheduler("highest bottom level, to one processor after the other", _round_robin),
    "serial": ListScheduler("all on the processor that is fastest at that", _serial),
}


def list_schedule(
    problem: Problem,
    algorithm: str = "bl-est",
    *,
    clusters: ArrayLike | None = None,
    variant: Variant | None = None,
    processor: ArrayLike | None = None,
    communication: bool = True,
    seed: int = 0,
) -> Schedule:
    """Schedule with a list scheduler: ready tasks are placed one after the other, none is moved again.

    - ``"bl-est"``: the task of the highest bottom level, to the processor on which it starts first [1]_.
    - ``"etf"``: the pair of a task and a processor with the earliest start [2]_.
    - ``"dls"``: the pair of the highest dynamic level: static bottom level less start, plus what the
      processor is faster than the median [3]_.
    - ``"min-min"``: the pair with the earliest finish [4]_.
    - ``"heft"``: the task of the highest bottom level, to the processor on which it ends first; gaps between
      tasks are filled [5]_.
    - ``"cpop"``: likewise by bottom level plus top level; a critical path goes to one processor [5]_.
    - ``"peft"``: by optimistic costs, which look ahead to the end; gaps are filled [6]_.
    - ``"round-robin"``: by bottom level, to one processor after the other.
    - ``"serial"``: all on one processor.

    Ties go to the earlier finish, then to the lower processor. Only processors have gaps that are filled;
    ports serve messages in the order in which their consumers are placed. With the model ``"bsp"``
    decisions are made as if each message were a delay of its own with a synchronisation; the plan then
    becomes supersteps.

    Variants keep clusters together [7]_:

    - ``"part"``: the first task of a cluster chooses the processor, the rest follow.
    - ``"busy"``: besides, a processor that has begun a cluster and not ended it takes no other one, unless
      all that is ready would be a first task and all processors are in a cluster.
    - ``"macro"``: the graph of the clusters is scheduled. A cluster runs without a break once all data from
      other clusters are there; they are sent as soon as their producers end. (Supersteps may break it.)

    Parameters
    ----------
    problem : Problem
    algorithm : str
        A key of `LISTS`.
    clusters : array_like of int, shape (n,), optional
        Cluster of each task, counted from 0, for a variant.
    variant : {"part", "busy", "macro"}, optional
    processor : array_like of int, shape (n,), optional
        Where tasks have to run; -1 where that is free. Does not count for tasks that follow their cluster.
    communication : bool, default True
        Whether bottom levels count communication. CPOP's always do, DLS's never.
    seed : int, default 0
        0 breaks ties between priorities by a topological order, other seeds at random.

    Returns
    -------
    Schedule

    Notes
    -----
    ETF, DLS and min-min keep every ready task once for each processor. Under ``"duplex"`` they look at tasks
    again whose messages would have found their ports busy, which takes long where thousands of tasks are
    ready at once.

    Raises
    ------
    DagpartError
        An argument is not as said, or clusters wait for each other and the variant is ``"macro"``.

    References
    ----------
    .. [1] Y.-K. Kwok and I. Ahmad, "Static scheduling algorithms for allocating directed task graphs to
       multiprocessors", ACM Computing Surveys 31(4), 1999.
    .. [2] J.-J. Hwang, Y.-C. Chow, F. D. Anger and C.-Y. Lee, "Scheduling precedence graphs in systems with
       interprocessor communication times", SIAM Journal on Computing 18(2), 1989.
    .. [3] G. C. Sih and E. A. Lee, "A compile-time scheduling heuristic for interconnection-constrained
       heterogeneous processor architectures", IEEE TPDS 4(2), 1993.
    .. [4] O. H. Ibarra and C. E. Kim, "Heuristic algorithms for scheduling independent tasks on nonidentical
       processors", Journal of the ACM 24(2), 1977.
    .. [5] H. Topcuoglu, S. Hariri and M.-Y. Wu, "Performance-effective and low-complexity task scheduling for
       heterogeneous computing", IEEE TPDS 13(3), 2002, sections 4.1 and 4.2.
    .. [6] H. Arabnejad and J. G. Barbosa, "List scheduling algorithm for heterogeneous systems by an
       optimistic cost table", IEEE TPDS 25(3), 2014, section 4.
    .. [7] M. Y. Ozkaya, A. Benoit, B. Ucar, J. Herrmann and U. V. Catalyurek, "A scalable clustering-based
       task scheduler for homogeneous processors using DAG partitioning", IPDPS 2019, section IV.

    Examples
    --------
    >>> problem = Problem.of([(0, 1), (0, 2), (1, 3), (2, 3)], 2)
    >>> list_schedule(problem, "heft").makespan
    4.0
    >>> list_schedule(problem, "bl-est", clusters=[0, 0, 1, 1], variant="macro").processor.tolist()
    [0, 0, 0, 0]
    """
    began = time.perf_counter()
    scheduler = LISTS.get(algorithm) if isinstance(algorithm, str) else None
    if scheduler is None:
        raise DagpartError(f"there is no list scheduler {algorithm!r}; choose from {', '.join(LISTS)}")
    seed = check_count(seed, "seed")
    group, k = _check_clusters(problem, clusters, variant)
    blocks = BlockGraph.of_parts(problem, group, k) if variant == "macro" else BlockGraph.of_tasks(problem)
    plan = scheduler.plan(blocks, communication)
    outcome = _place(problem, blocks, plan, group, variant, _fixed(problem, blocks, plan, processor), seed)
    name = algorithm if variant is None else f"{algorithm}-{variant}"
    schedule = _kernels.schedule_of(
        problem, outcome, algorithm=name, facts=None if variant is None else {"clusters": k}
    )
    if problem.communication.has_supersteps:
        schedule = simulate(problem, schedule.processor, schedule.order)
    return replace(schedule, algorithm=name, seconds=time.perf_counter() - began)


def _place(
    problem: Problem,
    blocks: BlockGraph,
    plan: _Plan,
    group: NDArray[np.int32],
    variant: Variant | None,
    fixed: NDArray[np.int32],
    seed: int,
) -> Outcome:
    ties = _kernels.inverse(blocks.order)
    if seed:
        ties = np.random.default_rng(seed).permutation(ties)
    rank = _kernels.ranks(plan.priority, ties)
    bound = group if variant in ("part", "busy") else np.zeros(0, np.int32)
    return list_scheduling.place_blocks(
        _kernels.machine(problem, wait=superstep_delay(problem)),
        list_scheduling.RULES[plan.place],
        plan.insertion,
        blocks.starts,
        blocks.members,
        rank,
        bound,
        fixed,
        variant == "busy",
        np.zeros((0, 0)) if plan.extra is None else plan.extra,
    )


def _check_clusters(
    problem: Problem, clusters: ArrayLike | None, variant: Variant | None
) -> tuple[NDArray[np.int32], int]:
    if variant is not None and not is_one_of(variant, VARIANTS):
        raise DagpartError(f"there is no variant {variant!r}; choose from {', '.join(VARIANTS)}")
    if (clusters is None) != (variant is None):
        has, lacks = ("clusters", "a variant") if variant is None else (f"variant={variant!r}", "clusters")
        raise DagpartError(f"{has} without {lacks}: give both or neither")
    if clusters is None:
        return np.zeros(0, np.int32), 0
    return metrics.as_labels(clusters, problem.n, names=problem.graph.names)


def _fixed(
    problem: Problem, blocks: BlockGraph, plan: _Plan, processor: ArrayLike | None
) -> NDArray[np.int32]:
    """Processor of each block, or -1; the caller's choice comes before the plan's."""
    chosen = np.full(blocks.k, -1, np.int32) if plan.fixed is None else plan.fixed
    if processor is None:
        return chosen
    given = check_ids(processor, "processors")
    if given.size != problem.n:
        raise DagpartError(f"{given.size} processors for {problem.n} tasks: give one for each")
    if given.size and not -1 <= given.min() <= given.max() < problem.p:
        wrong = given[(given < -1) | (given >= problem.p)][0]
        raise DagpartError(f"processor {wrong} is none of 0 to {problem.p - 1}, nor -1")
    if not given.size:
        return chosen
    given = given[blocks.members].astype(np.int32)
    highest = np.full(blocks.k, -1, np.int32)
    block = np.repeat(np.arange(blocks.k), np.diff(blocks.starts))
    np.maximum.at(highest, block, given)
    torn = (given >= 0) & (given != highest[block])
    if torn.any():
        task = int(blocks.members[torn][0])
        raise DagpartError(f"task {task} has to run on another processor than others of its cluster")
    return np.where(highest >= 0, highest, chosen)
