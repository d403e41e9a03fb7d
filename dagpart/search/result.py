"""`Partition`: labels, and what they cost."""

from __future__ import annotations

import os
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart import metrics
from dagpart._core.graph import traversal
from dagpart.dag import Dag, Digraph
from dagpart.errors import WeightError
from dagpart.io.results import write_partition

__all__ = ["Partition"]


@dataclass(frozen=True, eq=False)
class Partition:
    """A partition of a graph and what it costs.

    Attributes
    ----------
    graph : Digraph
        The graph that was partitioned, with the weights that were used, as integers: its `weight_scale` and
        `vertex_weight_scale` say what the given ones were multiplied by, if anything.
    labels : int32[n]
        Part of each vertex. Parts are numbered in a topological order of the quotient, unless part ids were
        fixed.
    k : int
        Number of parts.
    part_order : int32[k]
        Parts in a topological order of the quotient: 0 .. k - 1 unless part ids were fixed.
    cap : int or float
        The heaviest that a part was allowed to be. This and all that a partition costs is in the unit of the
        weights as they were given: ints where these are whole, else floats.
    seed : int
    seconds : float
        Wall time of the engine.
    merged : int
        Vertices that were merged into others beforehand, because they share a cycle, a group, a fixed part,
        or lie on a path between such vertices.

    Examples
    --------
    >>> import dagpart
    >>> r = dagpart.partition([(0, 1), (1, 2), (2, 3)], 2)
    >>> r.labels.tolist(), r.edge_cut, r.part_weights.tolist()
    ([0, 0, 1, 1], 1, [2, 2])
    """

    graph: Digraph
    labels: NDArray[np.int32]
    k: int
    part_order: NDArray[np.int32]
    cap: int | float
    seed: int
    seconds: float
    merged: int = 0

    @cached_property
    def by_name(self) -> dict[Hashable, int]:
        """Part of each vertex by its name; by its id where vertices have no names.

        Examples
        --------
        >>> import dagpart
        >>> dagpart.partition([("load", "solve")], 2).by_name
        {'load': 0, 'solve': 1}
        """
        names = range(self.graph.n) if self.graph.names is None else self.graph.names
        return dict(zip(names, self.labels.tolist(), strict=True))

    @cached_property
    def edge_cut(self) -> int | float:
        """Weight of the edges between parts."""
        return metrics.edge_cut(self.graph, self.labels)

    @cached_property
    def comm_volume(self) -> int | float:
        """Data sent: each vertex's output once for every other part that holds a successor."""
        return metrics.comm_volume(self.graph, self.labels)

    @cached_property
    def part_weights(self) -> NDArray[Any]:
        """Weight of each part, int64[k], or float64[k] where the weights of vertices are not whole."""
        return metrics.part_weights(self.graph, self.labels, self.k)

    @cached_property
    def imbalance(self) -> float:
        """Weight of the heaviest part over the mean, less 1."""
        return metrics.imbalance(self.graph, self.labels, self.k)

    @cached_property
    def critical_path(self) -> int | float | None:
        """Longest path at latency 1: vertices cost their weight, edges between parts theirs.

        A cycle that was condensed counts as one vertex of the summed weight. None where the length passes
        ``2**63 - 1``.
        """
        dag, labels = self.graph, self.labels
        if not isinstance(dag, Dag):
            dag, membership = dag.condense()
            labels = np.empty(dag.n, dtype=np.int32)
            labels[membership] = self.labels
        try:
            return metrics.critical_path(dag, labels)
        except WeightError:
            return None

    @cached_property
    def quotient(self) -> Dag:
        """The graph of the parts: summed weights, edges that carry the cut between two parts.

        As any graph it holds integers, with the scales of `graph`.
        """
        quotient = metrics.quotient(self.graph, self.labels, self.k)
        assert isinstance(quotient, Dag)
        return quotient

    @cached_property
    def order(self) -> NDArray[Any]:
        """Vertices part by part, in topological order inside each part (and over all of the graph)."""
        position = np.empty(self.k, dtype=np.int32)
        position[self.part_order] = np.arange(self.k, dtype=np.int32)
        if isinstance(self.graph, Dag):
            rank = traversal.topological_numbers(self.graph.indptr, self.graph.indices)
        else:
            _, rank = self.graph.condense()
        return np.lexsort((rank, position[self.labels]))

    def to_dict(self, labels: bool = False) -> dict[str, Any]:
        """The figures in plain Python types, ready for JSON, in the unit of the weights as they were given.

        Parameters
        ----------
        labels : bool, default False
            Whether the labels go in too.
        """
        out: dict[str, Any] = {
            "k": self.k,
            "edge_cut": self.edge_cut,
            "comm_volume": self.comm_volume,
            "critical_path": self.critical_path,
            "imbalance": self.imbalance,
            "part_weights": self.part_weights.tolist(),
            "cap": self.cap,
            "merged": self.merged,
            "weight_scale": self.graph.weight_scale,
            "vertex_weight_scale": self.graph.vertex_weight_scale,
            "seconds": self.seconds,
            "seed": self.seed,
        }
        if labels:
            out["labels"] = self.labels.tolist()
        return out

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the partition, whole or not at all, in the form that the file's suffix says.

        One part id a line, in vertex order; or ``.json``, ``.csv``, ``.dot``, as
        `dagpart.io.write_partition` has them.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        write_partition(path, self.graph, self.labels, self.to_dict())
