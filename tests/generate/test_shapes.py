"""Chains, stars, fences, pyramids, trees, fork and join."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagpart import generate
from dagpart.errors import DagpartError

SHAPES = {
    "chain": lambda **o: generate.chain(50, **o),
    "star": lambda **o: generate.star(50, **o),
    "fence": lambda **o: generate.fence(50, **o),
    "pyramid": lambda **o: generate.pyramid(10, **o),
    "out_tree": lambda **o: generate.out_tree(50, shape="random", **o),
    "in_tree": lambda **o: generate.in_tree(50, **o),
    "fork_join": lambda **o: generate.fork_join(4, 10, **o),
}


def same_shape(dag, graph):
    return nx.is_isomorphic(dag.to_networkx(), graph)


def numbered_topologically(dag):
    return bool((np.repeat(np.arange(dag.n), np.diff(dag.indptr)) < dag.indices).all())


@pytest.mark.parametrize("n", [1, 2, 9])
def test_chains_stars_and_fences_equal_networkx(n):
    assert same_shape(generate.chain(n), nx.path_graph(n, create_using=nx.DiGraph))
    star = nx.DiGraph([(0, leaf) for leaf in range(1, n)]) if n > 1 else nx.empty_graph(1, nx.DiGraph)
    assert same_shape(generate.star(n), star)
    assert same_shape(generate.star(n, direction="in"), star.reverse())
    fence = generate.fence(n)
    assert nx.is_isomorphic(fence.to_networkx().to_undirected(), nx.path_graph(n))
    assert fence.levels.max() <= 1


@pytest.mark.parametrize("n", [4, 6, 14])
def test_closed_fences_are_rings(n):
    fence = generate.fence(n, closed=True)
    assert nx.is_isomorphic(fence.to_networkx().to_undirected(), nx.cycle_graph(n))
    assert np.diff(fence.indptr).tolist() == [2] * (n // 2) + [0] * (n // 2)


@given(base=st.integers(1, 30))
def test_pyramids(base):
    dag = generate.pyramid(base)
    assert (dag.n, dag.m) == (base * (base + 1) // 2, base * (base - 1))
    levels = dag.levels
    assert np.bincount(levels).tolist() == list(range(base, 0, -1))
    # The apex stands on every vertex, and one of row r on r + 1 neighbours of the first row.
    below = np.linalg.matrix_power(
        np.eye(dag.n, dtype=bool) | (dag.to_scipy().toarray() > 0), max(base - 1, 1)
    )
    assert below[:, -1].all()
    assert below[:base].sum(axis=0).tolist() == (levels + 1).tolist()


@pytest.mark.parametrize(("branching", "height"), [(1, 5), (2, 4), (3, 3)])
def test_full_trees_equal_networkx(branching, height):
    tree = nx.balanced_tree(branching, height, create_using=nx.DiGraph)
    assert set(generate.out_tree(len(tree), branching=branching).to_networkx().edges) == set(tree.edges)


@given(
    n=st.integers(1, 60),
    shape=st.sampled_from(["complete", "random"]),
    branching=st.integers(1, 4),
    seed=st.integers(0, 9),
)
def test_trees(n, shape, branching, seed):
    out = generate.out_tree(n, shape=shape, branching=branching, seed=seed)
    assert nx.is_arborescence(out.to_networkx())
    assert numbered_topologically(out)
    into = generate.in_tree(n, shape=shape, branching=branching, seed=seed)
    flipped = {(n - 1 - v, n - 1 - u) for u, v in out.to_networkx().edges}
    assert set(into.to_networkx().edges) == flipped
    if shape == "complete":
        assert np.diff(out.indptr).max() <= branching
        depth = np.bincount(out.levels)
        assert depth[:-1].tolist() == [branching**level for level in range(len(depth) - 1)]


def test_random_recursive_trees_are_shallow():
    # The expected depth of the last vertex is the harmonic number of n - 1.
    depths = [int(generate.out_tree(1000, shape="random", seed=seed).levels[-1]) for seed in range(200)]
    assert np.mean(depths) == pytest.approx(sum(1 / k for k in range(1, 1000)), abs=0.6)


@given(stages=st.integers(1, 6), width=st.integers(1, 6))
def test_fork_join(stages, width):
    dag = generate.fork_join(stages, width)
    assert (dag.n, dag.m) == (stages * (width + 1) + 1, 2 * stages * width)
    points = np.arange(stages + 1) * (width + 1)
    assert dag.levels[points].tolist() == list(range(0, 2 * stages + 1, 2))
    tasks = np.setdiff1d(np.arange(dag.n), points)
    assert (np.diff(dag.indptr)[tasks] == 1).all()
    assert (np.diff(dag.pred_indptr)[tasks] == 1).all()


@pytest.mark.parametrize("name", SHAPES)
def test_costs_have_the_ratio(name):
    unit = SHAPES[name]()
    assert numbered_topologically(unit)
    assert (unit.vertex_weights == 1).all()
    assert (unit.edge_weights == 1).all()
    for ccr in (0.0, 0.5, 20.0):
        dag = SHAPES[name](weights="cost", ccr=ccr, seed=3)
        assert np.array_equal(dag.indices, SHAPES[name](seed=3).indices)
        assert dag.total_edge_weight == round(ccr * dag.total_weight * dag.m / dag.n)
        assert dag == SHAPES[name](weights="cost", ccr=ccr, seed=3)
    assert SHAPES[name](weights="cost", seed=1) != SHAPES[name](weights="cost", seed=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: generate.chain(0), "n must be at least 1"),
        (lambda: generate.chain(10**12), "a graph of 1000000000000 vertices does not fit in memory"),
        (lambda: generate.chain(3, weights="flops"), "weights must be 'unit' or 'cost'"),
        (lambda: generate.chain(3, ccr=-1), "ccr must be a finite number from 0.0 up"),
        (lambda: generate.chain(3, weights="cost", ccr=1e300), "ccr must be at most"),
        (lambda: generate.star(3, direction="up"), "direction must be 'out' or 'in'"),
        (lambda: generate.fence(5, closed=True), "n must be even for a closed fence, got 5"),
        (lambda: generate.fence(2, closed=True), "n must be at least 4"),
        (lambda: generate.out_tree(5, shape="binary"), "shape must be 'complete' or 'random'"),
        (lambda: generate.in_tree(5, branching=0), "branching must be at least 1"),
        (lambda: generate.fork_join(0, 1), "stages must be at least 1"),
        (lambda: generate.pyramid(10**6), "does not fit in memory"),
    ],
)
def test_arguments_out_of_range(call, message):
    with pytest.raises(DagpartError, match=message):
        call()
