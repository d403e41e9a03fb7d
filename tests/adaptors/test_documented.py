"""What dagpart/adaptors/README.md shows: from each tool to parts and back to the tool."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from _data import sample

from dagpart import check

TEXT = (Path(__file__).resolve().parents[2] / "dagpart/adaptors/README.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def run(word):
    """Names after the block in which the word stands; it stands in one only."""
    (block,) = [block for block in BLOCKS if word in block]
    names = {}
    exec(block, names)
    return names


def test_networkx():
    names = run("nx.get_node_attributes")
    parts = names["parts"]
    assert set(parts) == {"load", "left", "right", "join"}
    assert all(parts[u] <= parts[v] for u, v in names["G"].edges)


def test_pandas():
    pytest.importorskip("pandas")
    names = run("pandas.Series")
    result, frame = names["result"], names["frame"]
    assert result.graph.total_weight == 6
    assert result.graph.total_edge_weight == 17
    assert frame["part"].to_dict() == result.by_name
    assert result.by_name["join"] == 1


def test_dask():
    pytest.importorskip("dask")
    names = run("dask.array")
    x = np.arange(64).reshape(8, 8)
    assert names["answer"] == (x @ x.T).sum() == names["total"].compute(scheduler="sync")
    assert len(set(names["part"].values())) == 3


@pytest.mark.torch
def test_torch():
    torch = pytest.importorskip("torch")
    names = run("split_module")
    split, image = names["split"], names["image"]
    assert len([name for name, _ in split.named_children()]) == 3
    with torch.no_grad():
        assert torch.equal(split(image), names["net"](image))
    result = names["result"]
    assert check(result.graph, result.labels).acyclic
    assert result.graph.total_edge_weight > result.graph.m


@pytest.mark.parametrize(
    ("name", "nodes"), [("made/residual.onnx", 48), ("onnx/onnx_light_densenet121.onnx", 1746)]
)
def test_onnx(name, nodes, tmp_path, monkeypatch):
    onnx = pytest.importorskip("onnx")
    shutil.copy(sample(name), tmp_path / "model.onnx")
    monkeypatch.chdir(tmp_path)
    names = run("onnx_model.split")
    models, result = names["models"], names["result"]
    assert (result.graph.n, len(models)) == (nodes, 8)
    assert check(result.graph, result.labels, imbalance=0.2).valid
    whole = onnx.load("model.onnx")
    assert sum(len(model.graph.node) for model in models) == nodes
    # Each model is whole by itself, given what the network and earlier models hand it.
    there = {value.name for value in whole.graph.input}
    for model in models:
        onnx.checker.check_model(model)
        assert {value.name for value in model.graph.input} <= there
        there |= {value.name for value in model.graph.output}
    assert {value.name for value in whole.graph.output} <= there


@pytest.mark.parametrize(
    ("name", "tasks"), [("made/cholesky8_tasks.rec", 120), ("starpu/cholesky16_tasks.rec.gz", 816)]
)
def test_starpu(name, tasks, tmp_path, monkeypatch):
    # Readers tell gzip by what is inside.
    shutil.copy(sample(name), tmp_path / "tasks.rec")
    monkeypatch.chdir(tmp_path)
    result = run("starpu.schedule")["result"]
    said = Path("sched.rec").read_text()
    orders = [int(order) for order in re.findall(r"^SubmitOrder: (\d+)$", said, re.MULTILINE)]
    workers = [int(worker) for worker in re.findall(r"^SpecificWorker: (\d+)$", said, re.MULTILINE)]
    assert len(orders) == len(workers) == result.graph.n == tasks
    assert orders == sorted(set(orders))
    assert sorted(workers) == sorted(result.labels.tolist())
    # A file that the replay accepted has no other fields.
    assert set(re.findall(r"^\w+", said, re.MULTILINE)) <= {"SubmitOrder", "Priority", "SpecificWorker"}
