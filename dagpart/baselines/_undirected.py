"""What undirected partitioners share: the graph they get, and guards against what makes them fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from dagpart._arguments import check_parts, check_seed
from dagpart._child import protected
from dagpart._optional import require
from dagpart._weights import exact_total, scaled_down
from dagpart.dag import Digraph
from dagpart.errors import DagpartError, MissingDependencyError, ToolError
from dagpart.metrics import as_labels, max_part_weight

# Half of what 32 bits hold: with every positive weight raised to 1 at least, the total still fits.
_MOST_WEIGHT = 2**30
_MOST_ENTRIES = 2**31 - 1


@dataclass(frozen=True)
class Undirected:
    """An undirected graph to partition, as compressed rows.

    Every edge stands in the rows of both its ends, with the weights of opposite edges summed. Edges of weight
    0 are left out: they cost nothing in any partition, and KaHIP crashes on them. Weights are scaled down
    where their total passes 2**30; where all vertices weigh 0, they weigh 1 here.

    Attributes
    ----------
    indptr : int64[n + 1]
    indices : int32[2 m]
    edge_weights : int64[2 m]
    vertex_weights : int64[n]
    k : int
        At least 2, at most n.
    imbalance : float
        At most k - 1, at which one part may hold everything.
    cap : int
        The heaviest a part may be, in the unit of the scaled weights.
    seed : int
        Below 2**31.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    edge_weights: NDArray[np.int64]
    vertex_weights: NDArray[np.int64]
    k: int
    imbalance: float
    cap: int
    seed: int

    @property
    def n(self) -> int:
        """Number of vertices."""
        return len(self.vertex_weights)

    @classmethod
    def of(cls, graph: Digraph, k: int, imbalance: float, seed: int) -> Undirected:
        """The undirected graph of a directed one."""
        directed = graph.to_scipy()
        both = scipy.sparse.csr_array(directed + directed.T)
        both.eliminate_zeros()
        both.sort_indices()
        if both.nnz > _MOST_ENTRIES:
            raise DagpartError(f"{graph.m} edges are more than 32-bit partitioners can take")
        vertex_weights = scaled_down(graph.vertex_weights, _MOST_WEIGHT)
        if not graph.total_weight:
            vertex_weights = np.ones(graph.n, dtype=np.int64)
        total = exact_total(vertex_weights)
        return cls(
            both.indptr.astype(np.int64),
            both.indices.astype(np.int32),
            scaled_down(both.data, _MOST_WEIGHT),
            vertex_weights,
            k,
            min(float(imbalance), k - 1.0),
            min(max_part_weight(total, k, imbalance), total),
            seed % 2**31,
        )


@dataclass(frozen=True)
class Baseline:
    """A partitioner of undirected graphs, to be called like a function.

    Its parts may depend on each other in cycles.

    Attributes
    ----------
    title : str
        What it is called in print.
    package : str
        The package on PyPI, which the extra "baselines" brings.
    module : str
        The module to import.
    variants : tuple of str
        What `variant` may be; the first is the default.
    run : callable
        From the module, the graph and the variant to labels.
    crashes : bool
        Whether the library may end the process, and gets one of its own.
    """

    title: str
    package: str
    module: str
    variants: tuple[str, ...]
    run: Callable[[Any, Undirected, str], ArrayLike]
    crashes: bool

    def __call__(
        self, graph: Any, k: int, *, imbalance: float = 0.03, seed: int = 0, variant: str | None = None
    ) -> NDArray[np.int32]:
        """Partition the undirected graph.

        Parameters
        ----------
        graph : Digraph or anything `dagpart.partition` takes
            Its weights are passed on, scaled down where they pass 32 bits.
        k : int
            Number of parts, from 1 to the number of vertices.
        imbalance : float, default 0.03
            No part should weigh more than ``floor((1 + imbalance) * ceil(W / k))``; some may, none of these
            partitioners promises it.
        seed : int, default 0
        variant : str, optional
            One of `variants`.

        Returns
        -------
        labels : int32[n]
            Some parts may be empty.

        Raises
        ------
        MissingDependencyError
            If the library is not installed.
        InfeasibleError
            If there are more parts than vertices.
        ToolError
            If the library fails, or gives something that is no partition.
        DagpartError
            If an argument is not what it should be.

        Examples
        --------
        >>> from dagpart import baselines, generate
        >>> labels = baselines.metis(generate.grid2d(10), 4, variant="recursive")
        >>> labels.dtype, labels.size
        (dtype('int32'), 100)
        """
        given = graph if isinstance(graph, Digraph) else Digraph.from_any(graph)
        k, seed = check_parts(given.n, k), check_seed(seed)
        max_part_weight(given.total_weight, k, imbalance)
        if variant is None:
            variant = self.variants[0]
        elif variant not in self.variants:
            raise DagpartError(
                f"{self.title} has no variant {variant!r}; choose from {', '.join(self.variants)}"
            )
        if k == 1:
            return np.zeros(given.n, dtype=np.int32)
        problem = Undirected.of(given, k, imbalance, seed)
        arguments = (self, problem, variant)
        found = protected(self.title, _solve, *arguments) if self.crashes else _solve(*arguments)
        try:
            return as_labels(np.asarray(found), given.n, k)[0]
        except DagpartError as error:
            raise ToolError(self.title, f"gave no partition: {error}") from error


def _solve(baseline: Baseline, problem: Undirected, variant: str) -> ArrayLike:
    purpose = f"to partition with {baseline.title}"
    try:
        module = require(baseline.module, "baselines", purpose, baseline.package)
        return baseline.run(module, problem, variant)
    except MissingDependencyError:
        raise
    except Exception as error:
        raise ToolError(baseline.title, f"{type(error).__name__}: {error}") from error
