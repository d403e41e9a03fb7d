"""Algorithms whose structure is regular: transforms, stencils, fast products, divide and conquer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_choice, check_size
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate._arguments import Weights, fits
from dagpart.generate._edges import distinct_edges, merged_edges, weighed
from dagpart.generate.task_flow import WORD


def fft(points: int, *, weights: Weights = "unit") -> Dag:
    """Butterfly of the fast Fourier transform.

    Stage s + 1 combines the values of stage s that are 2**s apart.

    Parameters
    ----------
    points : int
        A power of two, p.
    weights : {"unit", "cost"}
        "cost": a butterfly of two complex values takes 10 flops, half of them for each vertex behind the
        first stage; an edge carries a complex value, 16 bytes.

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
    points = check_size(points, "points")
    if points & (points - 1):
        raise DagpartError(f"points must be a power of two, got {points}")
    stages = points.bit_length() - 1
    n = fits((stages + 1) * points)
    lane = np.arange(points)
    edges = [np.zeros((0, 2), dtype=np.int64)]
    for stage in range(stages):
        for partner in (lane, lane ^ (1 << stage)):
            edges.append(np.column_stack((stage * points + lane, (stage + 1) * points + partner)))
    return weighed(n, np.concatenate(edges), 5 * (np.arange(n) >= points), 2 * WORD, weights)


def stencil(
    cells: int | Sequence[int],
    steps: int,
    *,
    radius: int = 1,
    shape: Literal["star", "box"] = "star",
    periodic: bool = False,
    weights: Weights = "unit",
) -> Dag:
    """Stencil in time: every cell is computed from itself and its neighbours one time step before.

    Parameters
    ----------
    cells : int or sequence of int
        Cells along each dimension, of which there may be any number.
    steps : int
        Time steps behind the initial values, from 0.
    radius : int, default 1
        How far the neighbours are along each dimension.
    shape : {"star", "box"}
        Neighbours along the axes only, or all in the box.
    periodic : bool, default False
        Whether the first and the last cell of each dimension are neighbours; else cells at the border have
        fewer.
    weights : {"unit", "cost"}
        "cost": a product for each neighbour and their sum; edges carry 8 bytes.

    Returns
    -------
    Dag
        ``(steps + 1)`` times the number of cells, step by step, the last dimension fastest.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    M. Frigo and V. Strumpen, "Cache oblivious stencil computations", ICS 2005.

    Examples
    --------
    >>> stencil(100, 10)
    Dag(n=1100, m=2980)
    >>> stencil([30, 30], 4, shape="box", periodic=True).m
    32400
    """
    sides = [cells] if not isinstance(cells, Sequence | np.ndarray) else list(cells)
    extent = tuple(check_size(side, "cells") for side in sides)
    if not extent:
        raise DagpartError("cells must have at least one dimension")
    steps = check_size(steps, "steps", least=0)
    radius = check_size(radius, "radius", least=0)
    check_choice(shape, "shape", ("star", "box"))
    count = math.prod(extent)
    n = fits((steps + 1) * count)
    # No cell has a neighbour further away than all cells.
    reach = [min(radius, side - 1) for side in extent]
    along = [range(-each, each + 1) for each in reach]
    most = math.prod(map(len, along)) if shape == "box" else 1 + 2 * sum(reach)
    fits(n * most, "edges")
    place = np.indices(extent).reshape(len(extent), -1)
    pairs = []
    for offset in itertools.product(*along):
        if shape == "star" and np.count_nonzero(offset) > 1:
            continue
        other = place + np.array(offset)[:, None]
        limit = np.array(extent)[:, None]
        inside = np.ones(count, dtype=bool) if periodic else ((other >= 0) & (other < limit)).all(axis=0)
        source = np.ravel_multi_index(tuple((other % limit)[:, inside]), extent)
        pairs.append(np.column_stack((source, np.flatnonzero(inside))))
    step = np.concatenate(pairs)
    # Around a short ring two offsets may lead to the same cell.
    step = distinct_edges(count, step[:, 0], step[:, 1])
    neighbours = np.bincount(step[:, 1], minlength=count)
    first = count * np.arange(steps)[:, None]
    edges = np.column_stack(((first + step[:, 0]).ravel(), (first + count + step[:, 1]).ravel()))
    flops = np.concatenate((np.zeros(count, dtype=np.int64), np.tile(2 * neighbours - 1, steps)))
    return weighed(n, edges, flops, WORD, weights)


def strassen(
    levels: int,
    *,
    variant: Literal["strassen", "winograd"] = "strassen",
    leaf: int = 64,
    weights: Weights = "unit",
) -> Dag:
    """Fast product of two matrices by recursion on their quadrants.

    Each level replaces a product of blocks by 7 products of quadrants, with 18 additions of quadrants [1]_,
    or 15 in Winograd's variant [2]_.

    Parameters
    ----------
    levels : int
        Depth of the recursion, l.
    variant : {"strassen", "winograd"}
    leaf : int, default 64
        Order of the blocks that are multiplied as usual; the matrices have ``leaf * 2**levels`` rows.
    weights : {"unit", "cost"}
        "cost": vertices weigh flops, edges the bytes of the blocks that they carry.

    Returns
    -------
    Dag
        A vertex for each product, ``7**l``, and for each addition of two blocks, ``3 * (7**l - 1)`` or
        ``5 * (7**l - 1) / 2``: additions of operands from the outermost level to the innermost, products,
        additions of results from the innermost level to the outermost. The given matrices are no vertices.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    .. [1] V. Strassen, "Gaussian elimination is not optimal", Numerische Mathematik 13, 1969.
    .. [2] S. Winograd, "On multiplication of 2 x 2 matrices", Linear Algebra and its Applications 4(4), 1971.

    Examples
    --------
    >>> strassen(1).n, strassen(2).n, strassen(2, variant="winograd").n
    (25, 193, 169)
    """
    levels = check_size(levels, "levels", least=0)
    leaf = check_size(leaf, "leaf", most=2**16)
    check_choice(variant, "variant", _SCHEMES)
    scheme = _SCHEMES[variant]
    before, after = len(scheme.before), len(scheme.after)
    nodes = [7**level for level in range(min(levels, 64) + 1)]
    n = fits(nodes[-1] + (before + after) * sum(nodes[:-1]))
    first_before = np.cumsum([0] + [before * count for count in nodes[:-1]])
    first_after = n - np.cumsum([after * count for count in nodes[:-1]])
    block = [(leaf << (levels - level)) ** 2 for level in range(levels + 1)]
    wires = _Wires()
    flops = np.empty(n, dtype=np.int64)
    # Vertex that makes the left and the right operand of each node; -1 for the given matrices.
    operands = np.full((1, 2), -1)
    for level in range(levels):
        quadrant = block[level + 1]
        adding = first_before[level] + np.arange(nodes[level] * before).reshape(-1, before)
        flops[adding] = quadrant
        # What can be operands: the quadrants of the left and of the right one, and the sums so far.
        made = np.concatenate((np.repeat(operands, 4, axis=1), adding), axis=1)
        for k, (left, right) in enumerate(scheme.before):
            wires.join(made[:, left], adding[:, k], WORD * quadrant)
            wires.join(made[:, right], adding[:, k], WORD * quadrant)
        operands = made[:, scheme.products].reshape(-1, 2)
    product = first_before[levels] + np.arange(nodes[levels])
    flops[product] = block[levels] * (2 * leaf - 1)
    for operand in operands.T:
        wires.join(operand, product, WORD * block[levels])
    # Vertices that make the result of each node: one, or one for each quadrant.
    results = product[:, None]
    for level in range(levels - 1, -1, -1):
        quadrant = block[level + 1]
        adding = first_after[level] + np.arange(nodes[level] * after).reshape(-1, after)
        flops[adding] = quadrant
        pieces = results.shape[1]
        products = results.reshape(nodes[level], 7, pieces)
        for k, terms in enumerate(scheme.after):
            for term in terms:
                if term < 7:
                    for piece in range(pieces):
                        wires.join(products[:, term, piece], adding[:, k], WORD * quadrant // pieces)
                else:
                    wires.join(adding[:, term - 7], adding[:, k], WORD * quadrant)
        results = adding[:, scheme.results]
    edges, nbytes = wires.edges(n)
    return weighed(n, edges, flops, nbytes, weights)


def divide_and_conquer(depth: int, *, branching: int = 2, leaf: int = 1, weights: Weights = "unit") -> Dag:
    """Divide and conquer: a problem is divided, its parts are solved, and their solutions are merged.

    Parameters
    ----------
    depth : int
        Levels of division, d.
    branching : int, default 2
        Parts of a problem, b.
    leaf : int, default 1
        Size of a problem that is solved directly.
    weights : {"unit", "cost"}
        "cost": every task does as many operations as its problem has elements, of 8 bytes, as in a merge
        sort; edges carry the smaller of the two problems.

    Returns
    -------
    Dag
        ``2 * (b**d - 1) / (b - 1) + b**d`` tasks, divisions from the whole problem down, the leaves, merges
        up to the whole; ``2 * b * (b**d - 1) / (b - 1)`` edges.

    Raises
    ------
    DagpartError
        If an argument is out of range.

    References
    ----------
    T. H. Cormen, C. E. Leiserson, R. L. Rivest and C. Stein, "Introduction to Algorithms", MIT Press:
    divide-and-conquer algorithms.

    Examples
    --------
    >>> divide_and_conquer(3)
    Dag(n=22, m=28)
    >>> divide_and_conquer(1, branching=3, leaf=10, weights="cost").vertex_weights.tolist()
    [30, 10, 10, 10, 30]
    """
    depth = check_size(depth, "depth", least=0)
    branching = check_size(branching, "branching")
    leaf = check_size(leaf, "leaf", most=2**20)
    # Enough to be too large, and not so much that the powers take long.
    depth = min(depth, 64) if branching > 1 else fits(depth)
    width = [branching**level for level in range(depth + 1)]
    problem = [leaf * branching ** (depth - level) for level in range(depth + 1)]
    widths = np.array([*width, *width[-2::-1]], dtype=object)
    n = fits(int(widths.sum()))
    widths = widths.astype(np.int64)
    first = np.cumsum(widths) - widths
    pairs = []
    for level in range(depth):
        parent = np.repeat(np.arange(width[level]), branching)
        part = np.arange(width[level + 1])
        pairs.append(np.column_stack((first[level] + parent, first[level + 1] + part)))
        merge, solved = 2 * depth - level, 2 * depth - level - 1
        pairs.append(np.column_stack((first[solved] + part, first[merge] + parent)))
    edges = np.concatenate([np.empty((0, 2), dtype=np.int64), *pairs])
    sizes = np.array([*problem, *problem[-2::-1]], dtype=np.int64)
    flops = np.repeat(sizes, widths)
    nbytes = WORD * np.minimum(flops[edges[:, 0]], flops[edges[:, 1]])
    return weighed(n, edges, flops, nbytes, weights)


class _Wires:
    """Edges as they are found, several between the same two vertices maybe."""

    def __init__(self) -> None:
        self._source: list[NDArray[np.int64]] = []
        self._target: list[NDArray[np.int64]] = []
        self._bytes: list[NDArray[np.int64]] = []

    def join(self, source: NDArray[np.int64], target: NDArray[np.int64], nbytes: int) -> None:
        """Edges from all sources that are vertices."""
        known = source >= 0
        self._source.append(source[known])
        self._target.append(target[known])
        self._bytes.append(np.full(np.count_nonzero(known), nbytes))

    def edges(self, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Each pair once, and its bytes."""
        return merged_edges(
            n, np.concatenate(self._source), np.concatenate(self._target), np.concatenate(self._bytes)
        )


class _Scheme(NamedTuple):
    """How quadrants are added, multiplied and added again; signs do not matter for the graph.

    Values before the products: 0 to 3 are the quadrants 11, 12, 21 and 22 of the left operand, 4 to 7 those
    of the right one, and 8 onwards the sums `before`. Values after: 0 to 6 are the products, 7 onwards the
    sums `after`, of which `results` are the quadrants of the result.
    """

    before: list[tuple[int, int]]
    products: list[tuple[int, int]]
    after: list[tuple[int, int]]
    results: list[int]


_SCHEMES = {
    "strassen": _Scheme(
        before=[(0, 3), (4, 7), (2, 3), (5, 7), (6, 4), (0, 1), (2, 0), (4, 5), (1, 3), (6, 7)],
        products=[(8, 9), (10, 4), (0, 11), (3, 12), (13, 7), (14, 15), (16, 17)],
        after=[(0, 3), (7, 4), (8, 6), (2, 4), (1, 3), (0, 1), (12, 2), (13, 5)],
        results=[2, 3, 4, 7],
    ),
    "winograd": _Scheme(
        before=[(2, 3), (8, 0), (0, 2), (1, 9), (5, 4), (7, 12), (7, 5), (13, 6)],
        products=[(0, 4), (1, 6), (11, 7), (3, 15), (8, 12), (9, 13), (10, 14)],
        after=[(0, 1), (0, 5), (8, 6), (8, 4), (10, 2), (9, 3), (9, 4)],
        results=[0, 4, 5, 6],
    ),
}
