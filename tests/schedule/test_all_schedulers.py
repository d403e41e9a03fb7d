"""Whatever makes a schedule makes one that can happen."""

from __future__ import annotations

import numpy as np
import pytest
from _plain import graphs
from _reference import CHARGING, MODELS
from hypothesis import given, settings
from hypothesis import strategies as st

from dagpart import Dag
from dagpart.schedule import LISTS, Platform, Problem, algorithms, lower_bounds, solve, validate

OTHERS = [name for name in algorithms() if name not in LISTS]


@st.composite
def platforms(draw, p):
    """Processors that are alike, or of several speeds with a link of its own for each pair."""
    if draw(st.booleans()):
        return Platform.homogeneous(p, bandwidth=2, latency=draw(st.sampled_from([0, 1])))
    number = st.integers(0, 4)
    square = st.lists(st.lists(number, min_size=p, max_size=p), min_size=p, max_size=p)
    speeds = draw(st.lists(st.sampled_from([0.5, 1, 3]), min_size=p, max_size=p))
    matrices = (np.array(draw(square), np.float64) for _ in range(2))
    return Platform(np.array(speeds, np.float64), *matrices, draw(number))


@pytest.mark.large
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("p", [1, 2, 7])
@settings(max_examples=120)
@given(plain=graphs(max_n=14), data=st.data())
def test_random_graphs(p, model, plain, data):
    """Every list scheduler, and one of the others."""
    charging = data.draw(st.sampled_from(CHARGING))
    problem = Problem.of(plain.dag(), data.draw(platforms(p)), model=model, charging=charging)
    for name in (*LISTS, data.draw(st.sampled_from(OTHERS))):
        validate(solve(problem, name))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("p", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_next_to_nothing(n, p, model):
    problem = Problem.of(Dag.from_edges([], n=n), p, model=model)
    for name in algorithms():
        assert validate(solve(problem, name)).makespan >= lower_bounds(problem).best * (1 - 1e-9)
