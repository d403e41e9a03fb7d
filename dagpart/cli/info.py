"""``dagpart info GRAPH``: what is in the file."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import scipy.sparse
from scipy.sparse import csgraph

from dagpart.cli._options import (
    Commands,
    add_command,
    dropped_words,
    print_json,
    read_graph,
    refuse_two_streams,
    table,
)
from dagpart.dag import Dag, Digraph


def add_parser(commands: Commands) -> None:
    """Add the command."""
    add_command(commands, "info", run, "Show the sizes and the shape of a graph.")


def run(args: argparse.Namespace) -> int:
    """Read the graph and print what is in it."""
    refuse_two_streams(args)
    loaded = read_graph(args)
    facts = _facts(loaded.graph)
    origin = {"format": loaded.format, "reading": loaded.reading, "notes": list(loaded.notes)}
    if args.json:
        print_json(facts | origin)
        return 0
    cycle = facts["cycle"]
    words = {
        "acyclic": "yes" if facts["acyclic"] else "no",
        "cycle": None if cycle is None else " -> ".join(map(str, [*cycle, cycle[0]])),
        "dropped": dropped_words(loaded.graph.dropped) or "nothing",
        "notes": "; ".join(loaded.notes) or None,
    }
    rows = facts | origin | words
    print(table((name.replace("_", " "), value) for name, value in rows.items() if value is not None))
    return 0


def _facts(graph: Digraph) -> dict[str, Any]:
    cycle = graph.find_cycle()
    return {
        "vertices": graph.n,
        "edges": graph.m,
        "acyclic": graph.is_acyclic,
        "cycle": None if cycle is None else [graph.name(v) for v in cycle],
        "components": _components(graph),
        "levels": int(graph.levels.max(initial=-1)) + 1 if isinstance(graph, Dag) else None,
        "sources": int(np.count_nonzero(np.diff(graph.pred_indptr) == 0)),
        "sinks": int(np.count_nonzero(np.diff(graph.indptr) == 0)),
        "vertex_weight": graph.total_weight,
        "edge_weight": graph.total_edge_weight,
        "weight_scale": graph.weight_scale,
        "dropped": graph.dropped.as_dict(),
    }


def _components(graph: Digraph) -> int:
    # Ones: an edge of weight zero connects too.
    ones = np.ones(graph.m, dtype=np.int8)
    pattern = scipy.sparse.csr_array((ones, graph.indices, graph.indptr), shape=(graph.n, graph.n))
    count, _ = csgraph.connected_components(pattern, directed=True, connection="weak")
    return int(count)
