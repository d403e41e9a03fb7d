"""A schedule: where and when every task runs, and every message."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart.schedule.problem import Problem

__all__ = ["Messages", "Schedule"]


@dataclass(frozen=True, eq=False)
class Messages:
    """The messages of a schedule, as parallel arrays.

    Attributes
    ----------
    producer : int32[M]
        Task whose data are sent.
    consumer : int32[M]
        Task that they are sent for; with charging ``"unique"``, the first one on its processor.
    source, destination : int32[M]
        Processors.
    start, finish : float64[M]
        When the message holds its ports; for ``"bsp"`` the communication phase that it is part of.
    superstep : int32[M] or None
        For ``"bsp"``: at the end of which one it is sent. None: of its producer's.
    """

    producer: NDArray[np.int32]
    consumer: NDArray[np.int32]
    source: NDArray[np.int32]
    destination: NDArray[np.int32]
    start: NDArray[np.float64]
    finish: NDArray[np.float64]
    superstep: NDArray[np.int32] | None = None

    @classmethod
    def none(cls) -> Messages:
        """No message at all.

        Examples
        --------
        >>> len(Messages.none())
        0
        """
        ids, times = np.zeros(0, np.int32), np.zeros(0)
        return cls(ids, ids, ids, ids, times, times)

    def __len__(self) -> int:
        return self.producer.size


@dataclass(frozen=True, eq=False)
class Schedule:
    """Where and when every task runs.

    Attributes
    ----------
    problem : Problem
    processor : int32[n]
    start, finish : float64[n]
    messages : Messages
    superstep : int32[n] or None
        For the model ``"bsp"``.
    algorithm : str
    seconds : float
        Time that the algorithm took.
    facts : dict
        What the algorithm tells besides, such as the number of clusters it chose.
    """

    problem: Problem
    processor: NDArray[np.int32]
    start: NDArray[np.float64]
    finish: NDArray[np.float64]
    messages: Messages
    superstep: NDArray[np.int32] | None = None
    algorithm: str = ""
    seconds: float = 0.0
    facts: dict[str, Any] | None = None

    @cached_property
    def makespan(self) -> float:
        """When the last task ends; for ``"bsp"`` with its superstep's synchronisation, if that is charged."""
        last = float(self.finish.max(initial=0.0))
        return last + self.problem.idle_synchronisation if self.finish.size else last

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Tasks by the time they start, then by the time they end, then in a topological order."""
        place = np.empty(self.problem.n, np.int64)
        place[self.problem.graph.order] = np.arange(self.problem.n)
        if self.superstep is None:
            return np.lexsort((place, self.finish, self.start))
        return np.lexsort((place, self.superstep, self.finish, self.start))
