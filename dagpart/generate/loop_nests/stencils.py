"""Loop nests that step a field on a grid through time, named as in PolyBench."""

from __future__ import annotations

from collections.abc import Callable

from dagpart.generate.loop_nests.trace import Array, Trace, Value


def adi(t: Trace, tsteps: int, n: int) -> None:
    """Heat equation in two dimensions by alternating directions, implicit along columns, then along rows."""
    u, v, p, q = t.arrays(4)
    one, two = t.constant(1.0), t.constant(2.0)
    # Spacing and time step are the program's own: one over an integer argument.
    dx, dy, dt = one / n, one / n, one / tsteps
    along_x = two * dt / (dx * dx)
    along_y = one * dt / (dy * dy)
    a = -along_x / 2.0
    b = 1.0 + along_x
    c = a
    d = -along_y / 2.0
    e = 1.0 + along_y
    f = d
    for _ in range(tsteps):
        for i in range(1, n - 1):
            v[0, i] = t.constant(1.0)
            p[i, 0] = t.constant(0.0)
            q[i, 0] = v[0, i]
            for j in range(1, n - 1):
                p[i, j] = -c / (a * p[i, j - 1] + b)
                explicit = -d * u[j, i - 1] + (1.0 + 2.0 * d) * u[j, i] - f * u[j, i + 1]
                q[i, j] = (explicit - a * q[i, j - 1]) / (a * p[i, j - 1] + b)
            v[n - 1, i] = t.constant(1.0)
            for j in range(n - 2, 0, -1):
                v[j, i] = p[i, j] * v[j + 1, i] + q[i, j]
        for i in range(1, n - 1):
            u[i, 0] = t.constant(1.0)
            p[i, 0] = t.constant(0.0)
            q[i, 0] = u[i, 0]
            for j in range(1, n - 1):
                p[i, j] = -f / (d * p[i, j - 1] + e)
                explicit = -a * v[i - 1, j] + (1.0 + 2.0 * a) * v[i, j] - c * v[i + 1, j]
                q[i, j] = (explicit - d * q[i, j - 1]) / (d * p[i, j - 1] + e)
            u[i, n - 1] = t.constant(1.0)
            for j in range(n - 2, 0, -1):
                u[i, j] = p[i, j] * u[i, j + 1] + q[i, j]


def fdtd_2d(t: Trace, tmax: int, nx: int, ny: int) -> None:
    """Maxwell's equations in two dimensions by finite differences in the time domain."""
    ex, ey, hz, source = t.arrays(4)
    for step in range(tmax):
        for j in range(ny):
            ey[0, j] = source[step]
        for i in range(1, nx):
            for j in range(ny):
                ey[i, j] = ey[i, j] - 0.5 * (hz[i, j] - hz[i - 1, j])
        for i in range(nx):
            for j in range(1, ny):
                ex[i, j] = ex[i, j] - 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in range(nx - 1):
            for j in range(ny - 1):
                hz[i, j] = hz[i, j] - 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


def heat_3d(t: Trace, tsteps: int, n: int) -> None:
    """Heat equation in three dimensions, explicit, from one array to the other and back."""

    def second_difference(before: Value, here: Value, after: Value) -> Value:
        return 0.125 * (after - 2.0 * here + before)

    def step(A: Array, B: Array) -> None:
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                for k in range(1, n - 1):
                    B[i, j, k] = (
                        second_difference(A[i - 1, j, k], A[i, j, k], A[i + 1, j, k])
                        + second_difference(A[i, j - 1, k], A[i, j, k], A[i, j + 1, k])
                        + second_difference(A[i, j, k - 1], A[i, j, k], A[i, j, k + 1])
                        + A[i, j, k]
                    )

    _to_and_fro(t, tsteps, step)


def jacobi_1d(t: Trace, tsteps: int, n: int) -> None:
    """Mean of three neighbours, from one array to the other and back."""

    def step(A: Array, B: Array) -> None:
        for i in range(1, n - 1):
            B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1])

    _to_and_fro(t, tsteps, step)


def jacobi_2d(t: Trace, tsteps: int, n: int) -> None:
    """Mean of five neighbours, from one array to the other and back."""

    def step(A: Array, B: Array) -> None:
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                B[i, j] = 0.2 * (A[i, j] + A[i, j - 1] + A[i, j + 1] + A[i + 1, j] + A[i - 1, j])

    _to_and_fro(t, tsteps, step)


def _to_and_fro(t: Trace, tsteps: int, step: Callable[[Array, Array], None]) -> None:
    A, B = t.arrays(2)
    for _ in range(tsteps):
        step(A, B)
        step(B, A)


def seidel_2d(t: Trace, tsteps: int, n: int) -> None:
    """Mean of nine neighbours in place, so that a point reads new values from above and from the left."""
    (A,) = t.arrays(1)
    for _ in range(tsteps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                above = A[i - 1, j - 1] + A[i - 1, j] + A[i - 1, j + 1]
                row = above + A[i, j - 1] + A[i, j] + A[i, j + 1]
                A[i, j] = (row + A[i + 1, j - 1] + A[i + 1, j] + A[i + 1, j + 1]) / 9.0
