"""Dense linear algebra by tiles, as a task runtime sees it: Cholesky, LU and products.

Each function writes down the tasks of a sequential program and what they read and write; `task_flow` makes
the graph of it. QR is in `orthogonal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_choice, check_size
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate import _flops
from dagpart.generate._arguments import Weights, cuts, fits, tile_shape
from dagpart.generate._elimination import eliminate_below, steps
from dagpart.generate.task_flow import WORD, Dependences, TaskFlow, Tiles

Side = int | Sequence[int]
Shape = int | Sequence[int]


def cholesky(
    tiles: Side,
    *,
    tile: int = 256,
    weights: Weights = "unit",
    dependences: Dependences = "last-writer",
    inputs: bool = False,
) -> Dag:
    """Tiled Cholesky factorization, right-looking.

    Step k factors the diagonal tile (POTRF), solves for the tiles below it (TRSM), and updates the
    tiles to the right, row by row: the diagonal one first (SYRK), then those before it (GEMM) [1]_.

    Parameters
    ----------
    tiles : int or sequence of int
        Tiles a side, t; or their sizes, which may differ.
    tile : int, default 256
        Rows and columns of a tile, where `tiles` is a number.
    weights : {"unit", "cost"}
        "cost": vertices weigh their flops, edges the bytes of the tiles that flow along them.
    dependences : {"last-writer", "sequential"}
        Which dependences are edges, see Notes.
    inputs : bool, default False
        Whether the tiles of the matrix are vertices too, before all tasks, of no flops.

    Returns
    -------
    Dag
        ``t * (t + 1) * (t + 2) / 6`` tasks in program order, which do ``n * (n + 1) * (2 * n + 1) / 6``
        flops for a matrix of order n, however it is cut.

    Raises
    ------
    DagpartError
        If a size is below 1 or an option is unknown.

    Notes
    -----
    Graphs of this factorization in the literature agree on the tasks, but not on the edges. By default there
    is an edge to every task from the last earlier writer of every tile that it reads or overwrites, one for
    each pair of tasks. That makes t - 1 edges to POTRF, ``(t - 1)**2`` each to TRSM and SYRK, and
    ``t * (t - 1) * (t - 2) / 3 + (t - 1) * (t - 2) * (t - 3) / 6`` to GEMM: 55,272 for t = 48. Of the other
    conventions,

    - counting each tile's dependence by itself, and waiting for the readers of a tile before it is
      overwritten (``dependences="sequential"``), change nothing here: no two tiles make the same pair, and
      no tile is overwritten once it has been read by another task;
    - updates of a tile that may run in any order give as many edges: from each update to the task that
      factors the tile, in place of a chain;
    - a left-looking program has the same edges in another order of the tasks;
    - tiles that are loaded by tasks (``inputs=True``) add ``t * (t + 1) / 2`` vertices and as many edges.

    References
    ----------
    .. [1] A. Buttari, J. Langou, J. Kurzak and J. Dongarra, "A class of parallel tiled linear algebra
       algorithms for multicore architectures", Parallel Computing 35(1), 2009: the tiled Cholesky.

    Examples
    --------
    >>> g = cholesky(48)
    >>> g.n, g.m
    (19600, 55272)
    >>> cholesky([100, 100, 50], weights="cost").total_weight == 250 * 251 * 501 // 6
    True
    """
    flow = _cholesky(tiles, tile=tile)
    return flow.dag(weights=weights, dependences=dependences, inputs=inputs)


def lu(
    rows: Side,
    columns: Side | None = None,
    *,
    tile: Shape = 256,
    weights: Weights = "unit",
    dependences: Dependences = "last-writer",
    inputs: bool = False,
) -> Dag:
    """Tiled LU factorization without pivoting, right-looking.

    Step k factors the diagonal tile (GETRF), solves for the tiles below it and to its right (TRSM), and
    updates the others (GEMM) [1]_.

    Parameters
    ----------
    rows, columns : int or sequence of int
        Tiles along each side, or their sizes; a square matrix by default. Tiles need not be square: there is
        a step wherever the diagonal enters another tile.
    tile : int or pair of int, default 256
        Size, or height and width, of a tile, where `rows` or `columns` are numbers.
    weights, dependences, inputs
        As for `cholesky`.

    Returns
    -------
    Dag
        Tasks in program order: ``t * (t + 1) * (2 * t + 1) / 6`` for t x t square tiles.

    Raises
    ------
    DagpartError
        If a size is below 1 or an option is unknown.

    References
    ----------
    .. [1] A. Buttari, J. Langou, J. Kurzak and J. Dongarra, "A class of parallel tiled linear algebra
       algorithms for multicore architectures", Parallel Computing 35(1), 2009.

    Examples
    --------
    >>> lu(3)
    Dag(n=14, m=21)
    >>> lu(2, 4, tile=(20, 10)).n
    17
    """
    flow = _lu(rows, columns, tile=tile)
    return flow.dag(weights=weights, dependences=dependences, inputs=inputs)


def lu_partial(
    rows: Side,
    columns: Side | None = None,
    *,
    tile: Shape = 256,
    tasks: Literal["tile", "panel"] = "tile",
    swap_left: bool = True,
    weights: Weights = "unit",
    dependences: Dependences = "last-writer",
    inputs: bool = False,
) -> Dag:
    """LU factorization with partial pivoting, by panels.

    Step k factors a whole tile column from the diagonal down, as one task (PANEL), since any of its rows may
    become a pivot. In every tile column to the right, rows are swapped (SWAP), the top is solved for (TRSM)
    and the rest updated (GEMM); to the left, rows are swapped only [1]_.

    Parameters
    ----------
    rows, columns : int or sequence of int
        Tiles along each side, or their sizes; a square matrix by default.
    tile : int or pair of int, default 256
        Size, or height and width, of a tile, where `rows` or `columns` are numbers.
    tasks : {"tile", "panel"}
        "panel": all that a step does to a column is one task (UPDATE).
    swap_left : bool, default True
        Whether the rows of earlier panels are swapped too, as LAPACK does it.
    weights, dependences, inputs
        As for `cholesky`. Swaps do no flops; searching a pivot is not counted. Pivots are one number a
        column.

    Returns
    -------
    Dag
        Tasks in program order. For t x t square tiles, with `swap_left`: t panels, t (t - 1) swaps,
        t (t - 1) / 2 solves and (t - 1) t (2 t - 1) / 6 updates; with ``tasks="panel"`` t**2 in all.

    Raises
    ------
    DagpartError
        If a size is below 1 or an option is unknown.

    References
    ----------
    .. [1] J. Kurzak, P. Luszczek, M. Faverge and J. Dongarra, "LU factorization with partial pivoting for a
       multicore system with accelerators", IEEE Transactions on Parallel and Distributed Systems 24(8), 2013.

    Examples
    --------
    >>> lu_partial(3).n, lu_partial(3, tasks="panel").n, lu_partial(3, swap_left=False).n
    (17, 9, 14)
    """
    flow = _lu_partial(rows, columns, tile=tile, tasks=tasks, swap_left=swap_left)
    return flow.dag(weights=weights, dependences=dependences, inputs=inputs)


def gemm(
    rows: Side,
    columns: Side | None = None,
    inner: Side | None = None,
    *,
    tile: int = 256,
    broadcast: Literal["direct", "chain", "binary"] = "direct",
    reduction: Literal["chain", "flat", "binary"] = "chain",
    weights: Weights = "unit",
    dependences: Dependences = "last-writer",
    inputs: bool = True,
) -> Dag:
    """Product of two tiled matrices, C = A B, with its broadcasts and reductions.

    Parameters
    ----------
    rows, columns, inner : int or sequence of int
        Tiles along the rows of A and C, the columns of B and C, and the columns of A and rows of B; or their
        sizes. Cubic by default.
    tile : int, default 256
        Rows and columns of a tile, where the others are numbers.
    broadcast : {"direct", "chain", "binary"}
        How a tile gets to the products that use it: to all from where it is, or by COPY tasks, one for each
        product, from one to the next as in a ring, or along a binary tree.
    reduction : {"chain", "flat", "binary"}
        How the products for a tile of C are summed up: each adds to the sum of those before (GEMM), or all
        are kept and added by one task or pairwise (ADD).
    weights, dependences, inputs
        As for `cholesky`; tiles of A and B are vertices by default, since the broadcasts start there.

    Returns
    -------
    Dag
        Tasks in program order, for p x q x r tiles: p q r products; besides, 2 p q r copies unless they are
        direct; and p q additions if flat, p q (r - 1) if binary (for r > 1). Inputs: p r + r q. The flops are
        ``m * n * (2 * k - 1)`` for a product of m x k and k x n.

    Raises
    ------
    DagpartError
        If a size is below 1 or an option is unknown.

    References
    ----------
    R. A. van de Geijn and J. Watts, "SUMMA: scalable universal matrix multiplication algorithm", Concurrency:
    Practice and Experience 9(4), 1997: a product as broadcasts along rows and columns of tiles.

    Examples
    --------
    >>> gemm(2, 3, 4)
    Dag(n=44, m=66)
    >>> gemm(2, 3, 4, broadcast="binary", reduction="binary").n
    110
    """
    flow = _gemm(rows, columns, inner, tile=tile, broadcast=broadcast, reduction=reduction)
    return flow.dag(weights=weights, dependences=dependences, inputs=inputs)


def butterfly_lu(
    tiles: Side,
    *,
    depth: int = 2,
    tile: int = 256,
    weights: Weights = "unit",
    dependences: Dependences = "last-writer",
    inputs: bool = False,
) -> Dag:
    """Random butterfly transformation of a matrix on both sides, then LU factorization without pivoting.

    The transformation makes pivoting unnecessary with probability near one [1]_. A butterfly of level l
    combines each tile with the three that are half a block away, the matrix being cut into 2**l blocks a
    side (BUTTERFLY); level ``depth - 1`` comes first.

    Parameters
    ----------
    tiles : int or sequence of int
        Tiles a side, t, a multiple of ``2**depth``; or their sizes, which must be the same in both halves of
        every block.
    depth : int, default 2
        Number of levels.
    tile : int, default 256
        Rows and columns of a tile, where `tiles` is a number.
    weights, dependences, inputs
        As for `cholesky`.

    Returns
    -------
    Dag
        ``depth * (t / 2)**2`` butterflies before the tasks of `lu`; a level does 4 flops for each entry.

    Raises
    ------
    DagpartError
        If a size is below 1, the tiles do not pair up or an option is unknown.

    References
    ----------
    .. [1] M. Baboulin, J. Dongarra, J. Herrmann and S. Tomov, "Accelerating linear system solutions using
       randomization techniques", ACM Transactions on Mathematical Software 39(2), 2013.

    Examples
    --------
    >>> butterfly_lu(4).n - lu(4).n
    8
    """
    flow = _butterfly_lu(tiles, depth=depth, tile=tile)
    return flow.dag(weights=weights, dependences=dependences, inputs=inputs)


# ---------------------------------------------------------------------- the programs


def _cholesky(tiles: Side, *, tile: int = 256) -> TaskFlow:
    sizes = cuts("tiles", tiles, check_size(tile, "tile"))
    fits(len(sizes) ** 3 // 6)
    flow = TaskFlow()
    # Only the lower triangle is ever accessed.
    matrix = flow.tiles(sizes, sizes)
    for k in range(len(sizes)):
        below = np.arange(k + 1, len(sizes))
        width = sizes[k]
        factor = flow.submit("potrf", _flops.potrf(width), at=(k, k))
        flow.update(factor, matrix[k, k])
        solve = flow.submit("trsm", _flops.trsm(sizes[below], width), at=(below, k))
        flow.read(solve, matrix[k, k])
        flow.update(solve, matrix[below, k])
        # Row by row over the lower triangle that is left, the diagonal tile moved to the head of its row.
        i, j = np.tril_indices(len(below))
        i, j = below[i], below[np.where(j == 0, i, j - 1)]
        work = np.where(i == j, _flops.syrk(sizes[i], width), _flops.gemm(sizes[i], sizes[j], width))
        update = flow.submit(np.where(i == j, "syrk", "gemm"), work, at=(i, j))
        flow.read(update, matrix[i, k])
        flow.read(update, matrix[j, k])
        flow.update(update, matrix[i, j])
    return flow


def rectangle(rows: Side, columns: Side | None, tile: Shape) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Heights of the tile rows and widths of the tile columns of a matrix, square by default."""
    height, width = tile_shape(tile)
    heights = cuts("rows", rows, height)
    if columns is not None:
        widths = cuts("columns", columns, width)
        _check_tasks(len(heights), len(widths))
        return heights, widths
    _check_tasks(len(heights), -(-int(heights.sum()) // width))
    if isinstance(rows, Sequence | np.ndarray) or width == height:
        return heights, heights
    whole, rest = divmod(int(heights.sum()), width)
    return heights, cuts("columns", [width] * whole + [rest] * (rest > 0), width)


def _check_tasks(rows: int, columns: int) -> None:
    """Raise an error where an elimination, with a task for each tile and step, would be far too large."""
    fits(rows * columns * min(rows, columns) // 3)


def _lu(rows: Side, columns: Side | None = None, *, tile: Shape = 256) -> TaskFlow:
    flow = TaskFlow()
    _factor_lu(flow, flow.tiles(*rectangle(rows, columns, tile)))
    return flow


def _factor_lu(flow: TaskFlow, matrix: Tiles) -> None:
    for step in steps(matrix.rows, matrix.columns):
        pivot = matrix[step.row, step.column]
        work = _flops.getrf(step.height, step.width, step.pivots)
        flow.update(flow.submit("getrf", work, at=(step.row, step.column)), pivot)
        eliminate_below(flow, matrix, step, pivot)


def _lu_partial(
    rows: Side,
    columns: Side | None = None,
    *,
    tile: Shape = 256,
    tasks: Literal["tile", "panel"] = "tile",
    swap_left: bool = True,
) -> TaskFlow:
    check_choice(tasks, "tasks", ("tile", "panel"))
    heights, widths = rectangle(rows, columns, tile)
    flow = TaskFlow()
    matrix = flow.tiles(heights, widths)
    row_end = np.cumsum(heights)
    pivots = flow.data(WORD * widths, at=(0, np.arange(len(widths))))
    done, order = 0, int(min(row_end[-1], widths.sum()))
    for k in range(len(widths)):
        if done == order:
            break
        c = min(int(widths[k]), order - done)
        # Tile rows with pivots, from the first to the last, and those with rows below the pivots.
        first, last = np.searchsorted(row_end, [done, done + c - 1], side="right").tolist()
        active = np.arange(first, len(heights))
        # A tile with both comes last, since the other updates read its pivot rows.
        shared = int(row_end[last] > done + c)
        rest = np.roll(np.arange(last + 1 - shared, len(heights)), -shared)
        top = np.arange(first, last + 1)
        left = np.minimum(heights, row_end - done - c)[rest]
        panel = flow.submit("panel", _flops.getrf(row_end[-1] - done, widths[k], c), at=(first, k))
        flow.update(panel, matrix[active, k])
        flow.write(panel, pivots[k])
        j = np.arange(k + 1, len(widths))
        solved = _flops.trsm_unit(widths[j], c)
        if tasks == "panel":
            work = solved + _flops.gemm(left.sum(), widths[j], c)
            update = flow.submit("update", work, at=(first, j))
            flow.read(update, pivots[k])
            flow.read(update[:, None], matrix[active, k])
            flow.update(update[:, None], matrix[active, j[:, None]])
        else:
            swap = flow.submit("swap", 0, at=(first, j))
            flow.read(swap, pivots[k])
            flow.update(swap[:, None], matrix[active, j[:, None]])
            solve = flow.submit("trsm", solved, at=(first, j))
            flow.read(solve[:, None], matrix[top, k])
            flow.update(solve[:, None], matrix[top, j[:, None]])
            i = rest[:, None]
            update = flow.submit("gemm", _flops.gemm(left[:, None], widths[j], c), at=(i, j))
            flow.read(update, matrix[i, k])
            flow.read(update[:, :, None], matrix[top, j[:, None]][None, :, :])
            flow.update(update, matrix[i, j])
        if swap_left and k:
            j = np.arange(k)
            swap = flow.submit("swap", 0, at=(first, j))
            flow.read(swap, pivots[k])
            flow.update(swap[:, None], matrix[active, j[:, None]])
        done += c
    return flow


def _gemm(
    rows: Side,
    columns: Side | None = None,
    inner: Side | None = None,
    *,
    tile: int = 256,
    broadcast: Literal["direct", "chain", "binary"] = "direct",
    reduction: Literal["chain", "flat", "binary"] = "chain",
) -> TaskFlow:
    check_choice(broadcast, "broadcast", ("direct", "chain", "binary"))
    check_choice(reduction, "reduction", ("chain", "flat", "binary"))
    tile = check_size(tile, "tile")
    m = cuts("rows", rows, tile)
    n = cuts("columns", rows if columns is None else columns, tile)
    k = cuts("inner", rows if inner is None else inner, tile)
    fits(len(m) * len(n) * len(k))
    flow = TaskFlow()
    a, b, c = flow.tiles(m, k), flow.tiles(k, n), flow.tiles(m, n)
    left = a[np.arange(len(m))[:, None], np.arange(len(k))]
    top = b[np.arange(len(k))[:, None], np.arange(len(n))]
    i, j, s = np.ogrid[: len(m), : len(n), : len(k)]
    # What each product reads, by i, j and s.
    if broadcast == "direct":
        ours, theirs = left[i, s], top[s, j]
    else:
        ours = _copies(flow, left, WORD * m[:, None] * k, len(n), broadcast, rows_first=True)[j, i, s]
        theirs = _copies(flow, top, WORD * k[:, None] * n, len(m), broadcast, rows_first=False)[i, s, j]
    multiplied = _flops.product(m[i], n[j], k[s])
    added = m[:, None] * n
    if reduction == "chain" or len(k) == 1:
        products = flow.submit("gemm", multiplied + (s > 0) * added[:, :, None], at=(i, j))
        flow.write(products[:, :, 0], c[i, j][:, :, 0])
        flow.update(products[:, :, 1:], c[i, j])
    else:
        parts = flow.data(np.broadcast_to(WORD * added[:, :, None], multiplied.shape), at=(i, j))
        products = flow.submit("gemm", multiplied, at=(i, j))
        flow.write(products, parts)
        _add_up(flow, parts, added, c[i, j][:, :, 0], reduction)
    flow.read(products, ours)
    flow.read(products, theirs)
    return flow


def _copies(
    flow: TaskFlow,
    tiles: NDArray[np.int64],
    nbytes: NDArray[np.int64],
    count: int,
    broadcast: str,
    rows_first: bool,
) -> NDArray[np.int64]:
    """Data with `count` copies of each tile, made along a chain or a binary tree."""
    p, q = tiles.shape
    r, i, j = np.ogrid[:count, :p, :q]
    place = (i, r) if rows_first else (r, j)
    copies = flow.data(np.broadcast_to(nbytes, (count, p, q)), at=place)
    tasks = flow.submit("copy", np.zeros((count, p, q), dtype=np.int64), at=place)
    origin = r - 1 if broadcast == "chain" else (r - 1) // 2
    flow.read(tasks[0], tiles)
    flow.read(tasks[1:], copies[origin[1:], i, j])
    flow.write(tasks, copies)
    return copies


def _add_up(
    flow: TaskFlow,
    parts: NDArray[np.int64],
    added: NDArray[np.int64],
    result: NDArray[np.int64],
    reduction: str,
) -> None:
    """Tasks that add the parts of each tile, the last axis, into the result."""
    p, q, count = parts.shape
    place = np.ogrid[:p, :q]
    if reduction == "flat":
        tasks = flow.submit("add", (count - 1) * added, at=(place[0], place[1]))
        flow.read(tasks[:, :, None], parts)
        flow.write(tasks, result)
        return
    while count > 1:
        # Neighbours are added into the first of them; an odd one out waits.
        pairs = count // 2
        work = np.broadcast_to(added[:, :, None], (p, q, pairs))
        tasks = flow.submit("add", work, at=(place[0][:, :, None], place[1][:, :, None]))
        first, second = parts[:, :, : 2 * pairs : 2], parts[:, :, 1 : 2 * pairs : 2]
        flow.read(tasks, second)
        if count == 2:
            flow.read(tasks, first)
            flow.write(tasks, result[:, :, None])
        else:
            flow.update(tasks, first)
        parts = np.concatenate((first, parts[:, :, 2 * pairs :]), axis=2)
        count -= pairs


def _butterfly_lu(tiles: Side, *, depth: int = 2, tile: int = 256) -> TaskFlow:
    sizes = cuts("tiles", tiles, check_size(tile, "tile"))
    depth = check_size(depth, "depth", least=0)
    count = len(sizes)
    if depth >= count.bit_length() + 1 or count % (1 << depth):
        raise DagpartError(
            f"{count} tiles a side cannot be halved {depth} times; give a multiple of 2**depth"
        )
    _check_tasks(count, count)
    flow = TaskFlow()
    matrix = flow.tiles(sizes, sizes)
    for level in range(depth - 1, -1, -1):
        half = count >> (level + 1)
        first = np.flatnonzero(np.arange(count) % (2 * half) < half)
        if not np.array_equal(sizes[first], sizes[first + half]):
            at = first[np.flatnonzero(sizes[first] != sizes[first + half])[0]]
            raise DagpartError(
                f"tiles {at} and {at + half} are combined, but have {sizes[at]} and {sizes[at + half]} rows: "
                "both halves of every block must be cut alike"
            )
        i, j = first[:, None], first
        tasks = flow.submit("butterfly", _flops.butterfly(sizes[i], sizes[j]), at=(i + half, j + half))
        for down in (0, half):
            for right in (0, half):
                flow.update(tasks, matrix[i + down, j + right])
    _factor_lu(flow, matrix)
    return flow
