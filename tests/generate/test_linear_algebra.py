"""Tiled factorizations and the task-flow rule under them."""

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
from dagpart.generate.task_flow import last_writer_edges


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=4),
        max_size=12,
    )
)
def test_last_writer_edges_equal_a_run_of_the_program(program):
    """`program` lists, for each task, the data it reads (False) or writes (True)."""
    writer: dict[int, int] = {}
    expected = set()
    for task, accesses in enumerate(program):
        expected |= {(writer[datum], task) for datum, _ in accesses if datum in writer}
        writer.update({datum: task for datum, write in accesses if write})
    flat = [(task, datum, write) for task, accesses in enumerate(program) for datum, write in accesses]
    table = np.array(flat, dtype=np.int64).reshape(-1, 3)
    edges = last_writer_edges(table[:, 0], table[:, 1], table[:, 2].astype(bool))
    assert [tuple(edge) for edge in edges.tolist()] == sorted(expected)


def plain_cholesky(tiles):
    """Edges from a run of the factorization that remembers who wrote each tile."""
    writer, edges, count = {}, set(), 0

    def task(reads, write):
        nonlocal count
        edges.update((writer[tile], count) for tile in [*reads, write] if tile in writer)
        writer[write] = count
        count += 1

    for k in range(tiles):
        task([], (k, k))
        for i in range(k + 1, tiles):
            task([(k, k)], (i, k))
        for i in range(k + 1, tiles):
            task([(i, k)], (i, i))
            for j in range(k + 1, i):
                task([(i, k), (j, k)], (i, j))
    return count, edges


@pytest.mark.parametrize("tiles", range(1, 9))
def test_cholesky_equals_a_run_of_the_program(tiles):
    dag = generate.cholesky(tiles)
    count, edges = plain_cholesky(tiles)
    source = np.repeat(np.arange(dag.n), np.diff(dag.indptr)).tolist()
    assert dag.n == count == tiles * (tiles + 1) * (tiles + 2) // 6
    assert set(zip(source, dag.indices.tolist(), strict=True)) == edges
    # The critical path alternates POTRF, TRSM and SYRK.
    assert dag.levels.max() + 1 == 3 * tiles - 2


def test_cholesky_equals_the_bench_graph():
    reference = Dag.from_scipy(scipy.io.mmread(shared("data/bench_graphs/cholesky_48.mtx.gz")))
    assert generate.cholesky(48) == reference


def test_arguments_out_of_range():
    with pytest.raises(DagpartError, match="tiles must be at least 1"):
        generate.cholesky(0)
