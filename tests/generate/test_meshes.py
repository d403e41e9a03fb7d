"""Meshes: sizes in closed form, edges against NetworkX and SciPy, numberings, determinism."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.spatial
from _data import shared
from hypothesis import given
from hypothesis import strategies as st

from dagpart import generate
from dagpart.dag import Dag
from dagpart.errors import DagpartError


def edges_of(dag):
    source = np.repeat(np.arange(dag.n), np.diff(dag.indptr))
    return set(zip(source.tolist(), dag.indices.tolist(), strict=True))


def undirected_grid(*shape):
    """NetworkX's grid, its nodes numbered with the last coordinate fastest."""
    grid = nx.grid_graph(shape[::-1])
    return nx.relabel_nodes(grid, {node: int(np.ravel_multi_index(node, shape)) for node in grid})


@given(rows=st.integers(1, 7), columns=st.integers(1, 7))
def test_grid2d_is_networkx_grid_from_low_to_high(rows, columns):
    dag = generate.grid2d(rows, columns)
    assert (dag.n, dag.m) == (rows * columns, 2 * rows * columns - rows - columns)
    expected = {(min(e), max(e)) for e in undirected_grid(rows, columns).edges} if dag.n > 1 else set()
    assert edges_of(dag) == expected


@given(nx_=st.integers(1, 4), ny=st.integers(1, 4), nz=st.integers(1, 4))
def test_grid3d_is_networkx_grid_from_low_to_high(nx_, ny, nz):
    dag = generate.grid3d(nx_, ny, nz)
    assert dag.m == 3 * nx_ * ny * nz - nx_ * ny - ny * nz - nx_ * nz
    expected = {(min(e), max(e)) for e in undirected_grid(nz, ny, nx_).edges} if dag.n > 1 else set()
    assert edges_of(dag) == expected


@pytest.mark.parametrize(("name", "size"), [("grid2d", 30), ("grid3d", 8)])
def test_a_random_order_renumbers_the_same_grid(name, size):
    make = getattr(generate, name)
    natural, shuffled = make(size), make(size, order="random")
    assert edges_of(natural) != edges_of(shuffled)
    assert all(u < v for u, v in edges_of(shuffled))
    as_graphs = [nx.Graph(edges_of(dag)) for dag in (natural, shuffled)]
    assert nx.faster_could_be_isomorphic(*as_graphs)
    # At random, the share of vertices below all their d neighbours is about 1 / (d + 1).
    assert np.mean(np.diff(shuffled.pred_indptr) == 0) > 1 / 8


@pytest.mark.parametrize("order", ["x", "random"])
def test_delaunay_is_the_planar_triangulation_of_its_points(order):
    n = 500
    dag = generate.delaunay(n, order=order)
    points = np.random.default_rng(0).random((n, 2))
    hull = len(scipy.spatial.ConvexHull(points).vertices)
    assert (dag.n, dag.m) == (n, 3 * n - 3 - hull)
    assert nx.check_planarity(nx.Graph(edges_of(dag)))[0]
    assert all(u < v for u, v in edges_of(dag))
    # Along x, edges join points that are near in number; at random they do not.
    span = np.mean([v - u for u, v in edges_of(dag)])
    assert (span < n / 8) == (order == "x")


@pytest.mark.parametrize("order", ["x", "random"])
def test_random_geometric_joins_what_is_near(order):
    n, degree = 400, 6.0
    dag = generate.random_geometric(n, degree=degree, order=order, seed=3)
    points = np.random.default_rng(3).random((n, 2))
    if order == "x":
        points = points[np.argsort(points[:, 0])]
    near = scipy.spatial.distance.squareform(scipy.spatial.distance.pdist(points)) <= np.sqrt(
        degree / (np.pi * n)
    )
    assert edges_of(dag) == set(zip(*(ids.tolist() for ids in np.nonzero(np.triu(near, 1))), strict=True))


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: generate.grid2d(20, order="random", seed=seed),
        lambda seed: generate.grid3d(7, order="random", seed=seed),
        lambda seed: generate.delaunay(200, seed=seed),
        lambda seed: generate.random_geometric(200, seed=seed),
    ],
)
def test_the_seed_decides(make):
    assert make(1) == make(1) == make(np.random.default_rng(1))
    assert make(1) != make(2)


@pytest.mark.parametrize(("name", "size"), [("grid2d_500", 500), ("grid3d_60", 60)])
def test_grids_equal_the_bench_graphs(name, size):
    reference = Dag.from_scipy(scipy.io.mmread(shared(f"data/bench_graphs/{name}.mtx.gz")))
    assert getattr(generate, name.split("_")[0])(size) == reference


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: generate.grid2d(0), "rows must be at least 1, got 0"),
        (lambda: generate.grid2d(3, 2.5), "columns=2.5 is no whole number"),
        (lambda: generate.grid2d(3, order="x"), "order must be 'natural' or 'random'"),
        (lambda: generate.grid3d(3, nz=-1), "nz"),
        (lambda: generate.delaunay(2), "n must be at least 3"),
        (lambda: generate.delaunay(5, order="y"), "order must be 'x' or 'random'"),
        (lambda: generate.random_geometric(5, degree=-1), "degree must be a finite number"),
        (lambda: generate.random_geometric(5, degree=float("nan")), "degree must be a finite number"),
    ],
)
def test_arguments_out_of_range(call, message):
    with pytest.raises(DagpartError, match=message):
        call()


@pytest.mark.parametrize(
    "make",
    [
        lambda **o: generate.grid2d(7, 9, **o),
        lambda **o: generate.grid3d(3, 4, 5, order="random", **o),
        lambda **o: generate.delaunay(60, **o),
        lambda **o: generate.random_geometric(60, **o),
    ],
)
def test_costs_are_those_of_a_triangular_solve(make):
    unit, dag = make(), make(weights="cost")
    assert dag == generate.sparse_solve(unit.to_scipy().T, triangle="lower", weights="cost")
    assert np.array_equal(dag.indices, unit.indices)
    assert dag.total_weight == 2 * dag.m + dag.n
    assert dag.total_edge_weight == 8 * dag.m
    with pytest.raises(DagpartError, match="weights must be 'unit' or 'cost'"):
        make(weights="flops")
