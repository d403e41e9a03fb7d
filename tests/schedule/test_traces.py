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
from dagpart.schedule import (
    Platform,
    Problem,
    read_onestop,
    replay,
    sched_rec,
    simulate,
    validate,
    violations,
    write_trace,
)
from dagpart.schedule.traces import TRACES, chrome, onestop, paje, starpu, trace_of
from dagpart.units import Units

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


def test_chrome_counts_from_one_and_in_microseconds(tmp_path):
    """0 is the idle task of Linux in Perfetto's eyes; times are microseconds."""
    for model in ("duplex", "delay", "bsp"):
        assert min(min(event["pid"], event["tid"]) for event in events(fork(model))) == 1
    path = tmp_path / "run.json"

    def ends(schedule, **options):
        write_trace(path, schedule, **options)
        return [e["ts"] + e["dur"] for e in json.loads(path.read_text())["traceEvents"] if e["ph"] == "X"]

    plain = ends(fork())
    assert max(plain) == fork().makespan
    assert (
        ends(fork(), time_unit="ms")
        == ends(fork(), time_unit=1e-3)
        == pytest.approx([t * 1e3 for t in plain])
    )
    graph = FORK.measured(Units(time=1.0, data=1.0))
    measured = planned(Problem.of(graph, Platform.homogeneous(2)), [0, 1, 1], [0, 1, 2])
    assert ends(measured) == pytest.approx([t * 1e6 for t in plain])
    assert ends(measured, time_unit="ms") == pytest.approx([t * 1e3 for t in plain])
    with pytest.raises(DagpartError, match="paje has times as they are"):
        write_trace(tmp_path / "run.trace", fork(), time_unit="ms")
    with pytest.raises(DagpartError, match="'weeks' is not a unit of time"):
        write_trace(path, fork(), time_unit="weeks")


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


def test_paje_has_no_empty_names(tmp_path):
    """What pj_dump and ViTE show in place of nothing."""
    write_trace(tmp_path / "empty.paje", fork(graph=Dag.from_edges([("", "\n"), ("", "c")])))
    assert '""' not in (tmp_path / "empty.paje").read_text()
    rows = pj_dump(tmp_path / "empty.paje")
    assert {row[8] for row in rows if row[0] == "State" and row[7] == "task"} == {"-", "c"}
    assert {row[8] for row in rows if row[0] == "State" and row[7] == "idle"} == {"idle"}


# ---------------------------------------------------------------------- StarPU


@settings(deadline=None)
@given(schedules(max_n=12))
def test_starpu_tasks_read_again(tmp_path_factory, schedule):
    """The same graph, in the order in which tasks start."""
    path = tmp_path_factory.mktemp("starpu") / "tasks.rec"
    write_trace(path, schedule, time_unit="ns")
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
    tasks = [record for record in records(said) if "SubmitOrder" in record]
    assert [int(task["SubmitOrder"]) for task in tasks] == list(range(1, 202))
    assert [int(task["SpecificWorker"]) for task in tasks] == made.processor[made.order].tolist()


def records(said):
    return [
        dict(line.split(": ", 1) for line in paragraph.splitlines()) for paragraph in said.split("\n\n")[:-1]
    ]


@pytest.mark.parametrize(
    "graph",
    [
        Dag.from_edges([(v, 30, v + 1) for v in range(30)]),
        Dag.from_edges([(0, v, v) for v in range(1, 30)]),
        Dag.from_edges([(u, v, 1 + u + v) for u in range(12) for v in range(12, 24)]),
    ],
    ids=["reads", "writes", "both"],
)
def test_starpu_no_more_than_eight_pieces_of_data(graph, tmp_path):
    """What a task has no room for is read or written by further paragraphs, and comes back as it was."""
    made = random_schedule(Problem.of(graph, 3), seed=2)
    write_trace(tmp_path / "tasks.rec", made, time_unit="ns")
    found = records((tmp_path / "tasks.rec").read_text())
    assert max(len(record.get("Handles", "").split()) for record in found) <= 8
    assert max(len(record.get("DependsOn", "").split()) for record in found) <= 8
    # The replay moves no more pieces of data than there are parameters.
    for record in found:
        words = [record.get(name, "").split() for name in ("Parameters", "Handles", "Modes", "Sizes")]
        assert len(set(map(len, words))) == 1
        assert words[0] == [f"V{size}x1" for size in words[3]]
    again = read(tmp_path / "tasks.rec")
    place = np.argsort(made.order)
    expected = {(place[u], place[v]): w for u, v, w in edges(graph)}
    assert {(u, v): w for u, v, w in edges(again)} == expected


def edges(graph):
    return zip(
        graph.edge_sources().tolist(), graph.indices.tolist(), graph.edge_weights.tolist(), strict=True
    )


def test_starpu_ends_with_an_empty_line():
    """Its replay takes a task when it sees the empty line behind it."""
    assert starpu.dump(fork()).endswith(b"\n\n")
    path = shared("data/starpu/cholesky8_tasks.rec")
    assert sched_rec(path, random_schedule(Problem.of(read(path), 2), seed=1)).endswith(b"\n\n")


def test_starpu_times():
    """The replay takes what stands there for microseconds; a unit of time is a millisecond unless told."""

    def lengths(said):
        return [float(r["EndTime"]) - float(r["StartTime"]) for r in records(said.decode()) if "EndTime" in r]

    assert lengths(starpu.dump(fork())) == [1000.0] * 3
    assert lengths(starpu.dump(fork(), 1e-6)) == [1.0] * 3
    estimates = [r["EstimatedTime"] for r in records(starpu.dump(fork()).decode())]
    assert estimates == ["1.000000e+03 1.000000e+03"] * 3


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
    # A file that the replay accepted has the first three of these fields in this order.
    assert fields_of(said) == ["SubmitOrder", "Priority", "SpecificWorker", "Workerorder"] * 120
    placed = {int(r["SubmitOrder"]): r for r in records(said)}
    submitted = [r["SubmitOrder"] for r in records(path.read_text()) if "Model" in r]
    for q in range(3):
        tasks = [placed[int(submitted[v])] for v in made.order.tolist() if made.processor[v] == q]
        assert [int(task["Workerorder"]) for task in tasks] == list(range(1, len(tasks) + 1))
        assert {task["SpecificWorker"] for task in tasks} == {str(q)}
    priorities = [int(value) for value in re.findall(r"^Priority: (\d+)$", said, re.MULTILINE)]
    assert sorted(priorities) == list(range(120))
    with pytest.raises(DagpartError, match="120 tasks, but there are workers for 3"):
        sched_rec(path, fork())


@given(schedules())
def test_starpu_placement_of_what_is_written(tmp_path_factory, schedule):
    """The sched.rec for the tasks.rec of a schedule, without reading it, and by reading it."""
    path = tmp_path_factory.mktemp("starpu") / "tasks.rec"
    write_trace(path, schedule)
    found = records(sched_rec(None, schedule).decode())
    tasks = {r["SubmitOrder"]: r for r in records(path.read_text()) if "SubmitOrder" in r}
    assert [r["SubmitOrder"] for r in found] == list(tasks)
    assert [r["SpecificWorker"] for r in found] == [r["SpecificWorker"] for r in tasks.values()]
    for q in range(schedule.problem.p):
        places = [int(r["Workerorder"]) for r in found if r["SpecificWorker"] == str(q)]
        assert places == list(range(1, len(places) + 1))


def test_starpu_tasks_without_submit_order_are_left_out(tmp_path):
    """Copies that StarPU makes itself ran, but no sched.rec can name them."""
    task = "Model: {}\nJobId: {}\n{}Handles: f0\nModes: RW\nSizes: 8\nStartTime: 0\nEndTime: 1\n\n"
    text = (
        task.format("a", 1, "SubmitOrder: 5\n")
        + task.format("starpu_data_cpy", 2, "DependsOn: 1\n")
        + task.format("a", 3, "SubmitOrder: 6\nDependsOn: 2\n")
    )
    path = tmp_path / "tasks.rec"
    path.write_text(text)
    made = planned(Problem.of(read(path), 1), [0, 0, 0], [0, 1, 2])
    assert [(r["SubmitOrder"], r["Workerorder"]) for r in records(sched_rec(path, made).decode())] == [
        ("5", "1"),
        ("6", "2"),
    ]
    path.write_text(text.replace("SubmitOrder: 5", "SubmitOrder: five"))
    with pytest.raises(ParseError, match="SubmitOrder: 'five'"):
        sched_rec(path, made)
    path.write_text(text.replace("SubmitOrder", "Order"))
    with pytest.raises(ParseError, match="no task with a SubmitOrder"):
        sched_rec(path, made)


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
    again = simulate(
        problem, found.processor, found.order, superstep=found.superstep, message_superstep=found.sent
    )
    assert again.makespan == pytest.approx(schedule.makespan)
    assert violations(again) == []


def test_onestop_messages():
    said = onestop.dump(fork("bsp")).decode()
    assert (
        said.splitlines()[1] == '0[work_weight="1";comm_weight="2";proc="0";superstep="0";cs="[(0,1,0)]";];'
    )


def lazy(graph='0->1; 0->2 [comm_weight="1"]; 1->3;', messages="(0,1,0)", plain="2"):
    """Task 0 on processor 0 sends to processor 1, which reads first in superstep 2."""
    return (
        f'digraph G {{ 0[work_weight="5";comm_weight="{plain}";proc="0";superstep="0";cs="[{messages}]";];'
        '1[work_weight="3";comm_weight="1";proc="0";superstep="1";];'
        '2[work_weight="4";comm_weight="1";proc="1";superstep="2";];'
        f'3[work_weight="1";comm_weight="1";proc="0";superstep="2";]; {graph} }}'
    )


@pytest.mark.parametrize(
    ("messages", "barriers", "cost"),
    [
        # Work 5, 3, 4; the message costs 2 times 3; L is 10.
        ("(0,1,0)", "all", 5 + 6 + 10 + 3 + 10 + 4 + 10),
        ("(0,1,0)", "sending", 5 + 6 + 10 + 3 + 4),
        ("(0,1,1)", "all", 5 + 10 + 3 + 6 + 10 + 4 + 10),
        ("(0,1,1)", "sending", 5 + 3 + 6 + 10 + 4),
    ],
)
def test_onestop_schedules_cost_what_they_cost_there(tmp_path, messages, barriers, cost):
    (tmp_path / "s.dot").write_text(lazy(messages=messages))
    made = read_onestop(tmp_path / "s.dot").schedule(Platform.bsp(2, g=3, L=10, barriers=barriers))
    assert made.makespan == cost
    assert made.superstep.tolist() == [0, 1, 2, 2]
    assert validate(made) is made
    assert replay(made).makespan == cost
    write_trace(tmp_path / "again.dot", made)
    again = read_onestop(tmp_path / "again.dot")
    assert again.schedule(made.problem.platform).makespan == cost
    assert again.sent.tolist()[1] == int(messages[-2])


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ("(0,1,2)", "the message of 0 to processor 1 goes in superstep 2, but it is made in superstep 0"),
        ("", "the message of 0 to processor 1 is not listed"),
        ("(0,1,0);(0,1,1)", "listed twice"),
        ("(0,1,0);(0,0,1)", "the message of 0 to processor 0 is of no use there"),
        ("(1,1,0)", "starts on processor 1, but the task runs on 0"),
        ("(0,1)", r"found '\(0,1\)'; expected cs of node 0: messages \(from,to,superstep\)"),
        ("(0,1,9999999999)", "expected cs of node 0"),
    ],
)
def test_onestop_lists_of_messages_are_checked(tmp_path, messages, words):
    (tmp_path / "s.dot").write_text(lazy(messages=messages))
    with pytest.raises(DagpartError, match=words):
        read_onestop(tmp_path / "s.dot")


def test_onestop_refuses_what_is_cut_there():
    for graph, words in (
        (Dag.from_edges([("a", "b", 0.5)]), "the size of the edge from a to b is 0.5"),
        (Dag.from_edges([("a", "b", 2)], vertex_weights=[1, 1.25]), "the work of task b is 1.25"),
    ):
        made = planned(Problem.of(graph, Platform.bsp(2), model="bsp"), [0, 1], [0, 1])
        with pytest.raises(DagpartError, match=words):
            onestop.dump(made)


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
