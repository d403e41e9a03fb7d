"""Text of numbers: lines, fields and tables, with the line named when something is wrong."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dagpart._files import Source, refuse_utf16
from dagpart.errors import ParseError

UTF8_MARK = b"\xef\xbb\xbf"
"""What some editors put in front of a text; it is none of it."""

_WHOLE = re.compile(rb"[+-]?[0-9]+")
_KIND_NAMES = {"i": "a whole number of 64 bits", "f": "a number"}
# No number is longer; Python itself refuses to convert thousands of digits.
_LONGEST = 1000
_SHOWN = 40


@dataclass(frozen=True)
class Text:
    """The text of one file, or what is left of it after a line that has been dealt with.

    Attributes
    ----------
    name : str
        The file's name for messages.
    data : bytes
        The text of the whole file, every line end a ``\\n``.
    start, line : int
        Where in `data` this text begins, and the number of the line that begins there.
    """

    name: str
    data: bytes
    start: int = 0
    line: int = 1

    @classmethod
    def of(cls, source: Source) -> Text:
        """The text of a file; line ends of every system are made alike, which keeps the line numbers.

        Raises
        ------
        ParseError
            The text is in UTF-16.
        """
        refuse_utf16(source.name, source.data)
        data = source.data.removeprefix(UTF8_MARK)
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return cls(source.name, data)

    def lines(self) -> Iterator[tuple[int, int, bytes]]:
        """Each line's number, the place in `data` where the next one starts, and its bytes."""
        start, number = self.start, self.line
        while start < len(self.data):
            end = self.data.find(b"\n", start)
            end = len(self.data) if end < 0 else end
            yield number, end + 1, self.data[start:end]
            start, number = end + 1, number + 1

    def rest(self, start: int, line: int) -> Text:
        """The text from the place `start` on, where line number `line` begins."""
        return replace(self, start=start, line=line)

    @property
    def last_line(self) -> int:
        """Number of the last line that holds anything."""
        return 1 + self.data.rstrip().count(b"\n")

    def line_of(self, word: str) -> int | None:
        """Number of the first line that holds a word, for formats whose readers keep no lines."""
        place = self.data.find(word.encode("utf-8", "surrogatepass"))
        return None if place < 0 else 1 + self.data.count(b"\n", 0, place)

    def decoded(self) -> str:
        """The whole text as characters.

        Raises
        ------
        ParseError
            Some bytes are no UTF-8.
        """
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            line = 1 + self.data.count(b"\n", 0, error.start)
            found = show(self.data[error.start : error.start + 8])
            raise self.error(line, found, "text in UTF-8") from None

    def error(self, line: int | None, found: str, expected: str) -> ParseError:
        """The error to raise for a line."""
        return ParseError(self.name, line, found, expected)


def show(data: bytes) -> str:
    """A piece of a file for a message: one line, not too long, nothing that upsets a terminal."""
    text = repr(data[:_SHOWN].decode("utf-8", "backslashreplace"))
    return text if len(data) <= _SHOWN and len(text) <= _SHOWN else text[: _SHOWN - 4] + "...'"


def data_lines(text: Text, comment: bytes) -> Iterator[tuple[int, int, list[bytes]]]:
    """The lines that hold data, split into fields; comments and blank lines are passed over.

    Yields
    ------
    line, next_start, fields : int, int, list of bytes
        The line's number, the place in ``text.data`` where the next line starts, and its fields.
    """
    for line, following, content in text.lines():
        fields = content.partition(comment)[0].split()
        if fields:
            yield line, following, fields


def read_table(text: Text, dtype: npt.DTypeLike, comment: bytes, columns: str) -> npt.NDArray[Any]:
    """The whole text as a table of numbers, one row a line.

    `numpy.loadtxt` does the reading. It is strict (a field is a number from end to end) and takes memory for
    what stands in the text only, whatever a header claims.

    Parameters
    ----------
    text : Text
        What to read.
    dtype : dtype
        A structured type of ``i8`` and ``f8`` fields, one a column.
    comment : bytes
        What starts a comment, anywhere in a line.
    columns : str
        What a line should hold, for messages.

    Returns
    -------
    structured array, shape (rows,)

    Raises
    ------
    ParseError
        At the first line that has another number of fields or a field that is no such number.
    """
    dtype = np.dtype(dtype)
    if next(data_lines(text, comment), None) is None:
        return np.empty(0, dtype)
    stream = BytesIO(text.data)
    stream.seek(text.start)
    try:
        with warnings.catch_warnings():
            # Older NumPy takes 2.7 for the integer 2 and only warns.
            warnings.simplefilter("error")
            return np.loadtxt(stream, dtype, comments=comment.decode(), encoding="latin-1", ndmin=1)
    except (ValueError, Warning) as error:
        raise _first_fault(text, dtype, comment, columns, error) from None


class Ragged(NamedTuple):
    """Lines of whole numbers, of any length each: line i holds ``values[start[i]:start[i + 1]]``."""

    lines: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    values: npt.NDArray[np.int64]


def read_ragged(text: Text, comment: bytes, columns: str, *, blanks: bool = False) -> Ragged:
    """The whole text as lines of whole numbers; takes memory for what stands in the text only.

    Parameters
    ----------
    text : Text
        What to read.
    comment : bytes
        What starts a comment, anywhere in a line.
    columns : str
        What the numbers are, for messages.
    blanks : bool
        Whether a blank line is a line without numbers; a line that holds only a comment is none.

    Raises
    ------
    ParseError
        At the first field that is no whole number of 64 bits.
    """
    lines: list[int] = []
    counts: list[int] = []
    fields: list[bytes] = []
    for line, _, content in text.lines():
        found, marked, _ = content.partition(comment)
        row = found.split()
        if row or (blanks and not marked):
            lines.append(line)
            counts.append(len(row))
            fields += row
    start = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    return Ragged(np.array(lines, dtype=np.int64), start, _integers(text, lines, start, fields, columns))


def _integers(
    text: Text, lines: list[int], start: npt.NDArray[np.int64], fields: list[bytes], columns: str
) -> npt.NDArray[np.int64]:
    with suppress(ValueError, OverflowError):
        # int() takes 1_000 as well.
        if b"_" not in text.data:
            return np.array(list(map(int, fields)), dtype=np.int64)
    numbers = [whole(field) for field in fields]
    for place, number in enumerate(numbers):
        if number is None:
            row = int(np.searchsorted(start, place, side="right")) - 1
            raise text.error(lines[row], show(fields[place]), f"{_KIND_NAMES['i']} in {columns}")
    return np.array(numbers, dtype=np.int64)


def whole(field: bytes) -> int | None:
    """The integer that the field is, if it is one of 64 bits."""
    if len(field) > _LONGEST or not _WHOLE.fullmatch(field):
        return None
    value = int(field)
    return value if -(2**63) <= value < 2**63 else None


def row_line(text: Text, row: int, comment: bytes) -> int:
    """Line number of a row of the table, for a message about it."""
    line, _, _ = next(islice(data_lines(text, comment), row, None))
    return line


def _first_fault(
    text: Text, dtype: np.dtype[Any], comment: bytes, columns: str, error: Exception
) -> ParseError:
    """The error for the first line that `numpy.loadtxt` refuses; `error` is what it said itself."""
    assert dtype.names is not None
    kinds = [dtype[name].kind for name in dtype.names]
    for line, _, fields in data_lines(text, comment):
        if len(fields) != len(kinds):
            found = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
            return text.error(line, found, f"{len(kinds)}: {columns}")
        for field, kind in zip(fields, kinds, strict=True):
            if not is_number(field, kind):
                return text.error(line, show(field), f"{_KIND_NAMES[kind]} in {columns}")
    return text.error(text.line, f"text that NumPy refuses ({error})", columns)


def is_number(field: bytes, kind: str) -> bool:
    """Whether `numpy.loadtxt` takes the field for a column of kind "i" (64 bits) or "f"."""
    if kind == "i":
        return whole(field) is not None
    if len(field) > _LONGEST:
        return False
    try:
        float(field)
    except ValueError:
        return False
    return b"_" not in field
