"""List schedulers against plain Python, and against published examples."""

from __future__ import annotations

import bisect
import itertools

import networkx as nx
import numpy as np
import pytest
from _scheduling import Plain, assert_valid, problems
from hypothesis import given, settings
from hypothesis import strategies as st

from dagpart import Dag, DagpartError
from dagpart.schedule import LISTS, VARIANTS, Platform, Problem, _kernels, list_schedule
from dagpart.schedule.blocks import BlockGraph

# Topcuoglu, Hariri and Wu, IEEE TPDS 13(3), 2002: figure 2, tasks counted from 0.
EDGES = {
    (0, 1): 18, (0, 2): 12, (0, 3): 9, (0, 4): 11, (0, 5): 14, (1, 7): 19, (1, 8): 16, (2, 6): 23,
    (3, 7): 27, (3, 8): 23, (4, 8): 13, (5, 7): 15, (6, 9): 17, (7, 9): 11, (8, 9): 13,
}  # fmt: skip
COSTS = [
    [14, 16, 9], [13, 19, 18], [11, 13, 19], [13, 8, 17], [12, 13, 10],
    [13, 16, 9], [7, 15, 11], [5, 11, 14], [18, 12, 20], [21, 7, 16],
]  # fmt: skip


@pytest.fixture
def example() -> Problem:
    edges = [(u, v, size) for (u, v), size in EDGES.items()]
    return Problem.of(edges, 3, model="delay", costs=COSTS)


@pytest.mark.parametrize(("algorithm", "makespan"), [("heft", 80), ("cpop", 86)])
def test_published_example(example, algorithm, makespan):
    schedule = list_schedule(example, algorithm)
    assert_valid(schedule)
    assert schedule.makespan == makespan


def test_published_ranks(example):
    blocks = BlockGraph.of_tasks(example)
    # Table 2 of the paper.
    published = [108, 77, 80, 80, 69, 63.333, 42.667, 35.667, 44.333, 14.667]
    assert blocks.bottom_levels() == pytest.approx(published, abs=1e-3)
    assert blocks.top_levels() == pytest.approx(
        [0, 31, 25, 22, 24, 27, 62.333, 66.667, 63.667, 93.333], abs=1e-3
    )


@pytest.mark.parametrize("algorithm", LISTS)
@pytest.mark.parametrize("variant", [None, *VARIANTS])
def test_no_task_and_one_task(algorithm, variant):
    for n in (0, 1):
        for model in ("none", "delay", "duplex", "bsp"):
            problem = Problem.of(([0] * (n + 1), []), 3, model=model)
            clusters = None if variant is None else [0] * n
            schedule = list_schedule(problem, algorithm, variant=variant, clusters=clusters)
            assert schedule.makespan == n
            assert_valid(schedule)


def ways(problem: Problem) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(problem.n))
    for u in range(problem.n):
        for e in range(problem.graph.indptr[u], problem.graph.indptr[u + 1]):
            graph.add_edge(u, int(problem.graph.indices[e]), delay=float(problem.mean_delays[e]))
    return graph


@given(problems(max_n=10, models=("delay", "duplex")))
def test_levels_and_optimistic_costs(problem):
    graph = ways(problem)
    blocks = BlockGraph.of_tasks(problem)
    mean = problem.durations.mean(axis=1)
    below: dict[int, float] = {}
    bare: dict[int, float] = {}
    above: dict[int, float] = {}
    table: dict[int, list[float]] = {}
    durations = np.broadcast_to(problem.durations, (problem.n, problem.p))
    for v in reversed(list(nx.topological_sort(graph))):
        out = graph.out_edges(v, data="delay")
        below[v] = mean[v] + max((delay + below[w] for _, w, delay in out), default=0.0)
        bare[v] = mean[v] + max((bare[w] for _, w, _ in out), default=0.0)
        table[v] = [
            max(
                (
                    min(table[w][r] + durations[w, r] + (delay if r != q else 0) for r in range(problem.p))
                    for _, w, delay in out
                ),
                default=0.0,
            )
            for q in range(problem.p)
        ]
    for v in nx.topological_sort(graph):
        above[v] = max((above[u] + mean[u] + d for u, _, d in graph.in_edges(v, data="delay")), default=0.0)
    assert blocks.bottom_levels() == pytest.approx([below[v] for v in range(problem.n)])
    assert blocks.bottom_levels(communication=False) == pytest.approx([bare[v] for v in range(problem.n)])
    assert blocks.top_levels() == pytest.approx([above[v] for v in range(problem.n)])
    costs = np.broadcast_to(blocks.optimistic_costs(), (problem.n, problem.p))
    assert costs == pytest.approx(np.array([table[v] for v in range(problem.n)]))


def plain_list(problem, algorithm, clusters, variant, processor):
    """The scheduler in plain Python, from the same priorities: processors, starts and ends."""
    labels = None if clusters is None else np.array(clusters, np.int32)
    if variant == "macro":
        blocks = BlockGraph.of_parts(problem, labels, int(labels.max()) + 1)
    else:
        blocks = BlockGraph.of_tasks(problem)
    plan = LISTS[algorithm].plan(blocks, True)
    rank = _kernels.ranks(plan.priority, _kernels.inverse(blocks.order)).tolist()
    tasks = [blocks.members[blocks.starts[b] : blocks.starts[b + 1]].tolist() for b in range(blocks.k)]
    fixed = [-1] * blocks.k if plan.fixed is None else plan.fixed.tolist()
    if processor is not None:
        fixed = [max([processor[v] for v in tasks[b]], default=-1) for b in range(blocks.k)]
    extra = np.zeros((blocks.k, 1)) if plan.extra is None else plan.extra
    extra = np.broadcast_to(extra, (blocks.k, problem.p)).tolist()
    group = clusters if variant in ("part", "busy") else range(blocks.k)
    owner: dict[int, int] = {}
    plain = Plain(problem)
    done: set[int] = set()
    turn = 0

    def busy(q: int) -> bool:
        return any(owner.get(group[b]) == q and b not in done for b in range(blocks.k))

    while len(done) < blocks.k:
        gone = {v for b in done for v in tasks[b]}
        ready = [
            b
            for b in range(blocks.k)
            if b not in done and all(u in gone or u in tasks[b] for v in tasks[b] for u in plain.preds(v))
        ]
        calm = [q for q in range(problem.p) if not busy(q)] if variant == "busy" else list(range(problem.p))
        following = [b for b in ready if group[b] in owner]
        if not calm and following:
            ready = following
        allowed = {}
        for b in ready:
            if group[b] in owner:
                allowed[b] = [owner[group[b]]]
            elif fixed[b] >= 0:
                allowed[b] = [fixed[b]]
            else:
                allowed[b] = calm or list(range(problem.p))
        choices = []
        if plan.place == "turn":
            b = min(ready, key=rank.__getitem__)
            if len(allowed[b]) > 1 or (group[b] not in owner and fixed[b] < 0 and problem.p > 1):
                while turn not in allowed[b]:
                    turn = (turn + 1) % problem.p
                allowed[b] = [turn]
                turn = (turn + 1) % problem.p
            ready = [b]
        elif plan.place != "pair":
            ready = [min(ready, key=rank.__getitem__)]
        for b in ready:
            for q in allowed[b]:
                start = plain.earliest(tasks[b], q, insertion=plan.insertion)
                end = start + plain.length(tasks[b], q)
                if plan.place == "pair":
                    # A fixed block that is not free of choice gives way to those that are.
                    choices.append((start + extra[b][q], rank[b], end, q, b))
                elif plan.place == "finish":
                    choices.append((end + extra[b][q], end, q, b))
                else:
                    choices.append((start, end, q, b))
        *_, q, b = min(choices)
        plain.place(tasks[b], q, insertion=plan.insertion)
        done.add(b)
        owner.setdefault(group[b], q)
    return plain


@st.composite
def cases(draw, **options):
    problem = draw(problems(**options))
    variant = draw(st.sampled_from([None, *VARIANTS]))
    clusters = None
    if variant is not None:
        k = draw(st.integers(1, problem.n))
        clusters = draw(st.lists(st.integers(0, k - 1), min_size=problem.n, max_size=problem.n))
        if variant == "macro":
            # Ascending along a topological order: acyclic.
            clusters = np.sort(clusters)[_kernels.places(problem)].tolist()
    return problem, clusters, variant


@settings(max_examples=300)
@given(cases(), st.sampled_from(sorted(LISTS)), st.integers(0, 1))
def test_all_schedules_are_valid(case, algorithm, seed):
    problem, clusters, variant = case
    schedule = list_schedule(problem, algorithm, clusters=clusters, variant=variant, seed=seed)
    assert_valid(schedule)
    assert schedule.algorithm == (algorithm if variant is None else f"{algorithm}-{variant}")
    if variant is not None:
        homes = {(c, int(q)) for c, q in zip(clusters, schedule.processor, strict=True)}
        assert len(homes) == len(set(clusters))


@settings(max_examples=400)
@given(cases(models=("none", "delay", "duplex")), st.sampled_from(sorted(LISTS)), st.data())
def test_same_schedules_as_in_plain_python(case, algorithm, data):
    problem, clusters, variant = case
    processor = None
    if variant is None and data.draw(st.booleans()):
        place = st.integers(-1, problem.p - 1)
        processor = data.draw(st.lists(place, min_size=problem.n, max_size=problem.n))
        if algorithm in ("cpop", "serial"):
            processor = None
    schedule = list_schedule(problem, algorithm, clusters=clusters, variant=variant, processor=processor)
    plain = plain_list(problem, algorithm, clusters, variant, processor)
    assert schedule.processor.tolist() == [plain.processor[v] for v in range(problem.n)]
    assert schedule.start.tolist() == pytest.approx([plain.start[v] for v in range(problem.n)])
    assert len(schedule.messages) == len(plain.messages)


@given(cases(models=("duplex",)), st.sampled_from(sorted(LISTS)))
def test_busy_processors_end_a_cluster_first(case, algorithm):
    problem, clusters, variant = case
    if variant != "macro":
        return
    schedule = list_schedule(problem, algorithm, clusters=clusters, variant="macro")
    for c in set(clusters):
        tasks = [v for v in range(problem.n) if clusters[v] == c]
        span = schedule.finish[tasks].max() - schedule.start[tasks].min()
        assert span == pytest.approx((schedule.finish - schedule.start)[tasks].sum())


def test_equal_seeds_equal_schedules():
    problem = Problem.of([(v, v + 40) for v in range(40)], 4)
    one, same, other = (list_schedule(problem, "round-robin", seed=seed) for seed in (1, 1, 2))
    assert (one.processor == same.processor).all()
    assert (one.processor != other.processor).any()


def test_many_inputs_are_sent_by_the_ends_of_their_producers():
    # More inputs than are sorted by insertion; later ids end first.
    n = 60
    edges = [(v, n) for v in range(n)]
    problem = Problem.of(
        Problem.of(edges, n + 1).graph.with_weights(vertex_weights=[*range(n, 0, -1), 1]),
        n + 1,
        model="duplex",
    )
    schedule = list_schedule(problem, processor=list(range(n + 1)))
    assert schedule.messages.producer.tolist() == list(range(n - 1, -1, -1))
    assert_valid(schedule)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"algorithm": "best"}, "no list scheduler 'best'"),
        ({"variant": "part"}, "without clusters"),
        ({"clusters": [0, 0, 1]}, "without a variant"),
        ({"clusters": [0, 0, 1], "variant": "whole"}, "no variant 'whole'"),
        ({"clusters": [0, 1, 0], "variant": "macro"}, "0 -> 1 -> 0"),
        ({"clusters": [0, 1], "variant": "part"}, "2 labels for 3 vertices"),
        ({"processor": [0, 1]}, "2 processors for 3 tasks"),
        ({"processor": [0, 1, 2]}, "processor 2 is none of 0 to 1"),
        ({"processor": [0, 1, -1], "clusters": [0, 0, 1], "variant": "macro"}, "of its cluster"),
        ({"seed": -1}, "seed=-1 is negative"),
    ],
)
def test_bad_arguments(options, words):
    problem = Problem.of([(0, 1), (1, 2)], 2)
    with pytest.raises(DagpartError, match=words):
        list_schedule(problem, **options)


@pytest.mark.parametrize("seed", range(3))
def test_hundreds_of_gaps(seed):
    rng = np.random.default_rng(seed)
    n, p = 1500, 2
    heads = rng.integers(1, n, 2 * n)
    # Edges are short, so that tasks wait for each other and leave the processors idle.
    edges = np.stack([np.maximum(0, heads - rng.integers(1, 10, heads.size)), heads], axis=1)
    graph = Dag.from_edges(
        edges, n=n, edge_weights=rng.integers(0, 400, heads.size), vertex_weights=rng.integers(0, 9, n)
    )
    problem = Problem.of(graph, p, model="delay")
    home = rng.integers(0, p, n)
    schedule = list_schedule(problem, "heft", processor=home)
    blocks = BlockGraph.of_tasks(problem)
    rank = _kernels.ranks(blocks.bottom_levels(), _kernels.inverse(blocks.order))
    runs: list[list[tuple[float, float]]] = [[(0.0, 0.0)], [(0.0, 0.0)]]
    finish = np.zeros(n)
    for v in np.argsort(rank).tolist():
        data = [0.0]
        for e in range(graph.pred_indptr[v], graph.pred_indptr[v + 1]):
            u = graph.pred_indices[e]
            data.append(finish[u] + (graph.pred_edge_weights[e] if home[u] != home[v] else 0))
        took, start = float(problem.work[v]), -1.0
        for (_, ended), (begun, _) in itertools.pairwise(runs[home[v]]):
            start = max(ended, *data)
            # A gap without length holds nothing.
            if ended < begun and start < begun and start + took <= begun:
                break
        else:
            start = max(runs[home[v]][-1][1], *data)
        finish[v] = start + took
        bisect.insort(runs[home[v]], (start, finish[v]))
    assert schedule.finish.tolist() == finish.tolist()
    gaps = sum(ended < begun for run in runs for (_, ended), (begun, _) in itertools.pairwise(run))
    assert gaps > 200


def test_more_processors_than_tasks():
    schedule = list_schedule(Problem.of([(0, 1)], Platform.homogeneous(50)), "heft")
    assert schedule.processor.tolist() == [0, 0]
