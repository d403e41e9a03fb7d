"""Partitioners that users know, called the same way, and `repair`, which makes their parts acyclic.

METIS, Scotch, KaHIP, KaMinPar and Mt-KaHyPar partition the undirected graph: their parts may depend on each
other in cycles. Their libraries come with the extra ``dagpart[baselines]`` and are loaded when they are first
called.
"""

from __future__ import annotations

from collections.abc import Mapping

from dagpart.baselines._kahip import kahip
from dagpart.baselines._kaminpar import kaminpar
from dagpart.baselines._metis import metis
from dagpart.baselines._mtkahypar import mtkahypar
from dagpart.baselines._scotch import scotch
from dagpart.baselines._undirected import Baseline
from dagpart.baselines.external import DagP, ExternalTool
from dagpart.baselines.repairing import Repaired, repair

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
