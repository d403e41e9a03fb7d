"""What must share a part becomes one vertex: cycles, groups, fixed parts, and the paths inside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from dagpart._arguments import check_choice, check_count, check_ids
from dagpart._core.graph import traversal
from dagpart._named import as_dict, is_missing, is_named
from dagpart.dag import Dag, Digraph
from dagpart.errors import DagpartError, InfeasibleError

__all__ = ["Reduction", "reduce"]


@dataclass(frozen=True)
class Reduction:
    """A graph in which all that must share a part is one vertex.

    Attributes
    ----------
    given : Digraph
        The graph of the caller; a `Dag` where it is acyclic.
    dag : Dag
        The graph to work on.
    membership : int array of length given.n, or None
        The vertex of `dag` that each vertex went into; None where nothing was merged.
    rank : int array of length dag.n
        A topological numbering.
    part_of : int64[dag.n]
        The part that a vertex is fixed to, or -1.
    anchors : int8[dag.n] or int8[0]
        1 for the vertices that are fixed, to different parts; empty where nothing is.
    """

    given: Digraph
    dag: Dag
    membership: NDArray[Any] | None
    rank: NDArray[Any]
    part_of: NDArray[np.int64]
    anchors: NDArray[np.int8]


def reduce(given: Digraph, k: int, fixed: Any, groups: Any, on_cycle: str) -> Reduction:
    """Merge what must share a part; the arguments are those of `dagpart.partition`.

    Raises
    ------
    NotADagError, InfeasibleError, DagpartError
        As `dagpart.partition`.
    """
    check_choice(on_cycle, "on_cycle", ("raise", "condense"))
    if not given.is_acyclic and on_cycle == "raise":
        given = Dag.from_any(given)  # raises, with the cycle
    elif given.is_acyclic:
        given = Dag.from_any(given)

    wanted = _fixed_parts(given, fixed, k)
    together = _group_members(given, groups)
    bound = [np.flatnonzero(wanted == p).tolist() for p in np.unique(wanted[wanted >= 0]).tolist()]
    if isinstance(given, Dag) and not together and not bound:
        dag, membership = given, None
        rank = traversal.topological_numbers(dag.indptr, dag.indices)
    else:
        dag, membership = given.condense(together + bound)
        rank = np.arange(dag.n, dtype=dag.indices.dtype)
    part_of = np.full(dag.n, -1, dtype=np.int64)
    anchors = np.zeros(0, dtype=np.int8)
    if bound:
        assert membership is not None
        held = np.flatnonzero(wanted >= 0)
        part_of[membership[held]] = wanted[held]
        clash = held[part_of[membership[held]] != wanted[held]]
        if clash.size:
            raise _contradiction(given, together + bound, wanted, membership, int(clash[0]))
        anchors = (part_of >= 0).astype(np.int8)
    return Reduction(given, dag, membership, rank, part_of, anchors)


def _vertex(graph: Digraph, v: Any, where: str) -> int:
    """Id of a vertex that the caller named, by its name where the graph has names."""
    if graph.names is not None:
        return graph.index(v)
    vertex = check_count(v, f"a vertex in {where}")
    if vertex >= graph.n:
        raise DagpartError(f"{where}: there is no vertex {vertex}; ids run from 0 to {graph.n - 1}")
    return vertex


def _group_members(graph: Digraph, groups: Any) -> list[list[int]]:
    try:
        return [[_vertex(graph, v, "groups") for v in group] for group in groups or ()]
    except TypeError:
        raise DagpartError("groups must be lists of vertices that share a part: [[0, 1], [5, 7]]") from None


def _fixed_parts(graph: Digraph, fixed: Any, k: int) -> NDArray[np.int64]:
    """int64[n], the part each vertex is fixed to or -1."""
    wanted = np.full(graph.n, -1, dtype=np.int64)
    if fixed is None:
        return wanted
    if is_named(fixed):
        # A Series with gaps holds floats; -1 is a free vertex in it as in an array, in a mapping a mistake.
        free = None if isinstance(fixed, Mapping) else -1
        fixed = {
            v: int(p) if isinstance(p, float) and p.is_integer() else p
            for v, p in as_dict(fixed, "fixed").items()
            if not (is_missing(p) or p == free)
        }
        held = np.array([_vertex(graph, v, "fixed") for v in fixed], dtype=np.int64)
        parts = check_ids(
            [check_count(p, f"the part that {v} is fixed to") for v, p in fixed.items()], "fixed"
        )
    else:
        held = np.arange(graph.n)
        parts = check_ids(fixed, "fixed")
        if len(parts) != graph.n:
            raise DagpartError(f"fixed has {len(parts)} entries for {graph.n} vertices; -1 is a free one")
    bad = np.flatnonzero((parts < -1) | (parts >= k))
    if bad.size:
        v, part = graph.name(int(held[bad[0]])), parts[bad[0]]
        raise DagpartError(f"vertex {v} is fixed to part {part}; parts run from 0 to {k - 1}, -1 is free")
    wanted[held] = parts
    return wanted


def _contradiction(
    graph: Digraph, groups: list[list[int]], wanted: NDArray[np.int64], membership: NDArray[Any], v: int
) -> InfeasibleError:
    """Why `v` and a vertex fixed to another part cannot be told apart: each must precede the other."""
    block = np.flatnonzero((membership == membership[v]) & (wanted >= 0) & (wanted != wanted[v]))
    u = int(block[0])
    tails = np.repeat(np.arange(graph.n), np.diff(graph.indptr))
    heads = graph.indices
    for group in groups:
        turn = np.asarray(group)
        tails = np.concatenate((tails, turn))
        heads = np.concatenate((heads, np.roll(turn, -1)))
    pattern = scipy.sparse.csr_array((np.ones(len(tails), np.int8), (tails, heads)), shape=(graph.n, graph.n))
    there, back = (_path(graph, pattern, a, b) for a, b in ((u, v), (v, u)))
    return InfeasibleError(
        f"fixed parts contradict each other: part {wanted[u]} would have to precede part {wanted[v]} "
        f"({there}) and follow it ({back}); free one of these vertices or fix them to one part"
    )


def _path(graph: Digraph, pattern: Any, a: int, b: int) -> str:
    """A shortest path in words; a step inside a group or a fixed part, which is no edge, is written ~."""
    from scipy.sparse import csgraph

    _, before = csgraph.breadth_first_order(pattern, a)
    path = [b]
    while path[-1] != a:
        path.append(int(before[path[-1]]))
    path.reverse()
    words = str(graph.name(path[0]))
    for x, y in pairwise(path):
        row = graph.indices[graph.indptr[x] : graph.indptr[x + 1]]
        words += f" {'->' if y in row else '~'} {graph.name(y)}"
    return words
