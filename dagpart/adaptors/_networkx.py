"""NetworkX: directed graphs, whose nodes become the names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dagpart import _entries
from dagpart.adaptors._adaptor import Adaptor, Held, attribute_of

if TYPE_CHECKING:
    from dagpart.dag import Digraph
    from dagpart.partitioning import Partition


def _holds(library: Any, graph: object) -> bool:
    return isinstance(graph, library.Graph)


def _take(graph: Any, edge: str | None, vertex: str | None) -> Held:
    """Nodes and edges with their attribute "weight", or "size" where no other has the first."""
    edge = attribute_of((key for _, _, data in graph.edges(data=True) for key in data), edge, "edges")
    vertex = attribute_of((key for _, data in graph.nodes(data=True) for key in data), vertex, "nodes")
    return Held(
        _entries.from_networkx(graph),
        None if edge is None else [value for _, _, value in graph.edges(data=edge)],
        None if vertex is None else [value for _, value in graph.nodes(data=vertex)],
    )


def _write_back(graph: Any, result: Partition, labels: list[int], attribute: str) -> Any:
    for name, part in zip(graph, labels, strict=True):
        graph.nodes[name][attribute] = part
    return graph


def _build(library: Any, graph: Digraph) -> Any:
    return graph.to_networkx()


ADAPTOR = Adaptor("networkx", None, _holds, _take, _write_back, _build)
