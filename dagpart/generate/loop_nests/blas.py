"""Loop nests of the basic linear algebra subprograms and their kin, named as in PolyBench."""

from __future__ import annotations

from dagpart.generate.loop_nests.trace import Trace


def gemm(t: Trace, ni: int, nj: int, nk: int) -> None:
    """C := alpha A B + beta C, with A of ni x nk and B of nk x nj."""
    A, B, C = t.arrays(3)
    alpha, beta = t.constant(1.5), t.constant(1.2)
    for i in range(ni):
        for j in range(nj):
            C[i, j] *= beta
        for k in range(nk):
            for j in range(nj):
                C[i, j] += alpha * A[i, k] * B[k, j]


def gemver(t: Trace, n: int) -> None:
    """A := A + u1 v1' + u2 v2'; x := x + beta A' y + z; w := w + alpha A x."""
    A, u1, v1, u2, v2, w, x, y, z = t.arrays(9)
    alpha, beta = t.constant(1.5), t.constant(1.2)
    for i in range(n):
        for j in range(n):
            A[i, j] = A[i, j] + u1[i] * v1[j] + u2[i] * v2[j]
    for i in range(n):
        for j in range(n):
            x[i] = x[i] + beta * A[j, i] * y[j]
    for i in range(n):
        x[i] = x[i] + z[i]
    for i in range(n):
        for j in range(n):
            w[i] = w[i] + alpha * A[i, j] * x[j]


def gesummv(t: Trace, n: int) -> None:
    """y := alpha A x + beta B x."""
    A, B, x, y = t.arrays(4)
    alpha, beta = t.constant(1.5), t.constant(1.2)
    for i in range(n):
        from_a = from_b = t.constant(0.0)
        for j in range(n):
            from_a = A[i, j] * x[j] + from_a
            from_b = B[i, j] * x[j] + from_b
        y[i] = alpha * from_a + beta * from_b


def symm(t: Trace, m: int, n: int) -> None:
    """C := alpha A B + beta C, with A symmetric, of which the lower triangle is read, and B of m x n."""
    A, B, C = t.arrays(3)
    alpha, beta = t.constant(1.5), t.constant(1.2)
    for i in range(m):
        for j in range(n):
            below = t.constant(0.0)
            for k in range(i):
                C[k, j] += alpha * B[i, j] * A[i, k]
                below += B[k, j] * A[i, k]
            C[i, j] = beta * C[i, j] + alpha * B[i, j] * A[i, i] + alpha * below


def syr2k(t: Trace, m: int, n: int) -> None:
    """C := alpha (A B' + B A') + beta C, with A and B of n x m; all of C, as in PolyBench 4.1."""
    A, B, C = t.arrays(3)
    alpha, beta = t.constant(1.5), t.constant(1.2)
    for i in range(n):
        for j in range(n):
            C[i, j] *= beta
        for k in range(m):
            for j in range(n):
                C[i, j] += A[j, k] * alpha * B[i, k] + B[j, k] * alpha * A[i, k]


def syrk(t: Trace, m: int, n: int) -> None:
    """C := alpha A A' + beta C in the lower triangle, with A of n x m."""
    A, C = t.arrays(2)
    alpha, beta = t.constant(1.5), t.constant(1.2)
    for i in range(n):
        for j in range(i + 1):
            C[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                C[i, j] += alpha * A[i, k] * A[j, k]


def trmm(t: Trace, m: int, n: int) -> None:
    """B := alpha A' B, with A unit lower triangular and B of m x n."""
    A, B = t.arrays(2)
    alpha = t.constant(1.5)
    for i in range(m):
        for j in range(n):
            for k in range(i + 1, m):
                B[i, j] += A[k, i] * B[k, j]
            B[i, j] = alpha * B[i, j]
