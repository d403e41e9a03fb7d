"""Schedules as a table, for spreadsheets and pandas: a line a task."""

from __future__ import annotations

import csv
import io

from dagpart.io.building import text_names
from dagpart.schedule.result import Schedule

__all__ = ["dump"]


def dump(schedule: Schedule) -> bytes:
    """The table of a schedule: task, processor, start, finish, and superstep where there are any.

    Raises
    ------
    DagpartError
        Two tasks are called the same as text.

    Examples
    --------
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule
    >>> start = np.array([0.0, 1.0])
    >>> serial = Schedule(Problem.of([("a", "b")], 1), np.zeros(2, int), start, start + 1, Messages.none())
    >>> print(dump(serial).decode(), end="")
    task,processor,start,finish
    a,0,0.0,1.0
    b,0,1.0,2.0
    """
    titles = ["task", "processor", "start", "finish"]
    fields = [schedule.processor.tolist(), schedule.start.tolist(), schedule.finish.tolist()]
    if schedule.superstep is not None:
        titles.append("superstep")
        fields.append(schedule.superstep.tolist())
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows(zip(text_names(schedule.problem.graph), *fields, strict=True))
    return out.getvalue().encode("utf-8", "surrogatepass")
