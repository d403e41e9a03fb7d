"""METIS graph files (.graph, .mgraph), as METIS, KaHIP and their kin read and write them.

The format is that of the METIS manual, section 4.1: a header, then one line for each vertex with its weights
and its neighbours, which count from 1; a blank line is a vertex without neighbours; every edge stands in the
lines of both its ends. METIS graphs have no directions: every edge is taken to run from the lower id to the
higher.
"""

from __future__ import annotations

import numpy as np

from dagpart._files import Source
from dagpart._text import Text
from dagpart.dag import Digraph
from dagpart.io._adjacency import Adjacency, read_adjacency, write_adjacency
from dagpart.io.building import from_arrays
from dagpart.io.formats import Format, Loaded


def load(source: Source) -> Loaded:
    """Read a METIS graph.

    Of several weights of a vertex the first is taken; sizes of vertices are passed over.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    ParseError
        The file is damaged, or an edge does not stand in the lines of both its ends; names the line.

    Examples
    --------
    >>> loaded = load(Source("path.graph", b"3 2\\n2\\n1 3\\n2\\n"))
    >>> loaded.graph, loaded.notes
    (Dag(n=3, m=2), ('undirected: every edge is taken to run from the lower id to the higher',))
    """
    text = Text.of(source)
    found = read_adjacency(text)
    notes = ["undirected: every edge is taken to run from the lower id to the higher"]
    if found.constraints > 1:
        notes.append(f"{found.constraints} weights a vertex: the first is taken")
    _check_symmetry(text, found)
    up = found.source < found.target
    loops = found.source == found.target
    once = up | loops
    graph = from_arrays(
        found.n, found.source[once], found.target[once], found.edge_weights[once], found.vertex_weights
    )
    return Loaded(graph, FORMAT.name, notes=tuple(notes))


def _check_symmetry(text: Text, found: Adjacency) -> None:
    low, high = np.minimum(found.source, found.target), np.maximum(found.source, found.target)
    sides = []
    for side in (found.source < found.target, found.source > found.target):
        places = np.flatnonzero(side)
        sides.append(places[np.lexsort((found.edge_weights[places], high[places], low[places]))])
    upward, downward = (np.column_stack((low[s], high[s], found.edge_weights[s])) for s in sides)
    common = min(len(upward), len(downward))
    differs = (upward[:common] != downward[:common]).any(axis=1)
    if differs.any() or len(upward) != len(downward):
        row = int(differs.argmax()) if differs.any() else common
        candidates = [tuple(side[row].tolist()) for side in (upward, downward) if row < len(side)]
        edge = min(candidates)
        place = sides[0][row] if row < len(upward) and tuple(upward[row].tolist()) == edge else sides[1][row]
        u, v = int(found.source[place]) + 1, int(found.target[place]) + 1
        raise text.error(
            int(found.line[place]),
            f"the neighbour {v} of vertex {u} (edge weight {edge[2]})",
            f"the same edge in the line of vertex {v}, too",
        )
    loops = int(np.count_nonzero(found.source == found.target))
    if len(upward) + loops != found.edges and len(upward) != found.edges:
        raise text.error(
            found.header_line, f"{found.edges} edges in the header", f"{len(upward)}, as the lines below have"
        )


def dump(graph: Digraph) -> bytes:
    """The METIS file of a graph: its edges without their directions.

    Parameters
    ----------
    graph : Digraph
        Two opposite edges would be two parallel ones.

    Examples
    --------
    >>> from dagpart import Dag
    >>> print(dump(Dag.from_edges([(0, 1), (1, 2)])).decode(), end="")
    3 2
    2
    1 3
    2
    """
    return write_adjacency(graph, mirrored=True)


FORMAT = Format(
    "metis", (".graph", ".mgraph", ".metis"), load, dump=dump, keeps=("vertex_weights", "edge_weights")
)
