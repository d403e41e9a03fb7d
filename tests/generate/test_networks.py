"""Neural networks: published numbers of parameters and operations, and the rules of their graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from dagpart import generate
from dagpart.errors import DagpartError
from dagpart.generate import network

SMALL = {
    "mlp": ((4,), {"width": [3, 5, 7, 5, 2], "batch": 2}),
    "resnet": (([1, 2],), {"image": 16, "channels": 4, "classes": 5, "batch": 2}),
    "unet": ((2,), {"image": 8, "channels": 3, "batch": 2}),
    "transformer": ((2,), {"width": 8, "heads": 2, "length": 5, "vocabulary": 11, "batch": 2}),
}


def edges_of(dag):
    source = np.repeat(np.arange(dag.n), np.diff(dag.indptr)).tolist()
    return dict(zip(zip(source, dag.indices.tolist(), strict=True), dag.edge_weights.tolist(), strict=True))


def plain_training(net, element):
    """Vertices with their work, and edges with their bytes, by names, from what each layer says."""
    work, edges = {}, {}

    def edge(source, target, numbers):
        edges[source, target] = edges.get((source, target), 0) + element * numbers

    name = [layer.name for layer in net.layers]
    for layer in net.layers:
        work[layer.name] = layer.flops
        for u in layer.inputs:
            edge(name[u], layer.name, net.layers[u].outputs)
    last = net.layers[-1]
    work["loss"] = last.outputs
    edge(last.name, "loss", last.outputs)
    edge("loss", f"d:{last.name}", last.outputs)
    for layer in net.layers[1:]:
        work[f"d:{layer.name}"] = 2 * layer.flops if layer.products else layer.flops
        for u in layer.inputs:
            if name[u] != "input":
                edge(f"d:{layer.name}", f"d:{name[u]}", net.layers[u].outputs)
            if layer.saved == "inputs":
                edge(name[u], f"d:{layer.name}", net.layers[u].outputs)
        if layer.saved == "output":
            edge(layer.name, f"d:{layer.name}", layer.outputs)
    return work, edges


@pytest.mark.parametrize("name", SMALL)
def test_graphs_follow_from_the_layers(name):
    sizes, options = SMALL[name]
    net = network(name, *sizes, **options)
    dag = getattr(generate, name)(*sizes, **options, weights="cost", element=2)
    work, edges = plain_training(net, 2)
    assert dict(zip(dag.names, dag.vertex_weights.tolist(), strict=True)) == work
    got = {(dag.names[u], dag.names[v]): nbytes for (u, v), nbytes in edges_of(dag).items()}
    assert got == edges
    # All names differ, and numbers are a topological order.
    assert len(set(dag.names)) == dag.n == 2 * len(net.layers)
    assert all(u < v for u, v in edges_of(dag))

    forward = getattr(generate, name)(*sizes, **options, training=False, weights="cost")
    assert forward.n == len(net.layers)
    assert forward.names == dag.names[: forward.n]
    assert forward.total_weight == net.flops
    assert np.array_equal(
        forward.to_scipy().toarray(), 2 * dag.to_scipy().toarray()[: forward.n, : forward.n]
    )
    unit = getattr(generate, name)(*sizes, **options)
    assert np.array_equal(unit.indices, dag.indices)
    assert (unit.edge_weights == 1).all()
    assert (unit.vertex_weights == 1).all()


@pytest.mark.parametrize("name", SMALL)
def test_one_source_and_every_gradient_is_made(name):
    sizes, options = SMALL[name]
    dag = getattr(generate, name)(*sizes, **options)
    graph = dag.to_networkx()
    assert [v for v, d in graph.in_degree() if d == 0] == ["input"]
    # Every backward pass comes behind the loss.
    behind = nx.descendants(graph, "loss")
    assert behind == {v for v in graph if str(v).startswith("d:")}


@pytest.mark.parametrize(
    ("blocks", "bottleneck", "parameters", "billions"),
    [
        ((2, 2, 2, 2), False, 11_689_512, 1.814),
        ((3, 4, 6, 3), False, 21_797_672, 3.664),
        ((3, 4, 6, 3), True, 25_557_032, 4.089),
        ((3, 4, 23, 3), True, 44_549_160, 7.801),
        ((3, 8, 36, 3), True, 60_192_808, 11.514),
    ],
)
def test_published_numbers_of_resnets(blocks, bottleneck, parameters, billions):
    net = network("resnet", blocks, bottleneck=bottleneck)
    assert net.parameters == parameters
    # Multiplications of convolutions and of the last layer, as they are usually given.
    products = sum(layer.flops for layer in net.layers if layer.products) / 2
    assert products / 1e9 == pytest.approx(billions, abs=0.002)


def test_published_numbers_of_other_networks():
    # A U-Net with batch normalization and transposed convolutions, for colour images and one class.
    assert network("unet", classes=1).parameters == 31_037_633
    assert network("transformer").parameters == 124_439_808
    medium = network("transformer", 24, width=1024, heads=16)
    assert medium.parameters == 354_823_168
    # Close to two operations a parameter and word, besides attention.
    words = 1024
    net = network("transformer", length=words)
    attention = sum(layer.flops for layer in net.layers if layer.name.split(".")[-1] in ("scores", "mean"))
    assert attention == 12 * 4 * words * words * 768
    assert net.flops - attention == pytest.approx(2 * words * 124_439_808, rel=0.02)


def test_operations_of_a_perceptron():
    net = network("mlp", 2, width=[10, 20, 3], batch=5)
    assert [layer.flops for layer in net.layers] == [0, 5 * 20 * 21, 5 * 20, 5 * 3 * 41]
    assert [layer.outputs for layer in net.layers] == [50, 100, 100, 15]
    assert net.parameters == 11 * 20 + 21 * 3


def test_heads_side_by_side():
    sizes = {"width": 12, "heads": 3, "length": 5, "vocabulary": 7}
    whole = network("transformer", 2, **sizes)
    split = network("transformer", 2, **sizes, split_heads=True)
    assert split.flops == whole.flops
    assert split.parameters == whole.parameters
    assert len(split.layers) == len(whole.layers) + 2 * (3 * 6 - 3)
    dag = split.dag(training=False)
    graph = dag.to_networkx()
    # A head depends on all projections, and on no other head.
    assert "block0.head1.q" not in nx.ancestors(graph, "block0.head0.mean")
    assert {"block0.q", "block0.k", "block0.v"} <= nx.ancestors(graph, "block0.head0.mean")
    assert len(list(graph.predecessors("block0.proj"))) == 3


def test_shapes_of_resnets():
    dag = generate.resnet(training=False, weights="cost", element=1)
    into = {dag.names[v]: nbytes for (_, v), nbytes in edges_of(dag).items()}
    assert into["conv1"] == 3 * 224 * 224
    assert into["bn1"] == 64 * 112 * 112
    assert into["layer1.0.conv1"] == 64 * 56 * 56
    assert into["layer4.2.conv1"] == 2048 * 7 * 7
    assert into["fc"] == 2048


def test_short_cuts_of_unets():
    graph = generate.unet(3, image=16, channels=4, training=False).to_networkx()
    for level in range(3):
        assert graph.has_edge(f"down{level}.relu2", f"up{level}.concat")
    assert nx.dag_longest_path_length(graph) == graph.number_of_nodes() - 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: network("vgg"), "name must be 'mlp', 'resnet', 'transformer' or 'unet', got 'vgg'"),
        (lambda: generate.mlp(0), "layers must be at least 1"),
        (lambda: generate.mlp(2, width=[3, 4]), "width lists 2 sizes, but 2 layers and the input need 3"),
        (lambda: generate.mlp(2, width=2**30), "width must be at most"),
        (lambda: generate.mlp(2, element=0), "element must be at least 1"),
        (lambda: generate.mlp(2, weights="bytes"), "weights must be 'unit' or 'cost'"),
        (lambda: generate.mlp(10**12), "a graph of 1000000000000 layers does not fit in memory"),
        (lambda: generate.resnet([]), "blocks must list 1 to 10 stages, got 0"),
        (lambda: generate.resnet([1, 0]), r"blocks\[1\] must be at least 1"),
        (lambda: generate.unet(3, image=20), "image must be a multiple of 8 for 3 levels, got 20"),
        (
            lambda: generate.transformer(1, width=2**17, heads=1, length=2**20, batch=1000),
            "a weight would be .*: make the network smaller",
        ),
        (lambda: generate.unet(11), "levels must be at most 10"),
        (lambda: generate.transformer(2, width=10, heads=3), "width must be a multiple of heads=3, got 10"),
    ],
)
def test_arguments_out_of_range(call, message):
    with pytest.raises(DagpartError, match=message):
        call()
