"""``dagpart check``: the report, and the exit code that scripts rely on."""

from __future__ import annotations

import json

import pytest

from dagpart.cli import main


@pytest.fixture
def chain(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chain.mtx").write_text(
        "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 3\n3 4\n"
    )
    return "chain.mtx"


def parts(tmp_path, labels):
    (tmp_path / "parts").write_text("".join(f"{label}\n" for label in labels))
    return "parts"


def test_valid_partition(chain, tmp_path, capsys):
    assert main(["check", chain, parts(tmp_path, [0, 0, 1, 1]), "-e", "0"]) == 0
    out, _ = capsys.readouterr()
    rows = {line[:13].strip(): line[13:].strip() for line in out.splitlines()}
    assert (rows["valid"], rows["acyclic"], rows["edge cut"]) == ("yes", "yes", "1")


def test_cyclic_partition_has_a_witness(chain, tmp_path, capsys):
    assert main(["check", chain, parts(tmp_path, [0, 1, 0, 1])]) == 1
    assert "0 -> 1 -> 0" in capsys.readouterr().out
    assert main(["check", chain, "parts", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["acyclic"], report["cycle"]) == (False, [0, 1])
    assert report["cycle_edges"] == [[0, 1], [1, 2]]
    assert (report["edge_cut"], report["part_weights"], report["balanced"]) == (3, [2, 2], None)


def test_unbalanced_partition(chain, tmp_path, capsys):
    path = parts(tmp_path, [0, 1, 1, 1])
    assert main(["check", chain, path]) == 0
    assert main(["check", chain, path, "-e", "0.5"]) == 0
    assert main(["check", chain, path, "-e", "0.49"]) == 1
    (tmp_path / "weights").write_text("3\n1\n1\n1\n")
    assert main(["check", chain, path, "-e", "0", "--vertex-weights", "weights"]) == 0
    capsys.readouterr()


def test_part_that_should_not_be_empty(chain, tmp_path, capsys):
    assert main(["check", chain, parts(tmp_path, [0, 0, 2, 2]), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["empty_parts"] == [1]


def test_graph_with_cycles(tmp_path, capsys):
    (tmp_path / "ring.mtx").write_text(
        "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 1\n2 3\n"
    )
    arguments = ["check", str(tmp_path / "ring.mtx"), str(tmp_path / "parts"), "--as", "adjacency"]
    parts(tmp_path, [0, 0, 1])
    assert main(arguments) == 0
    parts(tmp_path, [0, 1, 1])
    assert main(arguments) == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([0, 0, 1], "parts:3: found 3 parts; expected 4, one for each vertex"),
        ([0, 0, 1, -1], "parts:4: found part -1"),
        ([0, 0, 1, "x"], "parts:4: found 'x'"),
        ([0, 0, 1, 2_000_000_000], "label 2000000000 of vertex 3 is too high"),
    ],
)
def test_wrong_part_files(chain, tmp_path, capsys, labels, said):
    assert main(["check", chain, parts(tmp_path, labels)]) == 2
    assert said in capsys.readouterr().err


def test_one_standard_input_is_not_two(capsys):
    assert main(["check", "-", "-"]) == 2
    assert 'only one file can be "-"' in capsys.readouterr().err


def test_figures_are_in_the_unit_of_the_weights(tmp_path, capsys):
    (tmp_path / "g.csv").write_text("a,b,0.25\nb,c,1.5\n")
    (tmp_path / "parts").write_text("0\n0\n1\n")
    words = ["check", str(tmp_path / "g.csv"), str(tmp_path / "parts"), "-e", "0.5"]
    assert main(words) == 0
    assert "edge cut       1.5\n" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["edge_cut"], said["critical_path"], said["cap"], said["part_weights"]) == (
        1.5,
        4.5,
        3,
        [2, 1],
    )
