"""The communication volume as an objective: counted right, near the optimum on small graphs, fit for hubs."""

from __future__ import annotations

import random
import warnings
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from _plain import Plain, graphs, random_dag, set_partitions
from hypothesis import given, settings
from hypothesis import strategies as st

from dagpart import BalanceWarning, Dag, generate, metrics, partition
from dagpart._core.graph.traversal import topological_numbers
from dagpart._core.multilevel.engine import Engine
from dagpart.errors import DagpartError
from dagpart.metrics import max_part_weight
from dagpart.options import PRESETS

CHECKED = replace(PRESETS["default"], check=True, small_work=100_000)


def engine_of(dag, k, imbalance=0.1):
    return Engine(
        dag.indptr,
        dag.indices,
        dag.edge_weights,
        dag.vertex_weights,
        topological_numbers(dag.indptr, dag.indices),
        np.zeros(0, dtype=np.int8),
        k,
        max_part_weight(dag.total_weight, k, imbalance),
        False,
        (dag.indptr, dag.indices, dag.edge_weights, np.arange(dag.n, dtype=np.int32)),
    )


@given(graph=graphs(max_n=6), k=st.integers(1, 4), slack=st.integers(0, 20))
def test_the_oracle_agrees_with_all_set_partitions(graph, k, slack):
    cap = -(-graph.total // k) + slack
    volumes = [
        graph.volume(labels)
        for labels in set_partitions(graph.n, k)
        if max(graph.loads(labels, k)) <= cap and nx.is_directed_acyclic_graph(graph.quotient(labels, k))
    ]
    assert graph.best_volume(k, cap) == min(volumes, default=None)


@pytest.mark.parametrize(("preset", "share"), [("fast", 0.9), ("default", 0.98)])
def test_the_optimum_of_small_graphs(preset, share):
    rng = random.Random(5)
    tried = reached = 0
    while tried < 200:
        graph = random_dag(rng, 4, 11)
        k, imbalance = rng.randint(2, 4), rng.choice([0.03, 0.1, 0.3])
        best = graph.best_volume(k, max_part_weight(graph.total, k, imbalance))
        if best is None:
            continue
        tried += 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BalanceWarning)
            result = partition(graph.dag(), k, imbalance=imbalance, preset=preset, objective="comm_volume")
        balanced = max(graph.loads(result.labels.tolist(), k)) <= result.cap
        volume = graph.volume(result.labels.tolist())
        assert result.comm_volume == volume
        assert volume >= best or not balanced
        reached += balanced and volume == best
    assert reached >= share * tried


@settings(max_examples=60)
@given(data=st.data(), graph=graphs(max_n=14, heaviest=7), seed=st.integers(0, 2**64 - 1))
def test_the_engine_counts_the_volume(data, graph, seed):
    k = data.draw(st.integers(1, graph.n))
    engine = engine_of(graph.dag(), k)
    labels = engine.solve(CHECKED, seed)
    assert engine.score(labels)[1] == graph.volume(labels.tolist())
    assert all(labels[u] <= labels[v] for u, v, _ in graph.edges)


def layered(n, degree, seed, heaviest=1):
    rng = np.random.default_rng(seed)
    heads = np.repeat(np.arange(1, n), degree)
    tails = heads - rng.integers(1, np.minimum(heads, 40) + 1)
    edges = np.unique(np.stack([tails, heads], axis=1), axis=0)
    return Dag.from_edges(edges, n=n, edge_weights=rng.integers(1, heaviest + 1, len(edges)))


@pytest.mark.parametrize("heaviest", [1, 5])
@pytest.mark.parametrize("k", [2, 7])
def test_every_phase_keeps_its_books_on_larger_graphs(k, heaviest):
    dag = layered(1500, 3, k, heaviest)
    engine = engine_of(dag, k)
    labels = engine.solve(CHECKED, 1)
    assert engine.score(labels) == (0, metrics.comm_volume(dag, labels))
    child = engine.combine(labels, engine.solve(CHECKED, 2), CHECKED, 3)
    assert engine.score(child) <= engine.score(labels)


def test_many_weights_of_one_vertex_are_rounded_up():
    weights = np.arange(1, 41) ** 2
    dag = Dag.from_edges([(0, v) for v in range(1, 41)], n=41, edge_weights=weights)
    engine = engine_of(dag, 4, imbalance=0.2)
    labels = engine.solve(CHECKED, 0)
    true = metrics.comm_volume(dag, labels)
    assert true <= engine.score(labels)[1] <= 3 * int(weights[-1])
    # The heaviest consumers stay with the producer, and so on, part by part; strong finds that.
    assert true >= partition(dag, 4, imbalance=0.2, objective="comm_volume", preset="strong").comm_volume


def spread_out(most):
    # One consumer gets `most`; six of weight 20 have chains behind them that are dear to cut.
    weights = [most] + [20] * 6 + list(range(19, 5, -1))
    edges = [(0, v, w) for v, w in enumerate(weights, 1)]
    n = len(weights) + 1
    for consumer in range(2, 8):
        tail = consumer
        for _ in range(8):
            edges.append((tail, n, 1000))
            tail = n
            n += 1
    return Plain(n, edges, [1] * n)


@pytest.mark.parametrize("most", [10**6, 2**61])
def test_one_huge_weight_hides_no_other(most):
    dag = spread_out(most).dag()
    result = partition(dag, 2, objective="comm_volume", imbalance=0.05)
    assert result.comm_volume <= partition(dag, 2, imbalance=0.05).comm_volume


def test_rounded_weights_cannot_overflow():
    # Weights just below the greatest of a producer's rounded up to it: the sum hardly fits as it is.
    weights = [2**60, *[2**59 + 1] * 2, *(2**59 - i for i in range(1, 4)), *[1] * 8, *range(2, 16)]
    dag = Dag.from_edges([(0, v) for v in range(1, len(weights) + 1)], edge_weights=weights)
    engine = engine_of(dag, dag.n)
    assert 0 < engine.score(engine.solve(CHECKED, 0))[1] < 2**62


def test_a_hub_sends_once_to_each_part():
    spokes = 3000
    dag = Dag.from_edges([(0, v) for v in range(1, spokes)], n=spokes)
    result = partition(dag, 6, objective="comm_volume")
    assert result.comm_volume == 5
    assert result.part_weights.max() <= result.cap


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(threads):
    dag = layered(5000, 3, 1)
    one, other = (partition(dag, 8, objective="comm_volume", threads=t) for t in (1, threads))
    assert (one.labels == other.labels).all()


def test_merged_vertices_send_one_by_one():
    # 0 and 1 share a part and send to 2 and 3, which do too: one message each, not one for both.
    graph = Plain(6, [(0, 2, 1), (1, 3, 1), (2, 4, 1), (3, 5, 1)], [1] * 6)
    request = {"groups": [[0, 1], [2, 3], [4, 5]], "objective": "comm_volume", "imbalance": 0.4}
    result = partition(graph.dag(), 2, **request)
    assert result.comm_volume == graph.volume(result.labels.tolist()) == 2


def test_time_limit_improves_the_volume():
    dag = generate.polybench("gemver", n=12)
    told = []
    request = {"objective": "comm_volume", "preset": "fast"}
    start = partition(dag, 4, **request)
    enough = 20 * start.seconds + 0.5
    result = partition(dag, 4, time_limit=enough, progress=lambda _, best: told.append(best), **request)
    assert result.comm_volume <= start.comm_volume
    assert told[-1] == result.comm_volume


def test_no_such_objective():
    with pytest.raises(DagpartError, match="objective must be 'edge_cut' or 'comm_volume', got 'makespan'"):
        partition([(0, 1)], 2, objective="makespan")
