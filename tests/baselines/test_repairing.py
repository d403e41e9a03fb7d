"""repair(): acyclic always, balanced where that can be promised, and counted right."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
import warnings
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from _plain import Plain, graphs
from hypothesis import given
from hypothesis import strategies as st

from dagpart import Dag, generate
from dagpart.baselines import Repaired, repair, repairing
from dagpart.baselines.repairing import _least_moves, _sort_parts
from dagpart.errors import BalanceWarning, DagpartError, InfeasibleError, NotADagError


@st.composite
def labelled(draw, **options):
    graph = draw(graphs(**options))
    k = draw(st.integers(1, graph.n))
    labels = draw(st.lists(st.integers(0, k - 1), min_size=graph.n, max_size=graph.n))
    return graph, k, labels


def assert_repaired(graph: Plain, k, labels, result):
    found = result.labels.tolist()
    assert result.labels.dtype == np.int32
    assert all(found[u] <= found[v] for u, v, _ in graph.edges)
    assert nx.is_directed_acyclic_graph(graph.quotient(found, k))
    assert set(found) == set(range(k))
    assert result.was_acyclic == nx.is_directed_acyclic_graph(graph.quotient(labels, k))
    assert (result.cut_before, result.cut_after) == (graph.cut(labels), graph.cut(found))


@given(case=labelled(max_n=16), imbalance=st.sampled_from([0, 0.03, 0.3, 2]), seed=st.integers(0, 2**64 - 1))
def test_any_labelling_becomes_acyclic(case, imbalance, seed):
    graph, k, labels = case
    cap = math.floor((1 + Fraction(str(imbalance))) * math.ceil(Fraction(graph.total, k)))
    if max(graph.vertex_weights) > cap:
        with pytest.raises(InfeasibleError, match="smallest imbalance"):
            repair(graph.dag(), labels, imbalance, k=k)
        return
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = repair(graph.dag(), labels, imbalance, k=k, seed=seed)
    assert_repaired(graph, k, labels, result)
    assert result.cap == cap
    heaviest = max(graph.loads(result.labels.tolist(), k))
    assert [warning.category for warning in found] == [BalanceWarning] * (heaviest > cap)
    again = repair(graph.dag(), labels, imbalance, k=k, seed=seed) if heaviest <= cap else result
    assert again.labels.tolist() == result.labels.tolist()


@given(case=labelled(max_n=20, heaviest=0), imbalance=st.sampled_from([0, 0.03]))
def test_unit_weights_are_always_balanced(case, imbalance):
    plain, k, labels = case
    graph = Plain(plain.n, [(u, v, 1) for u, v, _ in plain.edges], [1] * plain.n)
    result = repair(graph.dag(), labels, imbalance, k=k)
    assert_repaired(graph, k, labels, result)
    assert max(graph.loads(result.labels.tolist(), k)) <= math.ceil(graph.n / k) * (1 + imbalance)


@given(case=labelled(max_n=16))
def test_room_for_one_more_vertex_is_enough_for_balance(case):
    graph, k, labels = case
    # Runs of a topological order need the mean weight and one vertex; parts that must not be empty, one more.
    room = math.ceil(Fraction(graph.total, k))
    imbalance = 2 * max(graph.vertex_weights) / room if room else 0
    result = repair(graph.dag(), labels, imbalance, k=k)
    assert max(graph.loads(result.labels.tolist(), k)) <= result.cap


@given(labelled(max_n=12))
def test_legal_partitions_never_get_worse(case):
    graph, k, labels = case
    # Runs of a topological order, no part empty.
    order = list(nx.lexicographical_topological_sort(graph.networkx))
    ends = sorted({v * k // graph.n for v in range(graph.n)})
    for place, v in enumerate(order):
        labels[v] = ends.index(place * k // graph.n)
    result = repair(graph.dag(), labels, k, k=k)
    assert result.was_acyclic
    assert result.cut_after <= result.cut_before


@pytest.mark.parametrize("k", [2, 7, 32])
def test_random_labels_of_a_grid(k):
    dag = generate.grid2d(40)
    labels = np.random.default_rng(k).integers(0, k, dag.n)
    result = repair(dag, labels, k=k)
    tails = np.repeat(np.arange(dag.n), np.diff(dag.indptr))
    assert (result.labels[tails] <= result.labels[dag.indices]).all()
    assert np.bincount(result.labels, minlength=k).max() <= int(1.03 * -(-dag.n // k))
    assert result.cut_after < result.cut_before / 2
    assert result.price == result.cut_after / result.cut_before


def test_more_parts_than_pairs_are_looked_at():
    dag = generate.chain(4500)
    # Neighbours swapped: every two parts in a row depend on each other.
    labels = (np.arange(4500) // 3 * 2 + np.array([0, 1, 0])[np.arange(4500) % 3]) % 3000
    result = repair(dag, labels, imbalance=1, k=3000)
    assert not result.was_acyclic
    assert (np.diff(result.labels) >= 0).all()
    assert result.cut_after == 2999


@given(case=labelled(max_n=7), top=st.integers(1, 3))
def test_least_moves_are_the_least(case, top):
    graph, _, labels = case
    k = top + 1
    labels = [label % k for label in labels]
    weights = [max(w, 1) for w in graph.vertex_weights]
    dag = Plain(graph.n, graph.edges, weights).dag()
    found = _least_moves(dag, np.array(labels, dtype=np.int32), k).tolist()
    assert all(found[u] <= found[v] for u, v, _ in graph.edges)

    def cost(new):
        return sum(w * abs(a - b) for w, a, b in zip(weights, labels, new, strict=True))

    order = list(nx.topological_sort(graph.networkx))
    before = {v: [u for u, x, _ in graph.edges if x == v] for v in range(graph.n)}

    def extend(place, new):
        if place == graph.n:
            yield cost(new)
            return
        v = order[place]
        for label in range(max((new[u] for u in before[v]), default=0), k):
            new[v] = label
            yield from extend(place + 1, new)

    assert cost(found) == min(extend(0, [0] * graph.n))


@given(case=labelled(max_n=16), work=st.integers(0, 40))
def test_moves_are_legal_when_work_is_limited(case, work):
    graph, k, labels = case
    found = _least_moves(graph.dag(), np.array(labels, dtype=np.int32), k, work).tolist()
    assert all(found[u] <= found[v] for u, v, _ in graph.edges)
    assert all(0 <= label < k for label in found)


@given(st.integers(1, 6), st.data())
def test_no_single_part_stands_in_a_wrong_place(k, data):
    weight = np.array(
        data.draw(st.lists(st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=k, max_size=k)),
        dtype=float,
    )
    start = np.array(data.draw(st.permutations(range(k))))

    def backward(order):
        return sum(weight[order[j], order[i]] for j in range(k) for i in range(j))

    order = _sort_parts(weight, start).tolist()
    assert sorted(order) == list(range(k))
    assert backward(order) <= backward(start.tolist())
    for part in order:
        others = [p for p in order if p != part]
        assert all(backward(order) <= backward([*others[:i], part, *others[i:]]) for i in range(k))


def test_price():
    def price(before, after):
        return Repaired(np.zeros(1, np.int32), 1, 1, True, before, after).price

    assert (price(4, 6), price(0, 0), price(0, 3), price(3, 0)) == (1.5, 1.0, math.inf, 0.0)


def test_what_is_refused():
    dag = Dag.from_edges([(0, 1), (1, 2)])
    with pytest.raises(DagpartError, match="2 labels for 3 vertices"):
        repair(dag, [0, 1])
    with pytest.raises(DagpartError, match="label 2 of vertex 1 is not below k=2"):
        repair(dag, [0, 2, 1], k=2)
    with pytest.raises(InfeasibleError, match="k=4 parts for n=3"):
        repair(dag, [0, 1, 2], k=4)
    with pytest.raises(NotADagError):
        repair([(0, 1), (1, 0)], [0, 1])
    with pytest.raises(DagpartError, match="no preset"):
        repair(dag, [0, 1, 1], preset="best")


INTERRUPTED = """
import signal
import numpy as np
from dagpart import Dag
from dagpart.baselines import repair, repairing

# A shell's background jobs inherit an ignored SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)
run = repairing.protected

def protected(*arguments):
    print("at work", flush=True)
    return run(*arguments)

repairing.protected = protected
# A flow that nobody waits for, in place of the cheaper cut that is taken for so long a chain.
repairing._least_moves.__defaults__ = (10**15,)
n = 600_000
chain = Dag.from_edges(np.column_stack([np.arange(n - 1), np.arange(1, n)]))
try:
    repair(chain, np.repeat([1, 0, 1], n // 3), 1.0, k=2)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_an_interrupt_does_not_wait_for_the_flow():
    command = [sys.executable, "-P", "-c", INTERRUPTED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "at work\n"
            # Time to get from Python into the flow.
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (out, process.returncode) == ("interrupted\n", 0)


def test_a_flow_in_a_process_of_its_own_moves_as_little(monkeypatch):
    graph = Dag.from_edges([(v, v + 1) for v in range(11)])
    labels = np.repeat([2, 0, 1], 4).astype(np.int32)
    here = _least_moves(graph, labels, 3)
    assert np.abs(here - labels).sum() == 8
    called = []

    def protected(name, function, *arguments):
        called.append(name)
        return run(name, function, *arguments)

    run = repairing.protected
    monkeypatch.setattr(repairing, "protected", protected)
    monkeypatch.setattr(repairing, "_SHORT_WORK", 0)
    assert _least_moves(graph, labels, 3).tolist() == here.tolist()
    assert called[0] == "minimum cut"


def test_costs_are_in_the_callers_unit():
    square = Dag.from_edges([(0, 1, 0.25), (0, 2, 0.25), (1, 3, 0.25), (2, 3, 0.5)], vertex_weights=[0.5] * 4)
    repaired = repair(square, [0, 1, 1, 0])
    assert (repaired.cut_before, repaired.cut_after, repaired.cap, repaired.price) == (1.25, 0.5, 1.03, 0.4)
    with pytest.warns(BalanceWarning, match=r"weigh 0\.1 more than the 0\.3 allowed"):
        repair(Dag.from_edges([], 3, vertex_weights=[0.2] * 3), [0, 0, 1], imbalance=0)
