"""HyperDAG files of OneStopParallel without lines for hyperedges (.lhdag).

The pins come first, as in `dagpart.io.hyperdag`, then for each node its id, its work, and the weight of what
it sends. That is taken from the files in that project's repository (data/spaa).
"""

from __future__ import annotations

import numpy as np

from dagpart.dag import Digraph
from dagpart.errors import DagpartError
from dagpart.io.formats import Format
from dagpart.io.hyperdag import LIGHT, hyperedges, load


def dump(graph: Digraph) -> bytes:
    """The .lhdag of a graph, in which a node sends one thing: a hyperedge for each vertex with successors.

    Raises
    ------
    DagpartError
        Edges that leave one vertex have several weights.

    Examples
    --------
    >>> from dagpart import Dag
    >>> print(dump(Dag.from_edges([(0, 1, 5), (0, 2, 5)])).decode(), end="")
    %% Numbers of hyperedges, nodes and pins
    1 3 3
    %% Pins: hyperedge, node; the first of each hyperedge is the producer
    0 0
    0 1
    0 2
    %% Nodes: id, work, weight of what it sends
    0 1 5
    1 1 1
    2 1 1
    """
    count = np.diff(graph.indptr)
    some = count > 0
    sent = np.ones(graph.n, dtype=np.int64)
    sent[some] = graph.edge_weights[graph.indptr[:-1][some]]
    apart = np.flatnonzero(graph.edge_weights != np.repeat(sent, count))
    if apart.size:
        e = int(apart[0])
        v = int(graph.edge_sources()[e])
        raise DagpartError(
            f"the format lhdag has one weight for all edges that leave a vertex, but those of "
            f"{graph.name(v)} weigh {sent[v]} and {graph.edge_weights[e]}: write .hdag"
        )
    edge_weights, pins = hyperedges(graph)
    work = graph.vertex_weights.tolist()
    lines = [
        "%% Numbers of hyperedges, nodes and pins",
        f"{len(edge_weights)} {graph.n} {len(pins)}",
        "%% Pins: hyperedge, node; the first of each hyperedge is the producer",
        *pins,
        "%% Nodes: id, work, weight of what it sends",
        *(f"{v} {w} {c}" for v, (w, c) in enumerate(zip(work, sent.tolist(), strict=True))),
        "",
    ]
    return "\n".join(lines).encode("ascii")


FORMAT = Format(LIGHT, (".lhdag",), load, dump=dump, keeps=("direction", "vertex_weights", "edge_weights"))
