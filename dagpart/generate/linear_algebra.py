"""Dense linear algebra by tiles, as a task runtime sees it."""

from __future__ import annotations

import numpy as np

from dagpart.dag import Dag
from dagpart.generate._arguments import size
from dagpart.generate.task_flow import last_writer_edges


def cholesky(tiles: int) -> Dag:
    """Tiled Cholesky factorization, right-looking, of a matrix with `tiles` x `tiles` tiles.

    Step k factors the diagonal tile (POTRF), solves for the tiles below it (TRSM), and updates the
    tiles to the right, row by row: the diagonal one first (SYRK), then those before it (GEMM) [1]_.
    Edges come from the last writer of every tile that a task reads or overwrites.

    Parameters
    ----------
    tiles : int
        Tiles a side, t.

    Returns
    -------
    Dag
        ``t * (t + 1) * (t + 2) / 6`` tasks in program order.

    Raises
    ------
    DagpartError
        If `tiles` is below 1.

    References
    ----------
    .. [1] A. Buttari, J. Langou, J. Kurzak and J. Dongarra, "A class of parallel tiled linear algebra
       algorithms for multicore architectures", Parallel Computing 35(1), 2009: the tiled Cholesky.

    Examples
    --------
    >>> g = cholesky(48)
    >>> g.n, g.m
    (19600, 55272)
    """
    tiles = size("tiles", tiles)
    task: list[np.ndarray] = []
    tile: list[np.ndarray] = []
    writes: list[np.ndarray] = []

    def access(tasks: np.ndarray, row: np.ndarray | int, column: np.ndarray | int, write: bool) -> None:
        task.append(tasks)
        tile.append(np.broadcast_to(np.asarray(row) * tiles + column, tasks.shape))
        writes.append(np.full(tasks.shape, write))

    first = 0
    for k in range(tiles):
        below = np.arange(k + 1, tiles)
        potrf = np.array([first])
        trsm = first + 1 + np.arange(len(below))
        access(potrf, k, k, True)
        access(trsm, k, k, False)
        access(trsm, below, k, True)
        # Row by row over the lower triangle that is left, the diagonal tile moved to the head of its row.
        row, column = np.tril_indices(len(below))
        row, column = below[row], below[np.where(column == 0, row, column - 1)]
        update = first + 1 + len(below) + np.arange(len(row))
        access(update, row, k, False)
        access(update, column, k, False)
        access(update, row, column, True)
        first += 1 + len(below) + len(row)
    edges = last_writer_edges(np.concatenate(task), np.concatenate(tile), np.concatenate(writes))
    return Dag.from_edges(edges, n=first)
