"""Improving a partition until a time limit: a population of partitions, combined and refined.

Two acyclic partitions are combined by a V-cycle that contracts nothing either of them cuts, so that a
child is never worse than the better parent; a partition combined with itself is a mutation. After Sanders,
Schulz, "Distributed evolutionary graph partitioning", ALENEX 2012 (KaFFPaE), carried over to acyclic
partitions.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart._core.base.interrupt import OutOfTime, Stop
from dagpart._core.multilevel.engine import Engine
from dagpart.options import PRESETS, Options

__all__ = ["EngineInput", "evolve"]

Labels = NDArray[np.int32]
Score = tuple[int, int]
Progress = Callable[[float, int], None]

POPULATION = 6
"""Partitions an island keeps."""

MUTATIONS = 0.1
"""Share of children with one parent."""

FILLING = 0.4
"""Share of the time that may go into first partitions."""

EPOCHS = 4
"""How often islands exchange their best partitions."""


@dataclass(frozen=True)
class EngineInput:
    """The arguments of `Engine`, as plain arrays that can be sent to another process."""

    arguments: tuple[Any, ...]

    def engine(self) -> Engine:
        """A new engine."""
        return Engine(*self.arguments)


@dataclass
class _Island:
    """A population on one engine, and the clock it lives by."""

    engine: Engine
    options: Options
    seed: int
    deadline: float
    report: Callable[[Score], None]
    stop: Stop
    members: list[tuple[Score, Labels]] = field(default_factory=list)

    def run(self) -> None:
        started = time.monotonic()
        draw = np.random.default_rng(self.seed)
        fresh = not self.members
        if fresh:
            simple = self.engine.split(self.options)
            # Anchored vertices leave no answer that costs nothing; the limit has to wait for a first one.
            self._add(self.engine.solve(self._preset("fast"), self.seed) if simple is None else simple)
        stop = self.stop
        with _expiring(stop, self.deadline):
            try:
                # From cheap to dear, so that a short limit has the best it can buy.
                for options in (self._preset("fast"), self._preset("default"), self.options) if fresh else ():
                    if self._done():
                        return
                    self._add(self.engine.solve(options, self.seed, stop=stop))
                turn = 0
                while len(self.members) < POPULATION and not self._done():
                    turn += 1
                    if time.monotonic() - started > FILLING * (self.deadline - started):
                        break
                    seed = self.seed + 7919 * turn
                    self._add(self.engine.solve(self._preset("default"), seed, stop=stop))
                while not self._done():
                    turn += 1
                    self._add(self._child(draw, self.seed + 7919 * turn, stop))
            except OutOfTime:
                return

    def _done(self) -> bool:
        """Whether time is up (the engine asks only between its phases), or nothing is left to gain."""
        return time.monotonic() >= self.deadline or self.members[0][0] == (0, 0)

    def _preset(self, name: str) -> Options:
        return replace(PRESETS[name], check=self.options.check)

    def _child(self, draw: np.random.Generator, seed: int, stop: Stop) -> Labels:
        first, second = sorted(self._tournament(draw) for _ in range(2))
        if draw.random() < MUTATIONS:
            second = first
        parent, other = self.members[first][1], self.members[second][1]
        return self.engine.combine(parent, other, self.options, seed, stop=stop)

    def _tournament(self, draw: np.random.Generator) -> int:
        """Place of the better of two random members; members are sorted, best first."""
        return int(min(draw.random(2)) * len(self.members))

    def _add(self, labels: Labels) -> None:
        """Take a partition in; in a full population it replaces the most similar of those not better."""
        score = self.engine.score(labels)
        self.report(min([score] + [other for other, _ in self.members[:1]]))
        likeness = [float(np.mean(labels == other)) for _, other in self.members]
        if 1.0 in likeness:
            return
        if len(self.members) >= POPULATION:
            worse = [i for i, (other, _) in enumerate(self.members) if other >= score]
            if not worse:
                return
            del self.members[max(worse, key=lambda i: likeness[i])]
        self.members.append((score, labels))
        self.members.sort(key=lambda member: member[0])


@contextmanager
def _expiring(stop: Stop, deadline: float) -> Iterator[None]:
    """Lets `stop` expire at the deadline."""
    timer = threading.Timer(max(0.0, deadline - time.monotonic()), stop.expire)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _ignore(score: Score) -> None:
    """Report of an island that nobody watches."""


def _run_island(
    given: EngineInput, options: Options, seed: int, seconds: float, starts: list[Labels], stop: Stop | None
) -> tuple[Score, Labels]:
    """One epoch of an island of its own, wherever an executor runs it: its best partition."""
    engine = given.engine()
    members = sorted(((engine.score(labels), labels) for labels in starts), key=lambda member: member[0])
    island = _Island(engine, options, seed, time.monotonic() + seconds, _ignore, stop or Stop(), members)
    island.run()
    return island.members[0]


def evolve(
    given: EngineInput,
    options: Options,
    seed: int,
    time_limit: float,
    islands: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Labels:
    """The best partition found within a time limit.

    Parameters
    ----------
    given : EngineInput
    options : Options
        Of the best start, and of the V-cycles that combine.
    seed : int
        What is reached depends on the machine's speed too.
    time_limit : float
        Seconds.
    islands : int, default 1
        Populations that evolve side by side and exchange their best partitions a few times.
    executor : concurrent.futures.Executor, optional
        Runs the islands: threads by default; processes, or any executor of PEP 3148 (mpi4py's, Dask's).
    progress : callable, optional
        Called in this thread with the seconds spent and the objective of the best partition so far, as the
        engine counts it, after each new one (with several islands, after each exchange).

    Returns
    -------
    labels : int32[n]
        Monotone.
    """
    started = time.monotonic()
    deadline = started + time_limit

    def report(score: Score) -> None:
        if progress is not None:
            progress(time.monotonic() - started, score[1])

    if islands == 1 and executor is None:
        island = _Island(given.engine(), options, seed, deadline, report, Stop())
        island.run()
        return island.members[0][1]

    best: list[tuple[Score, Labels]] = []
    own = ThreadPoolExecutor(islands) if executor is None else None
    pool = own or executor
    assert pool is not None
    # Threads can be told to stop; tasks of somebody's executor end with their epoch.
    stops: list[Stop | None] = [None] * islands
    try:
        for epoch in range(EPOCHS):
            seconds = (deadline - time.monotonic()) / (EPOCHS - epoch)
            starts = [labels for _, labels in best]
            if own is not None:
                stops = [Stop() for _ in range(islands)]
            seeds = [seed + 104_729 * (epoch * islands + i) for i in range(islands)]
            tasks = [
                pool.submit(_run_island, given, options, s, seconds, starts, stop)
                for s, stop in zip(seeds, stops, strict=True)
            ]
            found = [task.result() for task in tasks]
            distinct = {labels.tobytes(): (score, labels) for score, labels in found + best}
            best = sorted(distinct.values(), key=lambda member: member[0])[:POPULATION]
            report(best[0][0])
    except BaseException:
        for stop in stops:
            if stop is not None:
                stop.set()
        raise
    finally:
        if own is not None:
            own.shutdown(cancel_futures=True)
    return best[0][1]
