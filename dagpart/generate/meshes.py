"""Meshes made acyclic by a numbering: every edge runs from the lower number to the higher one.

This is how a sparse triangular solve, or a sweep, on the mesh depends on itself.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_number, check_size
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate._arguments import Seed, Weights, fits, generator, permutation
from dagpart.generate._edges import distinct_edges, weighed
from dagpart.generate.task_flow import WORD


def grid2d(
    rows: int,
    columns: int | None = None,
    *,
    order: Literal["natural", "random"] = "natural",
    weights: Weights = "unit",
    seed: Seed = 0,
) -> Dag:
    """Two-dimensional grid: the five-point Laplacian.

    Parameters
    ----------
    rows, columns : int
        Vertices along each side; a square by default.
    order : {"natural", "random"}
        "natural" numbers row by row, so that every vertex points to its right and its lower neighbour;
        "random" numbers at random.
    weights : {"unit", "cost"}
        "cost": as in a triangular solve, 2 flops for each edge into a vertex and a division; edges carry 8
        bytes.
    seed : int or numpy.random.Generator, default 0
        For the random order.

    Returns
    -------
    Dag
        ``rows * columns`` vertices, ``2 * rows * columns - rows - columns`` edges.

    Raises
    ------
    DagpartError
        If a side is below 1 or the order is unknown.

    Examples
    --------
    >>> g = grid2d(2, 3)
    >>> g.n, g.m, g.indices.tolist()
    (6, 7, [1, 3, 2, 4, 5, 4, 5])
    """
    rows = check_size(rows, "rows")
    columns = rows if columns is None else check_size(columns, "columns")
    return _grid((rows, columns), order, weights, seed)


def grid3d(
    nx: int,
    ny: int | None = None,
    nz: int | None = None,
    *,
    order: Literal["natural", "random"] = "natural",
    weights: Weights = "unit",
    seed: Seed = 0,
) -> Dag:
    """Three-dimensional grid: the seven-point Laplacian.

    Parameters
    ----------
    nx, ny, nz : int
        Vertices along each side; a cube by default. Numbers run fastest along x.
    order : {"natural", "random"}
        "natural" lets every vertex point to its three next neighbours; "random" numbers at random.
    weights : {"unit", "cost"}
        As for `grid2d`.
    seed : int or numpy.random.Generator, default 0
        For the random order.

    Returns
    -------
    Dag
        ``nx * ny * nz`` vertices, ``3 * nx * ny * nz - nx * ny - ny * nz - nx * nz`` edges.

    Raises
    ------
    DagpartError
        If a side is below 1 or the order is unknown.

    Examples
    --------
    >>> g = grid3d(3)
    >>> g.n, g.m, g.indices[:3].tolist()
    (27, 54, [1, 3, 9])
    """
    nx = check_size(nx, "nx")
    ny = nx if ny is None else check_size(ny, "ny")
    nz = nx if nz is None else check_size(nz, "nz")
    return _grid((nz, ny, nx), order, weights, seed)


def delaunay(
    n: int, *, order: Literal["x", "random"] = "x", weights: Weights = "unit", seed: Seed = 0
) -> Dag:
    """Delaunay triangulation of random points in the unit square.

    Parameters
    ----------
    n : int
        Number of points, at least 3.
    order : {"x", "random"}
        "x" numbers the points by their first coordinate, "random" as they were drawn.
    weights : {"unit", "cost"}
        As for `grid2d`.
    seed : int or numpy.random.Generator, default 0

    Returns
    -------
    Dag
        `n` vertices and ``3 * n - 3 - h`` edges, where `h` points are on the convex hull.

    Raises
    ------
    DagpartError
        If `n` is below 3 or the order is unknown.

    Notes
    -----
    The triangulation is that of Qhull [1]_, through SciPy.

    References
    ----------
    .. [1] C. B. Barber, D. P. Dobkin and H. Huhdanpaa, "The Quickhull algorithm for convex hulls", ACM
       Transactions on Mathematical Software 22(4), 1996.

    Examples
    --------
    >>> delaunay(100).n
    100
    """
    points = _points(fits(check_size(n, "n", least=3)), order, seed)
    # It takes longer to load than all else that generators need.
    from scipy.spatial import Delaunay

    triangles = Delaunay(points).simplices.astype(np.int64)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return _from_low_to_high(len(points), edges, weights)


def random_geometric(
    n: int,
    *,
    degree: float = 12.0,
    order: Literal["x", "random"] = "x",
    weights: Weights = "unit",
    seed: Seed = 0,
) -> Dag:
    """Random geometric graph: points in the unit square, joined when they are near.

    Parameters
    ----------
    n : int
        Number of points.
    degree : float, default 12
        Mean number of neighbours of a point far from the border; the radius is ``sqrt(degree / (pi * n))``.
    order : {"x", "random"}
        "x" numbers the points by their first coordinate, "random" as they were drawn.
    weights : {"unit", "cost"}
        As for `grid2d`.
    seed : int or numpy.random.Generator, default 0

    Returns
    -------
    Dag
        `n` vertices, a little less than ``n * degree / 2`` edges.

    Raises
    ------
    DagpartError
        If `n` is below 1, `degree` is negative, or the order is unknown.

    References
    ----------
    M. Holtgrewe, P. Sanders and C. Schulz, "Engineering a scalable high quality graph partitioner",
    IPDPS 2010: the rgg graphs of its experiments are of this kind.

    Examples
    --------
    >>> random_geometric(100, degree=0).m
    0
    """
    points = _points(fits(check_size(n, "n")), order, seed)
    radius = math.sqrt(check_number(degree, "degree", 0.0) / (math.pi * n))
    from scipy.spatial import KDTree

    return _from_low_to_high(n, KDTree(points).query_pairs(radius, output_type="ndarray"), weights)


def _grid(shape: tuple[int, ...], order: str, weights: Weights, seed: Seed) -> Dag:
    n = fits(math.prod(shape))
    if order == "natural":
        ids = np.arange(n)
    elif order == "random":
        ids = permutation(generator(seed), n)
    else:
        raise DagpartError(f"order must be 'natural' or 'random', got {order!r}")
    ids = ids.reshape(shape)
    pairs = []
    for axis in range(len(shape)):
        along = np.moveaxis(ids, axis, 0)
        pairs.append(np.column_stack((along[:-1].ravel(), along[1:].ravel())))
    return _from_low_to_high(n, np.concatenate(pairs), weights)


def _points(n: int, order: str, seed: Seed) -> NDArray[np.float64]:
    points = generator(seed).random((n, 2))
    if order == "x":
        return points[np.argsort(points[:, 0], kind="stable")]
    if order == "random":
        return points
    raise DagpartError(f"order must be 'x' or 'random', got {order!r}")


def _from_low_to_high(n: int, edges: NDArray[np.int64], weights: Weights) -> Dag:
    """One edge for each pair of vertices, however often and in whatever direction it is listed."""
    edges = distinct_edges(n, edges.min(axis=1, initial=n), edges.max(axis=1, initial=0))
    return weighed(n, edges, 2 * np.bincount(edges[:, 1], minlength=n) + 1, WORD, weights)
