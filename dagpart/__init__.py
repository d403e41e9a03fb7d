"""Split a directed acyclic graph into balanced parts whose quotient graph is acyclic too."""

from importlib.metadata import version

from dagpart import adaptors, baselines, datasets, exact, generate, metrics, schedule
from dagpart.clustering import cluster
from dagpart.comparing import compare
from dagpart.dag import Dag, Digraph
from dagpart.errors import (
    BalanceWarning,
    DagpartError,
    DownloadError,
    InfeasibleError,
    InvalidScheduleError,
    MissingDependencyError,
    NotADagError,
    ParseError,
    ToolError,
    WeightError,
)
from dagpart.io import read, write
from dagpart.metrics import check
from dagpart.options import Options
from dagpart.partitioning import Partition, partition

__version__ = version("dagpart")

__all__ = [
    "BalanceWarning",
    "Dag",
    "DagpartError",
    "Digraph",
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
    "adaptors",
    "baselines",
    "check",
    "cluster",
    "compare",
    "datasets",
    "exact",
    "generate",
    "metrics",
    "partition",
    "read",
    "schedule",
    "write",
]
