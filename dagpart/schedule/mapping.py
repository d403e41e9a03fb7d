"""Clusters to processors: each goes to one as a whole."""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from dagpart._arguments import check_choice
from dagpart.schedule.clustering import Clustering
from dagpart.schedule.lists import list_schedule
from dagpart.schedule.result import Schedule

__all__ = ["MAPPINGS", "affinity", "guided", "load_balanced", "schedule_clusters"]

_SLACK = 1.1
"""Load over the mean up to which a processor takes clusters for the sake of communication."""


def guided(clustering: Clustering) -> NDArray[np.int32]:
    """Guided load balancing [1]_: clusters by the time they start, each to the processor with least load.

    Parameters
    ----------
    clustering : Clustering

    Returns
    -------
    int32[n]
        Processor of each task.

    References
    ----------
    .. [1] A. Radulescu and A. J. C. van Gemund, "GLB: a low-cost scheduling algorithm for distributed-memory
       architectures", HiPC 1998.

    Examples
    --------
    >>> from dagpart.schedule import Clustering, Problem
    >>> guided(Clustering.of(Problem.of([(0, 1), (2, 3)], 2), [0, 0, 1, 1])).tolist()
    [0, 0, 1, 1]
    """
    return _to_least_load(clustering, np.arange(clustering.count))


def load_balanced(clustering: Clustering) -> NDArray[np.int32]:
    """Heaviest cluster first, each to the processor with least load [1]_.

    Parameters
    ----------
    clustering : Clustering

    Returns
    -------
    int32[n]
        Processor of each task.

    References
    ----------
    .. [1] R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17(2), 1969.

    Examples
    --------
    >>> from dagpart.schedule import Clustering, Problem
    >>> load_balanced(Clustering.of(Problem.of([(0, 1), (2, 3), (0, 4)], 2), [0, 0, 1, 1, 2])).tolist()
    [0, 0, 1, 1, 0]
    """
    return _to_least_load(clustering, _heaviest_first(clustering))


def affinity(clustering: Clustering) -> NDArray[np.int32]:
    """Heaviest cluster first, each to the processor whose clusters it has most delays with.

    Only processors that stay below 1.1 times the mean load are asked; of equal ones, and where there is none,
    the one with least load is taken.

    Parameters
    ----------
    clustering : Clustering

    Returns
    -------
    int32[n]
        Processor of each task.

    Examples
    --------
    >>> from dagpart.schedule import Clustering, Problem
    >>> problem = Problem.of([(0, 1), (2, 3), (3, 4), (1, 5)], 2)
    >>> affinity(Clustering.of(problem, [0, 0, 1, 1, 2, 3])).tolist()
    [0, 0, 1, 1, 1, 0]
    """
    problem, labels = clustering.problem, clustering.labels
    times = _cluster_times(clustering)
    tails = labels[problem.graph.edge_sources()].astype(np.int64)
    heads = labels[problem.graph.indices].astype(np.int64)
    apart = tails != heads
    shape = (clustering.count, clustering.count)
    between = scipy.sparse.csr_array((problem.mean_delays[apart], (tails[apart], heads[apart])), shape=shape)
    between = (between + between.T).tocsr()
    place = np.full(clustering.count, -1, np.int64)
    load = np.zeros(problem.p)
    most = _SLACK * float(times.mean(axis=1).sum()) / problem.p
    for cluster in _heaviest_first(clustering).tolist():
        row = slice(between.indptr[cluster], between.indptr[cluster + 1])
        others = place[between.indices[row]]
        placed = others >= 0
        tied = np.bincount(others[placed], between.data[row][placed], minlength=problem.p)
        after = load + times[cluster]
        fits = after <= most
        if fits.any():
            tied[~fits] = -1.0
            chosen = int(np.lexsort((after, -tied))[0])
        else:
            chosen = int(after.argmin())
        place[cluster] = chosen
        load[chosen] = after[chosen]
    return place.astype(np.int32)[labels]


MAPPINGS: dict[str, Callable[[Clustering], NDArray[np.int32]]] = {
    "glb": guided,
    "load-balanced": load_balanced,
    "affinity": affinity,
}
"""Mappings by name."""


def schedule_clusters(clustering: Clustering, mapping: str = "glb") -> Schedule:
    """Bring clusters to processors, and order the tasks on each by bottom level or by earliest start.

    Parameters
    ----------
    clustering : Clustering
    mapping : {"glb", "load-balanced", "affinity"}

    Returns
    -------
    Schedule
        The shorter one of the two orders.

    Examples
    --------
    >>> from dagpart.schedule import Problem, dsc
    >>> schedule_clusters(dsc(Problem.of([(0, 1), (1, 2), (0, 3)], 2, ccr=0.3))).makespan
    3.0
    """
    check_choice(mapping, "mapping", MAPPINGS)
    processor = MAPPINGS[mapping](clustering)
    tried = [list_schedule(clustering.problem, name, processor=processor) for name in ("bl-est", "etf")]
    return min(tried, key=lambda found: found.makespan)


def _cluster_times(clustering: Clustering) -> NDArray[np.float64]:
    """Time of each cluster on each processor, or on any where all are alike: float64[clusters, p or 1]."""
    durations = clustering.problem.durations
    columns = [np.bincount(clustering.labels, d, minlength=clustering.count) for d in durations.T]
    return np.column_stack(columns)


def _heaviest_first(clustering: Clustering) -> NDArray[np.int64]:
    work = np.bincount(clustering.labels, clustering.problem.mean_durations, minlength=clustering.count)
    return np.argsort(-work, kind="stable")


def _to_least_load(clustering: Clustering, sequence: NDArray[np.int64]) -> NDArray[np.int32]:
    p, times = clustering.problem.p, _cluster_times(clustering)
    place = np.zeros(clustering.count, np.int32)
    if times.shape[1] == 1:
        loads = [(0.0, q) for q in range(p)]
        for cluster in sequence.tolist():
            least, q = loads[0]
            place[cluster] = q
            heapq.heapreplace(loads, (least + float(times[cluster, 0]), q))
    else:
        load = np.zeros(p)
        for cluster in sequence.tolist():
            after = load + times[cluster]
            q = int(after.argmin())
            place[cluster] = q
            load[q] = after[q]
    return place[clustering.labels]
