"""What there is to say about a schedule: its figures, as a table or for JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from dagpart.schedule.bounds import Bounds, lower_bounds
from dagpart.schedule.models import COMMUNICATION
from dagpart.schedule.result import Schedule

__all__ = ["Report", "report"]


@dataclass(frozen=True)
class Report:
    """The figures of a schedule; `print` shows them.

    Attributes
    ----------
    algorithm, model, charging : str
    tasks, processors : int
    processors_used : int
        Those that run some task.
    makespan : float
    serial_time : float
        All tasks on the processor that is fastest at that.
    speedup : float
        `serial_time` over `makespan`.
    efficiency : float
        `speedup` over the number of processors.
    lower_bound : float
        The best lower bound on the makespan of any schedule.
    bound : str
        Its name.
    gap : float
        How far `makespan` is above it, as a share of it; infinite where it is 0 and `makespan` is not.
    bounds : dict of str to float
        All lower bounds, by name.
    bounds_skipped : dict of str to str
        Bounds that were not computed, and why.
    messages : int
    volume : float
        Size of all messages together, in the unit of the edge weights (bytes, where these are).
    idle_time : float
        Time up to the makespan that processors do nothing, over all of them.
    idle_share : float
        The same as a share of processors times makespan.
    supersteps : int or None
        For the model ``"bsp"``.
    seconds : float
        Time that the algorithm took.
    facts : dict
        What the algorithm tells besides, such as the number of clusters it chose.
    """

    algorithm: str
    model: str
    charging: str
    tasks: int
    processors: int
    processors_used: int
    makespan: float
    serial_time: float
    speedup: float
    efficiency: float
    lower_bound: float
    bound: str
    gap: float
    bounds: dict[str, float]
    bounds_skipped: dict[str, str]
    messages: int
    volume: float
    idle_time: float
    idle_share: float
    supersteps: int | None
    seconds: float
    facts: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The figures in plain Python types, ready for JSON; a figure that is no finite number is None.

        Returns
        -------
        dict
        """
        return {
            name: None if isinstance(value, float) and not np.isfinite(value) else value
            for name, value in asdict(self).items()
        }

    def __str__(self) -> str:
        rows = [
            ("algorithm", self.algorithm or "-"),
            ("model", self._model()),
            ("tasks", str(self.tasks)),
            ("processors", f"{self.processors} ({self.processors_used} used)"),
            ("makespan", f"{self.makespan:.6g}"),
            ("serial time", f"{self.serial_time:.6g}"),
            ("speed-up", f"{self.speedup:.2f}"),
            ("efficiency", f"{100 * self.efficiency:.1f} %"),
            ("lower bound", f"{self.lower_bound:.6g} ({self.bound})"),
            ("gap to bound", self.gap_words()),
            ("messages", str(self.messages)),
            ("volume", f"{self.volume:.6g}"),
            ("idle time", f"{self.idle_time:.6g} ({100 * self.idle_share:.1f} %)"),
        ]
        if self.supersteps is not None:
            rows.append(("supersteps", str(self.supersteps)))
        rows += [(name, str(value)) for name, value in self.facts.items() if value is not None]
        rows.append(("seconds", f"{self.seconds:.2f}"))
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)

    def gap_words(self) -> str:
        """The gap in percent; a dash where the bound is 0, of which nothing is a share."""
        return f"{100 * self.gap:.1f} %" if np.isfinite(self.gap) else "-"

    def _model(self) -> str:
        return (
            self.model if COMMUNICATION[self.model].is_free else f"{self.model}, charged by {self.charging}"
        )


def report(schedule: Schedule, *, bounds: Bounds | None = None) -> Report:
    """The figures of a schedule.

    Parameters
    ----------
    schedule : Schedule
    bounds : Bounds, optional
        Of its problem, where they are known already; else they are computed.

    Examples
    --------
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule, report
    >>> problem = Problem.of([(0, 1), (0, 2)], 2, model="none")
    >>> start = np.array([0.0, 1.0, 1.0])
    >>> found = report(Schedule(problem, np.array([0, 0, 1], np.int32), start, start + 1, Messages.none()))
    >>> found.makespan, found.speedup, found.gap, found.idle_time
    (2.0, 1.5, 0.0, 1.0)
    """
    problem, messages = schedule.problem, schedule.messages
    edges = problem.edge_positions(messages.producer, messages.consumer)
    if bounds is None:
        bounds = lower_bounds(problem)
    makespan = schedule.makespan
    room = problem.p * makespan
    # Sums in another order may differ in their last digits.
    idle = max(0.0, room - float((schedule.finish - schedule.start).sum()))
    speedup = problem.serial_time / makespan if makespan > 0 else 1.0
    return Report(
        algorithm=schedule.algorithm,
        model=problem.model,
        charging=problem.charging,
        tasks=problem.n,
        processors=problem.p,
        processors_used=int(np.unique(schedule.processor).size),
        makespan=makespan,
        serial_time=problem.serial_time,
        speedup=speedup,
        efficiency=speedup / problem.p,
        lower_bound=bounds.best,
        bound=bounds.name,
        gap=bounds.gap(makespan),
        bounds=bounds.values,
        bounds_skipped=bounds.skipped,
        messages=len(messages),
        volume=float(problem.message_sizes[edges].sum()),
        idle_time=idle,
        idle_share=idle / room if room > 0 else 0.0,
        supersteps=None if schedule.superstep is None else int(schedule.superstep.max(initial=-1)) + 1,
        seconds=schedule.seconds,
        facts=schedule.facts or {},
    )
