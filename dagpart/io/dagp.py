"""dagP's text graphs (.dg, .dgraph).

Numbers only: those of vertices n and of edges m, then n + 1 offsets that begin with 0, then the predecessors
of the vertices one after the other, which count from 1; offset v and the next one say where those of vertex v
stand. There is no room for weights or names. dagP publishes no description; the form is that which its reader
was seen to take.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dagpart._files import Source
from dagpart._text import Ragged, Text, read_ragged
from dagpart.dag import Digraph
from dagpart.io.building import check_isolated, from_arrays
from dagpart.io.formats import Format, Loaded

_COMMENT = b"%"


def load(source: Source) -> Loaded:
    """Read a graph of dagP; how its numbers are spread over lines does not matter.

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
    >>> load(Source("path.dg", b"3 2\\n0 0 1 2\\n1 2\\n")).graph.indices.tolist()
    [1, 2]
    """
    text = Text.of(source)
    rows = read_ragged(text, _COMMENT, "the numbers of a graph of dagP")
    numbers = rows.values
    if numbers.size < 2:
        found = "the end of the file" if text.data.strip() else "an empty file"
        raise text.error(text.last_line, found, "numbers of vertices and edges")
    n, m = numbers[:2].tolist()
    if min(n, m) < 0:
        raise text.error(_line(rows, 0), f"{n} {m}", "numbers of vertices and edges")
    wanted = n + 1 + m
    if numbers.size - 2 != wanted:
        place = text.last_line if numbers.size - 2 < wanted else _line(rows, wanted + 2)
        raise text.error(
            place,
            f"{numbers.size - 2} numbers behind {n} vertices and {m} edges",
            f"{wanted}: {n + 1} offsets and {m} predecessors, as dagP has them",
        )
    check_isolated(text.name, _line(rows, 0), n, m, "edges")
    offsets, before = numbers[2 : n + 3], numbers[n + 3 :]
    falls = np.flatnonzero(np.diff(offsets) < 0)
    if offsets[0] != 0:
        raise text.error(_line(rows, 2), f"the first offset {offsets[0]}", "0")
    if falls.size:
        place = int(falls[0]) + 1
        raise text.error(
            _line(rows, 2 + place),
            f"the offset {offsets[place]} behind {offsets[place - 1]}",
            "offsets that do not fall",
        )
    if offsets[-1] != m:
        raise text.error(_line(rows, n + 2), f"the last offset {offsets[-1]}", f"{m}, the number of edges")
    outside = np.flatnonzero((before < 1) | (before > n))
    if outside.size:
        place = int(outside[0])
        raise text.error(_line(rows, n + 3 + place), f"the predecessor {before[place]}", f"one from 1 to {n}")
    graph = from_arrays(n, before - 1, np.repeat(np.arange(n), np.diff(offsets)))
    return Loaded(graph, FORMAT.name)


def _line(rows: Ragged, place: int) -> int:
    """Number of the line in which a number stands."""
    line: np.int64 = rows.lines[np.searchsorted(rows.start, place, side="right") - 1]
    return int(line)


def dump(graph: Digraph) -> bytes:
    """The file of a graph.

    Examples
    --------
    >>> from dagpart import Dag
    >>> print(dump(Dag.from_edges([(0, 1), (1, 2)])).decode(), end="")
    3 2
    0 0 1 2
    1 2
    """
    lines: list[NDArray[np.int64]] = [
        np.array([graph.n, graph.m]),
        graph.pred_indptr,
        graph.pred_indices.astype(np.int64) + 1,
    ]
    return "".join(" ".join(map(str, line.tolist())) + "\n" for line in lines).encode("ascii")


FORMAT = Format("dagp", (".dg", ".dgraph"), load, dump=dump, keeps=("direction",))
