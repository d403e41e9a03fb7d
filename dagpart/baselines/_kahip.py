"""KaHIP: the multilevel partitioner KaFFPa, through the wheel of its authors.

P. Sanders and C. Schulz, "Think locally, act globally: highly balanced graph partitioning", SEA 2013. It gets
a process of its own: it was seen to crash on edges of weight 0, which are left out now, and may do so
elsewhere.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dagpart.baselines._undirected import Baseline, Undirected


def _run(kaffpa: Any, problem: Undirected, variant: str) -> ArrayLike:
    labels: ArrayLike = kaffpa.kaffpa(
        problem.vertex_weights.tolist(),
        problem.indptr.tolist(),
        problem.edge_weights.tolist(),
        problem.indices.tolist(),
        problem.k,
        problem.imbalance,
        True,  # says nothing
        problem.seed,
        kahip.variants.index(variant),
    )[1]
    return labels


kahip = Baseline(
    "KaHIP",
    "kahip",
    "kahip",
    ("fast", "eco", "strong", "fastsocial", "ecosocial", "strongsocial"),
    _run,
    crashes=True,
)
