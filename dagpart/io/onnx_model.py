"""Neural networks (.onnx), through the package `onnx`.

Every node of the graph is a task; an edge carries a tensor from the node that makes it to a node that reads
it. Initialisers are data, not tasks.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from typing import Any, Literal

from dagpart._arguments import check_choice
from dagpart._files import Source, read_source
from dagpart._optional import require
from dagpart.dag import Digraph
from dagpart.errors import DagpartError, ParseError
from dagpart.io.building import from_arrays
from dagpart.io.formats import Format, Labelled, Loaded

_CONVOLUTIONS = ("Conv", "ConvInteger", "QLinearConv")
_PRODUCTS = ("MatMul", "Gemm", "MatMulInteger", "QLinearMatMul")
_POOLS = ("MaxPool", "AveragePool", "LpPool")
# Nodes that only make or rename data.
_FREE = frozenset(
    {"Constant", "ConstantOfShape", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Shape"}
)


def load(source: Source, *, work: Literal["flops", "bytes", "unit"] = "flops") -> Loaded:
    """Read a network; shapes are inferred where that is possible.

    Parameters
    ----------
    source : Source
        The file.
    work : {"flops", "bytes", "unit"}
        Weight of a node: an estimate of its floating-point operations (2 for each multiplication with
        addition of convolutions and products of matrices, 1 for each element that comes out elsewhere, 0
        where data is only made or renamed), the bytes that it makes, or 1.

    Raises
    ------
    ParseError
        The file is no ONNX model.
    MissingDependencyError
        The package `onnx` is not installed.
    """
    check_choice(work, "work", ("flops", "bytes", "unit"))
    onnx = require("onnx", "onnx", "to read ONNX models")
    model, notes = _parse(onnx, source)
    nodes = list(model.graph.node)
    if not nodes:
        raise ParseError(source.name, None, "a model without nodes", "an ONNX model")
    shapes = _Tensors(onnx, model)
    maker = {name: i for i, node in enumerate(nodes) for name in node.output if name}
    edges: dict[tuple[int, int], dict[str, None]] = {}
    for i, node in enumerate(nodes):
        for name in _read_names(node):
            if name in maker and maker[name] != i:
                edges.setdefault((maker[name], i), {})[name] = None
    graph = _graph(nodes, edges, shapes, work)
    if shapes.unknown:
        notes.append(f"tensors of unknown size, taken for one byte and one element: {len(shapes.unknown)}")
    return Loaded(graph, FORMAT.name, notes=tuple(notes))


def split(path: str | os.PathLike[str], result: Labelled) -> list[Any]:
    """The parts of a network as models of their own, in an order in which they can run.

    Each takes the tensors that earlier parts make for it, and the inputs of the network; it makes what later
    parts need, and the outputs of the network.

    Parameters
    ----------
    path : str or path-like
        The model that was partitioned.
    result : Partition, or what has its graph, labels and part_order
        Of the graph that `load` makes of it.

    Returns
    -------
    list of onnx.ModelProto
        One for each part that has a node; initialisers go where they are used.

    Raises
    ------
    DagpartError
        The partition is not one of this model.
    MissingDependencyError
        The package `onnx` is not installed.
    """
    onnx = require("onnx", "onnx", "to split ONNX models")
    model, _ = _parse(onnx, read_source(path))
    nodes = list(model.graph.node)
    if len(nodes) != result.graph.n:
        raise DagpartError(f"{path} has {len(nodes)} nodes, but {result.graph.n} were partitioned")
    graph = model.graph
    known = {value.name: value for value in (*graph.input, *graph.value_info, *graph.output)}
    initializers = {tensor.name: tensor for tensor in graph.initializer}
    part_of = result.labels.tolist()
    maker = {name: part_of[i] for i, node in enumerate(nodes) for name in node.output if name}
    given = {value.name for value in graph.input}
    readers: dict[str, set[int]] = {value.name: {-1} for value in graph.output}
    for i, node in enumerate(nodes):
        for name in _read_names(node):
            readers.setdefault(name, set()).add(part_of[i])
    groups: dict[int, list[Any]] = {}
    for node, part in zip(nodes, part_of, strict=True):
        groups.setdefault(part, []).append(node)
    models = []
    for part in filter(groups.__contains__, result.part_order.tolist()):
        inside = groups[part]
        reads = dict.fromkeys(name for node in inside for name in _read_names(node))
        makes = dict.fromkeys(name for node in inside for name in node.output if name)
        inputs = [name for name in reads if maker.get(name, part) != part or name in given]
        outputs = [name for name in makes if readers.get(name, set()) - {part}]
        unknown = onnx.ValueInfoProto
        made = onnx.helper.make_graph(
            inside,
            f"{graph.name}_{part}",
            [known.get(name) or unknown(name=name) for name in inputs],
            [known.get(name) or unknown(name=name) for name in outputs],
            [initializers[name] for name in reads if name in initializers],
        )
        models.append(
            onnx.helper.make_model(made, opset_imports=model.opset_import, ir_version=model.ir_version)
        )
    return models


def _parse(onnx: Any, source: Source) -> tuple[Any, list[str]]:
    try:
        model = onnx.load_model_from_string(source.data)
    except Exception as error:  # protobuf has errors of its own, one for each of its implementations
        reason = str(error).split("\n", 1)[0]
        raise ParseError(source.name, None, f"no ONNX model ({reason})", "an ONNX model") from None
    if not model.HasField("graph"):
        raise ParseError(source.name, None, "a model without a graph", "an ONNX model")
    for i, node in enumerate(model.graph.node):
        # What is not UTF-8 comes as bytes from one of protobuf's implementations.
        if not all(isinstance(name, str) for name in (node.name, node.op_type, *node.input, *node.output)):
            raise ParseError(source.name, None, f"node {i} with a name that is not UTF-8", "an ONNX model")
    try:
        return onnx.shape_inference.infer_shapes(model), []
    except Exception as error:
        reason = str(error).strip().split("\n", 1)[0]
        return model, [f"shapes could not be inferred ({reason})"]


def _read_names(node: Any) -> Iterable[str]:
    """What a node reads, also from within the graphs of a loop or a branch."""
    pending, names = [node], list[str]()
    while pending:
        current = pending.pop()
        names += [name for name in current.input if name]
        for attribute in current.attribute:
            for graph in (attribute.g, *attribute.graphs):
                pending += graph.node
                names += [output.name for output in graph.output]
    return names


class _Tensors:
    """Shapes and element sizes of the tensors, as far as they are known."""

    def __init__(self, onnx: Any, model: Any) -> None:
        self.shape: dict[str, list[int] | None] = {}
        self.itemsize: dict[str, int] = {}
        self.unknown: set[str] = set()
        sizes = {
            kind: onnx.helper.tensor_dtype_to_np_dtype(kind).itemsize
            for kind in onnx.TensorProto.DataType.values()
            if kind not in (onnx.TensorProto.UNDEFINED, onnx.TensorProto.STRING)
        }
        graph = model.graph
        for value in (*graph.input, *graph.value_info, *graph.output):
            tensor = value.type.tensor_type
            self.itemsize[value.name] = sizes.get(tensor.elem_type, 1)
            if tensor.HasField("shape"):
                lengths = [d.dim_value if d.HasField("dim_value") else -1 for d in tensor.shape.dim]
                self.shape[value.name] = lengths if min(lengths, default=0) >= 0 else None
        for initializer in graph.initializer:
            self.itemsize[initializer.name] = sizes.get(initializer.data_type, 1)
            self.shape[initializer.name] = [max(length, 0) for length in initializer.dims]

    def elements(self, name: str) -> int:
        shape = self.shape.get(name)
        if shape is None:
            self.unknown.add(name)
            return 1
        return math.prod(shape)

    def bytes(self, name: str) -> int:
        return self.elements(name) * self.itemsize.get(name, 1)


def _graph(
    nodes: list[Any], edges: dict[tuple[int, int], dict[str, None]], shapes: _Tensors, work: str
) -> Digraph:
    names, taken = [], set[str]()
    for i, node in enumerate(nodes):
        name = node.name or f"{node.op_type}_{i}"
        while name in taken:
            name += "_"
        taken.add(name)
        names.append(name)
    if work == "unit":
        weights = [1] * len(nodes)
    elif work == "bytes":
        weights = [sum(shapes.bytes(name) for name in node.output if name) for node in nodes]
    else:
        weights = [_flops(node, shapes) for node in nodes]
    sizes = [sum(shapes.bytes(name) for name in tensors) for tensors in edges.values()]
    return from_arrays(len(nodes), [u for u, _ in edges], [v for _, v in edges], sizes, weights, names)


def _flops(node: Any, shapes: _Tensors) -> int:
    made = sum(shapes.elements(name) for name in node.output if name)
    read = [shapes.shape.get(name) or [] for name in node.input]
    if node.op_type in _FREE:
        return 0
    if node.op_type in _CONVOLUTIONS and len(read) > 1 and len(read[1]) > 1:
        # The kernel is (channels out, channels in of a group, height, width ...).
        return 2 * made * math.prod(read[1][1:])
    if node.op_type in _PRODUCTS and read and read[0]:
        transposed = any(a.name == "transA" and a.i for a in node.attribute)
        return 2 * made * read[0][0 if transposed else -1]
    if node.op_type in _POOLS:
        window = next((a.ints for a in node.attribute if a.name == "kernel_shape"), ())
        return made * max(1, math.prod(window))
    return made


FORMAT = Format("onnx", (".onnx",), load)
