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


WORKFLOW = """<adag><job id="a" runtime="2"><uses file="f" link="output" size="250000000"/></job>
<job id="b" runtime="3"><uses file="f" link="input" size="250000000"/></job>
<child ref="b"><parent ref="a"/></child></adag>"""


@pytest.fixture
def workflow(tmp_path):
    path = tmp_path / "w.dax"
    path.write_text(WORKFLOW)
    return str(path)


def test_a_workflow_in_real_units(workflow, tmp_path, capsys):
    """Two tasks of 2 and 3 seconds on two processors, and 250 MB from one to the other."""
    there = (workflow, "-p", "2", "--algorithm", "round-robin")
    assert main(["schedule", *there, "--json", "--trace", str(tmp_path / "run.json")]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["makespan"] == 7
    assert "links carry 125 MB/s; say otherwise with --bandwidth" in err
    events = json.loads((tmp_path / "run.json").read_text())["traceEvents"]
    assert [(e["ts"], e["dur"]) for e in events if e.get("cat") == "task"] == [(0, 2e6), (4e6, 3e6)]
    assert said(capsys, *there, "--bandwidth", "1GB/s")["makespan"] == 5.25
    assert said(capsys, *there, "--bandwidth", "1GB/s", "--latency", "500ms")["makespan"] == 5.75
    # A number without a unit is in the graph's own.
    assert said(capsys, *there, "--bandwidth", "25e7", "--latency", "1")["makespan"] == 7
    # In minutes, the data are there in a moment.
    assert said(capsys, *there, "--time-unit", "min")["makespan"] == pytest.approx(5 + 2 / 60)
    assert "links carry" not in capsys.readouterr().err
    assert main(["schedule", *there, "--ccr", "2"]) == 0
    assert "links carry" not in capsys.readouterr().err


def test_units_that_nobody_has_told(grid, tmp_path, capsys):
    there = ["schedule", grid, "-p", "2", "--algorithm", "heft"]
    assert main([*there, "--bandwidth", "1GB/s"]) == 2
    assert "say it (--time-unit ms)" in capsys.readouterr().err
    assert (
        main([*there, "--bandwidth", "1GB/s", "--time-unit", "ms", "--trace", str(tmp_path / "r.json")]) == 0
    )
    capsys.readouterr()
    events = json.loads((tmp_path / "r.json").read_text())["traceEvents"]
    assert all(e["dur"] == pytest.approx(1000) for e in events if e.get("cat") == "task")
    for option, value in (("--bandwidth", "fast"), ("--latency", "1 parsec"), ("--time-unit", "weeks")):
        assert main([*there, option, value]) == 2
        assert repr(value) in capsys.readouterr().err


def test_times_for_each_worker_of_a_trace(tmp_path, capsys):
    """The first worker is faster at the first task, the second at the other one; nothing is sent."""
    path = tmp_path / "tasks.rec"
    record = "Model: a\nJobId: {}\nSubmitOrder: {}\nStartTime: 0\nEndTime: 9\nEstimatedTime: {}\n\n"
    path.write_text(record.format(1, 1, "1 5") + record.format(2, 2, "5 2"))
    assert main(["schedule", str(path), "--algorithm", "heft", "--sched-rec", str(tmp_path / "s.rec")]) == 0
    out, err = capsys.readouterr()
    assert "makespan      2000" in out
    assert "tasks take the times that the file has for each of its 2 workers" in err
    assert "SpecificWorker: 1\nWorkerorder: 1\n" in (tmp_path / "s.rec").read_text()
    assert main(["schedule", str(path), "-p", "3", "--algorithm", "heft"]) == 0
    out, err = capsys.readouterr()
    assert "makespan      9e+06" in out
    assert "the times that the file has for its 2 workers are not for -p 3" in err
    assert main(["schedule", str(path), "-p", "2", "--algorithm", "heft", "--costs", str(path)]) == 0
    assert "makespan      2000" in capsys.readouterr().out
    path.write_text(record.format(1, 1, "1 5").replace("EstimatedTime: 1 5\n", ""))
    assert main(["schedule", str(path), "--algorithm", "heft"]) == 2
    assert "say on what: -p P" in capsys.readouterr().err


def test_a_sched_rec_for_what_is_written(grid, tmp_path, capsys):
    there = ["schedule", grid, "-p", "2", "--algorithm", "heft", "--sched-rec", str(tmp_path / "s.rec")]
    assert main([*there, "--trace", str(tmp_path / "tasks.rec"), "-q"]) == 0
    assert (tmp_path / "s.rec").read_text().count("SubmitOrder") == 64
    capsys.readouterr()
    assert main(there) == 2
    assert "GRAPH, or one that --trace writes" in capsys.readouterr().err


def test_a_schedule_of_another_tool(tmp_path, capsys):
    """Three tasks of 5 in two supersteps; a message of 2; L is 5, behind both or the one that sends."""
    (tmp_path / "s.dot").write_text(
        'digraph G { 0[work_weight="5";comm_weight="2";proc="0";superstep="0"];'
        '1[work_weight="5";proc="1";superstep="1"]; 2[work_weight="5";proc="0";superstep="1"]; 0->1; 0->2; }'
    )
    write_platform(tmp_path / "m.arch", Platform.bsp(2, L=5))
    there = [str(tmp_path / "s.dot"), "--given", "--platform", str(tmp_path / "m.arch")]
    found = said(capsys, *there, "--model", "bsp")
    assert (found["algorithm"], found["makespan"], found["supersteps"]) == ("given", 22, 2)
    assert said(capsys, *there, "--model", "bsp", "--barriers", "sending")["makespan"] == 17
    for wrong in (
        there,
        [*there, "--model", "bsp", "--compare"],
        [*there, "--model", "bsp", "--ccr", "0"],
        [*there, "--model", "bsp", "--algorithm", "etf"],
        [str(tmp_path / "s.dot"), "-p", "2", "--model", "bsp", "--barriers", "all"],
        [*there, "--model", "bsp", "-p", "2"],
    ):
        assert main(["schedule", *wrong]) == 2
        assert re.search("--given|--barriers|not both", capsys.readouterr().err)
