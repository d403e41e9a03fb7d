"""Split a directed acyclic graph into balanced parts whose quotient graph is acyclic too."""

from typing import TYPE_CHECKING

from dagpart import _providers
from dagpart._lazy import on_demand
from dagpart.errors import (
    BalanceWarning,
    DagpartError,
    DirectionWarning,
    DownloadError,
    InfeasibleError,
    InvalidScheduleError,
    MissingDependencyError,
    NotADagError,
    ParseError,
    ToolError,
    WeightError,
)

if TYPE_CHECKING:
    from dagpart import adaptors, baselines, datasets, exact, generate, io, metrics, schedule
    from dagpart._version import __version__
    from dagpart.clustering import cluster
    from dagpart.comparing import compare
    from dagpart.dag import Dag, Digraph
    from dagpart.io import read, write
    from dagpart.metrics import check
    from dagpart.options import Options
    from dagpart.partitioning import partition
    from dagpart.search.result import Partition
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "_version": ["__version__"],
            "clustering": ["cluster"],
            "comparing": ["compare"],
            "dag": ["Dag", "Digraph"],
            "io": ["read", "write"],
            "metrics": ["check"],
            "options": ["Options"],
            "partitioning": ["partition"],
            "search.result": ["Partition"],
        },
        modules=[
            "adaptors",
            "baselines",
            "clustering",
            "comparing",
            "dag",
            "datasets",
            "exact",
            "generate",
            "io",
            "metrics",
            "options",
            "partitioning",
            "schedule",
        ],
    )

__all__ = [
    "BalanceWarning",
    "Dag",
    "DagpartError",
    "Digraph",
    "DirectionWarning",
    "DownloadError",
    "InfeasibleError",
    "InvalidScheduleError",
    "MissingDependencyError",
    "NotADagError",
    "Options",
    "ParseError",
    "Partition",
    "ToolError",
    "WeightError",
    "__version__",
    "adaptors",
    "baselines",
    "check",
    "cluster",
    "compare",
    "datasets",
    "exact",
    "generate",
    "io",
    "metrics",
    "partition",
    "read",
    "schedule",
    "write",
]


# What lower modules need of higher ones is handed down here, and nowhere else.
_providers.read_file.fill("dagpart.io", "read")
_providers.find_adaptor.fill("dagpart.adaptors", "find")
_providers.names_a_graph.fill("dagpart.datasets", "is_name")
_providers.load_named.fill("dagpart.datasets", "resolve")
