"""Workloads: task graphs of the field, made to order.

Every function returns a `Dag` whose vertex numbers are a topological order, with unit weights. What is
random takes a `seed` and gives the same graph for the same seed.
"""

from dagpart.generate.linear_algebra import cholesky
from dagpart.generate.loop_nests import polybench
from dagpart.generate.meshes import delaunay, grid2d, grid3d, random_geometric
from dagpart.generate.synthetic import fft, layered

__all__ = ["cholesky", "delaunay", "fft", "grid2d", "grid3d", "layered", "polybench", "random_geometric"]
