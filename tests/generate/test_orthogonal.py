"""Tiled QR and the hybrid LU-QR, against plain runs of the programs, closed forms and NumPy."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_linear_algebra import PlainRun, counts, edges_of, lu_flops, sizes

from dagpart import generate
from dagpart.errors import DagpartError
from dagpart.generate._elimination import eliminations, steps
from dagpart.generate.programs import program

TREES = ["flat", "binary", "greedy"]
SHAPES = [(1, 1), (2, 2), (5, 5), (3, 6), (7, 3), (1, 4), (4, 1)]


def qr_flops(m, n):
    """Householder's method, entry by entry: a norm, and a product and an update for each column."""
    return sum((m - 1 - j) * (2 + 4 * (n - 1 - j)) for j in range(min(m, n)))


def orders(tree, p, q):
    ones = np.ones(p, dtype=np.int64), np.ones(q, dtype=np.int64)
    return eliminations(tree, ones[0], list(steps(*ones)))


def plain_qr_step(run, k, p, q, order, before=()):
    later = range(k + 1, q)
    if order is None:
        run.task(before, (k, k))
        for j in later:
            run.task([(k, k)], (k, j))
        for i in range(k + 1, p):
            run.task([], (k, k), (i, k))
            for j in later:
                run.task([(i, k)], (k, j), (i, j))
        return
    for i in range(k, p):
        run.task(before, (i, k))
    for i, j in itertools.product(range(k, p), later):
        run.task([(i, k)], (i, j))
    for pivot, i in order:
        run.task([], (pivot, k), (i, k))
        for j in later:
            run.task([(i, k)], (pivot, j), (i, j))


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize(("p", "q"), SHAPES)
def test_qr_equals_a_run_of_the_program(tree, p, q):
    run = PlainRun()
    for k, order in enumerate(orders(tree, p, q)):
        plain_qr_step(run, k, p, q, order)
    dag = generate.qr(p, q, tree=tree)
    assert dag.n == run.count
    assert edges_of(dag) == run.edges


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize(("p", "q"), SHAPES)
def test_qr_counts(tree, p, q):
    expected = dict.fromkeys(["geqrt", "unmqr", "tsqrt", "tsmqr", "ttqrt", "ttmqr"], 0)
    for k in range(min(p, q)):
        a, b = p - k, q - k - 1
        first, kind = (1, "ts") if tree == "flat" else (a, "tt")
        expected["geqrt"] += first
        expected["unmqr"] += first * b
        expected[f"{kind}qrt"] += a - 1
        expected[f"{kind}mqr"] += (a - 1) * b
    assert counts(program("qr", p, q, tree=tree)) == {name: n for name, n in expected.items() if n}


@given(rows=sizes, columns=sizes)
def test_flops_along_the_flat_tree_do_not_depend_on_the_cuts(rows, columns):
    dag = generate.qr(rows, columns, weights="cost")
    assert dag.total_weight == qr_flops(sum(rows), sum(columns))


@given(
    columns=st.lists(st.integers(1, 4), min_size=1, max_size=4),
    higher=st.integers(0, 3),
    count=st.integers(1, 5),
    last=st.integers(1, 3),
    tree=st.sampled_from(["binary", "greedy"]),
)
def test_flops_along_trees_do_not_depend_on_the_cuts(columns, higher, count, last, tree):
    rows = [4 * (1 + higher)] * count
    wide = [4] * len(columns)
    assert generate.qr(rows, wide, tree=tree, weights="cost").total_weight == qr_flops(sum(rows), sum(wide))
    # A low tile at the end is only ever annihilated.
    if len(rows) > len(wide):
        rows.append(last)
        assert generate.qr(rows, wide, tree=tree, weights="cost").total_weight == qr_flops(
            sum(rows), sum(wide)
        )


def test_textbook_flops():
    assert qr_flops(3000, 1000) == pytest.approx(2 * 3000 * 1000**2 - 2 * 1000**3 / 3, rel=0.01)
    # In units of b**3 / 3, tile kernels take 4, 6, 6, 12, 2 and 6.
    b = 1000
    dag = program("qr", 2, 2, tile=b, tree="binary")
    costs = {kernel: flops / (b**3 / 3) for kernel, flops in zip(dag.kernels, dag.flops, strict=True)}
    assert costs == pytest.approx({"geqrt": 4, "unmqr": 6, "ttqrt": 2, "ttmqr": 6}, rel=0.01)
    dag = program("qr", 2, 2, tile=b)
    costs = {kernel: flops / (b**3 / 3) for kernel, flops in zip(dag.kernels, dag.flops, strict=True)}
    assert costs == pytest.approx({"geqrt": 4, "unmqr": 6, "tsqrt": 6, "tsmqr": 12}, rel=0.01)


@pytest.mark.parametrize(("p", "q"), [(1, 1), (2, 1), (5, 3), (8, 8), (15, 6), (13, 1)])
@pytest.mark.parametrize("tree", ["binary", "greedy"])
def test_every_tile_below_the_diagonal_is_annihilated_once(tree, p, q):
    for k, order in enumerate(orders(tree, p, q)):
        alive = set(range(k, p))
        for pivot, row in order:
            assert {pivot, row} <= alive
            assert pivot < row
            alive.remove(row)
        assert alive == {k}


def finish(tree, p, q):
    """When each elimination ends if each takes one unit and starts as soon as both rows are done before."""
    done = [0] * p
    ends = {}
    for k, order in enumerate(orders(tree, p, q)):
        for pivot, row in order or [(k, row) for row in range(k + 1, p)]:
            done[pivot] = done[row] = max(done[pivot], done[row]) + 1
            ends[row, k] = done[row]
    return ends


def test_depth_of_the_trees():
    for p in range(2, 20):
        assert (
            max(finish("greedy", p, 1).values())
            == max(finish("binary", p, 1).values())
            == math.ceil(math.log2(p))
        )
        assert max(finish("flat", p, 1).values()) == p - 1
    assert max(finish("flat", 15, 6).values()) == 15 + 6 - 2
    ends = finish("greedy", 15, 6)
    # As many as possible at any time: in the first column 7, 4, 2 and 1 of 15.
    times = [ends[row, 0] for row in range(14, 0, -1)]
    assert times == [1] * 7 + [2] * 4 + [3] * 2 + [4]
    assert max(ends.values()) < max(finish("binary", 15, 6).values())


@pytest.mark.parametrize(("p", "q"), [(4, 2), (5, 2), (4, 3), (5, 3)])
def test_greedy_is_the_shortest_order(p, q):
    """Breadth-first search over all choices of pairs; state: how many columns each row has left behind."""
    target = tuple(min(row, q) for row in range(p))
    start = (0,) * p
    frontier, length = {start}, 0
    while target not in frontier:
        following = set()
        for state in frontier:
            pairs = [
                (a, b)
                for a, b in itertools.permutations(range(p), 2)
                if state[a] == state[b] < target[b] and a < b
            ]
            for size in range(1, p // 2 + 1):
                for chosen in itertools.combinations(pairs, size):
                    rows = [row for pair in chosen for row in pair]
                    if len(set(rows)) == len(rows):
                        new = list(state)
                        for _, row in chosen:
                            new[row] += 1
                        # Row k stays behind in column k.
                        following.add(tuple(new))
        frontier, length = following, length + 1
    assert max(finish("greedy", p, q).values()) == length


# ---------------------------------------------------------------------- LU-QR


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("pattern", ["L", "Q", "LLLL", "QQQQ", "LQQLQ"])
def test_lu_qr_equals_a_run_of_the_program(tree, pattern):
    t = len(pattern)
    run = PlainRun()
    for k, order in enumerate(orders(tree, t, t)):
        trial, outcome = ("trial", k), ("outcome", k)
        below = range(k + 1, t)
        run.writer.pop(trial, None)
        run.task([(k, k)], trial)
        run.task([trial, *((i, k) for i in below)], outcome)
        if pattern[k] == "Q":
            plain_qr_step(run, k, t, t, order, before=[outcome])
            continue
        for i in below:
            run.task([trial, outcome], (i, k))
        for j in below:
            run.task([trial, outcome], (k, j))
        for i, j in itertools.product(below, below):
            run.task([(i, k), (k, j)], (i, j))
    dag = generate.lu_qr(t, pattern, tree=tree)
    assert dag.n == run.count
    assert edges_of(dag) == run.edges


@given(tiles=sizes, data=st.data())
def test_lu_qr_flops_are_those_of_its_steps(tiles, data):
    pattern = data.draw(st.text("LQ", min_size=len(tiles), max_size=len(tiles)))
    expected, left = 0, sum(tiles)
    for kind, c in zip(pattern, tiles, strict=True):
        full = {"L": lu_flops, "Q": qr_flops}[kind]
        # A step is what the factorization of all that is left has more than that of what is left after.
        expected += full(left, left) - full(left - c, left - c)
        expected += 2 * c * c + (left - c) * c + (lu_flops(c, c) if kind == "Q" else 0)
        left -= c
    assert generate.lu_qr(tiles, pattern, weights="cost").total_weight == expected
    assert generate.lu_qr(tiles, list(pattern), weights="cost").total_weight == expected


def test_patterns_drawn_at_random():
    flow = program("lu_qr", 200, 0.3, tile=1, seed=5)
    kernels = counts(flow)
    assert kernels["geqrt"] == pytest.approx(0.7 * 200, abs=20)
    assert generate.lu_qr(10, 0.5, seed=1) == generate.lu_qr(10, 0.5, seed=1)
    assert generate.lu_qr(10, 0.5, seed=1) != generate.lu_qr(10, 0.5, seed=2)
    assert generate.lu_qr(6, 1) == generate.lu_qr(6, "LLLLLL")
    assert generate.lu_qr(6, 0.0) == generate.lu_qr(6, "Q" * 6)


@pytest.mark.parametrize("tree", TREES)
def test_the_criterion_on_a_matrix(tree):
    rng = np.random.default_rng(3)
    a = rng.standard_normal((30, 30))
    assert generate.lu_qr_pattern(a, 6, alpha=0.0, tree=tree) == "QQQQL"
    assert generate.lu_qr_pattern(a, 6, alpha=1e12, tree=tree) == "LLLLL"
    dominant = a + 100 * np.eye(30)
    for criterion in ("max", "sum"):
        assert generate.lu_qr_pattern(dominant, [7, 7, 7, 9], criterion=criterion, tree=tree) == "LLLL"
    # A singular tile on the diagonal cannot be a pivot; a QR step mends it.
    blocked = dominant.copy()
    blocked[:6, :6] = 0
    assert generate.lu_qr_pattern(blocked, 6, alpha=1e6, tree=tree)[0] == "Q"


def test_the_criterion_follows_the_factorization():
    """The second tile is singular only after the first step; the sum criterion is the stricter one."""
    e = np.eye(2)
    z = np.zeros((2, 2))
    a = np.block([[e, e, z], [e, e, e], [z, e, e]])
    assert generate.lu_qr_pattern(a, 2) == "LQL"
    a = np.block([[2 * e, z, z], [1.5 * e, e, z], [1.5 * e, z, e]])
    assert generate.lu_qr_pattern(a, 2, criterion="max") == "LLL"
    assert generate.lu_qr_pattern(a, 2, criterion="sum")[0] == "Q"
    assert generate.lu_qr_pattern(a, 2, criterion="sum", alpha=1.5) == "LLL"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: generate.qr(2, tree="fibonacci"), "tree must be 'flat', 'binary' or 'greedy'"),
        (lambda: generate.qr([2, 3, 3], [3, 3, 2], tree="binary"), "one of tile column 0 has 2 rows left"),
        (lambda: generate.qr(10**5), "vertices does not fit in memory"),
        (lambda: generate.lu_qr(10**5), "vertices does not fit in memory"),
        (lambda: generate.lu_qr(3, "LL"), "pattern has 2 steps, but 3 tiles a side make 3"),
        (lambda: generate.lu_qr(3, "LLX"), "pattern has 'X' for step 2"),
        (lambda: generate.lu_qr(3, 1.5), "pattern must be from 0.0 to 1.0, got 1.5"),
        (lambda: generate.lu_qr_pattern(np.ones((2, 3)), 1), r"the matrix has shape \(2, 3\)"),
        (lambda: generate.lu_qr_pattern([[1j]], 1), "real finite numbers"),
        (lambda: generate.lu_qr_pattern([["a"]], 1), "real finite numbers"),
        (lambda: generate.lu_qr_pattern([[np.nan]], 1), "real finite numbers"),
        (lambda: generate.lu_qr_pattern(np.eye(4), [1, 2]), "tile lists 3 rows in all, but the matrix has 4"),
        (lambda: generate.lu_qr_pattern(np.eye(4), 2, criterion="mumps"), "criterion must be 'max' or 'sum'"),
        (lambda: generate.lu_qr_pattern(np.eye(4), 2, alpha=-1), "alpha must be a finite number"),
    ],
)
def test_arguments_out_of_range(call, message):
    with pytest.raises(DagpartError, match=message):
        call()
