"""ONNX: models in memory, whose nodes become the names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dagpart._entries import Held
from dagpart.adaptors._adaptor import Adaptor, attribute_of, entries
from dagpart.io import onnx_model

if TYPE_CHECKING:
    from dagpart.search.result import Partition


def _holds(library: Any, graph: object) -> bool:
    return isinstance(graph, library.ModelProto)


def _take(graph: Any, edge: str | None, vertex: str | None) -> Held:
    """Nodes with their floating-point operations, or the bytes that they make; edges with bytes."""
    attribute_of(("bytes",), edge, "edges of an ONNX model")
    work = attribute_of(onnx_model.WORKS, vertex, "nodes of an ONNX model") or "flops"
    network = onnx_model.network_of(graph, work=work)
    tails, heads = (u for u, _ in network.ends), (v for _, v in network.ends)
    taken = entries(len(network.names), tails, heads, network.names)
    taken.gone["missing_weights"] = network.unknown
    return Held(taken, network.sizes, network.weights)


def _write_back(graph: Any, result: Partition, labels: list[int], attribute: str) -> list[Any]:
    return onnx_model.split(graph, result)


ADAPTOR = Adaptor("onnx", "onnx", _holds, _take, _write_back)
