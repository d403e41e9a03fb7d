"""Parts under a cap: never above it, acyclic, and few of them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
from _data import sample
from _plain import graphs
from hypothesis import given
from hypothesis import strategies as st

import dagpart
from dagpart import Dag, DagpartError, InfeasibleError, NotADagError, cluster, generate

# Assembly lines of the literature: task times, precedences from task 1, and the least number of stations for
# each cycle time, as listed by A. Scholl, "Balancing and Sequencing of Assembly Lines", Physica, 1999.
JACKSON = (
    [6, 2, 5, 7, 1, 2, 3, 6, 5, 5, 4],
    [
        (1, 2),
        (1, 3),
        (1, 4),
        (1, 5),
        (2, 6),
        (3, 7),
        (4, 7),
        (5, 7),
        (6, 8),
        (7, 9),
        (8, 10),
        (9, 11),
        (10, 11),
    ],
    {7: 8, 9: 6, 10: 5, 13: 4, 14: 4, 21: 3},
)
BOWMAN = (
    [11, 17, 9, 5, 8, 12, 10, 3],
    [(1, 2), (2, 3), (2, 4), (3, 5), (3, 6), (4, 6), (5, 7), (6, 8)],
    {20: 5},
)


def fewest(n: int, edges: list[tuple[int, int]], weights: list[int], cap: int) -> int:
    """The least number of parts: over all orders, the fullest way to have placed a set of vertices."""
    before = [sum({1 << u for u, v in edges if v == w}) for w in range(n)]
    states = {0: (0, cap)}
    for _ in range(n):
        following: dict[int, tuple[int, int]] = {}
        for done, (parts, load) in states.items():
            for v in range(n):
                if not done >> v & 1 and before[v] & done == before[v]:
                    full = load + weights[v] > cap
                    state = (parts + 1, weights[v]) if full or not parts else (parts, load + weights[v])
                    place = done | 1 << v
                    following[place] = min(following.get(place, state), state)
        states = following
    return next(iter(states.values()))[0]


def assert_sound(result: dagpart.Partition, cap: int) -> None:
    """Acyclic, under the cap, no part empty, and counted right."""
    report = dagpart.check(result.graph, result.labels, max(result.k, 1))
    assert report.acyclic
    assert sorted(set(result.labels.tolist())) == list(range(result.k))
    assert max(result.part_weights.tolist(), default=0) <= cap == result.cap
    if isinstance(result.graph, Dag):
        tails = result.graph.edge_sources()
        assert (result.labels[tails] <= result.labels[result.graph.indices]).all()


@pytest.mark.parametrize(
    ("line", "cap"), [(line, cap) for line in (JACKSON, BOWMAN) for cap in line[2]], ids=lambda x: str(x)[:12]
)
def test_assembly_lines_with_known_optima(line, cap):
    times, precedences, optima = line
    edges = [(u - 1, v - 1) for u, v in precedences]
    result = cluster(edges, cap, vertex_weights=times)
    assert_sound(result, cap)
    assert result.k == optima[cap] == fewest(len(times), edges, times, cap)


@given(graphs(max_n=9), st.integers(0, 30))
def test_small_graphs_have_as_few_parts_as_can_be(plain, extra):
    cap = max(plain.vertex_weights, default=0) + extra
    result = cluster(plain.dag(), cap, preset="fast")
    assert_sound(result, cap)
    edges = [(u, v) for u, v, _ in plain.edges]
    assert result.k == fewest(plain.n, edges, plain.vertex_weights, cap)


@given(graphs(max_n=40), st.integers(0, 60), st.sampled_from(["edge_cut", "comm_volume"]), st.integers(0, 3))
def test_the_cap_holds(plain, extra, objective, seed):
    cap = max(plain.vertex_weights, default=0) + extra
    result = cluster(plain.dag(), cap, preset="fast", objective=objective, seed=seed)
    assert_sound(result, cap)
    assert result.k >= -(-plain.total // max(cap, 1))


@pytest.mark.parametrize("cap", [1, 7, 50, 333, 1600, 10**30])
def test_vertices_of_weight_one_fill_their_parts(cap):
    grid = generate.grid2d(40)
    result = cluster(grid, cap, preset="fast")
    assert result.k == -(-1600 // cap)
    assert_sound(result, min(cap, 2**63 - 1))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_no_worse_than_one_vertex_after_another(seed):
    draw = np.random.default_rng(seed)
    n, cap = 300, 100
    weights = draw.integers(1, 60, n)
    ends = np.sort(draw.integers(0, n, (2 * n, 2)), axis=1)
    dag = Dag.from_edges(ends, n, vertex_weights=weights)
    runs, load = 1, 0
    for v in dag.order.tolist():
        if load + weights[v] > cap:
            runs, load = runs + 1, 0
        load += weights[v]
    result = cluster(dag, cap, preset="fast")
    assert_sound(result, cap)
    assert -(-int(weights.sum()) // cap) <= result.k < runs


def test_among_as_many_parts_it_cuts_little():
    # Two ladders that hardly touch: the only partition into two parts under the cap that cuts one edge.
    ladders = [(2 * i + a, 2 * i + 2 + b) for i in range(9) for a in (0, 1) for b in (0, 1) if i != 4]
    result = cluster([*ladders, (9, 10)], 10)
    assert (result.k, result.edge_cut) == (2, 1)


def test_the_volume_is_an_objective_of_its_own():
    graph = generate.grid2d(12)
    volumes = {
        objective: cluster(graph, 30, objective=objective).comm_volume
        for objective in ("edge_cut", "comm_volume")
    }
    assert volumes["comm_volume"] <= volumes["edge_cut"]


def test_same_seed_same_labels_for_any_number_of_threads():
    graph = generate.grid2d(60)
    results = [cluster(graph, 400, seed=5, threads=threads, preset="fast") for threads in (1, 1, 3)]
    assert len({result.labels.tobytes() for result in results}) == 1


class TestGroupsAndCycles:
    def test_groups_stay_together(self):
        chain = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]
        result = cluster(chain, 3, groups=[["b", "d"]])
        parts = dict(zip(result.graph.names, result.labels.tolist(), strict=True))
        assert parts["b"] == parts["c"] == parts["d"]
        assert (result.k, result.merged) == (3, 2)
        with pytest.raises(InfeasibleError, match="the 2 others that must share its part weigh 3") as caught:
            cluster(chain, 2, groups=[["b", "d"]])
        assert caught.value.smallest_max_weight == 3

    def test_cycles(self):
        ring = [(0, 1), (1, 2), (2, 0), (2, 3)]
        with pytest.raises(NotADagError):
            cluster(ring, 3)
        assert cluster(ring, 3, on_cycle="condense").part_weights.tolist() == [3, 1]
        assert cluster(ring, 4, on_cycle="condense").k == 1


class TestWeights:
    def test_too_heavy_a_vertex(self):
        with pytest.raises(InfeasibleError) as caught:
            cluster([("a", "b"), ("b", "c")], 4, vertex_weights=[1, 9, 2])
        assert str(caught.value) == (
            "vertex b weighs 9, more than max_weight=4; the smallest max_weight that would do is 9"
        )
        assert (
            cluster([("a", "b"), ("b", "c")], caught.value.smallest_max_weight, vertex_weights=[1, 9, 2]).k
            == 3
        )

    @pytest.mark.parametrize("cap", [0.3, np.float64(0.3), Decimal("0.3"), Fraction(3, 10)])
    def test_decimals_are_exact(self, cap):
        # As binary fractions 0.1 + 0.2 is more than 0.3.
        result = cluster([(0, 1), (1, 2)], cap, vertex_weights=[0.1, 0.2, 0.3])
        assert (result.labels.tolist(), result.cap) == ([0, 0, 1], 0.3)

    def test_a_cap_between_whole_weights(self):
        assert sorted(cluster([(0, 1), (1, 2)], 2.9).part_weights.tolist()) == [1, 2]

    @given(st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=6))
    def test_the_heaviest_weight_will_do_as_cap(self, weights):
        edges = [(i, i + 1) for i in range(len(weights) - 1)]
        graph = Dag.from_edges(edges, len(weights), vertex_weights=weights)
        result = cluster(graph, max(weights))
        assert result.part_weights.max() <= result.cap
        if len(weights) > 1 and min(weights) < max(weights):
            with pytest.raises(InfeasibleError) as caught:
                cluster(graph, min(weights) * (1 - 1e-9))
            needed = caught.value.smallest_max_weight
            assert needed == pytest.approx(max(weights))
            assert cluster(graph, needed).k == result.k

    def test_large_weights_do_not_wrap(self):
        weights = [2**60, 2**60 + 1, 2**60 - 1]
        result = cluster([(0, 1), (1, 2)], 2**61, vertex_weights=weights)
        assert (result.k, result.cap) == (2, 2**61)
        assert max(result.part_weights.tolist()) <= 2**61

    def test_weightless(self):
        assert cluster([(0, 1), (1, 2)], 0, vertex_weights=[0, 0, 0]).labels.tolist() == [0, 0, 0]
        assert cluster([(0, 1), (1, 2)], 5, vertex_weights=[0, 5, 5]).k == 2

    @pytest.mark.parametrize("cap", [-1, "much", None, float("nan"), float("inf"), [3]])
    def test_what_is_no_cap(self, cap):
        with pytest.raises(DagpartError, match="max_weight must be a finite number from 0 up"):
            cluster([(0, 1)], cap)


@pytest.mark.parametrize(
    ("option", "value"),
    [("objective", "peace"), ("preset", "best"), ("seed", -1), ("threads", 0), ("on_cycle", "maybe")],
)
def test_bad_options_are_named(option, value):
    with pytest.raises(DagpartError, match=option if option != "preset" else "there is no preset 'best'"):
        cluster([(0, 1)], 1, **{option: value})


def test_nothing_to_cluster():
    result = cluster(scipy.sparse.csr_array((0, 0)), 3)
    assert (result.k, result.labels.tolist(), result.to_dict()["part_weights"]) == (0, [], [])
    alone = cluster(Dag.from_edges([], 3), 1)
    assert (alone.k, alone.edge_cut) == (3, 0)


@pytest.mark.parametrize(("name", "cap"), [("datasets/lap2d_40.mtx", 200), ("matrices/add32.mtx.gz", 500)])
def test_a_matrix_from_practice(name, cap):
    graph = Dag.from_matrix(dagpart.read(sample(name)).to_scipy())
    result = cluster(graph, cap, preset="fast")
    assert_sound(result, cap)
    assert result.k == -(-graph.n // cap)


def dense_network() -> Dag:
    """Layers of which each reads, by way of a concatenation that weighs nothing, what all before it made."""
    rng = np.random.default_rng(5)
    layers = 60
    edges = [(2 * i, 2 * j - 1) for j in range(1, layers) for i in range(j)]
    edges += [(2 * j - 1, 2 * j) for j in range(1, layers)]
    weights = np.zeros(2 * layers - 1, dtype=np.int64)
    weights[::2] = rng.pareto(1.5, layers) * 1000 + 1
    return Dag.from_edges(edges, vertex_weights=weights)


def densenet() -> Dag:
    pytest.importorskip("onnx")
    return dagpart.read(sample("onnx/onnx_light_densenet121.onnx"))


@pytest.mark.parametrize("network", [dense_network, densenet])
def test_a_network_that_is_one_chain(network):
    # The layers that compute anything stand in one row, and parts are runs of it. No eight runs come within
    # ten percent of the mean: where dagpart.partition says that it found no better balance, there is none.
    graph = network()
    heavy = np.flatnonzero(graph.vertex_weights)
    counted = graph.with_weights(vertex_weights=graph.vertex_weights > 0)
    assert dagpart.metrics.critical_path(counted, np.zeros(graph.n, dtype=int)) == heavy.size
    weights = graph.vertex_weights[heavy[np.argsort(graph.levels[heavy])]].tolist()

    def runs(cap: int) -> int:
        count, load = 1, 0
        for weight in weights:
            if load + weight > cap:
                count, load = count + 1, 0
            load += weight
        return count

    low, high = max(weights), sum(weights)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if runs(middle) <= 8 else (middle + 1, high)
    assert low > 1.1 * graph.total_weight / 8
    assert cluster(graph, low, preset="fast").k == 8
    assert cluster(graph, low - 1, preset="fast").k == 9
