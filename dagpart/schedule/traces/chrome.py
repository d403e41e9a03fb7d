"""The Trace Event Format, JSON that ui.perfetto.dev and chrome://tracing show.

Times are microseconds there. Processors are threads of one process. Processes and threads count from 1,
since 0 stands for the idle task of Linux (google/perfetto, issue 394). Where a model has ports, these are
threads of two more processes; messages of other models may overlap, which events of a thread must not
(perfetto.dev, FAQ), so they are asynchronous events. Arrows (flow events) run from a producer to its message,
or to its consumer where there is none, and on to the consumer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from dagpart.schedule.result import Schedule

__all__ = ["MICROSECOND", "dump"]

MICROSECOND = 1e-6
"""Seconds in a unit of time where nobody says."""

_PROCESSORS, _SEND, _RECEIVE, _NETWORK = range(1, 5)
_FIRST = 1


def dump(schedule: Schedule, time_unit: float = MICROSECOND) -> bytes:
    """The trace of a schedule.

    Parameters
    ----------
    schedule : Schedule
    time_unit : float, default 1e-6
        Seconds in a unit of time.

    Examples
    --------
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule
    >>> start = np.array([0.0, 1.0])
    >>> serial = Schedule(Problem.of([(0, 1)], 1), np.zeros(2, np.int32), start, start + 1, Messages.none())
    >>> [event["name"] for event in json.loads(dump(serial))["traceEvents"] if event["ph"] == "X"]
    ['0', '1']
    """
    timed = sorted([*_tasks(schedule), *_messages(schedule)], key=lambda event: event["ts"])
    scale = time_unit / MICROSECOND
    if scale != 1:
        for event in timed:
            event.update({name: event[name] * scale for name in ("ts", "dur") if name in event})
    document = {
        "traceEvents": [*_lanes(schedule), *timed],
        "displayTimeUnit": "ms",
        "otherData": {
            "algorithm": schedule.algorithm,
            "model": schedule.problem.model,
            "seconds in a unit of time": time_unit,
        },
    }
    return (json.dumps(document) + "\n").encode("ascii")


def _lanes(schedule: Schedule) -> Iterator[dict[str, Any]]:
    processes = {_PROCESSORS: ("processors", "processor")}
    if schedule.problem.communication.has_ports:
        processes[_SEND] = ("send ports", "send port")
        processes[_RECEIVE] = ("receive ports", "receive port")
    elif len(schedule.messages):
        yield _named("process_name", _NETWORK, _FIRST, "messages")
    for process, (plural, singular) in processes.items():
        yield _named("process_name", process, _FIRST, plural)
        for q in range(schedule.problem.p):
            yield _named("thread_name", process, _FIRST + q, f"{singular} {q}")


def _named(kind: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}


def _tasks(schedule: Schedule) -> Iterator[dict[str, Any]]:
    graph, step = schedule.problem.graph, schedule.superstep
    columns = (schedule.processor, schedule.start, schedule.finish)
    for v, (q, start, finish) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        arguments: dict[str, Any] = {"task": v}
        if step is not None:
            arguments["superstep"] = int(step[v])
        yield {
            "ph": "X",
            "name": str(graph.name(v)),
            "cat": "task",
            "pid": _PROCESSORS,
            "tid": _FIRST + q,
            "ts": start,
            "dur": finish - start,
            "args": arguments,
        }


def _messages(schedule: Schedule) -> Iterator[dict[str, Any]]:
    problem, m = schedule.problem, schedule.messages
    sizes = problem.message_sizes[problem.edge_positions(m.producer, m.consumer)]
    columns = (m.producer, m.consumer, m.source, m.destination, m.start, m.finish, sizes)
    for i, row in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        producer, consumer, source, destination, start, finish, size = row
        name = f"{problem.graph.name(producer)} -> {problem.graph.name(consumer)}"
        common = {"name": name, "cat": "message"}
        arguments = {"size": size, "from": source, "to": destination}
        if problem.communication.has_ports:
            for process, lane in ((_SEND, source), (_RECEIVE, destination)):
                span = {"pid": process, "tid": _FIRST + lane, "ts": start, "dur": finish - start}
                yield {"ph": "X", **common, **span, "args": arguments}
        else:
            for phase, time in (("b", start), ("e", finish)):
                place = {"pid": _NETWORK, "tid": _FIRST, "ts": time, "id": i}
                yield {"ph": phase, **common, **place, "args": arguments}
        yield from _arrow(schedule, i, producer, source, consumer, destination, start)


def _arrow(
    schedule: Schedule, i: int, producer: int, source: int, consumer: int, destination: int, sent: float
) -> Iterator[dict[str, Any]]:
    """From the producer's event by the message's to the consumer's; each end lies inside its event."""
    common = {"name": "data", "cat": "data", "id": i}
    begin, end = float(schedule.start[producer]), float(schedule.start[consumer])
    yield {"ph": "s", **common, "pid": _PROCESSORS, "tid": _FIRST + source, "ts": begin}
    if schedule.problem.communication.has_ports:
        yield {"ph": "t", **common, "pid": _RECEIVE, "tid": _FIRST + destination, "ts": sent}
    yield {"ph": "f", "bp": "e", **common, "pid": _PROCESSORS, "tid": _FIRST + destination, "ts": end}
