"""The kernel that fills parts one after another."""

from __future__ import annotations

import numpy as np
import pytest
from _plain import graphs
from hypothesis import given
from hypothesis import strategies as st

from dagpart._core.packing import longest_paths, pack


def arrays(plain):
    dag = plain.dag()
    return dag, (dag.indptr, dag.indices.astype(np.int32), dag.vertex_weights)


@given(graphs(max_n=20), st.integers(0, 30), st.randoms())
def test_each_part_takes_the_most_wanted_that_fits(plain, extra, random):
    _, given_arrays = arrays(plain)
    weights = plain.vertex_weights
    cap = max(weights) + extra
    wanted = random.sample(range(plain.n), plain.n)
    labels = [-1] * plain.n
    part, room = 0, cap
    before = {v: {u for u, w, _ in plain.edges if w == v} for v in range(plain.n)}
    while -1 in labels:
        ready = [v for v in wanted if labels[v] < 0 and all(labels[u] >= 0 for u in before[v])]
        fitting = [v for v in ready if weights[v] <= room]
        if not fitting:
            part, room = part + 1, cap
            continue
        labels[fitting[0]] = part
        room -= weights[fitting[0]]
    assert pack(*given_arrays, np.array(wanted, dtype=np.int32), cap).tolist() == labels


@given(graphs(max_n=15))
def test_longest_paths(plain):
    dag, given_arrays = arrays(plain)
    graph = plain.networkx
    found = longest_paths(*given_arrays, dag.order.astype(np.int32)).tolist()
    for v in range(plain.n):
        assert found[v] == plain.vertex_weights[v] + max((found[w] for w in graph.successors(v)), default=0)


def test_what_cannot_be_packed():
    order = np.arange(2, dtype=np.int32)
    heavy = np.array([1, 9])
    with pytest.raises(ValueError, match="a cycle, or a vertex above the cap"):
        pack(np.array([0, 1, 1]), np.array([1], dtype=np.int32), heavy, order, 8)
    with pytest.raises(ValueError, match="a cycle, or a vertex above the cap"):
        pack(np.array([0, 1, 2]), np.array([1, 0], dtype=np.int32), heavy, order, 9)
    assert pack(np.zeros(1, dtype=np.int64), order[:0], heavy[:0], order[:0], 0).tolist() == []
