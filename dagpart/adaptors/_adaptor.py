"""What a module for one library gives to the registry, and what it makes of an object."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dagpart._entries import Entries, Held, index_type
from dagpart._weights import attribute_of as attribute_of

if TYPE_CHECKING:
    from dagpart.dag import Digraph
    from dagpart.search.result import Partition


@dataclass(frozen=True)
class Adaptor:
    """One line of the registry.

    Attributes
    ----------
    package : str
        The library, as it is imported; its objects exist only where somebody has imported it.
    extra : str or None
        The extra of dagpart that installs it; None where dagpart itself needs it.
    holds : callable
        From the library and an object: whether the object is one of the library's graphs.
    take : callable
        From an object, and the names of the attributes of edges and of vertices that hold the weights (None
        where the adaptor shall choose), to what it `Held`.
    write_back : callable
        From an object, its partition, the labels in the order of the object's vertices and the name of an
        attribute to the labels in the library's own form. That they fit was checked.
    build : callable or None
        From the library and a `Digraph` to an object of the library.
    """

    package: str
    extra: str | None
    holds: Callable[[Any, object], bool]
    take: Callable[[Any, str | None, str | None], Held]
    write_back: Callable[[Any, Partition, list[int], str], Any]
    build: Callable[[Any, Digraph], Any] | None = None


def entries(
    n: int,
    source: Iterable[int],
    target: Iterable[int],
    names: Iterable[Hashable] | None = None,
    keys: Sequence[Hashable] | None = None,
) -> Entries:
    """Edges between numbered vertices, which the object has made sure of."""
    dtype = index_type(n)
    tails, heads = (np.fromiter(side, dtype=dtype) for side in (source, target))
    return Entries(n, tails, heads, names=None if names is None else tuple(names), keys=keys)


def names_of(graph: Digraph | Entries) -> list[Any]:
    """Names of the vertices; their ids where they have none."""
    return list(range(graph.n)) if graph.names is None else list(graph.names)
