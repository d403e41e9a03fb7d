"""Schedules for other tools: Perfetto, Paje, StarPU, OneStopParallel."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from itertools import pairwise

import numpy as np
import pytest
from _data import sample, shared
from _reference import planned, random_schedule, schedules
from hypothesis import given, settings

from dagpart import Dag, DagpartError, NotADagError, ParseError, generate, read
from dagpart.schedule import Platform, Problem, read_onestop, sched_rec, write_trace
from dagpart.schedule.traces import TRACES, chrome, onestop, paje, starpu, trace_of

FORK = Dag.from_edges([("a", "b", 2), ("a", "c", 2)])
NAMED = Dag.from_edges([('say "hi"', "b\nc"), ('say "hi"', "é%$ (x)")])


def fork(model="duplex", graph=FORK):
    platform = Platform.bsp(2, L=5) if model == "bsp" else 2
    return planned(Problem.of(graph, platform, model=model), [0, 1, 1], [0, 1, 2])


# ---------------------------------------------------------------------- Chrome


def events(schedule):
    return json.loads(chrome.dump(schedule))["traceEvents"]


@given(schedules())
def test_chrome_lanes_hold_one_event_at_a_time(schedule):
    """What the format asks of complete events on a thread, and all tasks and messages once on each lane."""
    lanes = {}
    for event in events(schedule):
        if event["ph"] == "X":
            lanes.setdefault((event["pid"], event["tid"]), []).append(
                (event["ts"], event["ts"] + event["dur"])
            )
    for spans in lanes.values():
        spans.sort()
        assert all(a[1] <= b[0] + 1e-9 for a, b in pairwise(spans))
    tasks = [event for event in events(schedule) if event["ph"] == "X" and event["cat"] == "task"]
    assert sorted(event["args"]["task"] for event in tasks) == list(range(schedule.problem.n))
    sent = [event for event in events(schedule) if event.get("cat") == "message"]
    assert len(sent) == 2 * len(schedule.messages)


@pytest.mark.parametrize("model", ["delay", "duplex", "bsp"])
def test_chrome_arrows_start_and_end_inside_events(model):
    found = events(fork(model))
    spans = [e for e in found if e["ph"] == "X"]
    arrows = [e for e in found if e["ph"] in "stf"]
    assert [e["ph"] for e in arrows if e["id"] == 1] == (["s", "t", "f"] if model == "duplex" else ["s", "f"])
    for arrow in arrows:
        assert any(
            (e["pid"], e["tid"]) == (arrow["pid"], arrow["tid"])
            and e["ts"] <= arrow["ts"] <= e["ts"] + e["dur"]
            for e in spans
        )


def test_chrome_names_lanes_and_supersteps():
    found = events(fork("bsp"))
    names = [e["args"]["name"] for e in found if e["ph"] == "M"]
    assert names == ["messages", "processors", "processor 0", "processor 1"]
    assert [e["args"]["superstep"] for e in found if e["ph"] == "X"] == [0, 1, 1]
    lanes = {e["args"]["name"] for e in events(fork()) if e["ph"] == "M"}
    assert {"send port 0", "receive port 1"} <= lanes


# ---------------------------------------------------------------------- Paje


def pj_dump(path):
    """What pj_dump makes of a trace: the fields of each line."""
    program = shutil.which("pj_dump")
    if program is None:
        pytest.skip("pj_dump is not installed (package pajeng)")
    done = subprocess.run(
        [program, "-u", "-l", "12", str(path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    return [line.split(", ") for line in done.stdout.splitlines()]


@pytest.mark.parametrize("model", ["none", "delay", "duplex", "bsp"])
def test_paje_read_by_pj_dump(model, tmp_path):
    made = random_schedule(
        Problem.of(generate.random_dag(60, seed=3), Platform.bsp(3, L=2), model=model), seed=4
    )
    write_trace(tmp_path / "run.trace", made)
    rows = pj_dump(tmp_path / "run.trace")
    states = [row for row in rows if row[0] == "State" and row[7] == "task"]
    assert sorted((row[1], int(row[8])) for row in states) == sorted(
        (f"processor {q}", v) for v, q in enumerate(made.processor.tolist())
    )
    for row in states:
        v = int(row[8])
        assert (float(row[3]), float(row[4])) == pytest.approx((made.start[v], made.finish[v]))
    links = [row for row in rows if row[0] == "Link"]
    assert len(links) == len(made.messages)
    for row in links:
        i = int(row[9].removeprefix("m"))
        m = made.messages
        assert (float(row[3]), float(row[4])) == pytest.approx((m.start[i], m.finish[i]))
        assert row[7:9] == [f"processor {m.source[i]}", f"processor {m.destination[i]}"]


@given(schedules())
def test_paje_busy_and_idle_time(schedule):
    """By the states alone, every processor works as long as its tasks take."""
    state, since = {}, {}
    busy = np.zeros(schedule.problem.p)
    last = 0.0
    for line in paje.dump(schedule).decode().splitlines():
        fields = line.split()
        if fields[0] not in "5678":
            continue
        time = float(fields[1])
        assert time >= last
        last = time
        if fields[0] == "6":
            q = int(fields[3].removeprefix("p"))
            if state.get(q) == "task":
                busy[q] += time - since[q]
            state[q], since[q] = fields[4], time
    assert set(state.values()) == {"idle"}
    loads = np.bincount(schedule.processor, schedule.finish - schedule.start, minlength=schedule.problem.p)
    assert busy == pytest.approx(loads)


def test_paje_odd_names(tmp_path):
    write_trace(tmp_path / "odd.paje", fork(graph=NAMED))
    tasks = [row[8] for row in pj_dump(tmp_path / "odd.paje") if row[0] == "State" and row[7] == "task"]
    assert sorted(tasks) == sorted(["say 'hi'", "b c", "é%$ (x)"])


# ---------------------------------------------------------------------- StarPU


@settings(deadline=None)
@given(schedules(max_n=12))
def test_starpu_tasks_read_again(tmp_path_factory, schedule):
    """The same graph, in the order in which tasks start."""
    path = tmp_path_factory.mktemp("starpu") / "tasks.rec"
    write_trace(path, schedule)
    problem = schedule.problem
    graph = read(path)
    order = schedule.order
    place = np.argsort(order)
    assert graph.names == tuple(str(i + 1) for i in range(problem.n))
    sizes = dict(
        zip(
            zip(place[problem.graph.edge_sources()], place[problem.graph.indices], strict=True),
            problem.message_sizes,
            strict=True,
        )
    )
    found = zip(graph.edge_sources(), graph.indices, strict=True)
    # Data that weigh nothing anywhere are read as edges of weight 1.
    if any(sizes.values()):
        assert dict(zip(found, graph.edge_weights, strict=True)) == sizes
    else:
        assert set(found) == set(sizes)
    # Both times are rounded to a unit.
    assert graph.vertex_weights == pytest.approx((schedule.finish - schedule.start)[order], abs=1)


def test_starpu_no_more_than_eight_dependencies(tmp_path):
    graph = Dag.from_edges([(v, 200) for v in range(200)])
    made = random_schedule(Problem.of(graph, 4), seed=1)
    write_trace(tmp_path / "tasks.rec", made)
    said = (tmp_path / "tasks.rec").read_text()
    depends = [line.split()[1:] for line in said.splitlines() if line.startswith("DependsOn")]
    assert max(map(len, depends)) == 8
    assert read(tmp_path / "tasks.rec").m == 200
    submitted = re.findall(r"^SubmitOrder: (\d+)$", said, re.MULTILINE)
    assert [int(order) for order in submitted] == list(range(1, 202))
    workers = re.findall(r"^SpecificWorker: (\d+)$", said, re.MULTILINE)
    assert [int(worker) for worker in workers] == made.processor[made.order].tolist()


# What StarPU 1.4 writes about tasks that ran.
FIELDS = {
    "Control",
    "DepLabels",
    "DependsOn",
    "EndTime",
    "EstimatedTime",
    "File",
    "Footprint",
    "GFlop",
    "Handles",
    "Iteration",
    "JobId",
    "Line",
    "MPIRank",
    "MemoryNode",
    "Model",
    "Modes",
    "Name",
    "NumaNodes",
    "Parameters",
    "Priority",
    "ReadyTime",
    "Sizes",
    "StartTime",
    "SubmitOrder",
    "SubmitTime",
    "Tag",
    "WorkerId",
}


def fields_of(text):
    return re.findall(r"^(\w+):", text, re.MULTILINE)


def test_starpu_fields_are_those_of_starpu():
    made = random_schedule(Problem.of(generate.random_dag(40, seed=1), 3), seed=1)
    assert set(fields_of(starpu.dump(made).decode())) <= FIELDS | {"SpecificWorker"}


def test_the_fields_of_real_traces():
    names = ("cholesky8_tasks.rec", "cholesky6_nb960_tasks_mirage.rec")
    found = [set(fields_of(shared(f"data/starpu/{name}").read_text())) for name in names]
    assert set.union(*found) == FIELDS


@pytest.mark.parametrize("folder", ["made", "starpu"])
def test_starpu_placement_of_a_recorded_program(folder):
    path = sample(f"{folder}/cholesky8_tasks.rec")
    made = random_schedule(Problem.of(read(path), 3), seed=5)
    said = sched_rec(path, made).decode()
    # A file that the replay accepted has these fields in this order.
    assert fields_of(said) == ["SubmitOrder", "Priority", "SpecificWorker"] * 120
    priorities = [int(value) for value in re.findall(r"^Priority: (\d+)$", said, re.MULTILINE)]
    assert sorted(priorities) == list(range(120))
    with pytest.raises(DagpartError, match="120 tasks, but there are workers for 3"):
        sched_rec(path, fork())


def test_the_fields_of_a_placement_that_the_replay_accepted():
    accepted = shared("data/starpu/cholesky8_sched_round_robin.rec").read_text()
    assert fields_of(accepted) == ["SubmitOrder", "Priority", "SpecificWorker"] * 120


# ---------------------------------------------------------------------- OneStopParallel


@given(schedules(models=("bsp",)))
def test_onestop_read_again(tmp_path_factory, schedule):
    path = tmp_path_factory.mktemp("onestop") / "schedule.dot.gz"
    write_trace(path, schedule)
    found = read_onestop(path)
    problem = schedule.problem
    assert found.processor.tolist() == schedule.processor.tolist()
    assert found.superstep.tolist() == schedule.superstep.tolist()
    plain = Dag.from_csr(
        problem.graph.indptr, problem.graph.indices, problem.sizes, vertex_weights=problem.work
    )
    assert found.graph == plain
    again = planned(problem, found.processor.tolist(), found.order.tolist())
    assert again.makespan <= schedule.makespan * (1 + 1e-9)


def test_onestop_messages():
    said = onestop.dump(fork("bsp")).decode()
    assert (
        said.splitlines()[1] == '0[work_weight="1";comm_weight="2";proc="0";superstep="0";cs="[(0,1,0)]";];'
    )


def test_onestop_node_order_does_not_matter(tmp_path):
    """Nodes called by numbers are numbered by these, in whatever order they come."""
    path = tmp_path / "s.dot"
    path.write_text(
        'digraph G {\n2[proc="1";superstep="3";];\n0[proc="0";superstep="0";];\n1[proc="2";superstep="1";];\n'
        "0->1;\n1->2;\n}\n"
    )
    found = read_onestop(path)
    assert (found.processor.tolist(), found.superstep.tolist()) == ([0, 2, 1], [0, 1, 3])
    assert found.order.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (
            'digraph { 0 [proc="0";superstep="0"]; 1 [proc="0"]; 0 -> 1 }',
            ParseError,
            "no value; expected superstep of",
        ),
        ('digraph { 0 [proc="-1";superstep="0"] }', ParseError, "found '-1'; expected proc of node 0"),
        ('digraph { 0 [proc="x";superstep="0"] }', ParseError, "found 'x'"),
        ('digraph { node [proc="0";superstep="0"]; 0 -> 1 -> 0 }', NotADagError, "a cycle"),
        (
            'digraph { 0 [proc="0";superstep="1"]; 1 [proc="1";superstep="1"]; 0 -> 1 }',
            DagpartError,
            "the edge from 0 in superstep 1 to 1 in superstep 1 comes too early",
        ),
        ('digraph { 0 [proc="0"', ParseError, "expected"),
    ],
)
def test_onestop_damage(tmp_path, text, error, words):
    (tmp_path / "s.dot").write_text(text)
    with pytest.raises(error) as caught:
        read_onestop(tmp_path / "s.dot")
    assert words in str(caught.value)


def test_onestop_knows_supersteps_only():
    with pytest.raises(DagpartError, match='take model="bsp", not "duplex"'):
        onestop.dump(fork())


# ---------------------------------------------------------------------- the registry


def test_formats_by_suffix_and_by_name(tmp_path):
    assert [trace_of(f"x{trace.suffixes[0]}").name for trace in TRACES] == [trace.name for trace in TRACES]
    write_trace(tmp_path / "out", fork(), "paje")
    assert (tmp_path / "out").read_bytes() == paje.dump(fork())
    with pytest.raises(DagpartError, match="no form of schedules is called 'pages'; there is chrome"):
        trace_of("x.json", "pages")
    with pytest.raises(DagpartError, match=r"x\.txt: the suffix tells no form"):
        trace_of("x.txt")


def test_what_was_there_stays_where_writing_fails(tmp_path):
    (tmp_path / "s.dot").write_text("old")
    with pytest.raises(DagpartError):
        write_trace(tmp_path / "s.dot", fork())
    assert (tmp_path / "s.dot").read_text() == "old"
    with pytest.raises(OSError, match="No such file"):
        write_trace(tmp_path / "no" / "s.json", fork())
