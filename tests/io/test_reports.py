"""Files of the kinds that public reports tell of, each with its right answer, in Python and on the shell."""

from __future__ import annotations

import json

import pytest
from _data import REPORTS

from dagpart import NotADagError, partition, read
from dagpart.cli import main
from dagpart.errors import ParseError

CASES = {case["id"]: case for case in json.loads((REPORTS / "files.json").read_text())}
# The right answer is an error, or better still a register.
REGISTER = "blif-clock"


@pytest.fixture(params=sorted(CASES))
def case(request, tmp_path):
    found = CASES[request.param]
    path = tmp_path / f"graph{found['suffix']}"
    path.write_text(found["text"])
    right = [] if found["id"] == REGISTER else found["right"]
    return found["id"], path, right


def edges_of(graph):
    ends = zip(
        graph.edge_sources().tolist(), graph.indices.tolist(), graph.edge_weights.tolist(), strict=True
    )
    return sorted([str(graph.name(u)), str(graph.name(v)), w / graph.weight_scale] for u, v, w in ends)


def test_reports_from_python(case):
    name, path, right = case
    if right == "error":
        with pytest.raises(ParseError, match=r"graph\.\w+:1: .*quotes"):
            read(path)
        return
    graph = read(path)
    if right == "cycle":
        assert not graph.is_acyclic
        with pytest.raises(NotADagError):
            partition(path, 2)
        return
    assert edges_of(graph) == sorted(right)
    assert name != REGISTER or graph.names == ("y", "q")


def test_reports_on_the_command_line(case, capsys):
    _, path, right = case
    code = main(["info", str(path), "--json"])
    out, err = capsys.readouterr()
    if right == "error":
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        return
    said = json.loads(out)
    assert (code, said["acyclic"]) == (0, right != "cycle")
    if right == "cycle":
        assert main(["partition", str(path), "2", "-o", "-"]) == 1
        assert "cycle" in capsys.readouterr().err
        return
    assert said["edges"] == len(right)
    assert said["edge_weight"] == sum(weight for *_, weight in right)


@pytest.mark.parametrize("suffix", [".dot", ".csv", ".tsv", ".edges", ".json", ".npz"])
def test_reports_converted(case, suffix, capsys, tmp_path):
    """What convert writes comes back."""
    _, path, right = case
    if right == "error":
        return
    out = tmp_path / f"out{suffix}"
    assert main(["convert", str(path), str(out), "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert edges_of(read(out)) == edges_of(read(path))


def test_every_answer_is_of_a_kind_that_is_tested():
    kinds = {"edges" if isinstance(case["right"], list) else case["right"] for case in CASES.values()}
    assert kinds == {"edges", "cycle", "error"}
