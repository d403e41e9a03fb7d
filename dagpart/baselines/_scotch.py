"""Scotch: dual recursive bipartitioning, through ScotchPy.

F. Pellegrini and J. Roman, "Scotch: a software package for static mapping by dual recursive bipartitioning of
process and architecture graphs", HPCN-Europe 1996. ScotchPy is made by the authors of Scotch; its wheel
scotchpy64 brings the library with it, in integers of 64 bits, so that nothing else is to be installed.
(ScotchPy asks for Scotch 7.0.6; Debian 12 has 7.0.3.)
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagpart.baselines._undirected import Baseline, Undirected

_THREADS = "SCOTCH_PTHREAD_NUMBER"
# Flags of SCOTCH_stratGraphMapBuild.
_STRATEGIES = {"default": 0, "quality": 1, "speed": 2, "balance": 4}


def _run(scotchpy: Any, problem: Undirected, variant: str) -> ArrayLike:
    # One stream of random numbers serves the whole process.
    scotchpy.common.random_seed(problem.seed)
    scotchpy.common.random_reset()
    graph, strategy = scotchpy.Graph(), scotchpy.Strat()
    graph.build(
        baseval=0,
        verttab=problem.indptr,
        edgetab=problem.indices.astype(np.int64),
        velotab=problem.vertex_weights,
        edlotab=problem.edge_weights,
    )
    strategy.graph_map_build(_STRATEGIES[variant], problem.k, problem.imbalance)
    labels = np.empty(problem.n, dtype=np.int64)
    with _one_thread():
        graph.part(problem.k, strategy, labels)
    return labels


@contextmanager
def _one_thread() -> Iterator[None]:
    """Scotch asks the environment how many threads to use; with several, labels differ from run to run."""
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_THREADS]
        else:
            os.environ[_THREADS] = before


scotch = Baseline(
    "Scotch", "scotchpy64", "scotchpy", ("default", "quality", "speed", "balance"), _run, crashes=False
)
