"""What a square matrix says: an adjacency, or a solver's dependencies in one triangle."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from dagpart import _entries
from dagpart.dag import Dag, Digraph
from dagpart.io.building import settled

As = Literal["auto", "adjacency", "lower", "upper"]

_LOWER = f'{_entries.LOWER_TRIANGLE}; as_="lower" (--as lower) reads a solve, as_="adjacency" an adjacency'


def interpret(A: Any, as_: As, options: dict[str, Any]) -> tuple[Digraph, str, tuple[str, ...]]:
    """The graph of a matrix, the reading that gave it, and what is doubtful about it.

    Parameters
    ----------
    A : SciPy sparse matrix or array, n x n
    as_ : {"auto", "adjacency", "lower", "upper"}
        "auto": adjacency when that is acyclic, else the triangle with more entries.
    options : dict
        Keywords of `Digraph.from_scipy`, ``zeros`` among them.
    """
    if as_ in ("lower", "upper"):
        return Dag.from_matrix(A, triangle=as_, **options), as_, ()
    if as_ == "adjacency":
        return settled(Digraph.from_scipy(A, **options)), as_, ()
    pattern = Digraph.from_scipy(A, zeros=options["zeros"])
    if pattern.is_acyclic:
        # With weights of 1 the pattern is the graph.
        graph = pattern if options["edge_weights"] == "unit" else Digraph.from_scipy(A, **options)
        doubts = (_LOWER,) if _entries.descends(graph.indptr, graph.indices) else ()
        return settled(graph), "adjacency", doubts
    dag = Dag.from_matrix(A, **options)
    above = np.count_nonzero(pattern.edge_sources() < pattern.indices)
    return dag, "upper" if above == dag.m else "lower", ()
