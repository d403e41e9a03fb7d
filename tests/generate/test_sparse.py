"""Sparse factorizations and solves, against plain elimination, closed forms and SuperLU."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from _data import sample
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.linalg import splu

import dagpart
from dagpart import generate
from dagpart.dag import Dag, Digraph
from dagpart.errors import DagpartError, MissingDependencyError, ParseError
from dagpart.generate import sparse

ORDERINGS = ["mmd", "colamd", "rcm", "metis", "natural"]


@st.composite
def matrices(draw):
    n = draw(st.integers(1, 14))
    entries = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=3 * n))
    row, column = np.array(entries, dtype=int).reshape(-1, 2).T
    return scipy.sparse.coo_array((np.ones(len(row)), (row, column)), shape=(n, n))


def plain_elimination(matrix, order):
    """Rows of each column of the factor, by playing the elimination game on sets."""
    dense = (matrix + matrix.T).toarray() != 0
    dense = dense[np.ix_(order, order)]
    n = len(order)
    below = [set(np.flatnonzero(dense[:, j]).tolist()) & set(range(j + 1, n)) for j in range(n)]
    for j in range(n):
        if below[j]:
            first = min(below[j])
            below[first] |= below[j] - {first}
    return below


def ordering_or_skip(name):
    if name == "metis":
        pytest.importorskip("pymetis")
    return name


@pytest.mark.parametrize("ordering", ORDERINGS)
@given(matrix=matrices(), width=st.none() | st.integers(1, 4), relax=st.sampled_from([0.0, 0.2, 1.0]))
def test_factors_equal_the_elimination_game(ordering, matrix, width, relax):
    factor = generate.symbolic_factor(matrix, ordering=ordering_or_skip(ordering), width=width, relax=relax)
    n = matrix.shape[0]
    assert sorted(factor.order.tolist()) == list(range(n))
    below = plain_elimination(matrix, factor.order)
    assert factor.parent.tolist() == [min(rows, default=-1) for rows in below]
    assert factor.counts.tolist() == [1 + len(rows) for rows in below]
    assert factor.nnz == n + sum(map(len, below))
    assert factor.flops == sum((1 + len(rows)) ** 2 for rows in below)
    # A postorder: descendants are numbered right before their ancestor.
    size = [1] * n
    for j, up in enumerate(factor.parent.tolist()):
        if up >= 0:
            size[up] += size[j]
    assert all(up - size[up] < j for j, up in enumerate(factor.parent.tolist()) if up >= 0)
    stored = factor.pattern().toarray() != 0
    exact = np.eye(n, dtype=bool)
    for j, rows in enumerate(below):
        exact[list(rows), j] = True
    assert factor.stored == stored.sum()
    assert (stored >= exact).all()
    assert np.array_equal(np.tril(stored), stored)
    if relax == 0:
        assert np.array_equal(stored, exact)
    else:
        for begin, end in zip(factor.start[:-1], factor.start[1:], strict=True):
            if width is None:
                zeros = (stored & ~exact)[:, begin:end].sum()
                assert zeros <= relax * stored[:, begin:end].sum()
    assert factor.start[0] == 0
    assert factor.start[-1] == n
    assert (factor.widths >= 1).all()
    assert width is None or (factor.widths <= width).all()


@given(matrix=matrices())
def test_supernodes_are_fundamental(matrix):
    factor = generate.symbolic_factor(matrix, ordering="natural")
    below = plain_elimination(matrix, factor.order)
    children = [sum(up == j for up in factor.parent.tolist()) for j in range(len(below))]
    joined = [below[j - 1] == {j} | below[j] and children[j] == 1 for j in range(1, len(below))]
    expected = [0] + [j for j, same in enumerate(joined, start=1) if not same]
    assert factor.start[:-1].tolist() == expected


def test_relaxed_supernodes_are_fewer():
    grid = generate.grid2d(40).to_scipy()
    counts = [len(generate.symbolic_factor(grid, relax=relax).widths) for relax in (0.0, 0.1, 0.3, 1.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[1] < counts[0]
    assert counts[-1] < counts[1]


@pytest.mark.parametrize("n", [1, 2, 10, 57])
def test_dense_matrices(n):
    dense = scipy.sparse.csr_array(np.ones((n, n)))
    factor = generate.symbolic_factor(dense)
    assert (factor.nnz, factor.flops) == (n * (n + 1) // 2, n * (n + 1) * (2 * n + 1) // 6)
    # In panels of some columns, it is the dense factorization with one tile a panel.
    p = -(-n // 4)
    fine = generate.sparse_cholesky(dense, width=4, weights="cost")
    assert (fine.n, fine.m) == (p + p * (p - 1) // 2, p * (p - 1) // 2 + p * (p - 1) // 2)
    assert fine.total_weight == factor.flops
    coarse = generate.sparse_cholesky(dense, width=4, tasks="coarse", weights="cost")
    assert (coarse.n, coarse.m, coarse.total_weight) == (p, p * (p - 1) // 2, factor.flops)


@pytest.mark.parametrize("bandwidth", [1, 3])
def test_banded_matrices(bandwidth):
    n, b = 50, bandwidth
    band = scipy.sparse.diags_array(np.ones((2 * b + 1, n)), offsets=range(-b, b + 1), shape=(n, n))
    factor = generate.symbolic_factor(band, ordering="natural")
    assert factor.nnz == n * (b + 1) - b * (b + 1) // 2
    assert factor.flops == (n - b) * (b + 1) ** 2 + sum(j * j for j in range(1, b + 1))


# ---------------------------------------------------------------------- graphs


def plain_tasks(matrix, factor):
    """Flops of panels and of updates, and the rows that these need, counted entry by entry."""
    stored = factor.pattern().toarray() != 0
    supernode = np.repeat(np.arange(len(factor.widths)), factor.widths)
    panels, updates, needed = {}, {}, {}
    for j in range(len(supernode)):
        rows = [i for i in np.flatnonzero(stored[:, j]).tolist() if i > j]
        s = int(supernode[j])
        panels[s] = panels.get(s, 0) + 1 + len(rows)
        for k in rows:
            t = int(supernode[k])
            pair = [i for i in rows if i >= k]
            if t == s:
                panels[s] += 2 * len(pair)
            else:
                updates[s, t] = updates.get((s, t), 0) + 2 * len(pair)
                needed.setdefault((s, t), set()).update((i, j) for i in rows if supernode[i] >= t)
    return panels, updates, {pair: 8 * len(entries) for pair, entries in needed.items()}


def edges_of(dag):
    source = np.repeat(np.arange(dag.n), np.diff(dag.indptr)).tolist()
    return dict(zip(zip(source, dag.indices.tolist(), strict=True), dag.edge_weights.tolist(), strict=True))


@given(matrix=matrices(), width=st.none() | st.integers(1, 3), relax=st.sampled_from([0.0, 0.5]))
def test_graphs_equal_a_count_entry_by_entry(matrix, width, relax):
    options = {"ordering": "mmd", "width": width, "relax": relax}
    factor = generate.symbolic_factor(matrix, **options)
    panels, updates, needed = plain_tasks(matrix, factor)
    count = len(panels)

    coarse = generate.sparse_cholesky(matrix, tasks="coarse", weights="cost", **options)
    work = [panels[s] + sum(flops for (_, t), flops in updates.items() if t == s) for s in range(count)]
    assert coarse.vertex_weights.tolist() == work
    assert edges_of(coarse) == needed

    names = [name for s in range(count) for name in [s, *sorted(pair for pair in updates if pair[0] == s)]]
    number = {name: v for v, name in enumerate(names)}
    panel_bytes = [8 * (w * (w + 1) // 2 + w * r) for w, r in zip(factor.widths, factor.heights, strict=True)]
    for mode in ("chain", "any"):
        fine = generate.sparse_cholesky(matrix, updates=mode, weights="cost", **options)
        assert fine.vertex_weights.tolist() == [
            panels[name] if isinstance(name, int) else updates[name] for name in names
        ]
        expected = {(number[s], number[s, t]): nbytes for (s, t), nbytes in needed.items()}
        for t in range(count):
            into = sorted(pair for pair in updates if pair[1] == t)
            for place, pair in enumerate(into):
                if mode == "chain":
                    following = into[place + 1] if place + 1 < len(into) else t
                    expected[number[pair], number[following]] = panel_bytes[t]
                else:
                    # One flop of an update is a product, one an addition to an entry that is sent.
                    columns = factor.widths[pair[0]]
                    expected[number[pair], number[t]] = 8 * updates[pair] // (2 * columns)
        assert edges_of(fine) == expected

    fronts = generate.sparse_cholesky(matrix, tasks="multifrontal", weights="cost", **options)
    work = [panels[s] + sum(flops for (t, _), flops in updates.items() if t == s) for s in range(count)]
    assert fronts.vertex_weights.tolist() == work
    up = {s: min(t for r, t in updates if r == s) for s in {r for r, _ in updates}}
    heights = factor.heights.tolist()
    assert edges_of(fronts) == {(s, t): 4 * heights[s] * (heights[s] + 1) for s, t in up.items()}

    if relax == 0:
        for dag in (coarse, fine, fronts):
            assert dag.total_weight == factor.flops
        ldl = generate.sparse_cholesky(matrix, factorization="ldl", weights="cost", **options)
        assert ldl.total_weight == factor.flops - matrix.shape[0]


def test_unit_weights():
    grid = generate.grid2d(12).to_scipy()
    for tasks in ("fine", "coarse", "multifrontal"):
        unit = generate.sparse_cholesky(grid, tasks=tasks)
        cost = generate.sparse_cholesky(grid, tasks=tasks, weights="cost")
        assert (unit.edge_weights == 1).all()
        assert (unit.vertex_weights == 1).all()
        assert np.array_equal(unit.indices, cost.indices)


# ---------------------------------------------------------------------- SuperLU


FILES = [
    "datasets/lap2d_40.mtx",
    "datasets/layered_local_1000.mtx",
    "datasets/rgg_random_1000.mtx",
    "matrices/1138_bus.mtx",
    "matrices/bcsstk13.mtx.gz",
    "matrices/blckhole.mtx",
    "matrices/bp_____0.mtx",
    "matrices/ca-GrQc.mtx",
    "matrices/cage8.mtx",
    "matrices/cryg2500.mtx.gz",
    "matrices/dwt_419.mtx",
    "matrices/e20r0000.mtx.gz",
    "matrices/gre__115.mtx",
    "matrices/nos7.mtx",
    "matrices/orsreg_1.mtx.gz",
    "matrices/sherman1.mtx",
    "matrices/west0067.mtx",
]


def superlu_columns(matrix, order):
    """Entries of each column of L, from a factorization of the pattern made diagonally dominant."""
    both = scipy.sparse.csr_array(abs(matrix) + abs(matrix).T).astype(bool).astype(float)
    both.setdiag(0)
    both.eliminate_zeros()
    dominant = scipy.sparse.csr_array(scipy.sparse.diags_array(both.sum(axis=1) + 1) - both)
    factors = splu(
        scipy.sparse.csc_array(dominant[order][:, order]),
        permc_spec="NATURAL",
        diag_pivot_thresh=0.0,
        # No zeros for the sake of larger supernodes.
        relax=1,
        options={"SymmetricMode": True},
    )
    assert np.array_equal(factors.perm_r, np.arange(len(order)))
    return np.diff(scipy.sparse.csc_array(factors.L).indptr)


@pytest.mark.parametrize("ordering", ["mmd", "colamd", "rcm", "metis"])
@pytest.mark.parametrize("name", FILES)
def test_fill_and_flops_equal_superlu(name, ordering):
    path = sample(name)
    # Some of the files are as SciPy does not read them.
    matrix = dagpart.read(path, as_="adjacency").to_scipy()
    factor = generate.symbolic_factor(matrix, ordering=ordering_or_skip(ordering))
    columns = superlu_columns(matrix, factor.order)
    assert np.array_equal(factor.counts, columns)
    assert factor.nnz == factor.stored == columns.sum()
    dag = generate.sparse_cholesky(path, ordering=ordering, weights="cost")
    assert dag.total_weight == factor.flops == (columns.astype(np.int64) ** 2).sum()


@pytest.mark.parametrize(
    "name", ["datasets/grid2d_random_32.mtx", "matrices/bcsstk13.mtx.gz", "matrices/e20r0000.mtx.gz"]
)
def test_orderings_reduce_fill(name):
    matrix = scipy.io.mmread(sample(name))
    natural = generate.symbolic_factor(matrix, ordering="natural").nnz
    for ordering in ("mmd", "metis"):
        assert generate.symbolic_factor(matrix, ordering=ordering_or_skip(ordering)).nnz < 0.7 * natural


# ---------------------------------------------------------------------- triangular solves


@given(matrix=matrices(), triangle=st.sampled_from(["lower", "upper"]), rows=st.none() | st.integers(1, 3))
def test_solves(matrix, triangle, rows):
    dag = generate.sparse_solve(matrix, triangle=triangle, weights="cost")
    dense = matrix.toarray() != 0
    strict = np.tril(dense, -1) if triangle == "lower" else np.triu(dense, 1).T
    assert dag.vertex_weights.tolist() == (2 * strict.sum(axis=1) + 1).tolist()
    assert edges_of(dag) == {
        (j, i): 8 for i, j in zip(*map(np.ndarray.tolist, np.nonzero(strict)), strict=True)
    }
    unit = generate.sparse_solve(matrix, triangle=triangle)
    assert unit == Dag.from_matrix(scipy.sparse.csr_array(dense), triangle=triangle)

    sets = generate.sparse_solve(matrix, triangle=triangle, tasks="level", rows=rows, weights="cost")
    levels = {}
    for v, level in enumerate(dag.levels.tolist()):
        levels.setdefault(level, []).append(v)
    step = rows or len(dense)
    tasks = [
        members[first : first + step]
        for _, members in sorted(levels.items())
        for first in range(0, len(members), step)
    ]
    assert sets.vertex_weights.tolist() == [int(dag.vertex_weights[members].sum()) for members in tasks]
    expected = {}
    for (a, source), (b, target) in itertools.product(enumerate(tasks), repeat=2):
        unknowns = sum(bool(strict[target, u].any()) for u in source)
        if unknowns:
            expected[a, b] = 8 * unknowns
    assert edges_of(sets) == expected


def test_solve_with_the_factor():
    grid = generate.grid2d(9).to_scipy()
    factor = generate.symbolic_factor(grid)
    dag = generate.sparse_solve(grid, factor=True, weights="cost")
    assert dag.m == factor.nnz - factor.pattern().shape[0]
    assert dag.total_weight == 2 * factor.nnz - 81
    # The longest path of a solve with the factor is that of the elimination tree.
    depth = np.zeros(81, dtype=int)
    for j, up in enumerate(factor.parent):
        if up >= 0:
            depth[up] = max(depth[up], depth[j] + 1)
    assert dag.levels.tolist() == depth.tolist()


# ---------------------------------------------------------------------- what is taken, and what is not


def test_matrices_of_all_kinds(tmp_path):
    A = scipy.sparse.random_array((30, 30), density=0.1, rng=np.random.default_rng(1))
    expected = generate.sparse_cholesky(A)
    for same in (A.tocsr(), A.T, scipy.sparse.csc_matrix(A), Digraph.from_scipy(A), A + A.T):
        assert generate.sparse_cholesky(same) == expected
    scipy.io.mmwrite(tmp_path / "A.mtx", A)
    assert generate.sparse_cholesky(tmp_path / "A.mtx") == expected
    assert generate.sparse_cholesky(str(tmp_path / "A.mtx")) == expected


@pytest.mark.parametrize("ordering", ORDERINGS)
def test_small_and_empty_matrices(ordering):
    for n in (0, 1, 3):
        factor = generate.symbolic_factor(scipy.sparse.csr_array((n, n)), ordering=ordering_or_skip(ordering))
        assert factor.counts.tolist() == [1] * n
        for tasks in ("fine", "coarse", "multifrontal"):
            dag = generate.sparse_cholesky(scipy.sparse.csr_array((n, n)), ordering=ordering, tasks=tasks)
            assert (dag.n, dag.m) == (n, 0)
        for tasks in ("row", "level"):
            dag = generate.sparse_solve(scipy.sparse.csr_array((n, n)), tasks=tasks)
            assert (dag.n, dag.m) == (n if tasks == "row" else min(n, 1), 0)


def test_without_pymetis(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymetis", None)
    with pytest.raises(MissingDependencyError, match="pymetis is needed for nested dissection"):
        generate.symbolic_factor(generate.grid2d(3), ordering="metis")


def test_a_factor_too_large_to_list(monkeypatch):
    monkeypatch.setattr(sparse, "_MOST_ROWS", 100)
    with pytest.raises(DagpartError, match=r"entries, in supernodes with \d+ rows: too many to list"):
        generate.symbolic_factor(generate.grid2d(20), ordering="rcm")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda A: generate.symbolic_factor(A, ordering="amd"), "ordering must be 'mmd'"),
        (lambda A: generate.symbolic_factor(A, relax=2), "relax must be from 0.0 to 1.0"),
        (lambda A: generate.symbolic_factor(A, width=0), "width must be at least 1"),
        (lambda A: generate.symbolic_factor(A[:2]), "the matrix is 2 x 3, but it must be square"),
        (lambda A: generate.symbolic_factor(np.eye(3)), "ndarray is no SciPy sparse matrix"),
        (lambda A: generate.sparse_cholesky(A, tasks="row"), "tasks must be 'fine', 'coarse' or"),
        (lambda A: generate.sparse_cholesky(A, updates="all"), "updates must be 'chain' or 'any'"),
        (lambda A: generate.sparse_cholesky(A, factorization="lu"), "factorization must be"),
        (lambda A: generate.sparse_cholesky(A, weights="flops"), "weights must be 'unit' or 'cost'"),
        (lambda A: generate.sparse_solve(A, tasks="fine"), "tasks must be 'row' or 'level'"),
        (lambda A: generate.sparse_solve(A, triangle="left"), "triangle must be"),
        (lambda A: generate.sparse_solve(A, rows=0), "rows must be at least 1"),
        (lambda A: generate.sparse_solve(A, weights="flops"), "weights must be 'unit' or 'cost'"),
    ],
)
def test_arguments_out_of_range(call, message):
    with pytest.raises(DagpartError, match=message):
        call(scipy.sparse.csr_array(np.eye(3)))


def test_damaged_files(tmp_path):
    (tmp_path / "bad.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 x 1.0\n")
    with pytest.raises(ParseError, match=r"bad\.mtx:3"):
        generate.sparse_cholesky(tmp_path / "bad.mtx")
