"""The validator takes what can happen, and names what cannot."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from _reference import CHARGING, MODELS, planned, schedules
from hypothesis import assume, given
from hypothesis import strategies as st

from dagpart import Dag, DagpartError, InvalidScheduleError
from dagpart.schedule import Messages, Platform, Problem, Schedule, validate, violations

# A fork: a feeds b and c, on processor 1; both edges carry 2 units, one unit a unit of time.
FORK = Dag.from_edges([("a", "b", 2), ("a", "c", 2)])


def fork(model="duplex", charging="edge", **changes):
    platform = Platform.bsp(2, L=5) if model == "bsp" else 2
    made = planned(Problem.of(FORK, platform, model=model, charging=charging), [0, 1, 1], [0, 1, 2])
    return replace(made, **changes)


def with_messages(schedule, **columns):
    made = {
        name: np.array(values, getattr(schedule.messages, name).dtype) for name, values in columns.items()
    }
    return replace(schedule, messages=replace(schedule.messages, **made))


def only(messages, keep):
    columns = {field.name: getattr(messages, field.name) for field in fields(Messages)}
    return Messages(**{name: None if column is None else column[keep] for name, column in columns.items()})


@given(schedules())
def test_what_the_reference_makes_can_happen(schedule):
    assert violations(schedule) == []
    assert validate(schedule) is schedule


@pytest.mark.parametrize("charging", CHARGING)
@pytest.mark.parametrize("model", MODELS)
def test_the_reference_by_hand(model, charging):
    """The fork's times under each model, worked out on paper."""
    made = fork(model, charging)
    sent = {"edge": 2, "unique": 1}[charging]
    expected = {
        "none": ([0, 1, 2], []),
        "delay": ([0, 3, 4], [(1, 3)] * sent),
        "duplex": ([0, 3, 5] if sent == 2 else [0, 3, 4], [(1, 3), (3, 5)][:sent]),
        "bsp": ([0, 1 + 2 * sent + 5, 2 + 2 * sent + 5], [(1, 1 + 2 * sent)] * sent),
    }
    start, times = expected[model]
    assert made.start.tolist() == start
    assert list(zip(made.messages.start.tolist(), made.messages.finish.tolist(), strict=True)) == times


@given(schedules(max_n=8), st.data())
def test_a_task_that_starts_before_its_input_is_found(schedule, data):
    """Independent of the order of the checks: only tasks with inputs are moved, to before these end."""
    graph = schedule.problem.graph
    fed = [v for v in range(graph.n) if graph.pred_indptr[v + 1] > graph.pred_indptr[v]]
    assume(fed)
    v = data.draw(st.sampled_from(fed))
    before = graph.pred_indices[graph.pred_indptr[v] : graph.pred_indptr[v + 1]]
    earliest = float(schedule.finish[before].max())
    assume(earliest > 0)
    start, finish = schedule.start.copy(), schedule.finish.copy()
    finish[v] -= start[v] - earliest / 2
    start[v] = earliest / 2
    found = violations(replace(schedule, start=start, finish=finish))
    assert any(f"{graph.name(v)} on processor" in words and "before its input" in words for words in found)


@given(schedules(models=("delay", "duplex", "bsp")), st.data())
def test_a_message_that_is_left_out_or_sent_twice_is_found(schedule, data):
    count = len(schedule.messages)
    assume(count)
    i = data.draw(st.integers(0, count - 1))
    keep = [k for k in range(count) if k != i]
    fewer = replace(schedule, messages=only(schedule.messages, np.array(keep, int)))
    assert any("never sent" in words for words in violations(fewer))
    more = replace(schedule, messages=only(schedule.messages, np.array([*range(count), i])))
    assert any("sent twice" in words for words in violations(more))


@given(schedules(models=("delay", "duplex", "bsp")), st.data())
def test_a_message_that_takes_another_time_is_found(schedule, data):
    count = len(schedule.messages)
    assume(count)
    i = data.draw(st.integers(0, count - 1))
    finish = schedule.messages.finish.copy()
    finish[i] += 1
    assert violations(replace(schedule, messages=replace(schedule.messages, finish=finish)))


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        (fork(processor=np.array([0, 1, 2], np.int32)), "c runs on processor 2, but there are 2"),
        (fork(processor=np.array([0, 1], np.int32)), "processor has the shape (2,)"),
        (fork(start=np.array([0, 3, np.nan])), "c runs from nan to 6"),
        (fork(start=np.array([-1.0, 3, 5]), finish=np.array([0.0, 4, 6])), "a runs from -1 to 0"),
        (fork(finish=np.array([1.0, 4, 7])), "c takes 2 on processor 1, but it needs 1"),
        (
            fork("none", start=np.array([0, 1, 1.5]), finish=np.array([1, 2, 2.5])),
            "processor 1 runs b until 2, but starts c at 1.5",
        ),
        (
            fork(start=np.array([0.0, 2, 5]), finish=np.array([1.0, 3, 6])),
            "b on processor 1 starts at 2, before its input from a is there at 3",
        ),
        (
            with_messages(fork(), start=[0.5, 3], finish=[2.5, 5]),
            "a -> b starts at 0.5, before its producer ends at 1",
        ),
        (with_messages(fork(), finish=[3, 6]), "a -> c takes 3, but it needs 2"),
        (
            with_messages(fork(), start=[1, 2], finish=[3, 4]),
            "the send port of processor 0 is busy with the message a -> b until 3, but starts the message",
        ),
        (
            with_messages(fork(), start=[1, 2], finish=[3, 4]),
            "the receive port of processor 1 is busy with the message a -> b until 3",
        ),
        (with_messages(fork(), producer=[0, 1]), "the message b -> c goes from processor 0 to processor 1"),
        (
            with_messages(fork(), producer=[0, 1], source=[0, 1]),
            "the message b -> c follows no edge of the graph",
        ),
        (with_messages(fork(), producer=[0, 7]), "message 1 goes from task 7 to task 2"),
        (with_messages(fork(), consumer=[1]), "the arrays of the messages differ in shape"),
        (with_messages(fork(), start=[1, np.inf]), "no finite number"),
        (fork("none", messages=fork().messages), 'there are 2 messages, but the model "none" sends none'),
        (fork("duplex", "unique", messages=fork().messages), "a -> c to processor 1 is sent twice"),
        (fork("bsp", superstep=None), "needs a superstep"),
        (
            fork("bsp", superstep=np.array([0, 0, 1], np.int32)),
            "b in superstep 0 needs data from another processor",
        ),
        (
            fork("bsp", superstep=np.array([0, 2, 1], np.int32)),
            "c in superstep 1 follows b in superstep 2 on processor 1",
        ),
        (
            fork("bsp", superstep=np.array([0, 2, 2], np.int32)),
            "b runs from 10 to 11, outside the computation of superstep 2, from 15 to 17",
        ),
        (
            with_messages(fork("bsp"), start=[1, 1], finish=[5, 6]),
            "a -> c goes from 1 to 6, but the communication of superstep 0 lasts from 1 to 5",
        ),
    ],
)
def test_the_culprit_is_named(schedule, words):
    with pytest.raises(InvalidScheduleError) as caught:
        validate(schedule)
    assert words in "\n".join(caught.value.violations)


def test_a_message_inside_a_processor_is_needless():
    chain = Problem.of([("a", "b")], 2)
    made = planned(chain, [0, 0], [0, 1])
    ids = np.zeros(1, np.int32)
    extra = Messages(ids, ids + 1, ids, ids, np.array([1.0]), np.array([1.0]))
    assert violations(replace(made, messages=extra)) == [
        "the message a -> b is needless: both tasks run on processor 0"
    ]


def test_a_slow_processor_takes_longer():
    problem = Problem.of([(0, 1)], Platform.heterogeneous([1, 0.5]), task_overhead=1)
    start = np.array([0.0, 2.0])
    made = Schedule(problem, np.zeros(2, np.int32), start, start + 2, Messages.none())
    assert violations(made) == []
    assert "0 takes 2 on processor 1, but it needs 3" in violations(
        replace(made, processor=np.ones(2, np.int32))
    )


def test_durations_that_turned_out_otherwise():
    problem = Problem.of([(0, 1)], 1)
    made = Schedule(problem, np.zeros(2, np.int32), np.array([0, 1.5]), np.array([1.5, 2.0]), Messages.none())
    assert len(violations(made)) == 2
    assert violations(made, durations=[1.5, 0.5]) == []
    with pytest.raises(DagpartError, match=r"one number for each of 2 tasks"):
        validate(made, durations=[1.0])


def test_many_faults_are_counted():
    problem = Problem.of(Dag.from_edges([], n=9), 1)
    zeros = np.zeros(9)
    made = Schedule(problem, np.zeros(9, np.int32), zeros, zeros + 1, Messages.none())
    found = violations(made)
    assert len(found) == 4
    assert found[-1] == "... and 5 more like this"


def test_nothing_to_do():
    problem = Problem.of(Dag.from_edges([], n=0), 3, model="bsp")
    empty = np.zeros(0)
    made = Schedule(problem, np.zeros(0, np.int32), empty, empty, Messages.none(), np.zeros(0, np.int32))
    assert violations(made) == []


def test_the_error_shows_the_first_violations():
    assert str(InvalidScheduleError(["a", "b"])) == "the schedule cannot happen: a; b"
    assert str(InvalidScheduleError(map(str, range(14)))).endswith("; 11; and 2 more")
