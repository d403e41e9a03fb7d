"""What is to be scheduled: a task graph, a platform, and how communication is counted."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagpart._arguments import check_not_negative, is_one_of
from dagpart._named import Values, in_order
from dagpart.dag import Dag
from dagpart.errors import DagpartError, WeightError
from dagpart.schedule.models import COMMUNICATION, DEFAULT_MODEL, MODELS, Model, ModelName
from dagpart.schedule.platform import Platform

__all__ = ["CHARGING", "MODELS", "Charging", "Model", "ModelName", "Problem"]

Charging = Literal["edge", "unique"]
CHARGING: tuple[Charging, ...] = get_args(Charging)


@dataclass(frozen=True, eq=False)
class Problem:
    """A task graph on a platform under a model of communication.

    Use `Problem.of` to make one from a graph of any kind. Arrays are read-only. `dagpart.schedule.models`
    describes the models.

    Charging ``"edge"`` sends a message for every edge between two processors. ``"unique"`` sends the output
    of a task, which is as large as its heaviest edge, once to every processor that needs it.

    Attributes
    ----------
    graph : Dag
    platform : Platform
    model : str
    charging : str
    work : float64[n]
        Of the tasks, without overhead.
    sizes : float64[m]
        Of the data that the edges carry, in the order of ``graph.indices``.
    overhead : float
        Time that every task takes besides, on any processor.
    costs : float64[n, p] or None
        Time of each task on each processor, in place of work over speed.

    Examples
    --------
    >>> problem = Problem.of([(0, 1), (0, 2)], 2, ccr=3.0)
    >>> problem.sizes.tolist(), problem.ccr
    ([4.5, 4.5], 3.0)
    """

    graph: Dag
    platform: Platform
    model: ModelName
    charging: Charging
    work: NDArray[np.float64]
    sizes: NDArray[np.float64]
    overhead: float = 0.0
    costs: NDArray[np.float64] | None = None

    @classmethod
    def of(
        cls,
        graph: Any,
        platform: Platform | int,
        *,
        model: ModelName = DEFAULT_MODEL,
        charging: Charging = "edge",
        ccr: float | None = None,
        task_overhead: float = 0.0,
        costs: Values | None = None,
    ) -> Self:
        """The problem of a graph on a platform.

        Parameters
        ----------
        graph : Dag or anything `dagpart.partition` takes
            Its vertex weights are the work, its edge weights the sizes, both in the caller's own unit where
            `Dag` has scaled them.
        platform : Platform or int
            A number stands for so many processors of speed 1 and latency 0. Their bandwidth is 1, or
            ``graph.units.link`` where the graph knows the units of its weights, as workflows and traces do:
            gigabit Ethernet for tasks in seconds and data in bytes.
        model : str, default "duplex"
            Of communication: one of those in `dagpart.schedule.models`.
        charging : {"edge", "unique"}
        ccr : float, optional
            Multiply all sizes so that the time for all of them over the time for all work is this number,
            both on mean processors, without latency.
        task_overhead : float, default 0.0
            Time that every task takes besides.
        costs : array_like, shape (n, p), mapping or pandas.DataFrame, optional
            Time of each task on each processor; work and speeds do not count then. Rows of a mapping or a
            frame go by the names of the tasks.

        Raises
        ------
        DagpartError
            An argument is not as said.
        WeightError
            Times are too large, or `ccr` cannot be reached: the edges, or the tasks, weigh nothing.
        """
        graph = Dag.from_any(graph)
        if not isinstance(platform, Platform):
            link = None if graph.units is None else graph.units.link
            platform = Platform.homogeneous(platform, bandwidth=1.0 if link is None else link)
        if not is_one_of(model, COMMUNICATION):
            raise DagpartError(f"there is no model {model!r}; choose from {', '.join(COMMUNICATION)}")
        if not is_one_of(charging, CHARGING):
            raise DagpartError(f"there is no charging {charging!r}; choose from {', '.join(CHARGING)}")
        overhead = check_not_negative(task_overhead, "task_overhead")
        rows = in_order(costs, graph.n, graph.names, "task", "costs")
        table = None if rows is None else _costs(rows, (graph.n, platform.p))
        problem = cls(
            graph,
            platform,
            model,
            charging,
            _frozen(graph.vertex_weights / graph.vertex_weight_scale),
            _frozen(graph.edge_weights / graph.weight_scale),
            overhead,
            table,
        )
        if ccr is not None:
            problem = problem._with_ccr(check_not_negative(ccr, "ccr"))
        if not np.isfinite(problem.horizon):
            raise WeightError("the times of all tasks and messages together are too large for a float64")
        return problem

    @property
    def n(self) -> int:
        """Number of tasks."""
        return self.graph.n

    @property
    def p(self) -> int:
        """Number of processors."""
        return self.platform.p

    @property
    def communication(self) -> Model:
        """What the model means."""
        return COMMUNICATION[self.model]

    @property
    def synchronisation(self) -> float:
        """Time that ends a superstep; 0 under models without them."""
        return self.platform.synchronisation if self.communication.has_supersteps else 0.0

    @property
    def idle_synchronisation(self) -> float:
        """The same behind a superstep that sends nothing, as the last one."""
        return self.synchronisation if self.platform.barriers == "all" else 0.0

    @cached_property
    def durations(self) -> NDArray[np.float64]:
        """Time of each task on each processor with overhead: float64[n, p], or [n, 1] where all are alike."""
        if self.costs is not None:
            return _frozen(self.costs + self.overhead)
        speeds = self.platform.speeds
        if (speeds == speeds[0]).all():
            speeds = speeds[:1]
        return _frozen(self.work[:, None] / speeds[None, :] + self.overhead)

    @cached_property
    def mean_durations(self) -> NDArray[np.float64]:
        """Time of each task, the mean over the processors: float64[n]."""
        return _frozen(self.durations.mean(axis=1))

    @cached_property
    def mean_delays(self) -> NDArray[np.float64]:
        """Time of each edge between two processors, the mean over all pairs, or 0: float64[m]."""
        if self.communication.is_free or self.p == 1:
            return _frozen(np.zeros(self.graph.m))
        return _frozen(self.platform.mean_latency + self.message_sizes * self.platform.mean_gap)

    @cached_property
    def message_sizes(self) -> NDArray[np.float64]:
        """Size of each edge's message under the charging: float64[m], in the order of ``graph.indices``."""
        if self.charging == "edge" or not self.graph.m:
            return self.sizes
        outs = np.diff(self.graph.indptr)
        heaviest = np.maximum.reduceat(self.sizes, self.graph.indptr[:-1][outs > 0])
        return _frozen(np.repeat(heaviest, outs[outs > 0]))

    @cached_property
    def pred_positions(self) -> NDArray[np.int64]:
        """Where in ``graph.indices`` each edge of ``graph.pred_indices`` stands: int64[m]."""
        # Predecessors are ascending, and a stable sort by head keeps tails ascending.
        return np.argsort(self.graph.indices, kind="stable").astype(np.int64, copy=False)

    def edge_positions(self, tails: NDArray[Any], heads: NDArray[Any]) -> NDArray[np.int64]:
        """Where in ``graph.indices`` the edges between these tasks stand.

        Parameters
        ----------
        tails, heads : array of int, shape (k,)

        Returns
        -------
        int64[k]
            -1 where there is no edge.

        Examples
        --------
        >>> import numpy as np
        >>> Problem.of([(0, 1), (0, 2)], 2).edge_positions(np.array([0, 1]), np.array([2, 2])).tolist()
        [1, -1]
        """
        n = max(self.n, 1)
        wanted = np.asarray(tails, dtype=np.int64) * n + heads
        if not self._edge_keys.size:
            return np.full(wanted.size, -1, np.int64)
        place = np.minimum(np.searchsorted(self._edge_keys, wanted), self._edge_keys.size - 1)
        found: NDArray[np.int64] = np.where(self._edge_keys[place] == wanted, place, -1)
        return found

    @cached_property
    def _edge_keys(self) -> NDArray[np.int64]:
        tails = self.graph.edge_sources().astype(np.int64)
        keys: NDArray[np.int64] = tails * max(self.n, 1) + self.graph.indices
        return keys

    @cached_property
    def serial_time(self) -> float:
        """All tasks, one after the other on the processor that is fastest at that."""
        return float(self.durations.sum(axis=0).min()) if self.n else 0.0

    @cached_property
    def horizon(self) -> float:
        """Longer than any schedule that leaves no processor and no port idle without need."""
        delays = 0.0
        if self.graph.m and self.p > 1:
            slowest = float(self.platform.latency.max())
            delays = slowest * self.graph.m + float(self.message_sizes.sum()) * float(self.platform.gap.max())
        steps = (self.n + 1) * self.platform.synchronisation
        return float(self.durations.max(axis=1, initial=0.0).sum()) + delays + steps

    @cached_property
    def ccr(self) -> float:
        """Time for all sizes over time for all work, on mean processors, without latency and overhead."""
        work = self._total_work
        return self._total_delay / work if work > 0 else float("inf" if self._total_delay > 0 else "nan")

    @property
    def _total_work(self) -> float:
        table = self.costs
        if table is not None:
            return float(table.mean(axis=1).sum())
        return float(self.work.sum()) * float((1.0 / self.platform.speeds).mean())

    @property
    def _total_delay(self) -> float:
        gap = self.platform.mean_gap if self.p > 1 else 1.0
        return float(self.sizes.sum()) * gap

    def _with_ccr(self, ccr: float) -> Self:
        if self.graph.m == 0:
            return self
        if ccr > 0 and not (self._total_delay > 0 and self._total_work > 0):
            weightless = "edges" if self._total_work > 0 else "tasks"
            raise WeightError(f"ccr={ccr:g} cannot be reached: all {weightless} weigh 0")
        factor = ccr * self._total_work / self._total_delay if ccr > 0 else 0.0
        return type(self)(
            self.graph,
            self.platform,
            self.model,
            self.charging,
            self.work,
            _frozen(self.sizes * factor),
            self.overhead,
            self.costs,
        )


def _costs(costs: ArrayLike, shape: tuple[int, int]) -> NDArray[np.float64]:
    try:
        table = np.array(costs, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DagpartError(
            f"costs must be numbers in {shape[0]} rows of {shape[1]}: {_culprit(costs, shape[1])}"
        ) from None
    if table.shape != shape:
        raise DagpartError(f"costs has the shape {table.shape}: it must be {shape}, tasks by processors")
    if not (np.isfinite(table) & (table >= 0)).all():
        raise WeightError("costs must be finite and not negative")
    return _frozen(table)


def _culprit(costs: ArrayLike, columns: int) -> str:
    """What of a table keeps it from being one of numbers."""
    rows: Any = costs.tolist() if isinstance(costs, np.ndarray) else costs
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        return f"got {rows!r}"
    for task, row in enumerate(rows):
        if isinstance(row, str | bytes) or not isinstance(row, Sized) or not isinstance(row, Iterable):
            return f"row {task} is {row!r}"
        if len(row) != columns:
            return f"row {task} has {len(row)} entries"
        for value in row:
            try:
                float(value)
            except (TypeError, ValueError, OverflowError):
                return f"row {task} has {value!r} in it"
    return "they are of several shapes"


def _frozen(array: NDArray[Any]) -> NDArray[np.float64]:
    array = np.ascontiguousarray(array, dtype=np.float64)
    array.setflags(write=False)
    return array
