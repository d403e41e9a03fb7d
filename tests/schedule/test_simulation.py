"""The simulator against plain Python."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from _scheduling import Plain, assert_valid, in_port_order, problems
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dagpart import Dag, DagpartError, WeightError
from dagpart.schedule import (
    LISTS,
    POLICIES,
    VARIANTS,
    Platform,
    Problem,
    _kernels,
    list_schedule,
    lower_bounds,
    replay,
    robustness,
    simulate,
    simulate_dynamic,
)
from dagpart.schedule.blocks import BlockGraph
from dagpart.schedule.platform import BARRIERS


@st.composite
def plans(draw, **options):
    """A problem, processors, and a topological order."""
    problem = draw(problems(**options))
    place = st.integers(0, problem.p - 1)
    processor = draw(st.lists(place, min_size=problem.n, max_size=problem.n))
    plain = Plain(problem)
    order: list[int] = []
    while len(order) < problem.n:
        ready = [v for v in range(problem.n) if v not in order and set(plain.preds(v)) <= set(order)]
        order.append(draw(st.sampled_from(ready)))
    return problem, processor, order


# Two tasks that take no time and need the same data of no size.
TIED = Problem.of(
    Dag.from_edges([(0, 1, 0), (0, 2, 0)], vertex_weights=[0] * 3), 2, model="delay", charging="unique"
)


@settings(max_examples=300)
@given(plans())
@example((TIED, [1, 0, 0], [0, 2, 1]))
def test_times_of_a_plan(case):
    problem, processor, order = case
    schedule = simulate(problem, processor, order)
    plain = Plain(problem)
    if problem.model == "bsp":
        superstep, end = plain.in_supersteps(processor, order)
        assert schedule.superstep.tolist() == superstep
        assert schedule.makespan == pytest.approx(end)
    else:
        for v in order:
            plain.place([v], processor[v])
        # One for all on its processor has the name of the first to start there, as `assert_valid` sees to.
        # Where several start at one time, that may be any of them.
        unique = problem.charging == "unique"
        rows = {(u, None if unique else v, q): (a, b) for u, v, a, b, q in plain.messages}
        m = schedule.messages
        consumer = [None] * len(m) if unique else m.consumer.tolist()
        ours = zip(m.producer.tolist(), consumer, m.destination.tolist(), strict=True)
        assert dict(zip(ours, zip(m.start.tolist(), m.finish.tolist(), strict=True), strict=True)) == rows
    assert schedule.start.tolist() == pytest.approx([plain.start[v] for v in range(problem.n)])
    assert schedule.finish.tolist() == pytest.approx([plain.finish[v] for v in range(problem.n)])
    assert_valid(schedule)


@st.composite
def supersteps(draw):
    """A plan under "bsp", a superstep for each task, later than need be, and one for each edge's data."""
    problem, processor, order = draw(plans(models=("bsp",)))
    problem = replace(problem, platform=replace(problem.platform, barriers=draw(st.sampled_from(BARRIERS))))
    plain = Plain(problem)
    step: dict[int, int] = {}
    for v in order:
        first = max([step[u] + (processor[u] != processor[v]) for u in plain.preds(v)], default=0)
        step[v] = first + draw(st.integers(0, 2))
    sent = None
    if draw(st.booleans()):
        tails, heads = problem.graph.edge_sources().tolist(), problem.graph.indices.tolist()
        sent = [
            draw(st.integers(step[u], step[v] - 1)) if processor[u] != processor[v] else 0
            for u, v in zip(tails, heads, strict=True)
        ]
    return problem, processor, order, [step[v] for v in range(problem.n)], sent


def bsp_cost(problem, processor, step, sent):
    """By the definition: work, the h-relation of each phase, and L, superstep by superstep."""
    platform = problem.platform
    transfers = {}
    tails, heads = problem.graph.edge_sources().tolist(), problem.graph.indices.tolist()
    for e, (u, v) in enumerate(zip(tails, heads, strict=True)):
        if processor[u] != processor[v]:
            phase = step[u] if sent is None else sent[e]
            key = (u, processor[v]) if problem.charging == "unique" else (u, v)
            size = problem.message_sizes[e]
            cost = (
                platform.latency[processor[u], processor[v]] + size * platform.gap[processor[u], processor[v]]
            )
            before = transfers.get(key, (phase, 0, 0, 0))
            transfers[key] = min(phase, before[0]), processor[u], processor[v], cost
    total = 0.0
    durations = np.broadcast_to(problem.durations, (problem.n, problem.p))
    for s in range(max(step, default=-1) + 1):
        work, out, into = np.zeros((3, problem.p))
        for v in range(problem.n):
            if step[v] == s:
                work[processor[v]] += durations[v, processor[v]]
        now = [t for t in transfers.values() if t[0] == s]
        for _, q, r, cost in now:
            out[q] += cost
            into[r] += cost
        total += work.max() + max(out.max(), into.max())
        total += platform.synchronisation if now or platform.barriers == "all" else 0.0
    return total


@settings(max_examples=300)
@given(supersteps())
def test_given_supersteps_cost_what_they_cost(case):
    problem, processor, order, step, sent = case
    made = simulate(problem, processor, order, superstep=step, message_superstep=sent)
    assert made.superstep.tolist() == step
    assert made.makespan == pytest.approx(bsp_cost(problem, processor, step, sent))
    assert_valid(made)
    again = replay(made)
    assert again.makespan == made.makespan
    assert again.superstep.tolist() == step
    assert again.messages.finish.tolist() == made.messages.finish.tolist()
    # The supersteps that the simulator chooses itself are no worse than any.
    assert simulate(problem, processor, order).superstep.max(initial=0) <= max(step, default=0)


@given(plans(models=("bsp",)))
def test_supersteps_that_send_nothing_may_be_free(case):
    problem, processor, order = case
    charged = simulate(problem, processor, order)
    free = replace(problem, platform=replace(problem.platform, barriers="sending"))
    made = simulate(free, processor, order)
    assert made.superstep.tolist() == charged.superstep.tolist()
    sending = len(set(made.superstep[made.messages.producer].tolist()))
    steps = int(made.superstep.max(initial=-1)) + 1
    assert charged.makespan - made.makespan == pytest.approx(
        (steps - sending) * problem.platform.synchronisation
    )
    assert made.makespan >= lower_bounds(free).best - 1e-9
    assert_valid(made)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"superstep": [0, 0]}, "the edge from a in superstep 0 to b in superstep 0 comes too early"),
        ({"superstep": [1, 0]}, "the edge from a in superstep 1 to b in superstep 0 comes too early"),
        ({"superstep": [0]}, "1 supersteps for 2 tasks"),
        ({"superstep": [-1, 1]}, "superstep -1 of task 0 is none of 0 to"),
        ({"superstep": [0, 2**31 - 1]}, "superstep 2147483647 of task 1 is none of 0 to"),
        ({"superstep": [0.5, 1]}, "supersteps"),
        ({"superstep": [0, 1], "message_superstep": [1]}, "cannot be sent at the end of superstep 1"),
        ({"superstep": [0, 1], "message_superstep": [-1]}, "cannot be sent at the end of superstep -1"),
        ({"superstep": [0, 1], "message_superstep": []}, "0 supersteps of messages for 1 edges"),
        ({"message_superstep": [0]}, "message_superstep without superstep"),
    ],
)
def test_bad_supersteps(options, words):
    problem = Problem.of([("a", "b")], 2, model="bsp")
    with pytest.raises(DagpartError, match=words):
        simulate(problem, [0, 1], [0, 1], **options)
    with pytest.raises(DagpartError, match='only "bsp" has them'):
        simulate(Problem.of([("a", "b")], 2), [0, 1], [0, 1], superstep=[0, 1])


@given(problems(max_n=8), st.data())
def test_any_order_keeps_the_order_of_each_processor(problem, data):
    processor = data.draw(st.lists(st.integers(0, problem.p - 1), min_size=problem.n, max_size=problem.n))
    order = data.draw(st.permutations(range(problem.n)))
    plain = Plain(problem)
    done: list[int] = []
    moved = True
    while moved:
        moved = False
        for i, v in enumerate(order):
            behind = all(w in done for w in order[:i] if processor[w] == processor[v])
            if v not in done and behind and set(plain.preds(v)) <= set(done):
                done.append(v)
                moved = True
                break
    if len(done) < problem.n:
        with pytest.raises(DagpartError, match=r"wait for each other: \d+ -> "):
            simulate(problem, processor, order)
        return
    schedule = simulate(problem, processor, order)
    assert_valid(schedule)
    same = simulate(problem, processor, done)
    assert (schedule.start == same.start).all()
    ours = schedule.order.tolist()
    for q in range(problem.p):
        kept = [v for v in order if processor[v] == q]
        # Tasks that take no time may share an instant with others.
        starts = schedule.start[kept]
        assert (np.diff(starts) >= 0).all()
        assert sorted(v for v in ours if processor[v] == q) == sorted(kept)


@settings(max_examples=300)
@given(plans(max_n=7, models=("duplex",)), st.data())
def test_ports_serve_in_a_given_order(case, data):
    problem, processor, order = case
    plain = Plain(problem)
    needed = [(u, v) for u, v in sorted(plain.sizes) if processor[u] != processor[v]]
    if problem.charging == "unique":
        needed = [
            (u, v)
            for u, v in needed
            if v == min(w for x, w in needed if x == u and processor[w] == processor[v])
        ]
    pairs = data.draw(st.permutations(needed))
    took = data.draw(
        st.none() | st.lists(st.sampled_from([0.0, 0.5, 3.0]), min_size=problem.n, max_size=problem.n)
    )
    expected = in_port_order(problem, processor, order, pairs, took)
    if expected is None:
        with pytest.raises(DagpartError, match="these wait for each other: "):
            simulate(problem, processor, order, message_order=pairs, durations=took)
        return
    finish, spans = expected
    schedule = simulate(problem, processor, order, message_order=pairs, durations=took)
    assert schedule.finish.tolist() == finish
    assert (
        list(zip(schedule.messages.start.tolist(), schedule.messages.finish.tolist(), strict=True)) == spans
    )


@settings(max_examples=300)
@given(problems(), st.sampled_from(sorted(LISTS)), st.sampled_from([None, *VARIANTS]), st.data())
def test_a_list_schedule_replayed_is_the_same(problem, algorithm, variant, data):
    clusters = None
    if variant is not None:
        clusters = data.draw(st.lists(st.integers(0, problem.n - 1), min_size=problem.n, max_size=problem.n))
        clusters = np.sort(clusters)[_kernels.places(problem)]
    schedule = list_schedule(problem, algorithm, clusters=clusters, variant=variant)
    again = replay(schedule)
    assert_valid(again)
    assert (again.start <= schedule.start).all()
    # Without blocks, tasks need not wait for what others of their block need. Tasks that take no time may
    # change places with others at the same instant.
    if variant != "macro" and (schedule.finish > schedule.start).all():
        assert again.start.tolist() == schedule.start.tolist()
        assert again.finish.tolist() == schedule.finish.tolist()


@settings(max_examples=200)
@given(problems(models=("none", "delay", "duplex")), st.sampled_from(["bl-est", "round-robin", "serial"]))
def test_tasks_placed_in_the_same_order_get_the_same_times(problem, algorithm):
    schedule = list_schedule(problem, algorithm)
    blocks = BlockGraph.of_tasks(problem)
    rank = _kernels.ranks(blocks.bottom_levels(), _kernels.inverse(blocks.order))
    again = simulate(problem, schedule.processor, _kernels.inverse(rank))
    assert again.start.tolist() == schedule.start.tolist()
    assert again.messages.start.tolist() == schedule.messages.start.tolist()


@given(plans(), st.data())
def test_longer_tasks_never_end_a_plan_earlier(case, data):
    problem, processor, order = case
    schedule = replay(simulate(problem, processor, order))
    took = schedule.finish - schedule.start
    more = data.draw(st.lists(st.integers(0, 3), min_size=problem.n, max_size=problem.n))
    longer = replay(schedule, took + more)
    assert_valid(longer, durations=(took + more).tolist())
    assert (longer.start >= schedule.start).all()


@given(
    problems(models=("none", "delay", "duplex")),
    st.sampled_from(POLICIES),
    st.sampled_from([0.0, 0.3]),
    st.integers(0, 3),
)
def test_dynamic_runs_are_valid(problem, policy, noise, seed):
    schedule = simulate_dynamic(problem, policy, noise=noise, seed=seed)
    took = schedule.finish - schedule.start
    assert_valid(schedule, durations=took.tolist())
    if noise == 0:
        assert_valid(schedule)
    same = simulate_dynamic(problem, policy, noise=noise, seed=seed)
    assert (same.start == schedule.start).all()
    assert (same.processor == schedule.processor).all()


@given(problems(max_n=15, models=("none",), heterogeneous=False), st.sampled_from(POLICIES))
def test_dynamic_runs_leave_no_processor_idle_without_need(problem, policy):
    # Graham, SIAM Journal on Applied Mathematics 17(2), 1969: then (W - C) / p + C bounds the makespan.
    longest: dict[int, float] = {}
    plain = Plain(problem)
    for v in problem.graph.order.tolist():
        longest[v] = plain.duration(v, 0) + max((longest[u] for u in plain.preds(v)), default=0.0)
    critical = max(longest.values())
    total = sum(plain.duration(v, 0) for v in range(problem.n))
    makespan = simulate_dynamic(problem, policy).makespan
    assert makespan <= (total - critical) / problem.p + critical + 1e-9


def test_idle_processors_steal_the_oldest_task():
    # The star's leaves all become ready on processor 0, which takes the newest.
    problem = Problem.of([(0, v) for v in range(1, 5)], 2, model="none")
    schedule = simulate_dynamic(problem, "work-stealing")
    assert schedule.start.tolist() == [0, 1, 2, 2, 1]
    assert schedule.processor.tolist()[1] == 1
    assert schedule.processor.tolist()[4] == 0


def test_noise_has_mean_one_and_the_deviation_asked_for():
    schedule = simulate(Problem.of(([0, 0], []), 1), [0], [0])
    makespans = robustness(schedule, 0.5, 20_000, seed=1)
    assert makespans.mean() == pytest.approx(1, abs=0.02)
    assert makespans.std() == pytest.approx(0.5, abs=0.03)
    assert (makespans == robustness(schedule, 0.5, 20_000, seed=1)).all()
    assert (makespans[:9] != robustness(schedule, 0.5, 9, seed=2)).all()


def test_nothing_to_do():
    empty = Problem.of(([0], []), 3)
    assert simulate(empty, [], []).makespan == 0
    assert replay(simulate(empty, [], [])).makespan == 0
    assert simulate_dynamic(empty).makespan == 0
    assert robustness(simulate(empty, [], []), 0.1, 2).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (([0, 1], [0, 1, 2]), {}, "2 processors for 3 tasks"),
        (([0, 1, 2], [0, 1, 2]), {}, "processor 2 of task 2 is none of 0 to 1"),
        (([0, 1, -1], [0, 1, 2]), {}, "processor -1 of task 2"),
        (([0, 1, 0], [0, 1]), {}, "2 tasks in order for 3 tasks"),
        (([0, 1, 0], [0, 1, 1]), {}, "task 1 2 times"),
        (([0, 1, 0], [0, 1, 3]), {}, "3 is out of range"),
        (([0, 0, 0], [1, 0, 2]), {}, "0 -> 1 -> 0"),
        (([0, 1, 0], [0, 1, 2]), {"durations": [1, 2]}, r"shape \(2,\) for 3 tasks"),
        (([0, 1, 0], [0, 1, 2]), {"message_order": [(0, 1)]}, "no message from task 1 to task 2"),
        (
            ([0, 1, 0], [0, 1, 2]),
            {"message_order": [(0, 1), (1, 2), (0, 2)]},
            "message from task 0 to task 2",
        ),
        (([0, 1, 0], [0, 1, 2]), {"message_order": [(0, 1), (1, 2), (0, 1)]}, "or has it twice"),
        (([0, 1, 0], [0, 1, 2]), {"message_order": [(0, 1, 2)]}, r"rows are \(producer, consumer\)"),
        (([0, 1, 0], [0, 1, 2]), {"message_order": [(0, 3)]}, "3 is out of range"),
    ],
)
def test_bad_plans(arguments, options, words):
    problem = Problem.of([(0, 1), (1, 2)], 2)
    with pytest.raises(DagpartError, match=words):
        simulate(problem, *arguments, **options)


def test_cycle_through_ports_is_named():
    # Processor 0 sends to 1 what comes last first, and 1 needs the other one before.
    problem = Problem.of([(0, 2), (1, 3), (2, 1)], 2)
    with pytest.raises(DagpartError, match="message from 1 to 3"):
        simulate(problem, [0, 0, 1, 1], [0, 1, 2, 3], message_order=[(1, 3), (0, 2), (2, 1)])


@pytest.mark.parametrize("value", [-1, np.nan, np.inf])
def test_bad_numbers(value):
    problem = Problem.of([(0, 1)], 2)
    with pytest.raises(WeightError, match="task 1 takes"):
        simulate(problem, [0, 1], [0, 1], durations=[1, value])
    with pytest.raises(DagpartError, match="noise must be"):
        simulate_dynamic(problem, noise=value)


def test_what_models_do_not_have():
    with pytest.raises(DagpartError, match='"duplex" has ports'):
        simulate(Problem.of([(0, 1)], 2, model="delay"), [0, 1], [0, 1], message_order=[(0, 1)])
    with pytest.raises(DagpartError, match="no supersteps"):
        simulate_dynamic(Problem.of([(0, 1)], 2, model="bsp"))
    with pytest.raises(DagpartError, match="no policy 'lazy'"):
        simulate_dynamic(Problem.of([(0, 1)], 2), "lazy")


def test_heterogeneous_links():
    platform = Platform([1.0, 2.0], [[0, 2], [3, 0]], [[0, 1], [5, 0]])
    schedule = simulate(Problem.of([(0, 1), (1, 2)], platform), [0, 1, 0], [0, 1, 2])
    assert schedule.start.tolist() == [0, 4, 12.5]
