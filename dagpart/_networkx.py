"""NetworkX: all that is known of its graphs, for the constructors and for the adaptor."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dagpart._entries import Entries, Held, index_type
from dagpart.errors import DagpartError

if TYPE_CHECKING:
    import networkx


def held(graph: Any, weight: str | None, node_weight: str | None) -> Held:
    """What a DiGraph or MultiDiGraph holds: its edges, and the attributes of these names as weights.

    A weight is None where its attribute is missing; without the name of an attribute there are none.

    Raises
    ------
    DagpartError
        The graph is undirected.
    """
    if not graph.is_directed():
        raise DagpartError(
            f"a {type(graph).__name__} has no directions: give each edge one, for instance with "
            "networkx.DiGraph((min(u, v), max(u, v)) for u, v in G.edges())"
        )
    names = tuple(graph)
    position = {name: i for i, name in enumerate(names)}
    dtype, m = index_type(len(names)), graph.number_of_edges()
    source = np.fromiter((position[u] for u, _ in graph.edges()), dtype=dtype, count=m)
    target = np.fromiter((position[v] for _, v in graph.edges()), dtype=dtype, count=m)
    plain = all(type(name) is int and name == i for i, name in enumerate(names))
    keys = list(graph.edges(keys=True)) if graph.is_multigraph() else None
    return Held(
        Entries(len(names), source, target, names=None if plain else names, keys=keys),
        None if weight is None else [value for _, _, value in graph.edges(data=weight)],
        None if node_weight is None else [value for _, value in graph.nodes(data=node_weight)],
    )


def attributes(graph: Any) -> tuple[Iterable[str], Iterable[str]]:
    """Names of the attributes that edges have, and that nodes have."""
    return (
        (key for _, _, data in graph.edges(data=True) for key in data),
        (key for _, data in graph.nodes(data=True) for key in data),
    )


def made(
    names: Sequence[Hashable],
    vertex_weights: Iterable[int],
    edges: Iterable[tuple[int, int, int]],
) -> networkx.DiGraph:
    """A DiGraph with these nodes and weighted edges between their positions; "weight" holds the weights."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from((name, {"weight": w}) for name, w in zip(names, vertex_weights, strict=True))
    graph.add_weighted_edges_from((names[u], names[v], w) for u, v, w in edges)
    return graph
