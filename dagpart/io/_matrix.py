"""What a square matrix says: an adjacency, or a solver's dependencies in one triangle."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from dagpart.dag import Dag, Digraph
from dagpart.io.building import settled

As = Literal["auto", "adjacency", "lower", "upper"]


def interpret(A: Any, as_: As, options: dict[str, Any]) -> tuple[Digraph, str]:
    """The graph of a matrix and the reading that gave it.

    Parameters
    ----------
    A : SciPy sparse matrix or array, n x n
    as_ : {"auto", "adjacency", "lower", "upper"}
        "auto": adjacency when that is acyclic, else the triangle with more entries.
    options : dict
        Keywords of `Digraph.from_scipy`, ``zeros`` among them.
    """
    if as_ in ("lower", "upper"):
        return Dag.from_matrix(A, triangle=as_, **options), as_
    if as_ == "adjacency":
        return settled(Digraph.from_scipy(A, **options)), as_
    pattern = Digraph.from_scipy(A, zeros=options["zeros"])
    if pattern.is_acyclic:
        # With weights of 1 the pattern is the graph.
        graph = pattern if options["edge_weights"] == "unit" else Digraph.from_scipy(A, **options)
        return settled(graph), "adjacency"
    dag = Dag.from_matrix(A, **options)
    above = np.count_nonzero(pattern.edge_sources() < pattern.indices)
    return dag, "upper" if above == dag.m else "lower"
