"""Schedules in files that other tools read: one module a format, one registry."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from dagpart._files import check_writable, write_file
from dagpart.errors import DagpartError
from dagpart.schedule.result import Schedule
from dagpart.schedule.traces import chrome, onestop, paje, starpu, table
from dagpart.schedule.traces.onestop import Assignment, read_onestop
from dagpart.schedule.traces.starpu import sched_rec
from dagpart.units import seconds

__all__ = ["TRACES", "Assignment", "Trace", "read_onestop", "sched_rec", "trace_of", "write_trace"]


@dataclass(frozen=True)
class Trace:
    """One line of the registry.

    Attributes
    ----------
    name : str
        What ``format=`` calls it.
    suffixes : tuple of str
        File name endings, lower case, without ``.gz``; of two that fit, the first format wins.
    dump : callable
        From a `Schedule`, and maybe the seconds in a unit of its time, to the bytes of a file.
    summary : str
        What it is, for a list of formats.
    time_unit : float or None
        Seconds in a unit of time where nobody says; None where times go into the file as they are.
    """

    name: str
    suffixes: tuple[str, ...]
    dump: Callable[..., bytes]
    summary: str
    time_unit: float | None = None


TRACES: tuple[Trace, ...] = (
    Trace(
        "chrome",
        (".json",),
        chrome.dump,
        "trace events for Perfetto and chrome://tracing",
        chrome.MICROSECOND,
    ),
    Trace("paje", (".trace", ".paje"), paje.dump, "Paje, for ViTE and pj_dump"),
    Trace("starpu", (".rec",), starpu.dump, "tasks.rec, for StarPU's replay", starpu.MILLISECOND),
    Trace("onestop", (".dot",), onestop.dump, "OneStopParallel's schedules; model bsp only"),
    Trace("table", (".csv",), table.dump, "a line a task, as CSV"),
)
"""Every form that a schedule is written in."""


def write_trace(
    path: str | os.PathLike[str],
    schedule: Schedule,
    format: str | None = None,
    *,
    time_unit: str | float | None = None,
) -> None:
    """Write a schedule for another tool, whole or not at all.

    Parameters
    ----------
    path : str or path-like
        Where to; ``"-"`` is standard output. A name that ends with ``.gz`` is compressed.
    schedule : Schedule
    format : {"chrome", "paje", "starpu", "onestop", "table"}, optional
        Default: told by the suffix, ``.json``, ``.trace`` or ``.paje``, ``.rec``, ``.dot``, ``.csv``.
    time_unit : str or float, optional
        What a unit of the schedule's time is, as in ``"ms"``, or in seconds, for formats whose times have a
        unit: ``"chrome"`` and ``"starpu"``. Default: what the graph knows (``graph.units``), else a
        microsecond for Perfetto and a millisecond for StarPU, whose replay's own overhead would hide less.

    Raises
    ------
    DagpartError
        The format is not known, or has no place for such a schedule or for a unit of time.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule
    >>> start = np.array([0.0, 1.0])
    >>> serial = Schedule(Problem.of([(0, 1)], 1), np.zeros(2, np.int32), start, start + 1, Messages.none())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_trace(f"{folder}/serial.trace", serial)
    ...     print(Path(folder, "serial.trace").read_text().splitlines()[0])
    %EventDef PajeDefineContainerType 0
    """
    chosen = trace_of(path, format)
    check_writable(path)
    if chosen.time_unit is None:
        if time_unit is not None:
            raise DagpartError(f"the format {chosen.name} has times as they are: leave time_unit out")
        write_file(path, chosen.dump(schedule))
        return
    if time_unit is None:
        known = schedule.problem.graph.units
        time_unit = chosen.time_unit if known is None or known.time is None else known.time
    write_file(path, chosen.dump(schedule, seconds(time_unit)))


def trace_of(path: str | os.PathLike[str], format: str | None = None) -> Trace:
    """The format in which a file of this name is written.

    Parameters, Raises
        As for `write_trace`.

    Examples
    --------
    >>> trace_of("run.json.gz").name
    'chrome'
    """
    name = os.fspath(path).lower().removesuffix(".gz")
    for trace in TRACES:
        if trace.name == format or (format is None and name.endswith(trace.suffixes)):
            return trace
    forms = ", ".join(f"{trace.name} ({' '.join(trace.suffixes)})" for trace in TRACES)
    if format is not None:
        raise DagpartError(f"no form of schedules is called {format!r}; there is {forms}")
    raise DagpartError(f"{os.fspath(path)}: the suffix tells no form of schedules; there is {forms}")
