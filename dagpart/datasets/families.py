"""Families of matrices and task graphs whose members one number tells apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dagpart import generate
from dagpart.dag import Dag
from dagpart.errors import DagpartError

_LAYERS = 100
_SIDES_2D, _SIDES_3D = (32, 100, 316, 1000), (10, 22, 46, 100)
_COUNTS = (1000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True)
class Family:
    """Data sets that differ in one number.

    Attributes
    ----------
    what : str
        One line for the list.
    parameter : str
        What the number means.
    sized : tuple of int
        The number that gives about 1,000, 10,000, 100,000 and 1,000,000 vertices.
    make : callable
        From the number to a `Dag`, or to a sparse matrix with values.
    """

    what: str
    parameter: str
    sized: tuple[int, int, int, int]
    make: Callable[[int], Any]


def _laplacian(side: int, *others: int) -> Any:
    """Finite-difference Laplacian with zero boundary values, positive definite, rows in natural order."""
    from scipy.sparse.linalg import LaplacianNd

    return -LaplacianNd((side, *others), boundary_conditions="dirichlet", dtype=float).tosparse()


def _layered(n: int, spread: float | None) -> Dag:
    layers = min(_LAYERS, max(n // 100, 1))
    return generate.layered(layers, n // layers, spread=spread)


FAMILIES = {
    "lap2d": Family("2-D Laplacian matrix, 5 points", "side", _SIDES_2D, lambda s: _laplacian(s, s)),
    "lap3d": Family("3-D Laplacian matrix, 7 points", "side", _SIDES_3D, lambda s: _laplacian(s, s, s)),
    "grid2d": Family("2-D grid, natural order", "side", _SIDES_2D, generate.grid2d),
    "grid2d_random": Family(
        "2-D grid, random order", "side", _SIDES_2D, lambda s: generate.grid2d(s, order="random")
    ),
    "grid3d": Family("3-D grid, natural order", "side", _SIDES_3D, generate.grid3d),
    "grid3d_random": Family(
        "3-D grid, random order", "side", _SIDES_3D, lambda s: generate.grid3d(s, order="random")
    ),
    "delaunay_x": Family("Delaunay mesh, numbered along x", "points", _COUNTS, generate.delaunay),
    "delaunay_random": Family(
        "Delaunay mesh, numbered randomly", "points", _COUNTS, lambda n: generate.delaunay(n, order="random")
    ),
    "rgg_x": Family(
        "random geometric graph, degree 12, along x", "points", _COUNTS, generate.random_geometric
    ),
    "rgg_random": Family(
        "random geometric graph, degree 12, randomly",
        "points",
        _COUNTS,
        lambda n: generate.random_geometric(n, order="random"),
    ),
    "fft": Family("FFT butterfly", "log2 of the points", (7, 10, 13, 16), lambda p: generate.fft(2**p)),
    "cholesky": Family("tiled Cholesky factorization", "tiles a side", (17, 38, 83, 181), generate.cholesky),
    "layered": Family(
        "layered random DAG, predecessors from anywhere", "vertices", _COUNTS, lambda n: _layered(n, None)
    ),
    "layered_local": Family(
        "layered random DAG, predecessors near by", "vertices", _COUNTS, lambda n: _layered(n, 4.0)
    ),
}


def find(name: str) -> tuple[Family, int]:
    """The family and the number of a member that is called FAMILY_NUMBER.

    Raises
    ------
    DagpartError
        If there is no such family, or no number.

    Examples
    --------
    >>> find("fft_13")[0].what, find("fft_13")[1]
    ('FFT butterfly', 13)
    """
    family, _, number = name.rpartition("_")
    if family not in FAMILIES or not number.isdecimal():
        raise DagpartError(
            f"{name}: a member of a family is called FAMILY_NUMBER, the families are {', '.join(FAMILIES)}"
        )
    return FAMILIES[family], int(number)


def member(name: str) -> Dag:
    """The graph of a member: a task graph as it is, of a matrix the graph of a forward substitution.

    Parameters
    ----------
    name : str
        FAMILY_NUMBER.

    Raises
    ------
    DagpartError
        If there is no such family, or the number is none that it takes.

    Examples
    --------
    >>> member("lap2d_10")
    Dag(n=100, m=180)
    """
    family, number = find(name)
    made = family.make(number)
    return made if isinstance(made, Dag) else Dag.from_matrix(made)
