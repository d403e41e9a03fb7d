"""The front of the schedulers: every name gives a schedule that can happen, and auto the best of them."""

from __future__ import annotations

import time

import numpy as np
import pytest
import scipy.sparse
from _scheduling import problems
from hypothesis import example, given, settings
from hypothesis import strategies as st

import dagpart
from dagpart import Dag, DagpartError, generate
from dagpart.schedule import (
    CLUSTERINGS,
    LISTS,
    MAPPINGS,
    VARIANTS,
    Parts,
    Platform,
    Problem,
    algorithms,
    compare,
    schedule,
    solve,
    validate,
)
from dagpart.schedule.portfolio import best_of, ladder, portfolio

GRAPH = generate.cholesky(5)


def same(one, other):
    return (
        one.processor.tolist() == other.processor.tolist()
        and one.start.tolist() == other.start.tolist()
        and one.messages.start.tolist() == other.messages.start.tolist()
    )


def test_names_are_all_combinations():
    names = algorithms()
    assert len(set(names)) == len(names)
    count = len(LISTS) * (1 + len(VARIANTS)) + len(CLUSTERINGS) * (1 + len(MAPPINGS)) + len(MAPPINGS) + 1
    assert len(names) == count
    assert {"auto", "bl-est-part", "etf-busy", "heft-macro", "dsc", "sarkar-affinity", "glb"} <= set(names)


@settings(max_examples=300)
@given(problems(max_n=10), st.sampled_from([name for name in algorithms() if name != "auto"]))
def test_every_name_gives_a_schedule_that_can_happen(problem, name):
    found = validate(solve(problem, name))
    assert found.algorithm == name


@settings(max_examples=60)
@given(problems(max_n=10))
def test_auto_is_the_best_of_all_it_tries(problem):
    found = validate(solve(problem))
    attempts = [attempt.run() for attempt in portfolio(problem, Parts.of(problem))]
    assert found.makespan <= min(attempt.makespan for attempt in attempts)
    assert found.makespan <= problem.serial_time + (
        problem.platform.synchronisation if problem.model == "bsp" else 0.0
    )
    assert found.facts["tried"] == len(attempts)


@pytest.mark.parametrize("clusters", [6, "labels", "partition", "file", "auto", None])
def test_clusters_come_in_many_forms(clusters, tmp_path):
    parts = dagpart.partition(GRAPH, 6)
    parts.save(tmp_path / "parts")
    given_as = {"labels": parts.labels.tolist(), "partition": parts, "file": tmp_path / "parts"}
    found = schedule(GRAPH, 3, algorithm="bl-est-part", clusters=given_as.get(clusters, clusters), ccr=2)
    if clusters in given_as:
        assert same(found, schedule(GRAPH, 3, algorithm="bl-est-part", clusters=parts, ccr=2))
        for part in range(6):
            assert np.unique(found.processor[parts.labels == part]).size == 1
    if clusters == 6:
        assert found.facts["clusters"] == 6


def test_clusters_with_cycles_are_welcome_where_they_can_be():
    path = [(0, 1), (1, 2)]
    for name in ("auto", "glb", "bl-est-part", "etf-busy"):
        validate(schedule(path, 2, algorithm=name, clusters=[0, 1, 0]))
    with pytest.raises(DagpartError, match="wait for each other"):
        schedule(path, 2, algorithm="bl-est-macro", clusters=[0, 1, 0])


def test_same_seed_same_schedule_whatever_the_threads():
    first = schedule(GRAPH, 4, ccr=8, seed=3)
    assert same(first, schedule(GRAPH, 4, ccr=8, seed=3, threads=3))
    assert first.facts == schedule(GRAPH, 4, ccr=8, seed=3, threads=3).facts


def test_a_time_limit_is_used_and_kept():
    began = time.monotonic()
    found = schedule(GRAPH, 4, ccr=8, time_limit=0.5)
    assert time.monotonic() - began >= 0.5
    validate(found)
    # The first attempt is made in any case.
    first = schedule(GRAPH, 4, ccr=8, time_limit=1e-9)
    assert first.facts["chosen"] == "bl-est"
    assert first.facts["tried"] == 1


def test_more_is_found_than_serial_where_messages_are_cheap():
    free, dear = (schedule(GRAPH, 4, ccr=ccr).makespan for ccr in (0, 1000))
    assert free < 0.5 * GRAPH.n
    assert dear == GRAPH.n


def test_compare_keeps_the_order_and_reports():
    seen = []
    names = ["serial", "bl-est", "dsc-glb", "etf-part"]
    found = compare(GRAPH, 2, names, clusters=4, progress=seen.append)
    assert [s.algorithm for s in found] == names
    assert [s.algorithm for s in seen] == names
    assert found[0].makespan == GRAPH.n
    assert found[3].facts["clusters"] == 4


def test_costs_steer_the_partition():
    costs = np.ones((GRAPH.n, 2))
    costs[:10] = 100
    problem = Problem.of(GRAPH, 2, costs=costs)
    assert Parts.of(problem).graph.vertex_weights[:11].tolist() == [100] * 10 + [1]
    assert Parts.of(Problem.of(GRAPH, 2)).graph is GRAPH


def test_parts_have_room_for_a_heavy_task():
    graph = Dag.from_edges([(0, 1), (1, 2), (2, 3)], vertex_weights=[100, 1, 1, 1])
    assert len(set(Parts(graph)(3).tolist())) == 3


@given(st.integers(0, 10**7), st.integers(1, 1000))
@example(374, 375)
def test_the_ladder_climbs_to_a_twentieth(n, p):
    counts = ladder(n, p)
    assert counts == sorted(set(counts))
    assert all(1 <= k <= max(n, 1) for k in counts)
    assert p == 1 or p > n or p in counts
    top = max(n // 20, p)
    assert counts[-1] <= max(top, 2)
    if n >= 40:
        # Halves of p are rounded down.
        assert 2 * counts[-1] + 1 > min(top, n)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"algorithm": "best"}, "no algorithm 'best'"),
        ({"algorithm": "dsc-part"}, "no algorithm 'dsc-part'"),
        ({"algorithm": "bl-est", "clusters": 3}, "did you mean bl-est-part"),
        ({"algorithm": "dsc", "clusters": 3}, "did you mean glb"),
        ({"algorithm": "bl-est-part", "clusters": [0]}, "1 labels"),
        ({"algorithm": "bl-est-part", "clusters": 10**6}, "leave some empty"),
        ({"threads": 0}, "threads=0"),
        ({"seed": -1}, "seed"),
        ({"time_limit": 0}, "time_limit"),
    ],
)
def test_what_cannot_be_is_refused(options, words):
    with pytest.raises(DagpartError, match=words):
        schedule(GRAPH, 2, **options)


@pytest.mark.parametrize("name", ["auto", "dsc", "glb", "bl-est-macro", "sarkar-affinity"])
def test_an_empty_graph(name):
    empty = Dag.from_scipy(scipy.sparse.csr_array((0, 0)))
    assert schedule(empty, 3, algorithm=name).makespan == 0


def test_platforms_go_through():
    platform = Platform.heterogeneous([1, 4], bandwidth=2)
    found = validate(schedule(GRAPH, platform, algorithm="serial"))
    assert found.makespan == GRAPH.n / 4


def test_the_best_of_equals_is_the_first():
    problem = Problem.of([(0, 1), (1, 2)], 2)
    attempts = list(portfolio(problem, Parts.of(problem)))
    assert best_of(attempts).facts["chosen"] == "bl-est"


def test_auto_is_never_longer_than_a_list_scheduler():
    rng = np.random.default_rng(11)
    for seed in range(40):
        graph = generate.random_dag(int(rng.integers(5, 40)), seed=seed)
        p = int(rng.integers(2, 6))
        costs = rng.uniform(1, 20, (graph.n, p)) if seed % 2 else None
        problem = Problem.of(graph, p, ccr=float(rng.choice([0.1, 1.0, 5.0])), costs=costs)
        found = solve(problem, "auto").makespan
        each = {name: solve(problem, name).makespan for name in LISTS}
        assert found <= min(each.values()), (seed, each, found)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"clusters": 0}, "clusters must be at least 1, got 0"),
        ({"clusters": -2}, "clusters=-2 is negative"),
        ({"clusters": 99}, "clusters=99 parts for 35 tasks leave some empty; ask for at most 35"),
        ({"clusters": 2.5}, "clusters=2.5 is no whole number"),
        ({"clusters": True}, "clusters=True is no number of parts"),
        ({"costs": [[1, "x"]] * 35}, "row 0 has 'x' in it"),
        ({"costs": [[1, 2]] * 34 + [[1]]}, "row 34 has 1 entries"),
        ({"costs": "fast"}, "costs must be numbers in 35 rows of 2: got 'fast'"),
        ({"costs": [3] * 35}, "costs has the shape"),
        ({"ccr": [1.0]}, r"ccr must be finite and not negative: give a number from 0 up, got \[1.0\]"),
        ({"task_overhead": "1"}, "task_overhead must be finite"),
        ({"platform": [2]}, "p must be a whole number"),
        ({"algorithm": ["etf"]}, "there is no algorithm"),
        ({"model": ["delay"]}, "there is no model"),
        ({"charging": {}}, "there is no charging"),
        ({"threads": 10**30}, "threads="),
    ],
)
def test_arguments_that_are_none(arguments, words):
    with pytest.raises(DagpartError, match=words):
        schedule(GRAPH, **{"platform": 2, "algorithm": "etf-part"} | arguments)


def test_a_whole_float_is_a_number_of_parts():
    assert schedule(GRAPH, 2.0, algorithm="etf-part", clusters=4.0).facts["clusters"] == 4
    assert dagpart.partition(GRAPH, 2.0).k == 2
    assert type(dagpart.partition(GRAPH, np.float32(2)).k) is int


def test_the_gap_to_no_bound_is_a_dash():
    graph = Dag.from_edges([(0, 1)], vertex_weights=[0, 0])
    made = dagpart.schedule.list_schedule(
        Problem.of(graph, Platform.homogeneous(2, latency=1.0)), "etf", processor=[0, 1]
    )
    found = dagpart.schedule.report(made)
    assert (found.makespan, found.lower_bound) == (2.0, 0.0)
    assert "gap to bound  -\n" in str(found)
    assert "inf" not in str(found)
    assert found.to_dict()["gap"] is None
