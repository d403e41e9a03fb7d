"""Local search: blocks of tasks move between processors as long as that does not lengthen the schedule.

Moves are mostly drawn from a critical chain, which runs back from the end of the last task through whatever
each task and each message waited for: only what breaks that chain can help. On processors that are given,
tasks are ordered by earliest start, which costs about as much as a list scheduler.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from dagpart.schedule.lists import list_schedule
from dagpart.schedule.result import Schedule

__all__ = ["critical_chain", "improve"]

# Shares of the moves that join the two ends of a critical message, and of any message; the rest take a
# critical task to any processor.
_CRITICAL, _ANY = 0.6, 0.2

# Sums of the same times in another order differ by less, relatively.
_ROUNDING = 1e-9


def improve(
    schedule: Schedule,
    blocks: Iterable[NDArray[np.int32]],
    trials: int,
    *,
    seed: int = 0,
    deadline: float | None = None,
) -> Schedule:
    """Search for a shorter schedule near the given one.

    Parameters
    ----------
    schedule : Schedule
    blocks : iterable of int32[n]
        Labels of tasks that are to move together, from coarse to fine; where they are on several processors,
        they are several blocks.
    trials : int
        Schedules to try for each of them.
    seed : int, default 0
    deadline : float, optional
        By the clock of `time.monotonic`: no trial begins after that.

    Returns
    -------
    Schedule
        `schedule` itself where none is shorter.

    Examples
    --------
    >>> from dagpart.schedule import Problem, list_schedule
    >>> problem = Problem.of([(0, 1), (1, 2), (2, 3)], 2)
    >>> start = list_schedule(problem, "round-robin")
    >>> start.makespan, improve(start, [np.arange(4, dtype=np.int32)], 50).makespan
    (7.0, 4.0)
    """
    problem = schedule.problem
    draw = np.random.default_rng(seed)
    best = schedule
    if problem.p == 1 or not problem.n:
        return best
    current = list_schedule(problem, "etf", processor=schedule.processor)
    for labels in blocks:
        where = current.processor.astype(np.int64)
        _, block = np.unique(labels.astype(np.int64) * problem.p + where, return_inverse=True)
        tasks, messages = critical_chain(current)
        for _ in range(trials):
            if deadline is not None and time.monotonic() >= deadline:
                return best
            moved, target = _move(current, tasks, messages, draw)
            members = block == block[moved]
            if current.processor[moved] == target:
                continue
            processor = current.processor.copy()
            processor[members] = target
            found = list_schedule(problem, "etf", processor=processor)
            if found.makespan <= current.makespan:
                current = found
                tasks, messages = critical_chain(current)
                if current.makespan < best.makespan:
                    best = current
    return best


def critical_chain(schedule: Schedule) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tasks and messages that each waited for the next one, back from the task that ends last.

    Parameters
    ----------
    schedule : Schedule
        Under ``"bsp"``, whose phases end together, the chain ends early.

    Returns
    -------
    tasks, messages : int64[number]
        Ids and positions in ``schedule.messages``, from last to first.

    Examples
    --------
    >>> from dagpart.schedule import Problem, simulate
    >>> schedule = simulate(Problem.of([(0, 1), (0, 2), (1, 3)], 2), [0, 0, 1, 1], [0, 1, 2, 3])
    >>> [found.tolist() for found in critical_chain(schedule)]
    [[3, 2, 0], [0]]
    """
    messages = schedule.messages
    slack = _ROUNDING * schedule.makespan
    start, finish = schedule.start.tolist(), schedule.finish.tolist()
    begun, ended = messages.start.tolist(), messages.finish.tolist()
    before = _previous(schedule.processor, schedule.order).tolist()
    by_start = np.lexsort((messages.finish, messages.start))
    sent_before = _previous(messages.source, by_start).tolist()
    received_before = _previous(messages.destination, by_start).tolist()
    last_input = np.full(schedule.problem.n, -1, np.int64)
    by_finish = np.argsort(messages.finish, kind="stable")
    last_input[messages.consumer[by_finish]] = by_finish
    graph = schedule.problem.graph
    tasks: list[int] = []
    chain: list[int] = []
    task, message = int(schedule.finish.argmax()), -1
    # Without durations several things may wait for each other at one instant.
    for _ in range(schedule.problem.n + len(messages)):
        if message < 0:
            tasks.append(task)
            latest = start[task] - slack
            if latest <= 0:
                break
            if before[task] >= 0 and finish[before[task]] >= latest:
                task = before[task]
            elif last_input[task] >= 0 and ended[last_input[task]] >= latest:
                message = int(last_input[task])
            else:
                inputs = graph.pred_indices[graph.pred_indptr[task] : graph.pred_indptr[task + 1]].tolist()
                waited = [u for u in inputs if finish[u] >= latest]
                if not waited:
                    break
                task = waited[0]
        else:
            chain.append(message)
            latest = begun[message] - slack
            producer = int(messages.producer[message])
            waited = [
                other
                for other in (sent_before[message], received_before[message])
                if other >= 0 and ended[other] >= latest
            ]
            if waited and finish[producer] < latest:
                message = waited[0]
            else:
                task, message = producer, -1
    return np.array(tasks, np.int64), np.array(chain, np.int64)


def _previous(lane: NDArray[np.int32], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """What comes before each item on its lane, or -1."""
    sequence = order[np.argsort(lane[order], kind="stable")]
    previous = np.full(lane.size, -1, np.int64)
    same = lane[sequence[1:]] == lane[sequence[:-1]]
    previous[sequence[1:][same]] = sequence[:-1][same]
    return previous


def _move(
    schedule: Schedule, tasks: NDArray[np.int64], chain: NDArray[np.int64], draw: np.random.Generator
) -> tuple[int, int]:
    """A task whose block is to move, and a processor."""
    messages, kind = schedule.messages, draw.random()
    if len(messages) and kind < _CRITICAL + _ANY:
        critical = chain.size and kind < _CRITICAL
        i = int(chain[draw.integers(chain.size)]) if critical else int(draw.integers(len(messages)))
        ends = int(messages.producer[i]), int(messages.consumer[i])
        moved, stays = ends if draw.random() < 0.5 else ends[::-1]
        return moved, int(schedule.processor[stays])
    return int(tasks[draw.integers(tasks.size)]), int(draw.integers(schedule.problem.p))
