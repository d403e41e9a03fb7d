"""Tiled QR factorization, and the hybrid that takes an LU step wherever that is stable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike, NDArray

from dagpart._arguments import check_choice, check_number, check_size
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate import _flops
from dagpart.generate._arguments import Seed, Weights, cuts, fits, generator
from dagpart.generate._elimination import (
    Eliminations,
    Step,
    Tree,
    eliminate_below,
    eliminations,
    orthogonalize,
    steps,
)
from dagpart.generate.linear_algebra import Shape, Side, rectangle
from dagpart.generate.task_flow import WORD, Dependences, TaskFlow

Criterion = Literal["max", "sum"]
# A number is tried first where the pattern is told as text.
Pattern = float | str | Sequence[str]


def qr(
    rows: Side,
    columns: Side | None = None,
    *,
    tile: Shape = 256,
    tree: Tree = "flat",
    weights: Weights = "unit",
    dependences: Dependences = "last-writer",
    inputs: bool = False,
) -> Dag:
    """Tiled QR factorization.

    Step k makes the tiles of column k below the diagonal zero. Along the flat tree the diagonal tile is
    factored (GEQRT), and its triangle annihilates the tiles below one after the other (TSQRT). Along the
    others all tiles are factored first, then triangles annihilate triangles (TTQRT): neighbours at growing
    distance ("binary"), or as many pairs as are ready at any time, over all columns ("greedy"). Each task is
    followed by those that apply its reflectors to the tile columns on the right (UNMQR, TSMQR, TTMQR)
    [1]_ [2]_.

    Parameters
    ----------
    rows, columns : int or sequence of int
        Tiles along each side, or their sizes; a square matrix by default. Tiles need not be square: there is
        a step wherever the diagonal enters another tile.
    tile : int or pair of int, default 256
        Size, or height and width, of a tile, where `rows` or `columns` are numbers.
    tree : {"flat", "binary", "greedy"}
        Who annihilates whom.
    weights : {"unit", "cost"}
        "cost": vertices weigh their flops, edges the bytes of the tiles that flow along them (the small
        triangular factors of the reflectors are not counted).
    dependences : {"last-writer", "sequential"}
        As for `cholesky`. Tiles are whole here: where a runtime tells the triangles of a tile apart, the
        dependences are those of "last-writer".
    inputs : bool, default False
        Whether the tiles of the matrix are vertices too, before all tasks, of no flops.

    Returns
    -------
    Dag
        Tasks in program order. For p x q square tiles and ``s = min(p, q)`` steps, of which step k has
        ``a = p - k`` rows and ``b = q - k - 1`` columns to its right: ``a * (b + 1)`` tasks if flat,
        ``(2 * a - 1) * (b + 1)`` else. The flops are those of Householder's method for the whole matrix,
        ``2 * m * n**2 - 2 * n**3 / 3 + ...``, for every tree and however the matrix is cut.

    Raises
    ------
    DagpartError
        If a size is below 1, an option is unknown, or the tree needs higher tiles.

    References
    ----------
    .. [1] H. Bouwmeester, M. Jacquelin, J. Langou and Y. Robert, "Tiled QR factorization algorithms", SC
       2011.
    .. [2] M. Cosnard and Y. Robert, "Complexity of parallel QR factorization", Journal of the ACM 33(4),
       1986: the greedy order.

    Examples
    --------
    >>> qr(3).n, qr(3, tree="binary").n
    (14, 22)
    >>> [int(qr(15, 1, tree=tree).levels.max()) for tree in ("flat", "binary", "greedy")]
    [14, 4, 4]
    """
    flow = _qr(rows, columns, tile=tile, tree=tree)
    return flow.dag(weights=weights, dependences=dependences, inputs=inputs)


def lu_qr(
    tiles: Side,
    pattern: Pattern = 0.5,
    *,
    tile: int = 256,
    tree: Tree = "flat",
    seed: Seed = 0,
    weights: Weights = "unit",
    dependences: Dependences = "last-writer",
    inputs: bool = False,
) -> Dag:
    """Hybrid LU-QR factorization: every step eliminates by LU where that is stable, else by QR.

    Step k factors a copy of the diagonal tile with pivoting inside of it (GETRF), compares it with the tiles
    below (CHECK), and then goes on as LU does, swaps included (TRSM, SWPTRSM, GEMM), or starts again from
    the tiles as they were and takes a QR step (see `qr`) [1]_.

    Parameters
    ----------
    tiles : int or sequence of int
        Tiles a side, t, or their sizes.
    pattern : float, str or sequence of str, default 0.5
        The probability of an LU step; or the kind of each step: a string like "LLQL", or a list of "L" and
        "Q". `lu_qr_pattern` finds it for a matrix.
    tile : int, default 256
        Rows and columns of a tile, where `tiles` is a number.
    tree : {"flat", "binary", "greedy"}
        Who annihilates whom in QR steps; "greedy" is that of a QR factorization throughout.
    seed : int or numpy.random.Generator, default 0
        For a probability.
    weights, dependences, inputs
        As for `qr`. A check adds up the moduli of the entries below the diagonal tile, and solves with its
        two factors once; its outcome is a datum of 8 bytes, which the tasks that begin a step read.

    Returns
    -------
    Dag
        Tasks in program order. Step k, with ``a = t - k``, has ``2 + a**2 - 1`` of them if it is LU, and two
        more than the step of `qr` else.

    Raises
    ------
    DagpartError
        If a size is below 1, an option is unknown, or the pattern has another length or other letters.

    References
    ----------
    .. [1] M. Faverge, J. Herrmann, J. Langou, B. Lowery, Y. Robert and J. Dongarra, "Designing LU-QR hybrid
       solvers for performance and stability", IPDPS 2014.

    Examples
    --------
    >>> lu_qr(3, "LQL").n, lu_qr(3, "LLL").n, lu_qr(3, 0.0).n
    (18, 17, 20)
    """
    flow = _lu_qr(tiles, pattern, tile=tile, tree=tree, seed=seed)
    return flow.dag(weights=weights, dependences=dependences, inputs=inputs)


def lu_qr_pattern(
    matrix: ArrayLike,
    tile: Side,
    *,
    criterion: Criterion = "max",
    alpha: float = 1.0,
    tree: Tree = "flat",
) -> str:
    """Kinds of the steps that the hybrid LU-QR factorization takes on a real matrix.

    The matrix is factored, tile by tile. A step is LU if ``alpha / norm(inv(D))`` is at least the largest
    ("max"), or the sum ("sum"), of the norms of the tiles below the diagonal tile D, as they are then; norms
    are 1-norms.

    Parameters
    ----------
    matrix : array_like of shape (n, n)
    tile : int or sequence of int
        Order of a tile (the last may be smaller), or all the sizes.
    criterion : {"max", "sum"}
    alpha : float, default 1.0
        How much growth is put up with: 0 makes every step but the last QR, a large number LU.
    tree : {"flat", "binary", "greedy"}
        Of the QR steps; tiles after the first QR step depend on it.

    Returns
    -------
    str
        "L" and "Q", one for each step; a `pattern` for `lu_qr`.

    Raises
    ------
    DagpartError
        If the matrix is not square, real and finite, the tiles do not add up to it, or an option is unknown.

    References
    ----------
    M. Faverge, J. Herrmann, J. Langou, B. Lowery, Y. Robert and J. Dongarra, "Designing LU-QR hybrid solvers
    for performance and stability", IPDPS 2014: the Max and the Sum criterion.

    Examples
    --------
    >>> lu_qr_pattern([[4, 1, 0, 1], [1, 4, 1, 0], [0, 1, 4, 1], [1, 0, 1, 4]], 2)
    'LL'
    >>> lu_qr_pattern([[0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]], 2)
    'QL'
    """
    check_choice(criterion, "criterion", ("max", "sum"))
    alpha = check_number(alpha, "alpha", 0.0)
    a = _square(matrix)
    sizes = _along(tile, len(a))
    all_steps = list(steps(sizes, sizes))
    orders = eliminations(tree, sizes, all_steps)
    start = np.concatenate(([0], np.cumsum(sizes)))
    kinds = []
    for step, order in zip(all_steps, orders, strict=True):
        here = slice(int(start[step.row]), int(start[step.row + 1]))
        rest = slice(here.stop, None)
        sums = np.add.reduceat(np.abs(a[rest, here]), start[step.below] - here.stop, axis=0)
        norms = sums.max(axis=1) if len(step.below) else np.zeros(1)
        with np.errstate(over="ignore"):
            below = norms.max() if criterion == "max" else norms.sum()
        factors, pivots, info = scipy.linalg.lapack.dgetrf(a[here, here])
        stable = info == 0 and alpha * _inverse_norm(factors, pivots) >= below
        kinds.append("L" if stable else "Q")
        if stable:
            a[here, rest] = scipy.linalg.lu_solve((factors, pivots), a[here, rest])
            a[rest, rest] -= a[rest, here] @ a[here, rest]
        else:
            _orthogonal_step(a, start, step, order)
    return "".join(kinds)


# ---------------------------------------------------------------------- the programs


def _qr(rows: Side, columns: Side | None = None, *, tile: Shape = 256, tree: Tree = "flat") -> TaskFlow:
    heights, widths = rectangle(rows, columns, tile)
    flow = TaskFlow()
    matrix = flow.tiles(heights, widths)
    all_steps = list(steps(heights, widths))
    for step, order in zip(all_steps, eliminations(tree, heights, all_steps), strict=True):
        orthogonalize(flow, matrix, step, order)
    return flow


def _lu_qr(
    tiles: Side, pattern: Pattern = 0.5, *, tile: int = 256, tree: Tree = "flat", seed: Seed = 0
) -> TaskFlow:
    sizes = cuts("tiles", tiles, check_size(tile, "tile"))
    fits(len(sizes) ** 3 // 3)
    kinds = _kinds(pattern, len(sizes), seed)
    flow = TaskFlow()
    matrix = flow.tiles(sizes, sizes)
    diagonal = np.arange(len(sizes))
    trial = flow.data(WORD * sizes * sizes, at=(diagonal, diagonal))
    outcome = flow.data(np.full(len(sizes), WORD), at=(diagonal, diagonal))
    all_steps = list(steps(sizes, sizes))
    for step, order, kind in zip(all_steps, eliminations(tree, sizes, all_steps), kinds, strict=True):
        k, c = step.row, step.pivots
        factor = flow.submit("getrf", _flops.getrf(c, c, c), at=(k, k))
        flow.read(factor, matrix[k, k])
        flow.write(factor, trial[k])
        check = flow.submit("check", step.heights.sum() * c + 2 * c * c, at=(k, k))
        flow.read(check, trial[k])
        flow.read(check, matrix[step.below, k])
        flow.write(check, outcome[k])
        if kind == "L":
            eliminate_below(flow, matrix, step, trial[k], before=outcome[k], row_kernel="swptrsm")
        else:
            orthogonalize(flow, matrix, step, order, before=outcome[k])
    return flow


def _kinds(pattern: Pattern, count: int, seed: Seed) -> list[str]:
    if isinstance(pattern, int | float | np.number):
        chance = check_number(float(pattern), "pattern", 0.0, 1.0)
        return ["L" if draw < chance else "Q" for draw in generator(seed).random(count)]
    kinds = list(pattern)
    for place, kind in enumerate(kinds):
        if kind not in ("L", "Q"):
            raise DagpartError(f"pattern has {kind!r} for step {place}: a step is 'L' or 'Q'")
    if len(kinds) != count:
        raise DagpartError(f"pattern has {len(kinds)} steps, but {count} tiles a side make {count}")
    return kinds


# ---------------------------------------------------------------------- the criterion on a matrix


def _square(matrix: ArrayLike) -> NDArray[np.float64]:
    a = np.array(matrix)
    if a.ndim != 2 or a.shape[0] != a.shape[1] or not a.size:
        raise DagpartError(f"the matrix has shape {a.shape}, but it must be square")
    if not (np.issubdtype(a.dtype, np.number) and np.isrealobj(a) and np.isfinite(a).all()):
        raise DagpartError("the matrix must hold real finite numbers only")
    return a.astype(np.float64)


def _along(tile: Side, order: int) -> NDArray[np.int64]:
    """Sizes of the tiles along a side of the given length."""
    if isinstance(tile, Sequence | np.ndarray):
        sizes = cuts("tile", tile, 1)
        if sizes.sum() != order:
            raise DagpartError(f"tile lists {sizes.sum()} rows in all, but the matrix has {order}")
        return sizes
    whole, rest = divmod(order, check_size(tile, "tile"))
    return cuts("tile", [tile] * whole + [rest] * (rest > 0), 1)


def _inverse_norm(factors: Any, pivots: Any) -> float:
    """1 / norm(inv(A)) for the 1-norm, from the LU factors of A; 0 where it overflows."""
    identity = np.eye(len(factors))
    norm = np.abs(scipy.linalg.lu_solve((factors, pivots), identity)).sum(axis=0).max()
    return 1.0 / norm if np.isfinite(norm) else 0.0


def _orthogonal_step(
    a: NDArray[np.float64], start: NDArray[np.int64], step: Step, order: Eliminations | None
) -> None:
    """The QR step on the numbers: each task's reflectors applied to the tile columns on the right."""
    columns = slice(int(start[step.column]), None)
    width = step.pivots

    def annihilate(rows: NDArray[np.int64]) -> None:
        q, _ = np.linalg.qr(a[rows, columns.start : columns.start + width], mode="complete")
        a[rows, columns] = q.T @ a[rows, columns]

    def rows_of(tile: int) -> NDArray[np.int64]:
        return np.arange(start[tile], start[tile + 1])

    annihilate(rows_of(step.row))
    if order is None:
        order = [(step.row, row) for row in step.below.tolist()]
    else:
        for row in step.below.tolist():
            annihilate(rows_of(row))
    for pivot, row in order:
        annihilate(np.concatenate((rows_of(pivot), rows_of(row))))
