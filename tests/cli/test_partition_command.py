"""``dagpart partition``: what it writes, says and returns."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import sys
import warnings
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from _data import sample

import dagpart
import dagpart.cli.partition as command
from dagpart import generate
from dagpart.cli import main
from dagpart.errors import BalanceWarning
from dagpart.io import read, read_parts, write
from dagpart.options import PRESETS

RING = "%%MatrixMarket matrix coordinate pattern general\n4 4 4\n1 2\n2 3\n3 1\n3 4\n"


@pytest.fixture
def ring(tmp_path):
    path = tmp_path / "ring.mtx"
    path.write_text(RING)
    return str(path)


def test_default_output(chain, capsys):
    assert main(["partition", chain, "2"]) == 0
    assert read_parts("chain.mtx.part.2").tolist() == [0, 0, 0, 1, 1, 1]
    out, err = capsys.readouterr()
    assert out == ""
    said = dict(line.split("  ", 1) for line in err.splitlines() if "  " in line)
    assert {name: value.strip() for name, value in said.items() if name != "seconds"} == {
        "graph": "chain.mtx (6 vertices, 5 edges)",
        "parts": "2",
        "heaviest part": "3 of 3 allowed",
        "imbalance": "0.00 %",
        "edge cut": "1",
        "comm volume": "1",
        "critical path": "7",
        "labels": "chain.mtx.part.2",
    }


def test_compressed_input_keeps_its_whole_name(tmp_path):
    path = tmp_path / "lap2d_40.mtx.gz"
    path.write_bytes(gzip.compress(sample("datasets/lap2d_40.mtx").read_bytes()))
    assert main(["partition", str(path), "3", "--preset", "fast", "-q"]) == 0
    assert read_parts(f"{path}.part.3", n=1600).max() == 2


def test_labels_on_standard_output(chain, capsysbinary):
    assert main(["partition", chain, "3", "-o", "-", "-q"]) == 0
    assert capsysbinary.readouterr() == (b"0\n0\n1\n1\n2\n2\n", b"")
    assert os.listdir() == [chain]


def test_json(chain, capsys):
    assert main(["partition", chain, "2", "--json", "-q", "--seed", "7"]) == 0
    out, err = capsys.readouterr()
    facts = json.loads(out)
    assert err == ""
    wanted = {
        "k": 2,
        "edge_cut": 1,
        "comm_volume": 1,
        "critical_path": 7,
        "imbalance": 0,
        "part_weights": [3, 3],
    }
    assert facts.items() >= {**wanted, "seed": 7}.items()
    assert facts["seconds"] >= 0
    assert "labels" not in facts
    main(["partition", chain, "2", "--json", "-q", "--labels", "-o", "other"])
    assert json.loads(capsys.readouterr().out)["labels"] == read_parts("other").tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("name", ["datasets/lap2d_40.mtx", "matrices/west0067.mtx"])
@pytest.mark.parametrize("k", [2, 8])
def test_matrices_against_networkx(tmp_path, capsys, name, k):
    output = tmp_path / "parts"
    path = sample(name)
    assert main(["partition", str(path), str(k), "-o", str(output), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    graph = read(path).to_networkx()
    parts = read_parts(output).tolist()
    quotient = nx.DiGraph((parts[u], parts[v]) for u, v in graph.edges if parts[u] != parts[v])
    assert nx.is_directed_acyclic_graph(quotient)
    assert facts["edge_cut"] == sum(parts[u] != parts[v] for u, v in graph.edges)
    assert facts["part_weights"] == np.bincount(parts, minlength=k).tolist()
    assert max(facts["part_weights"]) <= int(1.03 * -(-len(graph) // k))


def test_what_was_left_out_is_said(tmp_path, capsys):
    path = tmp_path / "m.mtx"
    path.write_text("4 4 7\n1 1 5\n1 2 1\n1 2 1\n2 1 1\n2 3 1\n3 4 0\n1 4 2\n")
    assert main(["partition", str(path), "2"]) == 0
    err = capsys.readouterr().err
    assert "no banner: read as coordinate real general" in err
    assert "read as upper triangle: every edge runs from the lower index to the higher" in err
    assert (
        "self-loops dropped: 1; duplicates merged: 1; explicit zeros dropped: 1; "
        "entries of the other triangle left out: 1\n" in err
    )


def test_reading_is_not_explained_to_who_chose_it(chain, capsys):
    main(["partition", chain, "2", "--as", "upper"])
    assert "read as" not in capsys.readouterr().err


def test_options_for_reading(tmp_path, capsys):
    path = tmp_path / "m"
    path.write_text("3 3 2\n1 0 0\n2 1 1\n")
    options = ["--format", "mtx", "--index-base", "0", "--zeros", "keep", "--as", "adjacency"]
    assert main(["partition", str(path), "3", "-o", "-", "-q", *options]) == 0
    assert capsys.readouterr().out == "2\n1\n0\n"
    assert main(["partition", str(path), "3", "-o", "-", "-q", *options, "--reverse"]) == 0
    assert capsys.readouterr().out == "0\n1\n2\n"


def test_vertex_weights_and_tolerance(chain, tmp_path, capsys):
    (tmp_path / "w").write_text("5\n1\n1\n1\n1\n1\n")
    assert main(["partition", chain, "2", "--vertex-weights", "w", "-o", "-", "-q"]) == 0
    assert capsys.readouterr().out == "0\n1\n1\n1\n1\n1\n"
    (tmp_path / "w").write_text("5\n1\n")
    assert main(["partition", chain, "2", "--vertex-weights", "w"]) == 2
    assert "2 weights for 6 vertices" in capsys.readouterr().err


def test_fixed(chain, tmp_path, capsys):
    (tmp_path / "f").write_text("1\n-1\n-1\n-1\n-1\n0\n")
    assert main(["partition", chain, "2", "--fixed", "f", "-o", "-", "-q"]) == 0
    assert capsys.readouterr().out == "1\n1\n1\n0\n0\n0\n"
    (tmp_path / "f").write_text("1\n-1\n")
    assert main(["partition", chain, "2", "--fixed", "f"]) == 2
    assert "f:2: found 2 parts; expected 6" in capsys.readouterr().err
    (tmp_path / "f").write_text("1\n0\n1\n-1\n-1\n0\n")
    assert main(["partition", chain, "2", "--fixed", "f"]) == 1


def test_cycles_are_refused_or_condensed(ring, capsys):
    assert main(["partition", ring, "2", "--as", "adjacency", "-e", "0.6"]) == 1
    said = capsys.readouterr().err
    assert "0 -> 1 -> 2 -> 0" in said
    assert "with --on-cycle condense\n" in said
    assert not os.path.exists(f"{ring}.part.2")
    assert main(["partition", ring, "2", "--as", "adjacency", "-e", "0.6", "--on-cycle", "condense"]) == 0
    assert read_parts(f"{ring}.part.2").tolist() == [0, 0, 0, 1]


def test_condensing_a_triangle_is_pointed_out(ring, capsys):
    assert main(["partition", ring, "2", "--on-cycle", "condense"]) == 0
    assert "--as adjacency" in capsys.readouterr().err


def test_infeasible_requests(chain, tmp_path, capsys):
    assert main(["partition", chain, "7"]) == 1
    said = capsys.readouterr().err
    assert "k=7" in said
    assert "or --allow-empty\n" in said
    assert main(["partition", chain, "7", "--allow-empty", "-q"]) == 0
    (tmp_path / "w").write_text("9\n1\n1\n1\n1\n1\n")
    assert main(["partition", chain, "2", "--vertex-weights", "w"]) == 1
    assert not os.path.exists("chain.mtx.part.2")


def test_missed_balance_is_written_said_and_returned(chain, capsys, monkeypatch):
    partition = dagpart.partition

    def overloaded(*args, **options):
        warnings.warn("part 1 is too heavy", BalanceWarning, stacklevel=2)
        return partition(*args, **options)

    monkeypatch.setattr("dagpart.partition", overloaded)
    assert main(["partition", chain, "2", "--strict", "-q"]) == 1
    assert capsys.readouterr().err == "dagpart: error: part 1 is too heavy\n"
    assert not os.path.exists("chain.mtx.part.2")
    assert main(["partition", chain, "2", "-q"]) == 3
    assert capsys.readouterr().err == "dagpart: warning: part 1 is too heavy\n"
    assert read_parts("chain.mtx.part.2").size == 6


@pytest.mark.parametrize("k", ["0", "-1", "two", "1.5"])
def test_number_of_parts_that_is_none(chain, capsys, k):
    assert main(["partition", chain, k]) == 2
    assert "error:" in capsys.readouterr().err
    assert os.listdir() == [chain]


@pytest.mark.parametrize("tolerance", ["-0.1", "nan", "inf", "much"])
def test_tolerance_that_is_none(chain, capsys, tolerance):
    assert main(["partition", chain, "2", f"--imbalance={tolerance}"]) == 2
    assert "imbalance" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "soon"])
def test_time_limit_that_is_none(chain, capsys, limit):
    assert main(["partition", chain, "2", f"--time-limit={limit}"]) == 2
    assert re.search("time.limit", capsys.readouterr().err)
    assert os.listdir() == [chain]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_by_name(chain, capsys, preset):
    assert main(["partition", chain, "2", "--preset", preset, "-o", "-", "-q"]) == 0
    assert capsys.readouterr().out == "0\n0\n0\n1\n1\n1\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def grid(tmp_path, monkeypatch):
    """A grid of 400 vertices, in the current folder."""
    monkeypatch.chdir(tmp_path)
    write(generate.grid2d(20, 20), "grid.mtx")
    return "grid.mtx"


def test_time_limit_on_a_terminal(grid, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert main(["partition", grid, "4", "--time-limit", "0.5", "-o", "parts"]) == 0
    said = sys.stderr.getvalue()
    cuts = [int(cut) for cut in re.findall(r" of 0.5 s, edge_cut=([0-9]+)", said)]
    assert cuts
    assert sorted(cuts, reverse=True) == cuts
    # The bar is gone before the table comes.
    assert re.search(r" {20}\rgraph ", said)
    labels = read_parts("parts")
    graph = read(grid)
    assert dagpart.check(graph, labels, 4, imbalance=0.03).valid
    assert cuts[-1] == dagpart.metrics.edge_cut(graph, labels)


def test_objective(chain, capsys):
    write(dagpart.Dag.from_edges([(0, 1), (0, 2), (0, 3), (1, 4), (2, 5)]), "fan.mtx")
    told = {}
    for objective in ("edge_cut", "comm_volume"):
        options = ["--objective", objective, "--json", "-q", "-o", objective]
        assert main(["partition", "fan.mtx", "2", *options]) == 0
        told[objective] = json.loads(capsys.readouterr().out)
    assert told["edge_cut"]["edge_cut"] == 2
    # Vertices 0, 1 and 4 send one message to the others, for two edges.
    assert told["comm_volume"]["comm_volume"] == 1
    assert main(["partition", "fan.mtx", "2", "--objective", "latency"]) == 2


@pytest.mark.parametrize("quiet", [False, True])
def test_no_progress_where_nobody_watches(grid, capsys, monkeypatch, quiet):
    if quiet:
        monkeypatch.setattr(sys, "stderr", Terminal())
    options = ["-q"] if quiet else []
    assert main(["partition", grid, "4", "--time-limit", "0.2", *options]) == 0
    said = sys.stderr.getvalue() if quiet else capsys.readouterr().err
    assert "\r" not in said
    assert "of 0.2 s" not in said


def test_unwritable_output_is_found_before_the_work(chain, capsys, monkeypatch):
    monkeypatch.setattr(command, "read_for_partition", pytest.fail)
    assert main(["partition", chain, "2", "-o", "no/such/folder"]) == 2
    assert capsys.readouterr().err == "dagpart: error: no/such/folder: No such file or directory\n"
    assert main(["partition", chain, "2", "-o", "."]) == 2
    assert capsys.readouterr().err == "dagpart: error: .: Is a directory\n"


def test_input_is_never_overwritten(chain, tmp_path, capsys):
    before = (tmp_path / chain).read_text()
    (tmp_path / "w").write_text("1\n" * 6)
    assert main(["partition", chain, "2", "-o", str(tmp_path / chain)]) == 2
    assert main(["partition", chain, "2", "--vertex-weights", "w", "-o", "w"]) == 2
    assert "overwrite the input" in capsys.readouterr().err
    assert (tmp_path / chain).read_text() == before


@pytest.mark.parametrize(
    "options",
    [
        ["-", "2"],
        ["-", "2", "-o", "x", "--fixed", "-"],
        ["chain.mtx", "2", "--json", "-o", "-"],
        ["chain.mtx", "2", "--labels"],
        ["chain.mtx", "2", "--preset", "slow"],
        ["chain.mtx", "2", "--as", "graph"],
        ["chain.mtx", "2", "--see", "3"],
        ["chain.mtx"],
    ],
)
def test_wrong_usage(chain, capsys, options):
    assert main(["partition", *options]) == 2
    assert capsys.readouterr().err.startswith("usage: dagpart")
    assert os.listdir() == [chain]


@pytest.mark.parametrize("command", ["partition", "compare", "check"])
def test_a_tolerance_above_1_is_percent_without_its_sign(chain, capsys, command):
    assert main([command, chain, "2", "-e", "3"]) == 2
    said = capsys.readouterr().err
    assert "write -e 0.03, and if it is meant, -e 300%" in said
    assert os.listdir() == [chain]


@pytest.mark.parametrize(
    ("given", "cap"), [("3%", 103), ("0.03", 103), ("300%", 400), ("1", 200), ("0.5%", 100), ("12.5 %", 112)]
)
def test_a_tolerance_in_percent(chain, capsys, given, cap):
    Path("w").write_text("100\n20\n20\n20\n20\n20\n")
    words = ["partition", chain, "2", "--vertex-weights", "w", "--json", "-q", "-o", "out", "-e", given]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["cap"] == cap


@pytest.mark.parametrize("suffix", [".png", ".npy", ".svg.gz", ".PDF"])
def test_a_file_of_another_kind_is_refused_before_the_work(chain, capsys, monkeypatch, suffix):
    monkeypatch.setattr("dagpart.partition", None)
    assert main(["partition", chain, "2", "-o", f"x{suffix}"]) == 2
    assert "write .json, .csv, .tsv, .dot or .part" in capsys.readouterr().err
    assert os.listdir() == [chain]


@pytest.mark.parametrize("suffix", ["csv", "json", "part", "tsv", "csv.gz", "labels"])
def test_what_is_written_is_read_by_all_who_take_parts(tmp_path, monkeypatch, capsys, suffix):
    monkeypatch.chdir(tmp_path)
    Path("g.dot").write_text('digraph { "a,1" -> b; b -> c; c -> "d e"; }')
    out = f"out.{suffix}"
    assert main(["partition", "g.dot", "2", "-o", out, "-q"]) == 0
    assert main(["check", "g.dot", out, "--json", "-e", "0"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["edge_cut"], told["part_weights"]) == (1, [2, 2])
    assert main(["partition", "g.dot", "2", "-o", "again", "-q", "--fixed", out]) == 0
    assert read_parts("again").tolist() == [0, 0, 1, 1]
    words = ["schedule", "g.dot", "-p", "2", "--algorithm", "etf-part", "--clusters", out, "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["facts"]["clusters"] == 2
    assert main(["convert", "g.dot", "back.csv", "--parts", out, "-q"]) == 0
    assert Path("back.csv").read_text() == 'vertex,part\n"a,1",0\nb,0\nc,1\nd e,1\n'


def test_who_is_not_named_is_free(chain, capsys):
    Path("f.csv").write_text("vertex,part\n5,0\n0,1\n1,-1\n")
    assert main(["partition", chain, "2", "--fixed", "f.csv", "-o", "-", "-q"]) == 0
    assert capsys.readouterr().out == "1\n1\n1\n0\n0\n0\n"


def test_quiet_is_quiet_in_every_command(chain, capsys):
    assert main(["partition", chain, "2", "-q"]) == 0
    parts = f"{chain}.part.2"
    for words in (
        ["cluster", chain, "--max-weight", "3"],
        ["check", chain, parts],
        ["compare", chain, "2", "--with", ""],
        ["schedule", chain, "-p", "2"],
        ["info", chain],
        ["convert", chain, "out.dot"],
        ["generate", "fft", "--points=4", "-o", "fft.mtx"],
    ):
        assert main([*words, "-q"]) == 0
        assert capsys.readouterr() == ("", ""), words
    Path("wrong").write_text("0\n1\n0\n1\n0\n1\n")
    assert main(["check", chain, "wrong", "-q"]) == 1
