"""Opening and writing files, the same way for every format."""

from __future__ import annotations

import errno
import gzip
import os
import re
import secrets
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from dagpart.errors import ParseError

STREAM = "-"
"""The path that stands for standard input or standard output."""

_GZIP_MAGIC = b"\x1f\x8b"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# So many bytes, every other one zero, are no UTF-8 and no binary format that is read here.
_UTF16_PLAIN = re.compile(rb"([\t\n\r -~]\0){4}|(\0[\t\n\r -~]){4}")


@dataclass
class Source:
    """A file that was read: its name for messages, and what is in it, unpacked.

    With `once` the bytes are for one reader only, which may let go of them by `release`. `document` is the
    JSON object that the file holds, where it had to be parsed to tell the format.
    """

    name: str
    data: bytes
    once: bool = False
    document: dict[str, Any] | None = None

    def release(self) -> None:
        """Hold the bytes no longer than the reader does, if they are for one reader only."""
        if self.once:
            self.data = b""


def read_source(path: str | os.PathLike[str]) -> Source:
    """The whole of a file, unpacked when it is gzip.

    Gzip is told by its first two bytes, not by the suffix, so it works on standard input and on files that
    lost their ``.gz``.

    Parameters
    ----------
    path : str or path-like
        The file; ``"-"`` is standard input.

    Raises
    ------
    OSError
        The file is missing, is a directory, or may not be read.
    ParseError
        The gzip data is damaged or ends early, or the file is text in UTF-16.
    """
    name = os.fspath(path)
    if name == STREAM:
        name, data = "<stdin>", _standard(sys.stdin, "<stdin>").read()
    else:
        data = Path(name).read_bytes()
    if data.startswith(_GZIP_MAGIC):
        try:
            data = gzip.decompress(data)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ParseError(name, None, f"damaged gzip data ({error})", "a whole gzip file") from error
    refuse_utf16(name, data)
    return Source(name, data, once=True)


def refuse_utf16(name: str, data: bytes) -> None:
    """Name text in UTF-16, as a redirection of PowerShell writes it, for what it is.

    Raises
    ------
    ParseError
        The bytes start like such text.
    """
    if data.startswith(_UTF16_MARKS) or _UTF16_PLAIN.match(data):
        raise ParseError(
            name,
            1,
            "text in UTF-16, as PowerShell's > writes it",
            "UTF-8: save it as that, or convert it with iconv -f UTF-16 -t UTF-8",
        )


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file, whole or not at all; compressed where its name ends with ``.gz``.

    Parameters
    ----------
    path : str or path-like
        Where to; ``"-"`` is standard output.
    data : bytes

    Raises
    ------
    OSError
        The file cannot be written; what was there stays.
    """
    if os.fspath(path).lower().endswith(".gz"):
        # A time in the header would make every run differ.
        data = gzip.compress(data, mtime=0)
    with atomic_writer(path) as stream:
        stream.write(data)


@contextmanager
def atomic_writer(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary file that appears under `path` whole, or not at all.

    The bytes go to a new file in the same folder, which takes the place of `path` when the block ends without
    an exception; else it is removed and what was at `path` stays. A symbolic link is followed, the mode of
    an existing file is kept, and a device or pipe, which nothing can replace, is written to directly.

    Parameters
    ----------
    path : str or path-like
        Where the file is to appear; ``"-"`` is standard output.

    Yields
    ------
    file object
        Open for writing bytes.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    if os.fspath(path) == STREAM:
        yield _standard(sys.stdout, "<stdout>")
        return
    target, mode = _resolve(path)
    if mode is not None and not stat.S_ISREG(mode):
        with _naming(path), open(target, "wb") as stream:
            yield stream
        return
    temporary = _create_beside(target, path)
    with _naming(path, temporary):
        try:
            with open(temporary, "wb") as stream:
                yield stream
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise


def check_writable(path: str | os.PathLike[str]) -> None:
    """Find out before a long computation that its result could not be written.

    Parameters
    ----------
    path : str or path-like
        Where the result is to go. Nothing is changed there.

    Raises
    ------
    OSError
        A file there could not be written now, with the reason.
    """
    if os.fspath(path) == STREAM:
        _standard(sys.stdout, "<stdout>")
        return
    target, mode = _resolve(path)
    if mode is None or stat.S_ISREG(mode):
        os.unlink(_create_beside(target, path))


def _standard(stream: TextIO | None, name: str) -> BinaryIO:
    """The bytes of a standard stream, which a process may have been started without."""
    if stream is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), name)
    return stream.buffer


def _resolve(path: str | os.PathLike[str]) -> tuple[str, int | None]:
    """Where `path` leads, and the mode of the file there, None without one; OSError if it must stay."""
    target = os.path.realpath(path)
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return target, None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    # os.replace asks only for a writable folder, but a file made read-only on purpose is to stay.
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    return target, mode


def _create_beside(target: str, path: str | os.PathLike[str]) -> str:
    """A new empty file in the folder of `target`; opened plainly so that it gets the user's default mode."""
    temporary = os.path.join(os.path.dirname(target), f".dagpart-{secrets.token_hex(8)}.tmp")
    with _naming(path, temporary), open(temporary, "xb"):
        return temporary


@contextmanager
def _naming(path: str | os.PathLike[str], temporary: str | None = None) -> Iterator[None]:
    """Let an OSError speak of `path`, which the user asked for, in place of no file or the temporary one."""
    try:
        yield
    except OSError as error:
        if error.filename in (None, temporary):
            error.filename, error.filename2 = os.fspath(path), None
        raise
