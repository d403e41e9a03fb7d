"""Lists of edges (.csv, .tsv, .edges): one edge a line, ends by name or number, maybe with a weight.

Fields are set apart by commas or semicolons, tabs, or blanks, told by the first line, and may be quoted as in
CSV. A first line may name the columns. A line whose second end is empty is a vertex, maybe with its weight.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from dagpart._files import Source
from dagpart._text import Text, show
from dagpart.dag import Digraph
from dagpart.io.building import Builder, parse_weight, plain_weights, text_names, weight_at
from dagpart.io.formats import Format, Loaded

_SOURCE = ("source", "src", "from", "tail", "parent", "u")
_TARGET = ("target", "dst", "to", "head", "child", "v")
_WEIGHT = ("weight", "size", "cost", "bytes", "comm", "data", "w")
_LONGEST_FIELD = 2**20


def load(source: Source) -> Loaded:
    """Read a list of edges.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    ParseError
        A line is no edge, or its weight is none; names the line.

    Examples
    --------
    >>> loaded = load(Source("g.csv", b"source,target,weight\\nload,solve,7\\n"))
    >>> loaded.graph, loaded.graph.names
    (Dag(n=2, m=1), ('load', 'solve'))
    """
    text = Text.of(source)
    rows = _rows(text)
    line, first = next(rows, (0, []))
    if not first:
        raise text.error(
            text.last_line, "an empty file", "an edge in each line: source, target and maybe weight"
        )
    builder = Builder()
    columns = _header(text, line, first)
    if columns is None:
        columns = (0, 1, 2)
        _add(text, builder, line, first, columns, narrow=True)
        narrow = True
    else:
        narrow = False
    for line, row in rows:
        _add(text, builder, line, row, columns, narrow=narrow)
    return Loaded(builder.build(), FORMAT.name)


def _rows(text: Text) -> Iterator[tuple[int, list[str]]]:
    chars = text.decoded()
    if "\0" in chars:
        raise text.error(1 + chars.count("\n", 0, chars.index("\0")), "a zero byte", "text")
    sample = next((line for line in chars.split("\n") if line.strip() and not line.startswith("#")), "")
    delimiter = next((sign for sign in ("\t", ",", ";") if sign in sample), " ")
    # A quoted name may hold a new line, so csv has to see the whole.
    reader = csv.reader(io.StringIO(chars), delimiter=delimiter, skipinitialspace=True, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise text.error(line, f"a damaged line ({error})", "fields of CSV") from None
        if delimiter == " ":
            row = [name for name in row if name]
        if row and any(name.strip() for name in row) and not row[0].startswith("#"):
            yield line, row


def _header(text: Text, line: int, row: list[str]) -> tuple[int, int, int] | None:
    """Places of source, target and weight (-1 without) where the first line names columns."""
    words = [name.strip().lower() for name in row]
    places = [
        next((words.index(name) for name in names if name in words), -1)
        for names in (_SOURCE, _TARGET, _WEIGHT)
    ]
    if places[0] >= 0 and places[1] >= 0:
        return places[0], places[1], places[2]
    headed = len(row) > 2 and parse_weight(words[2]) is None and words[2] != ""
    if len(row) > 3 or headed or any(place >= 0 for place in places[:2]):
        found = f"the columns {show(', '.join(row).encode())}"
        raise text.error(
            line, found, "columns called source and target, or lines of source, target and maybe weight"
        )
    return None


def _add(
    text: Text, builder: Builder, line: int, row: list[str], columns: tuple[int, int, int], *, narrow: bool
) -> None:
    fields = [row[place] if 0 <= place < len(row) else "" for place in columns]
    if (narrow and len(row) > 3) or len(row) < 2 or not fields[0]:
        found = ("1 field" if len(row) == 1 else f"{len(row)} fields") if fields[0] else "no source"
        raise text.error(line, found, "source, target and maybe weight")
    tail = builder.vertex(fields[0])
    if fields[1]:
        head = builder.vertex(fields[1])
        builder.edge(tail, head, weight_at(text, line, fields[2].strip()) if fields[2].strip() else 1)
    elif fields[2].strip():
        builder.weights[tail] = weight_at(text, line, fields[2].strip())


def dump(graph: Digraph) -> bytes:
    """The CSV of a graph: every edge, and every vertex that has no edge or a weight of its own.

    A line without a target holds the weight of the vertex.

    Examples
    --------
    >>> from dagpart import Dag
    >>> print(dump(Dag.from_edges([("a", "b", 2)])).decode(), end="")
    source,target,weight
    a,,1
    b,,1
    a,b,2
    """
    names = text_names(graph)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("source", "target", "weight"))
    vertex = plain_weights(graph.vertex_weights, graph.vertex_weight_scale)
    writer.writerows((name, "", weight) for name, weight in zip(names, vertex, strict=True))
    edge = plain_weights(graph.edge_weights, graph.weight_scale)
    ends = zip(graph.edge_sources().tolist(), graph.indices.tolist(), edge, strict=True)
    writer.writerows((names[u], names[v], weight) for u, v, weight in ends)
    return out.getvalue().encode("utf-8", "surrogatepass")


FORMAT = Format(
    "edge-list",
    (".csv", ".tsv", ".edges", ".edgelist"),
    load,
    dump=dump,
    keeps=("names", "direction", "vertex_weights", "edge_weights", "scale"),
)
