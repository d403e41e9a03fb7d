"""How short a schedule can be at best: lower bounds on the makespan.

All hold for every model and charging, since the makespan of ``"none"`` is never above that of the others.
Where messages take time, the earliest starts and the shortest remainders that they are built on count those
that cannot be avoided.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from dagpart.schedule.problem import Problem

__all__ = ["Bounds", "lower_bounds"]

_LP_SIZE = 40_000
_LP_SECONDS = 20.0
# The solver keeps its constraints to 1e-7 in the unit of the bound.
_LP_MARGIN = 1e-6
_MESSAGE_TASKS = 1_000_000
_INTERVAL_TASKS = 1_000_000
# The work of all intervals: as many starts as keep starts times tasks below this.
_INTERVAL_WORK = 10_000_000
_MOST_STARTS = 1_000
_GRID = 512
# A task whose inputs could all be local is looked at this far only.
_MOST_LOCAL = 64


@dataclass(frozen=True)
class Bounds:
    """Lower bounds on the makespan.

    Attributes
    ----------
    values : dict of str to float
        By name: ``"area"``, ``"span"``, ``"message path"``, ``"head-area-tail"``, ``"intervals"``,
        ``"linear program"``.
    skipped : dict of str to str
        Bounds that were not computed, and why.

    Examples
    --------
    >>> bounds = Bounds({"area": 3.0, "span": 4.0}, {})
    >>> bounds.best, bounds.name, bounds.gap(5.0)
    (4.0, 'span', 0.25)
    """

    values: dict[str, float]
    skipped: dict[str, str]

    @property
    def name(self) -> str:
        """Name of the largest bound, the first one on a tie."""
        return max(self.values, key=self.values.__getitem__)

    @property
    def best(self) -> float:
        """The largest bound."""
        return self.values[self.name]

    def gap(self, makespan: float) -> float:
        """How far a makespan is above the best bound, as a share of the bound; 0 means proven optimal.

        Parameters
        ----------
        makespan : float

        Examples
        --------
        >>> Bounds({"area": 0.0}, {}).gap(0.0)
        0.0
        """
        if self.best <= 0:
            return 0.0 if makespan <= 0 else float("inf")
        return max(0.0, makespan / self.best - 1.0)


def lower_bounds(problem: Problem) -> Bounds:
    """Lower bounds on the makespan of any schedule of a problem.

    - ``"area"``: all work shared out evenly. For processors that differ, every weighting of the processors
      gives such a bound; two are tried, even and by speed.
    - ``"span"``: the longest path, every task on its fastest processor, messages free.
    - ``"message path"``: the same with messages that cannot be avoided: of the inputs of a task, either the
      producer shares its processor and then runs before or after the other producers there, or its message
      takes the fastest link. The best split of the inputs of each task is counted, as in [1]_ but without
      copies of tasks. Left out with model ``"none"``, with one processor, and above 1,000,000 tasks.
    - ``"head-area-tail"``: tasks that cannot start early and leave much to do, shared out evenly between the
      earliest start and the shortest remainder among them [2]_; over a grid of at most 512 x 512 thresholds.
    - ``"intervals"``: the work that has to be done inside a stretch of time, however tasks are shifted,
      against what the processors can do there [3]_. Stretches are tried from each time at which a task can
      start or end, of all lengths; where more than 1,000 such times, or times times tasks above 10^7, from a
      sample of them. Left out above 1,000,000 tasks.
    - ``"linear program"``: for processors that differ, shares of tasks on kinds of processors so that no
      kind is overloaded and every path fits, the mixed bound of [4]_, solved by HiGHS with a time limit of
      20 s. Left out where processors are alike, since it equals the larger of area and path then, and where
      tasks times kinds of processors and edges come to more than 40,000.

    Parameters
    ----------
    problem : Problem

    References
    ----------
    .. [1] H. Jung, L. M. Kirousis and P. Spirakis, "Lower bounds and efficient algorithms for multiprocessor
       scheduling of directed acyclic graphs with communication delays", Information and Computation 105(1),
       1993.
    .. [2] J. Carlier, "Scheduling jobs with release dates and tails on identical machines to minimize the
       makespan", European Journal of Operational Research 29(3), 1987.
    .. [3] E. B. Fernandez and B. Bussell, "Bounds on the number of processors and time for multiprocessor
       optimal schedules", IEEE Transactions on Computers C-22(8), 1973.
    .. [4] E. Agullo, O. Beaumont, L. Eyraud-Dubois, J. Herrmann, S. Kumar, L. Marchal and S. Thibault,
       "Bridging the gap between performance and bounds of Cholesky factorization on heterogeneous
       platforms", HCW 2015.

    Examples
    --------
    >>> from dagpart.schedule import Problem, lower_bounds
    >>> bounds = lower_bounds(Problem.of([(0, 1), (0, 2), (0, 3)], 2))
    >>> bounds.values["span"], bounds.values["area"], bounds.values["intervals"]
    (2.0, 2.0, 3.0)
    """
    values: dict[str, float] = {}
    skipped: dict[str, str] = {}
    fastest = problem.durations.min(axis=1)
    loads = _loads(problem)
    free = np.zeros(problem.graph.m)
    heads = _earliest(problem, fastest, free, forward=True)
    tails = _earliest(problem, fastest, free, forward=False)
    values["area"] = float(loads.sum())
    values["span"] = float((heads + fastest).max(initial=0.0))
    if problem.communication.is_free or problem.p == 1:
        skipped["message path"] = "no message takes time"
    elif problem.n > _MESSAGE_TASKS:
        skipped["message path"] = f"more than {_MESSAGE_TASKS} tasks"
    else:
        delays = _least_delays(problem)
        heads = _earliest(problem, fastest, delays, forward=True)
        tails = _earliest(problem, fastest, delays, forward=False)
        values["message path"] = float((heads + fastest + tails).max(initial=0.0))
    values["head-area-tail"] = _head_area_tail(heads, tails, loads)
    if problem.n > _INTERVAL_TASKS:
        skipped["intervals"] = f"more than {_INTERVAL_TASKS} tasks"
    else:
        values["intervals"] = _intervals(heads, tails, fastest, problem.p)
    program = _linear_program(problem, heads, tails)
    if isinstance(program, str):
        skipped["linear program"] = program
    else:
        values["linear program"] = program
    if problem.n:
        # The makespan counts the synchronisation that ends the last superstep.
        values = {name: value + problem.idle_synchronisation for name, value in values.items()}
    return Bounds(values, skipped)


def _loads(problem: Problem) -> NDArray[np.float64]:
    """What each task adds to the weighted mean load of the processors, at least: their sum is the area bound.

    For weights y of sum 1, the makespan is at least the mean of the loads by y, and a task adds at least its
    least y times duration to that.
    """
    even: NDArray[np.float64] = problem.durations.min(axis=1) / problem.p
    alone = problem.durations.sum(axis=0)
    if alone.size == 1 or not alone.all():
        return even
    weights = alone.min() / alone
    by_speed: NDArray[np.float64] = (problem.durations * (weights / weights.sum())).min(axis=1)
    return even if even.sum() >= by_speed.sum() else by_speed


def _least_delays(problem: Problem) -> NDArray[np.float64]:
    """Time from a task's end to its data being on any other processor, at least: float64[m]."""
    platform = problem.platform
    links = ~np.eye(platform.p, dtype=bool)
    latency, gap = float(platform.latency[links].min()), float(platform.gap[links].min())
    return problem.message_sizes * gap + (latency + problem.synchronisation)


def _earliest(
    problem: Problem, durations: NDArray[np.float64], delays: NDArray[np.float64], *, forward: bool
) -> NDArray[np.float64]:
    """When each task can start at the earliest; not forward: how long it takes from its end to the last one.

    Of the tasks before a task, in the order in which their messages would be there, the first k share its
    processor and the others do not; any other choice is worse. The k run one after the other.
    """
    graph = problem.graph
    if forward:
        order, ends, others = graph.order.tolist(), graph.pred_indptr.tolist(), graph.pred_indices.tolist()
        delay = delays[problem.pred_positions].tolist()
    else:
        order, ends, others = graph.order[::-1].tolist(), graph.indptr.tolist(), graph.indices.tolist()
        delay = delays.tolist()
    duration = durations.tolist()
    free = not delays.any()
    begin = [0.0] * problem.n
    end = [0.0] * problem.n
    for v in order:
        first, last = ends[v], ends[v + 1]
        if last > first:
            if free or last - first == 1:
                # A single producer may always share the processor.
                begin[v] = max([end[u] for u in others[first:last]])
            else:
                arrivals = sorted(
                    [(end[u] + d, u) for u, d in zip(others[first:last], delay[first:last], strict=True)],
                    reverse=True,
                )
                begin[v] = _best_split(arrivals, begin, duration)
        end[v] = begin[v] + duration[v]
    return np.array(begin)


def _best_split(arrivals: list[tuple[float, int]], begin: list[float], duration: list[float]) -> float:
    """Earliest start of a task with these inputs, the latest first: some local in a row, the others sent."""
    local: list[tuple[float, float]] = []
    done = 0.0
    for k, (arrival, u) in enumerate(arrivals):
        if k and done >= arrival:
            return min(done, arrivals[k - 1][0])
        if k == _MOST_LOCAL:
            return done
        insort(local, (begin[u], duration[u]))
        done = 0.0
        for ready, time in local:
            done = max(done, ready) + time
    return min(done, arrivals[-1][0])


def _head_area_tail(
    heads: NDArray[np.float64], tails: NDArray[np.float64], loads: NDArray[np.float64]
) -> float:
    if not heads.size:
        return 0.0
    rows, columns = _thresholds(heads), _thresholds(tails)
    row = np.searchsorted(rows, heads, side="right") - 1
    column = np.searchsorted(columns, tails, side="right") - 1
    area = np.zeros((rows.size, columns.size))
    np.add.at(area, (row, column), loads)
    # Entry (i, j) becomes the load of all tasks with a head and a tail of at least these thresholds.
    area = area[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]
    bound = np.where(area > 0, rows[:, None] + area + columns[None, :], 0.0)
    return float(bound.max())


def _thresholds(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values in order, or so many of them, the least among them, that none is passed over far."""
    distinct = np.unique(values)
    if distinct.size <= _GRID:
        return distinct
    return distinct[np.linspace(0, distinct.size - 1, _GRID).astype(np.int64)]


def _intervals(
    heads: NDArray[np.float64], tails: NDArray[np.float64], durations: NDArray[np.float64], p: int
) -> float:
    """Longest path plus the most that some stretch of time lacks.

    With the longest path as makespan, a task that starts between its head and its latest start does at
    least clip(b - s, 0, w) inside [a, b], where s = max(a, latest start) and w is what is left after a when
    it starts at its head, at most its duration. That is a sum of ramps in b, whose excess over p (b - a) is
    largest at the end of some ramp.
    """
    busy = durations > 0
    heads, tails, durations = heads[busy], tails[busy], durations[busy]
    if not heads.size:
        return 0.0
    path = float((heads + durations + tails).max())
    latest = path - tails - durations
    starts = np.unique(np.concatenate((heads, heads + durations, latest)))
    starts = starts[starts < path]
    most = int(np.clip(_INTERVAL_WORK // heads.size, 16, _MOST_STARTS))
    if starts.size > most:
        starts = starts[np.linspace(0, starts.size - 1, most).astype(np.int64)]
    lack = 0.0
    for a in starts.tolist():
        inside = np.minimum(durations, heads + durations - a)
        some = inside > 0
        rise = np.maximum(a, latest[some])
        fall = rise + inside[some]
        at = np.concatenate((rise, fall))
        order = np.argsort(at)
        at = at[order]
        slope = np.cumsum(np.where(order < rise.size, 1.0, -1.0))
        done = np.concatenate(([0.0], np.cumsum(slope[:-1] * np.diff(at))))
        lack = max(lack, float((done / p - (at - a)).max(initial=0.0)))
    return path + lack


def _linear_program(problem: Problem, heads: NDArray[np.float64], tails: NDArray[np.float64]) -> float | str:
    """The mixed bound, or why there is none."""
    # Importing it takes a while, which most commands need not spend.
    from scipy.optimize import Bounds as LinearBounds
    from scipy.optimize import LinearConstraint, milp

    n, m = problem.n, problem.graph.m
    if problem.durations.shape[1] == 1:
        return "processors are alike: it is the larger of area and path"
    table, kind = np.unique(problem.durations, axis=1, return_inverse=True)
    kinds = table.shape[1]
    if n * kinds + m > _LP_SIZE:
        return f"tasks times kinds of processors and edges come to {n * kinds + m}, more than {_LP_SIZE}"
    scale = float(table.min(axis=1).sum()) / problem.p
    if scale <= 0:
        return "no task takes time"
    table = table / scale
    count = np.bincount(np.ravel(kind), minlength=kinds)
    # Columns: the share of each task on each kind, the start of each task, the makespan.
    share = np.arange(n * kinds).reshape(n, kinds)
    start = n * kinds + np.arange(n)
    makespan = n * kinds + n
    tail, head = problem.graph.edge_sources(), problem.graph.indices
    rows, columns, entries = [], [], []

    def put(row: NDArray[np.int64], column: NDArray[np.int64], entry: NDArray[np.float64]) -> None:
        row, column, entry = np.broadcast_arrays(row, column, entry)
        rows.append(row.ravel())
        columns.append(column.ravel())
        entries.append(entry.ravel())

    one = np.ones(1)
    load = np.arange(kinds)
    put(load[None, :], share, table)
    put(load, np.array([makespan]), -count.astype(np.float64))
    edge = kinds + np.arange(m)
    put(edge[:, None], share[tail], table[tail])
    put(edge, start[tail], one)
    put(edge, start[head], -one)
    last = kinds + m + np.arange(n)
    put(last[:, None], share, table)
    put(last, start, one)
    put(last, np.array([makespan]), -one)
    whole = kinds + m + n + np.arange(n)
    put(whole[:, None], share, one)
    rows_in_all = kinds + m + 2 * n
    matrix = scipy.sparse.csr_array(
        (np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))),
        shape=(rows_in_all, makespan + 1),
    )
    most = np.concatenate((np.zeros(kinds + m), -tails / scale, np.ones(n)))
    least = np.where(np.arange(rows_in_all) < whole[0], -np.inf, 1.0)
    cost = np.zeros(makespan + 1)
    cost[makespan] = 1.0
    result = milp(
        cost,
        constraints=LinearConstraint(matrix, least, most),
        bounds=LinearBounds(np.concatenate((np.zeros(n * kinds), heads / scale, [0.0])), np.inf),
        options={"time_limit": _LP_SECONDS},
    )
    if result.status != 0:
        return f"not solved within {_LP_SECONDS:g} s" if result.status == 1 else f"HiGHS: {result.message}"
    return float(result.fun) * scale * (1.0 - _LP_MARGIN)
