"""Split a directed acyclic graph into balanced parts whose quotient graph is acyclic too."""

from importlib.metadata import version

from dagpart import generate, metrics
from dagpart.dag import Dag, Digraph
from dagpart.errors import (
    BalanceWarning,
    DagpartError,
    InfeasibleError,
    NotADagError,
    ParseError,
    WeightError,
)
from dagpart.io import read
from dagpart.metrics import check
from dagpart.options import Options
from dagpart.partitioning import Partition, partition

__version__ = version("dagpart")

__all__ = [
    "BalanceWarning",
    "Dag",
    "DagpartError",
    "Digraph",
    "InfeasibleError",
    "NotADagError",
    "Options",
    "ParseError",
    "Partition",
    "WeightError",
    "check",
    "generate",
    "metrics",
    "partition",
    "read",
]
