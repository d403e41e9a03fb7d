"""CPU time of a call, and METIS as the unit that it is measured in."""

from __future__ import annotations

import math
import multiprocessing
import resource
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

import numpy as np
import pymetis
import scipy.sparse as sp

T = TypeVar("T")


def user_seconds(call: Callable[[], T]) -> tuple[T, float]:
    """What a call returns, and the user CPU seconds that this process, all threads, spent in it."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    result = call()
    return result, resource.getrusage(resource.RUSAGE_SELF).ru_utime - before


def multiple(ours: float, unit: float) -> float:
    """How many times `unit` that is; infinite when the clock saw nothing of it."""
    return ours / unit if unit > 0 else math.inf


def peak_megabytes() -> float:
    """Most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def in_a_process(function: Callable[..., T], *arguments: Any) -> T:
    """Run in a fresh interpreter: one that is forked starts with the memory of its parent."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


class Metis:
    """METIS k-way on the undirected graph of an adjacency matrix with unit weights.

    The undirected graph is made here, so that `partition` times METIS and nothing else.
    """

    def __init__(self, matrix: Any, imbalance: float) -> None:
        pattern = sp.csr_array(matrix, dtype=bool)
        both = (pattern + pattern.T).tocsr()
        self._graph = pymetis.CSRAdjacency(both.indptr.astype(np.int32), both.indices.astype(np.int32))
        # METIS counts the tolerance in thousandths.
        self._ufactor = round(1000 * imbalance)

    def partition(self, k: int, seed: int) -> tuple[int, float]:
        """Edge cut and user CPU seconds."""
        options = pymetis.Options(seed=seed, ufactor=self._ufactor)
        found, seconds = user_seconds(
            lambda: pymetis.part_graph(k, adjacency=self._graph, recursive=False, options=options)
        )
        return found.edge_cuts, seconds
