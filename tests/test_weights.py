"""Weights of any type become int64 exactly, or are refused by name."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dagpart import _weights
from dagpart.dag import Digraph
from dagpart.errors import WeightError

NUMERIC_TYPES = [
    *(np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
    *(np.float16, np.float32, np.float64, np.longdouble, object),
]


def path(edge_weights: object = None, vertex_weights: object = None) -> Digraph:
    """A path with as many edges, or vertices, as there are weights."""
    if edge_weights is not None:
        return Digraph.from_edges(
            [(i, i + 1) for i in range(len(edge_weights))],
            edge_weights=edge_weights,
            vertex_weights=vertex_weights,
        )
    return Digraph.from_edges(
        [(i, i + 1) for i in range(len(vertex_weights) - 1)], vertex_weights=vertex_weights
    )


@pytest.mark.parametrize("dtype", NUMERIC_TYPES)
def test_whole_numbers_of_every_type_are_taken_as_they_are(dtype: type) -> None:
    values = np.array([1, 0, 1], dtype=dtype)
    graph = path(values, np.array([0, 1, 1, 0], dtype=dtype))
    assert graph.edge_weights.tolist() == [1, 0, 1]
    assert graph.vertex_weights.tolist() == [0, 1, 1, 0]
    assert graph.edge_weights.dtype == graph.vertex_weights.dtype == np.int64
    assert graph.weight_scale == graph.vertex_weight_scale == 1
    assert values.flags.writeable


@given(st.lists(st.integers(0, 2**62), max_size=6))
@example([2**61, 2**61 - 1])
@example([2**61, 2**61])
@example([2**62 - 1])
@example([2**63 - 1])
@example([2**62, 2**62, 2**62, 2**62, 1])
def test_vertices_never_wrap(weights: list[int]) -> None:
    if sum(weights) > 2**62 - 1:
        with pytest.raises(WeightError, match=f"all vertices add up to {sum(weights)}"):
            Digraph.from_edges([], len(weights), vertex_weights=weights)
    else:
        graph = Digraph.from_edges([], len(weights), vertex_weights=weights)
        assert graph.vertex_weights.tolist() == weights
        assert graph.total_weight == sum(weights)


@given(st.lists(st.integers(0, 2**62), min_size=1, max_size=6))
@example([2**61, 2**61])
@example([2**61, 2**61 + 1])
@example([2**62, 2**62, 2**62, 2**62, 1])
def test_parallel_edges_never_wrap(weights: list[int]) -> None:
    edges = [(0, 1)] * len(weights)
    if sum(weights) > 2**62:
        with pytest.raises(WeightError, match=f"all edges add up to {sum(weights)}"):
            Digraph.from_edges(edges, edge_weights=weights)
    else:
        graph = Digraph.from_edges(edges, edge_weights=weights)
        assert graph.edge_weights.tolist() == [sum(weights)]
        assert graph.total_edge_weight == sum(weights)


def test_a_self_loop_does_not_count_towards_the_limit() -> None:
    assert Digraph.from_edges([(0, 0, 2**62), (0, 1, 2**62)]).edge_weights.tolist() == [2**62]


@given(st.lists(st.integers(0, 2**63 - 1), max_size=20))
def test_the_exact_total_is_that_of_python(weights: list[int]) -> None:
    assert _weights.exact_total(np.array(weights, dtype=np.int64)) == sum(weights)


@pytest.mark.parametrize(
    ("weights", "culprit"),
    [
        ([1, -1, -2], "edge 1 -> 2 has weight -1"),
        ([1.0, 2.0, -0.5], "edge 2 -> 3 has weight -0.5"),
        ([1, float("nan"), -1], "edge 1 -> 2 has weight nan"),
        ([float("inf"), 1], "edge 0 -> 1 has weight inf"),
        ([1, 2**63], f"edge 1 -> 2 has weight {2**63}"),
        ([1, 2**63, -1], f"edge 1 -> 2 has weight {2**63}"),
        ([-1, 2**63], "edge 0 -> 1 has weight -1"),
        ([1, 2**80], f"edge 1 -> 2 has weight {2**80}"),
        ([1, -(2**80)], f"edge 1 -> 2 has weight -{2**80}"),
        ([2.0**63, 1.0], "edge 0 -> 1 has weight 9.22337"),
        ([1, Decimal("NaN")], "edge 1 -> 2 has weight NaN"),
        ([1, Decimal("sNaN")], "edge 1 -> 2 has weight Decimal"),
        ([1, Fraction(-1, 2)], "edge 1 -> 2 has weight -1/2"),
        ([1, Fraction(10**400, 3)], "edge 1 -> 2 has weight Fraction"),
        (["1", "2"], "edge 0 -> 1 has weight '1'"),
        ([1, None], "edge 1 -> 2 has weight None"),
        ([1, {"weight": 2}], r"edge 1 -> 2 has weight \{"),
        ([1, 2j], "type complex128"),
        (np.array([3, 2**63], dtype=np.uint64), f"edge 1 -> 2 has weight {2**63}"),
        (np.array([3, -7], dtype=np.int8), "edge 1 -> 2 has weight -7"),
        (np.array([1, -np.inf], dtype=np.float16), "edge 1 -> 2 has weight -inf"),
        (np.array([1, 2**63], dtype=np.float32), "edge 1 -> 2 has weight 9.223372"),
        (np.array([1, 2**63], dtype=np.longdouble), "edge 1 -> 2 has weight 9.22337"),
        (np.array([1, 2], dtype="m8[s]"), "type timedelta64"),
        (np.ma.array([1, 2], mask=[False, True]), "masked"),
        ([[1], [2, 3]], "no array of numbers"),
        ([[1], [2]], r"shape \(2, 1\)"),
    ],
)
def test_the_first_weight_that_is_wrong_is_named(weights: object, culprit: str) -> None:
    with pytest.raises(WeightError, match=culprit):
        path(weights)


def test_names_are_used_for_culprits() -> None:
    with pytest.raises(WeightError, match="edge 'a' -> 'b' has weight -1"):
        Digraph.from_edges([("a", "b", -1)])
    with pytest.raises(WeightError, match="vertex 'b' has weight -1"):
        Digraph.from_edges([("a", "b")], vertex_weights=[1, -1])


@pytest.mark.parametrize("count", [0, 1, 3])
def test_there_must_be_a_weight_for_each(count: int) -> None:
    with pytest.raises(WeightError, match=f"{count} weights for 2 vertices"):
        Digraph.from_edges([(0, 1)], vertex_weights=[1] * count)


def test_large_whole_numbers_do_not_pass_through_doubles() -> None:
    assert path([2**61 + 1, Fraction(4, 2)]).edge_weights.tolist() == [2**61 + 1, 2]
    assert path(np.array([2**61 + 1], dtype=np.uint64)).edge_weights.tolist() == [2**61 + 1]
    assert path([Decimal(2**61 + 1)]).edge_weights.tolist() == [2**61 + 1]
    assert path([2**61 + 1, 3.0]).edge_weights.tolist() == [2**61 + 1, 3]


@given(st.lists(st.integers(0, 10**12), min_size=1), st.integers(1, 9))
def test_decimals_become_exact(digits: list[int], places: int) -> None:
    weights = [Decimal(number).scaleb(-places) for number in digits]
    graph = path([float(weight) for weight in weights])
    if sum(digits) * len(digits) < 2**53:
        assert [weight * int(graph.weight_scale) for weight in weights] == graph.edge_weights.tolist()
    # No larger power of ten than needed.
    smallest = min(p for p in range(places + 1) if all(d % 10 ** (places - p) == 0 for d in digits))
    if max(digits) * len(digits) * 10 < 2**53:
        assert graph.weight_scale == 10**smallest


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_decimals_are_seen_in_every_floating_type(dtype: type) -> None:
    weights = np.array(["0.1", "0.7", "2.5"]).astype(np.float64).astype(dtype)
    if dtype is np.longdouble:
        weights = np.array(["0.1", "0.7", "2.5"], dtype=dtype)
    graph = path(weights)
    assert graph.edge_weights.tolist() == [1, 7, 25]
    assert graph.weight_scale == 10


@given(st.lists(st.floats(0, 1e9, allow_subnormal=False), min_size=1, max_size=30))
@example([1 / 3])
@example([1 / 3, 1e9])
@example([1e-300, 1 / 3])
def test_other_floats_are_scaled_by_a_power_of_two(weights: list[float]) -> None:
    graph = path(weights)
    scale = Fraction(graph.weight_scale)
    assert graph.total_edge_weight < 2**60 or scale == 1
    for given_, taken in zip(weights, graph.edge_weights.tolist(), strict=True):
        assert (taken == 0) == (given_ == 0)
        assert abs(taken - Fraction(given_) * scale) <= Fraction(1, 2) or taken == 1


def test_scaling_keeps_as_much_as_fits() -> None:
    graph = path([1 / 3, 3.0])
    assert graph.total_edge_weight > 2**56
    assert graph.edge_weights.tolist() == [
        round(Fraction(1 / 3) * int(graph.weight_scale)),
        3 * int(graph.weight_scale),
    ]


def test_weights_spread_too_far_are_refused() -> None:
    with pytest.raises(WeightError, match=r"up to 1e\+300.*do not fit"):
        path(np.array([1e300, 0.5]))


def test_vertices_with_whole_weights_keep_their_unit() -> None:
    graph = path([0.5, 0.25], [1, 2, 3])
    assert (graph.weight_scale, graph.vertex_weight_scale) == (100, 1)
    assert graph.edge_weights.tolist() == [50, 25]
    assert graph.vertex_weights.tolist() == [1, 2, 3]


def test_vertices_and_edges_share_a_unit_where_vertices_have_fractions() -> None:
    graph = path([1, 2], [1, 0.5, 3])
    assert (graph.weight_scale, graph.vertex_weight_scale) == (10, 10)
    assert graph.edge_weights.tolist() == [10, 20]
    assert graph.vertex_weights.tolist() == [10, 5, 30]
    graph = path([1, 2], [1 / 3, 0.5, 3])
    assert graph.weight_scale == graph.vertex_weight_scale > 2**50
    scale = int(graph.weight_scale)
    assert graph.edge_weights.tolist() == [scale, 2 * scale]
    assert graph.vertex_weights.tolist() == [round(Fraction(1 / 3) * scale), scale // 2, 3 * scale]
