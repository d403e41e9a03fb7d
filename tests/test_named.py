"""Weights, labels and fixed parts in a mapping or a Series go by name, never by position."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import dagpart
from dagpart import Dag, DagpartError, Digraph, WeightError, check, metrics, partition
from dagpart.schedule import schedule

EDGES = [("load", "left"), ("load", "right"), ("left", "join"), ("right", "join")]
NAMES = ("load", "left", "right", "join")
LARGE = 2**60 + 1


def forms(values):
    """The values by name in every form that has names, in any order."""
    backwards = dict(reversed(values.items()))
    yield values
    yield backwards
    pandas = pytest.importorskip("pandas")
    for each in (values, backwards):
        index = pandas.Index(list(each), tupleize_cols=False)
        yield pandas.Series(list(each.values()), index=index)


def weigh(weights):
    return Dag(EDGES, vertex_weights=weights)


def cost(weights):
    return Dag(EDGES, edge_weights=weights)


def series(*args, **options):
    return pytest.importorskip("pandas").Series(*args, **options)


@given(st.permutations(range(5)), st.lists(st.integers(0, 99), min_size=5, max_size=5))
def test_any_order_means_the_same(order, weights):
    edges = [(f"v{i}", f"v{i + 1}") for i in range(4)]
    by_name = {f"v{i}": weights[i] for i in order}
    assert Dag(edges, vertex_weights=by_name).vertex_weights.tolist() == weights
    by_ends = {edges[i]: weights[i] for i in order if i < 4}
    assert Dag(edges, edge_weights=by_ends).edge_weights.tolist() == weights[:4]
    ids = Dag(scipy.sparse.csr_array(Dag(edges).to_scipy()), vertex_weights={i: weights[i] for i in order})
    assert ids.vertex_weights.tolist() == weights


def test_weights_of_vertices():
    for weights in forms(dict(zip(NAMES, (1, LARGE, 3, 4), strict=True))):
        assert weigh(weights).vertex_weights.tolist() == [1, LARGE, 3, 4]
        assert Dag(EDGES).with_weights(vertex_weights=weights).total_weight == LARGE + 8
    result = partition(EDGES, 2, vertex_weights={"join": 3, "load": 1, "left": 1, "right": 1})
    assert result.by_name == {"load": 0, "left": 0, "right": 0, "join": 1}
    half = weigh(dict(zip(NAMES, (0.5, 1, 1, 1), strict=True)))
    assert half.vertex_weight_scale == 10


def test_weights_of_edges():
    wanted = dict(zip(EDGES, (1, 2, 3, 4.5), strict=True))
    for weights in forms(wanted):
        for graph in (EDGES, [*EDGES, EDGES[0], ("load", "load")], Dag(EDGES)):
            made = Dag.from_any(graph, edge_weights=weights)
            ends = [
                (made.name(u), made.name(v)) for u, v in zip(made.edge_sources(), made.indices, strict=True)
            ]
            # Named is the edge of the graph: copies do not count again, and loops need no weight.
            assert dict(zip(ends, made.edge_weights / made.weight_scale, strict=True)) == wanted
    matrix = scipy.sparse.csr_array(np.array([[2, 1, 0], [1, 2, 1], [0, 1, 2]]))
    solve = Dag.from_matrix(matrix, edge_weights={(1, 2): 7, (0, 1): 5})
    assert solve.edge_weights.tolist() == [5, 7]
    assert Dag(scipy.sparse.dia_array(Dag(EDGES).to_scipy()), names=NAMES, edge_weights=wanted).m == 4


def test_a_series_by_number_of_the_edge():
    weights = series([5, 6, 7, 8], index=[3, 2, 1, 0])
    assert cost(weights).edge_weights.tolist() == [8, 7, 6, 5]


def test_labels():
    wanted = partition(EDGES, 2)
    for labels in forms(wanted.by_name):
        assert check(EDGES, labels).valid
        assert metrics.edge_cut(EDGES, labels) == wanted.edge_cut
        assert metrics.part_weights(EDGES, labels, 2).tolist() == wanted.part_weights.tolist()
        assert dagpart.baselines.repair(EDGES, labels).cut_before == wanted.edge_cut
        assert schedule(EDGES, 2, clusters=labels).makespan == schedule(EDGES, 2, clusters=wanted).makespan


def test_fixed():
    for fixed in (*forms({"join": 0, "right": 1}), series({"join": 0, "left": -1, "right": 1})):
        parts = partition(EDGES, 2, fixed=fixed, imbalance=1).by_name
        assert (parts["join"], parts["right"]) == (0, 1)
    gaps = series({"join": 0, "left": None, "right": 1.0})
    assert partition(EDGES, 2, fixed=gaps, imbalance=1).by_name["right"] == 1


@pytest.mark.parametrize(
    ("ask", "culprit"),
    [
        (lambda: weigh({"load": 1, "left": 2, "join": 3}), "vertex 'right' has no weight"),
        (lambda: weigh(dict.fromkeys((*NAMES, "spare"), 1)), "weight for 'spare', but no"),
        (lambda: weigh(series([1, 2, 3, 4])), r"'load' has no weight.*to_numpy"),
        (lambda: weigh(series([1, 2], index=["load"] * 2)), "two values of weight for 'load'"),
        (lambda: weigh({**dict.fromkeys(NAMES, 1), "left": None}), "'left' has weight None"),
        (lambda: cost({EDGES[0]: 1}), r"edge \('load', 'right'\) has no weight"),
        (lambda: cost({**dict.fromkeys(EDGES, 1), ("a", "b"): 1}), r"weight for \('a', 'b'\)"),
        (lambda: cost({"load": 1}), "edge 0 has no weight"),
        (lambda: check(EDGES, {"load": 0}), "vertex 'left' has no label"),
        (lambda: partition(EDGES, 2, fixed=series([0, 1, 0, 1])), "no vertex is called 0"),
        (lambda: partition(EDGES, 2, fixed=series([0, 1], ["load"] * 2)), "two values of fixed for 'load'"),
        (lambda: weigh("size"), "vertex_weights='size': this graph has no attributes"),
        (lambda: cost("size"), "edge_weights='size': this graph has no attributes"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(ask, culprit):
    with pytest.raises(DagpartError, match=culprit):
        ask()
    assert issubclass(WeightError, DagpartError)


def test_the_words_for_weights():
    graph = Dag(EDGES, vertex_weights=[1, 2, 3, 4], edge_weights=[1, 2, 3, 4])
    assert Dag(graph, vertex_weights="unit", edge_weights="unit") == Dag(EDGES)
    assert Dag(graph, vertex_weights="values", edge_weights="values") == graph


def test_costs_and_colours_of_tasks(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[1, 9], [2, 9]], index=["b", "a"])
    for costs in (frame, {"b": [1, 9], "a": [2, 9]}):
        planned = schedule([("a", "b")], 2, costs=costs)
        assert (planned.finish - planned.start).tolist() == [2, 1]
    with pytest.raises(DagpartError, match="task 'b' has no costs"):
        schedule([("a", "b")], 2, costs={"a": [1, 2]})
    dagpart.io.write_parts(tmp_path / "parts", series([7, 8], index=[1, 0]))
    assert dagpart.io.read_parts(tmp_path / "parts").tolist() == [8, 7]
    with pytest.raises(DagpartError, match="vertex 0 has no label"):
        dagpart.io.write_parts(tmp_path / "parts", {"a": 7, "b": 8})


def test_by_name():
    result = partition(EDGES, 2)
    assert list(result.by_name) == list(NAMES)
    assert list(result.by_name.values()) == result.labels.tolist()
    assert partition([(0, 1)], 2).by_name == {0: 0, 1: 1}


@pytest.mark.parametrize(
    "rows",
    [
        [[0, 1, 1], [0, 0, 1], [0, 0, 0]],
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        [[0, 5, 2], [0, 0, 3], [0, 0, 0]],
        [[0, 5, 2], [3, 0, 3], [1, 1, 0]],
        ((1, 0.5, 0), (0, 1, 0.5), (0, 0, 0)),
        [np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([0, 0, 0])],
        [[0, 5], [0, 0]],
    ],
)
def test_a_small_dense_matrix_is_not_taken_for_edges(rows):
    with pytest.raises(DagpartError, match=r"adjacency matrix or edges.*csr_array.*from_edges"):
        partition(rows, 1)
    matrix = scipy.sparse.csr_array(np.array(rows))
    assert Digraph(matrix).n == len(rows)


def test_edges_stay_edges():
    assert Dag([(0, 1, 5), (1, 2, 3), (0, 2, 1)]).edge_weights.tolist() == [5, 1, 3]
    assert Dag([[0, 1], [1, 2]]).m == 2
    assert Dag([("a", "b", 0), ("b", "c", 0), ("a", "c", 0)]).m == 3
    assert Dag.from_edges([[0, 1, 1], [0, 0, 1], [0, 0, 0]]).m == 1
    # Either reading makes this graph.
    assert Dag([[0, 1], [0, 0]]) == Dag(scipy.sparse.csr_array([[0, 1], [0, 0]]))
    with pytest.raises(DagpartError, match=r"edge 0 has 4 fields.*dense matrix"):
        Dag([[0] * 4] * 4)
