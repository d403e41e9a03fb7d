"""NetworkX: directed graphs, whose nodes become the names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dagpart import _networkx
from dagpart._entries import Held
from dagpart.adaptors._adaptor import Adaptor, attribute_of

if TYPE_CHECKING:
    from dagpart.dag import Digraph
    from dagpart.search.result import Partition


def _holds(library: Any, graph: object) -> bool:
    return isinstance(graph, library.Graph)


def _take(graph: Any, edge: str | None, vertex: str | None) -> Held:
    """Nodes and edges with their attribute "weight", or "size" where no other has the first."""
    edges, nodes = _networkx.attributes(graph)
    return _networkx.held(graph, attribute_of(edges, edge, "edges"), attribute_of(nodes, vertex, "nodes"))


def _write_back(graph: Any, result: Partition, labels: list[int], attribute: str) -> Any:
    for name, part in zip(graph, labels, strict=True):
        graph.nodes[name][attribute] = part
    return graph


def _build(library: Any, graph: Digraph) -> Any:
    return graph.to_networkx()


ADAPTOR = Adaptor("networkx", None, _holds, _take, _write_back, _build)
