"""Loop nests that solve systems of equations, named as in PolyBench."""

from __future__ import annotations

from dagpart.generate.loop_nests.trace import Trace


def durbin(t: Trace, n: int) -> None:
    """Levinson-Durbin recursion for the Yule-Walker equations of a symmetric Toeplitz matrix."""
    r, y, z = t.arrays(3)
    y[0] = -r[0]
    beta = t.constant(1.0)
    alpha = -r[0]
    for k in range(1, n):
        beta = (1.0 - alpha * alpha) * beta
        total = t.constant(0.0)
        for i in range(k):
            total += r[k - i - 1] * y[i]
        alpha = -(r[k] + total) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha


def lu(t: Trace, n: int) -> None:
    """LU factorization in place, without pivoting, row by row."""
    (A,) = t.arrays(1)
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[k, j]
            A[i, j] /= A[j, j]
        for j in range(i, n):
            for k in range(i):
                A[i, j] -= A[i, k] * A[k, j]


def ludcmp(t: Trace, n: int) -> None:
    """A x = b by LU factorization without pivoting and two substitutions."""
    A, b, x, y = t.arrays(4)
    for i in range(n):
        for j in range(i):
            w = A[i, j]
            for k in range(j):
                w -= A[i, k] * A[k, j]
            A[i, j] = w / A[j, j]
        for j in range(i, n):
            w = A[i, j]
            for k in range(i):
                w -= A[i, k] * A[k, j]
            A[i, j] = w
    for i in range(n):
        w = b[i]
        for j in range(i):
            w -= A[i, j] * y[j]
        y[i] = w
    for i in reversed(range(n)):
        w = y[i]
        for j in range(i + 1, n):
            w -= A[i, j] * x[j]
        x[i] = w / A[i, i]


def trisolv(t: Trace, n: int) -> None:
    """L x = b, with L lower triangular, by forward substitution."""
    L, x, b = t.arrays(3)
    for i in range(n):
        x[i] = b[i]
        for j in range(i):
            x[i] -= L[i, j] * x[j]
        x[i] = x[i] / L[i, i]
