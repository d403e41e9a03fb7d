"""Random task graphs and random costs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagpart import generate
from dagpart.errors import DagpartError


def ends(dag):
    return np.repeat(np.arange(dag.n), np.diff(dag.indptr)), dag.indices


@given(
    layers=st.integers(1, 8),
    width=st.integers(1, 8),
    degree=st.integers(1, 4),
    spread=st.none() | st.floats(0, 5),
    skip=st.floats(0, 1),
    reach=st.integers(1, 4),
    seed=st.integers(0, 5),
)
def test_layered_edges_keep_to_their_layers(layers, width, degree, spread, skip, reach, seed):
    options = {"degree": degree, "spread": spread, "skip": skip, "reach": reach, "seed": seed}
    dag = generate.layered(layers, width, **options)
    assert dag.n == layers * width
    source, target = ends(dag)
    span = target // width - source // width
    assert ((span >= 1) & (span <= reach)).all()
    indegree = np.diff(dag.pred_indptr)
    assert (indegree[:width] == 0).all()
    assert ((indegree[width:] >= 1) & (indegree[width:] <= degree)).all()
    assert (dag.edge_weights == 1).all()
    assert dag == generate.layered(layers, width, **options)


def test_layered_draws_as_it_says():
    dag = generate.layered(50, 1000, spread=4.0)
    source, target = ends(dag)
    span = target // 1000 - source // 1000
    deep = target >= 5000
    assert np.mean(span[deep] == 1) == pytest.approx(0.8, abs=0.02)
    assert np.bincount(span[deep])[2:] / deep.sum() == pytest.approx([0.05] * 4, abs=0.01)
    aside = (target - source + 500) % 1000 - 500
    assert aside.std() == pytest.approx(4.0, rel=0.05)
    assert generate.layered(50, 1000, spread=0.0, skip=0.0).m == 49_000
    assert generate.layered(50, 1000, seed=1) != generate.layered(50, 1000, seed=2)
    wide_source, wide_target = ends(generate.layered(50, 1000))
    assert ((wide_target - wide_source + 500) % 1000 - 500).std() == pytest.approx(1000 / 12**0.5, rel=0.05)


# ---------------------------------------------------------------------- Erdos-Renyi


@given(n=st.integers(1, 12), data=st.data(), seed=st.integers(0, 99))
def test_erdos_renyi_has_the_edges_asked_for(n, data, seed):
    m = data.draw(st.integers(0, n * (n - 1) // 2))
    dag = generate.erdos_renyi(n, m, seed=seed)
    source, target = ends(dag)
    assert (dag.n, dag.m) == (n, m)
    assert (source < target).all()
    assert dag == generate.erdos_renyi(n, m, seed=seed)


@pytest.mark.parametrize("options", [{"edges": 3}, {"edges": 8}, {"probability": 0.3}])
def test_every_pair_is_an_edge_equally_often(options):
    count, runs = np.zeros((5, 5)), 4000
    for seed in range(runs):
        count += generate.erdos_renyi(5, **options, seed=seed).to_scipy().toarray()
    chance = options.get("edges", 0) / 10 or options["probability"]
    pairs = count[np.triu_indices(5, 1)] / runs
    assert pairs == pytest.approx([chance] * 10, abs=4 * (chance * (1 - chance) / runs) ** 0.5)


def test_probability_of_edges():
    n, p = 2000, 0.004
    m = [generate.erdos_renyi(n, probability=p, seed=seed).m for seed in range(20)]
    pairs = n * (n - 1) / 2
    assert np.mean(m) == pytest.approx(pairs * p, abs=4 * (pairs * p / 20) ** 0.5)
    assert len(set(m)) > 10
    assert generate.erdos_renyi(50, probability=0.0).m == 0
    assert generate.erdos_renyi(50, probability=1.0).m == 1225
    assert generate.erdos_renyi(50, probability=1e-300).m == 0
    assert generate.erdos_renyi(1, probability=0.5).m == 0


def test_pairs_far_down_the_list():
    from dagpart.generate.random_graphs import _pair

    n = 130_000_000
    high = np.concatenate((np.arange(1, 50), n - 50 + np.arange(50), 2 ** np.arange(1, 26)))
    for low in (np.zeros_like(high), high // 2, high - 1):
        got = _pair(high * (high - 1) // 2 + low)
        assert np.array_equal(got[0], low)
        assert np.array_equal(got[1], high)


# ---------------------------------------------------------------------- series-parallel


def is_series_parallel(dag):
    """Whether replacing paths and parallel edges by single edges leaves one edge from source to sink."""
    G = nx.MultiDiGraph(dag.to_networkx())
    ready = list(G)
    while ready:
        v = ready.pop()
        if v not in G:
            continue
        for u in set(G.successors(v)):
            G.remove_edges_from([(v, u, key) for key in list(G[v][u])[1:]])
        for u in set(G.predecessors(v)):
            G.remove_edges_from([(u, v, key) for key in list(G[u][v])[1:]])
        if G.in_degree(v) == G.out_degree(v) == 1:
            (before,), (after,) = G.predecessors(v), G.successors(v)
            G.remove_node(v)
            G.add_edge(before, after)
            ready += [before, after]
    return list(G.edges(keys=False)) == [(0, dag.n - 1)]


@given(n=st.integers(2, 80), parallel=st.floats(0, 1), seed=st.integers(0, 99))
def test_series_parallel_graphs_can_be_taken_apart(n, parallel, seed):
    dag = generate.series_parallel(n, parallel=parallel, seed=seed)
    assert dag.n == n
    assert dag.dropped.duplicates_merged == 0
    source, target = ends(dag)
    assert (source < target).all()
    assert np.flatnonzero(np.diff(dag.pred_indptr) == 0).tolist() == [0]
    assert np.flatnonzero(np.diff(dag.indptr) == 0).tolist() == [n - 1]
    assert is_series_parallel(dag)
    assert dag == generate.series_parallel(n, parallel=parallel, seed=seed)


def test_the_check_of_series_parallel_graphs_can_fail():
    assert not is_series_parallel(generate.grid2d(3, 3))


def test_series_parallel_shapes():
    assert generate.series_parallel(30, parallel=0.0) == generate.chain(30)
    wide = generate.series_parallel(30, parallel=1.0)
    assert wide.levels.max() == 2
    assert generate.series_parallel(2).m == 1
    heights = [generate.series_parallel(5000, parallel=p).levels.max() for p in (0.2, 0.5, 0.8)]
    assert heights == sorted(heights, reverse=True)


# ---------------------------------------------------------------------- given ratio


@given(
    n=st.integers(1, 200),
    fat=st.floats(0, 20),
    degree=st.floats(1, 6),
    jump=st.integers(1, 4),
    seed=st.integers(0, 9),
)
def test_random_dags_keep_to_their_levels(n, fat, degree, jump, seed):
    options = {"fat": fat, "degree": degree, "jump": jump, "seed": seed}
    dag = generate.random_dag(n, **options)
    source, target = ends(dag)
    levels = dag.levels
    assert dag.n == n
    assert (np.diff(levels) >= 0).all()
    assert ((levels[target] - levels[source]) <= jump).all()
    assert dag == generate.random_dag(n, **options)
    assert np.array_equal(dag.indices, generate.random_dag(n, weights="unit", **options).indices)


def test_random_dags_are_as_wide_as_asked_for():
    for fat in (0.2, 1.0, 5.0):
        dag = generate.random_dag(10_000, fat=fat, seed=1)
        assert 10_000 / (dag.levels.max() + 1) == pytest.approx(fat * 100, rel=0.25)
    dag = generate.random_dag(20_000, fat=10.0, degree=4.0)
    # Few are drawn twice in levels this wide.
    deep = dag.levels > 0
    assert np.diff(dag.pred_indptr)[deep].mean() == pytest.approx(4.0, rel=0.05)


@pytest.mark.parametrize("ccr", [0.0, 0.01, 0.1, 1.0, 10.0, 1000.0])
def test_costs_have_the_ratio(ccr):
    plain = generate.layered(20, 50)
    dag = generate.random_costs(plain, ccr=ccr, seed=4)
    assert np.array_equal(dag.indices, plain.indices)
    assert dag.total_edge_weight == round(ccr * dag.total_weight * dag.m / dag.n)
    assert dag.vertex_weights.min() >= 1
    assert dag.vertex_weights.max() <= 199
    assert dag.vertex_weights.mean() == pytest.approx(100, rel=0.1)
    assert dag == generate.random_costs(plain, ccr=ccr, seed=4)
    if ccr >= 1:
        # Uniform: the standard deviation is 1 / sqrt(3) of the mean.
        assert dag.edge_weights.std() / dag.edge_weights.mean() == pytest.approx(3**-0.5, rel=0.05)
        assert dag.edge_weights.max() <= 2.1 * dag.edge_weights.mean()
    made = generate.layered(20, 50, weights="cost", ccr=ccr)
    assert made.total_edge_weight == round(ccr * made.total_weight * made.m / made.n)


def test_costs_of_graphs_without_edges():
    assert generate.random_costs(generate.chain(1)).m == 0
    assert generate.erdos_renyi(5, 0, weights="cost").total_edge_weight == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: generate.layered(0, 1), "layers must be at least 1"),
        (lambda: generate.layered(2, 2, degree=0), "degree must be at least 1"),
        (lambda: generate.layered(2, 2, skip=1.5), "skip must be from 0.0 to 1.0"),
        (lambda: generate.layered(2, 2, spread=float("inf")), "spread must be a finite number"),
        (lambda: generate.layered(10**6, 10**6), "does not fit in memory"),
        (lambda: generate.layered(1000, 1000, degree=10**6), "edges does not fit in memory"),
        (lambda: generate.erdos_renyi(5), "give either edges or probability"),
        (lambda: generate.erdos_renyi(5, 3, probability=0.5), "give either edges or probability"),
        (lambda: generate.erdos_renyi(5, 11), "edges must be at most 10 for 5 vertices, got 11"),
        (lambda: generate.erdos_renyi(10**9, 5), "n must be at most 134217728, got 1000000000"),
        (lambda: generate.erdos_renyi(10**7, probability=0.5), "edges does not fit in memory"),
        (lambda: generate.erdos_renyi(5, probability=1.5), "probability must be from 0.0 to 1.0"),
        (lambda: generate.series_parallel(1), "n must be at least 2"),
        (lambda: generate.series_parallel(5, parallel=-0.1), "parallel must be from 0.0 to 1.0"),
        (lambda: generate.random_dag(5, fat=-1), "fat must be a finite number from 0.0 up"),
        (lambda: generate.random_dag(5, degree=0.5), "degree must be a finite number from 1.0 up"),
        (lambda: generate.random_dag(5, jump=0), "jump must be at least 1"),
        (lambda: generate.random_costs(generate.chain(5), ccr=-1), "ccr must be a finite number"),
    ],
)
def test_arguments_out_of_range(call, message):
    with pytest.raises(DagpartError, match=message):
        call()
