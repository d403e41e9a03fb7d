"""Options of the commands that say how a graph is read."""

from __future__ import annotations

import gzip
import io
import json
import re
from types import SimpleNamespace

import pytest
from _data import sample

from dagpart.cli import main


def facts(capsys, *words):
    assert main(["info", *map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("name", "tasks"), [("made/cholesky8_tasks.rec", 120), ("starpu/cholesky16_tasks.rec.gz", 816)]
)
def test_work_of_a_trace(name, tasks, capsys):
    path = sample(name)
    data = path.read_bytes()
    records = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()

    def numbers(name):
        return [float(value) for value in re.findall(rf"^{name}: (.*)$", records, re.MULTILINE)]

    milliseconds = sum(numbers("EndTime")) - sum(numbers("StartTime"))
    assert facts(capsys, path)["vertex_weight"] == pytest.approx(1e6 * milliseconds)
    said = facts(capsys, path, "--work", "flops")
    assert said["vertex_weight"] == pytest.approx(1e9 * sum(numbers("GFlop")))
    assert facts(capsys, path, "--work", "unit")["vertex_weight"] == tasks


def test_edge_weights(tmp_path, capsys):
    (tmp_path / "g.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 7\n")
    assert facts(capsys, tmp_path / "g.mtx")["edge_weight"] == 1
    assert facts(capsys, tmp_path / "g.mtx", "--edge-weights", "values")["edge_weight"] == 7
    (tmp_path / "g.csv").write_text("a,b,7\n")
    assert facts(capsys, tmp_path / "g.csv")["edge_weight"] == 7
    assert facts(capsys, tmp_path / "g.csv", "--edge-weights", "unit")["edge_weight"] == 1


def test_weights_of_vertices(tmp_path, capsys, monkeypatch):
    (tmp_path / "g.bench").write_text("INPUT(a)\nINPUT(b)\ny = AND(a, b)\n")
    (tmp_path / "w.csv").write_text("a,2.5\ny,4\n")
    graph = tmp_path / "g.bench"
    assert (
        facts(capsys, graph)["vertex_weight"]
        == facts(capsys, graph, "--weights", "all")["vertex_weight"]
        == 3
    )
    assert facts(capsys, graph, "--weights", "gates")["vertex_weight"] == 1
    said = facts(capsys, graph, "--weights", tmp_path / "w.csv")
    assert said["vertex_weight"] == 7.5
    assert said["notes"] == ["vertices without a weight by name, taken to weigh 1: 1"]
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"b,5\n")))
    assert facts(capsys, graph, "--weights", "-")["vertex_weight"] == 7
    assert main(["info", "-", "--weights", "-"]) == 2
    assert "only one file" in capsys.readouterr().err
    assert main(["info", str(graph), "--weights", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err
    (tmp_path / "w.csv").write_text("z,1\n")
    assert main(["info", str(graph), "--weights", str(tmp_path / "w.csv")]) == 2
    assert "no vertex is called 'z'" in capsys.readouterr().err


def test_labels_do_not_overwrite_the_weights(tmp_path, capsys):
    (tmp_path / "g.csv").write_text("a,b\n")
    (tmp_path / "w.csv").write_text("a,2\n")
    words = ["partition", tmp_path / "g.csv", "2", "--weights", tmp_path / "w.csv", "-o", tmp_path / "w.csv"]
    assert main(list(map(str, words))) == 2
    assert "would overwrite" in capsys.readouterr().err


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input(packed, monkeypatch, capsys):
    texts = {"dot": b"digraph { a -> b }", "metis": b"2 1\n2\n1\n", "csv": b"a,b\n"}
    texts["bench"] = b"INPUT(a)\ny = NOT(a)\n"
    for name, data in texts.items():
        data = gzip.compress(data) if packed else data
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        words = [] if name in ("dot", "bench") else ["--format", name]
        assert facts(capsys, "-", *words)["edges"] == 1


@pytest.mark.parametrize("name", ["made/terraform.dot", "dot/terraform.dot"])
def test_reverse_turns_the_levels_round(name, capsys):
    path = sample(name)
    said, turned = facts(capsys, path), facts(capsys, path, "--reverse")
    assert (said["sources"], said["sinks"]) == (turned["sinks"], turned["sources"])
    assert "Terraform" in said["notes"][0]
    assert turned["notes"] == []


def test_options_of_other_formats_are_refused(tmp_path, capsys):
    (tmp_path / "g.dot").write_text("digraph { a -> b }")
    for words in (["--as", "lower"], ["--work", "flops"], ["--index-base", "0"]):
        assert main(["info", str(tmp_path / "g.dot"), *words]) == 2
        assert "the format dot has no option" in capsys.readouterr().err
