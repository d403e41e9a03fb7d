"""Dependences of a sequential program from its accesses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagpart.errors import DagpartError
from dagpart.generate import linear_algebra, orthogonal
from dagpart.generate.programs import program
from dagpart.generate.task_flow import TaskFlow, last_writer_edges

READ, UPDATE, WRITE = "read", "update", "write"


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


def flow_of(tasks, sizes):
    flow = TaskFlow()
    data = flow.data(sizes)
    for number, accesses in enumerate(tasks):
        task = flow.submit("k", number, at=(number, 0))
        for datum, mode in accesses:
            getattr(flow, mode)(task, data[datum])
    return flow


def plain_edges(tasks, sizes, dependences, inputs):
    """Edges and their bytes, from a run of the program that remembers writers and readers."""
    writer, readers, edges, loaded = {}, {}, {}, []
    if inputs:
        first = {}
        for accesses in tasks:
            for datum in {datum for datum, _ in accesses}:
                first.setdefault(datum, not {(datum, READ), (datum, UPDATE)}.isdisjoint(accesses))
        loaded = sorted(datum for datum, reads in first.items() if reads)
        writer = {datum: number for number, datum in enumerate(loaded)}
    for number, accesses in enumerate(tasks, start=len(loaded)):
        read = {datum for datum, mode in accesses if mode != WRITE}
        written = {datum for datum, mode in accesses if mode != READ}
        for datum in read | written:
            if datum in writer:
                edge = writer[datum], number
                edges[edge] = edges.get(edge, 0) + (sizes[datum] if datum in read else 0)
        for datum in written:
            if dependences == "sequential":
                for reader in readers.get(datum, ()):
                    edges.setdefault((reader, number), 0)
            writer[datum], readers[datum] = number, set()
        for datum in read - written:
            readers.setdefault(datum, set()).add(number)
    return len(loaded), edges


@given(
    tasks=st.lists(
        st.lists(st.tuples(st.integers(0, 4), st.sampled_from([READ, UPDATE, WRITE])), max_size=5),
        min_size=1,
        max_size=12,
    ),
    dependences=st.sampled_from(["last-writer", "sequential"]),
    inputs=st.booleans(),
)
def test_graphs_equal_a_run_of_the_program(tasks, dependences, inputs):
    sizes = [1, 20, 300, 4000, 50000]
    flow = flow_of(tasks, sizes)
    loaded, expected = plain_edges(tasks, sizes, dependences, inputs)
    options = {"dependences": dependences, "inputs": inputs}
    dag = flow.dag(weights="cost", **options)
    source = np.repeat(np.arange(dag.n), np.diff(dag.indptr))
    edges = zip(source.tolist(), dag.indices.tolist(), strict=True)
    assert dict(zip(edges, dag.edge_weights.tolist(), strict=True)) == expected
    assert dag.vertex_weights.tolist() == [0] * loaded + list(range(len(tasks)))
    unit = flow.dag(**options)
    assert np.array_equal(unit.indices, dag.indices)
    assert (unit.edge_weights == 1).all()
    assert (unit.vertex_weights == 1).all()
    assert len(flow.block_cyclic(2, 2, inputs=inputs)) == dag.n


def test_tiles_are_dealt_out_in_blocks():
    flow = program("lu", 5, 7)
    labels = flow.block_cyclic(2, 3)
    # The first step: the pivot, 4 tiles below it, 6 to its right, and the 24 that are left.
    places = [(0, 0)] + [(i, 0) for i in range(1, 5)] + [(0, j) for j in range(1, 7)]
    places += [(i, j) for i in range(1, 5) for j in range(1, 7)]
    assert labels[: len(places)].tolist() == [i % 2 * 3 + j % 3 for i, j in places]
    assert labels.dtype == np.int32
    with_inputs = flow.block_cyclic(2, 3, inputs=True)
    assert with_inputs[:35].tolist() == [i % 2 * 3 + j % 3 for i in range(5) for j in range(7)]
    assert with_inputs[35:].tolist() == labels.tolist()


@pytest.mark.parametrize("name", ["butterfly_lu", "cholesky", "gemm", "lu", "lu_partial", "lu_qr", "qr"])
def test_a_program_makes_the_graph_of_its_generator(name):
    module = orthogonal if name in ("lu_qr", "qr") else linear_algebra
    flow = program(name, 4, tile=10)
    inputs = {"inputs": True} if name == "gemm" else {}
    dag = getattr(module, name)(4, tile=10, weights="cost")
    assert flow.dag(weights="cost", **inputs) == dag
    assert dag.vertex_weights[dag.n - flow.n :].tolist() == flow.flops.tolist()
    assert len(flow.kernels) == flow.n


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: program("svd", 3), "name must be 'butterfly_lu', .* or 'qr', got 'svd'"),
        (lambda: program("lu", 3).dag(weights="flops"), "weights must be 'unit' or 'cost', got 'flops'"),
        (lambda: program("lu", 3).dag(dependences="raw"), "dependences must be 'last-writer' or"),
        (lambda: program("lu", 3).block_cyclic(0, 1), "rows must be at least 1, got 0"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(DagpartError, match=message):
        call()


def test_an_empty_program():
    flow = TaskFlow()
    assert flow.dag().n == flow.dag(weights="cost", dependences="sequential", inputs=True).n == 0
    assert flow.block_cyclic(1, 1).size == 0
