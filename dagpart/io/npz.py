"""NumPy archives (.npz): dagpart's own arrays, or a matrix that `scipy.sparse.save_npz` wrote."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any, Literal

import numpy as np
import scipy.sparse
from numpy.lib import format as npy
from numpy.typing import NDArray

from dagpart._files import Source
from dagpart.dag import Digraph
from dagpart.errors import DagpartError, ParseError, WeightError
from dagpart.io._matrix import As, interpret
from dagpart.io.building import check_isolated, plain_weights, settled
from dagpart.io.formats import Format, Loaded

_NUMBERS = "biuf"
_WANTED = "the arrays indptr and indices, or edges, or a matrix of scipy.sparse.save_npz"


def load(
    source: Source,
    *,
    as_: As = "auto",
    zeros: Literal["drop", "keep"] = "drop",
    edge_weights: Literal["unit", "values"] | None = None,
) -> Loaded:
    """Read an archive: ``indptr`` and ``indices``, or ``edges`` of shape (m, 2) and maybe ``n``; or a SciPy
    matrix.

    Further arrays are ``edge_weights``, ``vertex_weights`` and ``names``.

    Parameters
    ----------
    source : Source
        The file.
    as_, zeros
        For a SciPy matrix: see `dagpart.io.matrix_market.load`.
    edge_weights : {"unit", "values"}, optional
        Default: "unit" for a SciPy matrix, whose numbers are no costs; else "values".

    Raises
    ------
    ParseError
        The archive is damaged, or holds other arrays or Python objects.

    Examples
    --------
    >>> out = io.BytesIO()
    >>> np.savez(out, edges=[[0, 1], [1, 2]], vertex_weights=[1, 2, 3])
    >>> load(Source("g.npz", out.getvalue())).graph
    Dag(n=3, m=2)
    """
    arrays = _Archive(source)
    try:
        if arrays.has("indptr", "indices", "shape", "data") or arrays.has("row", "col", "shape", "data"):
            matrix = _matrix(arrays)
            options = {"zeros": zeros, "edge_weights": edge_weights or "unit"}
            graph, reading, doubts = interpret(matrix, as_, options)
            return Loaded(graph, FORMAT.name, reading, doubts=doubts)
        return Loaded(_graph(arrays, edge_weights), FORMAT.name)
    except WeightError:
        raise
    except ParseError:
        raise
    except (DagpartError, ValueError, TypeError, IndexError, OverflowError) as error:
        raise ParseError(source.name, None, f"arrays that make no graph ({error})", _WANTED) from None


class _Archive:
    """The arrays of an archive, each read when it is asked for, in memory that their bytes justify."""

    def __init__(self, source: Source) -> None:
        self.name = source.name
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(source.data))
            self.entries = {entry.removesuffix(".npy") for entry in self.archive.namelist()}
        except (
            zipfile.BadZipFile,
            ValueError,
            OSError,
            NotImplementedError,
            EOFError,
            UnicodeError,
        ) as error:
            found = f"no archive ({error})" if source.data else "an empty file"
            raise ParseError(source.name, None, found, "a NumPy archive") from None

    def has(self, *names: str) -> bool:
        return all(name in self.entries for name in names)

    def get(self, name: str, kinds: str = _NUMBERS) -> NDArray[Any]:
        try:
            data = self.archive.read(f"{name}.npy")
            array = self._parse(data)
        except KeyError:
            raise ParseError(self.name, None, f"no array {name}", _WANTED) from None
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            RuntimeError,
            OSError,
        ) as error:
            raise ParseError(self.name, None, f"damage in {name} ({error})", "a whole array") from None
        except (
            ValueError,
            TypeError,
            SyntaxError,
            UnicodeError,
            MemoryError,
            OverflowError,
            RecursionError,
        ) as error:
            raise ParseError(
                self.name, None, f"damage in {name} ({error})", "a NumPy array of numbers"
            ) from None
        if array.dtype.kind not in kinds:
            raise ParseError(self.name, None, f"{name} of the type {array.dtype}", "an array of numbers")
        return array

    @staticmethod
    def _parse(data: bytes) -> NDArray[Any]:
        stream = io.BytesIO(data)
        version = npy.read_magic(stream)
        readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        if version not in readers:
            raise ValueError(f"version {version} of the format")
        shape, column_major, dtype = readers[version](stream)
        count = 1
        for length in shape:
            count *= int(length)
        start = stream.tell()
        if (
            dtype.hasobject
            or any(length < 0 for length in shape)
            or count * dtype.itemsize != len(data) - start
        ):
            raise ValueError(f"{len(data) - start} bytes for an array of shape {shape}")
        flat: NDArray[Any] = np.frombuffer(data, dtype=dtype, offset=start, count=count)
        return flat.reshape(shape, order="F" if column_major else "C")


def _graph(arrays: _Archive, edge_weights: str | None) -> Digraph:
    options: dict[str, Any] = {"edge_weights": edge_weights}
    for name in ("vertex_weights", "names"):
        if arrays.has(name):
            options[name] = arrays.get(name, _NUMBERS if name == "vertex_weights" else _NUMBERS + "U")
    if "names" in options:
        options["names"] = options["names"].tolist()
    if edge_weights in (None, "values") and arrays.has("edge_weights"):
        options["edge_weights"] = arrays.get("edge_weights")
    if arrays.has("indptr", "indices"):
        return settled(Digraph.from_csr(arrays.get("indptr"), arrays.get("indices"), **options))
    edges = arrays.get("edges")
    n = int(arrays.get("n")) if arrays.has("n") else None
    largest = int(edges.max(initial=-1)) + 1 if edges.dtype.kind in "iu" else 0
    check_isolated(arrays.name, None, max(largest, n or 0), len(edges), "edges")
    return settled(Digraph.from_edges(edges, n, **options))


def _matrix(arrays: _Archive) -> Any:
    shape = tuple(int(length) for length in arrays.get("shape").ravel())
    data = arrays.get("data", _NUMBERS + "c")
    check_isolated(arrays.name, None, max(shape, default=0), data.size, "entries")
    if arrays.has("row", "col"):
        return scipy.sparse.coo_array((data, (arrays.get("row"), arrays.get("col"))), shape=shape)
    kind = arrays.get("format", "SU").item()
    kind = kind.decode("latin-1") if isinstance(kind, bytes) else kind
    if kind not in ("csr", "csc", "bsr"):
        raise ParseError(arrays.name, None, f"a matrix of the format {kind!r}", "csr, csc, bsr or coo")
    make = {"csr": scipy.sparse.csr_array, "csc": scipy.sparse.csc_array, "bsr": scipy.sparse.bsr_array}[kind]
    return make((data, arrays.get("indices"), arrays.get("indptr")), shape=shape)


def dump(graph: Digraph) -> bytes:
    """The archive of a graph, without a time in it, so that the same graph is the same file.

    Raises
    ------
    DagpartError
        The names are neither texts nor whole numbers.

    Examples
    --------
    >>> from dagpart import Dag
    >>> sorted(np.load(io.BytesIO(dump(Dag.from_edges([("a", "b")])))))
    ['edge_weights', 'indices', 'indptr', 'names', 'vertex_weights']
    """
    arrays: dict[str, Any] = {
        "indptr": graph.indptr,
        "indices": graph.indices,
        "edge_weights": np.asarray(plain_weights(graph.edge_weights, graph.weight_scale)),
        "vertex_weights": np.asarray(plain_weights(graph.vertex_weights, graph.vertex_weight_scale)),
    }
    if graph.names is not None:
        names = np.array(graph.names)
        if names.dtype.kind not in "iuU" or names.tolist() != list(graph.names):
            raise DagpartError("an archive holds names that are all texts or all whole numbers")
        arrays["names"] = names
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            npy.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member.getvalue(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


FORMAT = Format(
    "npz",
    (".npz",),
    load,
    signature=lambda start: start.startswith(b"pk\x03\x04"),
    dump=dump,
    keeps=("names", "types", "direction", "vertex_weights", "edge_weights", "scale"),
)
