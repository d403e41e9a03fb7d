"""Partitions in files, in the user's own terms: part files, JSON, CSV with names, DOT coloured by part."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart._files import write_file
from dagpart._named import Values
from dagpart.dag import Digraph
from dagpart.io.building import plain_weights, text_names
from dagpart.io.dot import edge_lines, node_lines
from dagpart.io.parts import column
from dagpart.metrics import as_labels

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
    vertices have names, else ``labels``). ``.csv``: a line ``vertex,part`` for each. ``.dot``, ``.gv``: the
    graph with a coloured cluster for each part. Anything else: one part id a line. A name that ends with
    ``.gz`` is compressed; ``"-"`` is standard output, for one id a line.

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
        The labels do not fit the graph, or names cannot be told apart as text.
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


def _form(path: str | os.PathLike[str]) -> Callable[[Digraph, NDArray[np.int32], Mapping[str, Any]], bytes]:
    plain = os.fspath(path).lower().removesuffix(".gz")
    return next((form for suffix, form in FORMS.items() if plain.endswith(suffix)), _part_file)


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
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("vertex", "part"))
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


FORMS = {".json": _json, ".csv": _csv, ".dot": _dot, ".gv": _dot}
"""What makes the file of a partition, by suffix; without one of these it is a part file."""
