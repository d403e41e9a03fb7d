"""Partitions in files, in the user's own terms: part files, JSON, CSV with names, DOT coloured by part."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart._files import check_writable, read_source, write_file
from dagpart._json import member, parse_json, shown
from dagpart._named import Values
from dagpart._text import Text, show, whole
from dagpart.dag import Digraph
from dagpart.errors import DagpartError, ParseError
from dagpart.io.building import plain_weights, text_names
from dagpart.io.dot import edge_lines, node_lines
from dagpart.io.parts import MOST_PART, column, read_parts
from dagpart.metrics import as_labels

_HEADING = ("vertex", "part")
# Who gives parts such a name expects something else than text with numbers.
_OF_OTHER_KINDS = frozenset(
    f".{kind}"
    for kinds in (
        "png jpg jpeg gif bmp tif tiff webp svg pdf ps eps html htm",
        "xml yaml yml toml xls xlsx ods doc docx db sqlite",
        "npy npz mat h5 hdf5 parquet feather arrow pkl pickle joblib pt pth onnx",
        "zip tar tgz bz2 xz zst",
    )
    for kind in kinds.split()
)
# Hues that follow each other by the golden ratio stay apart however many there are.
_GOLDEN = 0.618033988749895


def write_partition(
    path: str | os.PathLike[str],
    graph: Digraph,
    labels: Values,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write a partition, whole or not at all, in the form that the file's suffix says.

    ``.json``: an object with k, what `facts` has, and the part of each vertex (``parts`` by name, where
    vertices have names, else ``labels``). ``.csv``, ``.tsv``: a line with a vertex and its part for each,
    below ``vertex,part``. ``.dot``, ``.gv``: the graph with a coloured cluster for each part. Anything else:
    one part id a line, but suffixes of pictures, arrays and documents are refused. A name that ends with
    ``.gz`` is compressed; ``"-"`` is standard output, for one id a line. `read_partition` reads all but DOT.

    Parameters
    ----------
    path : str or path-like
    graph : Digraph
    labels : array_like of int, shape (n,)
        Part of each vertex.
    facts : mapping, optional
        Further members of the JSON object, as `dagpart.Partition.to_dict` gives.

    Raises
    ------
    DagpartError
        The labels do not fit the graph, names cannot be told apart as text, or the suffix is that of a file
        of another kind.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from dagpart import Dag
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_partition(f"{folder}/out.csv", Dag.from_edges([("a", "b")]), [0, 1])
    ...     print(Path(folder, "out.csv").read_text(), end="")
    vertex,part
    a,0
    b,1
    """
    part, _ = as_labels(labels, graph.n, 2**31 - 1 if graph.n else None, graph.names)
    write_file(path, _form(path)(graph, part, facts or {}))


def partition_writer(path: str | os.PathLike[str]) -> None:
    """Find out, before there is anything to write, whether `write_partition` could.

    Raises
    ------
    DagpartError
        The suffix is that of a file of another kind.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> partition_writer("parts.png")
    Traceback (most recent call last):
    dagpart.errors.DagpartError: parts.png: parts are no .png; write .json, .csv, .tsv, .dot or .part
    """
    _form(path)
    check_writable(path)


def read_partition(path: str | os.PathLike[str], graph: Digraph, *, free: bool = False) -> NDArray[np.int32]:
    """Read the parts of a graph's vertices, in any form of `write_partition` but DOT.

    ``.json``, ``.csv`` and ``.tsv`` go by the names of the vertices, or by their ids where they have none;
    ``labels`` in JSON, and a file with another suffix, by their order. Names with a carriage return
    come back from JSON only; tables of them are refused.

    Parameters
    ----------
    path : str or path-like
        The file, maybe gzip; ``"-"`` is standard input, for one part id a line.
    graph : Digraph
    free : bool, default False
        Whether vertices may be free to go to any part: those with -1, and those that a file with names does
        not name.

    Returns
    -------
    int32[n]
        Part of each vertex; -1 where it is free.

    Raises
    ------
    ParseError
        The file is not as said, is a DOT file, or not of this graph; names the line where there is one.
    DagpartError
        Names of the graph cannot be told apart as text.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> from dagpart import Dag
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     graph = Dag.from_edges([("a", "b")])
    ...     write_partition(f"{folder}/out.csv", graph, [0, 1])
    ...     read_partition(f"{folder}/out.csv", graph).tolist()
    [0, 1]
    """
    form = _form(path)
    if form is _part_file:
        return read_parts(path, n=graph.n, free=free)
    if form is _dot:
        # It may be any graph, without parts.
        raise ParseError(
            path, 1, "a graph in DOT", "parts, as they are written to .json, .csv, .tsv or .part"
        )
    text = Text.of(read_source(path))
    named = _Named(text, graph, free)
    if form is _json:
        document = parse_json(text)
        if "parts" not in document:
            return named.by_order(member(text, document, "labels", list))
        for name, part in member(text, document, "parts", dict).items():
            named.put(None, name, part)
    else:
        for line, name, part in _rows(text, "\t" if form is _tsv else ","):
            named.put(line, name, part)
    return named.labels()


class _Named:
    """Labels that are read one by one, each with the name of its vertex."""

    def __init__(self, text: Text, graph: Digraph, free: bool) -> None:
        self._text, self._lowest = text, -1 if free else 0
        self._names = text_names(graph)
        self._place = {name: v for v, name in enumerate(self._names)}
        self._labels = np.full(graph.n, -1, np.int32)
        self._seen = np.zeros(graph.n, bool)

    def put(self, line: int | None, name: str, part: Any) -> None:
        """The next vertex."""
        v = self._place.get(name)
        if v is None:
            raise self._error(line, name, f"the vertex {_shown(name)}", "a vertex of the graph")
        if self._seen[v]:
            raise self._error(line, name, f"the vertex {_shown(name)} for the second time", "each once")
        self._seen[v] = True
        self._labels[v] = self._checked(line, name, part)

    def by_order(self, parts: list[Any]) -> NDArray[np.int32]:
        """The labels of all vertices."""
        if len(parts) != len(self._names):
            wanted = f"{len(self._names)}, one for each vertex"
            raise self._error(None, "labels", f"{len(parts)} labels", wanted)
        return np.array([self._checked(None, "labels", part) for part in parts], np.int32)

    def labels(self) -> NDArray[np.int32]:
        """The labels of all vertices, once all are read."""
        if self._lowest == 0 and not self._seen.all():
            name = self._names[int(self._seen.argmin())]
            raise self._text.error(None, f"no part for the vertex {_shown(name)}", "one for each vertex")
        return self._labels

    def _checked(self, line: int | None, name: str, part: Any) -> int:
        if not isinstance(part, int) or isinstance(part, bool) or not self._lowest <= part <= MOST_PART:
            wanted = f"a part id from 0 to {MOST_PART}" + (", or -1 (free)" if self._lowest else "")
            raise self._error(line, name, f"the part {shown(part)}", wanted)
        return part

    def _error(self, line: int | None, name: str, found: str, expected: str) -> ParseError:
        return self._text.error(
            self._text.line_of(json.dumps(name)) if line is None else line, found, expected
        )


def _shown(name: str) -> str:
    return show(name.encode("utf-8", "surrogatepass"))


def _rows(text: Text, delimiter: str) -> Iterator[tuple[int, str, int | str]]:
    """Line, vertex and part of each row below the heading; a part that is no whole number as text."""
    reader = csv.reader(io.StringIO(text.decoded()), delimiter=delimiter, strict=True)
    heading = True
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise text.error(line, f"a damaged line ({error})", "a vertex and its part") from None
        if not row:
            continue
        if len(row) != 2:
            raise text.error(line, f"{len(row)} fields", "two: a vertex and its part")
        if not (heading and [field.strip().lower() for field in row] == list(_HEADING)):
            number = whole(row[1].strip().encode("utf-8", "surrogatepass"))
            yield line, row[0], row[1] if number is None else number
        heading = False


_Form = Callable[[Digraph, NDArray[np.int32], Mapping[str, Any]], bytes]


def _form(path: str | os.PathLike[str]) -> _Form:
    plain = os.fspath(path).lower().removesuffix(".gz")
    suffix = os.path.splitext(plain)[1]
    if suffix in _OF_OTHER_KINDS:
        raise DagpartError(
            f"{os.fspath(path)}: parts are no {suffix}; write .json, .csv, .tsv, .dot or .part"
        )
    return FORMS.get(suffix, _part_file)


def _part_file(graph: Digraph, part: NDArray[np.int32], facts: Mapping[str, Any]) -> bytes:
    return column(part)


def _json(graph: Digraph, part: NDArray[np.int32], facts: Mapping[str, Any]) -> bytes:
    document = {"k": int(part.max(initial=-1)) + 1, **facts}
    if graph.names is None:
        document["labels"] = part.tolist()
    else:
        document["parts"] = dict(zip(text_names(graph), part.tolist(), strict=True))
    return (json.dumps(document) + "\n").encode("ascii")


def _csv(graph: Digraph, part: NDArray[np.int32], facts: Mapping[str, Any]) -> bytes:
    return _table(graph, part, ",")


def _tsv(graph: Digraph, part: NDArray[np.int32], facts: Mapping[str, Any]) -> bytes:
    return _table(graph, part, "\t")


def _table(graph: Digraph, part: NDArray[np.int32], delimiter: str) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(_HEADING)
    writer.writerows(zip(text_names(graph), part.tolist(), strict=True))
    return out.getvalue().encode("utf-8", "surrogatepass")


def _dot(graph: Digraph, part: NDArray[np.int32], facts: Mapping[str, Any]) -> bytes:
    nodes = node_lines(graph)
    order = np.argsort(part, kind="stable")
    lines = ["digraph {", "  node [style=filled];"]
    for label, members in _groups(part, order):
        lines += [f"  subgraph cluster_{label} {{", f'    label="part {label}";']
        lines += [
            f'    node [fillcolor="{_colour(label)}"];',
            *(f"  {nodes[v]}" for v in members),
            "  }",
        ]
    return "\n".join([*lines, *edge_lines(graph), "}", ""]).encode("utf-8", "surrogatepass")


def quotient_picture(quotient: Digraph) -> bytes:
    """The DOT file of a graph of parts: each in the colour that `write_partition` gives it, with all weights.

    Parameters
    ----------
    quotient : Digraph
        As `dagpart.metrics.quotient` makes it: vertex i is part i.

    Examples
    --------
    >>> from dagpart import Dag
    >>> print(quotient_picture(Dag.from_edges([(0, 1, 5)])).decode(), end="")
    digraph {
      node [style=filled];
      0 [weight="1", label="part 0\\nweight 1", fillcolor="0.000 0.350 0.950"];
      1 [weight="1", label="part 1\\nweight 1", fillcolor="0.618 0.350 0.950"];
      0 -> 1 [weight="5", label="5"];
    }
    """
    weights = plain_weights(quotient.vertex_weights, quotient.vertex_weight_scale)
    carried = plain_weights(quotient.edge_weights, quotient.weight_scale)
    nodes = [
        f'  {i} [weight="{w}", label="part {i}\\nweight {w}", fillcolor="{_colour(i)}"];'
        for i, w in enumerate(weights)
    ]
    ends = zip(quotient.edge_sources().tolist(), quotient.indices.tolist(), carried, strict=True)
    edges = [f'  {u} -> {v} [weight="{w}", label="{w}"];' for u, v, w in ends]
    return "\n".join(["digraph {", "  node [style=filled];", *nodes, *edges, "}", ""]).encode("ascii")


def _colour(label: int) -> str:
    """Fill colour of a part: hue, saturation, value."""
    return f"{label * _GOLDEN % 1:.3f} 0.350 0.950"


def _groups(part: NDArray[np.int32], order: NDArray[Any]) -> list[tuple[int, list[int]]]:
    bounds = np.flatnonzero(np.diff(part[order])) + 1
    return [(int(part[group[0]]), group.tolist()) for group in np.split(order, bounds) if group.size]


FORMS: Mapping[str, _Form] = {".json": _json, ".csv": _csv, ".tsv": _tsv, ".dot": _dot, ".gv": _dot}
"""What makes the file of a partition, by suffix; without one of these it is a part file."""
