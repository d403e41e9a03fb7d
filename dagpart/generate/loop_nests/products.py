"""Loop nests that chain products of matrices and vectors, named as in PolyBench."""

from __future__ import annotations

from dagpart.generate.loop_nests.trace import Array, Trace


def two_mm(t: Trace, ni: int, nj: int, nk: int, nl: int) -> None:
    """D := alpha A B C + beta D, with A of ni x nk, B of nk x nj and C of nj x nl."""
    A, B, C, D, AB = t.arrays(5)
    alpha, beta = t.constant(1.5), t.constant(1.2)
    for i in range(ni):
        for j in range(nj):
            AB[i, j] = t.constant(0.0)
            for k in range(nk):
                AB[i, j] += alpha * A[i, k] * B[k, j]
    for i in range(ni):
        for j in range(nl):
            D[i, j] *= beta
            for k in range(nj):
                D[i, j] += AB[i, k] * C[k, j]


def three_mm(t: Trace, ni: int, nj: int, nk: int, nl: int, nm: int) -> None:
    """(A B) (C D), with A of ni x nk, B of nk x nj, C of nj x nm and D of nm x nl."""
    A, B, C, D, AB, CD, ABCD = t.arrays(7)
    _multiply(t, AB, A, B, ni, nk, nj)
    _multiply(t, CD, C, D, nj, nm, nl)
    _multiply(t, ABCD, AB, CD, ni, nj, nl)


def _multiply(t: Trace, C: Array, A: Array, B: Array, rows: int, inner: int, columns: int) -> None:
    for i in range(rows):
        for j in range(columns):
            C[i, j] = t.constant(0.0)
            for k in range(inner):
                C[i, j] += A[i, k] * B[k, j]


def atax(t: Trace, m: int, n: int) -> None:
    """y := A' (A x), with A of m x n."""
    A, x, y = t.arrays(3)
    for j in range(n):
        y[j] = t.constant(0.0)
    for i in range(m):
        Ax = t.constant(0.0)
        for j in range(n):
            Ax = Ax + A[i, j] * x[j]
        for j in range(n):
            y[j] = y[j] + A[i, j] * Ax


def covariance(t: Trace, m: int, n: int) -> None:
    """Covariances of m variables that were observed n times."""
    data, mean, cov = t.arrays(3)
    float_n = t.constant(n)
    for j in range(m):
        mean[j] = t.constant(0.0)
        for i in range(n):
            mean[j] += data[i, j]
        mean[j] /= float_n
    for i in range(n):
        for j in range(m):
            data[i, j] -= mean[j]
    for i in range(m):
        for j in range(i, m):
            cov[i, j] = t.constant(0.0)
            for k in range(n):
                cov[i, j] += data[k, i] * data[k, j]
            cov[i, j] /= float_n - 1.0
            cov[j, i] = cov[i, j]


def doitgen(t: Trace, nq: int, nr: int, np: int) -> None:
    """A[r, q, :] := A[r, q, :] C for all r and q, with C of np x np."""
    A, C, row = t.arrays(3)
    for r in range(nr):
        for q in range(nq):
            for p in range(np):
                row[p] = t.constant(0.0)
                for s in range(np):
                    row[p] += A[r, q, s] * C[s, p]
            for p in range(np):
                A[r, q, p] = row[p]


def mvt(t: Trace, n: int) -> None:
    """x1 := x1 + A y1; x2 := x2 + A' y2."""
    A, x1, y1, x2, y2 = t.arrays(5)
    for i in range(n):
        for j in range(n):
            x1[i] = x1[i] + A[i, j] * y1[j]
    for i in range(n):
        for j in range(n):
            x2[i] = x2[i] + A[j, i] * y2[j]
