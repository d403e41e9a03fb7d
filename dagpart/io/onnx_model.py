"""Neural networks (.onnx), through the package `onnx`.

Every node of the graph is a task; an edge carries a tensor from the node that makes it to a node that reads
it. Initialisers are data, not tasks.
"""

from __future__ import annotations

import graphlib
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from dagpart._arguments import check_choice, check_size
from dagpart._files import Source, read_source
from dagpart._optional import require
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

WORKS = ("flops", "bytes", "unit")
"""What a node can weigh."""

Lengths: TypeAlias = int | Mapping[str, int]
"""What lengths count that a model leaves open: one number for all, or by their names."""


@dataclass(frozen=True)
class Network:
    """The graph of a model.

    Attributes
    ----------
    names : list of str
        Of the nodes; made up where a node has none of its own.
    ends : list of (int, int)
        The nodes at both ends of each edge.
    sizes : list of int
        Bytes of the tensors on each edge.
    weights : list of int
        Work of each node.
    unknown : int
        Number of tensors some lengths of which the model leaves open.
    notes : tuple of str
        What could not be found out, in words.
    """

    names: list[str]
    ends: list[tuple[int, int]]
    sizes: list[int]
    weights: list[int]
    unknown: int
    notes: tuple[str, ...]


def load(
    source: Source, *, work: Literal["flops", "bytes", "unit"] = "flops", lengths: Lengths = 1
) -> Loaded:
    """Read a network; shapes are inferred where that is possible.

    Parameters
    ----------
    source : Source
        The file.
    work : {"flops", "bytes", "unit"}
        Weight of a node: an estimate of its floating-point operations (2 for each multiplication with
        addition of convolutions and products of matrices, 1 for each element that comes out elsewhere, 0
        where data is only made or renamed), the bytes that it makes, or 1.
    lengths : int or mapping {str: int}
        What a length counts that the model leaves open, such as that of a batch: a number for all of them, or
        for each by its name in the model (those that are not named count 1). Named lengths also go into the
        inference of shapes.

    Raises
    ------
    ParseError
        The file is no ONNX model.
    DagpartError
        The model has no length of such a name.
    MissingDependencyError
        The package `onnx` is not installed.
    """
    network = network_of(_parse(source), work=work, lengths=lengths, where=source.name)
    tails, heads = [u for u, _ in network.ends], [v for _, v in network.ends]
    n = len(network.names)
    graph = from_arrays(n, tails, heads, network.sizes, network.weights, network.names)
    return Loaded(graph, FORMAT.name, notes=network.notes)


def network_of(model: Any, *, work: str = "flops", lengths: Lengths = 1, where: str = "the model") -> Network:
    """The graph of a model in memory.

    Parameters
    ----------
    model : onnx.ModelProto
        Is not changed.
    work, lengths
        As for `load`.
    where : str
        What errors call the model.

    Raises
    ------
    ParseError
        The model has no nodes.
    DagpartError
        An argument is not as `load` says.
    """
    check_choice(work, "work", WORKS)
    onnx = require("onnx", "onnx", "to read ONNX models")
    nodes = list(model.graph.node)
    if not nodes:
        raise ParseError(where, None, "a model without nodes", "an ONNX model")
    edges = _edges(nodes)
    inferred, notes = _inferred(onnx, model, edges, lengths)
    tensors = _Tensors(onnx, inferred.graph, lengths)
    if work == "unit":
        weights = [1] * len(nodes)
    elif work == "bytes":
        weights = [sum(tensors.bytes(name) for name in node.output if name) for node in nodes]
    else:
        weights = [_flops(node, tensors) for node in nodes]
    sizes = [sum(tensors.bytes(name) for name in carried) for carried in edges.values()]
    if tensors.open:
        notes.append(f"tensors with lengths not known, counted {tensors.default} each: {len(tensors.open)}")
    return Network(_names(nodes), list(edges), sizes, weights, len(tensors.open), tuple(notes))


def split(model: str | os.PathLike[str] | Any, result: Labelled) -> list[Any]:
    """The parts of a network as models of their own, in an order in which they can run.

    Each takes the tensors that earlier parts make for it, and the inputs of the network; it makes what later
    parts need, and the outputs of the network.

    Parameters
    ----------
    model : str, path-like or onnx.ModelProto
        The model that was partitioned, or its file.
    result : Partition, or what has its graph, labels and part_order
        Of the graph that `load` makes of it.

    Returns
    -------
    list of onnx.ModelProto
        One for each part that has a node, its nodes in an order in which they can run; initialisers go where
        they are used, functions of the model into each.

    Raises
    ------
    DagpartError
        The partition is not one of this model, or a tensor between two parts is of a type that neither the
        model tells nor inference finds.
    NotADagError
        The nodes of the model need each other in a circle.
    MissingDependencyError
        The package `onnx` is not installed.
    """
    onnx = require("onnx", "onnx", "to split ONNX models")
    if isinstance(model, str | os.PathLike):
        model = _parse(read_source(model))
    nodes = list(model.graph.node)
    part_of = _labels(nodes, result)
    edges = _edges(nodes)
    order = _order(len(nodes), edges)
    if order is None:
        raise DagpartError("the nodes of the model need each other in a circle: no part of it can run")
    inferred, _ = _inferred(onnx, model, edges, 1)
    groups: dict[int, list[Any]] = {}
    for i in order:
        groups.setdefault(part_of[i], []).append(nodes[i])
    border = _Border(onnx, inferred.graph, nodes, part_of)
    models = []
    for part in filter(groups.__contains__, result.part_order.tolist()):
        made = onnx.helper.make_model(
            border.graph_of(part, groups[part]),
            opset_imports=model.opset_import,
            functions=model.functions,
            ir_version=model.ir_version,
        )
        made.metadata_props.extend(model.metadata_props)
        models.append(made)
    return models


class _Border:
    """What goes into the parts of a model and out of them."""

    def __init__(self, onnx: Any, graph: Any, nodes: list[Any], part_of: list[int]) -> None:
        self.onnx, self.graph = onnx, graph
        self.known = {value.name: value for value in (*graph.input, *graph.value_info, *graph.output)}
        self.dense = {tensor.name: tensor for tensor in graph.initializer}
        self.sparse = {tensor.values.name: tensor for tensor in graph.sparse_initializer}
        self.given = {value.name for value in graph.input}
        self.maker = {name: part_of[i] for i, node in enumerate(nodes) for name in node.output if name}
        self.readers: dict[str, set[int]] = {value.name: {-1} for value in graph.output}
        for i, node in enumerate(nodes):
            for name in _read_names(node):
                self.readers.setdefault(name, set()).add(part_of[i])

    def graph_of(self, part: int, inside: list[Any]) -> Any:
        """The nodes of a part as a graph of their own."""
        reads = dict.fromkeys(name for node in inside for name in _read_names(node))
        makes = dict.fromkeys(name for node in inside for name in node.output if name)
        inputs = [name for name in reads if self.maker.get(name, part) != part or name in self.given]
        outputs = [name for name in makes if self.readers.get(name, set()) - {part}]
        return self.onnx.helper.make_graph(
            inside,
            f"{self.graph.name}_{part}",
            [self._value(name) for name in inputs],
            [self._value(name) for name in outputs],
            [self.dense[name] for name in reads if name in self.dense],
            value_info=[self.known[name] for name in makes if name in self.known and name not in outputs],
            sparse_initializer=[self.sparse[name] for name in reads if name in self.sparse],
        )

    def _value(self, name: str) -> Any:
        value = self.known.get(name)
        kind = None if value is None else value.type
        told = None if kind is None else kind.WhichOneof("value")
        if kind is None or told is None or (told == "tensor_type" and not kind.tensor_type.elem_type):
            raise DagpartError(
                f"the tensor {name!r} goes from one part to another, but its type is not known: give the "
                "model a value_info for it, or keep the nodes that make and read it in one part by groups="
            )
        return value


def _labels(nodes: list[Any], result: Labelled) -> list[int]:
    """Part of each node, by its name."""
    graph = result.graph
    names = _names(nodes)
    if len(names) != graph.n:
        raise DagpartError(f"the model has {len(names)} nodes, but {graph.n} were partitioned")
    parts = dict(zip(graph.names or (), result.labels.tolist(), strict=False))
    stranger = next((name for name in names if name not in parts), None)
    if stranger is not None:
        raise DagpartError(f"the node {stranger!r} of the model was not partitioned: give the same model")
    return [parts[name] for name in names]


def _parse(source: Source) -> Any:
    onnx = require("onnx", "onnx", "to read ONNX models")
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
    return model


def _edges(nodes: list[Any]) -> dict[tuple[int, int], dict[str, None]]:
    """The tensors that go from one node to another, by both nodes."""
    maker = {name: i for i, node in enumerate(nodes) for name in node.output if name}
    edges: dict[tuple[int, int], dict[str, None]] = {}
    for i, node in enumerate(nodes):
        for name in _read_names(node):
            if name in maker and maker[name] != i:
                edges.setdefault((maker[name], i), {})[name] = None
    return edges


def _order(n: int, edges: Iterable[tuple[int, int]]) -> list[int] | None:
    """An order in which nodes can run: that of the model where it is one. None where there is none."""
    if all(u < v for u, v in edges):
        return list(range(n))
    sorter = graphlib.TopologicalSorter[int](dict.fromkeys(range(n), ()))
    for u, v in edges:
        sorter.add(v, u)
    try:
        return list(sorter.static_order())
    except graphlib.CycleError:
        return None


def _inferred(
    onnx: Any, model: Any, edges: Iterable[tuple[int, int]], lengths: Lengths
) -> tuple[Any, list[str]]:
    """The model with shapes as far as they can be found out, and what went wrong with that."""
    order = _order(len(model.graph.node), edges)
    named = lengths if isinstance(lengths, Mapping) else {}
    if named or order not in (None, sorted(order or ())):
        given, model = model, onnx.ModelProto()
        model.CopyFrom(given)
        if order is not None:
            # Inference goes from node to node as they stand.
            del model.graph.node[:]
            model.graph.node.extend(given.graph.node[i] for i in order)
        _set_lengths(model.graph, named)
    try:
        return onnx.shape_inference.infer_shapes(model), []
    except Exception as error:
        reason = str(error).strip().split("\n", 1)[0]
        return model, [f"shapes could not be inferred ({reason})"]


def _set_lengths(graph: Any, lengths: Mapping[str, int]) -> None:
    found = dict.fromkeys(lengths, False)
    known: dict[str, None] = {}
    for value in (*graph.input, *graph.value_info, *graph.output):
        for length in value.type.tensor_type.shape.dim:
            name = length.dim_param
            if name:
                known[name] = None
            if name in found:
                found[name] = True
                length.dim_value = check_size(lengths[name], f"the length {name!r}", 1)
    lost = next((name for name, there in found.items() if not there), None)
    if lost is not None:
        others = f"it leaves open {', '.join(map(repr, known))}" if known else "it leaves none open by name"
        raise DagpartError(f"the model has no length {lost!r}: {others}")


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


def _names(nodes: list[Any]) -> list[str]:
    """A name for each node that no other has."""
    names, taken = [], set[str]()
    for i, node in enumerate(nodes):
        name = node.name or f"{node.op_type}_{i}"
        while name in taken:
            name += "_"
        taken.add(name)
        names.append(name)
    return names


class _Tensors:
    """Shapes and element sizes of the tensors; what is not known of them counts `default`."""

    def __init__(self, onnx: Any, graph: Any, lengths: Lengths) -> None:
        self.default = 1 if isinstance(lengths, Mapping) else check_size(lengths, "lengths", 1)
        self.shape: dict[str, list[int]] = {}
        self.itemsize: dict[str, int] = {}
        self.open: set[str] = set()
        self._partly: set[str] = set()
        sizes = {
            kind: onnx.helper.tensor_dtype_to_np_dtype(kind).itemsize
            for kind in onnx.TensorProto.DataType.values()
            if kind not in (onnx.TensorProto.UNDEFINED, onnx.TensorProto.STRING)
        }
        for value in (*graph.input, *graph.value_info, *graph.output):
            tensor = value.type.tensor_type
            self.itemsize[value.name] = sizes.get(tensor.elem_type, 1)
            if tensor.HasField("shape"):
                told = [d.dim_value if d.HasField("dim_value") else -1 for d in tensor.shape.dim]
                self.shape[value.name] = [length if length >= 0 else self.default for length in told]
                if min(told, default=0) < 0:
                    self._partly.add(value.name)
        for initializer in graph.initializer:
            self.itemsize[initializer.name] = sizes.get(initializer.data_type, 1)
            self.shape[initializer.name] = [max(length, 0) for length in initializer.dims]
        for sparse in graph.sparse_initializer:
            self.itemsize[sparse.values.name] = sizes.get(sparse.values.data_type, 1)
            self.shape[sparse.values.name] = [max(length, 0) for length in sparse.dims]

    def elements(self, name: str) -> int:
        shape = self.shape.get(name)
        if shape is None or name in self._partly:
            self.open.add(name)
        return 1 if shape is None else math.prod(shape)

    def bytes(self, name: str) -> int:
        return self.elements(name) * self.itemsize.get(name, 1)


def _flops(node: Any, tensors: _Tensors) -> int:
    made = sum(tensors.elements(name) for name in node.output if name)
    read = [tensors.shape.get(name) or [] for name in node.input]
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
