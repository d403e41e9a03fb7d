"""The engine by itself, checking its invariants: all options give legal partitions, counted right."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagpart import generate
from dagpart._core.base.interrupt import OutOfTime, Stop
from dagpart._core.graph.traversal import topological_numbers
from dagpart._core.multilevel.engine import Engine
from dagpart.dag import Dag
from dagpart.metrics import max_part_weight
from dagpart.options import PRESETS, Options

QUICK = {name: replace(options, check=True, small_work=100_000) for name, options in PRESETS.items()}
"""The presets with few restarts on small graphs."""

PHASES_OFF = {
    "guide": ("guide",),
    "multilevel start": ("multilevel",),
    "scans": ("scan",),
    "scans and guide": ("guide", "scan"),
    "repairs": ("repair",),
    "given order": ("order",),
    "runs": ("runs",),
    "levels": ("levels",),
    "flow": ("flow",),
    "FM": ("fm",),
    "all refinement": ("fm", "flow"),
    "small searches": ("small",),
    "nearly all": ("guide", "multilevel", "repair", "order", "flow", "small"),
}


def engine_of(dag, k, cap=None, anchors=(), allow_empty=False, imbalance=0.03):
    anchor = np.zeros(dag.n if len(anchors) else 0, dtype=np.int8)
    anchor[list(anchors)] = 1
    return Engine(
        dag.indptr,
        dag.indices,
        dag.edge_weights,
        dag.vertex_weights,
        topological_numbers(dag.indptr, dag.indices),
        anchor,
        k,
        max_part_weight(dag.total_weight, k, imbalance) if cap is None else cap,
        allow_empty,
    )


@st.composite
def dags(draw, most=14, weights=None):
    """A DAG whose ids are no topological order."""
    weights = st.integers(0, 9) if weights is None else weights
    n = draw(st.integers(1, most))
    at = draw(st.permutations(range(n)))
    pairs = [(u, v) for v in range(n) for u in range(v)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=4 * n)) if pairs else []
    edge_weights = draw(st.lists(weights, min_size=len(edges), max_size=len(edges)))
    vertex_weights = draw(st.lists(weights, min_size=n, max_size=n))
    return Dag.from_edges(
        np.array([(at[u], at[v]) for u, v in edges], dtype=np.int64).reshape(-1, 2),
        n=n,
        edge_weights=np.array(edge_weights, dtype=np.int64),
        vertex_weights=np.array(vertex_weights, dtype=np.int64),
    )


def random_dag(n, degree, seed, *, edge_weights=(1, 9), vertex_weights=(1, 4)):
    """A larger DAG, its ids shuffled."""
    draw = np.random.default_rng(seed)
    heads = np.repeat(np.arange(1, n), degree)
    reach = np.minimum(heads, draw.geometric(0.02, len(heads)))
    edges = np.unique(np.column_stack((heads - reach, heads)), axis=0)
    return Dag.from_edges(
        draw.permutation(n)[edges],
        n=n,
        edge_weights=draw.integers(*edge_weights, len(edges), endpoint=True),
        vertex_weights=draw.integers(*vertex_weights, n, endpoint=True),
    )


def counted(dag, labels, k, cap):
    """Weight above the cap and edge cut, in Python's integers."""
    load = [0] * k
    for weight, label in zip(dag.vertex_weights.tolist(), labels.tolist(), strict=True):
        load[label] += weight
    tails = np.repeat(np.arange(dag.n), np.diff(dag.indptr))
    cut = sum(dag.edge_weights[labels[tails] != labels[dag.indices]].tolist())
    return sum(max(0, weight - cap) for weight in load), cut


def assert_legal(dag, labels, k, *, empty=False):
    assert labels.dtype == np.int32
    assert labels.shape == (dag.n,)
    tails = np.repeat(np.arange(dag.n), np.diff(dag.indptr))
    assert (labels[tails] <= labels[dag.indices]).all()
    assert set(labels.tolist()) <= set(range(k))
    if not empty:
        assert len(set(labels.tolist())) == k


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=40)
@given(data=st.data(), dag=dags(), seed=st.integers(0, 2**64 - 1))
def test_presets_on_random_graphs(preset, data, dag, seed):
    k = data.draw(st.integers(1, dag.n))
    cap = max_part_weight(dag.total_weight, k, 0.1)
    engine = engine_of(dag, k, cap)
    labels = engine.solve(QUICK[preset], seed)
    assert_legal(dag, labels, k)
    assert engine.score(labels) == counted(dag, labels, k, cap)
    assert (engine.solve(QUICK[preset], seed) == labels).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_as_they_are(preset):
    dag = random_dag(60, 3, 5)
    engine = engine_of(dag, 3)
    labels = engine.solve(replace(PRESETS[preset], check=True), 0)
    assert_legal(dag, labels, 3)
    assert engine.score(labels)[0] == 0


@settings(max_examples=60)
@given(data=st.data(), dag=dags(most=9), extra=st.integers(0, 3))
def test_empty_parts_where_they_are_allowed(data, dag, extra):
    k = data.draw(st.integers(1, dag.n)) + extra
    engine = engine_of(dag, k, allow_empty=True)
    labels = engine.solve(QUICK["default"], 0)
    assert_legal(dag, labels, k, empty=True)


@settings(max_examples=60)
@given(data=st.data(), dag=dags())
def test_anchors_end_in_distinct_parts(data, dag):
    anchors = data.draw(st.sets(st.integers(0, dag.n - 1), min_size=1))
    k = data.draw(st.integers(len(anchors), dag.n))
    engine = engine_of(dag, k, anchors=anchors)
    labels = engine.solve(QUICK["default"], 0)
    assert_legal(dag, labels, k)
    assert len({int(labels[v]) for v in anchors}) == len(anchors)
    assert engine.split(QUICK["default"]) is None
    again = engine.combine(labels, labels, QUICK["default"], 1)
    assert_legal(dag, again, k)
    assert len({int(again[v]) for v in anchors}) == len(anchors)


@settings(max_examples=60)
@given(data=st.data(), dag=dags())
def test_first_split_is_legal(data, dag):
    k = data.draw(st.integers(1, dag.n))
    assert_legal(dag, engine_of(dag, k).split(QUICK["fast"]), k)


@pytest.mark.parametrize("k", [2, 5, 150])
def test_first_split_of_larger_graphs_is_legal(k):
    dag = random_dag(1500, 3, 1)
    labels = engine_of(dag, k).split(QUICK["fast"])
    assert_legal(dag, labels, k)


@st.composite
def monotone_labels(draw, dag, k):
    """Some legal labelling with no empty part."""
    rank = topological_numbers(dag.indptr, dag.indices)
    ends = sorted(draw(st.sets(st.integers(1, dag.n - 1), min_size=k - 1, max_size=k - 1))) if k > 1 else []
    return np.searchsorted(ends, rank, side="right").astype(np.int32)


@settings(max_examples=100)
@given(data=st.data(), dag=dags(), seed=st.integers(0, 2**64 - 1))
def test_combined_is_never_worse(data, dag, seed):
    k = data.draw(st.integers(1, dag.n))
    engine = engine_of(dag, k)
    one, other = data.draw(monotone_labels(dag, k)), data.draw(monotone_labels(dag, k))
    child = engine.combine(one, other, QUICK["default"], seed)
    assert_legal(dag, child, k, empty=True)
    assert engine.score(child) <= engine.score(one)


@pytest.mark.parametrize("seed", range(4))
def test_combined_is_never_worse_on_larger_graphs(seed):
    dag = random_dag(1500, 3, seed)
    engine = engine_of(dag, 6)
    one, other = engine.solve(QUICK["fast"], 1), engine.split(QUICK["fast"])
    for parents in ((one, other), (other, one), (one, one)):
        child = engine.combine(*parents, QUICK["default"], seed)
        assert_legal(dag, child, 6)
        assert engine.score(child) <= engine.score(parents[0])


@settings(max_examples=60)
@given(data=st.data(), dag=dags())
def test_closed_labels_are_the_nearest_above_and_below(data, dag):
    labels = np.array(data.draw(st.lists(st.integers(0, 5), min_size=dag.n, max_size=dag.n)), dtype=np.int32)
    engine, graph = engine_of(dag, 6, allow_empty=True), nx.DiGraph(dag.to_networkx())
    for upwards, relatives, extreme in ((True, nx.ancestors, max), (False, nx.descendants, min)):
        expected = [extreme(labels[[v, *relatives(graph, v)]]) for v in range(dag.n)]
        assert engine.close(labels, upwards).tolist() == expected


@settings(max_examples=60)
@given(data=st.data(), dag=dags(weights=st.just(1)), seed=st.integers(0, 2**64 - 1))
def test_refined_labels_are_legal_and_balanced(data, dag, seed):
    k = data.draw(st.integers(1, dag.n))
    labels = np.array(
        data.draw(st.lists(st.integers(0, k - 1), min_size=dag.n, max_size=dag.n)), dtype=np.int32
    )
    engine = engine_of(dag, k)
    refined = engine.refine(engine.close(labels, True), QUICK["default"], seed)
    assert_legal(dag, refined, k)
    assert engine.score(refined)[0] == 0
    # What is balanced, and has no empty part, never gets worse.
    again = engine.refine(refined, QUICK["default"], seed)
    assert engine.score(again) <= engine.score(refined)


def test_refinement_finds_the_cut_nearby():
    dag = generate.grid2d(20)
    engine = engine_of(dag, 2)
    crooked = np.array([(v // 20 + v % 20 > 19) for v in range(400)], dtype=np.int32)
    assert engine.score(engine.refine(crooked, QUICK["default"], 0)) == (0, 20)


@pytest.mark.parametrize("phase", PHASES_OFF)
@pytest.mark.parametrize("k", [2, 7])
def test_every_phase_can_be_left_out(phase, k):
    options = replace(QUICK["default"].without(*PHASES_OFF[phase]), kway_cycles=int(phase != "nearly all"))
    for dag in (random_dag(700, 3, 3), generate.grid2d(5, 6)):
        labels = engine_of(dag, k, imbalance=0.1).solve(options, 1)
        assert_legal(dag, labels, k)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("k", [2, 3, 8])
def test_threads_change_nothing(preset, k):
    dag = random_dag(3000, 2, 7)
    engine = engine_of(dag, k)
    options = replace(QUICK[preset], kway_cycles=1, cycles=1, check=False)
    labels = engine.solve(options, 4, threads=1)
    assert (engine.solve(options, 4, threads=2) == labels).all()
    assert_legal(dag, labels, k)
    assert engine.score(labels) == counted(dag, labels, k, max_part_weight(dag.total_weight, k, 0.03))


def star(leaves, inward):
    ends = np.arange(1, leaves + 1)
    centre = np.zeros(leaves, dtype=np.int64)
    return Dag.from_edges(np.column_stack((ends, centre) if inward else (centre, ends)), n=leaves + 1)


@pytest.mark.parametrize("inward", [False, True])
@pytest.mark.parametrize("k", [2, 3])
def test_stars_have_the_cut_that_balance_forces(inward, k):
    dag = star(400, inward)
    cap = max_part_weight(401, k, 0.0)
    labels = engine_of(dag, k, cap).solve(QUICK["default"], 0)
    assert_legal(dag, labels, k)
    assert counted(dag, labels, k, cap) == (0, 401 - cap)


def test_hubs_above_what_flow_moves():
    # Two hubs, 21,000 leaves between them, and a tail that hangs at each.
    leaves, tail = 21_000, 1500
    middle = np.arange(2, leaves + 2)
    first, second = np.zeros(leaves, dtype=np.int64), np.ones(leaves, dtype=np.int64)
    chain = np.arange(leaves + 2, leaves + 2 + tail)
    edges = np.concatenate(
        (
            np.column_stack((first, middle)),
            np.column_stack((middle, second)),
            [[1, chain[0]]],
            np.column_stack((chain[:-1], chain[1:])),
        )
    )
    dag = Dag.from_edges(edges, n=leaves + 2 + tail)
    options = replace(QUICK["fast"], flow_vertices=dag.n, flow_nodes=dag.n)
    for k in (2, 5):
        engine = engine_of(dag, k)
        labels = engine.solve(options, 0)
        assert_legal(dag, labels, k)
        assert engine.score(labels) == counted(dag, labels, k, max_part_weight(dag.total_weight, k, 0.03))
        assert engine.score(labels)[0] == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_zero_weights(preset):
    dag = random_dag(600, 3, 11, edge_weights=(0, 0))
    engine = engine_of(dag, 4)
    labels = engine.solve(QUICK[preset], 0)
    assert_legal(dag, labels, 4)
    assert engine.score(labels) == (0, 0)
    dag = random_dag(600, 3, 11, vertex_weights=(0, 0))
    engine = engine_of(dag, 4, cap=1)
    labels = engine.solve(QUICK[preset], 0)
    assert_legal(dag, labels, 4)
    assert engine.score(labels) == counted(dag, labels, 4, 1)


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=25)
@given(data=st.data(), dag=dags(weights=st.integers(0, 2**62 // (4 * 14 + 1))))
def test_huge_weights_on_small_graphs(preset, data, dag):
    k = data.draw(st.integers(1, dag.n))
    cap = max_part_weight(dag.total_weight, k, 0.03)
    engine = engine_of(dag, k, cap)
    labels = engine.solve(QUICK[preset], 0)
    assert_legal(dag, labels, k)
    assert engine.score(labels) == counted(dag, labels, k, cap)
    child = engine.combine(labels, engine.split(QUICK[preset]), QUICK[preset], 1)
    assert engine.score(child) <= engine.score(labels)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("k", [2, 6])
def test_huge_weights(preset, k):
    n, degree = 900, 3
    most = (2**62 - 1) // (n * degree)
    heaviest = (2**62 - 1) // n
    dag = random_dag(n, degree, 13, edge_weights=(most // 2, most), vertex_weights=(heaviest // 2, heaviest))
    assert dag.total_weight > 2**61
    assert int(dag.edge_weights.sum()) > 2**60
    cap = max_part_weight(dag.total_weight, k, 0.03)
    engine = engine_of(dag, k, cap)
    labels = engine.solve(QUICK[preset], 0)
    assert_legal(dag, labels, k)
    assert engine.score(labels) == counted(dag, labels, k, cap)
    assert engine.score(labels)[0] == 0


def test_one_edge_of_almost_all_the_weight():
    edges = [(i, i + 1) for i in range(9)]
    weights = np.ones(9, dtype=np.int64)
    weights[4] = 2**61
    dag = Dag.from_edges(edges, n=10, edge_weights=weights)
    labels = engine_of(dag, 2, cap=6).solve(QUICK["default"], 0)
    assert_legal(dag, labels, 2)
    assert counted(dag, labels, 2, 6) == (0, 1)


def test_expired_stop_ends_with_out_of_time():
    dag = random_dag(3000, 3, 2)
    engine = engine_of(dag, 4)
    stop = Stop()
    stop.expire()
    labels = engine.split(QUICK["fast"])
    with pytest.raises(OutOfTime):
        engine.solve(QUICK["default"], 0, stop=stop)
    with pytest.raises(OutOfTime):
        engine.solve(QUICK["default"], 0, threads=2, stop=stop)
    with pytest.raises(OutOfTime):
        engine.combine(labels, labels, QUICK["default"], 0, stop=stop)
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        engine.solve(QUICK["default"], 0, stop=stop)
    # What one call watched means nothing to the next.
    assert_legal(dag, engine.solve(replace(QUICK["fast"], check=False), 0), 4)


def test_options_of_one_call_leave_the_engine_as_it_was():
    dag = random_dag(500, 3, 21)
    engine = engine_of(dag, 3)
    labels = engine.solve(QUICK["fast"], 0)
    engine.solve(Options(small_rounds=0), 5)
    engine.combine(labels, labels, QUICK["default"], 3)
    assert (engine.solve(QUICK["fast"], 0) == labels).all()
