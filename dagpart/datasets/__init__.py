"""Graphs by name: those of the literature, made on demand, and matrices fetched on request.

A name starts with what gives the graph; parameters follow, each after a colon:

``polybench:2mm``, ``polybench:2mm:ni=20:weights=cost``
    Every operation of a PolyBench kernel (`dagpart.generate.polybench`), by default of the size in papers.
``grid2d:rows=500:order=random``
    What a generator of `dagpart.generate` makes.
``family:fft_13``
    A member of a family that one number tells apart; ``datasets/make.py`` writes the same as files.
``suitesparse:HB/west0479``
    A matrix of the SuiteSparse Matrix Collection, fetched once; needs ``pip install "dagpart[datasets]"``.

Such names stand for graphs wherever a path does, on the command line, too; a real file of that name wins.
What was made or fetched is kept in the folder that the environment variable ``DAGPART_CACHE`` names, by
default the place of the system for caches, and checked by its hash when it is used again. The whole folder
may be removed at any time.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from dagpart.dag import Digraph
from dagpart.datasets import generated, suitesparse
from dagpart.errors import DagpartError
from dagpart.io.formats import Loaded

__all__ = ["is_name", "list", "load", "resolve"]


class _Source(Protocol):
    """What a module that gives graphs has."""

    def knows(self, name: str) -> bool: ...
    def load(self, name: str, **options: Any) -> Loaded: ...


_SOURCES: Final[tuple[_Source, ...]] = (generated, suitesparse)


def is_name(text: str) -> bool:
    """Whether a text starts as the name of a data set does; the rest may be wrong.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> is_name("polybench:2mm"), is_name("graph.mtx")
    (True, False)
    """
    return any(source.knows(text) for source in _SOURCES)


def load(name: str, **options: Any) -> Digraph:
    """Load a data set.

    Parameters
    ----------
    name : str
        See the documentation of this module.
    **options
        For a matrix that is fetched, those of `dagpart.io.matrix_market.load`; generated graphs have none.

    Returns
    -------
    Dag or Digraph
        A `Dag` unless a fetched matrix has cycles and was asked for as it stands.

    Raises
    ------
    DagpartError
        There is no such data set, or it does not take a parameter or an option.
    MissingDependencyError
        A matrix is to be fetched, and the package for it is not installed.
    DownloadError
        A matrix could not be fetched.

    Examples
    --------
    >>> load("polybench:2mm")
    Dag(n=36500, m=62200)
    >>> load("grid2d:rows=3:columns=4")
    Dag(n=12, m=17)
    """
    return resolve(name, **options).graph


def resolve(name: str, **options: Any) -> Loaded:
    """Load a data set, and say how it was read.

    Parameters, Raises
        As for `load`.

    Returns
    -------
    Loaded

    Examples
    --------
    >>> resolve("family:fft_3").format
    'generated'
    """
    for source in _SOURCES:
        if source.knows(name):
            return source.load(name, **options)
    raise DagpartError(
        f"there is no data set {name!r}; names are like polybench:2mm, grid2d:rows=500, family:fft_13 or "
        "suitesparse:HB/west0479, and dagpart.datasets.list() has more"
    )


def list(source: str | None = None) -> tuple[str, ...]:
    """Names of data sets.

    Parameters
    ----------
    source : {"polybench", "family", "suitesparse"}, optional
        What gives the graphs. "suitesparse" needs its index, which is fetched once. Default: all that are
        made here. Generators take any parameters, so no list has all names.

    Returns
    -------
    tuple of str

    Raises
    ------
    DagpartError
        There is no such source, or the index could not be fetched.

    Examples
    --------
    >>> list("polybench")[:2]
    ('polybench:2mm', 'polybench:3mm')
    """
    if source == suitesparse.SOURCE:
        return suitesparse.names()
    made = generated.names()
    if source is None:
        return made
    chosen = tuple(name for name in made if name.startswith(f"{source}:"))
    if not chosen:
        known = sorted({name.partition(":")[0] for name in made} | {suitesparse.SOURCE})
        raise DagpartError(f"no data sets come from {source!r}; the sources are {', '.join(known)}")
    return chosen
