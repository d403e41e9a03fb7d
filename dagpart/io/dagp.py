"""dagP's text graphs (.dg, .dgraph).

dagP names these suffixes but publishes no description of what is in the files. They are read and written here
in METIS's layout with directions: a header of vertices, edges and a format, then for each vertex one line
with its weight and its successors, which count from 1, each with its weight where the format says so.
"""

from __future__ import annotations

from dagpart._files import Source
from dagpart._text import Text
from dagpart.dag import Digraph
from dagpart.io._adjacency import read_adjacency, write_adjacency
from dagpart.io.building import from_arrays
from dagpart.io.formats import Format, Loaded


def load(source: Source) -> Loaded:
    """Read a directed graph in METIS's layout.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    ParseError
        The file is damaged; names the line.

    Examples
    --------
    >>> load(Source("path.dg", b"3 2\\n2\\n3\\n\\n")).graph
    Dag(n=3, m=2)
    """
    text = Text.of(source)
    found = read_adjacency(text)
    if found.source.size != found.edges:
        raise text.error(
            found.header_line,
            f"{found.edges} edges in the header",
            f"{found.source.size}, as the lines below have",
        )
    graph = from_arrays(found.n, found.source, found.target, found.edge_weights, found.vertex_weights)
    return Loaded(graph, FORMAT.name)


def dump(graph: Digraph) -> bytes:
    """The file of a graph.

    Examples
    --------
    >>> from dagpart import Dag
    >>> print(dump(Dag.from_edges([(2, 1, 5)])).decode(), end="")
    3 1 001
    <BLANKLINE>
    <BLANKLINE>
    2 5
    """
    return write_adjacency(graph, mirrored=False)


FORMAT = Format(
    "dagp", (".dg", ".dgraph"), load, dump=dump, keeps=("direction", "vertex_weights", "edge_weights")
)
