"""The PolyBench graphs are those of the literature, and their loop nests compute what they say."""

from __future__ import annotations

import csv
import gzip

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
from _data import shared

from dagpart import DagpartError
from dagpart.generate import polybench
from dagpart.generate.loop_nests import KERNELS
from dagpart.generate.loop_nests.trace import Trace

ALPHA, BETA = 1.5, 1.2
# More than 300,000 vertices.
LARGE = {"adi", "gemm", "gesummv", "heat-3d", "lu", "ludcmp", "syrk"}


# Vertices, edges, sources, sinks and the largest out-degree as in Herrmann et al., SIAM J. Sci. Comput. 41,
# 2019; vertices on a longest path, and vertices with successors.
PUBLISHED = {
    "2mm": (36_500, 62_200, 2_100, 400, 40, 54, 36_100),
    "3mm": (111_900, 214_600, 3_900, 400, 40, 73, 111_500),
    "adi": (596_695, 1_059_590, 843, 28, 109_760, 5_647, 596_667),
    "atax": (241_730, 385_960, 48_530, 230, 230, 443, 241_500),
    "covariance": (191_600, 368_775, 4_775, 1_275, 70, 145, 190_325),
    "doitgen": (123_400, 237_000, 3_400, 3_000, 150, 22, 120_400),
    "durbin": (126_246, 250_993, 250, 249, 252, 32_621, 125_997),
    "fdtd-2d": (256_479, 436_580, 3_579, 1_199, 60, 161, 255_280),
    "gemm": (1_026_800, 1_684_200, 14_600, 4_200, 70, 83, 1_022_600),
    "gemver": (159_480, 259_440, 15_360, 120, 120, 248, 159_360),
    "gesummv": (376_000, 500_500, 125_250, 250, 500, 254, 375_750),
    "heat-3d": (308_480, 491_520, 1_280, 512, 20, 281, 307_968),
    "jacobi-1d": (239_202, 398_000, 402, 398, 100, 601, 238_804),
    "jacobi-2d": (157_808, 282_240, 1_008, 784, 20, 201, 157_024),
    "lu": (344_520, 676_240, 6_400, 1, 79, 238, 344_519),
    "ludcmp": (357_320, 701_680, 6_480, 1, 80, 3_557, 357_319),
    "mvt": (200_800, 320_000, 40_800, 400, 200, 202, 200_400),
    "seidel-2d": (261_520, 490_960, 1_600, 1, 60, 1_280, 261_519),
    "symm": (254_020, 440_400, 5_680, 2_400, 120, 44, 251_620),
    "syr2k": (111_000, 180_900, 2_100, 900, 60, 24, 110_100),
    "syrk": (594_480, 975_240, 8_040, 3_240, 81, 63, 591_240),
    "trisolv": (240_600, 320_000, 80_600, 1, 399, 1_199, 240_599),
    "trmm": (294_570, 571_200, 6_570, 4_800, 80, 62, 289_770),
}


def edges(graph):
    return np.column_stack(graph.to_scipy().tocoo().coords)


@pytest.mark.parametrize(
    "kernel", [pytest.param(k, marks=[pytest.mark.large] if k in LARGE else []) for k in KERNELS]
)
def test_sizes_are_those_of_the_literature(kernel):
    graph = polybench(kernel)
    indegree, outdegree = np.diff(graph.pred_indptr), np.diff(graph.indptr)
    assert PUBLISHED[kernel] == (
        graph.n,
        graph.m,
        np.count_nonzero(indegree == 0),
        np.count_nonzero(outdegree == 0),
        outdegree.max(),
        graph.levels.max() + 1,
        np.count_nonzero(outdegree),
    )
    # No operation has more than two operands, and none is for nothing.
    assert indegree.max() == 2
    assert np.count_nonzero((indegree == 0) & (outdegree == 0)) == 0
    assert (edges(graph)[:, 0] < edges(graph)[:, 1]).all()
    assert (graph.edge_weights == 1).all()
    assert (graph.vertex_weights == 1).all()
    assert graph.dropped.as_dict() == dict.fromkeys(graph.dropped.as_dict(), 0)


def test_the_table_has_no_other_kernels():
    assert set(PUBLISHED) == set(KERNELS)


def test_the_table_and_the_sizes_are_those_of_the_reference():
    names = ("n", "m", "sources", "sinks", "max_outdeg", "longest_path_vertices", "hyperedges_producer_nets")
    with open(shared("data/polybench_sizes.csv"), newline="") as file:
        rows = {row["instance"]: row for row in csv.DictReader(file)}
    assert {kernel: tuple(int(row[name]) for name in names) for kernel, row in rows.items()} == PUBLISHED
    assert {(row["max_indeg"], row["isolated"]) for row in rows.values()} == {("2", "0")}
    for kernel, row in rows.items():
        assert "x".join(map(str, KERNELS[kernel].sizes)) == row["params"]


def test_every_edge_of_2mm_is_that_of_the_reference():
    with gzip.open(shared("data/dot/dagp_2mm_10_20_30_40.dot.gz"), "rt") as file:
        lines = [line.rstrip(" ;\n").split("->") for line in file if "->" in line]
    reference = np.array(lines, dtype=np.int64)
    assert np.array_equal(edges(polybench("2mm")), reference[np.lexsort(reference.T[::-1])])


def test_a_small_gemm_by_hand():
    graph = polybench("gemm", ni=1, nj=2, nk=1)
    # Read in turn: C[0,0], C[0,1], A[0,0], B[0,0], B[0,1]; then beta C twice and alpha A B added twice.
    by_hand = {(0, 5), (1, 6), (2, 7), (3, 8), (7, 8), (5, 9), (8, 9), (2, 10), (4, 11), (10, 11), (6, 12)}
    assert set(map(tuple, edges(graph).tolist())) == by_hand | {(11, 12)}


def test_costs():
    graph = polybench("durbin", n=4, weights="cost")
    unit = polybench("durbin", n=4)
    assert np.array_equal(edges(graph), edges(unit))
    assert (graph.edge_weights == 8).all()
    inputs = np.diff(graph.pred_indptr) == 0
    assert inputs.sum() == 4
    assert np.array_equal(graph.vertex_weights, np.where(inputs, 0, 1))


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_smallest_sizes_there_are(kernel):
    graph = polybench(kernel, **dict.fromkeys(KERNELS[kernel].defaults, 1))
    assert graph.n <= 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bicg", {}), "no kernel 'bicg'.*2mm, 3mm"),
        (("gemm", {"nl": 3}), "gemm has no size nl; it has ni, nj, nk"),
        (("gemm", {"ni": 0}), "ni must be at least 1"),
        (("gemm", {"ni": 2.5}), "ni"),
        (("lu", {"n": 3, "weights": "flops"}), "weights must be 'unit' or 'cost'"),
    ],
)
def test_what_is_refused(arguments, message):
    kernel, options = arguments
    with pytest.raises(DagpartError, match=message):
        polybench(kernel, **options)


def test_operations_of_every_kind():
    t = Trace()
    (x,) = t.arrays(1)
    a = x[0] * x[0]
    b = 2.0 / a - 1
    c = -b
    c += t.constant(1.0)
    assert t.constant(1.0) - 1.0 is not c
    graph = t.graph()
    # One edge for a square, none from constants; the operation on constants alone is a vertex.
    assert set(map(tuple, edges(graph).tolist())) == {(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)}
    assert graph.n == 7


def test_copies_and_overwritten_elements():
    t = Trace()
    x, y = t.arrays(2)
    y[0] = x[5]
    y[0] = y[0] + x[3]
    x[3] = y[0]
    x[3] = x[3] * 2
    graph = t.graph()
    assert set(map(tuple, edges(graph).tolist())) == {(0, 2), (1, 2), (2, 3)}


# ---------------------------------------------------------------------- the same loop nests on numbers


class Numbers:
    """Stands for a `Trace`: arrays hold numbers, so that a loop nest computes."""

    def __init__(self, *arrays):
        self.made = [dict(np.ndenumerate(array)) for array in arrays]
        for made in self.made:
            # One index stands without a tuple around it.
            made.update({index[0]: value for index, value in made.items() if len(index) == 1})

    def arrays(self, count):
        self.made += [{} for _ in range(count - len(self.made))]
        return self.made

    def constant(self, number):
        return number


def compute(kernel, *arrays, **sizes):
    """Run a loop nest on arrays in the order in which it names them, and give them back as they are then."""
    numbers = Numbers(*arrays)
    KERNELS[kernel].trace(numbers, **sizes)
    return numbers.made


def array(made, *shape):
    return np.array([made[i[0] if len(i) == 1 else i] for i in np.ndindex(*shape)]).reshape(shape)


@pytest.fixture
def random():
    return np.random.default_rng(0).random


def test_gemm(random):
    A, B, C = random((3, 5)), random((5, 4)), random((3, 4))
    *_, made = compute("gemm", A, B, C, ni=3, nj=4, nk=5)
    assert np.allclose(array(made, 3, 4), ALPHA * A @ B + BETA * C)


def test_gemver(random):
    A, (u1, v1, u2, v2, w, x, y, z) = random((5, 5)), random((8, 5))
    made = compute("gemver", A, u1, v1, u2, v2, w, x, y, z, n=5)
    A = A + np.outer(u1, v1) + np.outer(u2, v2)
    x = x + BETA * A.T @ y + z
    assert np.allclose(array(made[0], 5, 5), A)
    assert np.allclose(array(made[6], 5), x)
    assert np.allclose(array(made[5], 5), w + ALPHA * A @ x)


def test_gesummv(random):
    A, B, x = random((5, 5)), random((5, 5)), random(5)
    *_, y = compute("gesummv", A, B, x, n=5)
    assert np.allclose(array(y, 5), ALPHA * A @ x + BETA * B @ x)


def test_symm(random):
    A, B, C = random((4, 4)), random((4, 5)), random((4, 5))
    *_, made = compute("symm", A, B, C, m=4, n=5)
    S = np.tril(A) + np.tril(A, -1).T
    assert np.allclose(array(made, 4, 5), ALPHA * S @ B + BETA * C)


def test_syr2k(random):
    A, B, C = random((5, 4)), random((5, 4)), random((5, 5))
    *_, made = compute("syr2k", A, B, C, m=4, n=5)
    assert np.allclose(array(made, 5, 5), ALPHA * (A @ B.T + B @ A.T) + BETA * C)


def test_syrk(random):
    A, C = random((5, 4)), random((5, 5))
    *_, made = compute("syrk", A, C, m=4, n=5)
    whole = ALPHA * A @ A.T + BETA * C
    assert np.allclose(array(made, 5, 5), np.tril(whole) + np.triu(C, 1))


def test_trmm(random):
    A, B = random((4, 4)), random((4, 5))
    *_, made = compute("trmm", A, B, m=4, n=5)
    assert np.allclose(array(made, 4, 5), ALPHA * (np.tril(A, -1) + np.eye(4)).T @ B)


def test_2mm(random):
    A, B, C, D = random((2, 4)), random((4, 3)), random((3, 5)), random((2, 5))
    made = compute("2mm", A, B, C, D, ni=2, nj=3, nk=4, nl=5)
    assert np.allclose(array(made[3], 2, 5), ALPHA * A @ B @ C + BETA * D)


def test_3mm(random):
    A, B, C, D = random((2, 4)), random((4, 3)), random((3, 6)), random((6, 5))
    *_, made = compute("3mm", A, B, C, D, ni=2, nj=3, nk=4, nl=5, nm=6)
    assert np.allclose(array(made, 2, 5), A @ B @ (C @ D))


def test_atax(random):
    A, x = random((4, 5)), random(5)
    *_, y = compute("atax", A, x, m=4, n=5)
    assert np.allclose(array(y, 5), A.T @ (A @ x))


def test_covariance(random):
    data = random((6, 4))
    *_, made = compute("covariance", data, m=4, n=6)
    assert np.allclose(array(made, 4, 4), np.cov(data, rowvar=False))


def test_doitgen(random):
    A, C = random((2, 3, 4)), random((4, 4))
    made = compute("doitgen", A, C, nr=2, nq=3, np=4)
    assert np.allclose(array(made[0], 2, 3, 4), A @ C)


def test_mvt(random):
    A, (x1, y1, x2, y2) = random((5, 5)), random((4, 5))
    made = compute("mvt", A, x1, y1, x2, y2, n=5)
    assert np.allclose(array(made[1], 5), x1 + A @ y1)
    assert np.allclose(array(made[3], 5), x2 + A.T @ y2)


def test_durbin(random):
    r = random(6) / 10
    made = compute("durbin", r, n=6)
    assert np.allclose(array(made[1], 6), scipy.linalg.solve_toeplitz([1.0, *r[:-1]], -r))


def test_lu(random):
    A = random((5, 5)) + 5 * np.eye(5)
    (made,) = compute("lu", A, n=5)
    factors = array(made, 5, 5)
    assert np.allclose((np.tril(factors, -1) + np.eye(5)) @ np.triu(factors), A)


def test_ludcmp(random):
    A, b = random((5, 5)) + 5 * np.eye(5), random(5)
    made = compute("ludcmp", A, b, n=5)
    assert np.allclose(array(made[2], 5), np.linalg.solve(A, b))


def test_trisolv(random):
    L, b = random((5, 5)) + np.eye(5), random(5)
    _, x, _ = compute("trisolv", L, np.zeros(5), b, n=5)
    assert np.allclose(array(x, 5), scipy.linalg.solve_triangular(L, b, lower=True))


def test_adi(random):
    n, steps = 6, 2
    u = random((n, n))
    made, *_ = compute("adi", u, tsteps=steps, n=n)
    d2 = np.eye(n, k=1) - 2 * np.eye(n) + np.eye(n, k=-1)
    # Half the time step over the square of the spacing, twice as much along the first sweep's direction.
    first, second = n**2 / steps, n**2 / steps / 2

    def sweep(implicit, explicit, right):
        """Columns of the new field, 1 on their ends; what is not inside is left at 1."""
        new = np.ones((n, n))
        system = np.eye(n) - implicit * d2
        system[[0, -1]] = np.eye(n)[[0, -1]]
        for i in range(1, n - 1):
            load = right[:, i] + explicit * (right[:, i - 1] - 2 * right[:, i] + right[:, i + 1])
            load[[0, -1]] = 1
            new[:, i] = np.linalg.solve(system, load)
        return new

    for _ in range(steps):
        v = sweep(first, second, u)
        inside = sweep(second, first, v.T).T
        u[1:-1] = inside[1:-1]
    assert np.allclose(array(made, n, n), u)


def test_fdtd_2d(random):
    ex, ey, hz, source = random((4, 5)), random((4, 5)), random((4, 5)), random(3)
    made = compute("fdtd-2d", ex, ey, hz, source, tmax=3, nx=4, ny=5)
    for value in source:
        ey[0] = value
        ey[1:] -= 0.5 * np.diff(hz, axis=0)
        ex[:, 1:] -= 0.5 * np.diff(hz, axis=1)
        hz[:-1, :-1] -= 0.7 * (np.diff(ex, axis=1)[:-1] + np.diff(ey, axis=0)[:, :-1])
    for found, wanted in zip(made, (ex, ey, hz), strict=False):
        assert np.allclose(array(found, 4, 5), wanted)


def test_heat_3d(random):
    A, B = random((4, 4, 4)), random((4, 4, 4))
    made, _ = compute("heat-3d", A, B, tsteps=2, n=4)
    star = np.zeros((3, 3, 3))
    star[[0, 2, 1, 1, 1, 1], [1, 1, 0, 2, 1, 1], [1, 1, 1, 1, 0, 2]] = 0.125
    star[1, 1, 1] = 1 - 6 * 0.125
    for _ in range(2):
        B[1:-1, 1:-1, 1:-1] = scipy.signal.convolve(A, star, mode="valid", method="direct")
        A[1:-1, 1:-1, 1:-1] = scipy.signal.convolve(B, star, mode="valid", method="direct")
    assert np.allclose(array(made, 4, 4, 4), A)


def test_jacobi_1d(random):
    A, B = random(6), random(6)
    made, _ = compute("jacobi-1d", A, B, tsteps=3, n=6)
    for _ in range(3):
        B[1:-1] = np.convolve(A, [0.33333] * 3, mode="valid")
        A[1:-1] = np.convolve(B, [0.33333] * 3, mode="valid")
    assert np.allclose(array(made, 6), A)


def test_jacobi_2d(random):
    A, B = random((5, 5)), random((5, 5))
    made, _ = compute("jacobi-2d", A, B, tsteps=2, n=5)
    cross = 0.2 * np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
    for _ in range(2):
        B[1:-1, 1:-1] = scipy.signal.convolve2d(A, cross, mode="valid")
        A[1:-1, 1:-1] = scipy.signal.convolve2d(B, cross, mode="valid")
    assert np.allclose(array(made, 5, 5), A)


def test_seidel_2d(random):
    A = random((5, 6))[:, :5]
    (made,) = compute("seidel-2d", A, tsteps=2, n=5)
    for _ in range(2):
        for i, j in np.ndindex(3, 3):
            A[i + 1, j + 1] = A[i : i + 3, j : j + 3].mean()
    assert np.allclose(array(made, 5, 5), A)
