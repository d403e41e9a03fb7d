"""Graphs against NetworkX, dense matrices and plain Python."""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from _data import CASES
from hypothesis import example, given
from hypothesis import strategies as st

from dagpart.dag import Dag, Digraph, Dropped
from dagpart.errors import DagpartError, DirectionWarning, NotADagError, WeightError

FORMATS = ["csr", "csc", "coo", "bsr", "dia", "dok", "lil"]
INDEX_TYPES = [np.int32, np.int64]


@st.composite
def edge_lists(draw: st.DrawFn, max_n: int = 9, max_m: int = 30) -> tuple[int, list[tuple[int, int]]]:
    n = draw(st.integers(1, max_n))
    vertex = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(vertex, vertex), max_size=max_m))


def edges_of(graph: Digraph) -> dict[tuple[int, int], int]:
    """Weights by edge, read from the successors."""
    return {
        (u, int(graph.indices[p])): int(graph.edge_weights[p])
        for u in range(graph.n)
        for p in range(graph.indptr[u], graph.indptr[u + 1])
    }


def reversed_edges_of(graph: Digraph) -> dict[tuple[int, int], int]:
    """Weights by edge, read from the predecessors."""
    return {
        (int(graph.pred_indices[p]), v): int(graph.pred_edge_weights[p])
        for v in range(graph.n)
        for p in range(graph.pred_indptr[v], graph.pred_indptr[v + 1])
    }


def assert_well_formed(graph: Digraph) -> None:
    """All that the class promises of its arrays."""
    arrays = {
        "indptr": (graph.n + 1, np.int64),
        "indices": (graph.m, graph.indices.dtype),
        "edge_weights": (graph.m, np.int64),
        "pred_indptr": (graph.n + 1, np.int64),
        "pred_indices": (graph.m, graph.indices.dtype),
        "pred_edge_weights": (graph.m, np.int64),
        "vertex_weights": (graph.n, np.int64),
    }
    for name, (size, dtype) in arrays.items():
        array = getattr(graph, name)
        assert array.shape == (size,), name
        assert array.dtype == dtype, name
        assert not array.flags.writeable, name
        assert array.flags.c_contiguous, name
    assert graph.indices.dtype in INDEX_TYPES
    for starts, ids in ((graph.indptr, graph.indices), (graph.pred_indptr, graph.pred_indices)):
        assert starts[0] == 0
        assert starts[-1] == graph.m
        for v in range(graph.n):
            row = ids[starts[v] : starts[v + 1]].tolist()
            assert row == sorted(set(row) - {v})
    assert edges_of(graph) == reversed_edges_of(graph)
    assert graph.total_weight == sum(graph.vertex_weights.tolist())
    assert graph.total_edge_weight == sum(graph.edge_weights.tolist())


def is_cycle(graph: Digraph, cycle: list[int]) -> bool:
    edges = edges_of(graph)
    return len(set(cycle)) == len(cycle) and all(
        (u, v) in edges for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True)
    )


def networkx_of(n: int, edges: list[tuple[int, int]]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((u, v) for u, v in edges if u != v)
    return graph


@pytest.fixture(scope="module")
def cases() -> dict[str, dict[str, Any]]:
    found = json.loads((CASES / "cases.json").read_text())
    return {case["id"]: case for case in found}


class TestMerging:
    @given(edge_lists())
    def test_an_edge_list_with_loops_and_copies(self, case: tuple[int, list[tuple[int, int]]]) -> None:
        n, edges = case
        counts = Counter(edge for edge in edges if edge[0] != edge[1])
        loops = sum(u == v for u, v in edges)
        graph = Digraph.from_edges(edges, n)
        assert_well_formed(graph)
        assert (graph.n, graph.m) == (n, len(counts))
        assert edges_of(graph) == counts
        assert graph.dropped == Dropped(self_loops=loops, duplicates_merged=len(edges) - loops - len(counts))
        assert graph.vertex_weights.tolist() == [1] * n

    @given(edge_lists(), st.data())
    def test_weights_of_copies_are_added(
        self, case: tuple[int, list[tuple[int, int]]], data: st.DataObject
    ) -> None:
        n, edges = case
        weights = data.draw(st.lists(st.integers(0, 2**50), min_size=len(edges), max_size=len(edges)))
        expected: Counter[tuple[int, int]] = Counter()
        for (u, v), weight in zip(edges, weights, strict=True):
            if u != v:
                expected[u, v] += weight
        triples = [(u, v, w) for (u, v), w in zip(edges, weights, strict=True)]
        graph = Digraph.from_edges(triples, n)
        assert edges_of(graph) == expected
        array = np.array(edges, dtype=np.int64).reshape(-1, 2)
        assert Digraph.from_edges(array, n, edge_weights=weights) == graph
        coo = scipy.sparse.coo_array((weights, (array[:, 0], array[:, 1])), shape=(n, n), dtype=np.int64)
        assert Digraph.from_scipy(coo, edge_weights="values", zeros="keep") == graph
        order = np.argsort(array[:, 0], kind="stable")
        indptr = np.searchsorted(array[order, 0], np.arange(n + 1))
        rows = Digraph.from_csr(indptr, array[order, 1], np.array(weights, dtype=np.int64)[order])
        assert rows == graph
        multi = nx.MultiDiGraph()
        multi.add_nodes_from(range(n))
        multi.add_weighted_edges_from(triples)
        assert Digraph.from_networkx(multi) == graph
        assert Digraph.from_networkx(multi).dropped == graph.dropped

    @pytest.mark.parametrize("dtype", [np.int32, np.int64])
    def test_many_edges_in_no_order_some_of_them_often(self, dtype: type) -> None:
        n = 100_000
        ends = np.random.default_rng(0).integers(0, n, (30_000, 2)).astype(dtype)
        ends = np.concatenate(
            (ends, ends[::3], ends[::7], ends[:1], [[n - 1, 0], [0, n - 1], [5, 5]])
        ).astype(dtype)
        counts = Counter((u, v) for u, v in ends.tolist() if u != v)
        graph = Digraph.from_edges(ends, n)
        assert_well_formed(graph)
        assert edges_of(graph) == counts
        assert graph.dropped.duplicates_merged == len(ends) - graph.dropped.self_loops - len(counts)
        # The weights of the copies are added whichever way they are given.
        assert Digraph.from_edges(ends, n, edge_weights=np.ones(len(ends), dtype=np.int64)) == graph

    def test_graphs_without_edges_or_vertices(self) -> None:
        for graph in (
            Dag.from_edges([], 4),
            Dag.from_edges(np.zeros((0, 2)), 4),
            Dag.from_csr([0] * 5, []),
            Dag.from_scipy(scipy.sparse.csr_array((4, 4))),
        ):
            assert_well_formed(graph)
            assert (graph.n, graph.m, graph.order.tolist()) == (4, 0, [0, 1, 2, 3])
        for graph in (
            Dag.from_edges([]),
            Dag.from_csr([0], []),
            Dag.from_networkx(nx.DiGraph()),
            Dag.from_matrix(scipy.sparse.coo_array((0, 0))),
        ):
            assert_well_formed(graph)
            assert (graph.n, graph.m, graph.total_weight) == (0, 0, 0)
            assert graph.condense()[0] == graph


class TestCases:
    """Graphs on which other programs went wrong."""

    def test_loops_and_duplicates(self, cases: dict[str, dict[str, Any]]) -> None:
        case = cases["C13-loops-dups"]
        dag = Dag.from_edges(case["edges"], case["n"])
        assert edges_of(dag) == {(0, 1): 3, (1, 2): 1}
        assert dag.dropped == Dropped(self_loops=2, duplicates_merged=2)

    def test_no_edges(self, cases: dict[str, dict[str, Any]]) -> None:
        case = cases["C14-no-edges"]
        dag = Dag.from_edges(case["edges"], case["n"])
        assert (dag.n, dag.m) == (4, 0)

    def test_cycle(self, cases: dict[str, dict[str, Any]]) -> None:
        case = cases["X16-cycle-input"]
        with pytest.raises(NotADagError, match="0 -> 1 -> 2 -> 0") as caught:
            Dag.from_edges(case["edges"], case["n"])
        assert caught.value.cycle == [0, 1, 2]

    def test_deep_chain(self, cases: dict[str, dict[str, Any]]) -> None:
        n = cases["X18-deep-chain"]["n"]
        dag = Dag.from_edges(np.stack((np.arange(n - 1), np.arange(1, n)), axis=1))
        assert np.array_equal(dag.order, np.arange(n))
        assert np.array_equal(dag.levels, np.arange(n))

    def test_names_with_colons(self, cases: dict[str, dict[str, Any]]) -> None:
        dag = Dag.from_edges(cases["X19-dot-colon"]["edges"])
        assert dag.names == ("aaaa::bbbb", "cccc::dddd")

    def test_all_small_cases(self, cases: dict[str, dict[str, Any]]) -> None:
        for case in cases.values():
            if isinstance(case["edges"], list) and case["id"] != "X16-cycle-input":
                weights = case.get("vertex_weights")
                dag = Dag.from_edges(case["edges"], case["n"], vertex_weights=weights)
                assert_well_formed(dag)
                assert dag.total_weight == (sum(weights) if weights else case["n"])


class TestSparse:
    def test_a_lower_triangle_is_warned_of(self) -> None:
        lower = scipy.sparse.csr_array([[2, 0, 0], [-1, 2, 0], [0, -1, 2]])
        with pytest.warns(DirectionWarning, match=r"give Dag\.from_matrix\(A\) for the solve"):
            assert Dag.from_any(lower).indices.tolist() == [0, 1]
        Dag.from_any(lower.T)
        assert Dag.from_scipy(lower).indices.tolist() == [0, 1]
        assert Dag.from_matrix(lower, triangle="lower").indices.tolist() == [1, 2]

    @pytest.mark.filterwarnings("ignore::dagpart.errors.DirectionWarning")
    @pytest.mark.parametrize("index", INDEX_TYPES)
    @pytest.mark.parametrize("kind", ["array", "matrix"])
    @pytest.mark.parametrize("form", FORMATS)
    @given(data=st.data())
    def test_every_class_and_index_width(
        self, form: str, kind: str, index: type, data: st.DataObject
    ) -> None:
        n = data.draw(st.integers(1, 6))
        cells = data.draw(st.lists(st.integers(0, 3), min_size=n * n, max_size=n * n))
        dense = np.array(cells).reshape(n, n)
        A = getattr(scipy.sparse, f"{form}_{kind}")(dense)
        for name in ("indptr", "indices", "offsets"):
            if hasattr(A, name):
                setattr(A, name, getattr(A, name).astype(index))
        if form == "coo":
            A.row, A.col = A.row.astype(index), A.col.astype(index)
        expected = {
            (int(i), int(j)): int(dense[i, j]) for i, j in zip(*dense.nonzero(), strict=True) if i != j
        }
        plain = Digraph.from_scipy(A)
        assert_well_formed(plain)
        assert edges_of(plain) == dict.fromkeys(expected, 1)
        assert plain.dropped == Dropped(self_loops=np.count_nonzero(dense.diagonal()))
        assert edges_of(Digraph.from_scipy(A, edge_weights="values")) == expected
        assert Digraph.from_any(A) == plain

    @pytest.mark.parametrize("form", FORMATS)
    @pytest.mark.parametrize(
        "dtype", [np.bool_, np.int8, np.uint64, np.float32, np.float64, np.longdouble, np.complex128]
    )
    def test_numbers_of_every_type(self, form: str, dtype: type) -> None:
        A = scipy.sparse.coo_array((np.ones(2, dtype=dtype), ([0, 1], [1, 2])), shape=(3, 3)).asformat(form)
        assert edges_of(Digraph.from_scipy(A)) == {(0, 1): 1, (1, 2): 1}
        if dtype is np.complex128:
            with pytest.raises(WeightError, match="complex"):
                Digraph.from_scipy(A, edge_weights="values")
        else:
            assert edges_of(Digraph.from_scipy(A, edge_weights="values")) == {(0, 1): 1, (1, 2): 1}

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -1.0])
    def test_only_the_pattern_counts_unless_values_are_asked_for(self, bad: float) -> None:
        A = scipy.sparse.csr_array(np.array([[bad, bad], [0, 0]]))
        assert edges_of(Digraph.from_scipy(A)) == {(0, 1): 1}
        with pytest.raises(WeightError, match=f"edge 0 -> 1 has weight {bad}"):
            Digraph.from_scipy(A, edge_weights="values")

    def test_values_that_are_dropped_may_be_anything(self) -> None:
        A = scipy.sparse.csr_array(np.array([[np.nan, 2.0], [-1.0, 1j]]).real)
        dag = Dag.from_matrix(A, triangle="upper", edge_weights="values")
        assert edges_of(dag) == {(0, 1): 2}

    @pytest.mark.parametrize("form", ["csr", "csc", "coo"])
    def test_an_array_of_weights_goes_with_the_data(self, form: str) -> None:
        A = scipy.sparse.coo_array(([4, 5, 0, 7], ([0, 1, 1, 2], [2, 0, 1, 1])), shape=(3, 3)).asformat(form)
        graph = Digraph.from_scipy(A, edge_weights=A.data * 10)
        assert edges_of(graph) == {(0, 2): 40, (1, 0): 50, (2, 1): 70}
        with pytest.raises(WeightError, match="3 weights for 4 edges"):
            Digraph.from_scipy(A, edge_weights=[1, 2, 3])
        with pytest.raises(DagpartError, match="needs a matrix in csr, csc or coo format, not lil"):
            Digraph.from_scipy(A.tolil(), edge_weights=[1, 2, 3])

    def test_rows_that_are_neither_sorted_nor_summed(self) -> None:
        indptr, indices, data = [0, 4, 5, 5], [2, 1, 2, 1, 0], [1, 2, 3, 4, 5]
        for make in (scipy.sparse.csr_array, scipy.sparse.csr_matrix):
            A = make((data, indices, indptr), shape=(3, 3))
            graph = Digraph.from_scipy(A, edge_weights="values")
            assert edges_of(graph) == {(0, 1): 6, (0, 2): 4, (1, 0): 5}
            assert graph.dropped.duplicates_merged == 2
            assert edges_of(Digraph.from_scipy(A.T)) == {(1, 0): 2, (2, 0): 2, (0, 1): 1}

    @pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok"])
    def test_stored_zeros(self, form: str) -> None:
        A = scipy.sparse.coo_array(([0.0, 3.0, 0.0], ([0, 0, 1], [1, 2, 1])), shape=(3, 3)).asformat(form)
        stored = A.nnz if form != "lil" else A.tocoo().nnz
        dropped = Digraph.from_scipy(A)
        assert edges_of(dropped) == {(0, 2): 1}
        assert dropped.dropped == Dropped(explicit_zeros=stored - 1)
        kept = Digraph.from_scipy(A, zeros="keep", edge_weights="values")
        assert kept.dropped == Dropped(self_loops=1 if stored == 3 else 0)
        assert edges_of(kept) == ({(0, 1): 0, (0, 2): 3} if stored == 3 else {(0, 2): 3})

    @pytest.mark.parametrize("zeros", ["keep", "drop"])
    def test_zeros_that_only_fill_a_format_are_no_entries(self, zeros: str) -> None:
        dense = np.array([[0, 7, 0, 0], [0, 0, 0, 0], [0, 0, 0, 5], [0, 0, 0, 0]])
        for A in (scipy.sparse.dia_array(dense), scipy.sparse.bsr_array(dense, blocksize=(2, 2))):
            graph = Digraph.from_scipy(A, zeros=zeros)
            assert edges_of(graph) == {(0, 1): 1, (2, 3): 1}
            assert graph.dropped == Dropped()

    def test_a_block_of_one_is_an_entry(self) -> None:
        A = scipy.sparse.bsr_array((np.zeros((1, 1, 1)), [1], [0, 1, 1]), shape=(2, 2))
        assert Digraph.from_scipy(A).dropped == Dropped(explicit_zeros=1)
        assert edges_of(Digraph.from_scipy(A, zeros="keep")) == {(0, 1): 1}

    @pytest.mark.parametrize("form", FORMATS)
    def test_a_rectangular_matrix_is_refused_with_the_reason(self, form: str) -> None:
        A = scipy.sparse.csr_array((2, 3)).asformat(form)
        with pytest.raises(DagpartError, match=r"2 x 3.*square: row i and column i both stand for vertex i"):
            Digraph.from_scipy(A)

    def test_other_shapes_and_types_are_refused(self) -> None:
        with pytest.raises(DagpartError, match="1-dimensional"):
            Digraph.from_scipy(scipy.sparse.coo_array(np.array([1, 0])))
        with pytest.raises(DagpartError, match="ndarray is no SciPy sparse matrix"):
            Digraph.from_scipy(np.eye(2))
        with pytest.raises(DagpartError, match="zeros must be 'drop' or 'keep', got 'maybe'"):
            Digraph.from_scipy(scipy.sparse.csr_array((2, 2)), zeros="maybe")
        with pytest.raises(DagpartError, match="edge_weights='data'"):
            Digraph.from_scipy(scipy.sparse.csr_array((2, 2)), edge_weights="data")

    @pytest.mark.parametrize(
        ("form", "attribute", "value", "reason"),
        [
            ("csr", "indices", [5], "vertex id 5 is out of range"),
            ("csr", "indices", [-1], "vertex id -1 is out of range"),
            ("csr", "indices", [0.5], "float64"),
            ("csr", "indptr", [0, 3, 1], "falls from 3 to 1"),
            ("csr", "indptr", [0, 1, 10**9], "ends with 1000000000"),
            ("csr", "indptr", [0, 1], "2 vertices need 3"),
            ("csr", "indptr", [1, 1, 1], "starts with 1"),
            ("csr", "data", [], "there are 0"),
            ("csc", "indices", [7], "vertex id 7 is out of range"),
            ("csc", "indptr", [0, -1, 1], "falls from 0 to -1"),
            ("coo", "row", [2], "vertex id 2 is out of range"),
            ("coo", "col", [-1], "vertex id -1 is out of range"),
            ("coo", "data", [1, 2], "1 rows, 1 columns and 2 numbers"),
            ("bsr", "indices", [9], "vertex id 9 is out of range"),
            ("bsr", "indptr", [0, 5, 9], "ends with 9"),
            ("lil", "rows", [[9], []], "out of range|malformed"),
            ("lil", "rows", [["a"], []], "malformed"),
            ("dia", "offsets", [0, 1, 2, 3], "4 offsets and 1 diagonals"),
        ],
    )
    def test_a_matrix_that_was_damaged_is_refused(
        self, form: str, attribute: str, value: list[Any], reason: str
    ) -> None:
        A = scipy.sparse.csr_array(([1.0], [1], [0, 1, 1]), shape=(2, 2)).asformat(form)
        damaged = np.empty(len(value), dtype=object) if form == "lil" else np.array(value)
        if form == "lil":
            damaged[:] = value
        setattr(A, attribute, damaged)
        with pytest.raises(DagpartError, match=reason):
            Digraph.from_scipy(A)

    def test_room_behind_the_last_row_is_not_read(self) -> None:
        A = scipy.sparse.csr_array(([1.0, 2.0], [1, 1], [0, 1, 2]), shape=(2, 2))
        A.indptr = np.array([0, 1, 1], dtype=np.int32)
        assert edges_of(Digraph.from_scipy(A, edge_weights="values")) == {(0, 1): 1}


class TestMatrix:
    @given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n * n - 1)))))
    def test_triangles(self, case: tuple[int, list[int]]) -> None:
        n, cells = case
        A = scipy.sparse.coo_array(
            (np.ones(len(cells)), np.divmod(np.array(cells, dtype=int), n)), shape=(n, n)
        )
        counts = Counter((int(c) // n, int(c) % n) for c in cells)
        diagonal = sum(count for (i, j), count in counts.items() if i == j)
        upper = {(i, j): count for (i, j), count in counts.items() if i < j}
        lower = {(j, i): count for (i, j), count in counts.items() if i > j}
        for triangle, taken, other in (("upper", upper, lower), ("lower", lower, upper)):
            dag = Dag.from_matrix(A, triangle=triangle)
            assert_well_formed(dag)
            assert edges_of(dag) == taken
            assert dag.dropped == Dropped(
                self_loops=diagonal,
                duplicates_merged=sum(taken.values()) - len(taken),
                other_triangle=sum(other.values()),
            )
        assert Dag.from_matrix(A) == Dag.from_matrix(
            A, triangle="upper" if len(upper) >= len(lower) else "lower"
        )

    def test_copies_do_not_make_a_triangle_fuller(self) -> None:
        A = scipy.sparse.coo_array((np.ones(5), ([0, 0, 0, 1, 2], [1, 1, 1, 0, 0])), shape=(3, 3))
        assert edges_of(Dag.from_matrix(A)) == {(0, 1): 1, (0, 2): 1}

    def test_zeros_do_not_make_a_triangle_fuller(self) -> None:
        A = scipy.sparse.coo_array(([0.0, 0.0, 1.0], ([0, 0, 2], [1, 2, 1])), shape=(3, 3))
        dag = Dag.from_matrix(A)
        assert edges_of(dag) == {(1, 2): 1}
        assert dag.dropped == Dropped(explicit_zeros=2)
        assert edges_of(Dag.from_matrix(A, zeros="keep")) == {(0, 1): 1, (0, 2): 1}

    def test_a_wrong_triangle_is_refused(self) -> None:
        with pytest.raises(DagpartError, match="triangle must be 'auto', 'lower' or 'upper', got 'left'"):
            Dag.from_matrix(scipy.sparse.csr_array((2, 2)), triangle="left")


class TestCompressed:
    @pytest.mark.parametrize(
        ("indptr", "indices", "reason"),
        [
            ([0, 2], [0], "ends with 2, but there are 1"),
            ([0, 1], [0, 0], "ends with 1, but there are 2"),
            ([1, 1], [0], "starts with 1"),
            ([0, 2, 1], [0], "falls from 2 to 1 at vertex 1"),
            (np.array([0, 2, 1], dtype=np.uint64), [0], "falls from 2 to 1"),
            ([0, 1], [1], "vertex id 1 is out of range: with n=1 ids run from 0 to 0"),
            ([0, 1], [-1], "vertex id -1 is out of range"),
            ([0, 1], [0.5], "float64"),
            ([0.0, 1.0], [0], "float64"),
            ([0, 1], [True], "bool"),
            ([0, 1], ["a"], "<U1"),
            ([0, 2**64], [0], "does not fit in 64 bits"),
            (np.array([0, True], dtype=object), [0], "contain True"),
            ([], [], "indptr is empty"),
            ([0], [0], "ends with 0, but there are 1"),
            ([[0, 1]], [0], "shape"),
            ([0, 1], [[0], [1, 2]], "no array of integers"),
            (None, None, "one dimension"),
        ],
    )
    def test_malformed_rows_are_refused(self, indptr: object, indices: object, reason: str) -> None:
        with pytest.raises(DagpartError, match=reason):
            Digraph.from_csr(indptr, indices)

    @pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64, object])
    def test_integers_of_every_width(self, dtype: type) -> None:
        graph = Digraph.from_csr(np.array([0, 1, 2, 2], dtype), np.array([2, 0], dtype))
        assert edges_of(graph) == {(0, 2): 1, (1, 0): 1}
        pairs = np.array([[0, 2], [1, 0]], dtype)
        assert Digraph.from_edges(pairs) == graph

    def test_weights_that_are_zero_are_weights(self) -> None:
        graph = Digraph.from_csr([0, 1, 1], [1], [0])
        assert edges_of(graph) == {(0, 1): 0}
        assert graph.dropped == Dropped()


class TestEdges:
    @pytest.mark.parametrize(
        ("edges", "options", "reason"),
        [
            ([(0, -1)], {}, "vertex id -1 is out of range"),
            ([(0, 5)], {"n": 3}, "vertex id 5 is out of range: with n=3 ids run from 0 to 2"),
            ([(0, 0)], {"n": 0}, "no vertices"),
            ([(0, 1.0)], {}, "float64"),
            ([(0, None)], {}, "contain None"),
            ([(False, True)], {}, "bool"),
            ([(0, 2**70)], {}, "does not fit in 64 bits"),
            ([(0, 2**62)], {}, "does not fit in memory"),
            ([], {"n": 10**30}, "does not fit in memory"),
            ([], {"n": 10**13}, "does not fit in memory"),
            ([(0, 1), (1, 2, 3)], {}, "edge 1 has 3 fields"),
            ([(0,)], {}, "edge 0 has 1 fields"),
            (["ab"], {}, "one of them is of type str"),
            ([{0, 1}], {}, "one of them is of type set"),
            ([3], {}, "one of them is of type int"),
            ("ab", {}, "not str"),
            ({0: 1}, {}, "not dict"),
            (7, {}, "not int"),
            (np.zeros((2, 2)), {}, "float64"),
            (np.zeros((3, 3), dtype=int), {}, r"\(3, 3\).*csr_array"),
            (np.arange(4), {}, r"\(4,\)"),
            ([("a", None)], {}, "None is no vertex name"),
            ([("a", 0.5)], {}, "0.5 is no vertex name"),
            ([("a", ["b"])], {}, "must be hashable"),
            ([("a", "b")], {"n": 3}, "n=3, but 2 vertices have names"),
            ([("a", "z")], {"names": "abc"}, "'z' is not among the names given"),
            ([(0, 1)], {"names": "aba"}, "two vertices are called 'a'"),
            ([(0, 1)], {"names": "abc", "n": 2}, "3 names for 2 vertices"),
            ([(0, 1)], {"names": [[0], [1]]}, "must be hashable"),
            ([(0, 1)], {"names": 5}, "names=5"),
            ([(0, 1)], {"n": -1}, "n=-1 is negative"),
            ([(0, 1)], {"n": 2.5}, "n=2.5 is no whole number"),
            ([(0, 1)], {"n": "2"}, "n='2' is no whole number"),
            ([(0, 1)], {"index_dtype": np.int16}, "int16"),
            ([(0, 1)], {"index_dtype": "short text"}, "short text"),
        ],
    )
    def test_what_is_no_edge_list_is_refused(self, edges: Any, options: dict[str, Any], reason: str) -> None:
        with pytest.raises(DagpartError, match=reason):
            Digraph.from_edges(edges, **options)

    def test_any_iterable_will_do(self) -> None:
        wanted = {(0, 1): 1, (1, 2): 1}
        assert edges_of(Digraph.from_edges((i, i + 1) for i in range(2))) == wanted
        assert edges_of(Digraph.from_edges({(0, 1), (1, 2)})) == wanted
        assert edges_of(Digraph.from_edges([[0, 1], [1, 2]])) == wanted
        assert edges_of(Digraph.from_edges([np.array([0, 1]), np.array([1, 2])])) == wanted

    def test_names_are_numbered_as_they_appear(self) -> None:
        graph = Digraph.from_edges([("c", "a", 5), ("a", (1, 2), 6), (7, "c", 8)])
        assert graph.names == ("c", "a", (1, 2), 7)
        assert edges_of(graph) == {(0, 1): 5, (1, 2): 6, (3, 0): 8}
        assert Digraph.from_edges(np.array([["c", "a"]])).names == ("c", "a")

    def test_names_are_numbered_as_given(self) -> None:
        graph = Digraph.from_edges([("c", "a")], names="abc")
        assert graph.n == 3
        assert edges_of(graph) == {(2, 0): 1}
        assert Digraph.from_edges([(2, 0)], names="abc") == graph


class TestNetworkX:
    @given(edge_lists(), st.data())
    def test_there_and_back(self, case: tuple[int, list[tuple[int, int]]], data: st.DataObject) -> None:
        n, edges = case
        graph = nx.relabel_nodes(networkx_of(n, edges), lambda v: f"v{v}")
        weight = st.integers(0, 2**40)
        for _, attributes in graph.nodes(data=True):
            attributes["weight"] = data.draw(weight)
        for _, _, attributes in graph.edges(data=True):
            attributes["weight"] = data.draw(weight)
        made = Digraph.from_networkx(graph)
        assert_well_formed(made)
        assert made.names == tuple(graph)
        assert nx.utils.graphs_equal(made.to_networkx(), graph)
        assert Digraph.from_any(made.to_networkx()) == made

    def test_missing_weights_are_one(self) -> None:
        graph = nx.DiGraph([("a", "b", {"weight": 5, "cost": 7}), ("b", "c")])
        graph.nodes["a"]["weight"] = 3
        made = Digraph.from_networkx(graph)
        assert edges_of(made) == {(0, 1): 5, (1, 2): 1}
        assert made.vertex_weights.tolist() == [3, 1, 1]
        other = Digraph.from_networkx(graph, weight="cost", node_weight=None)
        assert edges_of(other) == {(0, 1): 7, (1, 2): 1}
        assert other.vertex_weights.tolist() == [1, 1, 1]
        assert edges_of(Digraph.from_networkx(graph, weight=None)) == {(0, 1): 1, (1, 2): 1}
        assert edges_of(Digraph.from_networkx(graph, edge_weights="unit")) == {(0, 1): 1, (1, 2): 1}

    def test_nodes_that_are_the_ids_need_no_names(self) -> None:
        assert Digraph.from_networkx(nx.DiGraph([(0, 1)])).names is None
        assert Digraph.from_networkx(nx.DiGraph([(1, 0)])).names == (1, 0)
        assert Digraph.from_networkx(nx.DiGraph([(False, True)])).names == (False, True)

    @pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
    def test_an_undirected_graph_is_refused_with_the_cure(self, kind: type) -> None:
        with pytest.raises(DagpartError, match=rf"a {kind.__name__} has no directions.*networkx.DiGraph\("):
            Digraph.from_any(kind([(0, 1)]))

    def test_an_attribute_that_is_no_number_is_named(self) -> None:
        with pytest.raises(WeightError, match="edge 'a' -> 'b' has weight 'much'"):
            Digraph.from_networkx(nx.DiGraph([("a", "b", {"weight": "much"})]))


class TestAny:
    def test_every_kind_of_input(self) -> None:
        dag = Dag.from_edges([(0, 1), (1, 2)])
        for graph in (
            dag,
            Digraph.from_any(dag),
            dag.to_scipy(),
            dag.to_networkx(),
            (dag.indptr, dag.indices),
            (dag.indptr.tolist(), dag.indices.tolist(), [1, 1]),
            [(0, 1), (1, 2)],
            ((0, 1), (1, 2)),
            ((0, 1, 1), (1, 2, 1)),
            np.array([[0, 1], [1, 2]]),
            iter([(0, 1), (1, 2)]),
        ):
            assert Dag.from_any(graph) == dag
        assert Dag(dag.to_scipy()) == dag
        assert Dag([(0, 1), (1, 2)], vertex_weights=[4, 5, 6]).total_weight == 15
        assert Dag.from_any(dag) is dag
        assert Digraph.from_any(dag) is dag

    def test_a_path_is_read(self, tmp_path: Any) -> None:
        path = tmp_path / "graph.mtx"
        path.write_text("%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 5\n2 3 0\n1 1 4\n")
        dag = Dag.from_any(path)
        assert edges_of(dag) == {(0, 1): 1}
        assert dag.dropped == Dropped(self_loops=1, explicit_zeros=1)
        dag = Dag.from_any(str(path), edge_weights="values", zeros="keep", vertex_weights=[1, 2, 3])
        assert edges_of(dag) == {(0, 1): 5, (1, 2): 0}
        assert dag.total_weight == 6

    @pytest.mark.parametrize("graph", [None, 3, 2.5, object(), b"graph", {0: [1]}])
    def test_what_is_no_graph_is_refused(self, graph: object) -> None:
        with pytest.raises(DagpartError, match=r"is no graph|edges are pairs"):
            Digraph.from_any(graph)

    def test_the_number_of_vertices_is_checked(self) -> None:
        assert Digraph.from_any([(0, 1)], n=5).n == 5
        assert Digraph.from_any(([0, 1, 1], [1]), n=2).n == 2
        with pytest.raises(DagpartError, match="n=5, but the graph has 2 vertices"):
            Digraph.from_any(([0, 1, 1], [1]), n=5)

    @pytest.mark.parametrize("index", INDEX_TYPES)
    def test_the_width_of_ids_makes_no_difference(self, index: type) -> None:
        edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 1)]
        graph = Digraph.from_edges(edges, index_dtype=index)
        assert graph.indices.dtype == graph.pred_indices.dtype == index
        assert graph == Digraph.from_edges(edges)
        assert hash(graph) == hash(Digraph.from_edges(edges))
        assert Digraph.from_any(Digraph.from_edges(edges), index_dtype=index).indices.dtype == index
        dag, membership = graph.condense()
        assert membership.dtype == dag.indices.dtype == dag.order.dtype == dag.levels.dtype == index
        assert membership.tolist() == [0, 2, 1, 2]

    def test_other_weights_and_names(self) -> None:
        dag = Dag.from_edges([(0, 1)])
        other = Dag.from_any(dag, names="ab", vertex_weights=[2, 3], edge_weights=[7])
        assert (other.names, other.total_weight, other.total_edge_weight) == (("a", "b"), 5, 7)
        assert (dag.names, dag.total_weight, dag.total_edge_weight) == (None, 2, 1)
        assert Dag.from_any(other, edge_weights="values") == other
        assert Dag.from_any(other, edge_weights="unit").total_edge_weight == 1
        with pytest.raises(DagpartError, match="3 names for 2 vertices"):
            Dag.from_any(dag, names="abc")
        with pytest.raises(WeightError, match="edge 'a' -> 'b' has weight -1"):
            other.with_weights(edge_weights=[-1])

    def test_weights_that_stay_keep_their_meaning_when_the_unit_changes(self) -> None:
        graph = Digraph.from_edges([(0, 1)], vertex_weights=[0.5, 1], edge_weights=[3])
        finer = graph.with_weights(edge_weights=[0.25])
        assert finer.weight_scale == finer.vertex_weight_scale == 100
        assert finer.vertex_weights.tolist() == [50, 100]
        assert finer.edge_weights.tolist() == finer.pred_edge_weights.tolist() == [25]
        assert graph.with_weights(vertex_weights=[1, 2]).weight_scale == 1


class TestImmutable:
    def test_nothing_can_be_changed(self) -> None:
        dag = Dag.from_edges([(0, 1)])
        with pytest.raises(AttributeError, match="a Dag is immutable"):
            dag.n = 3
        with pytest.raises(AttributeError, match="a Dag is immutable"):
            del dag.n
        for array in (dag.indptr, dag.order, dag.levels, dag.condense()[1]):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1

    def test_inputs_are_neither_changed_nor_shared(self) -> None:
        indptr = np.array([0, 2, 2, 2])
        indices = np.array([2, 1], dtype=np.int32)
        weights = np.array([5, 6])
        vertex_weights = np.array([1, 2, 3])
        pairs = np.array([[0, 1], [1, 2]])
        A = scipy.sparse.csr_array((weights.copy(), indices.copy(), indptr.astype(np.int32)), shape=(3, 3))
        made = [
            Digraph.from_csr(indptr, indices, weights, vertex_weights=vertex_weights),
            Digraph.from_edges(pairs, vertex_weights=vertex_weights, edge_weights=weights),
            Digraph.from_scipy(A, edge_weights="values", vertex_weights=vertex_weights),
        ]
        made.append(made[0].with_weights(edge_weights=weights, vertex_weights=vertex_weights))
        sources = [indptr, indices, weights, vertex_weights, pairs, A.data, A.indices, A.indptr]
        assert [array.tolist() for array in (indptr, indices, weights, vertex_weights)] == [
            [0, 2, 2, 2],
            [2, 1],
            [5, 6],
            [1, 2, 3],
        ]
        assert A.indices.tolist() == [2, 1]
        for array in sources:
            assert array.flags.writeable
            for graph in made:
                for value in vars(graph).values():
                    assert not (isinstance(value, np.ndarray) and np.shares_memory(value, array))

    def test_what_is_handed_out_as_scipy_or_networkx_is_a_copy(self) -> None:
        dag = Dag.from_edges([(0, 1, 5)])
        A = dag.to_scipy()
        A.data[0] = 7
        A.indices[0] = 0
        assert edges_of(dag) == {(0, 1): 5}

    @given(edge_lists())
    def test_pickles_and_copies_are_equal(self, case: tuple[int, list[tuple[int, int]]]) -> None:
        n, edges = case
        graph = Digraph.from_edges(
            [*edges, (0, n)],
            names=range(5, n + 6),
            vertex_weights=np.arange(n + 1),
            edge_weights=np.arange(len(edges) + 1) / 2,
        )
        for other in (pickle.loads(pickle.dumps(graph)), copy.copy(graph), copy.deepcopy(graph)):
            assert_well_formed(other)
            assert type(other) is Digraph
            assert other == graph
            assert other.dropped == graph.dropped
            assert hash(other) == hash(graph)
        dag = Dag.from_edges([(0, 1)])
        dag.levels  # noqa: B018  (a value that was computed must not stand in the way)
        assert type(pickle.loads(pickle.dumps(dag))) is Dag

    def test_equality(self) -> None:
        graph = Digraph.from_edges([(0, 1, 2)], 3)
        assert graph == Dag.from_edges([(0, 1), (0, 1), (2, 2)])
        for other in (
            Digraph.from_edges([(0, 1, 2)], 4),
            Digraph.from_edges([(0, 2, 2)], 3),
            Digraph.from_edges([(0, 1, 3)], 3),
            Digraph.from_edges([(0, 1, 2)], 3, vertex_weights=[1, 1, 2]),
            Digraph.from_edges([(0, 1, 2)], 3, names="abc"),
            Digraph.from_edges([(0, 1, 0.2)], 3),
            "graph",
        ):
            assert graph != other

    def test_the_text_form(self) -> None:
        assert repr(Dag.from_edges([(0, 1)])) == "Dag(n=2, m=1)"
        assert len(Digraph.from_edges([(0, 1)])) == 2


class TestNames:
    def test_there_and_back(self) -> None:
        graph = Digraph.from_edges([("a", ("b", 1))])
        assert [graph.index(graph.name(v)) for v in range(2)] == [0, 1]
        plain = Digraph.from_edges([(0, 1)])
        assert [plain.index(plain.name(np.int64(v))) for v in range(2)] == [0, 1]

    @pytest.mark.parametrize("names", [None, "ab"])
    def test_what_there_is_not(self, names: str | None) -> None:
        graph = Digraph.from_edges([(0, 1)], names=names)
        for name in ("z", 2, -1, 0.5):
            with pytest.raises(DagpartError, match="no vertex is called"):
                graph.index(name)
        for v in (2, -1, "a", 0.5):
            with pytest.raises(DagpartError, match="vertex"):
                graph.name(v)


class TestStructure:
    @given(edge_lists())
    def test_reverse_and_scipy(self, case: tuple[int, list[tuple[int, int]]]) -> None:
        graph = Digraph.from_edges(case[1], case[0])
        back = graph.reverse()
        assert_well_formed(back)
        assert edges_of(back) == {(v, u): w for (u, v), w in edges_of(graph).items()}
        assert back.reverse() == graph
        A = graph.to_scipy()
        assert A.dtype == np.int64
        assert Digraph.from_scipy(A, edge_weights="values") == graph
        assert np.array_equal(back.to_scipy().toarray(), A.toarray().T)

    def test_the_reverse_of_a_dag_is_one(self) -> None:
        dag = Dag.from_edges([(0, 2), (1, 2)])
        assert type(dag.reverse()) is Dag
        assert dag.order.tolist() == [0, 1, 2]
        assert dag.reverse().levels.tolist() == [1, 1, 0]

    @given(edge_lists())
    def test_topological_order_and_levels(self, case: tuple[int, list[tuple[int, int]]]) -> None:
        n, edges = case
        forward = [(min(edge), max(edge)) for edge in edges]
        relabel = np.random.default_rng(n).permutation(n).tolist()
        forward = [(relabel[u], relabel[v]) for u, v in forward]
        dag = Dag.from_edges(forward, n)
        assert dag.is_acyclic
        place = np.argsort(dag.order)
        assert sorted(dag.order.tolist()) == list(range(n))
        assert all(place[u] < place[v] for u, v in edges_of(dag))
        generations = nx.topological_generations(networkx_of(n, forward))
        expected = {v: level for level, members in enumerate(generations) for v in members}
        assert dag.levels.tolist() == [expected[v] for v in range(n)]

    @given(edge_lists(), st.data())
    def test_contract(self, case: tuple[int, list[tuple[int, int]]], data: st.DataObject) -> None:
        n, edges = case
        graph = Digraph.from_edges(edges, n, vertex_weights=np.arange(n))
        membership = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
        merged = graph.contract(membership, 4)
        assert_well_formed(merged)
        expected: Counter[tuple[int, int]] = Counter()
        for (u, v), weight in edges_of(graph).items():
            if membership[u] != membership[v]:
                expected[membership[u], membership[v]] += weight
        assert edges_of(merged) == expected
        loads = [sum(v for v in range(n) if membership[v] == part) for part in range(4)]
        assert merged.vertex_weights.tolist() == loads

    def test_contract_is_exact_and_keeps_scales(self) -> None:
        graph = Digraph.from_edges([(0, 2, 2**61), (1, 2, 2**61)], vertex_weights=[2**61, 2**61 - 1, 0])
        merged = graph.contract([0, 0, 1])
        assert merged.vertex_weights.tolist() == [2**62 - 1, 0]
        assert merged.edge_weights.tolist() == [2**62]
        graph = Digraph.from_edges([(0, 1, 0.5)])
        assert (graph.contract([0, 1]).weight_scale, graph.contract([0, 1]).vertex_weight_scale) == (10, 1)

    @pytest.mark.parametrize(
        ("membership", "k", "reason"),
        [
            ([0], None, "1 memberships for 2 vertices"),
            ([0, 2], 2, "out of range"),
            ([0, -1], None, "out of range"),
            ([0, 0.5], None, "float64"),
            ([0, 1], 2.5, "k=2.5 is no whole number"),
        ],
    )
    def test_a_wrong_membership_is_refused(self, membership: list[Any], k: Any, reason: str) -> None:
        with pytest.raises(DagpartError, match=reason):
            Digraph.from_edges([(0, 1)]).contract(membership, k)


class TestCycles:
    @given(edge_lists(max_n=12))
    def test_a_shortest_cycle_is_found_where_there_is_one(
        self, case: tuple[int, list[tuple[int, int]]]
    ) -> None:
        n, edges = case
        graph = Digraph.from_edges(edges, n)
        oracle = networkx_of(n, edges)
        cycle = graph.find_cycle()
        assert graph.is_acyclic == nx.is_directed_acyclic_graph(oracle) == (cycle is None)
        if cycle is None:
            assert Dag.from_any(graph) == graph
            assert Dag.from_any(graph).find_cycle() is None
        else:
            assert is_cycle(graph, cycle)
            assert cycle[0] == min(cycle)
            # On so few vertices the budget is never spent.
            assert len(cycle) == min(map(len, nx.simple_cycles(oracle)))
            assert all(type(v) is int for v in cycle)
            with pytest.raises(NotADagError) as caught:
                Dag.from_any(graph)
            assert caught.value.cycle == cycle

    def test_names_in_the_message(self) -> None:
        with pytest.raises(NotADagError, match="b -> a -> b"):
            Dag.from_edges([("b", "a"), ("a", "b")])

    def test_two_opposite_edges_win_over_a_smaller_component(self) -> None:
        triangle = [(0, 1), (1, 2), (2, 0)]
        ring = [(v, v + 1) for v in range(3, 9)] + [(9, 3), (8, 7)]
        assert Digraph.from_edges(triangle + ring).find_cycle() == [7, 8]

    @pytest.mark.parametrize("shift", [1, 7])
    def test_a_ring_of_a_million(self, shift: int) -> None:
        n = 10**6
        ring = np.stack((np.arange(n), (np.arange(n) + shift) % n), axis=1)
        graph = Digraph.from_edges(ring)
        cycle = graph.find_cycle()
        assert cycle == [(i * shift) % n for i in range(n)]
        dag, membership = graph.condense()
        assert (dag.n, dag.m, dag.total_weight) == (1, 0, n)
        assert not membership.any()

    def test_many_small_components(self) -> None:
        base = np.arange(0, 200_000, 4)
        rings = np.concatenate([np.stack((base + i, base + (i + 1) % 4), axis=1) for i in range(4)])
        assert Digraph.from_edges(rings).find_cycle() == [0, 1, 2, 3]

    def test_the_budget_ends_the_search_with_some_cycle(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from dagpart import _cycles

        # A ring of 12 with a short cut that only searches from far behind its first vertex would find.
        ring = [(v, (v + 1) % 12) for v in range(12)] + [(8, 6)]
        graph = Digraph.from_edges(ring)
        assert graph.find_cycle() == [6, 7, 8]
        monkeypatch.setattr(_cycles, "_BUDGET", 0)
        assert graph.find_cycle() == list(range(12))


class TestCondense:
    @given(edge_lists(max_n=12), st.data())
    @example((3, []), None)
    def test_components_and_groups(
        self, case: tuple[int, list[tuple[int, int]]], data: st.DataObject | None
    ) -> None:
        n, edges = case
        groups: list[list[int]] = []
        if data is not None:
            groups = data.draw(st.lists(st.lists(st.integers(0, n - 1), max_size=4), max_size=3))
        graph = Digraph.from_edges(edges, n, vertex_weights=np.arange(n) + 1)
        dag, membership = graph.condense(groups)
        assert_well_formed(dag)
        assert type(dag) is Dag
        # Numbered by a topological order.
        assert all(u < v for u, v in edges_of(dag))
        # The components of NetworkX, with a cycle through each group.
        oracle = networkx_of(n, edges)
        for group in groups:
            nx.add_cycle(oracle, group)
        expected = {frozenset(component) for component in nx.strongly_connected_components(oracle)}
        blocks = [frozenset(np.flatnonzero(membership == b).tolist()) for b in range(dag.n)]
        assert set(blocks) == expected
        assert len(blocks) == len(expected)
        # Weights are summed.
        assert dag == graph.contract(membership, dag.n)
        assert dag.vertex_weights.tolist() == [sum(block) + len(block) for block in blocks]
        # The order is the lexicographically smallest one by smallest members.
        quotient = nx.condensation(oracle, [list(block) for block in blocks])
        smallest = nx.lexicographical_topological_sort(quotient, key=lambda b: min(blocks[b]))
        assert list(smallest) == list(range(dag.n))

    def test_what_lies_between_members_of_a_group_joins_it(self) -> None:
        graph = Digraph.from_edges([(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (5, 1)])
        dag, membership = graph.condense([[0, 2]])
        assert membership[0] == membership[1] == membership[2]
        assert len({membership[0], membership[3], membership[4], membership[5]}) == 4
        assert dag.n == 4

    def test_a_dag_in_order_stays_as_it_is(self) -> None:
        dag = Dag.from_edges([(0, 2), (1, 2), (1, 3)], 5, vertex_weights=[5, 4, 3, 2, 1])
        same, membership = dag.condense()
        assert same == dag
        assert membership.tolist() == [0, 1, 2, 3, 4]

    def test_identical_groups_many_times(self) -> None:
        graph = Digraph.from_edges([(0, 1), (1, 2)])
        assert graph.condense([[0, 1]] * 256)[1].tolist() == [0, 0, 1]

    def test_groups_may_be_arrays_and_empty(self) -> None:
        graph = Digraph.from_edges([], 3)
        assert graph.condense(np.array([[0, 2]]))[1].tolist() == [0, 1, 0]
        assert graph.condense([[], [1]])[1].tolist() == [0, 1, 2]

    def test_scales_stay(self) -> None:
        dag, _ = Digraph.from_edges([(1, 0, 0.5), (2, 0, 1)]).condense()
        assert (dag.weight_scale, dag.vertex_weight_scale) == (10, 1)
        assert edges_of(dag) == {(0, 2): 5, (1, 2): 10}

    @pytest.mark.parametrize(
        ("groups", "reason"),
        [
            ([[0, 9]], "vertex id 9 is out of range"),
            ([[0, -1]], "vertex id -1 is out of range"),
            ([0, 1], "group 0 is 0"),
            (7, "groups=7"),
            (["ab"], "the members of group 0"),
            ([[0], [0.5]], "the members of group 1 are of type float64"),
        ],
    )
    def test_what_is_no_group_is_refused(self, groups: Any, reason: str) -> None:
        with pytest.raises(DagpartError, match=reason):
            Digraph.from_edges([(0, 1)]).condense(groups)

    def test_a_long_path_the_wrong_way_round(self) -> None:
        n = 10**5
        backwards = np.stack((np.arange(1, n), np.arange(n - 1)), axis=1)
        dag, membership = Digraph.from_edges(backwards).condense()
        assert np.array_equal(membership, np.arange(n)[::-1])
        assert np.array_equal(dag.indices, np.arange(1, n))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_edges_in_order_are_the_graph_that_they_are_in_any_order(pairs):
    ordered = np.array(sorted(set(pairs)), dtype=np.int32).reshape(-1, 2)
    kept = ordered.copy()
    weights = np.arange(len(ordered)) + 1
    graph = Digraph.from_edges(ordered, 5, edge_weights=weights)
    assert graph == Digraph.from_edges(ordered[::-1], 5, edge_weights=weights[::-1])
    # The array is still the caller's.
    ordered[:] = 0
    assert graph == Digraph.from_edges(kept, 5, edge_weights=weights)
