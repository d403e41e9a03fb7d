"""Communication models: one table, which everything else asks; and a model that is not in it yet."""

from __future__ import annotations

from typing import get_args, get_type_hints

import numpy as np
import pytest

from dagpart import generate
from dagpart._core.scheduling.in_order import in_order
from dagpart._core.scheduling.list_scheduling import RULES
from dagpart._core.scheduling.machine import LINKS
from dagpart.cli import main
from dagpart.errors import DagpartError, InvalidScheduleError
from dagpart.schedule import (
    LISTS,
    Platform,
    Problem,
    list_schedule,
    lower_bounds,
    replay,
    report,
    schedule,
    simulate,
    simulate_dynamic,
    validate,
)
from dagpart.schedule.lists import _Plan
from dagpart.schedule.models import COMMUNICATION, DEFAULT_MODEL, MODELS, Model, ModelName
from dagpart.schedule.traces import TRACES
from dagpart.schedule.validation import _CHECKS, _Check


def test_one_table():
    assert get_args(ModelName) == MODELS == tuple(COMMUNICATION)
    assert set(_CHECKS) == set(MODELS)
    assert {model.links for model in COMMUNICATION.values()} <= set(LINKS)
    assert DEFAULT_MODEL in MODELS


def test_flags():
    said = {
        name: (model.is_free, model.has_ports, model.has_supersteps, model.adds_up)
        for name, model in COMMUNICATION.items()
    }
    assert said == {
        "none": (True, False, False, False),
        "delay": (False, False, False, False),
        "duplex": (False, True, False, True),
        "bsp": (False, False, True, True),
    }


def test_kernels_number_the_rules_of_plans():
    assert set(get_args(get_type_hints(_Plan)["place"])) == set(RULES)
    assert len(set(RULES.values())) == len(RULES)
    assert len(set(LINKS.values())) == len(LINKS)


def test_help_says_what_models_count(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "10000")
    assert main(["schedule", "--help"]) == 0
    said = capsys.readouterr().out
    for model in COMMUNICATION.values():
        assert f"{model.summary} ({model.name}" in said
    assert f"{{{','.join(MODELS)}}}" in said


@pytest.mark.parametrize("links", LINKS)
def test_a_new_model_needs_a_record_and_a_check(links, monkeypatch):
    """Schedulers, simulator, bounds, report, traces and validator take it as they take the others."""
    toy = Model("toy", "a toy", links, in_order, has_ports=links == "ports")
    graph = generate.random_dag(60, seed=2)
    with pytest.raises(DagpartError, match="there is no model 'toy'; choose from none, delay"):
        Problem.of(graph, 3, model="toy")
    monkeypatch.setitem(COMMUNICATION, "toy", toy)
    checks = (_Check._no_messages,) if toy.is_free else (_Check._needed, _Check._message_times)
    monkeypatch.setitem(_CHECKS, "toy", (*checks, _Check._precedence))
    twin = next(name for name, model in COMMUNICATION.items() if model.links == links)
    platform = Platform.bsp(3, L=5)
    problem, like = Problem.of(graph, platform, model="toy"), Problem.of(graph, platform, model=twin)
    for name in LISTS:
        found, expected = list_schedule(problem, name), list_schedule(like, name)
        np.testing.assert_array_equal(validate(found).start, expected.start)
        assert replay(found).makespan <= found.makespan
    assert schedule(graph, 3, model="toy", algorithm="auto").makespan > 0
    validate(simulate_dynamic(problem, "work-stealing"))
    assert lower_bounds(problem).values == lower_bounds(like).values
    assert report(found).model == "toy"
    assert all(trace.dump(found) for trace in TRACES if trace.name != "onestop")


def test_a_check_is_a_models_own():
    """What one model allows another one does not."""
    problems = {name: Problem.of([(0, 1), (0, 2)], 3, model=name) for name in MODELS}
    free = simulate(problems["none"], [0, 1, 2], [0, 1, 2])
    assert validate(free) is free
    for name in MODELS[1:]:
        made = simulate(problems[name], [0, 1, 2], [0, 1, 2])
        with pytest.raises(InvalidScheduleError, match="never sent"):
            validate(type(made)(**(vars(free) | {"problem": problems[name]})))
