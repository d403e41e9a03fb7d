"""partition() and Partition: what is promised for every graph, and how requests are refused."""

from __future__ import annotations

import json
import math
import pickle
import warnings
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from _plain import Plain, graphs
from hypothesis import given
from hypothesis import strategies as st

import dagpart
from dagpart import Dag, Digraph, Options, partition
from dagpart.errors import BalanceWarning, DagpartError, InfeasibleError, NotADagError
from dagpart.io import read_parts

PRESETS = st.sampled_from(["fast", "default"])
IMBALANCES = st.sampled_from([0, 0.03, 0.1, 0.5, 3])


def caught(function, *args, **options):
    """What a call returns, and whether it warned that balance was missed."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = function(*args, **options)
    assert all(issubclass(warning.category, BalanceWarning) for warning in found)
    return result, bool(found)


def assert_legal(graph: Plain, result, k, *, empty=False):
    """All that holds for any result, but for the balance."""
    labels = result.labels.tolist()
    assert result.labels.dtype == np.int32
    assert len(labels) == graph.n
    assert result.k == k
    assert set(labels) <= set(range(k))
    assert empty or set(labels) == set(range(k))
    assert sorted(result.part_order.tolist()) == list(range(k))
    position = {part: i for i, part in enumerate(result.part_order.tolist())}
    quotient = graph.quotient(labels, k)
    assert nx.is_directed_acyclic_graph(quotient)
    assert all(position[a] < position[b] for a, b in quotient.edges)
    assert result.edge_cut == graph.cut(labels)
    assert result.part_weights.tolist() == graph.loads(labels, k)
    assert [position[labels[v]] for v in result.order] == sorted(position[p] for p in labels)
    assert sorted(result.order.tolist()) == list(range(graph.n))


def cap_of(total, k, imbalance):
    return math.floor((1 + Fraction(str(imbalance))) * math.ceil(Fraction(total, k)))


@given(graph=graphs(30), data=st.data(), preset=PRESETS, imbalance=IMBALANCES, seed=st.integers(0, 2**64 - 1))
def test_promises(graph, data, preset, imbalance, seed):
    k = data.draw(st.integers(1, graph.n), "k")
    cap = cap_of(graph.total, k, imbalance)
    request = {"imbalance": imbalance, "preset": preset, "seed": seed}
    if max(graph.vertex_weights) > cap:
        with pytest.raises(InfeasibleError, match="the smallest imbalance that would do is"):
            partition(graph.dag(), k, **request)
        return
    result, warned = caught(partition, graph.dag(), k, **request)
    assert_legal(graph, result, k)
    assert result.part_order.tolist() == list(range(k))
    assert all(result.labels[u] <= result.labels[v] for u, v, _ in graph.edges)
    assert (result.cap, result.seed, result.merged) == (cap, seed, 0)
    assert warned == (max(result.part_weights) > cap)
    place = {v: i for i, v in enumerate(result.order.tolist())}
    assert all(place[u] < place[v] for u, v, _ in graph.edges)
    assert set(pairs_with_weights(result.quotient)) == set(
        graph.quotient(result.labels.tolist(), k).edges(data="weight")
    )
    again, _ = caught(partition, graph.dag(), k, **request, threads=2)
    assert again.labels.tolist() == result.labels.tolist()


def pairs_with_weights(graph):
    tails = np.repeat(np.arange(graph.n), np.diff(graph.indptr)).tolist()
    return zip(tails, graph.indices.tolist(), graph.edge_weights.tolist(), strict=True)


class TestInput:
    CHAIN = Plain(5, [(3, 1, 2), (1, 0, 5), (0, 2, 1), (2, 4, 7)], [1, 2, 1, 1, 1])

    def given_as(self, kind):
        dag = self.CHAIN.dag()
        return {
            "Dag": lambda: dag,
            "Digraph": self.CHAIN.digraph,
            "csr": lambda: (dag.indptr, dag.indices, dag.edge_weights),
            "networkx": lambda: nx.DiGraph(self.CHAIN.networkx),
            "triples": lambda: self.CHAIN.edges,
        }[kind]()

    @pytest.mark.parametrize("kind", ["Dag", "Digraph", "csr", "networkx", "triples"])
    def test_every_form_gives_the_same_parts(self, kind):
        result = partition(self.given_as(kind), 2, vertex_weights=self.CHAIN.vertex_weights)
        names = result.graph.names or range(5)
        parts = dict(zip(names, result.labels.tolist(), strict=True))
        assert parts == {3: 0, 1: 0, 0: 1, 2: 1, 4: 1} or parts == {3: 0, 1: 0, 0: 0, 2: 1, 4: 1}

    def test_matrix_entries_are_edges_of_weight_1(self):
        matrix = self.CHAIN.dag().to_scipy().astype(float)
        assert partition(matrix, 2).edge_cut == 1

    def test_path_of_a_file(self, tmp_path):
        path = tmp_path / "chain.mtx"
        path.write_text("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n")
        assert partition(path, 3).labels.tolist() == [0, 1, 2]

    def test_weights_given_replace_those_of_the_graph(self):
        chain = Dag.from_edges([(0, 1, 1), (1, 2, 9), (2, 3, 1)])
        assert partition(chain, 2, imbalance=0.5).edge_cut == 1
        heavy = partition(chain, 2, vertex_weights=[3, 1, 1, 1], edge_weights=[4, 5, 6])
        assert heavy.labels.tolist() == [0, 1, 1, 1]
        assert (heavy.edge_cut, heavy.graph.total_weight) == (4, 6)

    @given(graph=graphs(20), k=st.integers(1, 4))
    def test_width_of_the_indices_does_not_matter(self, graph, k):
        if k > graph.n:
            return
        narrow, wide = (graph.dag(index_dtype=dtype) for dtype in (np.int32, np.int64))
        assert (narrow.indices.dtype, wide.indices.dtype) == (np.int32, np.int64)
        request = {"imbalance": graph.n, "preset": "fast"}
        first, second = (partition(dag, k, **request) for dag in (narrow, wide))
        assert first.labels.tolist() == second.labels.tolist()


class TestNumberOfParts:
    @given(graph=graphs(), preset=PRESETS)
    def test_one_part(self, graph, preset):
        result = partition(graph.dag(), 1, preset=preset)
        assert result.labels.tolist() == [0] * graph.n
        assert (result.edge_cut, result.quotient.n) == (0, 1)

    @given(graph=graphs(), preset=PRESETS)
    def test_a_part_for_every_vertex(self, graph, preset):
        result = partition(graph.dag(), graph.n, imbalance=graph.n, preset=preset)
        assert_legal(graph, result, graph.n)
        assert result.edge_cut == sum(w for _, _, w in graph.edges)

    @given(graph=graphs(), more=st.integers(1, 5))
    def test_more_parts_than_vertices(self, graph, more):
        k = graph.n + more
        with pytest.raises(InfeasibleError, match=rf"k={k} .*n={graph.n} .*allow_empty=True"):
            partition(graph.dag(), k)
        result = partition(graph.dag(), k, imbalance=k, allow_empty=True)
        assert_legal(graph, result, k, empty=True)

    @given(graph=graphs(), data=st.data(), imbalance=IMBALANCES)
    def test_empty_parts_when_allowed(self, graph, data, imbalance):
        k = data.draw(st.integers(1, graph.n + 2), "k")
        cap = cap_of(graph.total, k, imbalance)
        if max(graph.vertex_weights) <= cap:
            result, warned = caught(partition, graph.dag(), k, imbalance=imbalance, allow_empty=True)
            assert_legal(graph, result, k, empty=True)
            assert warned == (max(result.part_weights) > cap)

    def test_no_vertices(self):
        empty = Dag.from_edges([], n=0)
        with pytest.raises(InfeasibleError, match=r"k=1 .*n=0"):
            partition(empty, 1)
        result = partition(empty, 2, allow_empty=True)
        assert result.labels.tolist() == result.order.tolist() == []
        assert result.part_weights.tolist() == [0, 0]

    @pytest.mark.parametrize("k", [0, -1, 1.5, "2", None, 2**31])
    def test_what_is_no_number_of_parts(self, k):
        with pytest.raises(DagpartError, match="k="):
            partition([(0, 1)], k)


class TestBalance:
    def test_three_equal_vertices_on_two_parts(self):
        three = Dag.from_edges([], n=3, vertex_weights=[3, 3, 3])
        with pytest.warns(BalanceWarning, match=r"part \d weighs 6, more than the 5 allowed"):
            result = partition(three, 2, imbalance=0)
        assert sorted(result.part_weights.tolist()) == [3, 6]

    @given(weights=st.lists(st.integers(1, 12), min_size=1, max_size=7), data=st.data(), imbalance=IMBALANCES)
    def test_chains_are_balanced_where_that_is_possible(self, weights, data, imbalance):
        n = len(weights)
        k = data.draw(st.integers(1, n), "k")
        chain = Plain(n, [(v, v + 1, 1) for v in range(n - 1)], weights)
        cap = cap_of(chain.total, k, imbalance)
        if max(weights) > cap:
            return
        _, warned = caught(partition, chain.dag(), k, imbalance=imbalance)
        assert warned == (chain.best_cut(k, cap) is None)

    @given(weights=st.lists(st.integers(0, 60), min_size=2, max_size=9), data=st.data())
    def test_smallest_imbalance_is_the_smallest(self, weights, data):
        k = data.draw(st.integers(2, len(weights)), "k")
        loose = Dag.from_edges([], n=len(weights), vertex_weights=weights)
        if max(weights) <= cap_of(sum(weights), k, 0):
            return
        with pytest.raises(InfeasibleError) as error:
            partition(loose, k, imbalance=0)
        found = error.value.smallest_imbalance
        assert f"vertex {weights.index(max(weights))} weighs {max(weights)}" in str(error.value)
        assert float(str(error.value).rpartition(" ")[2]) == found
        caught(partition, loose, k, imbalance=found)
        with pytest.raises(InfeasibleError):
            partition(loose, k, imbalance=math.nextafter(found, 0))

    def test_smallest_imbalance_beyond_the_precision_of_floats(self):
        loose = Dag.from_edges([], n=2, vertex_weights=[2**60 + 1, 2**60 - 1])
        with pytest.raises(InfeasibleError) as error:
            partition(loose, 2, imbalance=0)
        needed = error.value.smallest_imbalance
        assert 0 < needed < 1e-18
        assert max(partition(loose, 2, imbalance=needed).part_weights) == 2**60 + 1

    @pytest.mark.parametrize("imbalance", [-0.1, math.nan, math.inf, "much", None])
    def test_what_is_no_tolerance(self, imbalance):
        with pytest.raises(DagpartError, match="imbalance must be"):
            partition([(0, 1)], 2, imbalance=imbalance)


class TestWeights:
    def test_all_zero(self):
        chain = Dag.from_edges([(0, 1, 0), (1, 2, 0)], vertex_weights=[0, 0, 0])
        result = partition(chain, 2)
        assert set(result.labels.tolist()) == {0, 1}
        assert (result.edge_cut, result.cap, result.imbalance) == (0, 0, 0.0)

    @given(graph=graphs(10), data=st.data(), preset=PRESETS)
    def test_near_the_limit_of_int64(self, graph, data, preset):
        k = data.draw(st.integers(1, graph.n), "k")
        edges = sum(w for _, _, w in graph.edges)
        up_edges, up_vertices = (2**62 - 1) // max(edges, 1), (2**62 - 1) // max(graph.total, 1)
        large = Plain(
            graph.n,
            [(u, v, w * up_edges) for u, v, w in graph.edges],
            [w * up_vertices for w in graph.vertex_weights],
        )
        result, warned = caught(partition, large.dag(), k, imbalance=k - 1, preset=preset)
        assert_legal(large, result, k)
        assert not warned

    def test_mean_weights_above_2_to_58(self):
        graph = Plain(4, [(0, 3, 6), (0, 2, 1), (1, 2, 3)], [2**60 - 1] * 4)
        for preset in ("fast", "default", "strong"):
            result = partition(graph.dag(), 2, imbalance=1, preset=preset)
            assert_legal(graph, result, 2)
            assert result.edge_cut == 1

    def test_a_vertex_of_2_to_61(self):
        chain = Dag.from_edges([(0, 1, 2**61), (1, 2, 2**60)], vertex_weights=[2**61, 2**60, 2**60 - 1])
        result = partition(chain, 2, imbalance=0)
        assert result.labels.tolist() == [0, 1, 1]
        assert result.edge_cut == 2**61
        assert result.part_weights.tolist() == [2**61, 2**61 - 1]

    def test_a_critical_path_above_int64_is_none(self):
        # Edges count in hundredths here, so that a vertex has a hundred times its weight beside them.
        chain = Dag.from_edges([(0, 1, 0.25)], vertex_weights=[2**61, 2**61 - 1])
        result = partition(chain, 2)
        assert result.critical_path is None
        assert result.to_dict()["critical_path"] is None

    def test_scales_are_reported(self):
        chain = Dag.from_edges([(0, 1, 0.5), (1, 2, 0.25)], vertex_weights=[1.5, 1, 0.5])
        facts = partition(chain, 2).to_dict()
        assert (facts["edge_cut"], facts["comm_volume"], facts["critical_path"]) == (0.5, 0.5, 3.5)
        assert (facts["part_weights"], facts["cap"]) == ([1.5, 1.5], 1.54)
        assert (facts["weight_scale"], facts["vertex_weight_scale"]) == (100, 100)

    @pytest.mark.parametrize("quarter", [0.25, Fraction(1, 4), Decimal("0.25"), np.float32(0.25)])
    def test_costs_are_in_the_callers_unit(self, quarter):
        chain = [(0, 1), (1, 2), (2, 3)]
        cut = partition(chain, 2, edge_weights=[quarter] * 3)
        assert (cut.edge_cut, cut.comm_volume, cut.critical_path) == (0.25, 0.25, 4.25)
        assert (cut.part_weights.tolist(), cut.part_weights.dtype, cut.cap) == ([2, 2], np.int64, 2)
        assert type(cut.cap) is int
        loads = partition(chain, 2, vertex_weights=[quarter] * 4)
        assert (loads.part_weights.tolist(), loads.cap, loads.imbalance) == ([0.5, 0.5], 0.51, 0)
        assert (loads.edge_cut, loads.critical_path) == (1, 2)
        # The same labels as with whole weights, whatever the unit.
        assert loads.labels.tolist() == cut.labels.tolist() == partition(chain, 2).labels.tolist()
        for result in (cut, loads):
            assert json.loads(json.dumps(result.to_dict())) == result.to_dict()

    def test_whole_weights_give_ints(self):
        result = partition([(0, 1, 2.0), (1, 2, 4)], 2, vertex_weights=[1.0, 2.0, 3.0])
        costs = (result.edge_cut, result.comm_volume, result.critical_path, result.cap)
        assert [type(cost) for cost in costs] == [int] * 4
        assert result.part_weights.dtype == np.int64

    def test_the_graph_of_parts_tells_its_scale(self):
        quotient = partition([(0, 1, 0.25)], 2, vertex_weights=[0.5, 0.5]).quotient
        assert (quotient.edge_weights / quotient.weight_scale).tolist() == [0.25]
        assert (quotient.vertex_weights / quotient.vertex_weight_scale).tolist() == [0.5, 0.5]

    def test_words_are_in_the_callers_unit(self):
        with pytest.raises(InfeasibleError, match=r"vertex 0 weighs 2\.5, more than the 1\.5 a part may"):
            partition([(0, 1)], 2, vertex_weights=[2.5, 0.5])
        with pytest.warns(BalanceWarning, match=r"part \d weighs 0\.4, more than the 0\.3 allowed"):
            partition(Dag.from_edges([], 3, vertex_weights=[0.2, 0.2, 0.2]), 2, imbalance=0)

    def test_progress_is_in_the_callers_unit(self):
        seen = []
        chain = Dag.from_edges([(0, 1, 0.25), (1, 2, 0.25), (2, 3, 0.25)])
        partition(chain, 2, time_limit=0.1, progress=lambda seconds, best: seen.append(best))
        assert seen[-1] == 0.25


def blocks_of(graph: Plain, groups, fixed):
    """What must share a part, by NetworkX: groups and fixed parts closed to rings, then strong components."""
    tied = nx.DiGraph(graph.networkx)
    parts = [[v for v, p in fixed.items() if p == part] for part in set(fixed.values())]
    for members in [*groups, *parts]:
        tied.add_edges_from(pairwise([*members, *members[:1]]))
    return list(nx.strongly_connected_components(tied))


@st.composite
def bound_graphs(draw, acyclic=True):
    """A graph with a number of parts, some vertices fixed, and some that must share a part."""
    graph = draw(graphs(10, acyclic=acyclic))
    k = draw(st.integers(1, graph.n))
    vertices = st.integers(0, graph.n - 1)
    fixed = draw(st.dictionaries(vertices, st.integers(0, k - 1), max_size=4))
    groups = draw(st.lists(st.lists(vertices, max_size=3), max_size=2))
    return graph, k, fixed, groups


class TestFixedAndGroups:
    @given(case=bound_graphs(), as_array=st.booleans(), preset=PRESETS)
    def test_against_networkx(self, case, as_array, preset):
        graph, k, fixed, groups = case
        blocks = blocks_of(graph, groups, fixed)
        given_fixed = [fixed.get(v, -1) for v in range(graph.n)] if as_array else fixed
        request = {"fixed": given_fixed, "groups": groups, "imbalance": k, "preset": preset}
        if any(len({fixed[v] for v in block if v in fixed}) > 1 for block in blocks):
            with pytest.raises(InfeasibleError, match="fixed parts contradict each other"):
                partition(graph.dag(), k, **request)
        elif len(blocks) < k:
            with pytest.raises(InfeasibleError, match=f"leaves {len(blocks)} blocks for k={k} parts"):
                partition(graph.dag(), k, **request)
        else:
            result = partition(graph.dag(), k, **request)
            assert_legal(graph, result, k)
            assert all(result.labels[v] == part for v, part in fixed.items())
            assert all(len({result.labels[v] for v in block}) == 1 for block in blocks)
            assert result.merged == graph.n - len(blocks)

    @given(case=bound_graphs(), more=st.integers(0, 3))
    def test_with_empty_parts(self, case, more):
        graph, k, fixed, groups = case
        blocks = blocks_of(graph, groups, fixed)
        if any(len({fixed[v] for v in block if v in fixed}) > 1 for block in blocks):
            return
        k += more
        result = partition(graph.dag(), k, fixed=fixed, groups=groups, imbalance=k, allow_empty=True)
        assert_legal(graph, result, k, empty=True)
        assert all(result.labels[v] == part for v, part in fixed.items())

    def test_fixed_parts_keep_the_ids_of_the_caller(self):
        result = partition([("a", "b"), ("b", "c"), ("c", "d")], 3, fixed={"d": 0, "a": 2})
        parts = dict(zip(result.graph.names, result.labels.tolist(), strict=True))
        assert (parts["a"], parts["d"]) == (2, 0)
        assert result.part_order.tolist() == [2, 1, 0]
        assert [result.graph.name(v) for v in result.order] == ["a", "b", "c", "d"]

    def test_fixed_vertices_that_weigh_nothing(self):
        graph = Plain(5, [(0, 3, 1), (1, 2, 0), (3, 4, 0)], [0] * 5)
        result = partition(graph.dag(), 2, fixed={0: 0, 3: 1})
        assert_legal(graph, result, 2)
        assert result.labels[[0, 3]].tolist() == [0, 1]

    def test_a_group_takes_the_paths_between_its_members_along(self):
        chain = Dag.from_edges([(v, v + 1) for v in range(5)])
        result = partition(chain, 3, groups=[[4, 1]], imbalance=1)
        assert result.merged == 3
        assert result.labels.tolist() == [0, 1, 1, 1, 1, 2]

    def test_a_group_too_heavy_for_a_part(self):
        chain = Dag.from_edges([(v, v + 1) for v in range(5)])
        with pytest.raises(InfeasibleError, match=r"vertex 1 and the 3 others .* weigh 4, more than the 3"):
            partition(chain, 2, groups=[[4, 1]], imbalance=0)

    def test_fixed_vertices_too_heavy_for_a_part(self):
        loose = Dag.from_edges([], n=4)
        with pytest.raises(InfeasibleError, match="weigh 3, more than the 2") as error:
            partition(loose, 2, fixed=[0, 0, 0, -1])
        assert error.value.smallest_imbalance == 0.5

    @pytest.mark.parametrize(
        ("edges", "fixed", "groups", "there", "back"),
        [
            ("ab bc", {"a": 0, "b": 1, "c": 0}, [], "a -> b", "b -> c ~ a"),
            ("ab cd", {"a": 0, "b": 1, "c": 1, "d": 0}, [], "a -> b", "b ~ c -> d ~ a"),
            ("ab cd", {"a": 0, "b": 1}, ["bc", "da"], "a -> b", "b ~ c -> d ~ a"),
            ("ab cd", {"a": 0, "c": 1}, ["ac"], "a ~ c", "c ~ a"),
            ("ax xb bc", {"a": 0, "b": 1, "c": 0}, [], "a -> x -> b", "b -> c ~ a"),
        ],
    )
    def test_a_contradiction_names_its_paths(self, edges, fixed, groups, there, back):
        with pytest.raises(InfeasibleError) as error:
            partition([tuple(edge) for edge in edges.split()], 2, fixed=fixed, groups=groups)
        assert str(error.value) in {
            f"fixed parts contradict each other: part {p} would have to precede part {1 - p} ({one}) and "
            f"follow it ({other}); free one of these vertices or fix them to one part"
            for p, one, other in ((0, there, back), (1, back, there))
        }

    @pytest.mark.parametrize(
        ("fixed", "words"),
        [
            ([0, 1], "2 entries for 3 vertices"),
            ([0, 2, -1], "vertex 1 is fixed to part 2; parts run from 0 to 1"),
            ([0, -2, -1], "vertex 1 is fixed to part -2"),
            (np.array([0, 2**64 - 1, 0], dtype=np.uint64), "vertex 1 is fixed to part 18446744073709551615"),
            ([0.0, 1.0, 1.0], "must be integers"),
            (1, "one dimension"),
            ({3: 0}, "no vertex 3"),
            ({0: 2}, "vertex 0 is fixed to part 2"),
            ({0: 2**70}, "64 bits"),
            ({0: -1}, "is negative"),
            ({0: "b"}, "no whole number"),
            ({"a": 0}, "no whole number"),
        ],
    )
    def test_malformed_fixed(self, fixed, words):
        with pytest.raises(DagpartError, match=words):
            partition([(0, 1), (1, 2)], 2, fixed=fixed)

    @pytest.mark.parametrize(
        ("groups", "words"),
        [
            ([[0, 3]], "no vertex 3"),
            ([[0, -1]], "is negative"),
            ([0, 1], "lists of vertices"),
            (1, "lists of vertices"),
        ],
    )
    def test_malformed_groups(self, groups, words):
        with pytest.raises(DagpartError, match=words):
            partition([(0, 1), (1, 2)], 2, groups=groups)

    def test_names_that_are_not_there(self):
        for request in ({"fixed": {"z": 0}}, {"groups": [["a", "z"]]}):
            with pytest.raises(DagpartError, match="no vertex is called 'z'"):
                partition([("a", "b")], 2, **request)


class TestCycles:
    @given(case=bound_graphs(acyclic=False))
    def test_condensed_against_networkx(self, case):
        graph, k, fixed, groups = case
        if nx.is_directed_acyclic_graph(graph.networkx):
            assert isinstance(partition(graph.digraph(), 1).graph, Dag)
            return
        with pytest.raises(NotADagError, match='on_cycle="condense"'):
            partition(graph.digraph(), k)
        blocks = blocks_of(graph, groups, fixed)
        clash = any(len({fixed[v] for v in block if v in fixed}) > 1 for block in blocks)
        request = {"fixed": fixed, "groups": groups, "imbalance": k, "on_cycle": "condense"}
        if clash or len(blocks) < k:
            with pytest.raises(InfeasibleError):
                partition(graph.digraph(), k, **request)
            return
        result = partition(graph.digraph(), k, **request)
        assert_legal(graph, result, k)
        assert all(len({result.labels[v] for v in block}) == 1 for block in blocks)
        assert result.merged == graph.n - len(blocks)

    def test_measures_of_a_condensed_graph(self):
        ring = Digraph.from_edges([(0, 1, 5), (1, 0, 5), (1, 2, 3)], vertex_weights=[1, 2, 4])
        result = partition(ring, 2, on_cycle="condense")
        assert result.labels.tolist() == [0, 0, 1]
        assert (result.edge_cut, result.comm_volume, result.critical_path) == (3, 3, 3 + 3 + 4)
        assert sorted(result.order[:2].tolist()) == [0, 1]
        assert result.order[2] == 2

    def test_a_cycle_too_heavy_for_a_part(self):
        with pytest.raises(InfeasibleError, match="vertex 0 and the 2 others that must share its part"):
            partition([(0, 1), (1, 2), (2, 0), (2, 3)], 2, on_cycle="condense")

    def test_unknown_treatment(self):
        with pytest.raises(DagpartError, match="on_cycle"):
            partition([(0, 1)], 2, on_cycle="cut")


class TestRequests:
    def test_options_are_taken_for_a_preset(self):
        chain = Dag.from_edges([(v, v + 1) for v in range(9)])
        assert partition(chain, 5, preset=replace(Options().without("guide"), starts=1)).edge_cut == 4

    def test_unknown_preset(self):
        with pytest.raises(DagpartError, match="no preset 'slow'; choose from fast, default, strong"):
            partition([(0, 1)], 2, preset="slow")

    @pytest.mark.parametrize("seed", [-1, 2**64, 0.5, "1"])
    def test_what_is_no_seed(self, seed):
        with pytest.raises(DagpartError, match="seed"):
            partition([(0, 1)], 2, seed=seed)

    @pytest.mark.parametrize("threads", [0, -1, 1.5])
    def test_what_is_no_number_of_threads(self, threads):
        with pytest.raises(DagpartError, match="threads"):
            partition([(0, 1)], 2, threads=threads)


class TestResult:
    @pytest.fixture
    def result(self):
        diamond = Dag.from_edges([("a", "b", 2), ("a", "c", 3), ("b", "d", 1), ("c", "d", 5)])
        return partition(diamond, 2, seed=3)

    def test_figures(self, result):
        assert dict(zip(result.graph.names, result.labels.tolist(), strict=True)) == {
            "a": 0,
            "b": 0,
            "c": 1,
            "d": 1,
        }
        assert (result.edge_cut, result.comm_volume, result.imbalance) == (4, 4, 0.0)
        # a -> c -> d: three vertices and the one edge that crosses.
        assert result.critical_path == 3 + 3
        assert result.quotient.edge_weights.tolist() == [4]
        assert result.quotient.vertex_weights.tolist() == [2, 2]

    def test_to_dict_is_json(self, result):
        facts = json.loads(json.dumps(result.to_dict(labels=True)))
        assert facts.pop("seconds") == result.seconds >= 0
        assert facts == {
            "k": 2,
            "edge_cut": 4,
            "comm_volume": 4,
            "critical_path": 6,
            "imbalance": 0.0,
            "part_weights": [2, 2],
            "cap": 2,
            "merged": 0,
            "weight_scale": 1.0,
            "vertex_weight_scale": 1.0,
            "seed": 3,
            "labels": result.labels.tolist(),
        }
        assert "labels" not in result.to_dict()

    def test_save(self, result, tmp_path):
        result.save(tmp_path / "parts")
        assert read_parts(tmp_path / "parts").tolist() == result.labels.tolist()

    def test_save_goes_by_the_suffix(self, result, tmp_path):
        parts = dict(zip("abcd", result.labels.tolist(), strict=True))
        result.save(tmp_path / "parts.json")
        assert json.loads((tmp_path / "parts.json").read_text()) == {**result.to_dict(), "parts": parts}
        result.save(tmp_path / "parts.csv")
        rows = [f"{vertex},{part}" for vertex, part in parts.items()]
        assert (tmp_path / "parts.csv").read_text().split() == ["vertex,part", *rows]

    def test_labels_cannot_be_changed(self, result):
        with pytest.raises(ValueError, match="read-only"):
            result.labels[0] = 1

    def test_pickle(self, result):
        copy = pickle.loads(pickle.dumps(result))
        assert copy.labels.tolist() == result.labels.tolist()
        assert copy.edge_cut == result.edge_cut

    def test_check_agrees(self, result):
        report = dagpart.check(result.graph, result.labels, 2, imbalance=0.03)
        assert report.valid
        assert (report.edge_cut, report.cap) == (result.edge_cut, result.cap)


@pytest.mark.parametrize("name", ["executor", "progress"])
def test_what_goes_with_a_time_limit(name):
    with pytest.raises(DagpartError, match=f"{name} goes with a time limit: give time_limit"):
        dagpart.partition([(0, 1)], 2, **{name: print})
