"""igraph: directed graphs with attributes of vertices and edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dagpart._entries import Held
from dagpart.adaptors._adaptor import Adaptor, attribute_of, entries, names_of
from dagpart.errors import DagpartError

if TYPE_CHECKING:
    from dagpart.dag import Digraph
    from dagpart.search.result import Partition


def _holds(library: Any, graph: object) -> bool:
    return isinstance(graph, library.Graph)


def _take(graph: Any, edge: str | None, vertex: str | None) -> Held:
    """Vertices by their attribute "name", if they have it, with "weight" or "size"."""
    if not graph.is_directed():
        raise DagpartError("this igraph Graph has no directions: make one with directed=True")
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    edge = attribute_of(graph.es.attributes(), edge, "edges")
    vertex = attribute_of(graph.vs.attributes(), vertex, "vertices")
    ends = graph.get_edgelist()
    return Held(
        entries(graph.vcount(), (u for u, _ in ends), (v for _, v in ends), _distinct(names)),
        None if edge is None else graph.es[edge],
        None if vertex is None else graph.vs[vertex],
    )


def _distinct(names: list[Any] | None) -> list[Any] | None:
    """Names only where they tell the vertices apart."""
    return names if names is not None and None not in names and len(set(names)) == len(names) else None


def _write_back(graph: Any, result: Partition, labels: list[int], attribute: str) -> Any:
    graph.vs[attribute] = labels
    return graph


def _build(library: Any, graph: Digraph) -> Any:
    ends = list(zip(graph.edge_sources().tolist(), graph.indices.tolist(), strict=True))
    made = library.Graph(n=graph.n, edges=ends, directed=True)
    if graph.names is not None:
        made.vs["name"] = names_of(graph)
    made.vs["weight"] = graph.vertex_weights.tolist()
    made.es["weight"] = graph.edge_weights.tolist()
    return made


ADAPTOR = Adaptor("igraph", "graphs", _holds, _take, _write_back, _build)
