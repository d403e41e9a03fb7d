"""Where data sets are kept, and graphs that are made once and checked whenever they are used again."""

from __future__ import annotations

import hashlib
import io
import os
import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.io._files import atomic_writer

_ROWS = ("indptr", "indices")
_WEIGHTS = ("edge_weights", "vertex_weights")
_LONGEST_NAME = 80


def folder() -> Path:
    """The folder of all data sets: what ``DAGPART_CACHE`` says, else the system's place for caches.

    Examples
    --------
    >>> folder().is_absolute()
    True
    """
    told = os.environ.get("DAGPART_CACHE")
    return Path(told).absolute() if told else platformdirs.user_cache_path("dagpart", appauthor=False)


def digest(graph: Dag) -> str:
    """Hash (BLAKE2b, 128 bits) of a graph's rows and weights, the same on every machine.

    Examples
    --------
    >>> digest(Dag.from_edges([(0, 1)]))[:8]
    '90e94e01'
    """
    summed = hashlib.blake2b(digest_size=16)
    for name in (*_ROWS, *_WEIGHTS):
        array = getattr(graph, name)
        summed.update(len(array).to_bytes(8, "little"))
        summed.update(array.astype("<i8").tobytes())
    return summed.hexdigest()


def graph(name: str, make: Callable[[], Dag], published: str | None = None) -> Dag:
    """A graph out of the cache; made, and put there, when it is missing or damaged.

    Parameters
    ----------
    name : str
        Tells all graphs of this version of dagpart apart.
    make : callable
        Makes the graph.
    published : str, optional
        The `digest` that it must have.

    Raises
    ------
    DagpartError
        What was made is not what was published.
    """
    path = _path(name)
    kept = _read(path)
    if kept is not None and published in (None, digest(kept)):
        return kept
    made = make()
    found = digest(made)
    if published not in (None, found):
        raise DagpartError(f"{name} has the hash {found}, not {published}: this dagpart makes another graph")
    # Nothing is lost but time when there is no place to keep it.
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_writer(path) as stream:
            np.savez(stream, **_arrays(made, found))
    return made


def _path(name: str) -> Path:
    from dagpart import __version__

    # The readable part is for people; the hash tells names apart that differ in other characters or late.
    readable = re.sub(r"[^\w.=-]", "_", name)[:_LONGEST_NAME]
    hashed = hashlib.sha256(name.encode()).hexdigest()[:16]
    return folder() / "generated" / __version__ / f"{readable}-{hashed}.npz"


def _arrays(graph: Dag, digest: str) -> dict[str, Any]:
    """What a file holds: weights are left out where all are 1."""
    arrays = {name: getattr(graph, name) for name in (*_ROWS, *_WEIGHTS)}
    kept = {name: array for name, array in arrays.items() if name in _ROWS or (array != 1).any()}
    return {**kept, "digest": np.array(digest)}


def _read(path: Path) -> Dag | None:
    """The graph in a file of the cache, None when there is none or it is not as it was written."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            indptr, indices = (arrays[name] for name in _ROWS)
            edge_weights, vertex_weights = (arrays.get(name) for name in _WEIGHTS)
            written = str(arrays["digest"])
        kept = Dag.from_csr(indptr, indices, edge_weights, vertex_weights=vertex_weights)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return kept if digest(kept) == written else None
