"""Schedules for StarPU: a sched.rec for a recorded program, and a tasks.rec of any schedule.

Files of both kinds are paragraphs of lines ``Name: value``. The fields are those that StarPU 1.4 itself
writes, and, for a sched.rec, those that its replay is known to follow. No file made here has been through
StarPU's replay: it was not at hand. `dagpart.read` makes the same graph of a tasks.rec again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from dagpart.io import starpu
from dagpart.schedule.problem import Problem
from dagpart.schedule.result import Schedule

__all__ = ["dump", "sched_rec"]

_MOST_DEPENDENCIES = 8
# As StarPU writes times: milliseconds with six decimals, so that a unit of time is a nanosecond.
_UNITS_PER_MILLISECOND = 1e6
_UNITS_PER_MICROSECOND = 1e3


def sched_rec(path: str | os.PathLike[str], schedule: Schedule) -> bytes:
    """The sched.rec by which StarPU's replay puts each task of a trace where the schedule has it.

    Processor q is worker q. Priorities fall in the order in which tasks start, so that a policy that follows
    them keeps that order.

    Parameters
    ----------
    path : str or path-like
        The tasks.rec that the scheduled graph was read from.
    schedule : Schedule

    Raises
    ------
    ParseError
        A task has no SubmitOrder.
    DagpartError
        The schedule is not one of this trace.
    """
    priority = np.empty(schedule.problem.n, np.int64)
    priority[schedule.order] = np.arange(schedule.problem.n)[::-1]
    return starpu.placement(path, schedule.processor, priority)


def dump(schedule: Schedule) -> bytes:
    """The tasks.rec of a schedule.

    Tasks are submitted in the order in which they start, each bound to its worker. A task writes a piece of
    data for each size that its edges have, in whole bytes, which the tasks at their ends read. Tasks that
    take the same time everywhere share a footprint. A unit of time is a nanosecond. No paragraph has more
    than 8 entries in DependsOn: where a task depends on more, paragraphs of tasks that do not run gather
    them.

    Examples
    --------
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule
    >>> start = np.array([0.0, 1.0])
    >>> serial = Schedule(Problem.of([(0, 1)], 1), np.zeros(2, np.int32), start, start + 1, Messages.none())
    >>> [line for line in dump(serial).decode().splitlines() if "Depends" in line or "Specific" in line]
    ['SpecificWorker: 0', 'DependsOn: 1', 'SpecificWorker: 0']
    """
    return "\n".join(_paragraphs(schedule)).encode("utf-8", "surrogatepass")


def _paragraphs(schedule: Schedule) -> Iterator[str]:
    problem, graph = schedule.problem, schedule.problem.graph
    order = schedule.order.tolist()
    rank = {v: place for place, v in enumerate(order)}
    _, footprint = np.unique(problem.durations, axis=0, return_inverse=True)
    footprints = np.ravel(footprint).tolist()
    handles, written = _handles(problem)
    estimates = np.broadcast_to(problem.durations, (problem.n, problem.p)) / _UNITS_PER_MICROSECOND
    # Ids of tasks are 1 .. n in the order of submission; what gathers dependencies comes behind.
    spare = problem.n
    for v in order:
        before = slice(graph.pred_indptr[v], graph.pred_indptr[v + 1])
        depends = [rank[u] + 1 for u in graph.pred_indices[before].tolist()]
        while len(depends) > _MOST_DEPENDENCIES:
            gathered, depends = depends[:_MOST_DEPENDENCIES], depends[_MOST_DEPENDENCIES:]
            spare += 1
            depends.append(spare)
            yield _fields(
                ("Name", "gather"),
                ("JobId", spare),
                ("Priority", 0),
                ("DependsOn", " ".join(map(str, gathered))),
                ("Tag", 0),
                ("Footprint", 0),
                ("MPIRank", -1),
            )
        read = [handles[e] for e in problem.pred_positions[before].tolist()]
        access = [(handle, "R", size) for handle, size in read] + [
            (handle, "W", size) for handle, size in written[v]
        ]
        yield _fields(
            ("Name", _line(str(graph.name(v)))),
            ("Model", "dagpart_task"),
            ("JobId", rank[v] + 1),
            ("SubmitOrder", rank[v] + 1),
            ("Priority", problem.n - rank[v]),
            *([("DependsOn", " ".join(map(str, depends)))] if depends else []),
            ("Tag", 0),
            ("WorkerId", int(schedule.processor[v])),
            ("SpecificWorker", int(schedule.processor[v])),
            ("MemoryNode", int(schedule.processor[v])),
            ("SubmitTime", _milliseconds(0.0)),
            ("StartTime", _milliseconds(float(schedule.start[v]))),
            ("EndTime", _milliseconds(float(schedule.finish[v]))),
            ("Footprint", f"{footprints[v] + 1:x}"),
            ("Iteration", 0),
            ("Handles", " ".join(f"{handle:x}" for handle, _, _ in access)),
            ("Modes", " ".join(mode for _, mode, _ in access)),
            ("Sizes", " ".join(str(size) for _, _, size in access)),
            ("MPIRank", -1),
            ("EstimatedTime", " ".join(f"{time:.6e}" for time in estimates[v].tolist())),
        )


def _handles(problem: Problem) -> tuple[list[tuple[int, int]], list[list[tuple[int, int]]]]:
    """Handle and size of what each edge carries, and of what each task writes."""
    sizes = np.ceil(problem.message_sizes).astype(np.int64).tolist()
    ends = problem.graph.indptr.tolist()
    carried: list[tuple[int, int]] = []
    written: list[list[tuple[int, int]]] = []
    count = 0
    for v in range(problem.n):
        own: dict[int, int] = {}
        for size in sizes[ends[v] : ends[v + 1]] or [0]:
            if size not in own:
                count += 1
                own[size] = count
        carried += [(own[size], size) for size in sizes[ends[v] : ends[v + 1]]]
        written.append([(handle, size) for size, handle in own.items()])
    return carried, written


def _fields(*fields: tuple[str, object]) -> str:
    return "".join(f"{name}: {value}\n" for name, value in fields)


def _milliseconds(time: float) -> str:
    return f"{time / _UNITS_PER_MILLISECOND:.6f}"


def _line(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)
