"""Transforms, stencils, fast products, divide and conquer."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
import scipy.io
from _data import shared
from hypothesis import given
from hypothesis import strategies as st

from dagpart import generate
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate.algorithms import _SCHEMES


def edges_of(dag):
    source = np.repeat(np.arange(dag.n), np.diff(dag.indptr)).tolist()
    return dict(zip(zip(source, dag.indices.tolist(), strict=True), dag.edge_weights.tolist(), strict=True))


@pytest.mark.parametrize("stages", range(7))
def test_fft_has_one_path_from_every_input_to_every_output(stages):
    points = 2**stages
    dag = generate.fft(points)
    assert (dag.n, dag.m) == (points * (stages + 1), 2 * points * stages)
    paths = np.linalg.matrix_power(dag.to_scipy().toarray(), stages)
    assert (paths[:points, -points:] == 1).all()
    cost = generate.fft(points, weights="cost")
    # The textbook's 5 n log2 n.
    assert cost.total_weight == 5 * points * stages
    assert cost.total_edge_weight == 16 * dag.m


def test_fft_equals_the_bench_graph():
    reference = Dag.from_scipy(scipy.io.mmread(shared("data/bench_graphs/fft_13.mtx.gz")))
    assert generate.fft(2**13) == reference


# ---------------------------------------------------------------------- stencils


@given(
    cells=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    steps=st.integers(0, 3),
    radius=st.integers(0, 3),
    shape=st.sampled_from(["star", "box"]),
    periodic=st.booleans(),
)
def test_stencils_equal_a_run_over_all_cells(cells, steps, radius, shape, periodic):
    expected = {}
    number = {cell: i for i, cell in enumerate(np.ndindex(*cells))}
    count = len(number)
    for cell, i in number.items():
        for offset in itertools.product(range(-radius, radius + 1), repeat=len(cells)):
            if shape == "star" and sum(map(bool, offset)) > 1:
                continue
            other = tuple(c + o for c, o in zip(cell, offset, strict=True))
            if periodic:
                other = tuple(c % side for c, side in zip(other, cells, strict=True))
            if other in number:
                for step in range(steps):
                    expected[step * count + number[other], (step + 1) * count + i] = 8
    dag = generate.stencil(cells, steps, radius=radius, shape=shape, periodic=periodic, weights="cost")
    assert edges_of(dag) == expected
    indegree = np.diff(dag.pred_indptr)
    assert dag.vertex_weights.tolist() == np.where(indegree == 0, 0, 2 * indegree - 1).tolist()


def test_stencil_counts():
    # Five points, with 4 sides of cells that lack one.
    assert generate.stencil([40, 30], 7).m == 7 * (5 * 1200 - 2 * 40 - 2 * 30)
    assert generate.stencil([10, 10, 10], 2, shape="box", periodic=True).m == 2 * 27 * 1000
    assert generate.stencil(10, 2, radius=2) == generate.stencil([10], 2, radius=2, shape="box")
    assert generate.stencil(50, 8).levels.max() == 8


# ---------------------------------------------------------------------- fast products


@pytest.mark.parametrize("variant", _SCHEMES)
def test_schemes_multiply(variant):
    """There are signs that make the additions and products of the scheme a matrix product."""
    scheme = _SCHEMES[variant]
    signs = {"strassen": "+++--+-+-+", "winograd": "+-------"}[variant]
    after_signs = {"strassen": "+-+++-++", "winograd": "+++++-+"}[variant]
    rng = np.random.default_rng(0)
    A, B = rng.integers(-9, 10, (2, 2, 2))
    values = [*A.ravel(), *B.ravel()]
    for (left, right), sign in zip(scheme.before, signs, strict=True):
        values.append(values[left] + values[right] if sign == "+" else values[left] - values[right])
    results = [values[left] * values[right] for left, right in scheme.products]
    for (left, right), sign in zip(scheme.after, after_signs, strict=True):
        results.append(results[left] + results[right] if sign == "+" else results[left] - results[right])
    assert [results[7 + k] for k in scheme.results] == (A @ B).ravel().tolist()


@pytest.mark.parametrize(("variant", "additions"), [("strassen", 18), ("winograd", 15)])
@pytest.mark.parametrize("levels", range(4))
def test_strassen_counts(variant, additions, levels):
    leaf = 4
    dag = generate.strassen(levels, variant=variant, leaf=leaf, weights="cost")
    assert dag.n == 7**levels + additions * (7**levels - 1) // 6
    order = leaf * 2**levels
    adding = sum(7**level * additions * (order // 2 ** (level + 1)) ** 2 for level in range(levels))
    assert dag.total_weight == 7**levels * (2 * leaf**3 - leaf**2) + adding
    unit = generate.strassen(levels, variant=variant, leaf=leaf)
    assert np.array_equal(unit.indices, dag.indices)
    assert (unit.edge_weights == 1).all()


@pytest.mark.filterwarnings("ignore:The hashes produced")
@pytest.mark.parametrize("variant", _SCHEMES)
def test_strassen_of_two_levels_equals_a_plain_recursion(variant):
    scheme = _SCHEMES[variant]
    G = nx.MultiDiGraph()

    def sources(value):
        return [value] if isinstance(value, str) else [v for part in value or () for v in sources(part)]

    def add(name, values):
        G.add_node(name)
        G.add_edges_from((source, name) for value in values for source in sources(value))
        return name

    def multiply(name, a, b, level):
        """Operands are the vertex that made them, or None; results a vertex, or one for each quadrant."""
        if level == 0:
            return add(f"{name}*", [a, b])
        values = [a] * 4 + [b] * 4
        for k, (left, right) in enumerate(scheme.before):
            values.append(add(f"{name}b{k}", [values[left], values[right]]))
        results = [
            multiply(f"{name}{k}.", values[left], values[right], level - 1)
            for k, (left, right) in enumerate(scheme.products)
        ]
        for k, (left, right) in enumerate(scheme.after):
            results.append(add(f"{name}a{k}", [results[left], results[right]]))
        return [results[7 + k] for k in scheme.results]

    multiply("", None, None, 2)
    expected = nx.DiGraph(G)
    dag = generate.strassen(2, variant=variant)
    assert (dag.n, dag.m) == (expected.number_of_nodes(), expected.number_of_edges())
    assert nx.weisfeiler_lehman_graph_hash(dag.to_networkx()) == nx.weisfeiler_lehman_graph_hash(expected)
    assert dag.levels.max() == nx.dag_longest_path_length(expected)


def test_bytes_of_strassen():
    dag = generate.strassen(1, leaf=3, weights="cost")
    # Every sum and every product is one block of 9 numbers.
    assert (dag.edge_weights == 72).all()
    two = generate.strassen(2, leaf=3, weights="cost")
    # A sum of the outer level, of 288 bytes, is taken apart by the inner one by quadrants: two go to a
    # sum of two of them, one to a product. Whole sums are added up only on the way out.
    assert set(two.edge_weights.tolist()) == {72, 144, 288}


# ---------------------------------------------------------------------- divide and conquer


@pytest.mark.parametrize("branching", [1, 2, 3, 5])
@pytest.mark.parametrize("depth", range(4))
def test_divide_and_conquer(branching, depth):
    b, d = branching, depth
    dag = generate.divide_and_conquer(d, branching=b, leaf=4, weights="cost")
    inner = sum(b**level for level in range(d))
    assert (dag.n, dag.m) == (2 * inner + b**d, 2 * b * inner)
    # Every level does as much work as the whole problem has elements.
    assert dag.total_weight == 4 * b**d * (2 * d + 1)
    assert dag.levels.max() == 2 * d
    # It is its own reverse, up to the numbers.
    assert nx.is_isomorphic(dag.to_networkx(), dag.reverse().to_networkx())
    work = dag.vertex_weights
    assert all(nbytes == 8 * min(work[u], work[v]) for (u, v), nbytes in edges_of(dag).items())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: generate.fft(12), "points must be a power of two, got 12"),
        (lambda: generate.fft(0), "points must be at least 1"),
        (lambda: generate.fft(2**60), "vertices does not fit in memory"),
        (lambda: generate.fft(4, weights="flops"), "weights must be 'unit' or 'cost'"),
        (lambda: generate.stencil(0, 1), "cells must be at least 1"),
        (lambda: generate.stencil([], 1), "cells must have at least one dimension"),
        (lambda: generate.stencil(3, -1), "steps"),
        (lambda: generate.stencil(3, 1, shape="cross"), "shape must be 'star' or 'box'"),
        (lambda: generate.stencil([10**5, 10**5], 1), "does not fit in memory"),
        (lambda: generate.stencil(10**6, 10, radius=10**6), "edges does not fit in memory"),
        (lambda: generate.strassen(30), "does not fit in memory"),
        (lambda: generate.strassen(10**9), "does not fit in memory"),
        (lambda: generate.strassen(1, variant="karatsuba"), "variant must be 'strassen' or 'winograd'"),
        (lambda: generate.strassen(1, leaf=10**9), "leaf must be at most 65536"),
        (lambda: generate.divide_and_conquer(100), "does not fit in memory"),
        (lambda: generate.divide_and_conquer(10**10, branching=1), "does not fit in memory"),
        (lambda: generate.divide_and_conquer(2, branching=0), "branching must be at least 1"),
    ],
)
def test_arguments_out_of_range(call, message):
    with pytest.raises(DagpartError, match=message):
        call()
