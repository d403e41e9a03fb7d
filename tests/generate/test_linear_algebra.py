"""Tiled Cholesky, LU and products, against plain runs of the programs and closed forms."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.io
from _data import shared
from hypothesis import given
from hypothesis import strategies as st

from dagpart import generate
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate import linear_algebra
from dagpart.generate.programs import program

sizes = st.lists(st.integers(1, 6), min_size=1, max_size=5)


class PlainRun:
    """A run of a program that remembers who wrote each tile."""

    def __init__(self):
        self.count, self.edges, self.writer = 0, set(), {}

    def task(self, reads, *writes):
        tiles = [*reads, *writes]
        self.edges.update((self.writer[tile], self.count) for tile in tiles if tile in self.writer)
        self.writer.update(dict.fromkeys(writes, self.count))
        self.count += 1


def edges_of(dag):
    source = np.repeat(np.arange(dag.n), np.diff(dag.indptr)).tolist()
    return set(zip(source, dag.indices.tolist(), strict=True))


def counts(flow):
    names, numbers = np.unique(flow.kernels, return_counts=True)
    return dict(zip(names.tolist(), numbers.tolist(), strict=True))


def lu_flops(m, n):
    return sum((m - 1 - j) * (1 + 2 * (n - 1 - j)) for j in range(min(m, n)))


# ---------------------------------------------------------------------- Cholesky


def plain_cholesky(tiles):
    run = PlainRun()
    for k in range(tiles):
        run.task([], (k, k))
        for i in range(k + 1, tiles):
            run.task([(k, k)], (i, k))
        for i in range(k + 1, tiles):
            run.task([(i, k)], (i, i))
            for j in range(k + 1, i):
                run.task([(i, k), (j, k)], (i, j))
    return run


@pytest.mark.parametrize("tiles", range(1, 9))
def test_cholesky_equals_a_run_of_the_program(tiles):
    dag = generate.cholesky(tiles)
    run = plain_cholesky(tiles)
    assert dag.n == run.count == tiles * (tiles + 1) * (tiles + 2) // 6
    assert edges_of(dag) == run.edges
    # The critical path alternates POTRF, TRSM and SYRK.
    assert dag.levels.max() + 1 == 3 * tiles - 2


def test_cholesky_equals_the_bench_graph():
    reference = Dag.from_scipy(scipy.io.mmread(shared("data/bench_graphs/cholesky_48.mtx.gz")))
    assert generate.cholesky(48) == reference


@pytest.mark.parametrize("t", [1, 2, 5, 12])
def test_other_conventions_of_counting_edges_of_cholesky(t):
    edges = t - 1 + 2 * (t - 1) ** 2 + t * (t - 1) * (t - 2) // 3 + math.comb(t - 1, 3)
    dag = generate.cholesky(t)
    assert dag.m == edges
    assert generate.cholesky(t, dependences="sequential") == dag
    loaded = generate.cholesky(t, inputs=True)
    assert loaded.n - dag.n == loaded.m - dag.m == t * (t + 1) // 2


@given(sizes)
def test_cholesky_flops_do_not_depend_on_the_cuts(tiles):
    dag = generate.cholesky(tiles, weights="cost")
    n = sum(tiles)
    # Column by column: a square root, divisions, and one triangle of an update.
    assert dag.total_weight == sum(1 + j + j * (j + 1) for j in range(n))
    assert np.array_equal(dag.indices, generate.cholesky(len(tiles)).indices)


def test_cholesky_edges_carry_tiles():
    flow = program("cholesky", [3, 5, 2])
    dag = flow.dag(weights="cost")
    kernels = flow.kernels.tolist()
    assert kernels == ["potrf", "trsm", "trsm", "syrk", "syrk", "gemm", "potrf", "trsm", "syrk", "potrf"]
    flops = [14, 5 * 9, 2 * 9, 5 * 6 * 3, 2 * 3 * 3, 2 * 2 * 5 * 3, 55, 2 * 25, 2 * 3 * 5, 5]
    assert dag.vertex_weights.tolist() == flops
    weight = {(0, 1): 72, (0, 2): 72, (1, 3): 120, (1, 5): 120, (2, 4): 48, (2, 5): 48, (3, 6): 200}
    weight |= {(4, 8): 32, (5, 7): 80, (6, 7): 200, (7, 8): 80, (8, 9): 32}
    A = dag.to_scipy().tocoo()
    assert dict(zip(zip(A.row.tolist(), A.col.tolist(), strict=True), A.data.tolist(), strict=True)) == weight


# ---------------------------------------------------------------------- LU


def plain_lu(p, q, run=None):
    run = run or PlainRun()
    for k in range(min(p, q)):
        run.task([], (k, k))
        for i in range(k + 1, p):
            run.task([(k, k)], (i, k))
        for j in range(k + 1, q):
            run.task([(k, k)], (k, j))
        for i, j in itertools.product(range(k + 1, p), range(k + 1, q)):
            run.task([(i, k), (k, j)], (i, j))
    return run


@pytest.mark.parametrize(("p", "q"), [(1, 1), (2, 2), (5, 5), (3, 6), (6, 3), (1, 4)])
def test_lu_equals_a_run_of_the_program(p, q):
    dag = generate.lu(p, q)
    run = plain_lu(p, q)
    assert dag.n == run.count == sum((p - k) * (q - k) for k in range(min(p, q)))
    assert edges_of(dag) == run.edges
    # A step is on the critical path with its pivot, a solve and an update.
    assert dag.levels.max() + 1 == 3 * (min(p, q) - 1) + 1 + (p != q)


@given(rows=sizes, columns=sizes)
def test_lu_flops_do_not_depend_on_the_cuts(rows, columns):
    expected = lu_flops(sum(rows), sum(columns))
    assert generate.lu(rows, columns, weights="cost").total_weight == expected
    assert generate.lu_partial(rows, columns, weights="cost").total_weight == expected
    assert generate.lu_partial(rows, columns, tasks="panel", weights="cost").total_weight == expected


@given(rows=sizes, columns=sizes)
def test_lu_has_a_step_wherever_the_diagonal_enters_a_tile(rows, columns):
    cuts = {0, *itertools.accumulate(rows), *itertools.accumulate(columns)}
    inside = sorted(cut for cut in cuts if cut < min(sum(rows), sum(columns)))
    row_end, column_end = list(itertools.accumulate(rows)), list(itertools.accumulate(columns))
    left = [(sum(end > cut for end in row_end), sum(end > cut for end in column_end)) for cut in inside]
    assert generate.lu(rows, columns).n == sum(a * b for a, b in left)


def test_textbook_flops():
    m, n = 2000, 1200
    assert lu_flops(n, n) == pytest.approx(2 * n**3 / 3, rel=0.01)
    assert lu_flops(m, n) == pytest.approx(m * n**2 - n**3 / 3, rel=0.01)
    assert generate.cholesky(10, tile=100, weights="cost").total_weight == pytest.approx(1e9 / 3, rel=0.01)


def plain_lu_partial(p, q):
    run = PlainRun()
    for k in range(min(p, q)):
        active = range(k, p)
        run.task([], *((i, k) for i in active), ("pivots", k))
        for j in range(k + 1, q):
            run.task([("pivots", k)], *((i, j) for i in active))
        for j in range(k + 1, q):
            run.task([(k, k)], (k, j))
        for i, j in itertools.product(range(k + 1, p), range(k + 1, q)):
            run.task([(i, k), (k, j)], (i, j))
        for j in range(k):
            run.task([("pivots", k)], *((i, j) for i in active))
    return run


@pytest.mark.parametrize(("p", "q"), [(1, 1), (2, 2), (5, 5), (3, 6), (6, 3), (1, 4)])
def test_lu_partial_equals_a_run_of_the_program(p, q):
    dag = generate.lu_partial(p, q)
    run = plain_lu_partial(p, q)
    assert dag.n == run.count
    assert edges_of(dag) == run.edges


@pytest.mark.parametrize("t", [1, 2, 7])
def test_lu_partial_counts(t):
    expected = {"panel": t, "swap": t * (t - 1), "trsm": t * (t - 1) // 2}
    expected["gemm"] = (t - 1) * t * (2 * t - 1) // 6
    assert counts(program("lu_partial", t)) == {name: count for name, count in expected.items() if count}
    panels = program("lu_partial", t, tasks="panel", swap_left=False)
    assert panels.n == t * (t + 1) // 2
    # Each step: a panel, then the update of the next one.
    assert panels.dag().levels.max() + 1 == 2 * t - 1


def test_pivot_blocks_may_span_tile_rows():
    # Panels of 4 columns over tiles of 3 rows: the first has its pivots in two tile rows.
    flow = program("lu_partial", [3, 3, 3], [4, 4])
    assert counts(flow) == {"panel": 2, "swap": 2, "trsm": 1, "gemm": 2}
    dag = flow.dag()
    gemm = np.flatnonzero(flow.kernels == "gemm")
    # The panel, the solve that has overwritten both tiles with pivots, and the swap of the tile without any.
    predecessors = [
        flow.kernels[dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]]].tolist() for v in gemm
    ]
    assert predecessors == [["panel", "swap", "trsm"], ["panel", "trsm"]]


def test_sequential_programs_wait_for_readers():
    # The swaps to the left overwrite tiles that earlier updates have read.
    loose, strict = (generate.lu_partial(4, dependences=mode) for mode in ("last-writer", "sequential"))
    assert edges_of(loose) < edges_of(strict)
    without = [
        generate.lu_partial(4, swap_left=False, dependences=mode) for mode in ("last-writer", "sequential")
    ]
    assert without[0] == without[1]


# ---------------------------------------------------------------------- products


@pytest.mark.parametrize("broadcast", ["direct", "chain", "binary"])
@pytest.mark.parametrize("reduction", ["chain", "flat", "binary"])
@pytest.mark.parametrize(("p", "q", "r"), [(1, 1, 1), (2, 3, 4), (3, 2, 5), (2, 2, 1)])
def test_products_have_the_tasks_they_say(broadcast, reduction, p, q, r):
    options = {"broadcast": broadcast, "reduction": reduction}
    flow = program("gemm", p, q, r, **options)
    expected = {"gemm": p * q * r}
    if broadcast != "direct":
        expected["copy"] = 2 * p * q * r
    if reduction != "chain" and r > 1:
        expected["add"] = p * q * (1 if reduction == "flat" else r - 1)
    assert counts(flow) == expected
    dag = generate.gemm(p, q, r, **options)
    assert dag.n == flow.n + p * r + r * q
    # Every product hangs on one tile of A and one of B, and on no other.
    reach = np.linalg.matrix_power(np.eye(dag.n) + dag.to_scipy().toarray(), dag.n) > 0
    kernels = np.concatenate((np.full(p * r + r * q, "input"), flow.kernels))
    for product, (i, j, s) in zip(np.flatnonzero(kernels == "gemm"), np.ndindex(p, q, r), strict=True):
        above = set(np.flatnonzero(reach[: p * r + r * q, product]).tolist())
        own = {i * r + s, p * r + s * q + j}
        earlier = {i * r + k for k in range(s)} | {p * r + k * q + j for k in range(s)}
        assert above == (own | earlier if reduction == "chain" else own)
    # ... and each tile of C on a whole row and column of tiles.
    sinks = np.flatnonzero(np.diff(dag.indptr) == 0)
    if broadcast == "direct":
        assert len(sinks) == p * q
        assert (reach[: p * r + r * q, sinks].sum(axis=0) == 2 * r).all()


def test_depth_of_broadcasts_and_reductions():
    depth = {
        (broadcast, reduction): int(
            generate.gemm(8, 8, 8, broadcast=broadcast, reduction=reduction).levels.max()
        )
        for broadcast in ("direct", "chain", "binary")
        for reduction in ("chain", "flat", "binary")
    }
    assert depth["direct", "chain"] == 8
    assert depth["direct", "flat"] == 2
    assert depth["direct", "binary"] == 1 + 3
    assert depth["chain", "flat"] == 8 + 2
    # Eight copies in a binary tree, numbered as in a heap, have four levels.
    assert depth["binary", "flat"] == 4 + 2


@given(rows=sizes, columns=sizes, inner=sizes, reduction=st.sampled_from(["chain", "flat", "binary"]))
def test_flops_of_products_do_not_depend_on_the_cuts(rows, columns, inner, reduction):
    m, n, k = sum(rows), sum(columns), sum(inner)
    dag = generate.gemm(rows, columns, inner, reduction=reduction, broadcast="binary", weights="cost")
    assert dag.total_weight == m * n * (2 * k - 1)


def test_bytes_of_products():
    dag = generate.gemm([2], [3], [5, 7], weights="cost")
    A = dag.to_scipy().toarray()
    assert A[:4, 4:].tolist() == [[80, 0], [0, 112], [120, 0], [0, 168]]
    assert A[4, 5] == 48


# ---------------------------------------------------------------------- butterflies


@pytest.mark.parametrize(("t", "depth"), [(2, 0), (2, 1), (4, 2), (12, 2), (8, 3)])
def test_butterflies_come_before_lu(t, depth):
    flow = program("butterfly_lu", t, depth=depth, tile=10)
    plain = program("lu", t, tile=10)
    assert flow.n - plain.n == depth * (t // 2) ** 2
    assert flow.flops.sum() - plain.flops.sum() == depth * 4 * (10 * t) ** 2
    run = PlainRun()
    for level in reversed(range(depth)):
        half = t // 2 ** (level + 1)
        firsts = [i for i in range(t) if i // half % 2 == 0]
        for i, j in itertools.product(firsts, firsts):
            run.task([], *((i + down, j + right) for down in (0, half) for right in (0, half)))
    assert edges_of(flow.dag()) == plain_lu(t, t, run).edges


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: generate.cholesky(0), "tiles must be at least 1"),
        (lambda: generate.cholesky(10**5), "vertices does not fit in memory"),
        (lambda: generate.cholesky(10**18), "tiles does not fit in memory"),
        (lambda: generate.lu(10**5), "vertices does not fit in memory"),
        (lambda: generate.lu_partial(10**4, 10**4), "vertices does not fit in memory"),
        (lambda: generate.gemm(10**4), "vertices does not fit in memory"),
        (lambda: generate.butterfly_lu(2**15), "vertices does not fit in memory"),
        (lambda: generate.cholesky([]), "tiles must list at least one tile"),
        (lambda: generate.cholesky([3, 0]), r"tiles\[1\] must be at least 1, got 0"),
        (lambda: generate.cholesky(2, tile=2**20), "a tile of tiles has 1048576 rows or columns"),
        (lambda: generate.cholesky(2, weights="bytes"), "weights must be 'unit' or 'cost'"),
        (lambda: generate.lu(2, tile=(1, 2, 3)), "tile must be one number, or a height and a width"),
        (lambda: generate.lu_partial(2, tasks="row"), "tasks must be 'tile' or 'panel'"),
        (lambda: generate.gemm(2, broadcast="ring"), "broadcast must be 'direct', 'chain' or 'binary'"),
        (lambda: generate.gemm(2, reduction="tree"), "reduction must be"),
        (lambda: generate.butterfly_lu(6), "6 tiles a side cannot be halved 2 times"),
        (lambda: generate.butterfly_lu(4, depth=10**9), "4 tiles a side cannot be halved 1000000000 times"),
        (
            lambda: generate.butterfly_lu([2, 3], depth=1),
            "tiles 0 and 1 are combined, but have 2 and 3 rows",
        ),
    ],
)
def test_arguments_out_of_range(call, message):
    with pytest.raises(DagpartError, match=message):
        call()


def test_a_square_matrix_of_tiles_that_are_not():
    heights, widths = linear_algebra.rectangle(3, None, (20, 25))
    assert heights.tolist() == [20, 20, 20]
    assert widths.tolist() == [25, 25, 10]
