"""Local search never makes a schedule longer, and its critical chain explains the makespan."""

from __future__ import annotations

import time

import numpy as np
import pytest
from _scheduling import problems
from hypothesis import given, settings
from hypothesis import strategies as st

from dagpart import generate
from dagpart.schedule import LISTS, Problem, list_schedule, validate
from dagpart.schedule.improvement import critical_chain, improve


@settings(max_examples=50)
@given(problems(max_n=10), st.integers(0, 5))
def test_never_longer_and_always_valid(problem, seed):
    start = list_schedule(problem, "round-robin")
    grains = [np.zeros(problem.n, np.int32), np.arange(problem.n, dtype=np.int32)]
    found = validate(improve(start, grains, 20, seed=seed))
    assert found.makespan <= start.makespan
    again = improve(start, grains, 20, seed=seed)
    assert again.processor.tolist() == found.processor.tolist()
    assert again.start.tolist() == found.start.tolist()


@given(problems(models=("none", "delay", "duplex")), st.sampled_from(sorted(LISTS)))
def test_each_link_of_the_chain_waits_for_the_one_before(problem, algorithm):
    found = list_schedule(problem, algorithm)
    tasks, chain = critical_chain(found)
    messages = found.messages
    assert found.finish[tasks[0]] == found.makespan
    assert len(set(tasks.tolist())) == tasks.size
    assert len(set(chain.tolist())) == chain.size
    # All that a task can wait for is a task or a message that ends when it starts.
    ends = {*found.finish.tolist(), *messages.finish.tolist(), 0.0}
    for v in tasks[:-1].tolist():
        assert found.start[v] in ends
    ids = np.concatenate((found.finish[tasks], messages.finish[chain]))
    assert ids.max() == found.makespan


def test_a_chain_through_a_busy_port():
    # Two messages leave processor 0 one after the other: the second task waits for the first message.
    problem = Problem.of([(0, 1), (0, 2)], 3, ccr=3)
    found = list_schedule(problem, "bl-est", processor=[0, 1, 2])
    tasks, chain = critical_chain(found)
    assert tasks[-1] == 0
    assert sorted(chain.tolist()) == [0, 1]


def test_what_is_apart_comes_together():
    problem = Problem.of(generate.cholesky(6), 4, ccr=50)
    start = list_schedule(problem, "round-robin")
    found = improve(start, [np.arange(problem.n, dtype=np.int32)], 300)
    assert found.makespan < 0.8 * start.makespan


def test_no_trial_after_the_deadline():
    problem = Problem.of(generate.cholesky(6), 4, ccr=50)
    start = list_schedule(problem, "round-robin")
    assert improve(start, [np.arange(problem.n)], 10**9, deadline=time.monotonic()) is start


@pytest.mark.parametrize("p", [1, 4])
def test_nothing_to_move(p):
    start = list_schedule(Problem.of(generate.cholesky(1), p), "bl-est")
    found = improve(start, [np.zeros(1, np.int32)], 5)
    assert found.makespan == start.makespan
