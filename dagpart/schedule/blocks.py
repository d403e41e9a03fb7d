"""Blocks of tasks that run without a break, and their graph: what list schedulers rank and place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dagpart import metrics
from dagpart._core.scheduling import priorities
from dagpart.dag import Dag
from dagpart.errors import DagpartError, cycle_words
from dagpart.schedule import _kernels
from dagpart.schedule.problem import Problem

__all__ = ["BlockGraph", "superstep_delay"]


@dataclass(frozen=True, eq=False)
class BlockGraph:
    """Blocks of tasks with the times that priorities are made of.

    Attributes
    ----------
    starts : int64[k + 1]
    members : int32[n]
        The tasks of block b in the order in which they run: ``members[starts[b]:starts[b + 1]]``.
    graph : Dag
        Of the blocks.
    durations : float64[k, p] or float64[k, 1]
    delays : float64[m]
        Between two processors, the mean over all pairs, in the order of ``graph.indices``.
    """

    starts: NDArray[np.int64]
    members: NDArray[np.int32]
    graph: Dag
    durations: NDArray[np.float64]
    delays: NDArray[np.float64]

    @classmethod
    def of_tasks(cls, problem: Problem) -> Self:
        """Each task a block."""
        return cls(
            np.arange(problem.n + 1, dtype=np.int64),
            np.arange(problem.n, dtype=np.int32),
            problem.graph,
            problem.durations,
            problem.mean_delays + superstep_delay(problem),
        )

    @classmethod
    def of_parts(cls, problem: Problem, labels: NDArray[np.int32], k: int) -> Self:
        """Each part a block; its tasks run in the order of their bottom levels.

        Raises
        ------
        DagpartError
            The graph of the parts has a cycle.
        """
        between = metrics.quotient(problem.graph, labels, k)
        if not isinstance(between, Dag):
            raise DagpartError(
                f"clusters wait for each other: {cycle_words(between.find_cycle() or ())}, so none of them "
                'can run as one block; use acyclic clusters, or the variant "part" or "busy"'
            )
        tasks = cls.of_tasks(problem)
        members = np.lexsort((_kernels.places(problem), -tasks.bottom_levels(), labels))
        starts = np.zeros(k + 1, np.int64)
        np.cumsum(np.bincount(labels, minlength=k), out=starts[1:])
        durations = np.zeros((k, problem.durations.shape[1]))
        np.add.at(durations, labels, problem.durations)
        return cls(
            starts,
            members.astype(np.int32),
            between,
            durations,
            _delays_between(problem, labels, k, tasks.delays),
        )

    @property
    def k(self) -> int:
        """Number of blocks."""
        return self.graph.n

    @cached_property
    def mean_durations(self) -> NDArray[np.float64]:
        """The mean over the processors: float64[k]."""
        mean: NDArray[np.float64] = self.durations.mean(axis=1)
        return mean

    @cached_property
    def indices(self) -> NDArray[np.int32]:
        """Successors."""
        return _kernels.narrow(self.graph.indices)

    @cached_property
    def order(self) -> NDArray[np.int32]:
        """A topological order of the blocks."""
        return _kernels.narrow(self.graph.order)

    def bottom_levels(
        self, *, communication: bool = True, durations: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Longest way from the start of each block to the end, with or without delays: float64[k].

        Parameters
        ----------
        communication : bool
        durations : float64[k], optional
            In place of the mean over the processors.
        """
        if durations is None:
            durations = self.mean_durations
        delays = self.delays if communication else np.zeros_like(self.delays)
        return durations + priorities.tails(self.graph.indptr, self.indices, self.order, durations, delays)

    def top_levels(self) -> NDArray[np.float64]:
        """Longest way to the start of each block, delays included: float64[k]."""
        heads = np.argsort(self.graph.indices, kind="stable")
        return priorities.tails(
            self.graph.pred_indptr,
            _kernels.narrow(self.graph.pred_indices),
            np.ascontiguousarray(self.order[::-1]),
            self.mean_durations,
            self.delays[heads],
        )

    def optimistic_costs(self) -> NDArray[np.float64]:
        """Longest way from the end of each block to the end, all blocks on it where that is shortest.

        float64[k, p], by the processor of the block itself, or float64[k, 1].
        """
        return priorities.optimistic_costs(
            self.graph.indptr, self.indices, self.order, self.durations, self.delays
        )


def superstep_delay(problem: Problem) -> float:
    """What list schedulers add to the time of each message: it ends a superstep, where there are any."""
    return problem.synchronisation if problem.p > 1 else 0.0


def _delays_between(
    problem: Problem, labels: NDArray[np.int32], k: int, delays: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Time from one part to another for each pair that has edges, pairs ascending.

    Messages that share a port follow each other, so their times add up; else the longest counts.
    """
    tails, heads = problem.graph.edge_sources(), labels[problem.graph.indices].astype(np.int64)
    cut = np.flatnonzero(labels[tails] != heads)
    if not cut.size:
        return np.zeros(0)
    tails, heads, delays = tails[cut], heads[cut], delays[cut]
    if problem.charging == "unique":
        _, once = np.unique(tails.astype(np.int64) * k + heads, return_index=True)
        tails, heads, delays = tails[once], heads[once], delays[once]
    pair = labels[tails].astype(np.int64) * k + heads
    order = np.argsort(pair, kind="stable")
    firsts = np.flatnonzero(np.diff(pair[order], prepend=-1))
    add = np.add if problem.communication.adds_up else np.maximum
    return add.reduceat(delays[order], firsts)
