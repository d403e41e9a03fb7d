"""Tiled programs by name: not the graph alone, but also the kernels and the owners of its tasks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dagpart._arguments import check_choice
from dagpart.generate import linear_algebra, orthogonal
from dagpart.generate.task_flow import TaskFlow

_PROGRAMS: dict[str, Callable[..., TaskFlow]] = {
    "butterfly_lu": linear_algebra._butterfly_lu,
    "cholesky": linear_algebra._cholesky,
    "gemm": linear_algebra._gemm,
    "lu": linear_algebra._lu,
    "lu_partial": linear_algebra._lu_partial,
    "lu_qr": orthogonal._lu_qr,
    "qr": orthogonal._qr,
}


def program(name: str, *sizes: Any, **options: Any) -> TaskFlow:
    """The sequential program behind a generator of dense linear algebra.

    Its `dag` is the graph that the generator returns; besides it knows the kernel, the flops and the tile of
    each task, and their owners when the tiles are dealt out to a grid of processes.

    Parameters
    ----------
    name : str
        Of the generator: "butterfly_lu", "cholesky", "gemm", "lu", "lu_partial", "lu_qr" or "qr".
    *sizes, **options
        Arguments of the generator, except `weights`, `dependences` and `inputs`, which its method `dag`
        takes.

    Returns
    -------
    TaskFlow

    Raises
    ------
    DagpartError
        If no such program is known, or an argument is out of range.

    Examples
    --------
    A start labelling for 2 x 2 processes, in the order of the vertices:

    >>> flow = program("cholesky", 3)
    >>> flow.kernels.tolist()
    ['potrf', 'trsm', 'trsm', 'syrk', 'syrk', 'gemm', 'potrf', 'trsm', 'syrk', 'potrf']
    >>> flow.dag().n, flow.block_cyclic(2, 2).tolist()
    (10, [0, 2, 0, 3, 0, 1, 3, 1, 0, 0])
    """
    check_choice(name, "name", sorted(_PROGRAMS))
    return _PROGRAMS[name](*sizes, **options)
