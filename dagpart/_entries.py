"""Edges out of everything users hold: arrays of sources and targets, checked, in the order they came."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from dagpart.errors import DagpartError

_INT32_MAX = 2**31 - 1


@dataclass
class Entries:
    """Edges source[i] -> target[i] among vertices 0 .. n-1; `values` is what the input says about edge i."""

    n: int
    source: NDArray[Any]
    target: NDArray[Any]
    values: Any = None
    names: tuple[Hashable, ...] | None = None

    def take(self, keep: NDArray[np.bool_]) -> int:
        """Keep the entries that are marked; return how many went."""
        gone = int(keep.size - np.count_nonzero(keep))
        if gone:
            self.source = self.source[keep]
            self.target = self.target[keep]
            if self.values is not None:
                self.values = np.asarray(self.values)[keep]
        return gone


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
    raise DagpartError(
        f"index_dtype={requested!r} for {n} vertices: it must be int32 (up to 2**31 - 1) or int64"
    )


def from_sparse(A: Any) -> Entries:
    """Stored entries of any SciPy sparse matrix or array; `values` are the numbers.

    Zeros that a format stores only to fill its diagonals or blocks are left out.
    """
    if not scipy.sparse.issparse(A):
        raise DagpartError(
            f"{type(A).__name__} is no SciPy sparse matrix or array: wrap a dense one in scipy.sparse.csr_array"
        )
    # SciPy's common base class declares nothing of what all formats have.
    matrix: Any = A
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        shape = " x ".join(str(size) for size in matrix.shape)
        raise DagpartError(
            f"the matrix is {shape}: row i and column i both stand for vertex i, so it must be square; "
            "a bipartite matrix B becomes a graph as scipy.sparse.block_array([[None, B], [None, None]]) "
            "with zero blocks of the right shapes"
        )
    n = int(matrix.shape[0])
    try:
        if matrix.format in ("csr", "csc"):
            rows, columns, values = _compressed(matrix.indptr, matrix.indices, matrix.data, n)
            if matrix.format == "csc":
                rows, columns = columns, rows
            return Entries(n, rows, columns, values)
        if matrix.format == "coo":
            rows, columns = matrix.coords if hasattr(matrix, "coords") else (matrix.row, matrix.col)
            return Entries(n, *_checked_pairs(rows, columns, n), values=_same_length(matrix.data, rows))
        if matrix.format == "bsr":
            return _from_blocks(matrix, n)
        if matrix.format == "dia":
            coo = matrix.tocoo()
            return Entries(n, coo.row, coo.col, coo.data)
        csr = matrix.tocsr()
        rows, columns, values = _compressed(csr.indptr, csr.indices, csr.data, n)
        return Entries(n, rows, columns, values)
    except DagpartError:
        raise
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        raise DagpartError(f"the {matrix.format} matrix is malformed: {error}") from error


def from_compressed(indptr: Any, indices: Any, values: Any = None) -> Entries:
    """Edges of compressed rows: the successors of i are indices[indptr[i]:indptr[i+1]]."""
    indptr = check_ids(indptr, "indptr")
    if indptr.size == 0:
        raise DagpartError("indptr is empty: n vertices need n + 1 entries, the first of them 0")
    rows, columns, _ = _compressed(indptr, indices, None, indptr.size - 1)
    return Entries(indptr.size - 1, rows, columns, values)


def from_pairs(edges: Any, n: int | None, names: Sequence[Hashable] | None) -> Entries:
    """Edges of an (m, 2) or (m, 3) integer array, or of an iterable of pairs or triples."""
    source, target, values = _columns(edges)
    n = None if n is None else check_count(n, "n")
    if _are_names(source) or _are_names(target):
        return _from_named(source, target, values, n, names)
    source = check_ids(source, "the sources of the edges")
    target = check_ids(target, "the targets of the edges")
    top = int(max(source.max(), target.max())) if source.size else -1
    if n is None:
        n = top + 1 if names is None else len(names)
    return Entries(n, *_checked_pairs(source, target, n), values=values)


def from_networkx(graph: Any, weight: str | None) -> Entries:
    """Edges of a NetworkX DiGraph or MultiDiGraph; `values` is the attribute `weight`, 1 where it is missing."""
    if not graph.is_directed():
        raise DagpartError(
            f"a {type(graph).__name__} has no directions: give each edge one, for instance with "
            "networkx.DiGraph((min(u, v), max(u, v)) for u, v in G.edges)"
        )
    names = tuple(graph)
    position = {name: i for i, name in enumerate(names)}
    m = graph.number_of_edges()
    dtype = index_type(len(names))
    source = np.fromiter((position[u] for u, _ in graph.edges()), dtype=dtype, count=m)
    target = np.fromiter((position[v] for _, v in graph.edges()), dtype=dtype, count=m)
    values = None if weight is None else [value for _, _, value in graph.edges(data=weight, default=1)]
    plain = all(type(name) is int and name == i for i, name in enumerate(names))
    return Entries(len(names), source, target, values, None if plain else names)


def check_count(value: Any, name: str) -> int:
    """A number of vertices as a Python integer."""
    try:
        count = operator.index(value)
    except TypeError:
        raise DagpartError(f"{name}={value!r} is no whole number") from None
    if count < 0:
        raise DagpartError(f"{name}={count} is negative")
    return count


def check_ids(values: Any, what: str) -> NDArray[Any]:
    """One-dimensional array of an integer type; bools, floats and text are refused."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise DagpartError(f"{what} are no array of integers: {error}") from None
    if array.ndim != 1:
        raise DagpartError(f"{what} have the shape {array.shape}: one dimension is needed")
    if array.dtype.kind in "iu":
        return array
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind == "O":
        for value in array.tolist():
            if isinstance(value, bool) or not isinstance(value, int):
                raise DagpartError(f"{what} contain {value!r}: vertex ids are integers")
            if not -(2**63) <= value < 2**63:
                raise DagpartError(f"{what} contain {value}: that is no vertex id in 64 bits")
        return array.astype(np.int64)
    raise DagpartError(f"{what} have the type {array.dtype}: convert them to integers if they are whole")


def check_range(ids: NDArray[Any], n: int) -> None:
    """Refuse ids outside 0 .. n-1."""
    if ids.size == 0:
        return
    low, high = int(ids.min()), int(ids.max())
    if low < 0 or high >= n:
        allowed = f"with n={n} ids run from 0 to {n - 1}" if n else "the graph has no vertices (n=0)"
        raise DagpartError(f"vertex id {low if low < 0 else high} is out of range: {allowed}")


def _checked_pairs(source: Any, target: Any, n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both ends as ids of one type, in range."""
    checked = []
    dtype = index_type(n)
    for ids in (source, target):
        array = check_ids(ids, "vertex ids")
        check_range(array, n)
        checked.append(array.astype(dtype, copy=False))
    _same_length(checked[0], checked[1])
    return checked[0], checked[1]


def _same_length(values: Any, ids: Any) -> Any:
    if len(values) != len(ids):
        raise DagpartError(f"arrays of the edges differ in length: {len(values)} and {len(ids)}")
    return values


def _compressed(indptr: Any, indices: Any, values: Any, n: int) -> tuple[NDArray[Any], NDArray[Any], Any]:
    """Rows, columns and values of compressed rows; everything is checked before it is used as an index."""
    indptr = check_ids(indptr, "indptr")
    indices = check_ids(indices, "indices")
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
    end = int(indptr[-1])
    # SciPy lets a matrix keep unused room behind its last row; a pair of plain arrays has no such excuse.
    if end > indices.size or (values is None and end != indices.size):
        raise DagpartError(f"indptr ends with {end}, but there are {indices.size} indices")
    if values is not None:
        if end > len(values):
            raise DagpartError(f"indptr ends with {end}, but there are {len(values)} values")
        values = values[:end]
    rows = np.repeat(np.arange(n, dtype=index_type(n)), np.diff(indptr).astype(np.int64, copy=False))
    rows, columns = _checked_pairs(rows, indices[:end], n)
    return rows, columns, values


def _from_blocks(matrix: Any, n: int) -> Entries:
    height, width = matrix.blocksize
    # Validates the block structure, which SciPy's own conversion trusts.
    _compressed_blocks = check_ids(matrix.indptr, "indptr"), check_ids(matrix.indices, "indices")
    indptr, indices = _compressed_blocks
    if indptr.size != n // height + 1 or indptr[0] != 0 or np.any(indptr[1:] < indptr[:-1]):
        raise DagpartError("indptr of the bsr matrix is malformed")
    if int(indptr[-1]) > min(indices.size, len(matrix.data)):
        raise DagpartError("indptr of the bsr matrix runs past its blocks")
    coo = matrix.tocoo(copy=False)
    rows, columns = _checked_pairs(coo.row, coo.col, n)
    entries = Entries(n, rows, columns, coo.data)
    if height * width > 1:
        entries.take(coo.data != 0)
    return entries


def _columns(edges: Any) -> tuple[Any, Any, Any]:
    """Sources, targets and, where the edges are triples, weights."""
    if isinstance(edges, np.ndarray) and edges.dtype.kind != "O":
        if edges.size == 0 and edges.ndim <= 2:
            empty = np.zeros(0, dtype=np.int64)
            return empty, empty, None
        if edges.ndim != 2 or edges.shape[1] not in (2, 3):
            raise DagpartError(f"an edge array has the shape (m, 2) or (m, 3), not {edges.shape}")
        if edges.dtype.kind == "f":
            raise DagpartError(
                f"vertex ids of type {edges.dtype}: convert them with edges[:, :2].astype(int), "
                "and pass weights as edge_weights=edges[:, 2]"
            )
        return edges[:, 0], edges[:, 1], edges[:, 2] if edges.shape[1] == 3 else None
    try:
        rows = [tuple(edge) for edge in edges]
    except TypeError:
        raise DagpartError("edges are pairs (source, target) or triples (source, target, weight)") from None
    sizes = {len(row) for row in rows}
    if not sizes:
        return [], [], None
    if sizes not in ({2}, {3}):
        odd = next(i for i, row in enumerate(rows) if len(row) not in (2, 3) or len(row) != len(rows[0]))
        raise DagpartError(
            f"edge {odd} has {len(rows[odd])} fields: all must be pairs, or all triples with a weight"
        )
    columns = list(zip(*rows, strict=True))
    return columns[0], columns[1], columns[2] if len(columns) == 3 else None


def _are_names(ends: Any) -> bool:
    """Whether some endpoint is an object rather than a number."""
    if isinstance(ends, np.ndarray):
        return ends.dtype.kind in "US"
    return not all(
        issubclass(kind, int | float | complex | np.generic | None) for kind in set(map(type, ends))
    )


def _from_named(
    source: Iterable[Any], target: Iterable[Any], values: Any, n: int | None, names: Sequence[Hashable] | None
) -> Entries:
    if isinstance(source, np.ndarray) and isinstance(target, np.ndarray):
        source, target = source.tolist(), target.tolist()
    position: dict[Hashable, int] = {}
    ends: list[int] = []
    try:
        if names is not None:
            position.update((name, i) for i, name in enumerate(names))
        for pair in zip(source, target, strict=True):
            for name in pair:
                if name is None or isinstance(name, float | complex | bool):
                    raise DagpartError(f"edge {pair[0]!r} -> {pair[1]!r}: {name!r} is no vertex name")
                if names is not None and name not in position:
                    raise DagpartError(
                        f"edge {pair[0]!r} -> {pair[1]!r}: {name!r} is not among the names given"
                    )
                ends.append(position.setdefault(name, len(position)))
    except TypeError as error:
        raise DagpartError(f"vertex names must be hashable: {error}") from None
    if n is not None and n != len(position):
        raise DagpartError(
            f"n={n}, but the edges name {len(position)} vertices: pass names= to list them all"
        )
    pairs = np.array(ends, dtype=index_type(len(position))).reshape(-1, 2)
    return Entries(len(position), pairs[:, 0], pairs[:, 1], values, tuple(position))
