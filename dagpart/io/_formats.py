"""What a format module gives to the registry, and what a reader gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dagpart.dag import Digraph


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
    """

    graph: Digraph
    format: str
    reading: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Format:
    """One line of the registry.

    Attributes
    ----------
    name : str
        What ``format=`` calls it.
    suffixes : tuple of str
        File name endings, lower case, without ``.gz``.
    load : callable
        From a `Source` and the format's own keyword options to a `Loaded`.
    signature : bytes or None
        What a file starts with, in lower case, where that tells the format; for files whose name does not.
    dump : callable or None
        From a `Digraph` to the bytes of a file; None where the format is only read.
    """

    name: str
    suffixes: tuple[str, ...]
    load: Callable[..., Loaded]
    signature: bytes | None = None
    dump: Callable[[Digraph], bytes] | None = None
