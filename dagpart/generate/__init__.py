"""Workloads: task graphs of the field, made to order.

Every generator returns a `Dag` whose vertex numbers are a topological order. With ``weights="cost"`` vertices
weigh work, in floating-point operations, and edges data, in bytes; with ``weights="unit"`` all weigh 1. What
is random takes a `seed` and gives the same graph for the same seed.
"""

from functools import partial

from dagpart.generate.algorithms import divide_and_conquer, fft, stencil, strassen
from dagpart.generate.linear_algebra import butterfly_lu, cholesky, gemm, lu, lu_partial
from dagpart.generate.loop_nests import KERNELS, polybench
from dagpart.generate.meshes import delaunay, grid2d, grid3d, random_geometric
from dagpart.generate.networks import Layer, Network, mlp, network, resnet, transformer, unet
from dagpart.generate.orthogonal import lu_qr, lu_qr_pattern, qr
from dagpart.generate.programs import program
from dagpart.generate.random_graphs import erdos_renyi, layered, random_costs, random_dag, series_parallel
from dagpart.generate.registry import Generator
from dagpart.generate.shapes import chain, fence, fork_join, in_tree, out_tree, pyramid, star
from dagpart.generate.sparse import SymbolicFactor, sparse_cholesky, sparse_solve, symbolic_factor

__all__ = [
    "GENERATORS",
    "Layer",
    "Network",
    "SymbolicFactor",
    "butterfly_lu",
    "chain",
    "cholesky",
    "delaunay",
    "divide_and_conquer",
    "erdos_renyi",
    "fence",
    "fft",
    "fork_join",
    "gemm",
    "grid2d",
    "grid3d",
    "in_tree",
    "layered",
    "lu",
    "lu_partial",
    "lu_qr",
    "lu_qr_pattern",
    "mlp",
    "network",
    "out_tree",
    "polybench",
    "program",
    "pyramid",
    "qr",
    "random_costs",
    "random_dag",
    "random_geometric",
    "resnet",
    "series_parallel",
    "sparse_cholesky",
    "sparse_solve",
    "star",
    "stencil",
    "strassen",
    "symbolic_factor",
    "transformer",
    "unet",
]

_FUNCTIONS = (
    butterfly_lu,
    chain,
    cholesky,
    delaunay,
    divide_and_conquer,
    erdos_renyi,
    fence,
    fft,
    fork_join,
    gemm,
    grid2d,
    grid3d,
    in_tree,
    layered,
    lu,
    lu_partial,
    lu_qr,
    mlp,
    out_tree,
    pyramid,
    qr,
    random_dag,
    random_geometric,
    resnet,
    series_parallel,
    sparse_cholesky,
    sparse_solve,
    star,
    stencil,
    strassen,
    transformer,
    unet,
)

GENERATORS = {function.__name__: Generator.of(function, function.__name__) for function in _FUNCTIONS} | {
    f"polybench:{kernel}": Generator.of(
        partial(polybench, kernel), f"polybench:{kernel}", nest.summary, nest.defaults
    )
    for kernel, nest in KERNELS.items()
}
"""Every generator by the name that ``dagpart generate`` and `dagpart.datasets` call it."""
