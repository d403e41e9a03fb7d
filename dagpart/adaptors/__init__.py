"""Graphs in the objects of other libraries: in, and the labels back in their own terms.

`dagpart.partition` and all constructors take these objects as they are; `write_back` gives the labels back
as an attribute, a dict, a function or a table, whatever the library works with; `build` makes an object of a
`Digraph`. No library is imported before one of its objects is asked for.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from dagpart._arguments import check_choice
from dagpart._entries import Held
from dagpart._optional import require
from dagpart.adaptors import _dask, _igraph, _networkx, _onnx, _pandas, _rustworkx, _torch
from dagpart.adaptors._adaptor import Adaptor, names_of
from dagpart.errors import DagpartError

if TYPE_CHECKING:
    from dagpart.dag import Digraph
    from dagpart.search.result import Partition

__all__ = ["ADAPTORS", "Adaptor", "Held", "build", "find", "write_back"]

ADAPTORS: tuple[Adaptor, ...] = (
    _networkx.ADAPTOR,
    _rustworkx.ADAPTOR,
    _igraph.ADAPTOR,
    _dask.ADAPTOR,
    _torch.ADAPTOR,
    _onnx.ADAPTOR,
    _pandas.ADAPTOR,
)
"""Every library there is an adaptor for."""


def find(graph: object) -> Adaptor | None:
    """The adaptor for an object, or None.

    Examples
    --------
    >>> import networkx as nx
    >>> find(nx.DiGraph()).package, find([(0, 1)])
    ('networkx', None)
    """
    for adaptor in ADAPTORS:
        # Whoever holds an object of a library has imported the library.
        library = sys.modules.get(adaptor.package)
        if library is not None and adaptor.holds(library, graph):
            return adaptor
    return None


def write_back(graph: Any, result: Partition, attribute: str = "part") -> Any:
    """The labels of a partition in the terms of the object that was partitioned.

    Parameters
    ----------
    graph : object
        What `dagpart.partition` was given.
    result : Partition
        What it gave.
    attribute : str
        Name of the attribute or column that holds the parts.

    Returns
    -------
    object
        - NetworkX, igraph: the graph itself, whose nodes now have the attribute.
        - rustworkx: a dict from node index to part.
        - Dask: a dict from key to part.
        - torch.fx: a function from node to part, as `torch.fx.passes.split_module.split_module` takes.
        - ONNX: a model for each part, in an order in which they can run (`dagpart.io.onnx_model.split`).
        - pandas: a Series of parts, whose index are the vertices.

    Raises
    ------
    DagpartError
        The object is of none of these libraries, or is not the one that was partitioned: then nothing was
        written to it.

    Examples
    --------
    >>> import networkx as nx
    >>> import dagpart
    >>> G = nx.DiGraph([("load", "left"), ("load", "right"), ("left", "join"), ("right", "join")])
    >>> G = write_back(G, dagpart.partition(G, 2))
    >>> G.nodes["load"]["part"] <= G.nodes["join"]["part"]
    True
    """
    adaptor = find(graph)
    if adaptor is None:
        raise DagpartError(f"a {type(graph).__name__} has no form of its own for labels: take result.labels")
    return adaptor.write_back(graph, result, _labels_of(graph, adaptor, result), attribute)


def _labels_of(graph: Any, adaptor: Adaptor, result: Partition) -> list[int]:
    """The labels in the order of the object's vertices, which are checked one by one."""
    kind, advice = type(graph).__name__, "give the object that was partitioned"
    there, known = names_of(adaptor.take(graph, None, None).entries), result.by_name
    if len(there) != len(known):
        raise DagpartError(
            f"the {kind} has {len(there)} vertices, but {len(known)} were partitioned: {advice}"
        )
    stranger = next((name for name in there if name not in known), None)
    if stranger is not None:
        raise DagpartError(f"the vertex {stranger!r} of the {kind} was not partitioned: {advice}")
    return [known[name] for name in there]


def build(graph: Digraph, library: str) -> Any:
    """The graph as an object of a library.

    Parameters
    ----------
    graph : Digraph
    library : {"networkx", "rustworkx", "igraph", "pandas"}

    Returns
    -------
    networkx.DiGraph, rustworkx.PyDiGraph, igraph.Graph or pandas.DataFrame
        With names and weights; a frame has the columns source, target and weight.

    Raises
    ------
    MissingDependencyError
        The library is not installed; names the extra of dagpart that brings it.
    DagpartError
        There is no such library.

    Examples
    --------
    >>> from dagpart import Dag
    >>> list(build(Dag.from_edges([("a", "b")]), "networkx").edges)
    [('a', 'b')]
    """
    known = {adaptor.package: adaptor for adaptor in ADAPTORS if adaptor.build is not None}
    check_choice(library, "library", known)
    adaptor = known[library]
    assert adaptor.build is not None
    return adaptor.build(require(library, adaptor.extra or "graphs", f"to make objects of {library}"), graph)
