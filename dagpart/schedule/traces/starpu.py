"""Schedules for StarPU: a sched.rec for a recorded program, and a tasks.rec of any schedule.

Files of both kinds are paragraphs of lines ``Name: value``, each with an empty line behind it, the last one
too. The fields are those that StarPU 1.4 itself writes, and, for a sched.rec, those that its replay follows;
both kinds of file have been through the replay of StarPU 1.3.10, built with SimGrid. It takes a task's
EndTime less its StartTime for microseconds where nothing else tells how long the task is, although StarPU's
own records have milliseconds there; so these files have microseconds. `dagpart.read` knows them by the name
of their performance model and makes the same graph of a tasks.rec again. The replay moves no more pieces of
data than Parameters has words, which are their shapes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import numpy as np

from dagpart.io import starpu
from dagpart.schedule.problem import Problem
from dagpart.schedule.result import Schedule

__all__ = ["MILLISECOND", "dump", "sched_rec"]

MILLISECOND = 1e-3
"""Seconds in a unit of time where nobody says: the replay's own overhead is below that."""

_MICROSECOND = 1e-6
# What the replay has room for in a task.
_MOST_DEPENDENCIES = 8
_MOST_HANDLES = 8
# Handling data is no work, but StarPU simulates no task without a duration.
_DATA_MICROSECONDS = 0.001

# Handle and size of data; a paragraph that something waits for, and the data that it reads of it.
_Piece = tuple[int, int]
_Input = tuple[int, _Piece | None]


def sched_rec(path: str | os.PathLike[str] | None, schedule: Schedule) -> bytes:
    """The sched.rec by which StarPU's replay puts each task of a trace where the schedule has it.

    Processor q is worker q, and Workerorder holds each to its order of tasks. Priorities fall in the order in
    which tasks start. Tasks without a SubmitOrder are left to StarPU.

    Parameters
    ----------
    path : str, path-like or None
        The tasks.rec that the scheduled graph was read from. None: for the one that
        `dagpart.schedule.write_trace` makes of this schedule, which alone does not keep its order.
    schedule : Schedule

    Raises
    ------
    ParseError
        A SubmitOrder is no number, or no task has one.
    DagpartError
        The schedule is not one of this trace.

    Examples
    --------
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule
    >>> start = np.array([0.0, 1.0])
    >>> serial = Schedule(Problem.of([(0, 1)], 1), np.zeros(2, np.int32), start, start + 1, Messages.none())
    >>> print(sched_rec(None, serial).decode().split("\\n\\n")[1])
    SubmitOrder: 2
    Priority: 0
    SpecificWorker: 0
    Workerorder: 2
    """
    priority = np.empty(schedule.problem.n, np.int64)
    priority[schedule.order] = np.arange(schedule.problem.n)[::-1]
    if path is None:
        submitted = {v: place + 1 for place, v in enumerate(schedule.order.tolist())}
        return starpu.placement_of(submitted, schedule.processor, priority, schedule.order)
    return starpu.placement(path, schedule.processor, priority, schedule.order)


def dump(schedule: Schedule, time_unit: float = MILLISECOND) -> bytes:
    """The tasks.rec of a schedule.

    Tasks are submitted in the order in which they start, each bound to its worker. A task writes a piece of
    data for each size that its edges have, in whole bytes, which the tasks at their ends read. Tasks that
    take the same time everywhere share a footprint. The replay has room for 8 entries in DependsOn and for 8
    pieces of data a task: where a task depends on more, reads more or writes more, further paragraphs do that
    on its worker, before it and behind it.

    Parameters
    ----------
    schedule : Schedule
    time_unit : float, default 0.001
        Seconds in a unit of time.

    Examples
    --------
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule
    >>> start = np.array([0.0, 1.0])
    >>> serial = Schedule(Problem.of([(0, 1)], 1), np.zeros(2, np.int32), start, start + 1, Messages.none())
    >>> [line for line in dump(serial).decode().splitlines() if "Depends" in line or "EndTime" in line]
    ['EndTime: 1000.000000', 'DependsOn: 1', 'EndTime: 2000.000000']
    """
    paragraphs = _paragraphs(schedule, time_unit / _MICROSECOND)
    return "".join(f"{paragraph}\n" for paragraph in paragraphs).encode("utf-8", "surrogatepass")


def _paragraphs(schedule: Schedule, scale: float) -> Iterator[str]:
    problem, graph = schedule.problem, schedule.problem.graph
    order = schedule.order.tolist()
    rank = {v: place for place, v in enumerate(order)}
    _, footprint = np.unique(problem.durations, axis=0, return_inverse=True)
    footprints = np.ravel(footprint).tolist()
    handles, written = _handles(problem)
    estimates = np.broadcast_to(problem.durations, (problem.n, problem.p)) * scale
    # Ids of tasks are 1 .. n in the order of submission; those of further paragraphs come behind.
    spare = problem.n
    # Where the data of an edge come from, if that is not its tail.
    maker: dict[int, int] = {}
    for v in order:
        worker, priority = int(schedule.processor[v]), problem.n - rank[v]
        start, finish = float(schedule.start[v]) * scale, float(schedule.finish[v]) * scale
        before = slice(graph.pred_indptr[v], graph.pred_indptr[v + 1])
        inputs: list[_Input] = []
        for u, e in zip(
            graph.pred_indices[before].tolist(), problem.pred_positions[before].tolist(), strict=True
        ):
            inputs.append((maker.get(handles[e][0], rank[u] + 1), handles[e]))
        own, *others = _batches(written[v], _MOST_HANDLES)
        room = _MOST_HANDLES - len(own)
        while len(inputs) > _MOST_DEPENDENCIES or sum(data is not None for _, data in inputs) > room:
            gathered, inputs = inputs[:_MOST_DEPENDENCIES], inputs[_MOST_DEPENDENCIES:]
            spare += 1
            inputs.append((spare, None))
            yield _further("gather", spare, gathered, (), (worker, start, priority), problem.p)
        yield _fields(
            ("Name", _line(str(graph.name(v)))),
            ("Model", starpu.TASK_MODEL),
            ("JobId", rank[v] + 1),
            ("SubmitOrder", rank[v] + 1),
            ("Priority", priority),
            *_depends(inputs),
            ("Tag", 0),
            *_place(worker, start, finish),
            ("Footprint", f"{footprints[v] + 1:x}"),
            ("Iteration", 0),
            *_data(inputs, own),
            ("MPIRank", -1),
            ("EstimatedTime", " ".join(f"{time:.6e}" for time in estimates[v].tolist())),
        )
        for pieces in others:
            spare += 1
            maker.update((handle, spare) for handle, _ in pieces)
            behind: list[_Input] = [(rank[v] + 1, None)]
            yield _further("scatter", spare, behind, pieces, (worker, finish, priority), problem.p)


def _further(
    name: str,
    job: int,
    inputs: list[_Input],
    written: Sequence[_Piece],
    place: tuple[int, float, int],
    workers: int,
) -> str:
    """What a task has no room for: it waits for some inputs and reads their data, or it writes data.

    `place` is a worker, a time and a priority. Without data there is nothing to run.
    """
    worker, start, priority = place
    if not written and all(piece is None for _, piece in inputs):
        return _fields(("Name", name), ("JobId", job), ("Priority", 0), *_depends(inputs), ("Tag", 0))
    return _fields(
        ("Name", name),
        ("Model", starpu.DATA_MODEL),
        ("JobId", job),
        ("Priority", priority),
        *_depends(inputs),
        ("Tag", 0),
        *_place(worker, start, start + _DATA_MICROSECONDS),
        ("Footprint", 0),
        *_data(inputs, written),
        ("MPIRank", -1),
        ("EstimatedTime", " ".join([f"{_DATA_MICROSECONDS:.6e}"] * workers)),
    )


def _depends(inputs: list[_Input]) -> list[tuple[str, object]]:
    return [("DependsOn", " ".join(str(job) for job, _ in inputs))] if inputs else []


def _place(worker: int, start: float, finish: float) -> list[tuple[str, object]]:
    return [
        ("WorkerId", worker),
        ("SpecificWorker", worker),
        ("MemoryNode", worker),
        ("SubmitTime", f"{0:.6f}"),
        ("StartTime", f"{start:.6f}"),
        ("EndTime", f"{finish:.6f}"),
    ]


def _data(inputs: list[_Input], written: Sequence[_Piece]) -> list[tuple[str, object]]:
    access = [(piece, "R") for _, piece in inputs if piece is not None] + [(piece, "W") for piece in written]
    return [
        ("Parameters", " ".join(f"V{size}x1" for (_, size), _ in access)),
        ("Handles", " ".join(f"{handle:x}" for (handle, _), _ in access)),
        ("Modes", " ".join(mode for _, mode in access)),
        ("Sizes", " ".join(str(size) for (_, size), _ in access)),
    ]


def _batches(pieces: list[_Piece], size: int) -> list[list[_Piece]]:
    """So many at a time; at least one batch."""
    return [pieces[i : i + size] for i in range(0, max(len(pieces), 1), size)]


def _handles(problem: Problem) -> tuple[list[_Piece], list[list[_Piece]]]:
    """Handle and size of what each edge carries, and of what each task writes."""
    sizes = np.ceil(problem.message_sizes).astype(np.int64).tolist()
    ends = problem.graph.indptr.tolist()
    carried: list[_Piece] = []
    written: list[list[_Piece]] = []
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


def _line(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)
