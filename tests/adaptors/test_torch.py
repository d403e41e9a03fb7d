"""torch.fx: vertices weigh what torch counts itself, edges bytes."""

from __future__ import annotations

import operator
from itertools import pairwise

import pytest

from dagpart import DagpartError, Digraph, partition
from dagpart.adaptors import write_back

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.fx.passes.shape_prop import ShapeProp  # noqa: E402
from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402


class Calls(nn.Module):
    """A function with tensors of its own."""

    def __init__(self, function, *shapes):
        super().__init__()
        self.function = function
        for i, shape in enumerate(shapes):
            self.register_parameter(f"w{i}", nn.Parameter(torch.ones(shape)))

    def forward(self, x):
        return self.function(x, *self.parameters())


def traced(module, *inputs):
    graph = torch.fx.symbolic_trace(module.eval())
    ShapeProp(graph).propagate(*inputs)
    return graph


@pytest.fixture(autouse=True)
def _no_fast_path():
    # Nor does it count the fused layers of attention.
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    yield
    torch.backends.mha.set_fastpath_enabled(before)


def flops(module, *inputs):
    """What torch itself counts; of a fused kernel for attention it would count nothing."""
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        module(*inputs)
    return counter.get_total_flops()


F = nn.functional
ALONE = {
    "linear": (nn.Linear(8, 3), (2, 5, 8)),
    "conv1d": (nn.Conv1d(4, 6, 3), (2, 4, 9)),
    "conv2d": (nn.Conv2d(4, 6, 3, stride=2, padding=1, groups=2), (2, 4, 9, 9)),
    "conv3d": (nn.Conv3d(2, 3, (1, 2, 3)), (1, 2, 4, 5, 6)),
    "transposed": (nn.ConvTranspose2d(4, 6, 3, stride=2), (1, 4, 5, 5)),
    "F.linear": (Calls(F.linear, (3, 8)), (2, 8)),
    "F.conv2d": (Calls(F.conv2d, (6, 4, 3, 3)), (1, 4, 8, 8)),
    "F.conv_transpose2d": (Calls(F.conv_transpose2d, (4, 6, 3, 3)), (1, 4, 8, 8)),
    "matmul": (Calls(torch.matmul, (7, 8, 3)), (7, 2, 8)),
    "@": (Calls(operator.matmul, (8, 3)), (2, 5, 8)),
    "method": (Calls(lambda x, w: x.matmul(w), (8, 3)), (2, 8)),
    "bmm": (Calls(torch.bmm, (7, 8, 3)), (7, 2, 8)),
    "addmm": (Calls(lambda x, a, b: torch.addmm(x, a, b), (2, 8), (8, 3)), (2, 3)),
    "einsum": (Calls(lambda x, w: torch.einsum("...ij,jk->...ik", x, w), (8, 3)), (4, 2, 8)),
    "attention": (
        Calls(F.scaled_dot_product_attention, (2, 4, 9, 8), (2, 4, 9, 6)),
        (2, 4, 5, 8),
    ),
    "encoder layer": (nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), (2, 5, 8)),
}


@pytest.mark.parametrize("name", ALONE)
def test_work_is_what_torch_counts(name):
    module, shape = ALONE[name]
    if not isinstance(module, Calls):
        # A module that is traced by itself is looked into.
        module = nn.Sequential(module)
    x = torch.ones(shape)
    expected = flops(module.eval(), x)
    assert expected > 0
    assert Digraph(traced(module, x)).vertex_weights.tolist() == [expected]


def test_exported_graphs_have_shapes_of_their_own():
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5)).eval()
    x = torch.ones(2, 3, 8, 8)
    exported = Digraph(torch.export.export(net, (x,)).graph_module)
    # Pooling looks at 4 elements for each that it makes; flattening makes no data.
    expected = [2 * 288 * 27, 288, 4 * 72, 0, 2 * 10 * 36]
    assert exported.vertex_weights.tolist() == Digraph(traced(net, x)).vertex_weights.tolist() == expected
    assert exported.edge_weights.tolist() == [4 * 288, 4 * 288, 4 * 72, 4 * 72]


def test_lengths_that_are_not_known_count_one():
    net = nn.Linear(8, 3).eval()
    shapes = ({0: torch.export.Dim("batch")},)
    exported = torch.export.export(net, (torch.ones(4, 8),), dynamic_shapes=shapes)
    assert Digraph(exported.graph_module).vertex_weights.tolist() == [2 * 8 * 3]


def test_multihead_and_recurrent_modules():
    attention = nn.MultiheadAttention(8, 2, batch_first=True)

    class Own(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention, self.lstm = attention, nn.LSTM(8, 16, batch_first=True)

        def forward(self, x):
            return self.lstm(self.attention(x, x, x)[0])[0]

    graph = Digraph(traced(Own(), torch.ones(2, 5, 8)))
    work = dict(zip(graph.names, graph.vertex_weights.tolist(), strict=True))
    x = torch.ones(2, 5, 8)
    assert work["attention"] == flops(attention.eval(), x, x, x)
    # Four gates from 8 inputs and 16 states, for 10 tokens.
    assert work["lstm"] == 2 * 10 * 4 * 16 * (8 + 16)
    assert work["getitem"] == 0


def test_without_shapes_all_weigh_one():
    graph = Digraph(torch.fx.symbolic_trace(nn.Sequential(nn.Linear(4, 4), nn.ReLU())))
    assert graph.vertex_weights.tolist() == [1, 1]
    assert graph.dropped.missing_weights == 0


def test_measured_times_by_name():
    graph = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(4, 4), nn.ReLU()))
    for i, node in enumerate(graph.graph.nodes):
        node.meta["time"] = i
    assert Digraph(graph, vertex_weights="time").vertex_weights.tolist() == [1, 2]
    with pytest.raises(DagpartError, match=r"'energy'.*'time'"):
        Digraph(graph, vertex_weights="energy")


def test_ten_convolutions_in_four_stages():
    widths = [3, 16, 16, 32, 32, 64, 64, 128, 128, 256, 256]
    layers = []
    for i, (before, after) in enumerate(pairwise(widths)):
        layers += [nn.Conv2d(before, after, 3, padding=1, stride=2 if i in (2, 4, 6, 7) else 1), nn.ReLU()]
    net = nn.Sequential(*layers).eval()
    image = torch.ones(1, 3, 64, 64)
    graph = traced(net, image)
    result = partition(graph, 4, imbalance=0.2)
    work = [0] * 4
    part_of = write_back(graph, result)
    values = {}
    for node in graph.graph.nodes:
        if node.op == "placeholder":
            values[node] = image
        elif node.op == "call_module":
            module = graph.get_submodule(node.target)
            work[part_of(node)] += flops(module, values[node.args[0]])
            values[node] = module(values[node.args[0]])
    assert max(work) <= 1.2 * min(work)


def test_another_module_is_refused_by_name():
    result = partition(torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1), 2)
    with pytest.raises(DagpartError, match=r"'neg'.*was not partitioned"):
        write_back(torch.fx.symbolic_trace(lambda x: torch.neg(x) + 1), result)
