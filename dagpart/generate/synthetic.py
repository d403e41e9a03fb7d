"""Graphs with a regular or a random structure of their own."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate._arguments import Seed, generator, number, size


def fft(points: int) -> Dag:
    """Butterfly of the fast Fourier transform.

    Stage s + 1 combines the values of stage s that are 2**s apart.

    Parameters
    ----------
    points : int
        A power of two, p.

    Returns
    -------
    Dag
        ``p * (log2(p) + 1)`` vertices, stage by stage, and ``2 * p * log2(p)`` edges.

    Raises
    ------
    DagpartError
        If `points` is no power of two.

    References
    ----------
    J. W. Cooley and J. W. Tukey, "An algorithm for the machine calculation of complex Fourier series",
    Mathematics of Computation 19(90), 1965.

    Examples
    --------
    >>> g = fft(2**13)
    >>> g.n, g.m
    (114688, 212992)
    """
    points = size("points", points)
    if points & (points - 1):
        raise DagpartError(f"points must be a power of two, got {points}")
    stages = points.bit_length() - 1
    lane = np.arange(points)
    edges = [np.zeros((0, 2), dtype=np.int64)]
    for stage in range(stages):
        for partner in (lane, lane ^ (1 << stage)):
            edges.append(np.column_stack((stage * points + lane, (stage + 1) * points + partner)))
    return Dag.from_edges(np.concatenate(edges), n=(stages + 1) * points)


def layered(
    layers: int,
    width: int,
    *,
    degree: int = 3,
    spread: float | None = None,
    skip: float = 0.2,
    reach: int = 5,
    seed: Seed = 0,
) -> Dag:
    """Layered random DAG.

    Every vertex behind the first layer draws `degree` predecessors; one that is drawn twice counts
    once. A predecessor is in the layer before, or, with probability `skip`, between 2 and `reach`
    layers before (the first layer when that is out of range).

    Parameters
    ----------
    layers, width : int
        Number of layers, and of vertices in each.
    degree : int, default 3
        Predecessors drawn for each vertex.
    spread : float, optional
        Standard deviation of a normal distance between the place of a vertex in its layer and that of
        its predecessor; layers close to a ring. By default predecessors are drawn from the whole layer.
    skip : float, default 0.2
        Probability of skipping layers, from 0 to 1.
    reach : int, default 5
        The most layers that an edge may span.
    seed : int or numpy.random.Generator, default 0

    Returns
    -------
    Dag
        ``layers * width`` vertices, layer by layer; at most `layers` levels.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    T. Tobita and H. Kasahara, "A standard task graph set for fair evaluation of multiprocessor
    scheduling algorithms", Journal of Scheduling 5(5), 2002, describes random graphs by layers among
    its methods.

    Examples
    --------
    >>> g = layered(10, 100, spread=4.0)
    >>> g.n, int(g.levels.max()) + 1
    (1000, 10)
    """
    layers = size("layers", layers)
    width = size("width", width)
    degree = size("degree", degree)
    reach = size("reach", reach)
    skip = number("skip", skip, 0.0, 1.0)
    rng = generator(seed)
    n = layers * width
    vertex = np.repeat(np.arange(width, n), degree)
    layer, place = np.divmod(vertex, width)
    back = np.ones(len(vertex), dtype=np.int64)
    # Three columns of one draw, so that the graph does not depend on which options are in use.
    skips, distance, sideways = rng.random((3, len(vertex)))
    if reach > 1:
        back += (skips < skip) * (1 + (distance * (reach - 1)).astype(np.int64))
    if spread is None:
        column = (sideways * width).astype(np.int64)
    else:
        # 0 may be drawn, and lies infinitely far out.
        shift = np.rint(ndtri(np.maximum(sideways, 2.0**-54)) * number("spread", spread, 0.0))
        column = (place + shift.astype(np.int64)) % width
    source = np.maximum(layer - back, 0) * width + column
    key = np.unique(source * n + vertex)
    return Dag.from_edges(np.column_stack(np.divmod(key, n)), n=n)
