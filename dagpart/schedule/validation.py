"""Whether a schedule can happen: an independent check of where and when tasks run and messages go.

Nothing here is shared with the schedulers or the simulator; it is plain NumPy on the arrays of a `Schedule`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagpart._arguments import check_floats
from dagpart.errors import DagpartError, InvalidScheduleError
from dagpart.schedule.models import ModelName
from dagpart.schedule.problem import Problem
from dagpart.schedule.result import Messages, Schedule

__all__ = ["validate", "violations"]

# Sums of many float64 in another order differ in their last digits.
_TOLERANCE = 1e-9
_SHOWN = 3


def validate(schedule: Schedule, *, durations: ArrayLike | None = None) -> Schedule:
    """The schedule itself, if it can happen.

    Parameters
    ----------
    schedule : Schedule
    durations : array_like, shape (n,), optional
        How long each task really took, for simulations with noise. Default: what the problem says.

    Raises
    ------
    InvalidScheduleError
        It cannot; names the tasks, processors and messages in the way.

    Examples
    --------
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule, validate
    >>> problem = Problem.of([("a", "b")], 2)
    >>> start = np.array([0.0, 0.5])
    >>> validate(Schedule(problem, np.zeros(2, np.int32), start, start + 1, Messages.none()))
    Traceback (most recent call last):
        ...
    dagpart.errors.InvalidScheduleError: the schedule cannot happen: processor 0 runs a until 1, but ...
    """
    found = violations(schedule, durations=durations)
    if found:
        raise InvalidScheduleError(found)
    return schedule


def violations(schedule: Schedule, *, durations: ArrayLike | None = None) -> list[str]:
    """What makes a schedule impossible, in words; empty where nothing does.

    Checked are: every task runs once, on a processor of the platform, for as long as it takes there; a
    processor runs one task at a time; every message that the model and the charging ask for is sent, and no
    other; it starts when its producer has ended, or later, takes as long as its size and link say, and is
    there when its consumers start; with ``"duplex"`` a port handles one message at a time; with ``"bsp"``
    supersteps do not fall along a processor, rise along an edge between processors, and last as long as
    their work, messages and synchronisation.

    Times may be off by 1e-9 of the latest one, for rounding. Of each kind the first few are named.

    Parameters
    ----------
    schedule : Schedule
    durations : array_like, shape (n,), optional
        As for `validate`.

    Raises
    ------
    DagpartError
        `durations` is not one number a task.

    Examples
    --------
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule, violations
    >>> problem = Problem.of([(0, 1)], 2)
    >>> start = np.array([0.0, 3.0])
    >>> violations(Schedule(problem, np.array([0, 1], np.int32), start, start + 1, Messages.none()))
    ['the data of 0 for 1 are never sent from processor 0 to processor 1']
    """
    return list(_Check(schedule, durations).run())


class _Check:
    """One run over a schedule; each method yields what it finds."""

    def __init__(self, schedule: Schedule, durations: ArrayLike | None) -> None:
        self.problem: Problem = schedule.problem
        self.schedule = schedule
        self.messages: Messages = schedule.messages
        self.processor = np.asarray(schedule.processor)
        self.start, self.finish = np.asarray(schedule.start), np.asarray(schedule.finish)
        self.given = None if durations is None else check_floats(durations, "durations")
        if self.given is not None and self.given.shape != (self.problem.n,):
            raise DagpartError(
                f"durations has the shape {self.given.shape}: one number for each of {self.problem.n} tasks"
            )
        graph = self.problem.graph
        self.tails = graph.edge_sources().astype(np.int64)
        self.heads = graph.indices.astype(np.int64)

    def run(self) -> Iterator[str]:
        malformed = list(self._shapes())
        if malformed:
            # Arrays that do not fit the graph allow no further question.
            yield from malformed
            return
        latest = max(self.finish.max(initial=0.0), self.messages.finish.max(initial=0.0))
        self.slack = _TOLERANCE * float(latest)
        yield from self._durations()
        yield from self._one_at_a_time(
            "processor {} runs {} until {}, but starts {} at {}",
            self.processor,
            self.start,
            self.finish,
            self.problem.graph.name,
        )
        unknown = list(self._message_ends())
        yield from unknown
        if unknown:
            return
        for check in _CHECKS[self.problem.model]:
            yield from check(self)

    # ------------------------------------------------------------------ tasks

    def _shapes(self) -> Iterator[str]:
        n, p = self.problem.n, self.problem.p
        for name, array in (("processor", self.processor), ("start", self.start), ("finish", self.finish)):
            if array.shape != (n,):
                yield f"{name} has the shape {array.shape}: one entry for each of {n} tasks"
                return
        nowhere = (self.processor < 0) | (self.processor >= p)
        yield from self._named(
            nowhere, lambda v: f"{self._task(v)} runs on processor {self.processor[v]}, but there are {p}"
        )
        never = ~(np.isfinite(self.start) & np.isfinite(self.finish) & (self.start >= 0))
        yield from self._named(
            never, lambda v: f"{self._task(v)} runs from {self.start[v]:.9g} to {self.finish[v]:.9g}"
        )
        sizes = {
            name: getattr(self.messages, name).shape
            for name in ("producer", "consumer", "source", "destination", "start", "finish")
        }
        if len(set(sizes.values())) > 1 or self.messages.producer.ndim != 1:
            yield "the arrays of the messages differ in shape: " + ", ".join(
                f"{k} {s}" for k, s in sizes.items()
            )
        elif not (np.isfinite(self.messages.start) & np.isfinite(self.messages.finish)).all():
            yield "some message has a time that is no finite number"

    def _durations(self) -> Iterator[str]:
        taken = self.finish - self.start
        if self.given is not None:
            wanted = self.given
        else:
            table = self.problem.durations
            column = self.processor if table.shape[1] > 1 else np.zeros(self.problem.n, np.int64)
            wanted = table[np.arange(self.problem.n), column]
        wrong = np.abs(taken - wanted) > self.slack
        yield from self._named(
            wrong,
            lambda v: (
                f"{self._task(v)} takes {taken[v]:.9g} on processor {self.processor[v]}, "
                f"but it needs {wanted[v]:.9g}"
            ),
        )

    def _one_at_a_time(
        self,
        words: str,
        place: NDArray[np.int32],
        start: NDArray[np.float64],
        finish: NDArray[np.float64],
        name: Callable[[int], object],
    ) -> Iterator[str]:
        """What is handled in one place, in the order of start, must not overlap."""
        order = np.lexsort((finish, start, place))
        first, second = order[:-1], order[1:]
        overlap = (place[first] == place[second]) & (start[second] < finish[first] - self.slack)
        yield from self._named(
            overlap,
            lambda i: words.format(
                place[first[i]],
                name(int(first[i])),
                f"{finish[first[i]]:.9g}",
                name(int(second[i])),
                f"{start[second[i]]:.9g}",
            ),
        )

    def _precedence(self) -> Iterator[str]:
        here = self.processor[self.tails] == self.processor[self.heads]
        ready = self.finish[self.tails].copy()
        if not self.problem.communication.is_free:
            ready[~here] = self._arrivals()[~here]
        early = self.start[self.heads] < ready - self.slack
        yield from self._named(
            early,
            lambda e: (
                f"{self._task(self.heads[e])} on processor {self.processor[self.heads[e]]} starts at "
                f"{self.start[self.heads[e]]:.9g}, before its input from {self._task(self.tails[e])} "
                f"is there at {ready[e]:.9g}"
            ),
        )

    # ------------------------------------------------------------------ messages

    def _message_ends(self) -> Iterator[str]:
        """Messages that cannot be told from which edge they come."""
        m, n = self.messages, self.problem.n
        ids = (m.producer >= 0) & (m.producer < n) & (m.consumer >= 0) & (m.consumer < n)
        yield from self._named(
            ~ids,
            lambda i: (
                f"message {i} goes from task {m.producer[i]} to task {m.consumer[i]}, but there are {n} tasks"
            ),
        )
        if not ids.all():
            return
        self.edges = self.problem.edge_positions(m.producer, m.consumer)
        stray = (m.source != self.processor[m.producer]) | (m.destination != self.processor[m.consumer])
        yield from self._named(
            stray,
            lambda i: (
                f"{self._message(i)} goes from processor {m.source[i]} to processor {m.destination[i]}, "
                f"but the tasks run on {self.processor[m.producer[i]]} and {self.processor[m.consumer[i]]}"
            ),
        )
        yield from self._named(self.edges < 0, lambda i: f"{self._message(i)} follows no edge of the graph")

    def _keys(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For every edge and for every message, a number: equal where that message is the edge's."""
        m = self.messages
        if self.problem.charging == "edge":
            return np.arange(self.tails.size), self.edges
        p = self.problem.p
        return (
            self.tails * p + self.processor[self.heads],
            m.producer.astype(np.int64) * p + m.destination,
        )

    def _no_messages(self) -> Iterator[str]:
        if len(self.messages):
            yield f'there are {len(self.messages)} messages, but the model "{self.problem.model}" sends none'

    def _needed(self) -> Iterator[str]:
        m = self.messages
        edge_keys, message_keys = self._keys()
        across = self.processor[self.tails] != self.processor[self.heads]
        missing = across & ~np.isin(edge_keys, message_keys)
        yield from self._named(
            missing,
            lambda e: (
                f"the data of {self._task(self.tails[e])} for {self._task(self.heads[e])} are never sent "
                f"from processor {self.processor[self.tails[e]]} to processor {self.processor[self.heads[e]]}"
            ),
        )
        needless = m.source == m.destination
        yield from self._named(
            needless, lambda i: f"{self._message(i)} is needless: both tasks run on processor {m.source[i]}"
        )
        _, first = np.unique(message_keys, return_index=True)
        again = np.ones(len(m), dtype=bool)
        again[first] = False
        yield from self._named(
            again, lambda i: f"{self._message(i)} to processor {m.destination[i]} is sent twice"
        )

    def _message_times(self) -> Iterator[str]:
        m = self.messages
        platform = self.problem.platform
        size = self.problem.message_sizes[self.edges]
        wanted = platform.latency[m.source, m.destination] + size * platform.gap[m.source, m.destination]
        wrong = np.abs(m.finish - m.start - wanted) > self.slack
        yield from self._named(
            wrong,
            lambda i: (
                f"{self._message(i)} takes {m.finish[i] - m.start[i]:.9g}, but it needs {wanted[i]:.9g}"
            ),
        )
        early = m.start < self.finish[m.producer] - self.slack
        yield from self._named(
            early,
            lambda i: (
                f"{self._message(i)} starts at {m.start[i]:.9g}, "
                f"before its producer ends at {self.finish[m.producer[i]]:.9g}"
            ),
        )

    def _arrivals(self) -> NDArray[np.float64]:
        """When the data of each edge are where its head runs: the end of their message, or of the tail."""
        edge_keys, message_keys = self._keys()
        ready = self.finish[self.tails].copy()
        if len(self.messages):
            order = np.argsort(message_keys, kind="stable")
            place = np.minimum(np.searchsorted(message_keys[order], edge_keys), order.size - 1)
            sent = message_keys[order][place] == edge_keys
            ready[sent] = self.messages.finish[order[place[sent]]]
        return ready

    def _ports(self) -> Iterator[str]:
        m = self.messages
        for words, place in (
            ("the send port of processor {} is busy with {} until {}, but starts {} at {}", m.source),
            ("the receive port of processor {} is busy with {} until {}, but starts {} at {}", m.destination),
        ):
            yield from self._one_at_a_time(words, place, m.start, m.finish, self._message)

    # ------------------------------------------------------------------ supersteps

    def _supersteps(self) -> Iterator[str]:
        step = self.schedule.superstep
        if step is None or np.shape(step) != (self.problem.n,) or (np.asarray(step) < 0).any():
            yield f"the model {self.problem.model} needs a superstep, from 0, for each task"
            return
        step = np.asarray(step).astype(np.int64)
        # Tasks without duration may share an instant.
        order = np.lexsort((step, self.finish, self.start, self.processor))
        first, second = order[:-1], order[1:]
        falls = (self.processor[first] == self.processor[second]) & (step[first] > step[second])
        yield from self._named(
            falls,
            lambda i: (
                f"{self._task(second[i])} in superstep {step[second[i]]} follows {self._task(first[i])} "
                f"in superstep {step[first[i]]} on processor {self.processor[first[i]]}"
            ),
        )
        across = self.processor[self.tails] != self.processor[self.heads]
        flat = across & (step[self.tails] >= step[self.heads])
        yield from self._named(
            flat,
            lambda e: (
                f"{self._task(self.heads[e])} in superstep {step[self.heads[e]]} needs data from another "
                f"processor that {self._task(self.tails[e])} makes in superstep {step[self.tails[e]]}"
            ),
        )
        yield from self._phases(step)

    def _phases(self, step: NDArray[Any]) -> Iterator[str]:
        """Whether supersteps begin and last as their work and messages say."""
        m, platform, p = self.messages, self.problem.platform, self.problem.p
        steps = int(step.max(initial=-1)) + 1
        work = np.zeros((steps, p))
        np.add.at(work, (step, self.processor), self.finish - self.start)
        size = self.problem.message_sizes[self.edges]
        cost = platform.latency[m.source, m.destination] + size * platform.gap[m.source, m.destination]
        sent, received = np.zeros((steps, p)), np.zeros((steps, p))
        phase = step[m.producer] if m.superstep is None else np.asarray(m.superstep).astype(np.int64)
        astray = (phase < step[m.producer]) | (phase >= steps)
        yield from self._named(
            astray,
            lambda i: (
                f"{self._message(i)} is sent at the end of superstep {phase[i]}, but there are {steps}, and "
                f"its producer runs in superstep {step[m.producer[i]]}"
            ),
        )
        if astray.any():
            return
        np.add.at(sent, (phase, m.source), cost)
        np.add.at(received, (phase, m.destination), cost)
        compute = work.max(axis=1, initial=0.0)
        communicate = np.maximum(sent, received).max(axis=1, initial=0.0)
        charged = np.ones(steps, dtype=bool)
        if platform.barriers == "sending":
            charged = np.isin(np.arange(steps), phase)
        wait = np.where(charged, platform.synchronisation, 0.0)
        begin = np.concatenate(([0.0], np.cumsum(compute + communicate + wait)))[:-1]
        switch = begin + compute
        outside = (self.start < begin[step] - self.slack) | (self.finish > switch[step] + self.slack)
        yield from self._named(
            outside,
            lambda v: (
                f"{self._task(v)} runs from {self.start[v]:.9g} to {self.finish[v]:.9g}, outside the "
                f"computation of superstep {step[v]}, from {begin[step[v]]:.9g} to {switch[step[v]]:.9g}"
            ),
        )
        end = switch[phase] + communicate[phase]
        outside = (np.abs(m.start - switch[phase]) > self.slack) | (np.abs(m.finish - end) > self.slack)
        yield from self._named(
            outside,
            lambda i: (
                f"{self._message(i)} goes from {m.start[i]:.9g} to {m.finish[i]:.9g}, but the "
                f"communication of superstep {phase[i]} lasts from {switch[phase[i]]:.9g} to {end[i]:.9g}"
            ),
        )

    # ------------------------------------------------------------------ words

    def _named(self, marked: NDArray[np.bool_], words: Callable[[int], str]) -> Iterator[str]:
        """The first few that are marked, and how many more there are."""
        found = np.flatnonzero(marked)
        for i in found[:_SHOWN].tolist():
            yield words(i)
        if found.size > _SHOWN:
            yield f"... and {found.size - _SHOWN} more like this"

    def _task(self, v: int) -> str:
        return str(self.problem.graph.name(int(v)))

    def _message(self, i: int) -> str:
        return (
            f"the message {self._task(self.messages.producer[i])} -> {self._task(self.messages.consumer[i])}"
        )


_CHECKS: dict[ModelName, tuple[Callable[[_Check], Iterator[str]], ...]] = {
    "none": (_Check._no_messages, _Check._precedence),
    "delay": (_Check._needed, _Check._message_times, _Check._precedence),
    "duplex": (_Check._needed, _Check._message_times, _Check._precedence, _Check._ports),
    "bsp": (_Check._needed, _Check._precedence, _Check._supersteps),
}
"""What a model asks of messages and of the tasks that wait for them, in the order in which it is told."""
