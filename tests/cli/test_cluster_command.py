"""``dagpart cluster``: what it writes, says and returns."""

from __future__ import annotations

import json
import os

import pytest

from dagpart.cli import main
from dagpart.io import read, read_parts


def test_the_name_tells_how_many_parts_there_are(chain, capsys):
    assert main(["cluster", chain, "--max-weight", "2"]) == 0
    assert read_parts("chain.mtx.part.3").tolist() == [0, 0, 1, 1, 2, 2]
    assert sorted(os.listdir()) == ["chain.mtx", "chain.mtx.part.3"]
    out, err = capsys.readouterr()
    assert out == ""
    said = {line[:14].strip(): line[14:].strip() for line in err.splitlines() if "  " in line}
    assert (said["parts"], said["heaviest part"]) == ("3", "2 of 2 allowed")


def test_json_labels_and_quotient(chain, capsys):
    options = ["--json", "--labels", "-q", "-o", "out.csv", "--quotient", "parts.dot", "--seed", "7"]
    assert main(["cluster", chain, "--max-weight", "3.5", *options]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts.items() >= {"k": 2, "cap": 3, "labels": [0, 0, 0, 1, 1, 1], "edge_cut": 1, "seed": 7}.items()
    assert read("parts.dot").vertex_weights.tolist() == [3, 3]
    with open("out.csv") as file:
        assert file.read().split() == ["vertex,part", "0,0", "1,0", "2,0", "3,1", "4,1", "5,1"]


def test_weights_from_a_file(chain, tmp_path, capsys):
    (tmp_path / "weights").write_text("5\n1\n1\n1\n1\n5\n")
    command = ["cluster", chain, "--vertex-weights", "weights", "-o", "-", "-q", "--max-weight"]
    assert main([*command, "7"]) == 0
    assert capsys.readouterr().out.split() == ["0", "0", "0", "1", "1", "1"]
    assert main([*command, "4"]) == 1
    assert "vertex 0 weighs 5, more than max_weight=4" in capsys.readouterr().err


def test_cycles(tmp_path, capsys):
    ring = tmp_path / "ring.mtx"
    ring.write_text("%%MatrixMarket matrix coordinate pattern general\n4 4 4\n1 2\n2 3\n3 1\n3 4\n")
    command = ["cluster", str(ring), "--as", "adjacency", "--max-weight", "3", "-o", "-", "-q"]
    assert main(command) == 1
    assert "the graph has a cycle" in capsys.readouterr().err
    assert main([*command, "--on-cycle", "condense"]) == 0
    assert capsys.readouterr().out.split() == ["0", "0", "0", "1"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "the following arguments are required: --max-weight"),
        (["--max-weight", "-1"], "'-1' is not a weight"),
        (["--max-weight", "inf"], "'inf' is not a weight"),
        (["--max-weight", "2", "--labels"], "--labels goes with --json"),
        (["--max-weight", "2", "-o", "chain.mtx"], "would overwrite the input"),
        (["--max-weight", "2", "-o", "no/such/folder"], "No such file or directory"),
        (["--max-weight", "2", "--quotient", "parts.what"], "parts.what"),
    ],
)
def test_bad_usage(chain, capsys, options, said):
    assert main(["cluster", chain, *options]) == 2
    assert said in capsys.readouterr().err
    assert os.listdir() == [chain]


def test_an_input_by_the_name_of_the_output_stays(chain, tmp_path, capsys):
    (tmp_path / "chain.mtx.part.3").write_text("1\n" * 6)
    assert main(["cluster", chain, "--max-weight", "2", "--vertex-weights", "chain.mtx.part.3"]) == 2
    assert "would overwrite the input chain.mtx.part.3" in capsys.readouterr().err
    assert (tmp_path / "chain.mtx.part.3").read_text() == "1\n" * 6


def test_figures_are_in_the_unit_of_the_weights(tmp_path, capsys):
    (tmp_path / "g.csv").write_text("a,b,0.25\nb,c,0.25\nc,d,0.25\n")
    (tmp_path / "w").write_text("0.25\n" * 4)
    words = [str(tmp_path / "g.csv"), "--max-weight", "0.5", "--vertex-weights", str(tmp_path / "w")]
    assert main(["cluster", *words, "--json", "-o", str(tmp_path / "out.json")]) == 0
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert (said["edge_cut"], said["part_weights"], said["cap"]) == (0.25, [0.5, 0.5], 0.5)
    assert "heaviest part  0.5 of 0.5 allowed\n" in err
    assert "edge cut       0.25\n" in err
    assert json.loads((tmp_path / "out.json").read_text())["cap"] == 0.5
