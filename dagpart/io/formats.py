"""What a format module gives to the registry, and what a reader gives back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dagpart.dag import Digraph
from dagpart.io.building import plain_ids


@dataclass(frozen=True)
class Loaded:
    """A graph that was read, with what a careful user wants to know about the reading.

    Attributes
    ----------
    graph : Dag or Digraph
        A `Dag` unless the file holds a graph with cycles and was asked for as it stands.
    format : str
        Name of the format.
    reading : str or None
        For formats that can be read in more than one way, the way that was used; for a matrix "adjacency",
        "lower" or "upper".
    notes : tuple of str
        What had to be guessed or was surprising, one sentence each.
    reversed_by : str or None
        The tool that wrote the file, where its edges are known to point from a task to what it needs.
    costs : float64[n, workers] or None
        Time of each task on each worker of the machine that the file tells of, in the unit
        ``graph.units.time``.
    doubts : tuple of str
        Why edges may run the other way than was meant, one sentence each, also among
        the notes of `dagpart.io.load`; `dagpart.read` warns of them.
    """

    graph: Digraph
    format: str
    reading: str | None = None
    notes: tuple[str, ...] = ()
    reversed_by: str | None = None
    costs: NDArray[np.float64] | None = None
    doubts: tuple[str, ...] = ()


class Labelled(Protocol):
    """A graph and its parts, as a `dagpart.Partition` has them."""

    @property
    def graph(self) -> Digraph:
        """The graph that was partitioned."""

    @property
    def labels(self) -> NDArray[np.int32]:
        """Part of each vertex."""

    @property
    def part_order(self) -> NDArray[np.int32]:
        """Parts in a topological order of the quotient."""


@dataclass(frozen=True)
class Format:
    """One line of the registry.

    Attributes
    ----------
    name : str
        What ``format=`` calls it.
    suffixes : tuple of str
        File name endings, lower case, without ``.gz``.
    foreign : tuple of str
        Further endings that are read, but too common to decide what is written.
    load : callable
        From a `Source` and the format's own keyword options to a `Loaded`.
    signature : callable or None
        Whether a file is of this format, by its first bytes in lower case; for files whose name does not
        tell, or tells of several formats.
    dialects : mapping
        What makes the bytes in place of `dump` where the file's name ends so.
    members : callable or None
        Whether a JSON object is of this format, by the names of its members; None for formats of other kinds.
    dump : callable or None
        From a `Digraph` to the bytes of a file; None where the format is only read.
    keeps : tuple of str
        What a file of this format holds of a graph, of `FEATURES`; the rest is lost when it is written.
    """

    name: str
    suffixes: tuple[str, ...]
    load: Callable[..., Loaded]
    signature: Callable[[bytes], bool] | None = None
    dump: Callable[[Digraph], bytes] | None = None
    keeps: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    dialects: Mapping[str, Callable[[Digraph], bytes]] = field(default_factory=dict)
    members: Callable[[Collection[str]], bool] | None = None

    def losses(self, graph: Digraph) -> list[str]:
        """What of a graph is not in the file that `dump` makes, in words.

        Examples
        --------
        >>> from dagpart.io import FORMATS
        >>> FORMATS[0].losses(Digraph.from_edges([("a", "b")]))
        ['the names of the vertices']
        """
        lost = {
            name: words for name, (words, has) in FEATURES.items() if name not in self.keeps and has(graph)
        }
        if "names" in lost:
            lost.pop("types", None)
        return list(lost.values())


def _names(graph: Digraph) -> bool:
    return graph.names is not None


def _types(graph: Digraph) -> bool:
    names = graph.names or ()
    return not all(isinstance(name, str) for name in names) or (bool(names) and plain_ids(names) is not None)


def _descends(graph: Digraph) -> bool:
    return bool((graph.edge_sources() > graph.indices).any())


FEATURES: dict[str, tuple[str, Callable[[Digraph], bool]]] = {
    "names": ("the names of the vertices", _names),
    "types": ("the types of the names, which come back as texts or ids", _types),
    "direction": ("the direction of edges from a higher id to a lower one", _descends),
    "vertex_weights": (
        "the weights of the vertices",
        lambda graph: bool((graph.vertex_weights != graph.vertex_weight_scale).any()),
    ),
    "edge_weights": (
        "the weights of the edges",
        lambda graph: bool((graph.edge_weights != graph.weight_scale).any()),
    ),
    "scale": (
        "that weights were scaled to integers",
        lambda graph: graph.weight_scale != 1 or graph.vertex_weight_scale != 1,
    ),
}
"""What a graph may have that a file may not: the words for it, and whether a graph has it."""
