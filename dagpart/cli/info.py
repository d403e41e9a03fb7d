"""``dagpart info GRAPH``: what is in the file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

import dagpart
from dagpart._weights import unscaled
from dagpart.cli._options import (
    DONE,
    add_graph,
    dropped_words,
    print_json,
    read_graph,
    refuse_two_streams,
    show,
    table,
)

if TYPE_CHECKING:
    from dagpart.dag import Digraph


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's own options, and the graph."""
    add_graph(parser)


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
        "mean_width": _rounded(facts["mean_width"]),
        "parallelism": _rounded(facts["parallelism"]),
        "acyclic": "yes" if facts["acyclic"] else "no",
        "cycle": None if cycle is None else " -> ".join(map(str, [*cycle, cycle[0]])),
        "dropped": dropped_words(loaded.graph.dropped) or "nothing",
        "notes": "; ".join(loaded.notes) or None,
    }
    rows = facts | origin | words
    show(args, table((name.replace("_", " "), value) for name, value in rows.items() if value is not None))
    return DONE


def _rounded(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def _facts(graph: Digraph) -> dict[str, Any]:
    cycle = graph.find_cycle()
    indegree, outdegree = np.diff(graph.pred_indptr), np.diff(graph.indptr)
    return {
        "vertices": graph.n,
        "edges": graph.m,
        "acyclic": graph.is_acyclic,
        "cycle": None if cycle is None else [graph.name(v) for v in cycle],
        "components": _components(graph),
        **_levels(graph),
        "sources": int(np.count_nonzero(indegree == 0)),
        "sinks": int(np.count_nonzero(outdegree == 0)),
        "isolated": int(np.count_nonzero((indegree == 0) & (outdegree == 0))),
        "max_indegree": int(indegree.max(initial=0)),
        "max_outdegree": int(outdegree.max(initial=0)),
        "vertex_weight": unscaled(graph.total_weight, graph.vertex_weight_scale),
        "edge_weight": unscaled(graph.total_edge_weight, graph.weight_scale),
        **_work(graph),
        "weight_scale": graph.weight_scale,
        "vertex_weight_scale": graph.vertex_weight_scale,
        "dropped": graph.dropped.as_dict(),
    }


def _levels(graph: Digraph) -> dict[str, Any]:
    """How deep the graph is, and how many vertices share a level: at most, and on average."""
    if not isinstance(graph, dagpart.Dag):
        return {"levels": None, "width": None, "mean_width": None}
    widths = np.bincount(graph.levels)
    mean = graph.n / widths.size if widths.size else 0.0
    return {"levels": widths.size, "width": int(widths.max(initial=0)), "mean_width": mean}


def _work(graph: Digraph) -> dict[str, Any]:
    """The heaviest path, edges costing nothing, and how many workers the work could keep busy beside it."""
    if not isinstance(graph, dagpart.Dag):
        return {"span": None, "parallelism": None}
    work = unscaled(graph.total_weight, graph.vertex_weight_scale)
    # In one part no edge costs anything; a critical path counts those between parts.
    span = dagpart.metrics.critical_path(graph, np.zeros(graph.n, dtype=np.int32))
    return {"span": span, "parallelism": work / span if span else None}


def _components(graph: Digraph) -> int:
    import scipy.sparse
    from scipy.sparse import csgraph

    # Ones: an edge of weight zero connects too.
    ones = np.ones(graph.m, dtype=np.int8)
    pattern = scipy.sparse.csr_array((ones, graph.indices, graph.indptr), shape=(graph.n, graph.n))
    count, _ = csgraph.connected_components(pattern, directed=True, connection="weak")
    return int(count)
