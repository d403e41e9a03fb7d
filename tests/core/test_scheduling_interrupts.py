"""Every kernel of scheduling obeys an interrupt, whatever the shape of the graph or the number of processors.

A signal comes after so much CPU time, again and again, and its handler raises the second time. A kernel that
looks for nothing while it runs gets to see it once at most, when it is over.
"""

from __future__ import annotations

import signal
from collections.abc import Callable

import numpy as np
import pytest

from dagpart import generate
from dagpart._core.scheduling import (
    dominant_sequence,
    dynamic,
    in_order,
    linear,
    ports,
    priorities,
    supersteps,
)
from dagpart._core.scheduling.list_scheduling import RULES, place_blocks
from dagpart._core.scheduling.zeroing import zeroed_edges
from dagpart.dag import Dag
from dagpart.schedule import Platform, Problem
from dagpart.schedule._kernels import indices, inverse, machine, narrow
from dagpart.schedule.blocks import BlockGraph

EVERY = 0.004
"""Seconds of CPU time between two signals. A look for an interrupt has to come more often than that."""


class Interrupted(Exception):
    pass


def assert_obeys(kernel: Callable[[], object]) -> None:
    """Run it, in vain."""
    seen = []

    def handler(*_: object) -> None:
        seen.append(None)
        if len(seen) == 2:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            raise Interrupted

    before = signal.signal(signal.SIGVTALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, EVERY, EVERY)
        with pytest.raises(Interrupted):
            kernel()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def layered(n: int, degree: int, width: int = 200) -> Dag:
    """Tasks in rows, each with inputs from the row before."""
    rng = np.random.default_rng(1)
    heads = np.repeat(np.arange(width, n), degree)
    tails = (heads // width - 1) * width + rng.integers(0, width, heads.size)
    return Dag.from_edges(np.unique(np.column_stack([tails, heads]), axis=0), n=n)


@pytest.fixture(scope="module")
def wide() -> Dag:
    return layered(300_000, 4, 20_000)


@pytest.fixture(scope="module")
def rows() -> Dag:
    return layered(100_000, 8)


def plan_of(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Processors and an order."""
    rng = np.random.default_rng(2)
    return rng.integers(0, problem.p, problem.n).astype(np.int32), narrow(problem.graph.order)


def task_graph(problem: Problem, blocks: BlockGraph) -> priorities.TaskGraph:
    graph = problem.graph
    return priorities.TaskGraph(
        graph.indptr,
        blocks.indices,
        graph.pred_indptr,
        narrow(graph.pred_indices),
        problem.pred_positions,
        problem.mean_durations,
        blocks.delays,
    )


def placed(problem: Problem, rule: str, insertion: bool) -> Callable[[], object]:
    blocks = BlockGraph.of_tasks(problem)
    m, rank = machine(problem), inverse(blocks.order)
    free = np.full(problem.n, -1, np.int32)
    none = np.zeros(0, np.int32)
    extra = np.zeros((0, 0))
    return lambda: place_blocks(
        m, RULES[rule], insertion, blocks.starts, blocks.members, rank, none, free, False, extra
    )


@pytest.mark.parametrize(
    ("rule", "insertion"), [("start", False), ("finish", True), ("turn", False), ("pair", False)]
)
@pytest.mark.parametrize("p", [4, 500])
def test_list_scheduling(wide, rows, rule, insertion, p):
    assert_obeys(placed(Problem.of(wide if p == 4 else rows, p, ccr=1.0), rule, insertion))


def test_a_fork_under_pairs():
    """One placement makes all tasks ready at once."""
    fork = Dag.from_edges(np.column_stack([np.zeros(200_000, int), np.arange(1, 200_001)]))
    assert_obeys(placed(Problem.of(fork, 16), "pair", False))


@pytest.mark.parametrize("charging", ["edge", "unique"])
def test_times_of_plans(wide, charging):
    problem = Problem.of(wide, 64, charging=charging)
    m, (processor, order) = machine(problem), plan_of(problem)
    assert_obeys(lambda: in_order.in_order(m, processor, order))
    assert_obeys(lambda: supersteps.in_supersteps(m, processor, order))


def test_orders(wide):
    problem = Problem.of(wide, 64)
    graph, (processor, order) = problem.graph, plan_of(problem)
    ids = indices(problem)
    assert_obeys(lambda: in_order.placement_order(graph.indptr, ids, processor, order))


def test_ports(wide):
    problem = Problem.of(wide, 8)
    graph, (processor, order) = problem.graph, plan_of(problem)
    producer, consumer = narrow(graph.edge_sources()), indices(problem)
    apart = processor[producer] != processor[consumer]
    producer, consumer = producer[apart], consumer[apart]
    ids = indices(problem)
    message = ports.messages_of_edges(graph.indptr, ids, processor, producer, consumer, False)
    m, sizes = machine(problem), np.ones(producer.size)
    assert_obeys(lambda: ports.in_port_order(m, processor, order, producer, consumer, sizes, message))
    n = 6_000_000
    heads = np.random.default_rng(3).integers(0, n, n, dtype=np.int32)
    indptr, together, none = np.arange(n + 1), np.zeros(n, np.int32), np.zeros(0, np.int32)
    assert_obeys(lambda: ports.messages_of_edges(indptr, heads, together, none, none, False))


@pytest.mark.parametrize("stealing", [False, True])
@pytest.mark.parametrize("p", [8, 1000])
def test_runs_without_a_plan(wide, rows, stealing, p):
    problem = Problem.of(wide if p == 8 else rows, p)
    m, rank = machine(problem), inverse(narrow(problem.graph.order))
    assert_obeys(lambda: dynamic.as_it_goes(m, rank, stealing, 1))


def test_priorities():
    graph = layered(500_000, 4, 50_000)
    problem = Problem.of(graph, Platform(np.linspace(1, 2, 8), 1.0 - np.eye(8), np.zeros((8, 8))))
    blocks = BlockGraph.of_tasks(problem)
    indptr, ids, order = graph.indptr, blocks.indices, blocks.order
    durations = problem.durations
    tasks = task_graph(problem, blocks)
    own = np.arange(graph.n, dtype=np.int32)
    mean = problem.mean_durations
    assert_obeys(lambda: priorities.tails(indptr, ids, order, mean, blocks.delays))
    assert_obeys(lambda: priorities.optimistic_costs(indptr, ids, order, durations, blocks.delays))
    assert_obeys(lambda: priorities.cluster_starts(tasks, order, own))


def test_clusterings(wide):
    problem = Problem.of(wide, 4, ccr=1.0)
    blocks = BlockGraph.of_tasks(problem)
    tasks, order, levels = task_graph(problem, blocks), blocks.order, blocks.bottom_levels()
    assert_obeys(lambda: dominant_sequence.dominant_sequence(tasks, levels))
    assert_obeys(lambda: linear.linear_clusters(tasks, order, levels))


def test_one_attempt_to_zero_an_edge_times_many_tasks():
    problem = Problem.of(generate.stencil(300, 100), 4)
    blocks = BlockGraph.of_tasks(problem)
    tasks, rest = task_graph(problem, blocks), blocks.bottom_levels(communication=False)
    assert_obeys(lambda: zeroed_edges(tasks, blocks.order, rest))
