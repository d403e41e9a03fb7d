"""Matrix Market files, and what passes for them.

The format is that of R. F. Boisvert, R. Pozo and K. A. Remington, "The Matrix Market Exchange Formats:
Initial Design", NISTIR 5935 (1996). Files in the wild also come without the banner, without the size line,
with ids from 0, with comments and blank lines anywhere; those are read where only one meaning is possible.

The table of entries is read by `numpy.loadtxt` and not by `scipy.io.mmread`, because the latter takes what
stands at the front of a field for the number (``2.0`` in place of a column id makes the value 0, ``1.5D+03``
is 1.5, ``0x10`` is 0) and dies on a zero byte. The two give the same matrix wherever the file is sound.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt
import scipy.io
import scipy.sparse

from dagpart._arguments import check_choice
from dagpart._entries import index_type
from dagpart._files import Source
from dagpart._text import Text, data_lines, is_number, read_table, row_line, show, whole
from dagpart.dag import Digraph
from dagpart.errors import ParseError
from dagpart.io._matrix import As, interpret
from dagpart.io._scan import scan_entries
from dagpart.io.building import check_isolated, plain_weights
from dagpart.io.formats import Format, Loaded

_COMMENT = b"%"
_BANNER = re.compile(rb"\s*%+\s*MatrixMarket(?!\S)", re.IGNORECASE)
_LAYOUTS = ("coordinate", "array")
_VALUE_COLUMNS = {"pattern": 0, "real": 1, "double": 1, "integer": 1, "unsigned-integer": 1, "complex": 2}
_SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")
_BANNER_FORM = "%%MatrixMarket matrix coordinate real general, or other words in their places"
_FORTRAN_EXPONENT = re.compile(rb"(?<=[0-9.])[dD](?=[-+0-9])")


# What `dump` writes at the head of a file, for readers and for `load`.
_ADJACENCY = "the entry (i, j) is the edge i -> j"
_WEIGHTS = ", its value the weight of the edge"
_OWN_COMMENT = re.compile(rf"%\s*{re.escape(_ADJACENCY)}({re.escape(_WEIGHTS)})?\s*".encode())

# Ids below this have 32 bits, whatever they count from.
_NARROW = 2**31 - 1


class _Banner(NamedTuple):
    layout: str
    field: str
    symmetry: str


class _Size(NamedTuple):
    line: int
    rows: int
    columns: int
    entries: int


# What a file without a banner is, by the number of fields in a line of its body.
_UNMARKED = {
    1: _Banner("array", "real", "general"),
    2: _Banner("coordinate", "pattern", "general"),
    3: _Banner("coordinate", "real", "general"),
    4: _Banner("coordinate", "complex", "general"),
}


@dataclass(frozen=True)
class _Table:
    """Columns of numbers, those that there are, one row for each entry."""

    entries: int
    columns: dict[str, npt.NDArray[Any]]

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    def below(self, first: int) -> _Table:
        """The table without its first rows."""
        return _Table(self.entries - first, {name: column[first:] for name, column in self.columns.items()})


class _Body(NamedTuple):
    """A file taken apart: `size` is None where it has no size line, `table` is what `text` holds."""

    banner: _Banner
    size: _Size | None
    text: Text
    table: _Table
    notes: tuple[str, ...] = ()


def load(
    source: Source,
    *,
    as_: As = "auto",
    index_base: Literal[0, 1] = 1,
    zeros: Literal["drop", "keep"] | None = None,
    edge_weights: Literal["unit", "values"] | None = None,
) -> Loaded:
    """Read the graph of a square matrix.

    Parameters
    ----------
    source : Source
        The file.
    as_ : {"auto", "adjacency", "lower", "upper"}
        "adjacency": an entry (i, j) is the edge i -> j. "lower", "upper": the dependencies of a solver, one
        strict triangle, every edge from the lower index to the higher (`Dag.from_matrix`). "auto": adjacency
        when that is acyclic or the file says so, as those of `dump` do, else the triangle with more entries.
        A lower triangle is an adjacency, too, with edges against the order of a solve, and so is doubtful.
    index_base : {0, 1}
        What the file counts rows and columns from; the format says 1.
    zeros : {"drop", "keep"}
        Whether an entry that is written but zero is an edge. Zeros of an array layout, which writes every
        element, are never edges. Default: "drop", but "keep" where `dump` wrote the weights of edges.
    edge_weights : {"unit", "values"}
        Weight 1 for every edge, or the entry's value. Default: "unit", as the numbers of a matrix are no
        costs, but "values" where `dump` wrote the weights of edges.

    Returns
    -------
    Loaded
        ``reading`` says which of the three readings was used.

    Raises
    ------
    ParseError
        The file is damaged, has more than one meaning, or its matrix is not square; names the line.
    WeightError
        A weight is negative, not finite, complex or too big.

    Examples
    --------
    >>> banner = b"%%MatrixMarket matrix coordinate pattern symmetric\\n"
    >>> loaded = load(Source("path.mtx", banner + b"3 3 2\\n2 1\\n3 2\\n"))
    >>> loaded.graph, loaded.reading
    (Dag(n=3, m=2), 'upper')
    """
    check_choice(as_, "as_", ("auto", "adjacency", "lower", "upper"))
    check_choice(index_base, "index_base", (0, 1))
    if edge_weights is not None:
        check_choice(edge_weights, "edge_weights", ("unit", "values"))
    text = Text.of(source)
    source.release()
    adjacency, weighed = _own_words(text)
    if adjacency and as_ == "auto":
        as_ = "adjacency"
    edge_weights = edge_weights or ("values" if weighed else "unit")
    zeros = zeros or ("keep" if weighed and edge_weights == "values" else "drop")
    A, notes = _read_matrix(text, index_base, exact=edge_weights == "values")
    # A large file need not be there beside its graph.
    del text
    options = {"zeros": zeros, "edge_weights": edge_weights}
    graph, reading, doubts = interpret(A, as_, options)
    return Loaded(graph, FORMAT.name, reading, notes, doubts=doubts)


def dump(graph: Digraph) -> bytes:
    """The adjacency matrix of a graph: the entry (i, j) is the edge i -> j.

    OneStopParallel takes a matrix for a lower triangle, whose rows wait for their columns: for that tool
    write ``.hdag`` or ``.lhdag``.

    Parameters
    ----------
    graph : Digraph

    Returns
    -------
    bytes
        A pattern when all edges weigh 1, else a matrix of their weights, with a comment by which `load` knows
        that its values are weights. Vertex weights have no place in this format.

    Examples
    --------
    >>> from dagpart import Dag
    >>> print(dump(Dag.from_edges([(0, 1), (0, 2)])).decode(), end="")
    %%MatrixMarket matrix coordinate pattern general
    % the entry (i, j) is the edge i -> j
    3 3 2
    1 2
    1 3
    """
    out = io.BytesIO()
    matrix = graph.to_scipy()
    field: Literal["pattern", "integer", "real"] = "integer"
    comment = f" {_ADJACENCY}{_WEIGHTS}"
    if (graph.edge_weights == graph.weight_scale).all():
        field, comment = "pattern", f" {_ADJACENCY}"
    elif graph.weight_scale != 1:
        field = "real"
        matrix.data = np.asarray(plain_weights(graph.edge_weights, graph.weight_scale))
    scipy.io.mmwrite(out, matrix, comment=comment, field=field, symmetry="general")
    return out.getvalue()


def _own_words(text: Text) -> tuple[bool, bool]:
    """Whether a comment at the head says, in the words of `dump`, what entries and their values are."""
    for _, _, content in text.lines():
        if content.partition(_COMMENT)[0].strip():
            break
        if (words := _OWN_COMMENT.fullmatch(content)) is not None:
            return True, words[1] is not None
    return False, False


def _read_matrix(text: Text, index_base: int, exact: bool) -> tuple[scipy.sparse.coo_array, tuple[str, ...]]:
    """The matrix with its symmetry written out, and the notes on the file.

    With `exact` the entries have their values, and integers are exact; without it, whether they are not zero.
    """
    banner, body = _read_banner(text)
    if next(data_lines(body, _COMMENT), None) is None:
        found = "an empty file" if not text.data.strip() else "the end of the file"
        wanted = "a %%MatrixMarket banner, a size line or entries" if banner is None else "a size line"
        raise text.error(text.last_line, found, wanted)
    parts = _read_unmarked(body, index_base, exact) if banner is None else _read_marked(body, banner, exact)
    banner = parts.banner
    values = _values(parts.table, banner, exact)
    if banner.layout == "array":
        assert parts.size is not None
        n = parts.size.rows
        rows, columns, values = _place(n, values, banner.symmetry)
    else:
        n = _count_vertices(parts, index_base)
        rows, columns = (_counted_from_zero(parts.table[name], index_base, n) for name in ("row", "column"))
    notes = parts.notes
    # The table is as large as the graph will be.
    del parts
    if banner.symmetry != "general":
        rows, columns, values = _mirror(rows, columns, values, banner.symmetry)
    return scipy.sparse.coo_array((values, (rows, columns)), shape=(n, n)), notes


def _counted_from_zero(ids: npt.NDArray[Any], index_base: int, n: int) -> npt.NDArray[Any]:
    """Ids in the type that n vertices need; in place where they have it, as the table is not used again."""
    dtype = index_type(n)
    out = ids if ids.dtype == dtype else None
    counted: npt.NDArray[Any] = np.subtract(ids, index_base, out=out, dtype=dtype, casting="unsafe")
    return counted


# ---------------------------------------------------------------------- the head of a file


def _read_banner(text: Text) -> tuple[_Banner | None, Text]:
    """The banner, if there is one before the first line of data, and the text after it."""
    for line, following, content in text.lines():
        if _BANNER.match(content):
            return _parse_banner(text, line, content), text.rest(following, line + 1)
        if content.partition(_COMMENT)[0].strip():
            break
    return None, text


def _parse_banner(text: Text, line: int, content: bytes) -> _Banner:
    words = content.decode("ascii", "backslashreplace").lower().split()
    # The percent signs may stand apart from the word.
    words = words[next(i for i, word in enumerate(words) if word.endswith("matrixmarket")) + 1 :]
    if len(words) != 4:
        raise text.error(line, f"{len(words)} words in the banner", f"4: {_BANNER_FORM}")
    wanted = (("matrix",), _LAYOUTS, tuple(_VALUE_COLUMNS), _SYMMETRIES)
    for word, choices in zip(words, wanted, strict=True):
        if word not in choices:
            raise text.error(line, f"{word!r} in the banner", " or ".join(choices))
    banner = _Banner(*words[1:])
    if banner.field == "pattern" and (banner.layout == "array" or banner.symmetry == "hermitian"):
        other = "array" if banner.layout == "array" else "hermitian"
        raise text.error(line, f"a banner with both pattern and {other}", "values: a pattern has none")
    return banner


def _parse_size(line: int, fields: list[bytes], layout: str) -> _Size | None:
    """The size line that the fields make, if they do; `n entries` stands for `n n entries`."""
    numbers = [whole(field) for field in fields]
    if any(number is None or number < 0 for number in numbers):
        return None
    match layout, numbers:
        case "array", [int(rows), int(columns)]:
            return _Size(line, rows, columns, rows * columns)
        case "coordinate", [int(n), int(entries)]:
            return _Size(line, n, n, entries)
        case "coordinate", [int(rows), int(columns), int(entries)]:
            return _Size(line, rows, columns, entries)
    return None


def _check_square(text: Text, size: _Size) -> None:
    if size.rows != size.columns:
        raise text.error(
            size.line,
            f"a {size.rows} x {size.columns} matrix",
            "a square one, since row i and column i both stand for vertex i",
        )


# ---------------------------------------------------------------------- the body


def _read_marked(text: Text, banner: _Banner, exact: bool) -> _Body:
    """A file with a banner: a size line, then what the two announce."""
    line, following, fields = next(data_lines(text, _COMMENT))
    size = _parse_size(line, fields, banner.layout)
    if size is None:
        wanted = "a size line: rows and columns"
        if banner.layout == "coordinate":
            wanted = "a size line: rows, columns and entries"
        raise text.error(line, show(b" ".join(fields)), wanted)
    _check_square(text, size)
    rest = text.rest(following, line + 1)
    table = _read_rows(rest, banner, exact, size.entries if size.rows < _NARROW else None)
    if banner.layout == "array" and banner.symmetry != "general":
        diagonal = 0 if banner.symmetry == "skew-symmetric" else size.rows
        size = size._replace(entries=(size.entries - size.rows) // 2 + diagonal)
    _check_entries(rest, size, table.entries, "")
    return _Body(banner, size, rest, table)


def _read_unmarked(text: Text, index_base: int, exact: bool) -> _Body:
    """A file without a banner: the shape of its first two lines of data and the ids tell what it is."""
    (line, following, fields), *more = islice(data_lines(text, _COMMENT), 2)
    width = len(more[0][2]) if more else len(fields)
    banner = _UNMARKED.get(width)
    numbers = all(is_number(field, "f") for field in fields)
    if banner is None or not numbers or len(fields) == 1:
        raise text.error(line, show(b" ".join(fields)), "a %%MatrixMarket banner, a size line or entries")
    notes: tuple[str, ...] = (f"no banner: read as {' '.join(banner)}, so only what is written counts",)
    size = _parse_size(line, fields, banner.layout)
    rest = text.rest(following, line + 1)
    if len(fields) == width:
        table = _read_rows(text, banner, exact)
        if size is None or not _is_size(size, len(fields), table.below(1), index_base):
            notes += ("no size line: the largest id is taken for the last vertex",)
            return _Body(banner, None, text, table, notes)
        table = table.below(1)
        hint = f"; if line {line} is an entry, put a size line above it"
    else:
        if size is None:
            raise text.error(line, show(b" ".join(fields)), f"a size line above lines of {width} fields")
        table = _read_rows(rest, banner, exact)
        hint = ""
    _check_square(text, size)
    _check_entries(rest, size, table.entries, hint)
    return _Body(banner, size, rest, table, notes)


def _is_size(size: _Size, width: int, rows: _Table, index_base: int) -> bool:
    """Whether a first line that could be an entry as well is a size line for the `rows` below it.

    It is when they all lie inside it. One that counts them exactly is one too, with ids that are too large;
    but a pair of numbers says too little for that.
    """
    if size.entries > size.rows * size.columns:
        return False
    largest = _largest(rows["row"]) - index_base, _largest(rows["column"]) - index_base
    if largest[0] < size.rows and largest[1] < size.columns:
        return True
    return width == 3 and size.rows == size.columns and size.entries == rows.entries


def _read_rows(text: Text, banner: _Banner, exact: bool, entries: int | None = None) -> _Table:
    """The lines of the body as a table; faster where ids have 32 bits and there should be so many entries."""
    count = _VALUE_COLUMNS[banner.field]
    kind = "i8" if exact and "integer" in banner.field else "f8"
    dtype = [(name, kind) for name in ("value", "imaginary")[:count]]
    columns = ("", "value", "real and imaginary part")[count]
    if banner.layout == "coordinate":
        if entries is not None and not exact and count < 2:
            scanned = _scan(text, count, entries)
            if scanned is not None:
                return scanned
        dtype = [("row", "i8"), ("column", "i8"), *dtype]
        columns = ("row and column", "row, column and value", "row, column, real and imaginary part")[count]
    try:
        return _as_table(read_table(text, dtype, _COMMENT, columns))
    except ParseError:
        # Fortran writes double precision as 1.5D+03.
        translated = replace(text, data=_FORTRAN_EXPONENT.sub(b"e", text.data))
        if translated.data == text.data:
            raise
        return _as_table(read_table(translated, dtype, _COMMENT, columns))


def _scan(text: Text, values: int, entries: int) -> _Table | None:
    """The table of a body in which nothing is unusual, its values told as 0 or 1; else None."""
    # Whatever a header claims, an entry takes four bytes at least: "1 2" and the end of its line.
    most = min(entries, (len(text.data) - text.start) // 4 + 1)
    row, column, value = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.bool_)
    count = scan_entries(text.data, text.start, values > 0, row, column, value.view(np.uint8))
    if count < 0:
        return None
    columns = {"row": row[:count], "column": column[:count], "value": value[:count]}
    return _Table(count, columns)


def _as_table(rows: npt.NDArray[Any]) -> _Table:
    assert rows.dtype.names is not None
    return _Table(len(rows), {name: rows[name] for name in rows.dtype.names})


def _check_entries(text: Text, size: _Size, found: int, hint: str) -> None:
    if found == size.entries:
        return
    line = text.last_line
    if found > size.entries:
        line = row_line(text, size.entries, _COMMENT)
    raise text.error(
        line,
        f"{found} {'entry' if found == 1 else 'entries'}",
        f"{size.entries}, as the size line {size.line} says{hint}",
    )


def _count_vertices(body: _Body, index_base: int) -> int:
    """Number of vertices, once it is known to be sensible and every id to be in range."""
    rows, columns = body.table["row"], body.table["column"]
    if body.size is None:
        n = max(_largest(rows), _largest(columns)) + 1 - index_base
        line = body.text.last_line
    else:
        n, line = body.size.rows, body.size.line
    check_isolated(body.text.name, line, n, body.table.entries, "entries")
    lowest = min(rows.min(initial=index_base), columns.min(initial=index_base))
    if lowest < index_base or max(_largest(rows), _largest(columns)) >= n + index_base:
        outside = (np.minimum(rows, columns) < index_base) | (np.maximum(rows, columns) >= n + index_base)
        _refuse_id(body, int(outside.argmax()), n, index_base)
    return n


def _refuse_id(body: _Body, row: int, n: int, index_base: int) -> NoReturn:
    """Raise the error for a row of the table with an id out of range."""
    ids = int(body.table["row"][row]), int(body.table["column"][row])
    wanted = f"row and column from {index_base} to {n - 1 + index_base}"
    if index_base == 1 and min(ids) == 0:
        wanted += "; if the file counts from 0, say so with index_base=0 (--index-base 0)"
    if index_base == 0 and max(ids) == n:
        wanted += "; if the file counts from 1, leave out index_base=0 (--index-base 0)"
    raise body.text.error(row_line(body.text, row, _COMMENT), f"row {ids[0]}, column {ids[1]}", wanted)


# ---------------------------------------------------------------------- from the table to the matrix


def _values(table: _Table, banner: _Banner, exact: bool) -> npt.NDArray[Any]:
    """The value of every row, or only whether it is not zero; NaN is not."""
    if banner.field == "pattern":
        return np.ones(table.entries, dtype=np.int8)
    values = table["value"]
    if banner.field == "complex":
        values = values + 1j * table["imaginary"]
    return values.copy() if exact else values != 0


def _place(
    n: int, values: npt.NDArray[Any], symmetry: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Rows and columns of an array layout, which lists column by column; its zeros are not entries."""
    if symmetry == "general":
        columns, rows = np.divmod(np.arange(n * n), max(n, 1))
    else:
        columns, rows = np.triu_indices(n, k=1 if symmetry == "skew-symmetric" else 0)
    stored = values != 0
    return rows[stored], columns[stored], values[stored]


def _mirror(
    rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64], values: npt.NDArray[Any], symmetry: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Both triangles of a matrix of which one is stored."""
    off = rows != columns
    mirrored = values[off]
    if symmetry == "skew-symmetric" and mirrored.dtype != bool:
        mirrored = -mirrored
    if symmetry == "hermitian":
        mirrored = mirrored.conj()
    return (
        np.concatenate([rows, columns[off]]),
        np.concatenate([columns, rows[off]]),
        np.concatenate([values, mirrored]),
    )


def _largest(ids: npt.NDArray[np.int64]) -> int:
    return int(ids.max(initial=-1))


FORMAT = Format(
    "matrix-market",
    (".mtx", ".mm"),
    load,
    # HyperDAG files may start with a banner of another object.
    signature=lambda start: re.match(rb"%%matrixmarket\s+(?!weighted-matrix)", start) is not None,
    dump=dump,
    keeps=("direction", "edge_weights", "scale"),
)
