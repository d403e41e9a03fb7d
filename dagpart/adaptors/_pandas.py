"""pandas: frames with an edge in each row, and frames that are an adjacency matrix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dagpart._entries import Held, refuse_dense
from dagpart._optional import require
from dagpart.adaptors._adaptor import Adaptor, attribute_of, entries, names_of
from dagpart.errors import DagpartError

if TYPE_CHECKING:
    from dagpart.dag import Digraph
    from dagpart.search.result import Partition

# What two columns are called that hold the ends of edges; the first pair counts before the others.
_ENDS = (
    ("source", "target"),
    ("src", "dst"),
    ("src", "dest"),
    ("from", "to"),
    ("tail", "head"),
    ("parent", "child"),
    ("predecessor", "successor"),
    ("producer", "consumer"),
    ("caller", "callee"),
    ("origin", "destination"),
    ("u", "v"),
)
_TAILS, _HEADS = (sorted(set(names)) for names in zip(*_ENDS, strict=True))
# What may stand around these words, as in "FromNodeId".
_AROUND = re.compile(r"[\W_]|(?<=.)(node|vertex|task)|(?<=.)id$")


def _holds(library: Any, graph: object) -> bool:
    return isinstance(graph, library.DataFrame)


def _take(graph: Any, edge: str | None, vertex: str | None) -> Held:
    """Edges of a list or of an adjacency matrix.

    A square frame whose rows and columns have the same names is an adjacency: a number in row i and column j
    that is neither 0 nor missing is the weight of the edge i -> j. Else each row is an edge. Its ends are in
    columns called source and target, or by another pair of `_ENDS`, in any place and case, or else in the
    first two that hold no weight; "weight" or "size" holds the weight. Without any names of columns rows are
    what they are in a list: pairs, or triples with a weight.
    """
    if vertex is not None:
        raise DagpartError(
            f"vertex_weights={vertex!r}: a frame of edges holds no vertices; give a Series by vertex"
        )
    repeated = graph.columns[graph.columns.duplicated()]
    if len(repeated):
        raise DagpartError(
            f"the frame has more than one column {repeated[0]!r}: names of columns must differ"
        )
    if _is_plain(graph):
        # Without names it is what the list of its rows is.
        refuse_dense(graph.to_numpy().tolist())
    if _is_adjacency(graph):
        if edge is not None:
            raise DagpartError(
                f"edge_weights={edge!r}: this frame is an adjacency matrix, which holds the weights itself"
            )
        return _of_adjacency(graph)
    return _of_rows(graph, edge)


def _is_plain(graph: Any) -> bool:
    """Whether neither rows nor columns of a small frame have names."""
    rows, columns = graph.shape
    return (
        columns <= 3
        and list(graph.columns) == list(range(columns))
        and list(graph.index) == list(range(rows))
    )


def _is_adjacency(graph: Any) -> bool:
    rows, columns = graph.shape
    if rows != columns or not rows or (columns <= 3 and _is_plain(graph)):
        return False
    return bool(graph.index.is_unique) and set(graph.index) == set(graph.columns)


def _of_adjacency(graph: Any) -> Held:
    pandas = require("pandas", "graphs", "to read frames of edges")
    names = list(graph.index)
    square = graph[names]
    marked = square.notna().to_numpy() & (square != 0).fillna(False).to_numpy(dtype=bool)
    source, target = np.nonzero(marked)
    weights = square.to_numpy()[source, target]
    plain = names == list(range(len(names)))
    if any(pandas.isna(name) for name in names):
        raise DagpartError("a row of the adjacency frame has no name")
    return Held(entries(len(names), source, target, None if plain else names), weights)


def _of_rows(graph: Any, edge: str | None) -> Held:
    pandas = require("pandas", "graphs", "to read frames of edges")
    keys = list(graph.index)
    if graph.index.nlevels == 2 and _named_ends(graph.index.names) is not None:
        graph = graph.reset_index()
    columns = list(graph.columns)
    if columns == list(range(len(columns))) and len(columns) > 3:
        raise DagpartError(
            f"a frame of {len(columns)} columns without names: call those of the ends source and target"
        )
    weight = _weight_column(columns, edge)
    ends = _named_ends(columns) or tuple(name for name in columns if name != weight)[:2]
    if len(ends) < 2:
        raise DagpartError(f"a frame of {len(columns)} columns: edges need the columns source and target")
    both = pandas.concat([graph[name] for name in ends], ignore_index=True)
    if both.isna().any():
        row = int(both.isna().to_numpy().argmax()) % max(len(graph), 1)
        raise DagpartError(f"row {row} of the frame has no name for one of its ends")
    codes, uniques = pandas.factorize(both)
    names: list[Any] | None = uniques.tolist()
    source, target = codes[: len(graph)], codes[len(graph) :]
    n = len(uniques)
    if _are_ids(names):
        ids = np.array(names, dtype=np.int64)
        source, target, names = ids[source], ids[target], None
    return Held(entries(n, source, target, names, keys), None if weight is None else graph[weight].to_numpy())


def _by_word(columns: Iterable[Any]) -> dict[str, list[Any]]:
    """Columns whose names are text, by what the name says whatever its case."""
    known: dict[str, list[Any]] = {}
    for name in columns:
        if isinstance(name, str):
            known.setdefault(_AROUND.sub("", name.lower()), []).append(name)
    return known


def _weight_column(columns: list[Any], asked: str | None) -> Any:
    if asked is not None:
        return attribute_of(columns, asked, "edges of the frame")
    if columns == [0, 1, 2]:
        return 2
    exact = attribute_of(columns, None, "")
    if exact is not None:
        return exact
    known = _by_word(columns)
    found = next((known[word] for word in ("weight", "size") if word in known), [None])
    if len(found) > 1:
        raise DagpartError(
            f"the columns {', '.join(map(repr, found))} could all hold weights: name one by edge_weights="
        )
    return found[0]


def _named_ends(columns: Sequence[Any]) -> tuple[Any, Any] | None:
    """The two columns whose names say that they hold the ends of edges.

    Raises
    ------
    DagpartError
        More than two do.
    """
    if set(_ENDS[0]) <= set(columns):
        return _ENDS[0]
    known = _by_word(columns)
    pairs = [pair for pair in _ENDS if known.keys() >= set(pair)]
    if len(pairs) > 1 and pairs[0] == _ENDS[0]:
        pairs = pairs[:1]
    if not pairs:
        # Of two families, as in "from" and "target".
        pairs = [(tail, head) for tail in _TAILS for head in _HEADS if tail in known and head in known]
    if not pairs:
        return None
    found = [name for pair in pairs for word in pair for name in known[word]]
    if len(found) > 2:
        raise DagpartError(
            f"the columns {', '.join(map(repr, dict.fromkeys(found)))} could all hold ends of edges: "
            "keep two of them, source and target"
        )
    return found[0], found[1]


def _are_ids(names: Any) -> bool:
    """Whether the names are just the ids 0 .. n-1 of vertices."""
    return set(names) == set(range(len(names))) and all(type(name) is int for name in names)


def _write_back(graph: Any, result: Partition, labels: list[int], attribute: str) -> Any:
    pandas = require("pandas", "graphs", "to give labels back as a Series")
    index = pandas.Index(names_of(result.graph), name="vertex", tupleize_cols=False)
    return pandas.Series(result.labels, index=index, name=attribute)


def _build(library: Any, graph: Digraph) -> Any:
    names = names_of(graph)
    return library.DataFrame(
        {
            "source": [names[u] for u in graph.edge_sources().tolist()],
            "target": [names[v] for v in graph.indices.tolist()],
            "weight": graph.edge_weights,
        }
    )


ADAPTOR = Adaptor("pandas", "graphs", _holds, _take, _write_back, _build)
