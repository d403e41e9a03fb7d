"""``dagpart schedule``: graphs of every kind, machines, what comes out, and what a user may get wrong."""

from __future__ import annotations

import csv
import json
import re

import pytest
from _data import sample

from dagpart import generate
from dagpart.cli import main
from dagpart.io import write, write_parts
from dagpart.schedule import Platform, read_onestop, write_platform

KEYS = {"makespan", "speedup", "lower_bound", "gap", "algorithm", "model"}


@pytest.fixture
def grid(tmp_path):
    path = tmp_path / "grid.mtx"
    write(generate.grid2d(8), path)
    return str(path)


def said(capsys, *arguments):
    """The JSON that the command prints."""
    assert main(["schedule", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_table(grid, capsys):
    assert main(["schedule", grid, "-p", "4", "--algorithm", "heft"]) == 0
    out, err = capsys.readouterr()
    cells = {line.split("  ")[0]: line.split("  ", 1)[1].strip() for line in out.splitlines()}
    assert cells["algorithm"] == "heft"
    assert cells["tasks"] == "64"
    assert cells["serial time"] == "64"
    assert "read as adjacency" in err


def test_json(grid, capsys):
    found = said(capsys, grid, "-p", "4", "--algorithm", "etf", "-q")
    assert found.keys() >= KEYS
    assert (found["tasks"], found["processors"], found["algorithm"], found["model"]) == (
        64,
        4,
        "etf",
        "duplex",
    )
    assert found["speedup"] == pytest.approx(64 / found["makespan"])
    assert found["makespan"] >= found["lower_bound"] == max(found["bounds"].values())


@pytest.mark.parametrize(
    ("name", "tasks"),
    [
        ("datasets/fft_7.mtx", 1024),
        ("made/cholesky8_tasks.rec", 120),
        ("made/workflow.json", 25),
        ("matrices/west0067.mtx", 67),
        ("starpu/cholesky8_tasks.rec", 120),
        ("wfcommons/montage-chameleon-dss-05d-001.json", 58),
    ],
)
def test_files_of_users(name, tasks, capsys):
    found = said(capsys, str(sample(name)), "-p", "4", "-q")
    assert found["tasks"] == tasks
    assert found["algorithm"] == "auto"
    assert found["lower_bound"] <= found["makespan"] <= found["serial_time"]


def test_a_generated_graph(capsys):
    found = said(capsys, "polybench:2mm", "-p", "16", "--algorithm", "bl-est", "-q")
    assert found["tasks"] > 10_000
    assert found["makespan"] >= found["lower_bound"]


@pytest.mark.parametrize("model", ["none", "delay", "duplex", "bsp"])
@pytest.mark.parametrize("charging", ["edge", "unique"])
def test_models(grid, model, charging, capsys):
    found = said(capsys, grid, "-p", "3", "--algorithm", "bl-est", "--model", model, "--charging", charging)
    assert (found["model"], found["charging"]) == (model, charging)
    assert (found["messages"] == 0) == (model == "none")
    assert (found["supersteps"] is None) == (model != "bsp")


def test_weights(grid, capsys):
    plain = said(capsys, grid, "-p", "1", "--algorithm", "serial")
    slow = said(capsys, grid, "-p", "1", "--algorithm", "serial", "--task-overhead", "0.5")
    assert (plain["makespan"], slow["makespan"]) == (64, 96)
    heavy = said(capsys, grid, "-p", "4", "--algorithm", "round-robin", "--ccr", "10")
    light = said(capsys, grid, "-p", "4", "--algorithm", "round-robin", "--ccr", "1")
    assert heavy["volume"] == pytest.approx(10 * light["volume"])


def test_platforms(grid, tmp_path, capsys):
    write_platform(tmp_path / "fast.json", Platform.heterogeneous([4, 4]))
    fast = said(capsys, grid, "--platform", str(tmp_path / "fast.json"), "--algorithm", "heft")
    assert (fast["processors"], fast["serial_time"]) == (2, 16)
    write_platform(tmp_path / "bsp.arch", Platform.bsp(2, g=2, L=100))
    bsp = said(
        capsys, grid, "--platform", str(tmp_path / "bsp.arch"), "--model", "bsp", "--algorithm", "serial"
    )
    assert (bsp["makespan"], bsp["supersteps"]) == (164, 1)
    near, far = (
        said(capsys, grid, "-p", "2", "--algorithm", "round-robin", "--latency", latency)["makespan"]
        for latency in ("0", "7")
    )
    assert far > near
    (tmp_path / "costs").write_text("2 3\n" * 64)
    costs = said(capsys, grid, "-p", "2", "--algorithm", "serial", "--costs", str(tmp_path / "costs"))
    assert costs["makespan"] == 128


def test_clusters(grid, tmp_path, capsys):
    write_parts(tmp_path / "parts", [v // 16 for v in range(64)])
    for given in (
        ["--clusters", "4"],
        ["--clusters", str(tmp_path / "parts")],
        ["--parts", str(tmp_path / "parts")],
    ):
        found = said(capsys, grid, "-p", "2", "--algorithm", "bl-est-macro", *given)
        assert found["makespan"] >= found["lower_bound"]
    assert said(capsys, grid, "-p", "2", "--algorithm", "etf-part", "--clusters", "auto")["makespan"] <= 64


def test_compare(grid, capsys):
    names = "serial,bl-est,etf-part"
    assert main(["schedule", grid, "-p", "4", "--compare", "--with", names, "--clusters", "4"]) == 0
    out, err = capsys.readouterr()
    head, *rows, last = out.splitlines()
    titles = "algorithm makespan speed-up efficiency gap messages volume idle seconds"
    assert " ".join(head.split()) == titles
    assert [row.lstrip("* ").split()[0] for row in rows] == names.split(",")
    makespans = [float(row.lstrip("* ").split()[1]) for row in rows]
    marked = [row.startswith("*") for row in rows]
    assert marked == [makespan == min(makespans) for makespan in makespans]
    assert last.startswith("64 tasks on 4 processors, duplex; lower bound")
    assert "dagpart: bl-est: makespan" in err
    found = said(capsys, grid, "-p", "4", "--compare", "--with", names, "--clusters", "4")
    assert [row["makespan"] for row in found["schedules"]] == pytest.approx(makespans, rel=1e-5)
    assert found["best"] == names.split(",")[makespans.index(min(makespans))]


def test_files(grid, tmp_path, capsys):
    """Of a comparison the best schedule is written."""
    outputs = [str(tmp_path / name) for name in ("run.json", "run.trace", "tasks.rec", "run.csv")]
    traces = [word for output in outputs for word in ("--trace", output)]
    found = said(capsys, grid, "-p", "2", "--compare", "--with", "serial,heft,bl-est", *traces)
    with open(tmp_path / "run.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 64
    assert max(float(row["finish"]) for row in rows) == min(row["makespan"] for row in found["schedules"])
    assert len(json.loads((tmp_path / "run.json").read_text())["traceEvents"]) > 64
    assert (tmp_path / "run.trace").read_text().startswith("%EventDef")
    assert (tmp_path / "tasks.rec").read_text().count("SubmitOrder") == 64


def test_a_trace_on_standard_output(grid, capsys):
    assert (
        main(["schedule", grid, "-p", "2", "--algorithm", "etf", "--trace", "-", "--trace-format", "table"])
        == 0
    )
    out, _ = capsys.readouterr()
    assert out.splitlines()[0] == "task,processor,start,finish"
    assert len(out.splitlines()) == 65


def test_onestop(grid, tmp_path, capsys):
    path = tmp_path / "s.dot"
    found = said(capsys, grid, "-p", "3", "--model", "bsp", "--algorithm", "etf", "--trace", str(path))
    assert int(read_onestop(path).superstep.max()) + 1 == found["supersteps"]


def test_gantt(grid, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    path = tmp_path / "run.svg"
    assert main(["schedule", grid, "-p", "2", "--algorithm", "etf", "--gantt", str(path), "--ports"]) == 0
    assert "<svg" in path.read_text()


@pytest.mark.parametrize("folder", ["made", "starpu"])
def test_starpu_replay(folder, tmp_path, capsys):
    trace = str(sample(f"{folder}/cholesky8_tasks.rec"))
    out = tmp_path / "sched.rec"
    said(capsys, trace, "-p", "2", "--algorithm", "heft", "--sched-rec", str(out), "-q")
    workers = re.findall(r"^SpecificWorker: (\d)$", out.read_text(), re.MULTILINE)
    assert len(workers) == 120
    assert set(workers) == {"0", "1"}


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 2, "say on what: -p P, or --platform FILE"),
        (["-p", "2", "--platform", "x"], 2, "say on what"),
        (["-p", "0"], 2, "p must be a whole number"),
        (["-p", "2", "--algorithm", "best"], 2, "there is no algorithm 'best'"),
        (["-p", "2", "--compare", "--with", "best"], 2, "there is no algorithm 'best'"),
        (["-p", "2", "--compare", "--with", ","], 2, "--with names no algorithm"),
        (["-p", "2", "--with", "etf"], 2, "--with goes with --compare"),
        (["-p", "2", "--algorithm", "etf", "--clusters", "4"], 2, "takes no clusters"),
        (["-p", "2", "--clusters", "4", "--parts", "x"], 2, "not allowed with"),
        (["-p", "2", "--clusters", "no-such-file"], 2, "no-such-file: No such file"),
        (["-p", "2", "--bandwidth", "0"], 2, "bandwidth must be finite and positive"),
        (["-p", "2", "--ccr", "-1"], 2, "ccr must be finite and not negative"),
        (["--platform", "no.json"], 2, "no.json: No such file"),
        (["--platform", "no.json", "--latency", "1"], 2, "go with -p"),
        (["-p", "2", "--trace", "x.txt"], 2, "x.txt: the suffix tells no form of schedules"),
        (["-p", "2", "--trace", "no/such/x.json"], 2, "No such file"),
        (["-p", "2", "--trace", "-", "--json"], 2, "both need standard output"),
        (["-p", "2", "--ports"], 2, "--ports goes with --gantt"),
        (["-p", "2", "--costs", "-", "--platform", "-"], 2, 'only one file can be "-"'),
    ],
)
def test_wrong_usage(grid, tmp_path, monkeypatch, arguments, code, words, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["schedule", grid, *arguments]) == code
    assert words in capsys.readouterr().err


def test_costs_that_do_not_fit(grid, tmp_path, capsys):
    (tmp_path / "costs").write_text("1 2\n1\n")
    assert main(["schedule", grid, "-p", "2", "--costs", str(tmp_path / "costs")]) == 2
    assert "costs:2: found 1 field; expected 2: the time of a task on each" in capsys.readouterr().err
    (tmp_path / "costs").write_text("1 2\n1 1\n")
    assert main(["schedule", grid, "-p", "2", "--costs", str(tmp_path / "costs")]) == 2
    assert "found 2 lines; expected 64" in capsys.readouterr().err


def test_a_cycle_has_no_schedule(tmp_path, capsys):
    ring = tmp_path / "ring.mtx"
    ring.write_text("%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 3\n3 1\n")
    assert main(["schedule", str(ring), "-p", "2", "--as", "adjacency"]) == 1
    assert "the graph has a cycle" in capsys.readouterr().err
