"""HyperDAG files (.hdag, .txt), of HyperDAG_DB and OneStopParallel.

The format is the one that HyperDAG_DB describes in its FileFormat_README: a line with the numbers of
hyperedges, nodes and pins, then a line for each of them. A hyperedge is what one task makes: its first pin is
the producer, the others are those who need it. Comments start with % and may stand anywhere.

Files without lines for hyperedges are read as well: `dagpart.io.lhdag` has them.

Source: P. A. Papp, G. Anegg, A. N. Yzelman, "Partitioning Hypergraphs is Hard: Models, Inapproximability, and
Applications", SPAA 2023.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dagpart._files import Source
from dagpart._text import Ragged, Text, read_ragged
from dagpart.dag import Digraph
from dagpart.io.building import from_arrays
from dagpart.io.formats import Format, Loaded

LIGHT = "lhdag"
"""Name of the format without lines for hyperedges."""

_COMMENT = b"%"
# A node line of this many numbers tells of types, as files made from running programs do, and of no weight.
_TYPED = 4


def load(source: Source) -> Loaded:
    """Read a HyperDAG: an edge runs from the first pin of each hyperedge to each of its other pins.

    The second number of a hyperedge is the weight of its edges, the second number of a node its weight, each
    1 where there is none; a node with four numbers or more tells its type there and weighs 1. A file with no
    lines for hyperedges is one of OneStopParallel's ``.lhdag``: its pins come first, and the third number of
    a node is the weight of the edges that leave it.

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
    >>> loaded = load(Source("fork.hdag", b"1 3 3\\n0 5\\n0 1\\n1 1\\n2 1\\n0 0\\n0 1\\n0 2\\n"))
    >>> loaded.graph, loaded.graph.edge_weights.tolist()
    (Dag(n=3, m=2), [5, 5])
    """
    text = Text.of(source)
    rows = read_ragged(text, _COMMENT, "the numbers of a hyperedge, a node or a pin")
    if not len(rows.lines):
        found = "an empty file" if not text.data.strip() else "comments only"
        raise text.error(text.last_line, found, "numbers of hyperedges, nodes and pins")
    head = rows.values[: rows.start[1]].tolist()
    line = int(rows.lines[0])
    if len(head) < 3 or min(head[:3]) < 0:
        raise text.error(line, " ".join(map(str, head)), "numbers of hyperedges, nodes and pins")
    hyperedges, n, pins = head[:3]
    there = len(rows.lines) - 1
    light = there == n + pins and hyperedges > 0
    if not light and there != hyperedges + n + pins:
        wanted = hyperedges + n + pins
        place = text.last_line if there < wanted else int(rows.lines[wanted + 1])
        raise text.error(
            place,
            f"{there} lines of numbers below line {line}",
            f"{wanted}, as that line says, or {n + pins} without those of hyperedges",
        )
    places = 1 + (pins if light else hyperedges)
    edge, node = _pins(text, rows, 1 if light else places + n, pins, (hyperedges, n))
    weights = _properties(text, rows, places, n, "node")
    # The first pin of each hyperedge in the order of the file, which a stable sort keeps.
    order = np.argsort(edge, kind="stable")
    edge, node = edge[order], node[order]
    first = np.concatenate(([True], edge[1:] != edge[:-1]))[: edge.size]
    producer = node[np.maximum.accumulate(np.where(first, np.arange(edge.size), 0))]
    if light:
        sizes = _properties(text, rows, places, n, "node", column=2)[producer[~first]]
    else:
        sizes = _properties(text, rows, 1, hyperedges, "hyperedge")[edge[~first]]
    graph = from_arrays(n, producer[~first], node[~first], sizes, weights)
    return Loaded(graph, LIGHT if light else FORMAT.name)


def _properties(
    text: Text, rows: Ragged, first: int, count: int, what: str, column: int = 1
) -> NDArray[np.int64]:
    """The weight in a column of each hyperedge or node, by its id; 1 where there is none."""
    places = np.arange(first, first + count)
    start, lines = rows.start[places], rows.lines[places]
    widths = rows.start[places + 1] - start
    ids = rows.values[start]
    _refuse(text, lines, (ids < 0) | (ids >= count), ids, f"the id of a {what}, from 0 to {count - 1}")
    repeated = np.ones(count, dtype=bool)
    repeated[np.unique(ids, return_index=True)[1]] = False
    _refuse(text, lines, repeated, ids, f"the id of a {what} that has no line yet")
    weights = np.ones(count, dtype=np.int64)
    told = (widths > column) & (widths < _TYPED)
    weights[ids[told]] = rows.values[start[told] + column]
    _refuse(text, lines, weights[ids] < 0, weights[ids], "a weight that is not negative")
    return weights


def _pins(
    text: Text, rows: Ragged, first: int, count: int, bounds: tuple[int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Hyperedge and node of each pin; `bounds` says how many there are of both."""
    hyperedges, n = bounds
    start, lines = rows.start[first : first + count], rows.lines[first : first + count]
    widths = np.diff(rows.start[first : first + count + 1])
    _refuse(text, lines, widths < 2, widths, "a pin: a hyperedge and a node", "numbers in the line: ")
    edge, node = rows.values[start], rows.values[start + 1]
    _refuse(text, lines, (edge < 0) | (edge >= hyperedges), edge, f"a hyperedge from 0 to {hyperedges - 1}")
    _refuse(text, lines, (node < 0) | (node >= n), node, f"a node from 0 to {n - 1}")
    return edge, node


def _refuse(
    text: Text,
    lines: NDArray[np.int64],
    wrong: NDArray[np.bool_],
    values: NDArray[np.int64],
    wanted: str,
    found: str = "",
) -> None:
    if wrong.any():
        place = int(wrong.argmax())
        raise text.error(int(lines[place]), f"{found}{values[place]}", wanted)


def dump(graph: Digraph) -> bytes:
    """The HyperDAG of a graph: one hyperedge for the edges of one weight that leave a vertex.

    Examples
    --------
    >>> from dagpart import Dag
    >>> print(dump(Dag.from_edges([(0, 1), (0, 2)])).decode(), end="")
    %% Numbers of hyperedges, nodes and pins
    1 3 3
    %% Hyperedges: id, weight
    0 1
    %% Nodes: id, weight
    0 1
    1 1
    2 1
    %% Pins: hyperedge, node; the first of each hyperedge is the producer
    0 0
    0 1
    0 2
    """
    edge_weights, pins = hyperedges(graph)
    lines = [
        "%% Numbers of hyperedges, nodes and pins",
        f"{len(edge_weights)} {graph.n} {len(pins)}",
        "%% Hyperedges: id, weight",
        *(f"{e} {w}" for e, w in enumerate(edge_weights)),
        "%% Nodes: id, weight",
        *(f"{v} {w}" for v, w in enumerate(graph.vertex_weights.tolist())),
        "%% Pins: hyperedge, node; the first of each hyperedge is the producer",
        *pins,
        "",
    ]
    return "\n".join(lines).encode("ascii")


def hyperedges(graph: Digraph) -> tuple[list[int], list[str]]:
    """The weight of each hyperedge, and the lines of all pins."""
    source = graph.edge_sources()
    order = np.lexsort((graph.indices, graph.edge_weights, source))
    source, target, weight = source[order], graph.indices[order], graph.edge_weights[order]
    new = np.ones(source.size, dtype=bool)
    new[1:] = (source[1:] != source[:-1]) | (weight[1:] != weight[:-1])
    edge = np.cumsum(new) - 1
    pins = [
        line
        for e, u, v, fresh in zip(edge.tolist(), source.tolist(), target.tolist(), new.tolist(), strict=True)
        for line in ((f"{e} {u}", f"{e} {v}") if fresh else (f"{e} {v}",))
    ]
    return weight[new].tolist(), pins


FORMAT = Format(
    "hyperdag",
    (".hdag",),
    load,
    dump=dump,
    foreign=(".txt",),
    keeps=("direction", "vertex_weights", "edge_weights"),
)
