"""dagpart.exact: the optimum is one, by brute force, and bounds hold."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import networkx as nx
import numpy as np
import pytest
from _plain import Plain, plain_volume, random_dag, set_partitions

import dagpart
from dagpart import Dag, exact, generate
from dagpart.errors import DagpartError, InfeasibleError, NotADagError
from dagpart.metrics import max_part_weight

OBJECTIVES = ("edge_cut", "comm_volume")


def cost_of(graph: Plain, labels, objective):
    return graph.cut(labels) if objective == "edge_cut" else plain_volume(graph.edges, labels)


def brute_force(graph: Plain, k, cap, objective, allowed=lambda labels: True, most=None):
    """Least cost over all ways to split the vertices into k sets (or into any number up to `most`)."""
    best = None
    for parts in range(k, (most or k) + 1):
        for labels in set_partitions(graph.n, parts):
            if max(graph.loads(labels, parts)) > cap or not allowed(labels):
                continue
            if not nx.is_directed_acyclic_graph(graph.quotient(labels, parts)):
                continue
            cost = cost_of(graph, labels, objective)
            best = cost if best is None else min(best, cost)
    return best


def cases(count, low, high, seed):
    rng = random.Random(seed)
    for _ in range(count):
        graph = random_dag(rng, low, high)
        yield graph, rng.randint(1, min(4, graph.n)), rng.choice([0.03, 0.3, 1.0])


def answer(graph: Plain, k, imbalance, objective, **request):
    """What exact says, once it is checked to be what it claims; None where there is no partition."""
    try:
        best = exact.partition(graph.dag(), k, imbalance=imbalance, objective=objective, **request)
    except InfeasibleError:
        return None
    labels = best.labels.tolist()
    empty = request.get("allow_empty", False)
    assert best.proven
    assert best.objective == best.bound == cost_of(graph, labels, objective)
    assert max(graph.loads(labels, k)) <= max_part_weight(graph.total, k, imbalance)
    assert set(labels) <= set(range(k)) if empty else set(labels) == set(range(k))
    position = {part: i for i, part in enumerate(best.part_order.tolist())}
    assert sorted(position) == list(range(k))
    assert all(position[a] < position[b] for a, b in graph.quotient(labels, k).edges)
    return best.objective


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_equals_brute_force_on_200_random_graphs(objective):
    for graph, k, imbalance in cases(200, 3, 7, 1):
        cap = max_part_weight(graph.total, k, imbalance)
        assert answer(graph, k, imbalance, objective) == brute_force(graph, k, cap, objective), (graph, k)


def test_equals_the_chain_of_closed_sets_on_larger_graphs():
    for graph, k, imbalance in cases(40, 9, 12, 2):
        cap = max_part_weight(graph.total, k, imbalance)
        assert answer(graph, k, imbalance, "edge_cut") == graph.best_cut(k, cap), (graph, k)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_fixed_and_groups_against_brute_force(objective):
    rng = random.Random(3)
    for graph, k, _ in cases(60, 4, 7, 3):
        fixed = {rng.randrange(graph.n): rng.randrange(k) for _ in range(rng.randint(0, 2))}
        group = rng.sample(range(graph.n), rng.randint(0, 3))

        def allowed(labels, fixed=fixed, group=group):
            # Whether the sets can be called what the caller fixed: equal sets, equal names.
            pairs = {(labels[v], part) for v, part in fixed.items()}
            one_to_one = len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
            return one_to_one and len({labels[v] for v in group}) <= 1

        imbalance = k
        cap = max_part_weight(graph.total, k, imbalance)
        found = answer(graph, k, imbalance, objective, fixed=fixed, groups=[group])
        assert found == brute_force(graph, k, cap, objective, allowed), (graph, k, fixed, group)
        if found is not None:
            best = exact.partition(
                graph.dag(), k, imbalance=imbalance, objective=objective, fixed=fixed, groups=[group]
            )
            assert all(best.labels[v] == part for v, part in fixed.items())
            assert len({best.labels[v] for v in group}) <= 1


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_empty_parts_against_brute_force(objective):
    for graph, k, imbalance in cases(40, 3, 6, 4):
        cap = max_part_weight(graph.total, k, imbalance)
        expected = brute_force(graph, 1, cap, objective, most=k)
        assert answer(graph, k, imbalance, objective, allow_empty=True) == expected, (graph, k)


def test_more_parts_than_vertices():
    best = exact.partition([(0, 1), (1, 2)], 5, allow_empty=True)
    # No part may hold more than one of three vertices on five parts.
    assert (best.objective, best.proven, len(set(best.labels.tolist()))) == (2, True, 3)


def test_cycles_are_condensed():
    edges = [(0, 1), (1, 0), (1, 2), (1, 3), (0, 3), (2, 3)]
    with pytest.raises(NotADagError):
        exact.partition(edges, 2)
    cut, volume = (
        exact.partition(edges, 2, imbalance=0.5, on_cycle="condense", objective=objective)
        for objective in OBJECTIVES
    )
    assert cut.labels[0] == cut.labels[1]
    # Of the two ways, {0, 1} and {0, 1, 2} first, the second cuts three edges, which two vertices less send.
    assert (cut.objective, volume.objective) == (3, 2)


def test_thirty_vertices_are_proven():
    dag = generate.erdos_renyi(30, 60, seed=0)
    for objective in OBJECTIVES:
        best = exact.partition(dag, 3, objective=objective)
        assert best.proven
        found = dagpart.partition(dag, 3)
        assert best.bound <= (found.edge_cut if objective == "edge_cut" else found.comm_volume)


@pytest.mark.parametrize("seed", range(12))
def test_the_engine_is_never_below_the_bound(seed):
    rng = np.random.default_rng(seed)
    dag = generate.erdos_renyi(18, 36, seed=seed).with_weights(
        vertex_weights=rng.integers(1, 5, 18), edge_weights=rng.integers(0, 9, 36)
    )
    k = 2 + seed % 4
    best = exact.partition(dag, k, imbalance=0.2)
    found = dagpart.partition(dag, k, imbalance=0.2)
    assert best.proven
    assert found.part_weights.max() <= found.cap
    assert found.edge_cut >= best.bound


def test_when_time_is_up_the_bound_holds():
    dag = generate.grid2d(16)
    best = exact.partition(dag, 8, time_limit=0.5)
    assert not best.proven
    found = dagpart.partition(dag, 8)
    assert 0 <= best.bound <= found.edge_cut
    if best.labels is not None:
        assert best.bound <= best.objective == dagpart.metrics.edge_cut(dag, best.labels)


def test_large_weights():
    best = exact.partition([(0, 1), (1, 2), (2, 3)], 2, edge_weights=[2**60, 2**59, 2**60])
    assert (best.objective, best.bound, best.proven) == (2**59, 2**59, True)
    heavy = exact.partition([(0, 1), (1, 2), (2, 3)], 2, vertex_weights=[2**59] * 4)
    assert (heavy.objective, heavy.proven) == (1, True)


def test_infeasible_requests():
    three = Dag.from_edges([(0, 1), (1, 2)], vertex_weights=[1, 2, 1])
    # Each vertex fits alone, but no two neighbours do.
    with pytest.raises(InfeasibleError, match="no acyclic partition into 2 parts of at most 2 exists"):
        exact.partition(three, 2, imbalance=0)
    with pytest.raises(InfeasibleError, match="k=4 parts for n=3"):
        exact.partition(three, 4)


def test_what_is_refused():
    with pytest.raises(DagpartError, match="objective must be 'edge_cut' or 'comm_volume', got"):
        exact.partition([(0, 1)], 2, objective="cut")
    with pytest.raises(DagpartError, match="time_limit"):
        exact.partition([(0, 1)], 2, time_limit=0)


INTERRUPTED = """
import signal, threading
import scipy.optimize
from dagpart import exact, generate

# A shell's background jobs inherit an ignored SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)
solve = scipy.optimize.milp

def milp(*arguments, **options):
    print("at work", flush=True)
    return solve(*arguments, **options)

scipy.optimize.milp = milp
try:
    # More than anybody waits for.
    exact.partition(generate.grid2d(14), 8, time_limit=3600)
except KeyboardInterrupt:
    # Still at work, which keeps no program from its end.
    print([thread.daemon for thread in threading.enumerate() if thread.name == "HiGHS"], flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_an_interrupt_does_not_wait_for_the_solver():
    command = [sys.executable, "-P", "-c", INTERRUPTED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "at work\n"
            # Time to get from Python into HiGHS.
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (out, process.returncode) == ("[True]\n", 0)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_costs_are_in_the_callers_unit(objective):
    best = exact.partition([(0, 1, 0.5), (1, 2, 0.25), (2, 3, 1.5)], 2, objective=objective)
    assert (best.objective, best.bound, best.proven) == (0.25, 0.25, True)
    graph = Dag.from_edges([], 3, vertex_weights=[0.2, 0.2, 0.2])
    with pytest.raises(InfeasibleError, match=r"parts of at most 0\.3 exists"):
        exact.partition(graph, 2, imbalance=0)
