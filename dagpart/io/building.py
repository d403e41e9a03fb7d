"""From what a file names to a graph: vertices in the order they are told, weights checked on the spot."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagpart._text import Text, show
from dagpart._weights import unscaled
from dagpart.dag import Dag, Digraph
from dagpart.errors import DagpartError, ParseError

WEIGHT = "a weight: a number that is finite, not negative and below 2**63"

MAX_ISOLATED = 2**24
"""How many vertices may be left that no edge can name: they cost memory, so more are taken for a mistake."""

# float() takes more than a file should hold: underscores, "infinity", digits of other scripts.
_LONGEST = 100


def settled(graph: Digraph) -> Digraph:
    """The graph as a `Dag` if it is one."""
    return Dag.from_any(graph) if graph.is_acyclic else graph


def check_isolated(name: str, line: int | None, n: int, edges: int, plural: str) -> None:
    """Refuse a number of vertices that a few bytes of a file claim and nothing else in it bears out.

    Raises
    ------
    ParseError
        More than `MAX_ISOLATED` vertices would be without an edge.
    """
    if n > 2 * edges + MAX_ISOLATED:
        found = f"{n} vertices for {edges} {plural}"
        raise ParseError(name, line, found, f"no more than {MAX_ISOLATED} vertices without one")


def parse_weight(field: str | bytes) -> int | float | None:
    """The weight that a field is, whole ones as int; None if it is no weight."""
    text = field.decode("latin-1") if isinstance(field, bytes) else field
    if len(text) > _LONGEST or "_" in text or not text.isascii():
        return None
    try:
        value: int | float = int(text)
    except ValueError:
        try:
            value = float(text)
        except ValueError:
            return None
    return as_weight(value)


def as_weight(value: Any) -> int | float | None:
    """The value if it can be a weight, whole ones as int; None if not."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not (0 <= value < 2**63) or math.isnan(value):
        return None
    return int(value) if value == int(value) else value


def weight_at(text: Text, line: int, field: str | bytes) -> int | float:
    """The weight in a field, or the error that names its line."""
    value = parse_weight(field)
    if value is None:
        raise text.error(line, show(field.encode() if isinstance(field, str) else field), WEIGHT)
    return value


def json_weight(text: Text, value: Any, owner: Any) -> int | float:
    """The weight that a value of a JSON document is, or the error that names the line of its owner."""
    weight = as_weight(value)
    if weight is None:
        owner = json.dumps(owner, ensure_ascii=False)
        # A list may hold lists without end.
        found = show(str(value).encode()) if isinstance(value, str | int | float) else "something else"
        raise text.error(text.line_of(owner), f"{found} for {show(owner.encode())}", WEIGHT)
    return weight


def from_arrays(
    n: int,
    source: ArrayLike,
    target: ArrayLike,
    edge_weights: ArrayLike | None = None,
    vertex_weights: ArrayLike | None = None,
    names: Sequence[Hashable] | None = None,
) -> Digraph:
    """Graph of edges given by the ids of their ends; weights None stand for 1 each."""
    edges: NDArray[Any] = np.column_stack(
        (np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64))
    )
    return settled(
        Digraph.from_edges(edges, n, edge_weights=edge_weights, vertex_weights=vertex_weights, names=names)
    )


class Builder:
    """Vertices by name, and edges between them, in the order in which a file tells them.

    Attributes
    ----------
    index : dict
        Id of each vertex, by name.
    weights : list
        Weight of each vertex; None where nothing was said, which stands for 1.
    source, target, edge_weights : list
        Of each edge.
    """

    def __init__(self) -> None:
        self.index: dict[Hashable, int] = {}
        self.weights: list[int | float | None] = []
        self.source: list[int] = []
        self.target: list[int] = []
        self.edge_weights: list[int | float] = []

    def vertex(self, name: Hashable) -> int:
        """Id of the vertex of this name, which is new if nothing named it before."""
        position = self.index.setdefault(name, len(self.index))
        if position == len(self.weights):
            self.weights.append(None)
        return position

    def edge(self, source: int, target: int, weight: int | float = 1) -> None:
        """An edge between two vertices."""
        self.source.append(source)
        self.target.append(target)
        self.edge_weights.append(weight)

    def build(self) -> Digraph:
        """The graph; names that are just the numbers 0 .. n-1 are taken for ids."""
        names = list(self.index)
        n = len(names)
        source, target = np.array(self.source, dtype=np.int64), np.array(self.target, dtype=np.int64)
        weights = [1 if weight is None else weight for weight in self.weights]
        ids = plain_ids(names)
        if ids is None:
            return from_arrays(n, source, target, self.edge_weights, weights, names)
        ordered: list[int | float] = [1] * n
        for place, weight in zip(ids.tolist(), weights, strict=True):
            ordered[place] = weight
        return from_arrays(n, ids[source], ids[target], self.edge_weights, ordered)


def plain_ids(names: Sequence[Hashable]) -> NDArray[np.int64] | None:
    """The names as numbers where they are 0 .. n-1 in some order, in plain decimals."""
    n = len(names)
    digits = {name for name in names if isinstance(name, str) and len(name) <= 19 and name.isdecimal()}
    if len(digits) < n or not all(name.isascii() and (name == "0" or name[0] != "0") for name in digits):
        return None
    ids = np.array(names, dtype=str).astype(np.int64) if n else np.zeros(0, dtype=np.int64)
    return ids if n == 0 or int(ids.max()) == n - 1 else None


def text_names(graph: Digraph) -> list[str]:
    """Names of the vertices as text, for a file; they must stay apart.

    Raises
    ------
    DagpartError
        Two names are the same as text, or one is no text that a file can hold.
    """
    names = [str(name) for name in (range(graph.n) if graph.names is None else graph.names)]
    try:
        "".join(names).encode()
    except UnicodeEncodeError:
        odd = next(name for name in names if any("\ud800" <= sign <= "\udfff" for sign in name))
        raise DagpartError(f"a file cannot write the name {odd!r}: it has half a character in it") from None
    if graph.names is not None and len(set(names)) < graph.n:
        seen: set[str] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise DagpartError(f"two vertices are called {twice!r} as text: give them names that differ")
    return names


def plain_weights(weights: NDArray[np.int64], scale: float) -> list[int] | list[float]:
    """Weights in the unit in which they came."""
    plain: list[int] | list[float] = unscaled(weights, scale).tolist()
    return plain
