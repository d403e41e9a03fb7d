"""The figures of a schedule."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from _reference import planned, schedules
from hypothesis import given

from dagpart import Dag
from dagpart.schedule import Bounds, Messages, Platform, Problem, Schedule, report


def test_by_hand():
    """A fork whose two ends go to another processor: the producer's port sends one after the other."""
    graph = Dag.from_edges([(0, 1, 2), (0, 2, 3)], vertex_weights=[4, 1, 1])
    found = report(planned(Problem.of(graph, 3), [0, 1, 1], [0, 1, 2]))
    # 0 ends at 4, its messages at 6 and 9; 1 runs from 6, 2 from 9.
    assert (found.makespan, found.serial_time, found.speedup, found.efficiency) == (10, 6, 0.6, 0.6 / 3)
    assert (found.messages, found.volume, found.processors_used) == (2, 5.0, 2)
    assert (found.idle_time, found.idle_share) == (24.0, 0.8)
    # Both ends after their producer, or one of them behind a message.
    assert (found.lower_bound, found.bound, found.gap) == (6.0, "message path", 10 / 6 - 1)
    assert (found.model, found.charging, found.algorithm, found.supersteps) == (
        "duplex",
        "edge",
        "reference",
        None,
    )


def test_supersteps_and_what_is_charged():
    graph = Dag.from_edges([(0, 1, 2), (0, 2, 3)])
    problem = Problem.of(graph, Platform.bsp(2, L=1), model="bsp", charging="unique")
    found = report(planned(problem, [0, 1, 1], [0, 1, 2]))
    # One message of the heavier size: 1 + 3 + 1, then 2 and the last synchronisation.
    assert (found.makespan, found.messages, found.volume, found.supersteps) == (8.0, 1, 3.0, 2)


@given(schedules())
def test_what_always_holds(schedule):
    found = report(schedule)
    assert found.makespan >= found.lower_bound * (1 - 1e-9)
    busy = float((schedule.finish - schedule.start).sum())
    assert found.idle_time + busy == pytest.approx(schedule.problem.p * schedule.makespan)
    assert 0 <= found.idle_share <= 1
    assert found.lower_bound == max(found.bounds.values())
    said = json.loads(json.dumps(found.to_dict()))
    assert said["makespan"] == found.makespan
    assert str(found.messages) in str(found)


def test_bounds_that_are_known():
    made = planned(Problem.of([(0, 1)], 1), [0, 0], [0, 1])
    found = report(made, bounds=Bounds({"told": 1.0}, {}))
    assert (found.bound, found.gap) == ("told", 1.0)


def test_what_is_no_number_is_null():
    """A bound of 0 leaves no finite gap."""
    made = planned(Problem.of([(0, 1)], 1), [0, 0], [0, 1])
    found = report(made, bounds=Bounds({"told": 0.0}, {}))
    assert found.gap == np.inf
    assert found.to_dict()["gap"] is None


def test_nothing_to_do():
    empty = np.zeros(0)
    made = Schedule(
        Problem.of(Dag.from_edges([], n=0), 2), np.zeros(0, np.int32), empty, empty, Messages.none()
    )
    found = report(made)
    assert (found.makespan, found.speedup, found.gap, found.idle_share) == (0.0, 1.0, 0.0, 0.0)


def test_the_table():
    rows = dict(
        line.split("  ", 1)
        for line in str(report(planned(Problem.of([(0, 1)], 2), [0, 1], [0, 1]))).splitlines()
    )
    cells = {name.strip(): value.strip() for name, value in rows.items()}
    assert cells["makespan"] == "3"
    assert cells["gap to bound"] == "50.0 %"
    assert cells["processors"] == "2 (2 used)"
    assert cells["model"] == "duplex, charged by edge"


def test_what_the_algorithm_tells_besides():
    made = planned(Problem.of([(0, 1)], 2), [0, 1], [0, 1])
    found = report(replace(made, facts={"chosen": "etf", "clusters": None}))
    assert found.facts == {"chosen": "etf", "clusters": None}
    assert "chosen        etf" in str(found)
    assert "clusters" not in str(found)


@pytest.mark.parametrize("model", ["none", "delay"])
def test_models_in_words(model):
    made = planned(Problem.of([(0, 1)], 2, model=model), [0, 1], [0, 1])
    assert f"model         {model}" in str(report(made))
