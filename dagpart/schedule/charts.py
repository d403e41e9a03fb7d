"""A picture of a schedule: time to the right, a lane for each processor."""

from __future__ import annotations

import os
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagpart._files import check_writable, write_file
from dagpart._named import in_order
from dagpart._optional import require
from dagpart.errors import DagpartError
from dagpart.schedule.result import Schedule

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["gantt"]

_EXTRA = "plot"
_PURPOSE = "to draw a schedule"
# Names are drawn where bars are few enough to hold them.
_MOST_NAMES = 400
_NAME_SHARE = 0.009
_EDGED_SHARE = 0.004
_LANE_INCHES, _WIDTH_INCHES, _TALLEST_INCHES = 0.34, 11.0, 40.0
_BAR, _PORT_BAR = 0.8, 0.55
_MESSAGE_COLOUR = "0.55"


def gantt(
    schedule: Schedule,
    path: str | os.PathLike[str] | None = None,
    *,
    ports: bool = False,
    labels: ArrayLike | None = None,
    names: bool | None = None,
) -> Figure:
    """Draw the Gantt chart of a schedule.

    Parameters
    ----------
    schedule : Schedule
    path : str or path-like, optional
        Where to write the picture, as its suffix says: ``.png``, ``.svg``, ``.pdf``.
    ports : bool, default False
        Whether the send port and the receive port of each processor have a lane under it. Messages of models
        other than ``"duplex"`` may overlap there.
    labels : array_like of int, shape (n,), optional
        Part of each task: each has a colour of its own. Default: by level, light to dark.
    names : bool, optional
        Whether tasks are named inside their bars where these are wide enough. Default: up to 400 tasks.

    Returns
    -------
    matplotlib.figure.Figure
        Not part of `matplotlib.pyplot`: nothing has to be closed.

    Raises
    ------
    MissingDependencyError
        Matplotlib is not installed; the extra ``plot`` brings it.
    DagpartError
        `labels` is not one whole number a task, or the suffix is no picture's.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule, gantt
    >>> start = np.array([0.0, 1.0])
    >>> serial = Schedule(Problem.of([(0, 1)], 1), np.zeros(2, np.int32), start, start + 1, Messages.none())
    >>> gantt(serial).axes[0].get_xlabel()
    'time'
    """
    matplotlib = require("matplotlib", _EXTRA, _PURPOSE)
    figures = require("matplotlib.figure", _EXTRA, _PURPOSE)
    if path is not None:
        check_writable(path)
    problem = schedule.problem
    colours = _colours(matplotlib, schedule, labels)
    lanes = 3 if ports else 1
    height = min(1.2 + problem.p * (lanes * _LANE_INCHES + 0.05), _TALLEST_INCHES)
    figure: Figure = figures.Figure(figsize=(_WIDTH_INCHES, height), layout="constrained")
    axes = figure.add_subplot()
    _bars(axes, schedule.processor * lanes, schedule.start, schedule.finish, _BAR, facecolors=colours)
    if ports:
        m = schedule.messages
        for offset, place in ((1, m.source), (2, m.destination)):
            _bars(axes, place * lanes + offset, m.start, m.finish, _PORT_BAR, facecolors=_MESSAGE_COLOUR)
    if names if names is not None else problem.n <= _MOST_NAMES:
        _write_names(axes, schedule, lanes, colours)
    _dress(axes, schedule, ports, lanes)
    if path is not None:
        _save(figure, path)
    return figure


def _colours(matplotlib: Any, schedule: Schedule, labels: ArrayLike | None) -> NDArray[np.float64]:
    """RGBA of each task: float64[n, 4]."""
    n = schedule.problem.n
    if labels is None:
        level = schedule.problem.graph.levels.astype(np.float64)
        shade = 0.15 + 0.7 * level / max(float(level.max(initial=0.0)), 1.0)
        table: NDArray[np.float64] = matplotlib.colormaps["viridis_r"](shade)
        return table
    part = np.asarray(in_order(labels, n, schedule.problem.graph.names, "task", "label"))
    if part.shape != (n,) or part.dtype.kind not in "iu":
        raise DagpartError(f"labels must be one whole number for each of {n} tasks")
    table = matplotlib.colormaps["tab20"](part % 20)
    return table


def _bars(
    axes: Any,
    lane: NDArray[Any],
    start: NDArray[np.float64],
    finish: NDArray[np.float64],
    height: float,
    **style: Any,
) -> None:
    """Rectangles, as one collection: a hundred thousand of them are drawn in seconds."""
    collections = require("matplotlib.collections", _EXTRA, _PURPOSE)
    low, high = lane - height / 2, lane + height / 2
    corners = np.stack(
        [np.column_stack(corner) for corner in ((start, low), (finish, low), (finish, high), (start, high))],
        axis=1,
    )
    # A white edge tells neighbours apart, but would wash out narrow bars.
    wide = (finish - start) > _EDGED_SHARE * float(finish.max(initial=0.0))
    widths = np.where(wide, 0.4, 0.0)
    axes.add_collection(
        collections.PolyCollection(corners, edgecolors="white", linewidths=widths, **style), autolim=False
    )


def _write_names(axes: Any, schedule: Schedule, lanes: int, colours: NDArray[np.float64]) -> None:
    graph = schedule.problem.graph
    room = max(schedule.makespan, np.finfo(np.float64).tiny)
    for v in range(graph.n):
        start, finish = float(schedule.start[v]), float(schedule.finish[v])
        name = str(graph.name(v))
        if (finish - start) / room < _NAME_SHARE * len(name):
            continue
        dark = colours[v, :3] @ (0.299, 0.587, 0.114) < 0.55
        axes.text(
            (start + finish) / 2,
            int(schedule.processor[v]) * lanes,
            name,
            ha="center",
            va="center",
            fontsize=7,
            color="white" if dark else "black",
            parse_math=False,
            clip_on=True,
        )


def _dress(axes: Any, schedule: Schedule, ports: bool, lanes: int) -> None:
    """Axes, their labels, a line at the makespan, and supersteps."""
    problem = schedule.problem
    last = max(schedule.makespan, float(schedule.messages.finish.max(initial=0.0)))
    axes.set_xlim(0.0, last * 1.01 or 1.0)
    axes.set_ylim(problem.p * lanes - 0.5, -0.5)
    ticks, words = [], []
    for q in range(problem.p):
        for offset, what in enumerate(("", "send ", "receive ") if ports else ("",)):
            ticks.append(q * lanes + offset)
            words.append(f"{what}{q}")
    # More lanes than these have no room for a label each.
    every = -(-len(ticks) // 64)
    axes.set_yticks(ticks[::every], words[::every], fontsize=8)
    for q in range(1, problem.p if ports else 0):
        axes.axhline(q * lanes - 0.5, color="0.85", linewidth=0.6, zorder=0)
    axes.axvline(schedule.makespan, color="crimson", linewidth=1.0)
    if schedule.superstep is not None and problem.n:
        steps = np.full(int(schedule.superstep.max()) + 1, np.inf)
        np.minimum.at(steps, schedule.superstep, schedule.start)
        for time in steps[np.isfinite(steps)][1:].tolist():
            axes.axvline(time, color="0.6", linewidth=0.6, linestyle=":", zorder=0)
    axes.set_xlabel("time")
    axes.set_ylabel("processor")
    title = f"{schedule.algorithm or 'schedule'}, {problem.model}: makespan {schedule.makespan:.6g}"
    axes.set_title(title, fontsize=10, parse_math=False)


def _save(figure: Figure, path: str | os.PathLike[str]) -> None:
    suffix = os.path.splitext(os.fspath(path))[1].lower().removeprefix(".")
    known = figure.canvas.get_supported_filetypes()
    if suffix not in known:
        raise DagpartError(
            f"{os.fspath(path)}: pictures end with {', '.join('.' + name for name in sorted(known))}"
        )
    picture = BytesIO()
    figure.savefig(picture, format=suffix, dpi=150)
    write_file(path, picture.getvalue())
