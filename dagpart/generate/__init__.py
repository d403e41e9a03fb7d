"""Workloads: task graphs of the field, made to order.

Every function returns a `Dag` whose vertex numbers are a topological order, with unit weights. What is
random takes a `seed` and gives the same graph for the same seed.
"""

from functools import partial

from dagpart.generate.linear_algebra import cholesky
from dagpart.generate.loop_nests import KERNELS, polybench
from dagpart.generate.meshes import delaunay, grid2d, grid3d, random_geometric
from dagpart.generate.registry import Generator
from dagpart.generate.synthetic import fft, layered

__all__ = [
    "GENERATORS",
    "cholesky",
    "delaunay",
    "fft",
    "grid2d",
    "grid3d",
    "layered",
    "polybench",
    "random_geometric",
]

_FUNCTIONS = (cholesky, delaunay, fft, grid2d, grid3d, layered, random_geometric)

GENERATORS = {function.__name__: Generator.of(function, function.__name__) for function in _FUNCTIONS} | {
    f"polybench:{kernel}": Generator.of(
        partial(polybench, kernel), f"polybench:{kernel}", nest.summary, nest.defaults
    )
    for kernel, nest in KERNELS.items()
}
"""Every generator by the name that ``dagpart generate`` and `dagpart.datasets` call it."""
