"""PolyBench/C 4.1: the kernels that papers on acyclic partitioning use, and their sizes there."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from dagpart._arguments import check_size
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.generate._arguments import Weights
from dagpart.generate.loop_nests import blas, products, solvers, stencils
from dagpart.generate.loop_nests.trace import Trace


@dataclass(frozen=True)
class Kernel:
    """One line of the registry.

    Attributes
    ----------
    trace : callable
        The loop nest: from a `Trace` and the sizes to nothing.
    sizes : tuple of int
        The sizes that papers on acyclic partitioning take, in the order of the names.
    """

    trace: Callable[..., None]
    sizes: tuple[int, ...]

    @property
    def defaults(self) -> dict[str, int]:
        """Sizes by name."""
        names = list(inspect.signature(self.trace).parameters)[1:]
        return dict(zip(names, self.sizes, strict=True))

    @property
    def summary(self) -> str:
        """What the kernel computes."""
        return inspect.getdoc(self.trace) or ""


KERNELS = {
    "2mm": Kernel(products.two_mm, (10, 20, 30, 40)),
    "3mm": Kernel(products.three_mm, (10, 20, 30, 40, 50)),
    "adi": Kernel(stencils.adi, (20, 30)),
    "atax": Kernel(products.atax, (210, 230)),
    "covariance": Kernel(products.covariance, (50, 70)),
    "doitgen": Kernel(products.doitgen, (10, 15, 20)),
    "durbin": Kernel(solvers.durbin, (250,)),
    "fdtd-2d": Kernel(stencils.fdtd_2d, (20, 30, 40)),
    "gemm": Kernel(blas.gemm, (60, 70, 80)),
    "gemver": Kernel(blas.gemver, (120,)),
    "gesummv": Kernel(blas.gesummv, (250,)),
    "heat-3d": Kernel(stencils.heat_3d, (20, 10)),
    "jacobi-1d": Kernel(stencils.jacobi_1d, (100, 400)),
    "jacobi-2d": Kernel(stencils.jacobi_2d, (20, 30)),
    "lu": Kernel(solvers.lu, (80,)),
    "ludcmp": Kernel(solvers.ludcmp, (80,)),
    "mvt": Kernel(products.mvt, (200,)),
    "seidel-2d": Kernel(stencils.seidel_2d, (20, 40)),
    "symm": Kernel(blas.symm, (40, 60)),
    "syr2k": Kernel(blas.syr2k, (20, 30)),
    "syrk": Kernel(blas.syrk, (60, 80)),
    "trisolv": Kernel(solvers.trisolv, (400,)),
    "trmm": Kernel(blas.trmm, (60, 80)),
}
"""The kernels by their names in PolyBench."""


def polybench(kernel: str, *, weights: Weights = "unit", **sizes: int) -> Dag:
    """Every scalar operation of a PolyBench kernel.

    One vertex for each floating-point operation (+ - * / and the unary minus) in program order, and before
    these one for each element of an input array, in the order of the first reads. Literals and scalar
    arguments have neither vertex nor edge; copies have none either.

    Parameters
    ----------
    kernel : str
        A key of `KERNELS`.
    weights : {"unit", "cost"}
        "cost": an operation is one flop, an input none, and an edge carries the 8 bytes of a double.
    **sizes : int
        The kernel's sizes, in lower case; by default those that papers on acyclic partitioning take.

    Returns
    -------
    Dag
        Vertex numbers are a topological order.

    Raises
    ------
    DagpartError
        If there is no such kernel, or it does not have such a size, or a size is below 1.

    References
    ----------
    L.-N. Pouchet and T. Yuki, "PolyBench/C: the polyhedral benchmark suite", version 4.1, 2015.

    J. Herrmann, M. Y. Ozkaya, B. Ucar, K. Kaya and U. V. Catalyurek, "Multilevel algorithms for acyclic
    partitioning of directed acyclic graphs", SIAM Journal on Scientific Computing 41(4), 2019: the sizes.

    Examples
    --------
    >>> polybench("2mm")
    Dag(n=36500, m=62200)
    >>> g = polybench("gemm", ni=2, nj=3, nk=4, weights="cost")
    >>> g.n, g.total_weight
    (104, 78)
    """
    if kernel not in KERNELS:
        raise DagpartError(f"PolyBench has no kernel {kernel!r} here; it has {', '.join(KERNELS)}")
    chosen = KERNELS[kernel].defaults
    for name, value in sizes.items():
        if name not in chosen:
            raise DagpartError(f"{kernel} has no size {name}; it has {', '.join(chosen)}")
        chosen[name] = check_size(value, name)
    trace = Trace()
    KERNELS[kernel].trace(trace, **chosen)
    return trace.graph(weights)
