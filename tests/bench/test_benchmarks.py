"""The benchmarks run and judge rightly, on small inputs of their own."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.io
from hypothesis import given
from hypothesis import strategies as st

from dagpart import generate
from dagpart.options import PRESETS

BENCH = Path(__file__).resolve().parents[2] / "bench"


def load(name):
    spec = importlib.util.spec_from_file_location(f"bench{name}", BENCH / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


judge = load("_judge")


def run(script, data, *arguments):
    environment = {**os.environ, "DAGPART_DATA": str(data)}
    command = [sys.executable, BENCH / f"{script}.py", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@given(st.data())
def test_the_judge_agrees_with_networkx(data):
    n = data.draw(st.integers(1, 8))
    k = data.draw(st.integers(1, n))
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda e: e[0] != e[1])
    edges = data.draw(st.lists(pairs, unique=True)) if n > 1 else []
    labels = data.draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    verdict = judge.judge(n, np.array(edges, dtype=int).reshape(-1, 2), np.array(labels), k, "0.1")
    crossing = [(labels[u], labels[v]) for u, v in edges if labels[u] != labels[v]]
    loads = [labels.count(part) for part in range(k)]
    assert verdict.cut == len(crossing)
    assert verdict.acyclic == nx.is_directed_acyclic_graph(nx.DiGraph(crossing))
    assert (verdict.heaviest, verdict.empty) == (max(loads), loads.count(0))
    assert verdict.cap == 11 * -(-n // k) // 10
    legal = verdict.acyclic and verdict.heaviest <= verdict.cap and not verdict.empty
    assert legal == (not verdict.faults)


@pytest.mark.parametrize("labels", [[0, 1], [0, 1, 2], [0, -1, 1], [0.0, 1.0, 1.0]])
def test_the_judge_refuses_what_are_no_labels(labels):
    with pytest.raises(ValueError, match="labels"):
        judge.judge(3, np.zeros((0, 2), dtype=int), np.array(labels), 2, "0.03")


@pytest.mark.parametrize(
    ("entries", "reading", "edges"),
    [
        ([(0, 1), (2, 1), (2, 2)], "adjacency", {(0, 1), (2, 1)}),
        ([(0, 1), (1, 2), (1, 0)], "upper", {(0, 1), (1, 2)}),
        ([(0, 1), (1, 0)], "upper", {(0, 1)}),
        ([(0, 1), (1, 0), (2, 1)], "lower", {(0, 1), (1, 2)}),
    ],
)
def test_the_judge_reads_matrices_as_the_command_line_promises(tmp_path, entries, reading, edges):
    lines = [f"3 3 {len(entries)}", *(f"{i + 1} {j + 1} 5.0" for i, j in entries)]
    (tmp_path / "bare.mtx.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    n, found, how = judge.dependence_edges(judge.read_matrix(tmp_path / "bare.mtx.gz"))
    assert (n, how, set(map(tuple, found.tolist()))) == (3, reading, edges)


@pytest.fixture
def shared_data(tmp_path):
    """A folder like the shared data, with one small graph and one small matrix."""
    for folder in ("data/bench_graphs", "data/matrices", "reference"):
        (tmp_path / folder).mkdir(parents=True)
    out = io.BytesIO()
    scipy.io.mmwrite(out, generate.grid2d(12).to_scipy(), field="pattern", symmetry="general")
    (tmp_path / "data/bench_graphs/small.mtx.gz").write_bytes(gzip.compress(out.getvalue()))
    (tmp_path / "data/matrices/small.mtx").write_bytes(out.getvalue())
    rows = ["graph,n,m,k,ratio,tool,variant,runs,cut_mean,cut_min"]
    rows += [f"small,144,264,{k},1.03,dagP,default,3,{12 * k},{12 * k}" for k in (2, 4)]
    rows += ["small,144,264,2,1.1,dagP,default,3,1,1", "small,144,264,2,1.03,metis_kway,,3,24,12"]
    (tmp_path / "reference/peers_on_bench_graphs.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def test_quality_compares_with_every_peer(shared_data):
    pytest.importorskip("pymetis")
    kept = shared_data / "q.json", shared_data / "q.csv"
    options = ["--k", "2", "4", "--seeds", "2", "--json", str(kept[0]), "--csv", str(kept[1])]
    done = run("quality", shared_data, *options)
    assert done.returncode == 0, done.stderr
    found = json.loads(kept[0].read_text())
    cuts = [row["cut_mean"] for row in found["rows"]]
    assert [row["k"] for row in found["rows"]] == [2, 4]
    assert found["summary"]["cut_over_peer"] == pytest.approx((cuts[0] / 24 * cuts[1] / 48) ** 0.5)
    assert found["summary"]["rows_with_peer"] == 2
    with open(kept[1], newline="") as file:
        assert [float(row["cut_mean"]) for row in csv.DictReader(file)] == cuts
    assert f"| small | 2 | {cuts[0] / 24:.3f} | {cuts[0] / 24:.3f} |" in done.stdout
    assert f"| small | 4 | {cuts[1] / 48:.3f} |  |" in done.stdout


def test_quality_makes_the_polybench_graphs(shared_data):
    pytest.importorskip("pymetis")
    rows = ["graph,n,m,k,tool,variant,runs,cut_mean,cut_min,maxload_max,user_cpu_s_mean,maxrss_mb"]
    rows += [
        f"2mm_2_3_4_5,0,0,{k},dagP,{v},2,10,10,1.0,1,1"
        for k in (2, 4, 8, 16, 32)
        for v in ("best", "default")
    ]
    rows += ['2mm_2_3_4_5,0,0,8,KaHyPar,"acyclic k-way, no evolution",1,20,20,1.0,1,1']
    (shared_data / "reference/peers_on_polybench.csv").write_text("\n".join(rows) + "\n")
    done = run("quality", shared_data, "--set", "polybench", "--preset", "fast", "--seeds", "1")
    assert done.returncode == 0, done.stderr
    assert "| graph | k | KaHyPar acyclic k-way, no evolution | dagP best | dagP default |" in done.stdout
    lines = [line for line in done.stdout.splitlines() if line.startswith("| 2mm_2_3_4_5 |")]
    assert [int(line.split("|")[2]) for line in lines] == 2 * [2, 4, 8, 16, 32]
    means = [line.split("|")[2].strip() for line in done.stdout.splitlines() if "mean / mean" in line]
    assert means == ["2", "4", "8", "16", "32", "all"]


def test_quality_names_a_graph_that_is_not_there(shared_data):
    pytest.importorskip("pymetis")
    done = run("quality", shared_data, "--graphs", "large")
    assert done.returncode == 2
    assert "no graph large in the set; it has small" in done.stderr


def test_grid_measures_in_processes_of_their_own():
    pytest.importorskip("pymetis")
    done = run("grid", BENCH, "--side", "20", "--k", "2", "--seeds", "1")
    assert done.returncode == 0, done.stderr
    assert "20 x 20 grid, k=2, preset default" in done.stdout


def test_scaling_tells_the_growth(tmp_path):
    kept = tmp_path / "rows.json"
    done = run("scaling", BENCH, "--vertices", "60", "1000", "--k", "2", "--json", str(kept))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(kept.read_text())
    assert [(row["n"], row["m"]) for row in rows] == [(64, 144), (1000, 2700)]
    # Half a cube: a plane of its vertices is cut.
    assert [row["cut"] for row in rows] == [16, 100]
    assert "| 1000 | 2700 | 100 |" in done.stdout


def test_volume_compares_the_two_objectives(shared_data, tmp_path):
    pytest.importorskip("pymetis")
    kept = tmp_path / "rows.json"
    done = run("volume", shared_data, "--set", "bench", "--k", "2", "4", "--json", str(kept))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(kept.read_text())
    assert [row["k"] for row in rows] == [2, 4]
    assert all(0 < row["volumes"][1] <= row["volumes"][0] for row in rows)
    assert "(geometric mean of 2 rows)" in done.stdout


def test_ablation_switches_each_phase_off(shared_data):
    pytest.importorskip("pymetis")
    done = run("ablation", shared_data, "--k", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    found = [line.split("|")[1:3] for line in done.stdout.splitlines()[2:]]
    assert found[0] == [" nothing ", " 1.000 "]
    assert len(found) == 11
    assert all(float(cut) > 0 for _, cut in found)


def test_ablation_takes_new_phases_from_the_tables(monkeypatch):
    pytest.importorskip("pymetis")
    monkeypatch.syspath_prepend(str(BENCH))
    ablation = load("ablation")
    whole = PRESETS["default"]
    today = list(ablation.changes(whole))
    monkeypatch.setattr(ablation, "refiner_names", lambda: ["fm", "flow", "new", "other"])
    # The preset names the one, so it can be off; the other is put in.
    named = replace(whole, refiners=("fm", "flow", "new", "fm"))
    rows = ablation.changes(named)
    assert list(rows) == [*today, "new", "nothing, and other put in"]
    assert rows["new"](named).refiners == ("fm", "flow", "fm")
    assert rows["nothing, and other put in"](named).refiners == ("fm", "flow", "new", "fm", "other")
    # Every row changes something of every preset, though not every preset names every phase.
    for preset in PRESETS.values():
        assert all(change(preset) != preset for change in ablation.changes(preset).values())
    fast = ablation.changes(PRESETS["fast"])
    assert "nothing, and multilevel starts put in" in fast
    assert "scans of the finest graph" not in fast


def test_baselines_are_repaired_and_judged(shared_data, tmp_path):
    pytest.importorskip("pymetis")
    kept = tmp_path / "rows.json"
    done = run("baselines", shared_data, "--k", "2", "4", "--with", "metis", "--json", str(kept))
    assert done.returncode == 0, done.stderr
    rows = {(row["k"], row["method"]): row for row in json.loads(kept.read_text())}
    assert set(rows) == {(k, method) for k in (2, 4) for method in ("dagpart", "metis")}
    assert all(row["faults"] == "" and row["cut"] >= 12 for row in rows.values())
    ours, theirs = (
        (rows[2, method]["cut"] * rows[4, method]["cut"]) ** 0.5 for method in ("dagpart", "metis")
    )
    assert f"| metis | {theirs:.1f} | {theirs / ours:.3f} |" in done.stdout
    assert "Geometric means over 2 rows, 1 seeds" in done.stdout
    done = run("baselines", shared_data, "--with", "best")
    assert done.returncode == 2
    assert "no method best; there are metis" in done.stderr


def test_optimum_counts_proven_optima(tmp_path):
    kept = tmp_path / "cuts.json"
    arguments = ["--graphs", "3", "--vertices", "12", "--edges", "20", "--k", "2", "--json", str(kept)]
    done = run("optimum", BENCH, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    cuts = json.loads(kept.read_text())
    assert [row["proven"] for row in cuts] == [True] * 3
    for preset in ("fast", "default", "strong"):
        assert all(row[preset] >= row["optimum"] for row in cuts)
        hits = sum(row[preset] == row["optimum"] for row in cuts)
        assert f"| {preset} | {hits} of 3 |" in done.stdout


def test_real_matrices_runs_the_command_line(shared_data):
    done = run("real_matrices", shared_data, "--k", "2", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 runs, 0 wrong." in done.stdout
    # More parts than vertices: the command refuses, and the benchmark says so.
    done = run("real_matrices", shared_data, "--k", "200")
    assert done.returncode == 1
    assert "exit 1" in done.stdout


def test_without_data_the_benchmarks_say_what_is_missing(tmp_path):
    done = run("real_matrices", tmp_path)
    assert done.returncode == 1
    assert "set DAGPART_DATA" in done.stderr


def test_reading_compares_on_a_file_that_it_makes(tmp_path):
    pytest.importorskip("pymetis")
    done = run("reading", tmp_path, "--megabytes", "1")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [row.split(" | ") for row in done.stdout.splitlines()[2:]]
    assert [row[1] for row in rows] == ["mmread", "dagpart.read"] * 2
    assert all(float(row[2]) > 0 for row in rows)


def test_the_file_to_read_is_what_it_says(tmp_path, monkeypatch):
    pytest.importorskip("pymetis")
    monkeypatch.syspath_prepend(str(BENCH))
    reading = load("reading")
    for field, scattered in (("pattern", False), ("real", False), ("pattern", True)):
        reading.make(tmp_path / "m.mtx", field, 1, scattered)
        matrix = scipy.io.mmread(tmp_path / "m.mtx")
        assert (matrix.row < matrix.col).all()
        assert (np.diff(matrix.row) < 0).any() == scattered
        assert len(set(zip(matrix.row.tolist(), matrix.col.tolist(), strict=True))) == matrix.nnz
        assert 0.5e6 < (tmp_path / "m.mtx").stat().st_size < 2e6


def test_dot_parsers_get_the_same_kind_of_file(tmp_path):
    done = run("dot_parsers", tmp_path, "--edges", "200")
    assert done.returncode == 0, done.stderr
    rows = [row.split(" | ")[:2] for row in done.stdout.splitlines()[2:]]
    assert rows[0] == ["| dagpart", "200"]
    assert all(
        row in (["| pydot", "20"], ["| rustworkx", "200"], ["| pygraphviz", "200"]) for row in rows[1:]
    )


def test_scheduling_compares_with_bl_est(tmp_path):
    for folder in ("wfcommons", "starpu"):
        (tmp_path / "data" / folder).mkdir(parents=True)
    fork = "".join(f"Model: a\nJobId: {i}\nStartTime: 0\nEndTime: {i}\nDependsOn: 1\n\n" for i in range(2, 5))
    first = "Model: a\nJobId: 1\nStartTime: 0\nEndTime: 2\n\n"
    (tmp_path / "data/starpu/fork_tasks.rec").write_text(first + fork)
    kept = tmp_path / "rows.json"
    options = [
        "--graphs",
        "mvt",
        "fork",
        "--tasks",
        "60",
        "--ccr",
        "0.5",
        "10",
        "--p",
        "3",
        "--json",
        str(kept),
    ]
    done = run("scheduling", tmp_path, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(kept.read_text())
    assert [(row["graph"], row["ccr"]) for row in rows[::7]] == [
        (graph, ccr) for graph in ("mvt", "fork") for ccr in (0.5, 10)
    ]
    for base, *others in (rows[i : i + 7] for i in range(0, len(rows), 7)):
        assert base["over_base"] == 1
        assert base["over_bound"] >= 1 - 1e-9
        assert all(row["over_base"] == row["makespan"] / base["makespan"] for row in others)
        assert min(row["makespan"] for row in others) == others[-1]["makespan"]
    assert rows[-1]["n"] == 4
    assert "auto longer than one processor: 0 of 4; schedules that cannot happen: 0 of 28" in done.stdout
    assert "there are tiled-cholesky" in run("scheduling", tmp_path, "--graphs", "no").stderr
