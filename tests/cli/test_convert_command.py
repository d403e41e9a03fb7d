"""``dagpart convert``: graphs from one format to another, and parts in colour."""

from __future__ import annotations

import json

import pytest
from _data import sample

from dagpart import Dag, read
from dagpart.cli import main
from dagpart.io import FORMATS, write

GRAPH = Dag.from_edges([("a", "b", 2), ("a", "c", 3), ("b", "d", 1), ("c", "d", 1)])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(GRAPH, "in.dot")
    return tmp_path


def test_between_all_formats(folder, capsys):
    ids = Dag.from_edges([(0, 1, 2), (0, 2, 2), (1, 3, 1)], vertex_weights=[4, 5, 6, 7])
    written = [format for format in FORMATS if format.dump is not None]
    for source in written:
        first = f"a{source.suffixes[0]}"
        write(ids, first)
        for target in written:
            second = f"b{target.suffixes[0]}.gz"
            assert main(["convert", first, second, "--edge-weights", "values"]) == 0, (
                source.name,
                target.name,
            )
            options = {"edge_weights": "values"}
            kept = set(source.keeps) & set(target.keeps)
            expected = ids if "vertex_weights" in kept else ids.with_weights(vertex_weights=[1] * 4)
            assert read(second, **options) == (
                expected if "edge_weights" in kept else expected.with_weights(edge_weights="unit")
            )
    assert "has no place for the weights of the vertices" in capsys.readouterr().err


def test_losses_are_said(folder, capsys):
    assert main(["convert", "in.dot", "out.graph"]) == 0
    assert "out.graph: the format metis has no place for the names of the vertices" in capsys.readouterr().err
    assert main(["convert", "in.dot", "out.mtx", "--json", "-q"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {
        "vertices": 4,
        "edges": 4,
        "format": "matrix-market",
        "lost": ["the names of the vertices"],
    }


def test_streams_and_named_formats(folder, capsys):
    assert main(["convert", "in.dot", "-", "--to", "csv", "-q"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "c,d,1"
    assert main(["convert", "in.dot", "-"]) == 2
    assert "tells no format" in capsys.readouterr().err
    assert main(["convert", "in.dot", "out.onnx"]) == 2
    assert "only read" in capsys.readouterr().err


def test_parts_in_colour(folder, capsys):
    (folder / "parts").write_text("0\n0\n1\n1\n")
    assert main(["convert", "in.dot", "out.dot", "--parts", "parts"]) == 0
    text = (folder / "out.dot").read_text()
    assert (text.count("subgraph cluster_"), text.count("fillcolor")) == (2, 2)
    # It is still the same graph.
    assert read("out.dot") == GRAPH
    assert main(["convert", "in.dot", "out.csv", "--parts", "parts"]) == 0
    assert (folder / "out.csv").read_text() == "vertex,part\na,0\nb,0\nc,1\nd,1\n"


def test_the_graph_of_the_parts(folder):
    (folder / "parts").write_text("0\n0\n1\n1\n")
    assert main(["convert", "in.dot", "out.json", "--parts", "parts", "--quotient"]) == 0
    quotient = read("out.json")
    assert (quotient.n, quotient.edge_weights.tolist(), quotient.vertex_weights.tolist()) == (2, [4], [2, 2])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["in.dot", "out.json", "--quotient"], "needs --parts"),
        (["in.dot", "out.dot", "--parts", "in.dot"], "in.dot:1: found"),
        (["in.dot", "out.dot", "--parts", "none"], "none: No such file"),
        (["in.dot", "out.dot", "--parts", "in.dot", "--to", "dot"], "the suffix of OUT decides"),
        (["in.dot", "none/out.dot"], "none/out.dot: No such file"),
        (["in.dot", "-", "--json"], "both need standard output"),
    ],
)
def test_what_is_refused(folder, words, said, capsys):
    assert main(["convert", *words]) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["in.dot"]


@pytest.mark.parametrize("name", ["made/terraform.dot", "dot/terraform.dot"])
def test_reverse_is_suggested_and_done(name, folder, capsys):
    path = str(sample(name))
    assert main(["convert", path, "out.json"]) == 0
    assert "names as Terraform gives them" in capsys.readouterr().err
    assert main(["convert", path, "back.json", "--reverse"]) == 0
    assert "Terraform" not in capsys.readouterr().err
    assert read("back.json") == read("out.json").reverse()


def test_partition_writes_what_the_suffix_says(folder, capsys):
    words = ["partition", "in.dot", "2", "-q", "-o"]
    assert main([*words, "out.json", "--quotient", "quotient.dot"]) == 0
    said = json.loads((folder / "out.json").read_text())
    assert set(said["parts"]) == {"a", "b", "c", "d"}
    assert said["edge_cut"] == read("quotient.dot").total_edge_weight
    assert main([*words, "out.csv"]) == 0
    assert (folder / "out.csv").read_text().startswith("vertex,part\na,")
    assert main([*words, "out.dot"]) == 0
    assert read("out.dot").n == 4
    assert main([*words, "out.part"]) == 0
    assert sorted((folder / "out.part").read_text().split()) == ["0", "0", "1", "1"]
    assert main([*words, "out.x", "--quotient", "none/q.dot"]) == 2
    assert not (folder / "out.x").exists()
