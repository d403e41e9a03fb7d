"""pandas: frames with an edge in each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dagpart._entries import Held
from dagpart._optional import require
from dagpart.adaptors._adaptor import Adaptor, attribute_of, entries, names_of
from dagpart.errors import DagpartError

if TYPE_CHECKING:
    from dagpart.dag import Digraph
    from dagpart.search.result import Partition


def _holds(library: Any, graph: object) -> bool:
    return isinstance(graph, library.DataFrame)


def _take(graph: Any) -> Held:
    """Edges from the columns "source" and "target", or the first two, with "weight" or "size"."""
    pandas = require("pandas", "graphs", "to read frames of edges")
    columns = list(graph.columns)
    if "source" in columns and "target" in columns:
        ends = graph["source"], graph["target"]
    elif len(columns) >= 2:
        ends = graph.iloc[:, 0], graph.iloc[:, 1]
    else:
        raise DagpartError(f"a frame of {len(columns)} columns: edges need the columns source and target")
    both = pandas.concat(ends, ignore_index=True)
    if both.isna().any():
        row = int(both.isna().to_numpy().argmax()) % max(len(graph), 1)
        raise DagpartError(f"row {row} of the frame has no name for one of its ends")
    codes, uniques = pandas.factorize(both)
    names = uniques.tolist()
    source, target = codes[: len(graph)], codes[len(graph) :]
    if set(names) == set(range(len(names))) and all(type(name) is int for name in names):
        # Numbers that are just the ids of vertices.
        ids = np.array(names, dtype=np.int64)
        source, target, names = ids[source], ids[target], None
    weight = attribute_of(name for name in columns if isinstance(name, str))
    n = len(uniques)
    return Held(entries(n, source, target, names), None if weight is None else graph[weight].to_numpy())


def _write_back(graph: Any, result: Partition, attribute: str) -> Any:
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
