"""Files that are fetched once, and checked by their hash whenever they are used again.

A server may publish no checksums: the hash of what was fetched first is kept beside it, and what is used
later, or fetched again, must be the same.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from dagpart._files import atomic_writer
from dagpart._optional import require
from dagpart.datasets import cache
from dagpart.errors import DownloadError

T = TypeVar("T")

# Seconds without an answer before a server is given up.
_TIMEOUT = 30
_HASH = re.compile(r"[0-9a-f]{64}")


def is_kept(source: str, file: str) -> bool:
    """Whether a file was fetched before and is as it was then."""
    path = _local(source, file)
    known = _known_hash(path)
    return known is not None and path.is_file() and _hash(path) == known


def fetch(source: str, server: str, file: str, read: Callable[[Path], T], *, again: bool = False) -> T:
    """What is in a file of a server; fetched if it is not in the cache, or damaged there.

    Parameters
    ----------
    source : str
        Folder of the cache.
    server : str
        URL without the file.
    file : str
        Path on the server and in the folder of the cache, with ``/``.
    read : callable
        From the file's path to what is in it; ValueError when it is not what it should be. Only a file
        that passed is put into the cache.
    again : bool
        Fetch it in any case; another hash than before is no error then.

    Raises
    ------
    MissingDependencyError
        The package that fetches is not installed.
    DownloadError
        The file could not be fetched, or is not what it should be.
    """
    path = _local(source, file)
    if not again and is_kept(source, file):
        return read(path)
    url = f"{server.rstrip('/')}/{file}"
    known = None if again else _known_hash(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    arrived = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        _download(url, arrived)
        found = _hash(arrived)
        if known not in (None, found):
            raise DownloadError(
                url,
                f"the file has another hash than when it was fetched first, {found} and not {known}; "
                f"to take it as it is now, remove {_record(path)}",
            )
        try:
            value = read(arrived)
        except ValueError as error:
            raise DownloadError(url, f"what came is not what was asked for: {error}") from error
        # First the hash: a file without one would never be looked at again.
        with atomic_writer(_record(path)) as stream:
            stream.write(found.encode())
        os.replace(arrived, path)
    finally:
        arrived.unlink(missing_ok=True)
    return value


def _local(source: str, file: str) -> Path:
    return cache.folder().joinpath(source, *file.split("/"))


def _record(path: Path) -> Path:
    """The file beside a file that holds its hash."""
    return path.with_name(f"{path.name}.sha256")


def _known_hash(path: Path) -> str | None:
    try:
        text = _record(path).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    return text if _HASH.fullmatch(text) else None


def _hash(path: Path) -> str:
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _download(url: str, path: Path) -> None:
    """Fetch a file, whole or not at all."""
    purpose = f"to fetch {url}"
    pooch = require("pooch", "datasets", purpose)
    exceptions = require("requests.exceptions", "datasets", purpose, package="pooch")
    try:
        with _quiet(pooch.get_logger()):
            pooch.retrieve(
                url,
                known_hash=None,
                fname=path.name,
                path=path.parent,
                downloader=pooch.HTTPDownloader(timeout=_TIMEOUT),
            )
    except exceptions.HTTPError as error:
        status = error.response.status_code
        missing = "the server has no such file" if status == 404 else f"the server refuses ({status})"
        raise DownloadError(url, missing) from error
    except exceptions.ChunkedEncodingError as error:
        raise DownloadError(url, "the download broke off; try again") from error
    except exceptions.Timeout as error:
        raise DownloadError(url, f"no answer within {_TIMEOUT} s; try again later") from error
    except exceptions.RequestException as error:
        reason = "the server cannot be reached; is there a connection to the internet?"
        raise DownloadError(url, reason) from error


@contextmanager
def _quiet(logger: Any) -> Iterator[None]:
    """Keep back hints for programmers that use pooch."""
    level = logger.level
    logger.setLevel("WARNING")
    try:
        yield
    finally:
        logger.setLevel(level)
