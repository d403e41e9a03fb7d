"""Tasks that StarPU recorded (tasks.rec).

StarPU writes one paragraph for each task, of lines ``Name: value``; the StarPU handbook, section "Performance
feedback", says what they mean. Besides the tasks that ran there are records of what StarPU itself put between
them: synchronisation, acquired data, hints. Only tasks with a performance model ran; the paths through the
others become edges.

StarPU's times are milliseconds. Files that `dagpart.schedule.write_trace` has made for its replay have
microseconds in their place, as the replay takes them, and are told by their tasks' models.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_choice
from dagpart._files import Source, read_source
from dagpart._text import Text, show, whole
from dagpart.errors import DagpartError
from dagpart.io.building import WEIGHT, from_arrays, parse_weight
from dagpart.io.formats import Format, Labelled, Loaded
from dagpart.units import Units

TASK_MODEL, DATA_MODEL = "dagpart_task", "dagpart_data"
"""Performance models in files that dagpart writes: of tasks, and of what a task has no room for, which reads
data for the task behind it, or writes data for the task before."""

_MODES = ("R", "W", "RW")
# StarPU's clock counts milliseconds with six decimals; EstimatedTime is in microseconds.
_NANOSECONDS = {"ms": 1_000_000, "us": 1_000}
# Its workers share a machine: a link of PCI Express 3.
_BANDWIDTH = 10e9
# A chain of records that did not run could hand on everything that came before it.
_MAX_REACH = 2**24


@dataclass
class _Record:
    line: int
    fields: dict[str, str]


def load(source: Source, *, work: Literal["time", "flops", "unit"] = "time") -> Loaded:
    """Read a record of tasks: vertices are the tasks that ran, named by their job ids.

    An edge weighs the bytes of the data that its tail writes and its head reads, 0 where none is the same.
    Where every task has an EstimatedTime for every worker, these are the ``costs`` of what is returned.

    Parameters
    ----------
    source : Source
        The file.
    work : {"time", "flops", "unit"}
        Weight of a vertex: nanoseconds that it ran, floating-point operations, or 1.

    Raises
    ------
    ParseError
        The file is damaged; names the line.

    Examples
    --------
    >>> one = "Model: a\\nJobId: 1\\nHandles: f0\\nModes: W\\nSizes: 64\\nStartTime: 0.5\\nEndTime: 2.5\\n"
    >>> two = one.replace("Id: 1", "Id: 2\\nDependsOn: 1").replace("W", "R")
    >>> graph = load(Source("tasks.rec", f"{one}\\n{two}".encode())).graph
    >>> graph.names, graph.vertex_weights.tolist(), graph.edge_weights.tolist()
    (('1', '2'), [2000000, 2000000], [64])
    """
    check_choice(work, "work", ("time", "flops", "unit"))
    text = Text.of(source)
    records = _read_records(text)
    real = {job: record for job, record in records.items() if _ran(record)}
    if not real:
        raise text.error(text.last_line, f"{len(records)} tasks, none of them with a Model", "tasks that ran")
    edges = _contract(text, records, real)
    index = {job: i for i, job in enumerate(real)}
    accesses = {job: _accesses(text, record) for job, record in real.items()}
    _take_over(text, records, accesses)
    weights = [_carried(accesses[u], accesses[v]) for u, v in edges]
    told = any(weights)
    graph = from_arrays(
        len(real),
        [index[u] for u, _ in edges],
        [index[v] for _, v in edges],
        weights if told else None,
        [_work(text, record, work) for record in real.values()],
        list(real),
    )
    gone = len(records) - len(real)
    notes = [f"records that are no tasks of the program, contracted: {gone}"] if gone else []
    costs, note = _costs(text, list(real.values()))
    if note:
        notes.append(note)
    known = work == "time" or (costs is not None)
    units = Units(1e-9 if known else None, 1.0 if told else None, _BANDWIDTH)
    return Loaded(graph.measured(units), FORMAT.name, notes=tuple(notes), costs=costs)


def schedule(path: str | os.PathLike[str], result: Labelled) -> bytes:
    """The schedule by which StarPU's replay runs each part on one worker: a sched.rec.

    Parameters
    ----------
    path : str or path-like
        The tasks.rec that was partitioned.
    result : Partition, or what has its labels
        Of the graph that `load` makes of it; part i goes to worker i.

    Returns
    -------
    bytes
        A paragraph for each task, with its SubmitOrder and its SpecificWorker.

    Raises
    ------
    ParseError
        A task has no SubmitOrder.
    DagpartError
        The partition is not one of this trace.
    """
    return placement(path, result.labels)


def placement(
    path: str | os.PathLike[str],
    workers: NDArray[Any],
    priorities: NDArray[Any] | None = None,
    order: NDArray[Any] | None = None,
) -> bytes:
    """The sched.rec that puts each task of a trace on a worker.

    Tasks without a SubmitOrder, such as the copies of data that StarPU makes itself, are left to it: a
    sched.rec cannot name them.

    Parameters
    ----------
    path : str or path-like
        The tasks.rec.
    workers : int[n]
        Of each task, in the order of the graph that `load` makes.
    priorities : int[n], optional
        A larger one goes first; default: those of the program stay.
    order : int[n], optional
        The tasks, first to last: each worker keeps that order of its own. Default: it is left to StarPU.

    Raises
    ------
    ParseError
        A SubmitOrder is no number, or no task has one.
    DagpartError
        There is not one worker for each task of the trace.
    """
    text = Text.of(read_source(path))
    real = [record for record in _read_records(text).values() if _ran(record)]
    if len(real) != len(workers):
        raise DagpartError(f"{path} has {len(real)} tasks, but there are workers for {len(workers)}")
    return placement_of(_submitted(text, real), workers, priorities, order)


def placement_of(
    submitted: dict[int, int],
    workers: NDArray[Any],
    priorities: NDArray[Any] | None = None,
    order: NDArray[Any] | None = None,
) -> bytes:
    """The sched.rec of tasks whose SubmitOrder is known, by their positions; the rest as for `placement`."""
    position = _positions(workers, order, submitted)
    paragraphs = []
    for i, number in submitted.items():
        lines = [f"SubmitOrder: {number}"]
        if priorities is not None:
            lines.append(f"Priority: {priorities[i]}")
        lines.append(f"SpecificWorker: {workers[i]}")
        if position is not None:
            lines.append(f"Workerorder: {position[i]}")
        paragraphs.append((number, "\n".join([*lines, "", ""])))
    return "".join(paragraph for _, paragraph in sorted(paragraphs)).encode("ascii")


def _submitted(text: Text, real: list[_Record]) -> dict[int, int]:
    """The SubmitOrder of each task that has one, by the task's position."""
    found: dict[int, int] = {}
    for i, record in enumerate(real):
        value = record.fields.get("SubmitOrder")
        if value is None:
            continue
        number = whole(value.encode())
        if number is None:
            raise text.error(record.line, f"SubmitOrder: {show(value.encode())}", "SubmitOrder: a number")
        found[i] = number
    if not found:
        raise text.error(text.last_line, "no task with a SubmitOrder", "SubmitOrder: a number")
    return found


def _positions(
    workers: NDArray[Any], order: NDArray[Any] | None, submitted: dict[int, int]
) -> dict[int, int] | None:
    """Where on its worker each task stands, from 1, among those that a sched.rec can name."""
    if order is None:
        return None
    count: dict[int, int] = {}
    position: dict[int, int] = {}
    for i in order.tolist():
        if i in submitted:
            worker = int(workers[i])
            count[worker] = count.get(worker, 0) + 1
            position[i] = count[worker]
    return position


def _ran(record: _Record) -> bool:
    """Whether a record is a task of the program."""
    return record.fields.get("Model", DATA_MODEL) != DATA_MODEL


def _read_records(text: Text) -> dict[str, _Record]:
    """The records with a job id that are tasks of some kind, by that id."""
    text.decoded()
    records: dict[str, _Record] = {}
    fields: dict[str, str] = {}
    first = 0
    seen = 0

    def finish() -> None:
        nonlocal seen
        if not fields:
            return
        seen += 1
        # Hints, such as that some data will not be used, have job ids of their own.
        if "Control" in fields:
            return
        job = fields.get("JobId")
        if job is None:
            raise text.error(first, "a record without JobId", "tasks as StarPU's tasks.rec has them")
        if job in records:
            raise text.error(first, f"the JobId {show(job.encode())} for the second time", "one record a job")
        records[job] = _Record(first, fields)

    for line, _, content in text.lines():
        if not content.strip():
            finish()
            fields = {}
            continue
        name, colon, value = content.decode().partition(":")
        if not colon or not name.isidentifier():
            raise text.error(line, show(content), "a line such as JobId: 7")
        if not fields:
            first = line
        fields[name] = value.strip()
    finish()
    if not seen:
        raise text.error(text.last_line, "an empty file", "records of tasks")
    return records


def _contract(text: Text, records: dict[str, _Record], real: dict[str, _Record]) -> list[tuple[str, str]]:
    """Edges between tasks that ran: those recorded, and those through other records, each once.

    Every record that did not run hands on the tasks that reach it; depth first, without recursion.
    """
    before = {job: record.fields.get("DependsOn", "").split() for job, record in records.items()}
    reach: dict[str, dict[str, None]] = {}
    edges: dict[tuple[str, str], None] = {}
    size = 0
    for job in records:
        stack = [job]
        open_: set[str] = set()
        while stack:
            top = stack[-1]
            if top in reach:
                stack.pop()
                continue
            if top not in open_:
                open_.add(top)
                missing = [
                    other
                    for other in before[top]
                    if other in records and other not in real and other not in reach and other != top
                ]
                if any(other in open_ for other in missing):
                    raise text.error(
                        records[top].line, f"job {top} that waits for itself", "records without a cycle"
                    )
                if missing:
                    stack += missing
                    continue
            stack.pop()
            found: dict[str, None] = {}
            for other in before[top]:
                if other in real:
                    found[other] = None
                elif other in reach:
                    found.update(reach[other])
            reach[top] = found
            size += len(found)
            if size > _MAX_REACH:
                wanted = f"no more than {_MAX_REACH} dependencies in all, once other records are contracted"
                raise text.error(records[top].line, f"job {top}, which many tasks reach", wanted)
            if top in real:
                edges.update(((other, top), None) for other in found)
    return list(edges)


def _accesses(text: Text, record: _Record) -> tuple[dict[str, int | float], dict[str, int | float]]:
    """Sizes of the data that a task reads and that it writes, by handle."""
    handles, modes, sizes = (record.fields.get(name, "").split() for name in ("Handles", "Modes", "Sizes"))
    if not len(handles) == len(modes) == len(sizes):
        found = f"{len(handles)} handles, {len(modes)} modes, {len(sizes)} sizes"
        raise text.error(record.line, found, "one mode and one size for each handle")
    reads: dict[str, int | float] = {}
    writes: dict[str, int | float] = {}
    for handle, mode, size in zip(handles, modes, sizes, strict=True):
        number = parse_weight(size)
        if number is None:
            raise text.error(record.line, show(size.encode()), WEIGHT)
        # Modes have further letters behind, as in RW-COMMUTE; scratch and reduction data belong to one task.
        kind = mode.partition("-")[0]
        if "R" in kind and kind in _MODES:
            reads[handle] = number
        if "W" in kind and kind in _MODES:
            writes[handle] = number
    return reads, writes


def _take_over(
    text: Text,
    records: dict[str, _Record],
    accesses: dict[str, tuple[dict[str, int | float], dict[str, int | float]]],
) -> None:
    """Let each task read and write what further records of dagpart read and write in its place."""
    further = {
        job: _accesses(text, record)
        for job, record in records.items()
        if record.fields.get("Model") == DATA_MODEL
    }
    if not further:
        return
    before = {job: record.fields.get("DependsOn", "").split() for job, record in records.items()}
    for job, (_, writes) in further.items():
        for other in before[job] if writes else ():
            if other in accesses:
                accesses[other][1].update(writes)
    for job, (reads, _) in accesses.items():
        stack, seen = list(before[job]), {job}
        while stack:
            other = stack.pop()
            if other in accesses or other in seen or other not in records:
                continue
            seen.add(other)
            if other in further:
                reads.update(further[other][0])
            stack += before[other]


def _costs(text: Text, real: list[_Record]) -> tuple[NDArray[np.float64] | None, str]:
    """Nanoseconds of each task on each worker by the EstimatedTime lines; or None, and why it is not known.

    Raises
    ------
    ParseError
        A line has something that is no number, or another number of workers than the first.
    """
    told = [record for record in real if "EstimatedTime" in record.fields]
    if not told:
        return None, ""
    rows = []
    for record in told:
        fields = record.fields["EstimatedTime"].split()
        try:
            rows.append([float(field) for field in fields])
        except ValueError:
            found = show(record.fields["EstimatedTime"].encode())
            raise text.error(record.line, f"EstimatedTime: {found}", "a number for each worker") from None
        if len(fields) != len(rows[0]):
            raise text.error(
                record.line, f"{len(fields)} estimated times", f"{len(rows[0])}, as the tasks before have"
            )
    if len(told) < len(real):
        return None, f"tasks without EstimatedTime: {len(real) - len(told)}; those of the others are not used"
    table = np.array(rows, dtype=np.float64) * _NANOSECONDS["us"]
    if not (np.isfinite(table) & (table >= 0)).all():
        return None, "some EstimatedTime is no time: a worker that cannot run a task; none of them is used"
    return table, ""


def _carried(
    tail: tuple[dict[str, int | float], dict[str, int | float]],
    head: tuple[dict[str, int | float], dict[str, int | float]],
) -> int | float:
    _, written = tail
    read, _ = head
    return sum(size for handle, size in written.items() if handle in read)


def _work(text: Text, record: _Record, work: str) -> int | float:
    if work == "unit":
        return 1
    if work == "flops":
        return _number(text, record, "GFlop") * 1e9
    start, end = _number(text, record, "StartTime"), _number(text, record, "EndTime")
    if end < start:
        raise text.error(
            record.line, f"the EndTime {end} before the StartTime {start}", "a task that ends later"
        )
    unit = "us" if record.fields.get("Model") == TASK_MODEL else "ms"
    return round((end - start) * _NANOSECONDS[unit])


def _number(text: Text, record: _Record, name: str) -> int | float:
    value = record.fields.get(name)
    number = None if value is None else parse_weight(value)
    if number is None:
        found = f"a task without {name}" if value is None else f"{name}: {show(value.encode())}"
        raise text.error(record.line, found, f'{name}: a number; or leave it aside with work="unit"')
    return number


FORMAT = Format("starpu", (".rec",), load)
