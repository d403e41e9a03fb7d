"""Reading graphs from files: one module a format, one registry."""

from __future__ import annotations

import inspect
import os
from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from dagpart.dag import Digraph
from dagpart.errors import DagpartError
from dagpart.io import matrix_market
from dagpart.io._files import Source, read_source
from dagpart.io._formats import Format, Loaded
from dagpart.io.parts import read_parts, write_parts

__all__ = ["FORMATS", "Format", "Loaded", "Source", "load", "read", "read_parts", "write_parts"]

FORMATS: tuple[Format, ...] = (matrix_market.FORMAT,)
"""Every format there is a reader for."""

_HEAD = 1024


def read(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    vertex_weights: ArrayLike | None = None,
    reverse: bool = False,
    **options: Any,
) -> Digraph:
    """Read a graph from a file.

    Parameters
    ----------
    path : str or path-like
        The file, maybe gzip; ``"-"`` is standard input.
    format : str, optional
        Name of the format. Default: told by the file's suffix, else by how the file starts.
    vertex_weights : array_like, shape (n,), optional
        Default: what the file says, or 1 each.
    reverse : bool
        Turn every edge round, for files whose edges point to what a task needs.
    **options
        The format's own; for Matrix Market those of `dagpart.io.matrix_market.load`: ``as_``, ``index_base``,
        ``zeros``, ``edge_weights``.

    Returns
    -------
    Dag or Digraph
        A `Dag` unless the file holds a graph with cycles and was asked for as it stands.

    Raises
    ------
    ParseError
        The file does not hold what its format asks for; names file and line.
    DagpartError
        The format is not known, or does not take an option.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = f"{folder}/chain.mtx"
    ...     with open(path, "w") as file:
    ...         _ = file.write("%%MatrixMarket matrix coordinate pattern general\\n3 3 2\\n1 2\\n2 3\\n")
    ...     read(path)
    Dag(n=3, m=2)
    """
    return load(path, format, vertex_weights=vertex_weights, reverse=reverse, **options).graph


def load(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    vertex_weights: ArrayLike | None = None,
    reverse: bool = False,
    **options: Any,
) -> Loaded:
    """Read a graph from a file, and say how it was read.

    Parameters, Raises
        As for `read`.

    Returns
    -------
    Loaded
        The graph, the format's name, which reading was used where there are several, and notes.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".mtx") as file:
    ...     _ = file.write("2 1 5.0\\n")
    ...     file.flush()
    ...     load(file.name).notes[1]
    'no size line: the largest id is taken for the last vertex'
    """
    name = os.fspath(path)
    chosen = _by_name(format) if format is not None else _by_suffix(name)
    source = read_source(path)
    chosen = chosen or _by_signature(source)
    known = list(inspect.signature(chosen.load).parameters)[1:]
    for option in options:
        if option not in known:
            raise DagpartError(f"the format {chosen.name} has no option {option}; it has {', '.join(known)}")
    loaded = chosen.load(source, **options)
    graph = loaded.graph.reverse() if reverse else loaded.graph
    if vertex_weights is not None:
        graph = graph.with_weights(vertex_weights=vertex_weights)
    return replace(loaded, graph=graph)


def _by_name(name: str) -> Format:
    for format in FORMATS:
        if name.lower() in (format.name, *format.suffixes, *(suffix[1:] for suffix in format.suffixes)):
            return format
    raise DagpartError(f"no format is called {name!r}; there is {_names()}")


def _by_suffix(path: str) -> Format | None:
    plain = path.lower().removesuffix(".gz")
    return next((format for format in FORMATS if plain.endswith(format.suffixes)), None)


def _by_signature(source: Source) -> Format:
    start = source.data[:_HEAD].lstrip().lower()
    for format in FORMATS:
        if format.signature is not None and start.startswith(format.signature):
            return format
    raise DagpartError(
        f"{source.name}: neither the suffix nor the first line tells the format; "
        f"name it with format= (--format): {_names()}"
    )


def _names() -> str:
    return ", ".join(format.name for format in FORMATS)
