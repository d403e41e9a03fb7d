"""The engine's phases, each alone: what it promises, counted in plain Python."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dagpart import Options
from dagpart._core import testing
from dagpart._core.testing import ORDER_KINDS, Phases
from dagpart.errors import DagpartError

CLUSTERERS = testing.clusterer_names()
STARTS = testing.start_names()
REFINERS = testing.refiner_names()
SEEDS = st.integers(0, 2**64 - 1)
# Coarse graphs of two vertices, so that small graphs have levels.
COARSE = Options(coarsest=2, coarsest_per_part=1)


def phases_of(n, edges, weights, volume=False, anchors=None):
    """Edges are triples (tail, head, weight) with tail < head."""
    table = np.array(sorted(edges), dtype=np.int64).reshape(-1, 3)
    rows = np.concatenate([[0], np.cumsum(np.bincount(table[:, 0], minlength=n))])
    csr = rows, table[:, 1], table[:, 2]
    flags = None if anchors is None else [v in anchors for v in range(n)]
    return Phases(*csr, weights, flags, (*csr, np.arange(n)) if volume else None)


@st.composite
def problems(draw, max_n=14, min_n=2, volume=None, anchors=(0, 2), unit=False):
    """A graph at the door with so many anchors; half of them pay for nets."""
    # Drawn edge by edge, most graphs would be nearly empty.
    n = draw(st.integers(min_n, max_n))
    rng = random.Random(draw(st.integers(0, 2**32)))
    density = draw(st.sampled_from([0.5, 0.25, 0.1]))
    edges = [(u, v, rng.randint(0, 6)) for u, v in combinations(range(n), 2) if rng.random() < density]
    weights = [1 if unit else rng.randint(0, 6) for _ in range(n)]
    pays = draw(st.booleans()) if volume is None else volume
    fewest, most = anchors
    held = draw(st.sets(st.integers(0, n - 1), min_size=fewest, max_size=most))
    return phases_of(n, edges, weights, pays, held or None)


@st.composite
def labelled(draw, k=None, **options):
    """The same with monotone labels, of which all parts hold something, and caps that they may pass."""
    graph = draw(problems(**options))
    parts = min(graph.n, draw(st.integers(2, 4)) if k is None else k)
    labels = random_labels(graph, parts, random.Random(draw(st.integers(0, 2**32))))
    total = int(graph.vertex_weights.sum())
    low = -(-total // parts)
    caps = draw(st.lists(st.integers(low, total + 1), min_size=parts, max_size=parts))
    return graph, labels, caps


def random_labels(graph, k, rng):
    """An order that Kahn's algorithm draws, cut in k runs that are not empty."""
    after = [[] for _ in range(graph.n)]
    missing = [0] * graph.n
    for u, v, _ in graph.edges.tolist():
        after[u].append(v)
        missing[v] += 1
    ready = [v for v in range(graph.n) if not missing[v]]
    order = []
    while ready:
        order.append(ready.pop(rng.randrange(len(ready))))
        for v in after[order[-1]]:
            missing[v] -= 1
            if not missing[v]:
                ready.append(v)
    ends = [0, *sorted(rng.sample(range(1, graph.n), k - 1)), graph.n]
    labels = [0] * graph.n
    for part in range(k):
        for v in order[ends[part] : ends[part + 1]]:
            labels[v] = part
    return labels


def cost(graph, labels):
    """The objective: what its nets pay, or the weight of its cut edges."""
    if graph.nets:
        return sum(c * (len({labels[v] for v in pins}) - 1) for pins, c in graph.nets)
    return sum(w for u, v, w in graph.edges.tolist() if labels[u] != labels[v])


def count(graph, labels, caps):
    """What a record of the engine says of labels, from nothing."""
    loads, counts = [0] * len(caps), [0] * len(caps)
    for part, weight in zip(labels, graph.vertex_weights.tolist(), strict=True):
        loads[part] += weight
        counts[part] += 1
    over = sum(max(0, load - cap) for load, cap in zip(loads, caps, strict=True))
    return loads, counts, over, cost(graph, labels)


def assert_true(graph, parts, caps):
    """What the engine holds to be true of a partition is true."""
    kept = parts.loads.tolist(), parts.counts.tolist(), parts.over, parts.cost
    assert kept == count(graph, parts.labels.tolist(), caps)
    assert is_monotone(graph, parts.labels)


def is_monotone(graph, labels):
    return all(labels[u] <= labels[v] for u, v, _ in graph.edges.tolist())


def is_topological(graph, order):
    place = {v: i for i, v in enumerate(order)}
    return sorted(order) == list(range(graph.n)) and all(
        place[u] < place[v] for u, v, _ in graph.edges.tolist()
    )


def members(cluster):
    out = {}
    for v, c in enumerate(cluster):
        out.setdefault(c, []).append(v)
    return out


class TestClusterers:
    @pytest.mark.parametrize("name", CLUSTERERS)
    @given(graph=problems(), seed=SEEDS, cells=st.booleans(), share=st.floats(0, 1), data=st.data())
    def test_clusters_keep_what_they_promise(self, name, graph, seed, cells, share, data):
        cell = data.draw(st.lists(st.integers(0, 1), min_size=graph.n, max_size=graph.n)) if cells else None
        most = int(share * graph.vertex_weights.sum())
        cluster, n = graph.cluster(name, cell, most, seed=seed)
        found = members(cluster.tolist())
        assert sorted(found) == list(range(n))
        # Numbers that do not fall along an edge are a topological order of an acyclic graph of clusters.
        assert is_monotone(graph, cluster)
        for inside in found.values():
            assert len(inside) == 1 or graph.vertex_weights[inside].sum() <= most
            assert cell is None or len({cell[v] for v in inside}) == 1

    @pytest.mark.parametrize("name", CLUSTERERS)
    def test_dense_layers_close_no_cycle(self, name):
        # Where pairs over the same two levels are many, most of them would.
        rng = random.Random(4)
        for seed in range(200):
            wide, edges = 8, []
            for u in range(2 * wide):
                heads = range((u // wide + 1) * wide, (u // wide + 2) * wide)
                edges += [(u, v, rng.randint(1, 6)) for v in heads if rng.random() < 0.4]
            graph = phases_of(3 * wide, edges, [1] * 3 * wide)
            assert is_monotone(graph, graph.cluster(name, seed=seed)[0])

    @given(graph=problems(), seed=SEEDS, share=st.floats(0, 1))
    def test_a_guides_clusters_ignore_direction_but_not_weight(self, graph, seed, share):
        most = int(share * graph.vertex_weights.sum())
        cluster, n = graph.cluster("undirected", None, most, seed=seed)
        found = members(cluster.tolist())
        assert sorted(found) == list(range(n))
        assert all(len(c) == 1 or graph.vertex_weights[c].sum() <= most for c in found.values())

    @pytest.mark.parametrize("name", [*CLUSTERERS, "undirected"])
    @pytest.mark.parametrize("volume", [False, True])
    def test_a_grid_shrinks(self, name, volume):
        side = 30
        right = [(v, v + 1, 1) for v in range(side * side) if (v + 1) % side]
        down = [(v, v + side, 1) for v in range(side * (side - 1))]
        graph = phases_of(side * side, right + down, [1] * side * side, volume)
        for seed in range(5):
            assert graph.cluster(name, seed=seed)[1] <= 0.75 * graph.n

    @given(graph=problems(), seed=SEEDS)
    def test_the_same_seed_gives_the_same_clusters(self, graph, seed):
        for name in CLUSTERERS:
            first, again = (graph.cluster(name, seed=seed)[0].tolist() for _ in range(2))
            assert first == again


class TestContraction:
    @given(graph=problems(), seed=SEEDS, name=st.sampled_from(CLUSTERERS), data=st.data())
    def test_every_labelling_of_clusters_costs_the_same(self, graph, seed, name, data):
        cluster, n = graph.cluster(name, seed=seed)
        coarse = graph.contract(cluster, n)
        assert coarse.n == n
        weights = graph.vertex_weights
        assert coarse.vertex_weights.tolist() == [int(weights[cluster == c].sum()) for c in range(n)]
        assert coarse.anchors.tolist() == sorted({int(cluster[v]) for v in graph.anchors})
        # Labels that fall along edges are labellings, too; a plain count needs no order.
        labels = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
        fine = [labels[c] for c in cluster]
        assert cost(coarse, labels) == cost(graph, fine)
        # Where nets are paid for, edges are still kept as ties.
        cut = sum(w for u, v, w in graph.edges.tolist() if fine[u] != fine[v])
        assert sum(w for u, v, w in coarse.edges.tolist() if labels[u] != labels[v]) == cut

    @given(graph=problems(volume=False), seed=SEEDS, data=st.data())
    def test_a_guides_graph_keeps_the_cut(self, graph, seed, data):
        cluster, n = graph.cluster("undirected", seed=seed)
        coarse = graph.contract(cluster, n, undirected=True)
        labels = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
        assert coarse.vertex_weights.sum() == graph.vertex_weights.sum()
        assert cost(coarse, labels) == cost(graph, [labels[c] for c in cluster])

    @given(graph=problems(max_n=40), seed=SEEDS, stop=st.integers(1, 10), undirected=st.booleans())
    def test_levels_shrink_and_fit_into_each_other(self, graph, seed, stop, undirected):
        finer = graph
        total = graph.vertex_weights.sum()
        for cluster, coarse in graph.coarsen(stop, undirected=undirected, options=COARSE, seed=seed):
            assert stop < finer.n
            assert coarse.n <= 0.95 * finer.n
            assert sorted(set(cluster.tolist())) == list(range(coarse.n))
            assert len(cluster) == finer.n
            again = finer.contract(cluster, coarse.n, undirected)
            assert again.edges.tolist() == coarse.edges.tolist()
            assert again.vertex_weights.tolist() == coarse.vertex_weights.tolist()
            assert coarse.vertex_weights.sum() == total
            finer = coarse

    @given(graph=problems(max_n=40), seed=SEEDS, data=st.data())
    def test_coarsening_keeps_cells(self, graph, seed, data):
        cells = data.draw(st.lists(st.integers(0, 2), min_size=graph.n, max_size=graph.n))
        for cluster, _ in graph.coarsen(1, cells, options=COARSE, seed=seed):
            found = members(cluster.tolist())
            assert all(len({cells[v] for v in inside}) == 1 for inside in found.values())
            cells = [cells[found[c][0]] for c in range(len(found))]


class TestOrders:
    @given(graph=problems(), seed=SEEDS, backward=st.booleans())
    def test_every_kind_is_topological(self, graph, seed, backward):
        for kind in (*ORDER_KINDS, "given"):
            assert is_topological(graph, graph.order(kind, backward, seed).tolist()), kind

    @given(graph=problems())
    def test_components_stay_together_heaviest_first(self, graph):
        order = graph.order("by_component")
        whole = nx.Graph([(u, v) for u, v, _ in graph.edges.tolist()])
        whole.add_nodes_from(range(graph.n))
        pieces = list(nx.connected_components(whole))
        if len(pieces) == 1:
            assert order is None
            return
        assert is_topological(graph, order.tolist())
        left, weights = order.tolist(), []
        while left:
            piece = next(piece for piece in pieces if left[0] in piece)
            assert set(left[: len(piece)]) == piece
            weights.append(sum(graph.vertex_weights[v] for v in piece))
            left = left[len(piece) :]
        assert weights == sorted(weights, reverse=True)

    @given(graph=problems(anchors=(0, 0)), seed=SEEDS, share=st.floats(0.3, 1))
    def test_the_best_prefix(self, graph, seed, share):
        order = graph.order("random", seed=seed).tolist()
        total = int(graph.vertex_weights.sum())
        caps = [int(share * total) + 1, total - int(share * total) // 2]
        labels = graph.best_prefix(order, caps).tolist()
        found = count(graph, labels, caps)[2:]
        place = {v: i for i, v in enumerate(order)}
        every = [[int(place[v] >= end) for v in range(graph.n)] for end in range(1, graph.n)]
        assert labels in every
        assert found == min(count(graph, other, caps)[2:] for other in every)

    @given(problem=labelled(max_n=9), seed=SEEDS)
    def test_the_best_split(self, problem, seed):
        graph, _, caps = problem
        order = graph.order("random", seed=seed).tolist()
        labels = graph.best_split(order, caps)
        anchors = set(graph.anchors.tolist())
        best = None
        for ends in combinations(range(1, graph.n), len(caps) - 1):
            bounds = [0, *ends, graph.n]
            other = [0] * graph.n
            for part in range(len(caps)):
                for v in order[bounds[part] : bounds[part + 1]]:
                    other[v] = part
            if len({other[v] for v in anchors}) == len(anchors):
                score = count(graph, other, caps)[2:]
                best = score if best is None else min(best, score)
        if best is None:
            assert labels is None
        else:
            assert count(graph, labels.tolist(), caps)[2:] == best

    @given(graph=problems(), seed=SEEDS, k=st.integers(1, 5), slack=st.integers(0, 5))
    def test_a_quick_split_is_runs_of_the_order(self, graph, seed, k, slack):
        order = graph.order("random", seed=seed)
        cap = -(-int(graph.vertex_weights.sum()) // k) + slack
        labels = graph.split_order(order, k, cap)
        assert np.all(np.diff(labels[order]) >= 0)
        assert 0 <= labels.min() <= labels.max() < k


class TestStarts:
    @pytest.mark.parametrize("name", STARTS)
    @given(graph=problems(max_n=24), seed=SEEDS, share=st.floats(0.5, 1), guided=st.booleans())
    def test_labels_are_monotone_and_kept_count_is_true(self, name, graph, seed, share, guided):
        cap = int(np.ceil(share * graph.vertex_weights.sum()))
        caps = [cap, cap]
        guide = graph.guide(caps, COARSE, seed) if guided else None
        made = graph.start(name, caps, guide, COARSE, seed)
        assert made is not None or (name == "repair" and not guided)
        if made is not None:
            assert_true(graph, made, caps)

    @pytest.mark.parametrize("name", STARTS)
    @given(graph=problems(max_n=24, anchors=(2, 2)), seed=SEEDS)
    def test_two_anchors_come_to_different_sides(self, name, graph, seed):
        total = int(graph.vertex_weights.sum())
        guide = graph.guide([total, total], COARSE, seed)
        made = graph.start(name, [total, total], guide, COARSE, seed)
        low, high = graph.anchors
        assert (made.labels[low], made.labels[high]) == (0, 1)

    @given(graph=problems(max_n=24, unit=True, anchors=(0, 0)), seed=SEEDS)
    def test_unit_weights_are_balanced(self, graph, seed):
        caps = [graph.n // 2, graph.n - graph.n // 2]
        guide = graph.guide(caps, COARSE, seed)
        for name in STARTS:
            assert graph.start(name, caps, guide, COARSE, seed).over == 0, name

    @pytest.mark.parametrize("name", ["repair", "multilevel"])
    @given(problem=labelled(k=2, max_n=24, anchors=(0, 0)), seed=SEEDS)
    def test_not_worse_than_a_guide_that_needs_no_repair(self, name, problem, seed):
        graph, guide, _ = problem
        # Balanced as it is; all four repairs are kept in sight, and none is refined.
        caps = graph.measure(guide, [0, 0]).loads
        before = graph.measure(guide, caps)
        made = graph.start(name, caps, guide, replace(COARSE, repairs=4, refiners=()), seed)
        assert (made.over, made.cost) <= (before.over, before.cost)

    @given(graph=problems(max_n=24), seed=SEEDS)
    def test_a_guide_has_two_sides(self, graph, seed):
        total = int(graph.vertex_weights.sum())
        guide = graph.guide([total, total], COARSE, seed)
        assert set(guide.tolist()) <= {0, 1}


class TestRefiners:
    @pytest.mark.parametrize("name", REFINERS)
    @given(problem=labelled(), seed=SEEDS, slack=st.integers(0, 6))
    def test_never_worse_and_anchors_stay(self, name, problem, seed, slack):
        graph, labels, caps = problem
        before = graph.measure(labels, caps)
        after = graph.refine(name, labels, caps, seed=seed, slack=slack)
        assert_true(graph, before, caps)
        assert_true(graph, after, caps)
        assert (after.over, after.cost) <= (before.over, before.cost)
        assert all(after.labels[v] == labels[v] for v in graph.anchors)
        assert after.counts.min() > 0

    @given(problem=labelled(), seed=SEEDS, named=st.lists(st.sampled_from(REFINERS), max_size=3))
    def test_a_level_by_whatever_the_options_name(self, problem, seed, named):
        graph, labels, caps = problem
        before = graph.measure(labels, caps)
        after = graph.refine(None, labels, caps, Options(refiners=tuple(named)), seed)
        assert_true(graph, after, caps)
        assert (after.over, after.cost) <= (before.over, before.cost)
        if not named:
            assert after.labels.tolist() == labels

    @given(problem=labelled(k=2, volume=False), seed=SEEDS)
    def test_a_level_by_one_is_that_one(self, problem, seed):
        for name in REFINERS:
            alone = problem[0].refine(name, *problem[1:], seed=seed)
            level = problem[0].refine(None, *problem[1:], Options(refiners=(name,)), seed)
            assert alone.labels.tolist() == level.labels.tolist()

    @given(graph=problems(), seed=SEEDS, data=st.data())
    def test_two_way_refinement_of_a_guide(self, graph, seed, data):
        labels = data.draw(st.lists(st.integers(0, 1), min_size=graph.n, max_size=graph.n))
        total = int(graph.vertex_weights.sum())
        caps = [-(-2 * total // 3), -(-2 * total // 3)]
        after = graph.refine_sides(labels, caps, seed=seed)
        triples = graph.edges.tolist()

        def score(sides):
            over = count(graph, sides, caps)[2]
            return over, sum(w for u, v, w in triples if sides[u] != sides[v])

        assert (after.over, after.cost) == score(after.labels.tolist()) <= score(labels)
        assert all(after.labels[v] == labels[v] for v in graph.anchors)

    @pytest.mark.parametrize("name", REFINERS)
    def test_each_finds_the_cheap_edge(self, name):
        # Part 0 holds the first three of a path whose third edge is the light one.
        path = [(v, v + 1, 1 if v == 2 else 5) for v in range(5)]
        graph = phases_of(6, path, [1] * 6)
        for labels in ([0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1]):
            after = graph.refine(name, labels, [4, 4])
            assert (after.labels.tolist(), after.cost) == ([0, 0, 0, 1, 1, 1], 1)


def to_networkx(pair):
    graph = nx.DiGraph()
    graph.add_nodes_from(["source", "sink"])

    def add(tail, head, capacity):
        if capacity < 0:
            graph.add_edge(tail, head)  # without a capacity, which is infinite there
        elif capacity > 0 and not graph.has_edge(tail, head):
            graph.add_edge(tail, head, capacity=capacity)
        elif capacity > 0 and "capacity" in graph[tail][head]:
            graph[tail][head]["capacity"] += capacity

    for tail, head, capacity, backward in pair.arcs.tolist():
        add(tail, head, capacity)
        add(head, tail, backward)
    for node in range(pair.size):
        add("source", node, int(pair.from_source[node]))
        add(node, "sink", int(pair.to_sink[node]))
    return graph


class TestFlow:
    @given(problem=labelled(min_n=12, anchors=(3, 6)), seed=SEEDS, data=st.data())
    def test_a_minimum_cut_is_the_best_monotone_split(self, problem, seed, data):
        graph, labels, caps = problem
        low, high = sorted(data.draw(st.permutations(range(len(caps))))[:2])
        caps = [int(graph.vertex_weights.sum()) + 1] * len(caps)
        # A few of both parts are the corridor, from where it grows; the rest is fixed.
        start = data.draw(st.none() | st.lists(st.integers(0, graph.n - 1), min_size=2))
        few = Options(flow_nodes=data.draw(st.integers(12, 20)))
        pair = graph.pair(labels, caps, low, high, start, few, seed)
        assume(pair is not None)
        assert pair.max_flow == nx.minimum_cut_value(to_networkx(pair), "source", "sink")
        present = cost(graph, labels)
        best = present
        for sides in product((low, high), repeat=len(pair.vertices)):
            other = list(labels)
            for v, side in zip(pair.vertices, sides, strict=True):
                other[v] = side
            if is_monotone(graph, other):
                best = min(best, cost(graph, other))
        assert present - pair.cost + pair.max_flow == best
        # Without limits of balance the first cut is taken as it is.
        assert pair.nearest is not None
        assert pair.cut_cost == pair.max_flow

    @given(problem=labelled(min_n=8), seed=SEEDS, data=st.data())
    def test_the_cut_that_is_taken(self, problem, seed, data):
        graph, labels, caps = problem
        low, high = sorted(data.draw(st.permutations(range(len(caps))))[:2])
        pair = graph.pair(labels, caps, low, high, seed=seed)
        assume(pair is not None)
        if pair.nearest is None:
            assert pair.labels.tolist() == labels
            return
        loads, _, _, after = count(graph, pair.labels.tolist(), caps)
        assert is_monotone(graph, pair.labels)
        assert pair.max_flow <= pair.cut_cost <= pair.cost
        assert after == cost(graph, labels) - pair.cost + pair.cut_cost
        assert loads[low] <= caps[low]
        assert loads[high] <= caps[high]
        moved = np.flatnonzero(pair.labels != labels)
        assert set(moved) <= set(pair.vertices)
        assert not set(moved) & set(graph.anchors.tolist())

    @pytest.mark.parametrize("volume", [False, True])
    def test_random_networks(self, volume):
        # Larger than what can be enumerated; most are cut in the middle, not at a terminal.
        rng = random.Random(3)
        n, fixed, inner = 80, 15, 0
        for seed in range(20):
            pairs = {tuple(sorted(rng.sample(range(n), 2))) for _ in range(3 * n // 2)}
            edges = [(u, v, rng.randint(1, 6)) for u, v in pairs]
            anchors = {*range(fixed), *range(n - fixed, n)}
            graph = phases_of(n, edges, [1] * n, volume, anchors)
            labels = [int(v >= n // 2) for v in range(n)]
            pair = graph.pair(labels, [n, n], 0, 1, seed=seed)
            value = nx.minimum_cut_value(to_networkx(pair), "source", "sink")
            assert 0 < pair.max_flow == value == pair.cut_cost <= pair.cost
            inner += value < min(pair.from_source.sum(), pair.to_sink.sum())
        assert inner > 10


class TestNumbering:
    @given(problem=labelled(), seed=SEEDS)
    def test_a_new_numbering_has_the_same_parts(self, problem, seed):
        graph, labels, caps = problem
        after = graph.renumber(labels, caps, seed)
        assert_true(graph, after, caps)
        assert len(set(zip(labels, after.labels.tolist(), strict=True))) == len(set(labels))
        assert set(after.labels.tolist()) == set(labels)
        assert after.cost == cost(graph, labels)

    def test_any_order_of_parts_without_edges_is_drawn(self):
        graph = phases_of(3, [], [1, 1, 1])
        drawn = {tuple(graph.renumber([0, 1, 2], [1, 1, 1], seed).labels.tolist()) for seed in range(60)}
        assert len(drawn) == 6

    @given(graph=problems(), k=st.integers(1, 14), data=st.data())
    def test_no_part_stays_empty(self, graph, k, data):
        k = min(k, graph.n)
        used = data.draw(st.integers(1, k))
        labels = random_labels(graph, used, random.Random(data.draw(st.integers(0, 99))))
        spread = sorted(data.draw(st.permutations(range(k)))[:used])
        caps = [1] * k
        after = graph.fill_empty([spread[p] for p in labels], caps)
        assert_true(graph, after, caps)
        assert after.counts.min() > 0
        # Only picked vertices leave their parts, one for each part that was empty.
        stayed = max_overlap(labels, after.labels.tolist())
        assert graph.n - stayed <= k - used

    def test_only_an_outermost_vertex_leaves_its_part(self):
        # The one in the middle would cost nothing, and stand between two vertices of its old part.
        graph = phases_of(5, [(0, 1, 5), (1, 2, 0), (2, 3, 0), (3, 4, 4)], [1] * 5)
        parts = graph.fill_empty([0] * 5, [5, 5])
        assert (parts.labels.tolist(), parts.cost) == ([0, 0, 0, 0, 1], 4)


def max_overlap(labels, others):
    """Vertices whose old part and new part match, each part matched with the one it shares most with."""
    table = np.zeros((max(labels) + 1, max(others) + 1), dtype=int)
    np.add.at(table, (labels, others), 1)
    return int(table.max(axis=1).sum())


class TestBalancer:
    @given(problem=labelled(anchors=(0, 0), unit=True, max_n=30), seed=SEEDS, slack=st.integers(0, 3))
    def test_unit_weights_are_always_balanced(self, problem, seed, slack):
        graph, labels, caps = problem
        caps = [-(-graph.n // len(caps)) + slack] * len(caps)
        after = graph.rebalance(labels, caps, seed)
        assert_true(graph, after, caps)
        assert after.over == 0
        assert after.counts.min() > 0

    @given(problem=labelled(), seed=SEEDS)
    def test_what_is_kept_is_true_and_anchors_stay(self, problem, seed):
        graph, labels, caps = problem
        before = graph.measure(labels, caps)
        after = graph.rebalance(labels, caps, seed)
        assert_true(graph, after, caps)
        assert all(after.labels[v] == labels[v] for v in graph.anchors)
        assert after.counts.min() > 0
        if before.over == 0:
            assert after.labels.tolist() == labels

    @pytest.mark.parametrize(("anchor", "after"), [(4, 5), (3, 4), (2, 3), (1, 3)])
    def test_overload_stops_at_an_anchor(self, anchor, after):
        # From below and, turned around, from above.
        graph = phases_of(6, [(v, v + 1, 1) for v in range(5)], [1] * 6, anchors={anchor})
        parts = graph.rebalance([0, 0, 0, 0, 0, 1], [3, 3])
        assert parts.labels.tolist() == [0] * after + [1] * (6 - after)
        graph = phases_of(6, [(v, v + 1, 1) for v in range(5)], [1] * 6, anchors={5 - anchor})
        parts = graph.rebalance([0, 1, 1, 1, 1, 1], [3, 3])
        assert parts.labels.tolist() == [0] * (6 - after) + [1] * after


PATH = ([0, 1, 2, 2], [1, 2], [1, 1], [1, 1, 1])


class TestTheDoor:
    @pytest.mark.parametrize(
        ("arrays", "words"),
        [
            (([0, 1, 1], [0], [1], [1, 1]), "number them topologically"),
            (([0, 2, 1], [1], [1], [1, 1]), "indptr must rise"),
            (([0, 1, 1], [7], [1], [1, 1]), "indices must lie in 0 .. 1"),
            ((*PATH, [1]), "1 anchors for 3 vertices"),
            ((*PATH, None, (*PATH[:3], [0, 1, 3])), "nets stand at vertices"),
        ],
    )
    def test_what_is_no_graph_is_refused(self, arrays, words):
        with pytest.raises(DagpartError, match=words):
            Phases(*arrays)

    @pytest.mark.parametrize(
        ("method", "arguments", "words"),
        [
            ("refine", ("fn", [0, 0, 1], [2, 2]), "no refiner 'fn'; choose from fm, flow"),
            ("cluster", ("run",), "no clusterer 'run'"),
            ("start", ("scam", [2, 2]), "no start 'scam'"),
            ("order", ("any",), "no order 'any'"),
            ("measure", ([0, 0, 2], [2, 2]), r"vertex 2 has 2, which is not in 0 \.\. 1"),
            ("measure", ([0, 1, 0], [2, 2]), "must not fall along an edge"),
            ("measure", ([0, 1], [2, 2]), "a number for each of 3 vertices"),
            ("measure", ([0, 0, 0], []), "the most weight of each"),
            ("best_prefix", ([0, 1, 2], [2]), "of each of 2 parts"),
            ("best_prefix", ([0, 2, 1], [2, 2]), "must be topological"),
            ("best_prefix", ([0, 0, 1], [2, 2]), "each of 3 vertices once"),
            ("best_split", ([0, 1, 2], [1] * 4), "cannot fill 4 parts"),
            ("contract", ([0, 1, 0], 2), "numbers of the clusters"),
            ("coarsen", (0,), "at one vertex or more"),
            ("split_order", ([0, 1, 2], 0, 1), "one part at least"),
            ("pair", ([0, 0, 1], [2, 2], 1, 1), "a pair needs"),
            ("pair", ([0, 0, 1], [2, 2], 0, 1, [3]), r"not in 0 \.\. 2"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, method, arguments, words):
        with pytest.raises(DagpartError, match=words):
            getattr(Phases(*PATH), method)(*arguments)
