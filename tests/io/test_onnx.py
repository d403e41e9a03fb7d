"""ONNX models: in memory, with lengths left open, and split into models that stand alone."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dagpart
from dagpart import DagpartError, Digraph, NotADagError, partition
from dagpart.adaptors import write_back
from dagpart.cli import main
from dagpart.io import onnx_model

onnx = pytest.importorskip("onnx")
helper, FLOAT = onnx.helper, onnx.TensorProto.FLOAT


def info(name, shape, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def tensor(name, shape):
    return helper.make_tensor(name, FLOAT, shape, np.ones(shape, np.float32).ravel().tolist())


def model_of(nodes, inputs, outputs, initializers=(), **more):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers), **more.pop("graph", {}))
    more.setdefault("opset_imports", [helper.make_opsetid("", 18)])
    return helper.make_model(graph, ir_version=9, **more)


def run(model, **inputs):
    from onnx.reference import ReferenceEvaluator

    return dict(
        zip((v.name for v in model.graph.output), ReferenceEvaluator(model).run(None, inputs), strict=True)
    )


def run_all(models, **there):
    """All outputs when each model takes what is there when its turn comes."""
    for model in models:
        onnx.checker.check_model(model)
        there |= run(model, **{value.name: there[value.name] for value in model.graph.input})
    return there


def perceptron(batch="batch"):
    """x[batch, 4] -> 8 -> 2 elements a row."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"], name="first"),
        helper.make_node("Relu", ["a"], ["b"], name="relu"),
        helper.make_node("MatMul", ["b", "v"], ["y"], name="second"),
    ]
    weights = [tensor("w", [4, 8]), tensor("v", [8, 2])]
    return model_of(nodes, [info("x", [batch, 4])], [info("y", [batch, 2])], weights)


def test_a_model_in_memory():
    model = perceptron(3)
    before = model.SerializeToString()
    result = partition(model, 2, imbalance=0.5)
    graph = result.graph
    assert graph.names == ("first", "relu", "second")
    assert graph.vertex_weights.tolist() == [2 * 3 * 8 * 4, 3 * 8, 2 * 3 * 2 * 8]
    assert graph.edge_weights.tolist() == [4 * 3 * 8] * 2
    assert Digraph(model, vertex_weights="bytes").vertex_weights.tolist() == [96, 96, 24]
    assert Digraph(model, vertex_weights="unit", edge_weights="unit").total_weight == 3
    with pytest.raises(DagpartError, match=r"'time'.*'flops'"):
        Digraph(model, vertex_weights="time")
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert np.array_equal(run_all(write_back(model, result), x=x)["y"], run(model, x=x)["y"])
    assert model.SerializeToString() == before


def test_open_lengths_count_one_or_what_is_asked(tmp_path):
    onnx.save(perceptron(), tmp_path / "net.onnx")
    loaded = dagpart.io.load(tmp_path / "net.onnx")
    assert loaded.graph.vertex_weights.tolist() == [2 * 8 * 4, 8, 2 * 2 * 8]
    assert loaded.graph.edge_weights.tolist() == [4 * 8] * 2
    assert "lengths not known, counted 1 each: 3" in loaded.notes[0]
    for lengths in (5, {"batch": 5}):
        graph = dagpart.read(tmp_path / "net.onnx", lengths=lengths)
        assert graph.vertex_weights.tolist() == [5 * w for w in loaded.graph.vertex_weights.tolist()]
    assert dagpart.io.load(tmp_path / "net.onnx", lengths={"batch": 5}).notes == ()
    with pytest.raises(DagpartError, match=r"no length 'seq'.*'batch'"):
        dagpart.read(tmp_path / "net.onnx", lengths={"seq": 5})
    with pytest.raises(DagpartError, match="at least 1"):
        dagpart.read(tmp_path / "net.onnx", lengths=0)
    # What is missed in memory is counted.
    assert Digraph(perceptron()).dropped.missing_weights == 3


def test_nodes_that_are_not_sorted_are():
    model = perceptron(2)
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    graph = Digraph(model)
    assert graph.names == ("second", "relu", "first")
    # Shapes are known although inference reads nodes as they stand.
    assert graph.vertex_weights.tolist() == [2 * 2 * 2 * 8, 2 * 8, 2 * 2 * 8 * 4]
    x = np.ones((2, 4), np.float32)
    whole = run_all(onnx_model.split(model, partition(model, 1)), x=x)["y"]
    assert np.array_equal(run_all(onnx_model.split(model, partition(model, 3, imbalance=2)), x=x)["y"], whole)


def test_a_circle_of_nodes():
    nodes = [helper.make_node("Relu", ["b"], ["a"]), helper.make_node("Relu", ["a"], ["b"])]
    model = model_of(nodes, [], [info("b", [1])])
    with pytest.raises(NotADagError):
        partition(model, 1)
    result = partition(model, 1, on_cycle="condense")
    with pytest.raises(DagpartError, match="circle"):
        onnx_model.split(model, result)


def test_functions_go_along():
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
    twice = helper.make_function(
        "own", "Twice", ["p"], ["q"], [helper.make_node("Add", ["p", "p"], ["q"])], opsets[:1]
    )
    nodes = [helper.make_node("Twice", [a], [b], domain="own", name=b) for a, b in ("xy", "yz")]
    model = model_of(
        nodes, [info("x", [2])], [info("z", [2])], functions=[twice], opset_imports=opsets,
        graph={"value_info": [info("y", [2])]},
    )  # fmt: skip
    models = write_back(model, partition(model, 2))
    assert len(models) == 2
    assert run_all(models, x=np.ones(2, np.float32))["z"].tolist() == [4, 4]


def test_sparse_initialisers_go_where_they_are_used():
    values = helper.make_tensor("s", FLOAT, [1], [3.0])
    place = helper.make_tensor("s_at", onnx.TensorProto.INT64, [1], [1])
    sparse = helper.make_sparse_tensor(values, place, [2])
    nodes = [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Add", ["a", "s"], ["y"])]
    model = model_of(nodes, [info("x", [2])], [info("y", [2])], graph={"sparse_initializer": [sparse]})
    one, two = write_back(model, partition(model, 2))
    assert [len(m.graph.sparse_initializer) for m in (one, two)] == [0, 1]
    assert two.graph.sparse_initializer[0].SerializeToString() == sparse.SerializeToString()
    onnx.checker.check_model(two)


def test_a_border_of_unknown_type_is_refused_by_name():
    nodes = [
        helper.make_node("Mystery", ["x"], ["secret"], domain="own"),
        helper.make_node("Mystery", ["secret"], ["y"], domain="own"),
    ]
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
    model = model_of(nodes, [info("x", [2])], [info("y", [2])], opset_imports=opsets)
    with pytest.raises(DagpartError, match=r"tensor 'secret'.*type is not known"):
        onnx_model.split(model, partition(model, 2))
    assert len(onnx_model.split(model, partition(model, 1))) == 1


def test_another_model_is_refused_by_name():
    result = partition(perceptron(2), 2, imbalance=1)
    other = perceptron(2)
    other.graph.node[1].name = "gelu"
    for refuse in (onnx_model.split, lambda model, parts: write_back(model, parts)):
        with pytest.raises(DagpartError, match=r"'gelu'.*was not partitioned"):
            refuse(other, result)


def test_lengths_from_the_shell(tmp_path, capsys):
    onnx.save(perceptron(), tmp_path / "net.onnx")
    for asked, factor in (("3", 3), ("batch=3", 3)):
        assert main(["info", str(tmp_path / "net.onnx"), "--json", "-q", "--lengths", asked]) == 0
        assert json.loads(capsys.readouterr().out)["vertex_weight"] == factor * (2 * 8 * 4 + 8 + 2 * 2 * 8)
    assert main(["info", str(tmp_path / "net.onnx"), "--lengths", "many"]) == 2
    assert "'many': give a number" in capsys.readouterr().err
