"""Edges out of everything users hold: arrays of sources and targets, checked, in the order they came."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from dagpart import _named, _weights
from dagpart._arguments import check_choice, check_count, check_ids, check_range
from dagpart.errors import DagpartError

_INT32_MAX = 2**31 - 1

# What a keyword for weights may be apart from the name of an attribute.
_WORDS = ("unit", "values")


@dataclass
class Entries:
    """Edges source[i] -> target[i] among vertices 0 .. n-1.

    `weights` are the numbers that go with them, unchecked; None stands for 1 each. `by_ends` are weights that
    the caller gave by the names of both ends: they belong to the edges of the graph, once it is made. `keys`
    are what the input calls its edges, if not 0 .. m-1. `gone` counts what was left out or missing, by the
    names of `dagpart.dag.Dropped`.
    """

    n: int
    source: NDArray[Any]
    target: NDArray[Any]
    weights: NDArray[Any] | None = None
    names: tuple[Hashable, ...] | None = None
    gone: dict[str, int] = field(default_factory=dict)
    keys: Sequence[Hashable] | None = None
    by_ends: Any = None

    def weigh(self, edge_weights: Any, own: Any) -> None:
        """Set the weights to what the keyword `edge_weights` asks for; `own` are those of the input."""
        chosen = choose("edge_weights", edge_weights, own)
        self.weights = self.by_ends = None
        if goes_by_ends(chosen, self.keys):
            self.by_ends = chosen
        elif chosen is not None:
            self.weights = _weights.as_numbers(chosen, self.source.size, "edges", self.keys)

    def ends(self) -> list[tuple[Hashable, Hashable]]:
        """Names of the source and the target of each edge."""
        pairs = zip(self.source.tolist(), self.target.tolist(), strict=True)
        if self.names is None:
            return list(pairs)
        return [(self.names[u], self.names[v]) for u, v in pairs]

    def keep(self, marked: NDArray[np.bool_], reason: str) -> None:
        """Leave out the entries that are not marked, and count them under the reason."""
        gone = int(marked.size - np.count_nonzero(marked))
        self.gone[reason] = self.gone.get(reason, 0) + gone
        if gone:
            self.source = self.source[marked]
            self.target = self.target[marked]
            if self.weights is not None:
                self.weights = self.weights[marked]

    def drop_loops(self) -> None:
        """Leave out edges from a vertex to itself."""
        self.keep(self.source != self.target, "self_loops")

    def merged(self, weights: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.int64]]:
        """Sorted compressed rows: indptr, indices, and the weights, added up where edges are parallel.

        `weights` are those of the entries as integers; where these have none they are all 1, in an array that
        nobody else needs.
        """
        if self._are_in_order():
            # What most files hold needs no sorting; the ends may be an array of the caller's.
            self.gone["duplicates_merged"] = 0
            return _row_bounds(np.bincount(self.source, minlength=self.n)), self.target.copy(), weights
        if self.weights is None and index_type(self.n) is np.int32:
            return self._sorted_pairs(weights)
        shape = (self.n, self.n)
        rows = scipy.sparse.coo_array((weights, (self.source, self.target)), shape=shape).tocsr()
        self.gone["duplicates_merged"] = self.source.size - rows.nnz
        return rows.indptr.astype(np.int64, copy=False), rows.indices, rows.data

    def _sorted_pairs(
        self, room: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """`merged` where each edge weighs 1 and its two ids fit into one integer: NumPy sorts these fast.

        All is done in `room`, one integer an edge, which becomes the weights: fresh memory costs more time
        than sorting. SciPy's tocsr takes twice as long.
        """
        check_range(self.source, self.n)
        check_range(self.target, self.n)
        pairs = np.left_shift(self.source, 32, out=room, dtype=np.int64)
        pairs |= self.target
        pairs.sort()
        again = np.flatnonzero(pairs[1:] == pairs[:-1]) + 1
        # What is left of a pair in 32 bits is its target.
        indices = pairs.astype(np.int32)
        pairs >>= 32
        degrees = np.bincount(pairs, minlength=self.n)
        if again.size:
            degrees -= np.bincount(pairs[again], minlength=self.n)
            indices = np.delete(indices, again)
        weights = pairs[: indices.size]
        weights.fill(1)
        # Where the edge of each copy stands now that the copies before it are gone.
        np.add.at(weights, again - np.arange(1, again.size + 1), 1)
        self.gone["duplicates_merged"] = again.size
        return _row_bounds(degrees), indices, weights

    def _are_in_order(self) -> bool:
        """Whether the edges stand by source, and those of one source by target, none of them twice."""
        before, after = self.source[:-1], self.source[1:]
        if (before > after).any():
            return False
        return not ((before == after) & (self.target[:-1] >= self.target[1:])).any()


class Held(NamedTuple):
    """A graph that an object holds.

    Attributes
    ----------
    entries : Entries
        Its edges, in the object's order, and its names.
    edge_weights, vertex_weights : list or array, or None
        As the object has them, None or NaN where it misses one; None stands for 1 each.
    """

    entries: Entries
    edge_weights: Any = None
    vertex_weights: Any = None


def _row_bounds(degrees: NDArray[Any]) -> NDArray[np.int64]:
    """Where the edges of each vertex start among those sorted by source, and where the last ones end."""
    bounds = np.zeros(degrees.size + 1, dtype=np.int64)
    np.cumsum(degrees, out=bounds[1:])
    return bounds


def attribute_asked(weights: Any) -> str | None:
    """The attribute whose name a keyword for weights is, if it is one."""
    return weights if isinstance(weights, str) and weights not in _WORDS else None


def choose(keyword: str, asked: Any, own: Any) -> Any:
    """What a keyword for weights asks for; None stands for 1 each, and `own` are those of the input."""
    if attribute_asked(asked) is not None:
        raise DagpartError(
            f'{keyword}={asked!r}: this graph has no attributes; give "unit", "values" or one number for each'
        )
    if isinstance(asked, str):
        return own if asked == "values" else None
    return own if asked is None else asked


def goes_by_ends(weights: Any, keys: Sequence[Hashable] | None = None) -> bool:
    """Whether weights carry the names of both ends of edges, and not what the input calls the edges."""
    if not _named.is_named(weights):
        return False
    carried = _named.keys_of(weights)
    if keys is not None and set(carried) == set(keys):
        return False
    return all(isinstance(key, tuple) and len(key) == 2 for key in carried)


def index_type(n: int, requested: Any = None) -> type[np.int32] | type[np.int64]:
    """Type of vertex ids: int32 where n vertices fit, unless the caller forces int64."""
    fits = n <= _INT32_MAX
    if requested is None:
        return np.int32 if fits else np.int64
    try:
        dtype = np.dtype(requested)
    except TypeError:
        dtype = None
    if dtype == np.int64:
        return np.int64
    if dtype == np.int32 and fits:
        return np.int32
    raise DagpartError(f"index_dtype={requested!r}: it must be int64, or int32 for up to 2**31 - 1 vertices")


def from_sparse(A: Any, edge_weights: Any, zeros: str) -> Entries:
    """Entries of any SciPy sparse matrix or array that count as edges.

    Zeros that a format stores only to fill its diagonals or blocks are left out, and not counted.
    """
    check_choice(zeros, "zeros", ("drop", "keep"))
    if not scipy.sparse.issparse(A):
        raise DagpartError(
            f"{type(A).__name__} is no SciPy sparse matrix: for a dense one use scipy.sparse.csr_array"
        )
    # SciPy's common base class declares nothing of what all formats have.
    matrix: Any = A
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        shape = " x ".join(map(str, matrix.shape)) if matrix.ndim == 2 else f"{matrix.ndim}-dimensional"
        raise DagpartError(
            f"the matrix is {shape}, but it must be square: row i and column i both stand for vertex i; "
            "where rows and columns are different things, number them as vertices of one square matrix"
        )
    if edge_weights is None:
        edge_weights = "unit"
    elif (
        not isinstance(edge_weights, str)
        and not goes_by_ends(edge_weights)
        and matrix.format not in ("csr", "csc", "coo")
    ):
        raise DagpartError(
            f"an array of edge weights needs a matrix in csr, csc or coo format, not {matrix.format}"
        )
    try:
        rows, columns, numbers = _stored(matrix, int(matrix.shape[0]))
        nonzero = np.asarray(numbers != 0, dtype=bool)
    except DagpartError:
        raise
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        raise DagpartError(f"the {matrix.format} matrix is malformed: {error}") from error
    entries = Entries(int(matrix.shape[0]), rows, columns)
    entries.weigh(edge_weights, numbers)
    if zeros == "drop":
        entries.keep(nonzero, "explicit_zeros")
    return entries


LOWER_TRIANGLE = (
    "a lower triangular matrix is read as an adjacency: every edge runs from the higher index to the lower, "
    "against the order of a solve"
)
"""What to tell of a graph that `descends`, if nobody said what its matrix means."""


def descends(indptr: NDArray[Any], indices: NDArray[Any]) -> bool:
    """Whether there are edges, and all of them run from a higher id to a lower one (rows ascend)."""
    rows = np.flatnonzero(np.diff(indptr))
    return rows.size > 0 and bool((indices[indptr[rows + 1] - 1] < rows).all())


def take_triangle(entries: Entries, triangle: str) -> None:
    """Turn entries of a matrix into dependencies: one strict triangle, from the lower index to the higher."""
    check_choice(triangle, "triangle", ("auto", "lower", "upper"))
    entries.drop_loops()
    upper = entries.source < entries.target
    if triangle == "auto":
        above, below = _count_distinct(entries, upper), _count_distinct(entries, ~upper)
        triangle = "upper" if above >= below else "lower"
    if triangle == "lower":
        entries.source, entries.target = entries.target, entries.source
        upper = ~upper
    entries.keep(upper, "other_triangle")


def from_compressed(indptr: Any, indices: Any) -> Entries:
    """Edges of compressed rows: the successors of i are indices[indptr[i]:indptr[i+1]]."""
    starts = check_ids(indptr, "indptr")
    if starts.size == 0:
        raise DagpartError("indptr is empty: n vertices need n + 1 entries, the first of them 0")
    ends = check_ids(indices, "indices")
    n = starts.size - 1
    rows = _expand(starts, n, ends.size)
    # SciPy lets a matrix keep room behind its last row; a pair of plain arrays has no such excuse.
    if rows.size != ends.size:
        raise DagpartError(f"indptr ends with {rows.size}, but there are {ends.size} indices")
    return Entries(n, rows, _in_range(ends, n))


def from_pairs(edges: Any, n: Any, names: tuple[Hashable, ...] | None, edge_weights: Any) -> Entries:
    """Edges of an integer array of shape (m, 2), or of an iterable of pairs or triples."""
    if n is not None:
        n = check_count(n, "n")
    source, target, own = _columns(edges)
    if _are_names(source) or _are_names(target):
        entries = _from_named(source, target, n, names)
    else:
        source = check_ids(source, "the sources of the edges")
        target = check_ids(target, "the targets of the edges")
        if n is None and names is not None:
            n = len(names)
        elif n is None:
            n = int(max(source.max(), target.max())) + 1 if source.size else 0
        entries = Entries(n, _in_range(source, n), _in_range(target, n))
    entries.weigh(edge_weights, own)
    return entries


def refuse_dense(rows: object) -> None:
    """Refuse a list that is as well a small dense matrix as edges, and another graph then.

    Three rows of three numbers may be edges with weights, two rows of two edges. A matrix has zeros on its
    diagonal, and an acyclic one a row of zeros, which as an edge runs from vertex 0 to itself; three edges
    among vertices 0 and 1 alone hardly occur. Of two rows of zeros and ones both readings make one graph.

    Raises
    ------
    DagpartError
        Says how to ask for either.
    """
    if not isinstance(rows, list | tuple) or len(rows) not in (2, 3):
        return
    if not all(_is_row(type(row)) and len(row) == len(rows) for row in rows):
        return
    numbers = [list(row) for row in rows]
    if not all(isinstance(number, int | float | np.number | np.bool_) for row in numbers for number in row):
        return
    low = all(number in (0, 1) for row in numbers for number in row)
    empty = any(not any(row) for row in numbers)
    hollow = not any(row[i] for i, row in enumerate(numbers))
    if (low or empty or hollow) if len(numbers) == 3 else (empty and not low):
        raise DagpartError(
            f"{len(rows)} rows of {len(rows)} numbers are an adjacency matrix or edges: give "
            "scipy.sparse.csr_array(rows) for the matrix, Dag.from_edges(rows) for the edges"
        )


def _in_range(ids: NDArray[Any], n: int) -> NDArray[Any]:
    """Ids that were checked, in the type of n vertices."""
    check_range(ids, n)
    return ids.astype(index_type(n), copy=False)


def _stored(matrix: Any, n: int) -> tuple[NDArray[Any], NDArray[Any], Any]:
    """Rows, columns and numbers of the stored entries.

    A matrix can have been damaged since SciPy checked it, and SciPy's compiled conversions trust it; so what
    is used as an index is checked here.
    """
    if matrix.format == "dia":
        if len(matrix.offsets) != len(matrix.data):
            raise DagpartError(
                f"the dia matrix has {len(matrix.offsets)} offsets and {len(matrix.data)} diagonals"
            )
        coo = matrix.tocoo()
        return coo.row, coo.col, coo.data
    if matrix.format == "bsr":
        return _from_blocks(matrix, n)
    if matrix.format == "coo":
        rows, columns = (_in_range(check_ids(ids, "vertex ids"), n) for ids in (matrix.row, matrix.col))
        if not rows.size == columns.size == len(matrix.data):
            raise DagpartError(
                f"the coo matrix has {rows.size} rows, {columns.size} columns and {len(matrix.data)} numbers"
            )
        return rows, columns, matrix.data
    compressed = matrix if matrix.format in ("csr", "csc") else matrix.tocsr()
    ends = check_ids(compressed.indices, "indices")
    rows = _expand(check_ids(compressed.indptr, "indptr"), n, min(ends.size, len(compressed.data)))
    columns = _in_range(ends[: rows.size], n)
    if compressed.format == "csc":
        rows, columns = columns, rows
    return rows, columns, compressed.data[: rows.size]


def _expand(indptr: NDArray[Any], n: int, room: int) -> NDArray[Any]:
    """Row of each entry of compressed rows; there must be room for all of them."""
    if indptr.size != n + 1:
        raise DagpartError(f"indptr has {indptr.size} entries: {n} vertices need {n + 1}")
    if indptr[0] != 0:
        raise DagpartError(f"indptr starts with {indptr[0]}: it must start with 0")
    falls = indptr[1:] < indptr[:-1]
    if falls.any():
        row = int(falls.argmax())
        raise DagpartError(
            f"indptr falls from {indptr[row]} to {indptr[row + 1]} at vertex {row}: it must not fall"
        )
    if int(indptr[-1]) > room:
        raise DagpartError(f"indptr ends with {indptr[-1]}, but there are {room} indices")
    return np.repeat(np.arange(n, dtype=index_type(n)), np.diff(indptr).astype(np.int64, copy=False))


def _from_blocks(matrix: Any, n: int) -> tuple[NDArray[Any], NDArray[Any], Any]:
    height, width = matrix.blocksize
    ends = check_ids(matrix.indices, "indices")
    used = _expand(check_ids(matrix.indptr, "indptr"), n // height, min(ends.size, len(matrix.data))).size
    check_range(ends[:used], n // width)
    coo = matrix.tocoo(copy=False)
    if height * width == 1:
        return coo.row, coo.col, coo.data
    filled = coo.data != 0
    return coo.row[filled], coo.col[filled], coo.data[filled]


def _count_distinct(entries: Entries, marked: NDArray[np.bool_]) -> int:
    return int(pattern(entries.n, entries.source[marked], entries.target[marked]).nnz)


def pattern(n: int, source: NDArray[Any], target: NDArray[Any]) -> Any:
    """The edges as a csr_array of bool, each edge once."""
    return scipy.sparse.coo_array((np.ones(source.size, dtype=bool), (source, target)), shape=(n, n)).tocsr()


def _columns(edges: Any) -> tuple[Any, Any, Any]:
    """Sources, targets and, where the edges are triples, weights."""
    if isinstance(edges, np.ndarray) and edges.dtype.kind != "O":
        if edges.size == 0:
            edges = edges.astype(np.int64).reshape(0, 2)
        # A third column would make a 3 x 3 adjacency matrix pass for three edges.
        if edges.ndim != 2 or edges.shape[1] != 2:
            raise DagpartError(
                f"edges of the shape {edges.shape}, where (m, 2) is needed: weights go into edge_weights, "
                "a dense matrix into scipy.sparse.csr_array"
            )
        return edges[:, 0], edges[:, 1], None
    wanted = "edges are pairs (source, target) or triples (source, target, weight)"
    if isinstance(edges, Mapping | str | bytes) or not isinstance(edges, Iterable):
        raise DagpartError(f"{wanted}, not {type(edges).__name__}")
    rows = edges if isinstance(edges, Sequence) else list(edges)
    if len(rows) == 0:
        return [], [], None
    odd = next((kind for kind in set(map(type, rows)) if not _is_row(kind)), None)
    if odd is not None:
        raise DagpartError(f"{wanted}; one of them is of type {odd.__name__}")
    sizes = set(map(len, rows))
    if sizes not in ({2}, {3}):
        place = next(i for i, row in enumerate(rows) if len(row) not in (2, 3) or len(row) != len(rows[0]))
        dense = "; a dense matrix goes into scipy.sparse.csr_array" if sizes == {len(rows)} else ""
        raise DagpartError(f"edge {place} has {len(rows[place])} fields: {wanted}, all alike{dense}")
    columns = [list(map(operator.itemgetter(i), rows)) for i in range(sizes.pop())]
    return columns[0], columns[1], columns[2] if len(columns) == 3 else None


def _is_row(kind: type) -> bool:
    return issubclass(kind, Sequence | np.ndarray) and not issubclass(kind, str | bytes)


def _are_names(ends: Any) -> bool:
    """Whether some endpoint is an object rather than a number."""
    if isinstance(ends, np.ndarray):
        return ends.dtype.kind in "US"
    return not all(
        issubclass(kind, int | float | complex | np.number | np.bool_ | None) for kind in set(map(type, ends))
    )


def _from_named(
    source: Iterable[Any], target: Iterable[Any], n: int | None, names: tuple[Hashable, ...] | None
) -> Entries:
    if isinstance(source, np.ndarray) and isinstance(target, np.ndarray):
        source, target = source.tolist(), target.tolist()
    position: dict[Hashable, int] = {name: i for i, name in enumerate(names or ())}
    ends: list[int] = []
    for pair in zip(source, target, strict=True):
        for name in pair:
            try:
                known = name in position
            except TypeError as error:
                raise DagpartError(
                    f"edge {pair[0]!r} -> {pair[1]!r}: names must be hashable: {error}"
                ) from None
            if not known and names is not None:
                raise DagpartError(f"edge {pair[0]!r} -> {pair[1]!r}: {name!r} is not among the names given")
            if not known and (name is None or isinstance(name, float | complex | bool)):
                raise DagpartError(f"edge {pair[0]!r} -> {pair[1]!r}: {name!r} is no vertex name")
            ends.append(position.setdefault(name, len(position)))
    if n is not None and n != len(position):
        raise DagpartError(
            f"n={n}, but {len(position)} vertices have names: pass names= with all {n} of them"
        )
    pairs = np.array(ends, dtype=index_type(len(position))).reshape(-1, 2)
    return Entries(len(position), pairs[:, 0], pairs[:, 1], names=tuple(position))
