"""Measures and check() against plain Python and NetworkX."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from _plain import plain_volume
from hypothesis import given
from hypothesis import strategies as st

from dagpart import metrics
from dagpart._core.graph import measures as kernels
from dagpart.dag import Dag, Digraph
from dagpart.errors import DagpartError, NotADagError, WeightError


@st.composite
def labelled_graphs(draw, *, acyclic):
    """A digraph as plain lists, with weights, labels and a number of parts."""
    n = draw(st.integers(1, 9))
    pairs = [(u, v) for u in range(n) for v in range(n) if (u < v if acyclic else u != v)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    weights = draw(st.lists(st.integers(0, 9), min_size=len(edges), max_size=len(edges)))
    vertex_weights = draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    k = draw(st.integers(1, n + 2))
    labels = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    triples = [(u, v, w) for (u, v), w in zip(edges, weights, strict=True)]
    return n, triples, vertex_weights, labels, k


def build(kind, n, triples, vertex_weights, **options):
    edges = np.array(triples, dtype=np.int64).reshape(-1, 3)
    return kind.from_edges(
        edges[:, :2], n=n, edge_weights=edges[:, 2], vertex_weights=vertex_weights, **options
    )


def plain_quotient(triples, labels, k):
    q = nx.DiGraph()
    q.add_nodes_from(range(k))
    for u, v, w in triples:
        a, b = labels[u], labels[v]
        if a != b:
            q.add_edge(a, b, weight=q.get_edge_data(a, b, {"weight": 0})["weight"] + w)
    return q


@pytest.mark.parametrize("index_dtype", [np.int32, np.int64])
@given(case=labelled_graphs(acyclic=False))
def test_counts_equal_plain_python(index_dtype, case):
    n, triples, vertex_weights, labels, k = case
    graph = build(Digraph, n, triples, vertex_weights, index_dtype=index_dtype)
    cut = sum(w for u, v, w in triples if labels[u] != labels[v])
    assert metrics.edge_cut(graph, labels) == cut
    assert metrics.comm_volume(graph, labels) == plain_volume(triples, labels)
    loads = [sum(w for w, a in zip(vertex_weights, labels, strict=True) if a == p) for p in range(k)]
    assert metrics.part_weights(graph, labels, k).tolist() == loads
    report = metrics.check(graph, labels, k)
    assert report.edge_cut == cut
    assert report.comm_volume == plain_volume(triples, labels)
    assert report.part_weights.tolist() == loads
    total = sum(vertex_weights)
    expected = Fraction(max(loads) * k, total) - 1 if total else 0
    assert (
        report.imbalance == metrics.imbalance(graph, labels, k) == pytest.approx(float(expected), abs=1e-12)
    )
    assert report.empty_parts == sorted(set(range(k)) - set(labels))


@given(case=labelled_graphs(acyclic=False))
def test_quotient_and_witness_agree_with_networkx(case):
    n, triples, vertex_weights, labels, k = case
    graph = build(Digraph, n, triples, vertex_weights)
    oracle = plain_quotient(triples, labels, k)
    quotient = metrics.quotient(graph, labels, k)
    sources = np.repeat(np.arange(k), np.diff(quotient.indptr)).tolist()
    edges = zip(sources, quotient.indices.tolist(), quotient.edge_weights.tolist(), strict=True)
    assert set(edges) == set(oracle.edges(data="weight"))
    assert quotient.vertex_weights.tolist() == metrics.part_weights(graph, labels, k).tolist()
    acyclic = nx.is_directed_acyclic_graph(oracle)
    report = metrics.check(graph, labels, k)
    assert isinstance(quotient, Dag) == report.acyclic == acyclic
    if acyclic:
        assert report.cycle is None
        assert report.cycle_edges is None
        return
    assert not report.valid
    assert len(report.cycle) == min(map(len, nx.simple_cycles(oracle)))
    steps = list(zip(report.cycle, report.cycle[1:] + report.cycle[:1], strict=True))
    weight = {(u, v): w for u, v, w in triples}
    for (a, b), edge in zip(steps, report.cycle_edges, strict=True):
        assert [labels[x] for x in edge] == [a, b]
        assert weight[edge] == max(w for (u, v), w in weight.items() if (labels[u], labels[v]) == (a, b))


def longest_path(triples, vertex_weights, labels, latency):
    """The same maximum over paths by NetworkX: vertices split in two, costs on edges."""
    split = nx.DiGraph()
    for v, w in enumerate(vertex_weights):
        split.add_edge((v, "in"), (v, "out"), weight=w)
    for u, v, w in triples:
        split.add_edge((u, "out"), (v, "in"), weight=w * latency if labels[u] != labels[v] else 0)
    return nx.dag_longest_path_length(split)


@pytest.mark.parametrize("index_dtype", [np.int32, np.int64])
@given(case=labelled_graphs(acyclic=True), latency=st.integers(0, 5))
def test_critical_path_equals_networkx(index_dtype, case, latency):
    n, triples, vertex_weights, labels, _ = case
    dag = build(Dag, n, triples, vertex_weights, index_dtype=index_dtype)
    expected = longest_path(triples, vertex_weights, labels, latency)
    exact = metrics.critical_path(dag, labels, latency)
    assert type(exact) is int
    assert exact == expected
    # Multiples of a half are exact in binary.
    half = metrics.critical_path(dag, labels, latency / 2)
    assert type(half) is float
    assert half == longest_path(triples, vertex_weights, labels, Fraction(latency, 2))


@given(
    total=st.integers(0, 2**63 - 1),
    k=st.integers(1, 2**31 - 1),
    thousandths=st.integers(0, 5000),
    convert=st.sampled_from([float, str, Decimal, Fraction]),
)
def test_max_part_weight_is_exact(total, k, thousandths, convert):
    text = f"{thousandths // 1000}.{thousandths % 1000:03d}"
    expected = (1000 + thousandths) * ((total + k - 1) // k) // 1000
    assert metrics.max_part_weight(total, k, convert(text)) == min(expected, 2**63 - 1)


@pytest.mark.parametrize("imbalance", [-0.01, float("nan"), float("inf"), "much", None])
def test_max_part_weight_refuses_what_is_no_tolerance(imbalance):
    with pytest.raises(DagpartError, match="imbalance must be a finite number"):
        metrics.max_part_weight(10, 2, imbalance)


@pytest.mark.parametrize("k", [0, -1, 1.5])
def test_max_part_weight_refuses_a_number_of_parts_that_is_none(k):
    with pytest.raises(DagpartError, match="k="):
        metrics.max_part_weight(10, k, 0.1)


PATH = Dag.from_edges([(0, 1), (1, 2)])


@pytest.mark.parametrize(
    ("labels", "k", "message"),
    [
        ([0, 0], None, "2 labels for 3 vertices"),
        ([[0, 0, 0]], None, "one dimension"),
        (0, None, "one dimension"),
        ([0.0, 1.0, 1.0], None, "float64"),
        ([True, False, True], None, "bool"),
        (["0", "1", "1"], None, "type <U1"),
        ([0, [1], 2], None, "labels"),
        ([0, -1, 0], None, "label -1 of vertex 1 is negative"),
        ([0, 3, 0], None, "label 3 of vertex 1 is too high: 3 vertices fill at most 3 parts"),
        ([0, 2, 0], 2, "label 2 of vertex 1 is not below k=2"),
        ([0, 2**40, 0], None, "label 1099511627776 of vertex 1"),
        ([0, 2**70, 0], None, "in 64 bits"),
        ([0, 0, 0], 0, "the number of parts must be from 1"),
        ([0, 0, 0], 2**31, "the number of parts must be from 1"),
        ([0, 0, 0], 1.5, "no whole number"),
    ],
)
def test_labels_that_do_not_fit_are_refused(labels, k, message):
    with pytest.raises(DagpartError, match=message):
        metrics.check(PATH, labels, k)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.int64, ">i4"])
def test_labels_of_any_integer_type(dtype):
    labels = np.array([0, 0, 1], dtype=dtype)
    part, k = metrics.as_labels(labels, 3)
    assert (part.tolist(), part.dtype, k) == ([0, 0, 1], np.int32, 2)
    assert metrics.edge_cut(PATH, labels) == 1


def test_measures_that_need_no_k_take_any_labels():
    labels = [7, 10**9, 10**9]
    assert metrics.edge_cut(PATH, labels) == 1
    assert metrics.comm_volume(PATH, labels) == 1
    assert metrics.critical_path(PATH, labels) == 4


def test_measures_take_every_form_of_graph():
    labels = [0, 1, 1]
    for form in (PATH.to_scipy(), PATH.to_networkx(), (PATH.indptr, PATH.indices), [(0, 1), (1, 2)]):
        assert metrics.edge_cut(form, labels) == 1
        assert metrics.comm_volume(form, labels) == 1
        assert metrics.critical_path(form, labels, latency=3) == 6
        assert metrics.check(form, labels).valid


def test_weights_at_the_limit_are_exact():
    heavy = Dag.from_edges([(0, 1, 2**61), (0, 2, 2**61 - 1)], vertex_weights=[2**61, 2**61 - 1, 0])
    assert metrics.edge_cut(heavy, [0, 1, 1]) == 2**62 - 1
    assert metrics.comm_volume(heavy, [0, 1, 1]) == 2**61
    assert metrics.quotient(heavy, [0, 1, 1]).edge_weights.tolist() == [2**62 - 1]
    assert metrics.part_weights(heavy, [0, 0, 1]).tolist() == [2**62 - 1, 0]
    assert metrics.critical_path(heavy, [0, 0, 0]) == 2**62 - 1
    with pytest.raises(WeightError, match="passes"):
        metrics.critical_path(heavy, [0, 1, 0], latency=3)
    with pytest.raises(WeightError, match="passes"):
        metrics.critical_path(PATH, [0, 1, 1], latency=2**63 - 1)
    with pytest.raises(WeightError, match="passes"):
        metrics.critical_path(PATH, [0, 1, 1], latency=2**64)
    assert metrics.critical_path(heavy, [0, 1, 0], latency=3.0) == pytest.approx(2.0**62 + 3 * 2.0**61)
    assert metrics.check(heavy, [0, 1, 1]).critical_path == 2**62 + 2**61 - 1


@pytest.mark.parametrize("latency", [-1, -0.5, float("nan"), float("inf")])
def test_latency_out_of_range(latency):
    with pytest.raises(DagpartError, match="latency"):
        metrics.critical_path(PATH, [0, 0, 1], latency)


def test_a_cyclic_graph_may_be_checked_but_has_no_critical_path():
    graph = Digraph.from_edges([(0, 1), (1, 0), (1, 2)])
    report = metrics.check(graph, [0, 0, 1])
    assert report.valid
    assert report.critical_path is None
    with pytest.raises(NotADagError):
        metrics.critical_path(graph, [0, 0, 1])


def test_check_judges_balance_and_empty_parts():
    assert metrics.check(PATH, [0, 0, 1], imbalance=0).valid
    heavy = metrics.check(PATH, [0, 0, 0], k=2, imbalance=0.03)
    assert (heavy.cap, heavy.balanced, heavy.empty_parts, heavy.valid) == (2, False, [1], False)
    assert not metrics.check(PATH, [0, 0, 2]).valid
    assert metrics.check(PATH, [0, 0, 2], allow_empty=True).valid
    # Five parts cannot all be filled by three vertices.
    assert metrics.check(PATH, [0, 2, 4], k=5).valid
    assert metrics.check(PATH, [0, 2, 4], k=5).balanced is None


def test_a_graph_without_vertices():
    empty = Dag.from_edges([], n=0)
    assert (
        metrics.edge_cut(empty, []) == metrics.comm_volume(empty, []) == metrics.critical_path(empty, []) == 0
    )
    assert metrics.imbalance(empty, []) == metrics.imbalance(empty, [], k=3) == 0.0
    assert metrics.check(empty, [], imbalance=0).valid
    assert metrics.quotient(empty, [], k=3).n == 3


def test_the_report_tells_a_person():
    names = Digraph.from_edges([("a", "b", 2), ("b", "c", 5), ("c", "d", 1)])
    text = str(metrics.check(names, [0, 1, 0, 3], imbalance=0.5))
    assert "0 -> 1 -> 0" in text
    assert "part 0 -> 1 by the edge a -> b" in text
    assert "part 1 -> 0 by the edge b -> c" in text
    assert "2  (1 parts)" in text
    assert "2 of 1 allowed" in text
    round_trip = metrics.check(names, [0, 1, 0, 3]).to_dict()
    assert round_trip["part_weights"] == [2, 1, 0, 1]
    assert round_trip["cycle_edges"] == [("a", "b"), ("b", "c")]


def test_a_long_witness_is_cut_short():
    n = 100
    ring = Digraph.from_edges(np.column_stack((np.arange(n), (np.arange(n) + 1) % n)))
    report = metrics.check(ring, np.arange(n))
    assert report.cycle == list(range(n))
    assert len(str(report).splitlines()) < 25


def test_costs_are_in_the_callers_unit():
    graph = Dag.from_edges([(0, 1, 0.5), (1, 2, 1.25)])
    report = metrics.check(graph, [0, 0, 1])
    assert (report.edge_cut, report.weight_scale, report.vertex_weight_scale) == (1.25, 100, 1)
    assert report.part_weights.tolist() == [2, 1]
    # Vertices kept their whole weights, yet a path adds both: 1 + 1 + 1.25 + 1.
    assert report.critical_path == 4.25
    assert metrics.critical_path(graph, [0, 0, 1], latency=2.0) == 5.5
    assert (metrics.edge_cut(graph, [0, 0, 1]), metrics.comm_volume(graph, [0, 1, 2])) == (1.25, 1.75)
    assert metrics.quotient(graph, [0, 0, 1]).weight_scale == 100
    assert "edge cut       1.25\n" in str(report)
    heavy = graph.with_weights(vertex_weights=[2**61, 0, 0])
    with pytest.raises(WeightError, match="passes"):
        metrics.critical_path(heavy, [0, 0, 1])
    both = graph.with_weights(vertex_weights=[0.5, 1, 1])
    assert metrics.critical_path(both, [0, 0, 1]) == 3.75
    assert metrics.part_weights(both, [0, 0, 1]).tolist() == [1.5, 1]
    assert metrics.imbalance(both, [0, 0, 1]) == 0.2
    held = metrics.check(both, [0, 0, 1], imbalance=0.1)
    assert (held.cap, held.balanced, held.part_weights.tolist()) == (1.37, False, [1.5, 1])
    assert "heaviest part  1.5 of 1.37 allowed" in str(held)
    assert held.to_dict()["part_weights"] == [1.5, 1]


@given(st.lists(st.decimals(0, 1000, places=3), min_size=2, max_size=8), st.integers(0, 2**8 - 1))
def test_decimals_come_out_as_they_went_in(weights, bits):
    """Sums of decimals, not of the binary fractions beside them."""
    n = len(weights)
    labels = [bits >> v & 1 for v in range(n)]
    edges = [(v, v + 1, weights[v]) for v in range(n - 1)]
    graph = Dag.from_edges(edges, vertex_weights=weights)
    loads = [
        sum((w for w, p in zip(weights, labels, strict=True) if p == part), Decimal(0)) for part in (0, 1)
    ]
    cut = sum((w for u, v, w in edges if labels[u] != labels[v]), Decimal(0))
    assert metrics.part_weights(graph, labels, 2).tolist() == [float(load) for load in loads]
    assert metrics.edge_cut(graph, labels) == metrics.comm_volume(graph, labels) == float(cut)
    assert metrics.critical_path(graph, labels) == float(sum(weights) + cut)


def test_a_volume_with_as_many_parts_as_vertices():
    n = 1000
    star = Dag.from_edges(np.column_stack((np.zeros(n - 1, dtype=int), np.arange(1, n))), n=n)
    assert metrics.comm_volume(star, np.arange(n)) == n - 1
    assert metrics.comm_volume(star.reverse(), np.arange(n)) == n - 1
    assert kernels.comm_volume(star.indptr, star.indices, star.edge_weights, np.zeros(n, np.int32), 1) == 0
