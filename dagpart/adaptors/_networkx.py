"""NetworkX: directed graphs, whose nodes become the names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dagpart import _entries
from dagpart.adaptors._adaptor import Adaptor, Held, attribute_of, names_of

if TYPE_CHECKING:
    from dagpart.dag import Digraph
    from dagpart.partitioning import Partition


def _holds(library: Any, graph: object) -> bool:
    return isinstance(graph, library.Graph)


def _take(graph: Any) -> Held:
    """Nodes and edges with their attribute "weight", or "size" where no other has the first."""
    edge = attribute_of(key for _, _, data in graph.edges(data=True) for key in data)
    node = attribute_of(key for _, data in graph.nodes(data=True) for key in data)
    entries = _entries.from_networkx(graph, edge, None)
    weights, entries.weights = entries.weights, None
    vertex = None if node is None else [value for _, value in graph.nodes(data=node, default=1)]
    return Held(entries, weights, vertex)


def _write_back(graph: Any, result: Partition, attribute: str) -> Any:
    for name, part in zip(names_of(result.graph), result.labels.tolist(), strict=True):
        graph.nodes[name][attribute] = part
    return graph


def _build(library: Any, graph: Digraph) -> Any:
    return graph.to_networkx()


ADAPTOR = Adaptor("networkx", None, _holds, _take, _write_back, _build)
