"""Clusterings for any number of processors: tasks that are better run one after the other than apart.

All three go by the mean times of tasks and messages, and by the model ``"delay"``. Their clusters may depend
on each other in cycles, unlike the parts of `dagpart.partition`; `dagpart.schedule.mapping` brings them to
processors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dagpart._core.scheduling import priorities
from dagpart._core.scheduling.dominant_sequence import dominant_sequence
from dagpart._core.scheduling.linear import linear_clusters
from dagpart._core.scheduling.zeroing import zeroed_edges
from dagpart._named import Values
from dagpart.metrics import as_labels
from dagpart.schedule._kernels import narrow, places
from dagpart.schedule.blocks import BlockGraph
from dagpart.schedule.problem import Problem

__all__ = ["CLUSTERINGS", "Clustering", "dsc", "linear", "sarkar"]


@dataclass(frozen=True, eq=False)
class Clustering:
    """Clusters of tasks, and when the tasks start if every cluster has a processor.

    Attributes
    ----------
    problem : Problem
    labels : int32[n]
        Cluster of each task; clusters are numbered by the time they start.
    start : float64[n]
        Under the model ``"delay"`` with mean times.
    """

    problem: Problem
    labels: NDArray[np.int32]
    start: NDArray[np.float64]

    @classmethod
    def of(cls, problem: Problem, labels: Values) -> Clustering:
        """Clusters from elsewhere; each runs its tasks by falling bottom level.

        Parameters
        ----------
        problem : Problem
        labels : array_like of int, shape (n,)
            From 0 to n - 1.

        Raises
        ------
        DagpartError
            If they are not.

        Examples
        --------
        >>> clustering = Clustering.of(Problem.of([(0, 1), (0, 2)], 2), [1, 1, 0])
        >>> clustering.labels.tolist(), clustering.start.tolist(), clustering.parallel_time
        ([0, 0, 1], [0.0, 1.0, 2.0], 3.0)
        """
        ids, _ = as_labels(labels, problem.n, names=problem.graph.names)
        blocks = BlockGraph.of_tasks(problem)
        start = priorities.cluster_starts(_task_graph(problem, blocks), _ranked(blocks), ids)
        return cls._numbered(problem, ids, start)

    @classmethod
    def _numbered(cls, problem: Problem, labels: NDArray[np.int32], start: NDArray[np.float64]) -> Clustering:
        first = np.full(int(labels.max(initial=-1)) + 1, -1, np.int32)
        by_start = labels[np.lexsort((places(problem), start))]
        _, where = np.unique(by_start, return_index=True)
        used = by_start[np.sort(where)]
        first[used] = np.arange(used.size, dtype=np.int32)
        return cls(problem, first[labels], start)

    @cached_property
    def count(self) -> int:
        """Number of clusters."""
        return int(self.labels.max(initial=-1)) + 1

    @cached_property
    def parallel_time(self) -> float:
        """When the last task ends if every cluster has a processor."""
        return float((self.start + self.problem.mean_durations).max(initial=0.0))


def dsc(problem: Problem) -> Clustering:
    """Dominant sequence clustering of Yang and Gerasoulis [1]_.

    Tasks whose inputs are placed join, by falling length of the longest path through them, the cluster of the
    producer whose data would arrive last, if that lets them start sooner, and unless it would take the place
    from a task on a longer path that is not ready yet. Other producers come along where that helps and they
    are alone and feed nobody else.

    References
    ----------
    .. [1] T. Yang and A. Gerasoulis, "DSC: scheduling parallel tasks on an unbounded number of processors",
       IEEE Transactions on Parallel and Distributed Systems 5(9), 1994.

    Examples
    --------
    >>> dsc(Problem.of([(0, 1), (1, 2), (0, 3)], 2, ccr=1.0)).labels.tolist()
    [0, 0, 0, 1]
    """
    blocks = BlockGraph.of_tasks(problem)
    labels, start = dominant_sequence(_task_graph(problem, blocks), blocks.bottom_levels())
    return Clustering._numbered(problem, labels, start)


def linear(problem: Problem) -> Clustering:
    """Linear clustering of Kim and Browne [1]_: the longest path, then the longest of the rest, and so on.

    References
    ----------
    .. [1] S. J. Kim and J. C. Browne, "A general approach to mapping of parallel computation upon
       multiprocessor architectures", ICPP 1988.

    Examples
    --------
    >>> linear(Problem.of([(0, 1), (1, 2), (0, 3)], 2)).labels.tolist()
    [0, 0, 0, 1]
    """
    blocks = BlockGraph.of_tasks(problem)
    labels = linear_clusters(_task_graph(problem, blocks), blocks.order, blocks.bottom_levels())
    return Clustering.of(problem, labels)


def sarkar(problem: Problem) -> Clustering:
    """Edge zeroing of Sarkar [1]_: by falling delay, clusters with an edge merge unless that takes longer.

    Each runs its tasks by falling bottom level.

    Quadratic by nature: every edge is tried, and a trial may time all tasks anew. Meant for up to some 10,000
    tasks.

    References
    ----------
    .. [1] V. Sarkar, "Partitioning and scheduling parallel programs for multiprocessors", MIT Press, 1989.

    Examples
    --------
    >>> sarkar(Problem.of([(0, 1), (1, 2), (0, 3)], 2, ccr=1.0)).labels.tolist()
    [0, 0, 0, 0]
    """
    blocks = BlockGraph.of_tasks(problem)
    rest = blocks.bottom_levels(communication=False)
    labels, start = zeroed_edges(_task_graph(problem, blocks), _ranked(blocks), rest)
    return Clustering._numbered(problem, labels, start)


CLUSTERINGS: dict[str, Callable[[Problem], Clustering]] = {"dsc": dsc, "linear": linear, "sarkar": sarkar}
"""Clusterings by name."""


def _ranked(blocks: BlockGraph) -> NDArray[np.int32]:
    """Tasks by falling bottom level, equal ones in topological order."""
    order = blocks.order
    return order[np.argsort(-blocks.bottom_levels()[order], kind="stable")]


def _task_graph(problem: Problem, blocks: BlockGraph) -> priorities.TaskGraph:
    graph = problem.graph
    return priorities.TaskGraph(
        graph.indptr,
        blocks.indices,
        graph.pred_indptr,
        narrow(graph.pred_indices),
        problem.pred_positions,
        problem.mean_durations,
        blocks.delays,
    )
