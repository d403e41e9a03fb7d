"""Problems as the kernels take them, and what kernels give back as schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagpart._core.scheduling.machine import LINKS, Machine
from dagpart.errors import DagpartError
from dagpart.schedule.problem import Problem
from dagpart.schedule.result import Messages, Schedule

if TYPE_CHECKING:
    from dagpart._core.scheduling.machine import Outcome

_INT32_MAX = 2**31 - 1


def machine(problem: Problem, durations: NDArray[np.float64] | None = None, *, wait: float = 0.0) -> Machine:
    """The graph and the platform of a problem for the kernels.

    Parameters
    ----------
    problem : Problem
    durations : float64[n, p] or float64[n, 1], optional
        In place of the problem's.
    wait : float, default 0.0
        Time that every message takes besides.
    """
    graph = problem.graph
    return Machine(
        graph.indptr,
        indices(problem),
        graph.pred_indptr,
        narrow(graph.pred_indices),
        places(problem),
        problem.durations if durations is None else durations,
        LINKS[problem.communication.links],
        problem.charging == "unique",
        problem.message_sizes,
        problem.message_sizes[problem.pred_positions],
        problem.platform.gap,
        problem.platform.latency + wait if wait else problem.platform.latency,
        problem.synchronisation,
        problem.idle_synchronisation,
    )


def indices(problem: Problem) -> NDArray[np.int32]:
    """The successors of all tasks, as narrow as schedules hold tasks."""
    if problem.n > _INT32_MAX:
        raise DagpartError(f"{problem.n} tasks: schedules hold at most {_INT32_MAX}")
    return narrow(problem.graph.indices)


def narrow(ids: NDArray[Any]) -> NDArray[np.int32]:
    """Ids as int32; no copy where they are."""
    return np.ascontiguousarray(ids, dtype=np.int32)


def places(problem: Problem) -> NDArray[np.int32]:
    """Position of each task in the graph's topological order: int32[n]."""
    return inverse(problem.graph.order)


def inverse(permutation: NDArray[Any]) -> NDArray[np.int32]:
    """Position of each element: int32[n]."""
    out = np.empty(permutation.size, np.int32)
    out[permutation] = np.arange(permutation.size, dtype=np.int32)
    return out


def ranks(priority: NDArray[np.float64], ties: NDArray[Any]) -> NDArray[np.int32]:
    """Position of each block by descending priority, then by ascending `ties`: int32[k]."""
    return inverse(np.lexsort((ties, -priority)))


def schedule_of(problem: Problem, outcome: Outcome, **told: Any) -> Schedule:
    """The schedule that a kernel has made; `told` are further fields of `Schedule`."""
    processor, start, finish, messages, superstep = outcome
    return Schedule(problem, processor, start, finish, Messages(*messages), superstep, **told)
