"""Where data sets are kept, and graphs that are made once and checked whenever they are used again."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from dagpart._files import atomic_writer
from dagpart._version import __version__
from dagpart.dag import Dag, Dropped
from dagpart.errors import DagpartError

_ROWS = ("indptr", "indices")
_WEIGHTS = ("edge_weights", "vertex_weights")
_HASH_BYTES = 16
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
    summed = _hash()
    for name in (*_ROWS, *_WEIGHTS):
        array = getattr(graph, name)
        summed.update(len(array).to_bytes(8, "little"))
        summed.update(array.astype("<i8").tobytes())
    return summed.hexdigest()


def graph(name: str, make: Callable[[], Dag], published: str | None = None) -> Dag:
    """A graph out of the cache; made, and put there if a file can hold it, when it is missing or damaged.

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
    if published not in (None, digest(made)):
        raise DagpartError(
            f"{name} has the hash {digest(made)}, not {published}: this dagpart makes another graph"
        )
    if _fits(made):
        # Nothing is lost but time when there is no place to keep it.
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_writer(path) as stream:
                stream.write(_dump(made))
    return made


def _path(name: str) -> Path:
    # The readable part is for people; the hash tells names apart that differ in other characters or late.
    readable = re.sub(r"[^\w.=-]", "_", name)[:_LONGEST_NAME]
    hashed = hashlib.sha256(name.encode()).hexdigest()[:16]
    return folder() / "generated" / __version__ / f"{readable}-{hashed}.graph"


def _fits(graph: Dag) -> bool:
    """Whether a file holds all there is to a graph: no names, scales or notes on how it came about."""
    plain = graph.names is None and graph.weight_scale == graph.vertex_weight_scale == 1.0
    return plain and graph.dropped == Dropped()


def _dump(graph: Dag) -> bytes:
    """A graph for a file: the hash of what follows, then the arrays; weights are left out where all are 1."""
    arrays: dict[str, Any] = {name: getattr(graph, name) for name in _ROWS}
    arrays |= {name: getattr(graph, name) for name in _WEIGHTS if (getattr(graph, name) != 1).any()}
    out = io.BytesIO()
    np.savez(out, **arrays)
    data = out.getvalue()
    return _hash(data).digest() + data


def _read(path: Path) -> Dag | None:
    """The graph in a file of the cache, None when there is none or it is not as it was written."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    written, data = content[:_HASH_BYTES], content[_HASH_BYTES:]
    if _hash(data).digest() != written:
        return None
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        indptr, indices = (arrays[name] for name in _ROWS)
        edge_weights, vertex_weights = (arrays.get(name) for name in _WEIGHTS)
    return Dag.from_csr(indptr, indices, edge_weights, vertex_weights=vertex_weights)


def _hash(data: bytes = b"") -> hashlib.blake2b:
    return hashlib.blake2b(data, digest_size=_HASH_BYTES)
