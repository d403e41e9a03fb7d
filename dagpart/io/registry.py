"""The registry of formats, and reading and writing by it."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, TypeGuard

from numpy.typing import ArrayLike

from dagpart import _providers
from dagpart._files import STREAM, Source, check_writable, read_source, write_file
from dagpart._json import parse_json
from dagpart._text import UTF8_MARK, Text
from dagpart.dag import Digraph
from dagpart.errors import DagpartError, DirectionWarning, ParseError, WeightError
from dagpart.io import dot
from dagpart.io._direction import tool_of
from dagpart.io.building import text_names
from dagpart.io.formats import Format, Loaded
from dagpart.io.names import MODULES
from dagpart.io.parts import read_named_weights
from dagpart.io.results import quotient_picture

__all__ = [
    "FORMATS",
    "Source",
    "format_of",
    "load",
    "quotient_writer",
    "read",
    "write",
    "write_quotient",
    "writer",
]

FORMATS: tuple[Format, ...] = tuple(
    import_module(f"dagpart.io.{module}").FORMAT for module in MODULES.values()
)
"""Every format there is a reader for; of two with one suffix the last is taken, if no signature decides."""

# What readers of circuits have words for; any other is a file.
_WORDS_FOR_WEIGHTS = ("gates", "all")
# As far as a document may describe itself before it comes to the point.
_HEAD = 2**16


def read(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    vertex_weights: ArrayLike | None = None,
    weights: str | os.PathLike[str] | Mapping[str, float] | None = None,
    reverse: bool = False,
    **options: Any,
) -> Digraph:
    """Read a graph from a file, or load a data set.

    Parameters
    ----------
    path : str or path-like
        The file, maybe gzip; ``"-"`` is standard input. A str that is no file may name a data set of
        `dagpart.datasets`, as ``"polybench:2mm"`` does.
    format : str, optional
        Name of the format. Default: told by the file's suffix, else by how the file starts.
    vertex_weights : array_like, shape (n,), optional
        Default: what the file says, or 1 each.
    weights : {"gates", "all"}, path-like or mapping, optional
        Of vertices, by name: a mapping, or a file with a name and a number in each line, separated by a comma
        (`dagpart.io.read_named_weights`); vertices that it does not name weigh 1. For circuits also
        "gates", where inputs of the circuit weigh 0, and "all" (the default), where they weigh 1 as gates do.
    reverse : bool
        Turn every edge round, for files whose edges point to what a task needs.
    **options
        The format's own; for Matrix Market those of `dagpart.io.matrix_market.load`: ``as_``, ``index_base``,
        ``zeros``, ``edge_weights``. Every format takes ``edge_weights="unit"``, for 1 each.

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

    Warns
    -----
    DirectionWarning
        The file holds a lower triangle, which is read as an adjacency unless ``as_="lower"`` says that it is
        a solve; `load` has this among its notes.

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
    loaded = load(path, format, vertex_weights=vertex_weights, weights=weights, reverse=reverse, **options)
    for doubt in loaded.doubts:
        warnings.warn(f"{os.fspath(path)}: {doubt}", DirectionWarning, stacklevel=2)
    return loaded.graph


def load(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    vertex_weights: ArrayLike | None = None,
    weights: str | os.PathLike[str] | Mapping[str, float] | None = None,
    reverse: bool = False,
    **options: Any,
) -> Loaded:
    """Read a graph from a file, or load a data set, and say how it was read.

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
    if weights is not None and vertex_weights is not None:
        raise DagpartError("weights= and vertex_weights= both give the weights of vertices: leave out one")
    if isinstance(weights, str) and weights in _WORDS_FOR_WEIGHTS:
        options, weights = {**options, "weights": weights}, None
    if _is_dataset(path):
        if format is not None:
            raise DagpartError(f"{path} is a data set and has no format: leave out format= (--format)")
        loaded: Loaded = _providers.load_named(path, **options)
    else:
        loaded = _load_file(path, format, options)
    graph = loaded.graph.reverse() if reverse else loaded.graph
    # Who asks for the reverse has seen which way edges run.
    doubts = () if reverse else loaded.doubts
    notes = loaded.notes + doubts
    if vertex_weights is not None:
        graph = graph.with_weights(vertex_weights=vertex_weights)
    if weights is not None:
        graph, unnamed = _weigh_by_name(graph, weights)
        if unnamed:
            notes += (f"vertices without a weight by name, taken to weigh 1: {unnamed}",)
    tool = None if reverse else loaded.reversed_by or tool_of(graph.names or ())
    if tool is not None:
        notes += (
            f"names as {tool} gives them, whose edges point at what is needed: --reverse turns them round",
        )
    return replace(loaded, graph=graph, notes=notes, doubts=doubts)


def write(graph: Digraph, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write a graph to a file, whole or not at all.

    `read` gives back all that the format has a place for; `Format.losses` says what it has none for.

    Parameters
    ----------
    graph : Digraph
    path : str or path-like
        Where to; ``"-"`` is standard output. A name that ends with ``.gz`` is compressed. What was there
        stays if anything fails.
    format : str, optional
        Name of the format. Default: told by the file's suffix.

    Raises
    ------
    DagpartError
        The format is not known, or only read.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from dagpart import Dag
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(Dag.from_edges([(0, 1), (1, 2)]), f"{folder}/chain.mtx.gz")
    ...     read(f"{folder}/chain.mtx.gz")
    Dag(n=3, m=2)
    """
    write_file(path, writer(path, format)(graph))


def writer(path: str | os.PathLike[str], format: str | None = None) -> Callable[[Digraph], bytes]:
    """What makes the bytes of the file that `write` would write, before compression.

    Lets one find out before a long computation that its result could not be written.

    Parameters, Raises
        As for `write`; nothing is changed at `path`.

    Examples
    --------
    >>> from dagpart import Dag
    >>> writer("chain.mtx")(Dag.from_edges([(0, 1)])).split()[-2:]
    [b'1', b'2']
    """
    chosen = format_of(path, format)
    assert chosen.dump is not None
    check_writable(path)
    ends = (_plain(os.fspath(path)), f".{(format or '').lower().removeprefix('.')}")
    dialects = (dump for suffix, dump in chosen.dialects.items() if any(end.endswith(suffix) for end in ends))
    return next(dialects, chosen.dump)


def write_quotient(path: str | os.PathLike[str], quotient: Digraph, format: str | None = None) -> None:
    """Write the graph of parts, whole or not at all: a picture in DOT, or any other format as `write` does.

    Parameters
    ----------
    path : str or path-like
        ``.dot`` and ``.gv`` show each part in the colour that `write_partition` gives it, with its weight,
        and the weights along the edges.
    quotient : Digraph
        As `dagpart.metrics.quotient` makes it: vertex i is part i.
    format : str, optional
        As for `write`.

    Raises
    ------
    DagpartError, OSError
        As for `write`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from dagpart import Dag
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_quotient(f"{folder}/parts.dot", Dag.from_edges([(0, 1, 5)]))
    ...     print(Path(folder, "parts.dot").read_text().splitlines()[4])
      0 -> 1 [weight="5", label="5"];
    """
    write_file(path, quotient_writer(path, format)(quotient))


def quotient_writer(path: str | os.PathLike[str], format: str | None = None) -> Callable[[Digraph], bytes]:
    """What makes the bytes of the file that `write_quotient` would write, before compression.

    Parameters, Raises
        As for `write_quotient`; nothing is changed at `path`.

    Examples
    --------
    >>> from dagpart import Dag
    >>> b"fillcolor" in quotient_writer("parts.gv")(Dag.from_edges([(0, 1)]))
    True
    """
    plain = writer(path, format)
    return quotient_picture if plain is dot.dump else plain


def format_of(path: str | os.PathLike[str], format: str | None = None) -> Format:
    """The format in which a file of this name is written.

    Parameters, Raises
        As for `write`.

    Examples
    --------
    >>> format_of("chain.json").name
    'node-link'
    """
    name = os.fspath(path)
    written = [format for format in FORMATS if format.dump is not None]
    candidates = (_by_name(format),) if format is not None else _by_suffix(name)
    if not candidates:
        suffixes = ", ".join(suffix for format in written for suffix in format.suffixes)
        raise DagpartError(
            f"{name}: the suffix tells no format to write; there is {suffixes}, each maybe with .gz"
        )
    chosen = next((format for format in candidates if format.dump is not None), None)
    if chosen is None:
        names = ", ".join(format.name for format in written)
        raise DagpartError(
            f"{name}: the format {candidates[0].name} is only read; what is written is {names}"
        )
    return chosen


def _weigh_by_name(
    graph: Digraph, weights: str | os.PathLike[str] | Mapping[str, float]
) -> tuple[Digraph, int]:
    """The graph with weights that are given by name, and how many vertices are not among them."""
    named = weights if isinstance(weights, Mapping) else read_named_weights(weights)
    position = {name: place for place, name in enumerate(text_names(graph))}
    known: list[float] = [1] * graph.n
    for name, weight in named.items():
        if str(name) not in position:
            raise DagpartError(f"no vertex is called {str(name)!r}, which has a weight: leave it out")
        known[position[str(name)]] = weight
    return graph.with_weights(vertex_weights=known), graph.n - len(named)


def _is_dataset(path: str | os.PathLike[str]) -> TypeGuard[str]:
    """Whether this names a data set and not a file; a real file of that name wins."""
    if not isinstance(path, str) or path == STREAM or os.path.lexists(path):
        return False
    return bool(_providers.names_a_graph(path))


def _load_file(path: str | os.PathLike[str], format: str | None, options: dict[str, Any]) -> Loaded:
    name = os.fspath(path)
    candidates = (_by_name(format),) if format is not None else _by_suffix(name, foreign=True)
    source = read_source(path)
    chosen = candidates[0] if len(candidates) == 1 else _by_signature(source, candidates)
    known = list(inspect.signature(chosen.load).parameters)[1:]
    # Where all edges have the weight that the file gives them there is one thing to say about it.
    unit = options.get("edge_weights") == "unit" and "edge_weights" not in known
    if options.get("edge_weights", "values") in ("unit", "values", None):
        options = {key: value for key, value in options.items() if key != "edge_weights" or key in known}
    for option in options:
        if option not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise DagpartError(f"the format {chosen.name} has no option {option}; {has}")
    try:
        loaded = chosen.load(source, **options)
    except ParseError as error:
        if format is not None or not _plain(name).endswith(chosen.foreign):
            raise
        # What such a name stands for is a guess, and may be wrong.
        wanted = (
            f'{error.expected}; or another format than {chosen.name}: a list of edges is format="edge-list"'
        )
        raise ParseError(error.path, error.line, error.found, f"{wanted} (--format edge-list)") from None
    except WeightError as error:
        # A sum that is too large belongs to no line.
        raise WeightError(f"{source.name}: {error}") from None
    return replace(loaded, graph=loaded.graph.with_weights(edge_weights="unit")) if unit else loaded


def _by_name(name: str) -> Format:
    for format in FORMATS:
        if name.lower() in (format.name, *format.suffixes, *(suffix[1:] for suffix in format.suffixes)):
            return format
    raise DagpartError(f"no format is called {name!r}; there is {_names()}")


def _by_suffix(path: str, *, foreign: bool = False) -> tuple[Format, ...]:
    """The formats that the suffix may stand for; with `foreign` also where it is too common to be written."""
    plain = _plain(path)
    return tuple(
        format
        for format in FORMATS
        if plain.endswith(format.suffixes) or (foreign and plain.endswith(format.foreign))
    )


def _plain(path: str) -> str:
    """The name whose end tells the format."""
    return path.lower().removesuffix(".gz")


def _by_signature(source: Source, candidates: tuple[Format, ...]) -> Format:
    """The format that a file starts like, of those that its suffix leaves; the last of these by default.

    JSON is told apart by the members of the object that it is: what stands deeper may be called anything.
    """
    start = source.data[:_HEAD].removeprefix(UTF8_MARK).lstrip().lower()
    for format in candidates or FORMATS:
        if format.signature is not None and format.signature(start):
            return format
    documents = [format for format in candidates or FORMATS if format.members is not None]
    if documents and start.startswith(b"{"):
        found = parse_json(Text.of(source), source)
        for format in documents:
            assert format.members is not None
            if format.members(found):
                return format
    if candidates:
        return candidates[-1]
    raise DagpartError(
        f"{source.name}: neither the suffix nor the first line tells the format; "
        f"name it with format= (--format): {_names()}"
    )


def _names() -> str:
    return ", ".join(format.name for format in FORMATS)
