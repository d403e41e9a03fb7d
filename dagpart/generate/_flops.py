"""Floating-point operations of the kernels on tiles: each + - * / and square root counts as one.

They are exact sums over the loops of the kernels, not leading terms, so that the tasks of a factorization
add up to the same number however the matrix is cut. Householder reflectors are counted by the entries that
they annihilate: 2 operations for the norm and 4 for each column that they are applied to; the work on the
implicit ones and on scalar factors is left out. Arguments are numbers or arrays.

References
----------
S. Blackford and J. Dongarra, "Installation guide for LAPACK", LAPACK Working Note 41, 1999: operation counts.
"""

from __future__ import annotations

from typing import Any


def potrf(n: Any) -> Any:
    """Cholesky factorization of an n x n tile: n**3 / 3 + ..."""
    return _squares(n)


def trsm(m: Any, n: Any) -> Any:
    """Triangular solve of order n for m right-hand sides, with divisions."""
    return m * n * n


def trsm_unit(m: Any, n: Any) -> Any:
    """Triangular solve of order n for m right-hand sides, with ones on the diagonal."""
    return m * n * (n - 1)


def syrk(n: Any, k: Any) -> Any:
    """Symmetric update of an n x n tile, one triangle of it, by n x k."""
    return n * (n + 1) * k


def gemm(m: Any, n: Any, k: Any) -> Any:
    """Update of an m x n tile by the product of m x k and k x n."""
    return 2 * m * n * k


def product(m: Any, n: Any, k: Any) -> Any:
    """Product of m x k and k x n, without addition to what was there."""
    return m * n * (2 * k - 1)


def getrf(m: Any, n: Any, c: Any) -> Any:
    """Elimination of the first c columns, c <= min(m, n), of an m x n tile, with the update of the others."""
    pivots = c * (c - 1) // 2
    squares = _squares(c - 1)
    divisions = c * (m - 1) - pivots
    updates = c * (m - 1) * (n - 1) - (m + n - 2) * pivots + squares
    return divisions + 2 * updates


def geqrt(m: Any, n: Any, c: Any) -> Any:
    """QR of the first c columns of an m x n tile, with the update of the others."""
    r = _least(m, c)
    own = 2 * getrf(m, c, r)
    return own + unmqr(m, n - c, r)


def unmqr(m: Any, n: Any, c: Any) -> Any:
    """The c reflectors of an m-row `geqrt` applied to n columns."""
    return 4 * n * (c * (m - 1) - c * (c - 1) // 2)


def tsqrt(m: Any, n: Any, c: Any) -> Any:
    """QR of c rows of a triangle on top of an m x n tile, with the update of columns c to n."""
    return 2 * m * c * c + tsmqr(m, n - c, c)


def tsmqr(m: Any, n: Any, c: Any) -> Any:
    """The c reflectors of an m-row `tsqrt` applied to n columns."""
    return 4 * m * n * c


def ttqrt(m: Any, n: Any, c: Any) -> Any:
    """QR of a triangle on top of another, of min(m, c) rows, with the update of columns c to n."""
    r = _least(m, c)
    return 2 * (_squares(c) - _squares(c - r)) + ttmqr(m, n - c, c)


def ttmqr(m: Any, n: Any, c: Any) -> Any:
    """The c reflectors of a `ttqrt` applied to n columns."""
    r = _least(m, c)
    return 4 * n * (r * c - r * (r - 1) // 2)


def butterfly(m: Any, n: Any) -> Any:
    """Two-sided butterfly on an m x n tile and its three partners: 4 for each entry of the four."""
    return 16 * m * n


def _squares(n: Any) -> Any:
    """1 + 4 + ... + n**2."""
    return n * (n + 1) * (2 * n + 1) // 6


def _least(a: Any, b: Any) -> Any:
    # Works for numbers and arrays alike, and stays exact.
    return a - (a > b) * (a - b)
