"""Butterfly and layered random DAG."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.io
from _data import shared
from hypothesis import given
from hypothesis import strategies as st

from dagpart import generate
from dagpart.dag import Dag
from dagpart.errors import DagpartError


def ends(dag):
    return np.repeat(np.arange(dag.n), np.diff(dag.indptr)), dag.indices


@pytest.mark.parametrize("stages", range(7))
def test_fft_has_one_path_from_every_input_to_every_output(stages):
    points = 2**stages
    dag = generate.fft(points)
    assert (dag.n, dag.m) == (points * (stages + 1), 2 * points * stages)
    paths = np.linalg.matrix_power(dag.to_scipy().toarray(), stages)
    assert (paths[:points, -points:] == 1).all()


def test_fft_equals_the_bench_graph():
    reference = Dag.from_scipy(scipy.io.mmread(shared("data/bench_graphs/fft_13.mtx.gz")))
    assert generate.fft(2**13) == reference


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: generate.fft(12), "points must be a power of two, got 12"),
        (lambda: generate.fft(0), "points must be at least 1"),
        (lambda: generate.layered(0, 1), "layers must be at least 1"),
        (lambda: generate.layered(2, 2, degree=0), "degree must be at least 1"),
        (lambda: generate.layered(2, 2, skip=1.5), "skip must be from 0.0 to 1.0"),
        (lambda: generate.layered(2, 2, spread=float("inf")), "spread must be a finite number"),
    ],
)
def test_arguments_out_of_range(call, message):
    with pytest.raises(DagpartError, match=message):
        call()
