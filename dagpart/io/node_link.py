"""Graphs as JSON (.json): the node-link form of NetworkX and D3.

An object with ``nodes``, each with an ``id``, and ``edges`` or ``links``, each with ``source`` and
``target``. The weight of either is the attribute ``weight``, or ``size`` where none of them has the first.
The document is read by the standard library and taken apart here rather than by `networkx.node_link_graph`,
which answers a damaged one with a KeyError or TypeError that names no place.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from typing import Any

from dagpart._files import Source
from dagpart._json import members, parse_json, shown
from dagpart._text import Text
from dagpart._weights import attribute_of
from dagpart.dag import Digraph
from dagpart.errors import DagpartError
from dagpart.io.building import from_arrays, json_weight, plain_weights
from dagpart.io.formats import Format, Loaded

# Names may be lists of lists, but not without end.
_DEEPEST = 50


def load(source: Source) -> Loaded:
    """Read a node-link graph; lists among the names become tuples, as in NetworkX.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    ParseError
        The document is no directed node-link graph; names the line where it can.

    Examples
    --------
    >>> nodes, edges = b'[{"id": "a"}, {"id": "b", "weight": 7}]', b'[{"source": "a", "target": "b"}]'
    >>> load(Source("g.json", b'{"nodes": %b, "edges": %b}' % (nodes, edges))).graph.vertex_weights.tolist()
    [1, 7]
    """
    text = Text.of(source)
    document = parse_json(text, source)
    if document.get("directed") is False:
        raise text.error(text.line_of('"directed"'), "an undirected graph", "a directed one")
    nodes = members(text, document, "nodes", dict)
    edges = _edges(text, document)
    index: dict[Hashable, int] = {}
    for node in nodes:
        name = _name(text, node, "id", "a node")
        place = len(index)
        if index.setdefault(name, place) != place:
            found = f"the node {shown(node['id'])} for the second time"
            raise text.error(text.line_of(json.dumps(node["id"])), found, "another id")
    weights = _weights(text, nodes, "id")
    tails, heads = list[int](), list[int]()
    for edge in edges:
        for side, key in ((tails, "source"), (heads, "target")):
            name = _name(text, edge, key, "an edge")
            if name not in index:
                found = f"the {key} {shown(edge[key])}"
                raise text.error(text.line_of(json.dumps(edge[key])), found, "the id of a node")
            side.append(index[name])
    names = list(index)
    plain = all(type(name) is int and name == i for i, name in enumerate(names))
    graph = from_arrays(
        len(names),
        tails,
        heads,
        _weights(text, edges, "source"),
        weights,
        None if plain else names,
    )
    return Loaded(graph, FORMAT.name)


def _edges(text: Text, document: dict[str, Any]) -> list[dict[str, Any]]:
    """The list of edges, by either name; an empty one does not hide the other."""
    if "links" not in document:
        return members(text, document, "edges", dict)
    links = members(text, document, "links", dict)
    edges = members(text, document, "edges", dict, [])
    if links and edges and links != edges:
        found = f"{len(edges)} edges and {len(links)} links, which differ"
        raise text.error(text.line_of('"links"'), found, "one of the two lists, or one of them empty")
    return edges or links


def _name(text: Text, entry: dict[str, Any], key: str, what: str) -> Any:
    if key not in entry:
        raise text.error(None, f"{what} without {key}", f'"{key}": a name')
    name = _hashable(entry[key])
    if isinstance(name, bool | float | dict) or name is None:
        found = f"{shown(entry[key])} for the {key} of {what}"
        raise text.error(text.line_of(f'"{key}"'), found, "a text, a whole number or a list of these")
    return name


def _hashable(value: Any, depth: int = 0) -> Any:
    """Lists as tuples; None where something in them, or their depth, makes no name."""
    if not isinstance(value, list):
        return value
    if depth == _DEEPEST:
        return None
    parts = tuple(_hashable(part, depth + 1) for part in value)
    return None if any(isinstance(part, dict) for part in parts) or None in parts else parts


def _weights(text: Text, entries: list[dict[str, Any]], owner: str) -> list[int | float]:
    """The weight of each node or edge, 1 where it has none."""
    key = attribute_of(key for entry in entries for key in entry)
    values = [None if key is None else entry.get(key) for entry in entries]
    return [
        1 if value is None else json_weight(text, value, entry[owner])
        for value, entry in zip(values, entries, strict=True)
    ]


def dump(graph: Digraph) -> bytes:
    """The JSON of a graph, which `networkx.node_link_graph` reads with ``edges="edges"``.

    Raises
    ------
    DagpartError
        A name is neither text nor whole number nor a tuple of these.

    Examples
    --------
    >>> from dagpart import Dag
    >>> sorted(json.loads(dump(Dag.from_edges([("a", "b")]))))
    ['directed', 'edges', 'graph', 'multigraph', 'nodes']
    """
    names: list[Any] = (
        list(range(graph.n)) if graph.names is None else [_json_name(name) for name in graph.names]
    )
    vertex = plain_weights(graph.vertex_weights, graph.vertex_weight_scale)
    edge = plain_weights(graph.edge_weights, graph.weight_scale)
    ends = zip(graph.edge_sources().tolist(), graph.indices.tolist(), edge, strict=True)
    document = {
        "directed": True,
        "multigraph": False,
        "graph": {},
        "nodes": [{"id": name, "weight": w} for name, w in zip(names, vertex, strict=True)],
        "edges": [{"source": names[u], "target": names[v], "weight": w} for u, v, w in ends],
    }
    return (json.dumps(document) + "\n").encode("ascii")


def _json_name(name: Hashable, depth: int = 0) -> Any:
    if isinstance(name, tuple) and depth < _DEEPEST:
        return [_json_name(part, depth + 1) for part in name]
    if isinstance(name, str) or (isinstance(name, int) and not isinstance(name, bool)):
        return name
    raise DagpartError("JSON has no way to write some name: give the vertices texts or numbers as names")


FORMAT = Format(
    "node-link",
    (".json",),
    load,
    members=lambda names: "nodes" in names,
    dump=dump,
    keeps=("names", "types", "direction", "vertex_weights", "edge_weights", "scale"),
)
