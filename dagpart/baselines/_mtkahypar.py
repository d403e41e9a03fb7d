"""Mt-KaHyPar: multilevel partitioning with flow refinement, through its authors' wheel, with one thread.

L. Gottesbueren, T. Heuer, N. Maas, P. Sanders and S. Schlag, "Scalable high-quality hypergraph partitioning",
ACM Transactions on Algorithms 20(1), 2024. Only the presets that are called deterministic give the same
labels again for the same seed, so one of them comes first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagpart.baselines._undirected import Baseline, Undirected


def _run(library: Any, problem: Undirected, variant: str) -> ArrayLike:
    library.set_seed(problem.seed)
    start = library.initialize(1, False)
    context = start.context_from_preset(getattr(library.PresetType, variant.upper()))
    context.set_partitioning_parameters(problem.k, problem.imbalance, library.Objective.CUT)
    context.set_individual_target_block_weights([problem.cap] * problem.k)
    context.logging = False
    tails = np.repeat(np.arange(problem.n), np.diff(problem.indptr))
    once = tails < problem.indices
    graph = start.create_graph(
        context,
        problem.n,
        int(np.count_nonzero(once)),
        list(zip(tails[once].tolist(), problem.indices[once].tolist(), strict=True)),
        problem.vertex_weights.tolist(),
        problem.edge_weights[once].tolist(),
    )
    labels: ArrayLike = graph.partition(context).get_partition()
    return labels


mtkahypar = Baseline(
    "Mt-KaHyPar",
    "mtkahypar",
    "mtkahypar",
    ("deterministic", "deterministic_quality", "default", "quality", "highest_quality", "large_k"),
    _run,
    crashes=True,
)
