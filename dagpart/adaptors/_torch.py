"""torch.fx: traced modules, whose calls become the vertices."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dagpart._entries import Held
from dagpart.adaptors._adaptor import Adaptor, entries, parts_by_name
from dagpart.errors import DagpartError

if TYPE_CHECKING:
    from dagpart.search.result import Partition

# What only hands values in or out: split_module puts these where they are needed.
_PASSIVE = ("placeholder", "get_attr", "output")


def _holds(library: Any, graph: object) -> bool:
    fx = sys.modules.get("torch.fx")
    return fx is not None and isinstance(graph, fx.GraphModule | fx.Graph)


def _take(graph: Any) -> Held:
    """Calls by the names of their nodes.

    An edge weighs the bytes of the tensor, and a vertex the elements that it makes, where `ShapeProp` of
    torch.fx has run; 1 each without it.
    """
    calls = _calls(graph)
    position = {node: i for i, node in enumerate(calls)}
    pairs = [(position[u], i) for i, node in enumerate(calls) for u in node.all_input_nodes if u in position]
    made = [_sizes(node) for node in calls]
    told = any(elements is not None for elements, _ in made)
    return Held(
        entries(len(calls), (u for u, _ in pairs), (v for _, v in pairs), [node.name for node in calls]),
        [made[u][1] for u, _ in pairs] if told else None,
        [1 if elements is None else elements for elements, _ in made] if told else None,
    )


def _calls(graph: Any) -> list[Any]:
    nodes = graph.nodes if hasattr(graph, "nodes") else graph.graph.nodes
    return [node for node in nodes if node.op not in _PASSIVE]


def _sizes(node: Any) -> tuple[int | None, int]:
    """Elements, if they are known, and bytes of what a node makes."""
    pending, elements, size = [node.meta.get("tensor_meta")], 0, 0
    known = False
    while pending:
        meta = pending.pop()
        if hasattr(meta, "shape") and hasattr(meta, "dtype"):
            count = math.prod(int(length) for length in meta.shape)
            elements, size, known = elements + count, size + count * meta.dtype.itemsize, True
        elif isinstance(meta, list | tuple):
            pending += meta
        elif isinstance(meta, dict):
            pending += meta.values()
    return (elements, size) if known else (None, 1)


def _write_back(graph: Any, result: Partition, attribute: str) -> Callable[[Any], int]:
    parts = parts_by_name(result)

    def part_of(node: Any) -> int:
        if node.name not in parts:
            raise DagpartError(f"the node {node.name} was not partitioned")
        return parts[node.name]

    return part_of


ADAPTOR = Adaptor("torch", "torch", _holds, _take, _write_back)
