"""METIS: multilevel k-way partitioning and recursive bisection, through pymetis.

G. Karypis and V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", SIAM
J. Sci. Comput. 20(1), 1998.
"""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import ArrayLike

from dagpart.baselines._undirected import Baseline, Undirected


def _run(pymetis: Any, problem: Undirected, variant: str) -> ArrayLike:
    # In thousandths of the mean weight, at least one.
    mean = float(problem.vertex_weights.sum()) / problem.k
    tolerance = min(max(1, math.floor(1000 * (problem.cap / mean - 1))), 2**30)
    found: ArrayLike = pymetis.part_graph(
        problem.k,
        adjacency=pymetis.CSRAdjacency(problem.indptr, problem.indices),
        vweights=problem.vertex_weights,
        eweights=problem.edge_weights,
        recursive=variant == "recursive",
        options=pymetis.Options(seed=problem.seed, ufactor=tolerance),
    ).vertex_part
    return found


metis = Baseline("METIS", "pymetis", "pymetis", ("kway", "recursive"), _run, crashes=False)
