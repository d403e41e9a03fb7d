"""``dagpart compare``: the table, its other forms, and what a user may get wrong."""

from __future__ import annotations

import csv
import io
import json
import sys

import pytest
from _data import sample

from dagpart import generate
from dagpart.cli import main
from dagpart.io import write

# As dagP's README describes it; it cuts the vertices in the order of the file into K runs.
STUB = f"""#!{sys.executable} -S
import sys
if len(sys.argv) < 3:
    sys.exit("usage: FILE K --ratio R")
n = sum("->" not in line and line[0].isdigit() for line in open(sys.argv[1]))
with open(sys.argv[1] + "_dagP.out", "w") as file:
    file.writelines(str(v * int(sys.argv[2]) // n) + "\\n" for v in range(n))
"""


@pytest.fixture
def grid(tmp_path):
    path = tmp_path / "grid.mtx"
    write(generate.grid2d(12), path)
    return str(path)


@pytest.fixture
def dagp(tmp_path):
    path = tmp_path / "rMLGP"
    path.write_text(STUB)
    path.chmod(0o755)
    return str(path)


def rows_of(table):
    """Method, seed and cells of each run in a table, and whether it is marked."""
    head, *lines = table.splitlines()
    titles = "method seed cut volume critical path imbalance acyclic cut, repaired seconds MB"
    assert " ".join(head.split()) == titles
    return [(line.startswith("*"), line.lstrip("* ").split()) for line in lines]


def test_the_table(grid, dagp, capsys):
    assert main(["compare", grid, "2", "--with", "dagpart:fast", "--dagp", dagp, "--seeds", "2"]) == 0
    out, err = capsys.readouterr()
    rows = rows_of(out)
    assert [row[:2] for _, row in rows] == [
        [method, seed] for method in ("dagpart", "dagpart:fast", "dagp") for seed in "01"
    ]
    for marked, row in rows:
        # Half of the rows of a square, whatever way.
        assert row[2:4] == ["12", "12"]
        assert row[5:9] == ["0.00", "%", "yes", "12"]
        assert marked
    assert "dagpart: dagp, seed 1: edge cut 12 after " in err


def test_json(grid, capsys):
    assert main(["compare", grid, "3", "--with", "dagpart:strong", "--json", "-q"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert err == ""
    assert {name: found[name] for name in ("vertices", "edges", "k", "tolerance")} == {
        "vertices": 144,
        "edges": 264,
        "k": 3,
        "tolerance": 0.03,
    }
    assert [record["method"] for record in found["records"]] == ["dagpart", "dagpart:strong"]
    assert all(
        record["acyclic"] and record["repaired_cut"] == record["edge_cut"] for record in found["records"]
    )


def test_csv(grid, capsys):
    assert main(["compare", grid, "2", "--with", "", "--csv", "-q", "-e", "0.1"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["method"], row["edge_cut"], row["best"], row["error"]) == ("dagpart", "12", "True", "")


def test_a_method_that_fails_is_a_row(grid, tmp_path, capsys):
    broken = tmp_path / "broken"
    broken.write_text(f"#!{sys.executable} -S\nimport os\nos.abort()\n")
    broken.chmod(0o755)
    assert main(["compare", grid, "2", "--with", "", "--dagp", str(broken), "--seeds", "1"]) == 0
    *table, last = capsys.readouterr().out.splitlines()
    ours, (marked, row) = rows_of("\n".join(table))
    assert ours[0]
    assert not marked
    assert row[:9] == ["dagp", "0", *"------", row[8]]
    assert last == "dagp: dagP: crashed (SIGABRT)"
    # What dagP finds varies by seed: it runs with several unless the user says how many.
    assert main(["compare", grid, "2", "--with", "", "--dagp", str(broken), "--csv", "-q"]) == 0
    rows = [line.split(",")[:2] for line in capsys.readouterr().out.splitlines()[1:]]
    assert rows == [[name, str(seed)] for name in ("dagpart", "dagp") for seed in range(3)]


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (
            'ModuleNotFoundError(name="pymetis")',
            "the package pymetis is needed to partition with METIS; install it with: pip install",
        ),
        ('ImportError("libmetis.so: no such file")', "METIS: ImportError: libmetis.so: no such file"),
    ],
)
def test_a_library_that_is_not_there_or_broken_is_a_row(grid, tmp_path, monkeypatch, capsys, failure, said):
    # A module of the same name that cannot be imported, found first by the process that runs it.
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden/pymetis.py").write_text(f"raise {failure}")
    monkeypatch.syspath_prepend(str(tmp_path / "hidden"))
    assert main(["compare", grid, "2", "--with", "metis"]) == 0
    assert f"metis: {said}" in capsys.readouterr().out


def test_no_answer_is_exit_code_1(grid, capsys):
    assert main(["compare", grid, "2", "--with", "", "--time-limit", "0.01"]) == 1
    assert "dagpart: no answer within 0.01 s" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["datasets/delaunay_x_1000.mtx", "matrices/luxembourg.mtx.gz"])
def test_a_mesh_and_a_road_network(name, capsys):
    for module in ("pymetis", "scotchpy", "kahip"):
        pytest.importorskip(module)
    assert main(["compare", str(sample(name)), "8", "--with", "metis,scotch,kahip"]) == 0
    rows = [row for _, row in rows_of(capsys.readouterr().out)]
    assert [row[0] for row in rows] == ["dagpart", "metis", "scotch", "kahip"]
    for row in rows:
        assert len(row) == 11
        assert "-" not in row
    assert rows[0][7] == "yes"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--with", "best"], "there is no method best; choose from dagpart"),
        (["--json", "--csv"], "both need standard output"),
        (["--seeds", "0"], "--seeds must be at least 1"),
        (["--dagp", "no/such/program"], "no/such/program: no executable of dagP"),
        (["--time-limit", "-1"], "time_limit must be a positive number"),
        (["-e", "-1"], "imbalance must be"),
    ],
)
def test_wrong_usage(grid, arguments, words, capsys):
    assert main(["compare", grid, "2", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_no_answer_can_be_had(grid, tmp_path, capsys):
    assert main(["compare", grid, "145"]) == 1
    ring = tmp_path / "ring.mtx"
    ring.write_text("%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 3\n3 1\n")
    assert main(["compare", str(ring), "2", "--as", "adjacency"]) == 1
    assert "the graph has a cycle" in capsys.readouterr().err
