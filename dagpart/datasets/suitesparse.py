"""Matrices of the SuiteSparse Matrix Collection, fetched when they are asked for.

T. A. Davis and Y. Hu, "The University of Florida Sparse Matrix Collection", ACM Transactions on
Mathematical Software 38(1), 2011. The environment variable ``DAGPART_SUITESPARSE`` may name a mirror.
"""

from __future__ import annotations

import csv
import difflib
import gzip
import os
import re
import tarfile
import zlib
from pathlib import Path
from typing import Any, NamedTuple

from dagpart._files import Source
from dagpart.datasets.download import fetch, is_kept
from dagpart.errors import DagpartError
from dagpart.io import matrix_market
from dagpart.io.formats import Loaded

SOURCE = "suitesparse"

_SERVER = "https://sparse.tamu.edu"
_INDEX = "files/ssstats.csv"
_NAME = re.compile(r"\w[\w.+-]*/(?P<matrix>\w[\w.+-]*)", re.ASCII)
_CHUNK = 2**20


class _Entry(NamedTuple):
    """What the index says of a matrix."""

    rows: int
    columns: int


def knows(name: str) -> bool:
    """Whether the name is for this module."""
    return name.partition(":")[0] == SOURCE


def names() -> tuple[str, ...]:
    """All square matrices of the collection, by its index, which is fetched once."""
    return tuple(f"{SOURCE}:{name}" for name, entry in _index().items() if entry.rows == entry.columns)


def load(name: str, **options: Any) -> Loaded:
    """Read a matrix out of the cache, after fetching it if it is not there or damaged."""
    path = name.partition(":")[2]
    matched = _NAME.fullmatch(path)
    if matched is None:
        raise DagpartError(f"{name}: a matrix is called {SOURCE}:GROUP/NAME, as in {SOURCE}:HB/west0479")
    archive = f"MM/{path}.tar.gz"
    if not is_kept(SOURCE, archive):
        _check_listed(path)
    matrix = matched["matrix"]
    data = fetch(SOURCE, _server(), archive, lambda file: _member(file, f"{matrix}/{matrix}.mtx"))
    return matrix_market.load(Source(name, data), **options)


def _server() -> str:
    return os.environ.get("DAGPART_SUITESPARSE") or _SERVER


def _index(again: bool = False) -> dict[str, _Entry]:
    return fetch(SOURCE, _server(), _INDEX, _read_index, again=again)


def _check_listed(matrix: str) -> None:
    """Find out before a large download that it would be for nothing."""
    entries = _index()
    if matrix not in entries:
        # It may be newer than the index that was fetched some time ago.
        entries = _index(again=True)
    if matrix not in entries:
        near = difflib.get_close_matches(matrix, entries, n=5)
        hint = f"; there is {', '.join(near)}" if near else ""
        raise DagpartError(f"the SuiteSparse Matrix Collection has no matrix {matrix}{hint}")
    rows, columns = entries[matrix]
    if rows != columns:
        raise DagpartError(
            f"{SOURCE}:{matrix} is a {rows} x {columns} matrix; only a square one is a graph, "
            "since row i and column i both stand for vertex i"
        )


def _read_index(path: Path) -> dict[str, _Entry]:
    """The index by GROUP/NAME; ValueError when the file is none, or not whole.

    The first line holds the number of matrices, the second one a date.
    """
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    entries = {}
    for row in rows[2:]:
        if len(row) < 4:
            raise ValueError(f"{row} is no line of the index")
        entries[f"{row[0]}/{row[1]}"] = _Entry(int(row[2]), int(row[3]))
    if not rows or not rows[0] or int(rows[0][0]) != len(entries):
        raise ValueError(f"the index does not list as many matrices as it says ({len(entries)})")
    return entries


def _member(path: Path, member: str) -> bytes:
    """One file of an archive; ValueError when the archive is damaged, or has no such file.

    Nothing is unpacked to the disk, so it does not matter where other members of the archive want to go.
    """
    try:
        with gzip.open(path) as stream:
            with tarfile.open(fileobj=stream, mode="r:") as archive:
                found = archive.getmember(member)
                file = archive.extractfile(found) if found.isreg() else None
                if file is None:
                    raise ValueError(f"{member} is no file in the archive")
                data = file.read()
            # The checksum stands at the end, and is looked at only by who reads that far.
            while stream.read(_CHUNK):
                pass
    except KeyError:
        raise ValueError(f"the archive has no {member}") from None
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise ValueError(f"the archive is damaged ({error})") from error
    return data
