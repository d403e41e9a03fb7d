"""Partitioners that users know, called the same way, and `repair`, which makes their parts acyclic.

METIS, Scotch, KaHIP, KaMinPar and Mt-KaHyPar partition the undirected graph: their parts may depend on each
other in cycles. Their libraries come with the extra ``dagpart[baselines]`` and are loaded when they are first
called.
"""

from __future__ import annotations

from collections.abc import Mapping

from dagpart.baselines._undirected import Baseline
from dagpart.baselines.external import DagP, ExternalTool
from dagpart.baselines.kahip import kahip
from dagpart.baselines.kaminpar import kaminpar
from dagpart.baselines.metis import metis
from dagpart.baselines.mtkahypar import mtkahypar
from dagpart.baselines.repair import Repaired, repair
from dagpart.baselines.scotch import scotch

__all__ = [
    "BASELINES",
    "Baseline",
    "DagP",
    "ExternalTool",
    "Repaired",
    "kahip",
    "kaminpar",
    "metis",
    "mtkahypar",
    "repair",
    "scotch",
]

BASELINES: Mapping[str, Baseline] = {
    "metis": metis,
    "scotch": scotch,
    "kahip": kahip,
    "kaminpar": kaminpar,
    "mtkahypar": mtkahypar,
}
"""Every partitioner by its name."""
