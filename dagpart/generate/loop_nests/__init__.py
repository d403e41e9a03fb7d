"""Task graphs of numerical kernels, one vertex for each operation, by tracing their loop nests."""

from dagpart.generate.loop_nests.kernels import KERNELS, polybench

__all__ = ["KERNELS", "polybench"]
