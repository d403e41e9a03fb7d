"""Part files: the part of each vertex, one number a line, in vertex order, as gpmetis writes them."""

from __future__ import annotations

import csv
import io
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagpart._files import read_source, write_file
from dagpart._named import arranged, is_named, keys_of
from dagpart._text import Text, is_number, read_table, row_line, show
from dagpart.errors import ParseError
from dagpart.io.building import weight_at

_COMMENT = b"%"
MOST_PART = 2**31 - 1


def read_parts(
    path: str | os.PathLike[str], *, n: int | None = None, free: bool = False
) -> NDArray[np.int32]:
    """Read a part file.

    Blank lines and comments that start with % are passed over.

    Parameters
    ----------
    path : str or path-like
        The file, maybe gzip; ``"-"`` is standard input.
    n : int, optional
        Number of vertices; the file must have as many parts.
    free : bool
        Whether -1 is allowed, for a vertex that may go to any part.

    Returns
    -------
    int32[number of lines]

    Raises
    ------
    ParseError
        At the first line that is not one part id, or at the end where there are not `n` of them.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w") as file:
    ...     _ = file.write("0\\n0\\n1\\n")
    ...     file.flush()
    ...     read_parts(file.name)
    array([0, 0, 1], dtype=int32)
    """
    text = Text.of(read_source(path))
    lowest = -1 if free else 0
    parts = read_table(text, [("part", "i8")], _COMMENT, "the part of one vertex")["part"]
    wrong = (parts < lowest) | (parts > MOST_PART)
    if wrong.any():
        row = int(wrong.argmax())
        wanted = "-1 (free) or a part id" if free else "a part id"
        raise text.error(
            row_line(text, row, _COMMENT), f"part {parts[row]}", f"{wanted} from 0 to {MOST_PART}"
        )
    if n is not None and len(parts) != n:
        raise text.error(text.last_line, f"{len(parts)} parts", f"{n}, one for each vertex")
    return parts.astype(np.int32)


def write_parts(path: str | os.PathLike[str], labels: ArrayLike) -> None:
    """Write a part file, whole or not at all.

    Parameters
    ----------
    path : str or path-like
        Where to; ``"-"`` is standard output. What was there stays if anything fails.
    labels : array_like of int, shape (n,)
        Part of each vertex.

    Raises
    ------
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_parts(f"{folder}/graph.part.2", [0, 0, 1])
    ...     read_parts(f"{folder}/graph.part.2")
    array([0, 0, 1], dtype=int32)
    """
    if is_named(labels):
        # Without a graph, names can only be the numbers of the lines.
        labels = arranged(labels, range(len(keys_of(labels))), "vertex", "label")
    write_file(path, column(labels))


def read_weights(path: str | os.PathLike[str]) -> NDArray[Any]:
    """Read a file of vertex weights, one number a line.

    Blank lines and comments that start with % are passed over.

    Parameters
    ----------
    path : str or path-like
        The file, maybe gzip; ``"-"`` is standard input.

    Returns
    -------
    int64[number of lines] or float64[number of lines]
        int64 when every line is a whole number of 64 bits.

    Raises
    ------
    ParseError
        At the first line that is not one number.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w") as file:
    ...     _ = file.write("2\\n0.5\\n")
    ...     file.flush()
    ...     read_weights(file.name)
    array([2. , 0.5])
    """
    text = Text.of(read_source(path))
    columns = "the weight of one vertex"
    try:
        return read_table(text, [("weight", "i8")], _COMMENT, columns)["weight"]
    except ParseError:
        return read_table(text, [("weight", "f8")], _COMMENT, columns)["weight"]


def read_named_weights(path: str | os.PathLike[str]) -> dict[str, int | float]:
    """Read weights by name: a name and a number in each line, with a comma or a tab between them.

    A first line whose second field is no number names the columns. Names with a comma stand in quotes. Blank
    lines and lines of one field that start with # or % are passed over.

    Parameters
    ----------
    path : str or path-like
        The file, maybe gzip; ``"-"`` is standard input.

    Raises
    ------
    ParseError
        At the first line that is not a name and a weight, or has a name again.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w") as file:
    ...     _ = file.write("name,weight\\nnand_7,1.5\\nadder,12\\n")
    ...     file.flush()
    ...     read_named_weights(file.name)
    {'nand_7': 1.5, 'adder': 12}
    """
    text = Text.of(read_source(path))
    chars = text.decoded()
    delimiter = "\t" if "\t" in chars.partition("\n")[0] else ","
    reader = csv.reader(io.StringIO(chars), delimiter=delimiter, skipinitialspace=True, strict=True)
    weights: dict[str, int | float] = {}
    first = True
    while True:
        line = reader.line_num + 1
        try:
            row = [field.strip() for field in next(reader)]
        except StopIteration:
            return weights
        except csv.Error as error:
            raise text.error(line, f"a damaged line ({error})", "a name and a weight") from None
        if not any(row) or (len(row) == 1 and row[0].startswith(("#", "%"))):
            continue
        if first and len(row) == 2 and not is_number(row[1].encode(), "f"):
            first = False
            continue
        first = False
        if len(row) != 2 or not row[0]:
            raise text.error(
                line, show(delimiter.join(row).encode()), "a name and a weight, as in nand_7,1.5"
            )
        if row[0] in weights:
            raise text.error(line, f"the name {show(row[0].encode())} for the second time", "each name once")
        weights[row[0]] = weight_at(text, line, row[1])


def write_weights(path: str | os.PathLike[str], weights: ArrayLike) -> None:
    """Write a file of vertex weights, one number a line, whole or not at all.

    Parameters
    ----------
    path : str or path-like
        Where to; ``"-"`` is standard output. What was there stays if anything fails.
    weights : array_like of numbers, shape (n,)

    Raises
    ------
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_weights(f"{folder}/weights", [2, 7])
    ...     read_weights(f"{folder}/weights")
    array([2, 7])
    """
    write_file(path, column(weights))


def column(numbers: ArrayLike) -> bytes:
    """What a file of one number a line holds."""
    return "".join(f"{number}\n" for number in np.asarray(numbers).tolist()).encode("ascii")
