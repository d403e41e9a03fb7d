"""KaMinPar: deep multilevel partitioning, through the wheel of its authors, with one thread.

L. Gottesbueren, T. Heuer, P. Sanders, C. Schulz and D. Seemaier, "Deep multilevel graph partitioning", ESA
2021.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dagpart.baselines._undirected import Baseline, Undirected


def _run(kaminpar: Any, problem: Undirected, variant: str) -> ArrayLike:
    kaminpar.reseed(problem.seed)
    # A file is the only way in.
    with tempfile.TemporaryDirectory(prefix="dagpart-") as folder:
        path = Path(folder, "graph")
        _write_metis(path, problem)
        graph = kaminpar.load_graph(str(path), kaminpar.GraphFileFormat.METIS)
    solver = kaminpar.KaMinPar(1, kaminpar.context_by_name(variant))
    labels: ArrayLike = solver.compute_partition(graph, max_block_weights=[problem.cap] * problem.k)
    return labels


def _write_metis(path: Path, problem: Undirected) -> None:
    """Write a graph with weights in the format of METIS: a line for each vertex."""
    pairs = np.column_stack((problem.indices + 1, problem.edge_weights)).ravel().tolist()
    words = list(map(str, pairs))
    starts = (2 * problem.indptr).tolist()
    with open(path, "w", encoding="ascii") as file:
        file.write(f"{problem.n} {len(problem.indices) // 2} 11\n")
        for v, weight in enumerate(problem.vertex_weights.tolist()):
            file.write(f"{weight} {' '.join(words[starts[v] : starts[v + 1]])}\n")


kaminpar = Baseline(
    "KaMinPar", "kaminpar", "kaminpar", ("default", "fast", "eco", "strong", "largek"), _run, crashes=True
)
