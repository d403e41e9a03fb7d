"""rustworkx: PyDiGraph and PyDAG, whose nodes and edges carry any object."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

from dagpart._entries import Held
from dagpart.adaptors._adaptor import Adaptor, attribute_of, entries, names_of
from dagpart.errors import DagpartError

if TYPE_CHECKING:
    from dagpart.dag import Digraph
    from dagpart.search.result import Partition


def _holds(library: Any, graph: object) -> bool:
    return isinstance(graph, library.PyDiGraph | library.PyGraph)


def _take(graph: Any, edge: str | None, vertex: str | None) -> Held:
    """Nodes by what they carry, where that is a text and no two are the same, else by their indices.

    An edge weighs the number that it carries, or that a dict which it carries has under "weight" or "size";
    a node only the latter. A named attribute is an entry of dicts, or an attribute of other objects.
    """
    if not hasattr(graph, "successors"):
        raise DagpartError(f"a {type(graph).__name__} has no directions: give each edge one in a PyDiGraph")
    indices, payloads = list(graph.node_indices()), list(graph.nodes())
    position = {index: i for i, index in enumerate(indices)}
    edges = graph.weighted_edge_list()
    carried = [payload for _, _, payload in edges]
    return Held(
        entries(
            len(indices),
            (position[u] for u, _, _ in edges),
            (position[v] for _, v, _ in edges),
            _names(indices, payloads),
            list(graph.edge_indices()),
        ),
        _weights(carried, edge, "edges", numbers=True),
        _weights(payloads, vertex, "nodes", numbers=False),
    )


def _names(indices: list[int], payloads: list[Any]) -> list[Any] | None:
    texts = {payload for payload in payloads if isinstance(payload, str)}
    if payloads and len(texts) == len(payloads):
        return payloads
    # Indices have holes where nodes were removed.
    return None if indices == list(range(len(indices))) else indices


def _weights(payloads: list[Any], asked: str | None, things: str, *, numbers: bool) -> list[Any]:
    """The weight that each payload holds, None where it holds none."""
    held = [_attributes(payload) for payload in payloads]
    if asked is not None:
        attribute_of((name for attributes in held for name in attributes), asked, things)
        return [attributes.get(asked) for attributes in held]
    weights = []
    for payload, attributes in zip(payloads, held, strict=True):
        if isinstance(payload, dict):
            key = attribute_of(attributes, None, things)
            weights.append(None if key is None else attributes[key])
        else:
            weights.append(payload if numbers and isinstance(payload, Real) else None)
    return weights


def _attributes(payload: Any) -> dict[str, Any]:
    return payload if isinstance(payload, dict) else getattr(payload, "__dict__", {})


def _write_back(graph: Any, result: Partition, labels: list[int], attribute: str) -> dict[int, int]:
    return dict(zip(graph.node_indices(), labels, strict=True))


def _build(library: Any, graph: Digraph) -> Any:
    made = library.PyDiGraph()
    made.add_nodes_from(names_of(graph))
    tails = graph.edge_sources().tolist()
    made.add_edges_from(list(zip(tails, graph.indices.tolist(), graph.edge_weights.tolist(), strict=True)))
    return made


ADAPTOR = Adaptor("rustworkx", "graphs", _holds, _take, _write_back, _build)
