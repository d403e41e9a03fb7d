"""torch.fx: traced and exported modules, whose calls become the vertices."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dagpart._entries import Held
from dagpart.adaptors._adaptor import Adaptor, attribute_of, entries
from dagpart.errors import DagpartError

if TYPE_CHECKING:
    from dagpart.search.result import Partition

# What only hands values in or out: split_module puts these where they are needed.
_PASSIVE = ("placeholder", "get_attr", "output")

# Operations as functions, methods, modules and ATen operators are called, in lower case without underscores.
_PRODUCTS = frozenset({"matmul", "rmatmul", "mm", "bmm", "mv", "dot", "inner", "vdot", "linear"})
_PRODUCTS_AND_SUM = frozenset({"addmm", "baddbmm", "addmv"})
_RECURRENT = frozenset({"rnn", "lstm", "gru", "rnntanh", "rnnrelu", "rnncell", "lstmcell", "grucell"})
_TRANSFORMER = frozenset({"transformerencoderlayer", "transformerdecoderlayer", "transformerencoder"})
# What gives another view of its data, or no data at all.
# fmt: off
_FREE = frozenset({
    "getitem", "getattr", "size", "dim", "numel", "shape", "view", "viewas", "reshape", "reshapeas",
    "flatten", "unflatten", "squeeze", "unsqueeze", "transpose", "permute", "movedim", "swapaxes",
    "swapdims", "t", "mt", "expand", "expandas", "contiguous", "chunk", "split", "splitwithsizes",
    "tensorsplit", "unbind", "select", "slice", "narrow", "detach", "alias", "identity", "asstrided",
    "symsize", "lift"
})
# fmt: on


def _holds(library: Any, graph: object) -> bool:
    fx = sys.modules.get("torch.fx")
    return fx is not None and isinstance(graph, fx.GraphModule | fx.Graph)


def _take(graph: Any, edge: str | None, vertex: str | None) -> Held:
    """Calls by the names of their nodes.

    Where shapes are known (`ShapeProp` has run, or the graph comes from torch.export), a vertex weighs its
    floating-point operations and an edge the bytes of the tensors; 1 each without shapes. Other attributes
    are entries of ``node.meta``, for an edge those of the node that it leaves.
    """
    calls = _calls(graph)
    position = {node: i for i, node in enumerate(calls)}
    pairs = [(position[u], i) for i, node in enumerate(calls) for u in node.all_input_nodes if u in position]
    work = _attribute(calls, vertex, "flops", lambda node: _flops(node, _module_of(graph, node)))
    sizes = _attribute(calls, edge, "bytes", lambda node: _bytes(node))
    return Held(
        entries(len(calls), (u for u, _ in pairs), (v for _, v in pairs), [node.name for node in calls]),
        [sizes[u] for u, _ in pairs],
        work,
    )


def _calls(graph: Any) -> list[Any]:
    nodes = graph.nodes if hasattr(graph, "nodes") else graph.graph.nodes
    return [node for node in nodes if node.op not in _PASSIVE]


def _attribute(calls: list[Any], asked: str | None, usual: str, of: Callable[[Any], int | None]) -> list[Any]:
    """What each node has of a kind: the usual measure, or an entry of its `meta`."""
    if asked in (None, usual):
        return [of(node) for node in calls]
    if asked == "bytes":
        return [_bytes(node) for node in calls]
    attribute_of((name for node in calls for name in node.meta), asked, "nodes of the torch.fx graph")
    return [node.meta.get(asked) for node in calls]


def _module_of(graph: Any, node: Any) -> Any:
    """The module that a node calls, if it is one and there to be seen."""
    owner = graph if hasattr(graph, "get_submodule") else graph.owning_module
    if node.op != "call_module" or owner is None:
        return None
    try:
        return owner.get_submodule(node.target)
    except AttributeError:
        return None


# ---------------------------------------------------------------------- what nodes make


def _tensors(value: Any) -> list[Any]:
    """The tensors, or what stands for them, that a node makes or takes."""
    if hasattr(value, "meta") and hasattr(value, "all_input_nodes"):
        known = (value.meta.get(key) for key in ("tensor_meta", "val", "example_value"))
        value = next((found for found in known if found is not None), None)
    pending, found = [value], []
    while pending:
        current = pending.pop()
        if hasattr(current, "shape") and hasattr(current, "dtype"):
            found.append(current)
        elif isinstance(current, list | tuple):
            pending += reversed(current)
        elif isinstance(current, dict):
            pending += reversed(current.values())
        elif hasattr(current, "all_input_nodes"):
            found += _tensors(current)
    return found


def _shape(tensor: Any) -> tuple[int, ...]:
    """Lengths, 1 for each that is not known: asking torch for it would bind it to one number."""
    return tuple(length if isinstance(length, int) else 1 for length in tensor.shape)


def _elements(value: Any) -> int:
    return sum(math.prod(_shape(tensor)) for tensor in _tensors(value))


def _bytes(node: Any) -> int | None:
    """Bytes of what a node makes, if its shapes are known."""
    made = _tensors(node)
    return sum(math.prod(_shape(tensor)) * tensor.dtype.itemsize for tensor in made) if made else None


# ---------------------------------------------------------------------- what nodes do


def _flops(node: Any, module: Any) -> int | None:
    """Floating-point operations of a node, if the shapes of what it makes are known.

    2 for each multiplication with addition of products of matrices, convolutions, recurrent cells and
    attention; the window for each element of a pooling; 0 for what only makes another view of its data; 1 for
    each element that comes out elsewhere. As `dagpart.io.onnx_model` counts.
    """
    made = _elements(node)
    if not _tensors(node):
        return None
    if hasattr(module, "graph") and hasattr(module, "get_submodule"):
        inner = [_flops(call, _module_of(module, call)) for call in _calls(module)]
        known = [count for count in inner if count is not None]
        return sum(known) if known else made
    name = _operation(node, module)
    if name in _FREE:
        return 0
    counted = _contraction(name, node, module, made)
    return made if counted is None else counted


def _operation(node: Any, module: Any) -> str:
    """What a node does, in one word for its function, method, module or operator."""
    if node.op == "call_module":
        name = type(module).__name__
    elif isinstance(node.target, str):
        name = node.target
    else:
        # An operator of ATen is called "conv2d.default".
        name = getattr(node.target, "__name__", "").partition(".")[0]
    return name.replace("_", "").lower()


def _contraction(name: str, node: Any, module: Any, made: int) -> int | None:
    """Work of an operation that multiplies and adds or pools; None if it is none, or its operands hide."""
    if name in _PRODUCTS:
        taken = _operand(node, 0, "input")
        return 2 * made * taken[-1] if taken else None
    if name in _PRODUCTS_AND_SUM:
        taken = _operand(node, 1, "mat1", "batch1", "mat")
        return 2 * made * taken[-1] if taken else None
    if name == "bilinear":
        one, two = _operand(node, 0, "input1"), _operand(node, 1, "input2")
        return 2 * made * one[-1] * two[-1] if one and two else None
    if name == "einsum":
        return _einsum(node)
    if name.startswith("conv"):
        return _convolution(name, node, module, made)
    if name.startswith("scaleddotproduct"):
        return _attention(*(_operand(node, i, word) for i, word in enumerate(("query", "key", "value"))))
    if name.startswith(("maxpool", "avgpool", "lppool")):
        return made * _window(name, node, module)
    if name == "multiheadattention" and module is not None:
        keys, values = _operand(node, 1, "key"), _operand(node, 2, "value")
        return _multihead(module, _operand(node, 0, "query"), keys, values)
    if name in _RECURRENT:
        weights = module.parameters() if module is not None else _tensors(_argument(node, 2, "params"))
        return _per_token(_operand(node, 0, "input"), weights)
    if name in _TRANSFORMER and module is not None:
        return _transformer(module, _operand(node, 0, "src", "tgt"), _operand(node, 1, "memory"))
    return None


def _argument(node: Any, place: int, *words: str) -> Any:
    if place < len(node.args):
        return node.args[place]
    return next((node.kwargs[word] for word in words if word in node.kwargs), None)


def _operand(node: Any, place: int, *words: str) -> tuple[int, ...]:
    """Shape of an argument that is a tensor; () where it is none or not known."""
    found = _tensors(_argument(node, place, *words))
    return _shape(found[0]) if found else ()


def _einsum(node: Any) -> int | None:
    """2 for each combination of all indices."""
    equation, *operands = node.args
    if len(operands) == 1 and isinstance(operands[0], list | tuple):
        operands = list(operands[0])
    if not isinstance(equation, str):
        return None
    lengths: dict[str, int] = {}
    terms = equation.partition("->")[0].replace(" ", "").split(",")
    for term, operand in zip(terms, operands, strict=False):
        shape = _shape(found[0]) if (found := _tensors(operand)) else ()
        before, dots, after = term.partition("...")
        hidden = len(shape) - len(before) - len(after) if dots else 0
        # Dimensions under an ellipsis are counted from the last one.
        indices = [*before, *(f"...{i}" for i in range(hidden, 0, -1)), *after]
        for index, length in zip(indices, shape, strict=False):
            lengths[index] = max(length, lengths.get(index, 0))
    return 2 * math.prod(lengths.values()) if lengths else None


def _convolution(name: str, node: Any, module: Any, made: int) -> int | None:
    kernel = _shape(module.weight) if hasattr(module, "weight") else _operand(node, 1, "weight")
    if len(kernel) < 3:
        return None
    # The kernel is (channels out, channels in of a group, height, width ...), turned round if transposed.
    transposed = "transpose" in name or (name == "convolution" and _argument(node, 6, "transposed") is True)
    return 2 * (math.prod(_operand(node, 0, "input")) if transposed else made) * math.prod(kernel[1:])


def _attention(query: Sequence[int], key: Sequence[int], value: Sequence[int]) -> int | None:
    """Every query with every key, and the mean of the values."""
    if min(len(query), len(key), len(value)) < 2:
        return None
    return 2 * math.prod(query[:-1]) * key[-2] * (query[-1] + value[-1])


def _multihead(module: Any, query: Sequence[int], key: Sequence[int], value: Sequence[int]) -> int | None:
    """Projections of queries, keys, values and results, and attention between them."""
    if min(len(query), len(key), len(value)) < 2:
        return None
    width: int = module.embed_dim
    along = 1 if module.batch_first and len(key) == 3 else 0
    projections = sum(math.prod(shape) for shape in (query, key, value)) * width
    results = math.prod(query[:-1]) * width * width
    return 2 * (projections + results + math.prod(query[:-1]) * key[along] * 2 * width)


def _per_token(taken: Sequence[int], weights: Iterator[Any] | list[Any]) -> int | None:
    """Each matrix of weights times each vector that comes in."""
    matrices = sum(math.prod(_shape(weight)) for weight in weights if len(weight.shape) > 1)
    return 2 * matrices * math.prod(taken[:-1]) if taken and matrices else None


def _transformer(module: Any, taken: Sequence[int], memory: Sequence[int]) -> int | None:
    """The linear layers and the attention inside of a layer, or of several."""
    if len(taken) < 2:
        return None
    total = 0
    for name, part in module.named_modules():
        if hasattr(part, "embed_dim"):
            other = memory if name.endswith("multihead_attn") and memory else taken
            total += _multihead(part, taken, other, other) or 0
        elif type(part).__name__ == "Linear":
            total += _per_token(taken, [part.weight]) or 0
    return total


def _window(name: str, node: Any, module: Any) -> int:
    """Elements that one of a pooling looks at."""
    sides = module.kernel_size if hasattr(module, "kernel_size") else _argument(node, 1, "kernel_size")
    if isinstance(sides, int):
        sides = [sides] * next((int(sign) for sign in name if sign.isdigit()), 1)
    if not isinstance(sides, list | tuple):
        return 1
    looked_at: int = math.prod(side for side in sides if isinstance(side, int))
    return looked_at


def _write_back(graph: Any, result: Partition, labels: list[int], attribute: str) -> Callable[[Any], int]:
    names = (node.name for node in _calls(graph))
    parts: dict[str, int] = dict(zip(names, labels, strict=True))

    def part_of(node: Any) -> int:
        part = parts.get(node.name)
        if part is None:
            raise DagpartError(f"the node {node.name} was not partitioned")
        return part

    return part_of


ADAPTOR = Adaptor("torch", "torch", _holds, _take, _write_back)
