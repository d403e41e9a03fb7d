"""Lower bounds: never above the optimum, and as large as the papers say on small examples."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from _reference import CHARGING, MODELS, planned, problems, random_schedule, schedules
from hypothesis import given, settings
from hypothesis import strategies as st

from dagpart import Dag, generate
from dagpart.schedule import Bounds, Platform, Problem, bounds, lower_bounds


def optimum(problem):
    """Least makespan over all processors and commit orders; for the models with messages of those only."""
    graph = problem.graph
    edges = list(zip(graph.edge_sources().tolist(), graph.indices.tolist(), strict=True))
    orders = [
        order
        for order in permutations(range(problem.n))
        if all(order.index(u) < order.index(v) for u, v in edges)
    ]
    return min(
        planned(problem, list(processor), list(order)).makespan
        for processor in product(range(problem.p), repeat=problem.n)
        for order in orders
    )


@given(schedules(max_n=9))
def test_no_schedule_is_below_a_bound(schedule):
    found = lower_bounds(schedule.problem)
    assert all(value <= schedule.makespan * (1 + 1e-9) for value in found.values.values())
    assert found.gap(schedule.makespan) >= 0


@settings(max_examples=25)
@given(problems(max_n=4, max_p=3))
def test_no_bound_is_above_the_optimum(problem):
    assert lower_bounds(problem).best <= optimum(problem) * (1 + 1e-9)


@given(st.integers(0, 999), st.sampled_from(MODELS), st.sampled_from(CHARGING), st.sampled_from([2, 7]))
@settings(max_examples=30)
def test_larger_graphs(seed, model, charging, p):
    graph = generate.random_dag(80, seed=seed)
    problem = Problem.of(graph, p, model=model, charging=charging, ccr=2.0)
    assert lower_bounds(problem).best <= random_schedule(problem, seed).makespan * (1 + 1e-9)


def test_area_and_path():
    chain = lower_bounds(Problem.of([(0, 1), (1, 2)], 2)).values
    assert (chain["area"], chain["span"]) == (1.5, 3.0)
    wide = lower_bounds(Problem.of(Dag.from_edges([], n=8), 2)).values
    assert (wide["area"], wide["span"]) == (4.0, 1.0)


def test_area_of_processors_of_several_speeds():
    """Six units of work on speeds 1 and 2: two seconds, since both end then."""
    problem = Problem.of(Dag.from_edges([], n=6), Platform.heterogeneous([1, 2]))
    assert lower_bounds(problem).values["area"] == pytest.approx(2.0)


def test_messages_that_cannot_be_avoided():
    """A join of two tasks: one after the other, or side by side with a message; a third way there is not."""
    for size, expected in ((0.25, 2.25), (5.0, 3.0)):
        problem = Problem.of([(0, 2, size), (1, 2, size)], 2)
        found = lower_bounds(problem)
        assert found.values["span"] == 2.0
        assert found.values["message path"] == expected
        assert optimum(problem) == expected


def test_a_fork_is_a_join_backwards():
    problem = Problem.of([(0, 1, 5), (0, 2, 5)], 2)
    assert lower_bounds(problem).values["message path"] == optimum(problem) == 3.0


def test_a_superstep_costs_its_synchronisation():
    problem = Problem.of([(0, 2), (1, 2)], Platform.bsp(2, g=0.5, L=0.25), model="bsp")
    # In one superstep: 3 + 0.25. In two: 1 + 0.5 + 0.25 + 1 + 0.25.
    assert lower_bounds(problem).best == optimum(problem) == 3.0


def test_head_area_tail():
    """Two processors, a task before and one after six others: 1 + 3 + 1."""
    edges = [(0, v) for v in range(1, 7)] + [(v, 7) for v in range(1, 7)]
    found = lower_bounds(Problem.of(edges, 2, model="none")).values
    assert (found["area"], found["span"]) == (4.0, 3.0)
    assert found["head-area-tail"] == 5.0


def test_intervals():
    """Three successors of one task on two processors: in [1, 2] three units of work have to be done."""
    assert lower_bounds(Problem.of([(0, 1), (0, 2), (0, 3)], 2, model="none")).values["intervals"] == 2.5


@given(problems(max_n=9, models=("none",)))
def test_intervals_by_trying_all(problem):
    """The formula of Fernandez and Bussell, interval by interval."""
    graph, durations = problem.graph, problem.durations.min(axis=1)
    head, tail = np.zeros(problem.n), np.zeros(problem.n)
    for v in graph.order.tolist():
        for w in graph.indices[graph.indptr[v] : graph.indptr[v + 1]].tolist():
            head[w] = max(head[w], head[v] + durations[v])
    for v in graph.order[::-1].tolist():
        for w in graph.indices[graph.indptr[v] : graph.indptr[v + 1]].tolist():
            tail[v] = max(tail[v], tail[w] + durations[w])
    path = (head + durations + tail).max()
    latest = path - tail - durations
    points = sorted({*head, *(head + durations), *latest, *(latest + durations)})
    lack = 0.0
    for a, b in product(points, points):
        if a < b:
            early = np.minimum(head + durations, b) - np.maximum(head, a)
            late = np.minimum(latest + durations, b) - np.maximum(latest, a)
            inside = np.maximum(np.minimum(early, late), 0.0).sum()
            lack = max(lack, inside / problem.p - (b - a))
    assert lower_bounds(problem).values["intervals"] == pytest.approx(path + lack)


def test_linear_program():
    """Two independent tasks, each fast on one of two processors, and one that is slow on both."""
    costs = [[1.0, 9.0], [9.0, 1.0], [4.0, 4.0]]
    problem = Problem.of(Dag.from_edges([], n=3), 2, costs=costs)
    # The slow task is 4 on either, so the path says 4; shared out, the area says 3.
    found = lower_bounds(problem).values
    assert found["linear program"] == pytest.approx(4.0, rel=1e-5)
    chain = Problem.of([(0, 1)], 2, costs=[[1.0, 9.0], [9.0, 1.0]], model="none")
    assert lower_bounds(chain).values["linear program"] == pytest.approx(2.0, rel=1e-5)


def test_the_linear_program_sees_what_area_and_path_do_not():
    """A chain that would rather leave the fast processor to other work, but is too long on the slow one.

    With y tasks of the chain on the fast processor and z of the others on the slow one, the loads are
    10 + y - z and 15 - 1.5 y + 10 z, and the chain takes 15 - 0.5 y: all are equal at y = 10 z = 25 / 7.
    """
    chain = [(v, v + 1) for v in range(9)]
    costs = [[1.0, 1.5]] * 10 + [[1.0, 10.0]] * 10
    problem = Problem.of(Dag.from_edges(chain, n=20), 2, costs=costs, model="none")
    found = lower_bounds(problem)
    assert found.values["linear program"] == pytest.approx(15 - 12.5 / 7, rel=1e-5)
    assert found.name == "linear program"
    assert max(value for name, value in found.values.items() if name != found.name) <= 12.0


def test_what_is_left_out_is_said(monkeypatch):
    alike = lower_bounds(Problem.of([(0, 1)], 2, model="none"))
    assert set(alike.skipped) == {"message path", "linear program"}
    monkeypatch.setattr(bounds, "_LP_SIZE", 5)
    monkeypatch.setattr(bounds, "_MESSAGE_TASKS", 3)
    monkeypatch.setattr(bounds, "_INTERVAL_TASKS", 3)
    large = lower_bounds(Problem.of(Dag.from_edges([], n=4), Platform.heterogeneous([1, 2])))
    assert set(large.skipped) == {"message path", "intervals", "linear program"}
    assert "more than 5" in large.skipped["linear program"]
    assert "more than 3 tasks" in large.skipped["intervals"]


@given(problems(max_n=9))
def test_coarse_grids_are_lower_bounds_too(problem):
    fine = lower_bounds(problem).values
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "_GRID", 2)
        patch.setattr(bounds, "_INTERVAL_WORK", 1)
        patch.setattr(bounds, "_MOST_LOCAL", 1)
        coarse = lower_bounds(problem).values
    for name, value in coarse.items():
        assert value <= fine[name] * (1 + 1e-6) + 1e-12


def test_no_task_takes_time():
    problem = Problem.of(Dag.from_edges([(0, 1)], vertex_weights=[0, 0]), Platform.heterogeneous([1, 2]))
    found = lower_bounds(problem)
    assert found.best == 0.0
    assert found.gap(0.0) == 0.0
    assert found.gap(1.0) == np.inf
    assert lower_bounds(Problem.of(Dag.from_edges([], n=0), 2)).best == 0.0


def test_gap():
    found = Bounds({"area": 2.0, "span": 4.0}, {})
    assert found.gap(5.0) == 0.25
    # Rounding may put a makespan below its bound.
    assert found.gap(4.0 - 1e-12) == 0.0


@pytest.mark.large
def test_a_hundred_thousand_tasks():
    graph = generate.grid2d(320)
    found = lower_bounds(Problem.of(graph, 16, ccr=1.0))
    assert graph.n > 100_000
    assert set(found.values) >= {"area", "span", "message path", "head-area-tail", "intervals"}
    assert found.values["span"] == 639
