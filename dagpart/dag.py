"""Digraph and Dag: immutable compressed graphs, built from everything users hold a graph in."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self, TypeGuard

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, DTypeLike, NDArray

from dagpart import _arguments, _cycles, _entries, _named, _networkx, _providers, _weights
from dagpart._core.graph import traversal
from dagpart._named import Values
from dagpart.errors import DagpartError, DirectionWarning, NotADagError, WeightError
from dagpart.units import Units

if TYPE_CHECKING:
    import networkx

__all__ = ["Dag", "Digraph", "Dropped"]


@dataclass(frozen=True)
class Dropped:
    """What a constructor left out of its input, or missed there: numbers of entries.

    Attributes
    ----------
    self_loops : int
        Edges from a vertex to itself; in a matrix, the diagonal.
    duplicates_merged : int
        Copies of an edge that was there already; their weights were added to it.
    explicit_zeros : int
        Zeros that a sparse matrix stores.
    other_triangle : int
        Entries of the triangle that `from_matrix` did not take.
    missing_weights : int
        Weights of vertices and edges that an object of another library does not have (no attribute, None or
        NaN) although others of its kind do; they count 1. Nothing was left out for them, so that `as_dict`
        is without them.

    Examples
    --------
    >>> Dag.from_edges([(0, 1), (0, 1), (1, 1)]).dropped
    Dropped(self_loops=1, duplicates_merged=1, explicit_zeros=0, other_triangle=0)
    """

    self_loops: int = 0
    duplicates_merged: int = 0
    explicit_zeros: int = 0
    other_triangle: int = 0
    missing_weights: int = field(default=0, repr=False)

    def as_dict(self) -> dict[str, int]:
        """The counts of what was left out, by name.

        Examples
        --------
        >>> Dropped(self_loops=2).as_dict()
        {'self_loops': 2, 'duplicates_merged': 0, 'explicit_zeros': 0, 'other_triangle': 0}
        """
        counts = asdict(self)
        del counts["missing_weights"]
        return counts


class Digraph:
    """Immutable directed graph, maybe with cycles, with successors and predecessors of every vertex.

    Vertices are 0 .. n-1 and may have names. There are no self-loops and no parallel edges. Weights are
    non-negative int64, and no sum of them wraps: the vertices weigh less than 2**62 together, the edges
    2**62. All arrays are read-only.

    Parameters
    ----------
    graph : object
        Anything that `from_any` takes.
    **options
        Keywords of `from_any`.

    Attributes
    ----------
    n, m : int
        Numbers of vertices and edges.
    indptr : int64[n + 1]
    indices : int32[m]
        Successors of v, ascending: ``indices[indptr[v]:indptr[v + 1]]``. int64 when n > 2**31 - 1 or when
        asked for by ``index_dtype``.
    edge_weights : int64[m]
        In the order of `indices`.
    pred_indptr, pred_indices, pred_edge_weights
        The same for predecessors.
    vertex_weights : int64[n]
    names : tuple of hashable, or None
        None when vertices are called 0 .. n-1.
    dropped : Dropped
        What the constructor left out.
    weight_scale, vertex_weight_scale : float
        `edge_weights` and `vertex_weights` are the given weights times these; 1.0 where all are whole.
    total_weight, total_edge_weight : int
        Sums of `vertex_weights` and of `edge_weights`.
    units : Units or None
        What the weights are measured in, where the source of the graph says so, as workflows and traces do.

    Notes
    -----
    Every constructor takes these keywords:

    vertex_weights : array_like of n numbers, mapping, pandas.Series or str
        "unit": 1 each. "values": what the input says, the default. An array: one number for each vertex. A
        mapping or a Series goes by name, never by position, and has a number for each vertex. Another str:
        the attribute of the vertices that holds the weights, for objects that have attributes.
    edge_weights : array_like of m numbers, mapping, pandas.Series or str
        The same for edges: an array in the order of the input, a mapping or a Series by pairs (source,
        target), else by the numbers of the edges in the input (in a frame, the labels of its rows). Default:
        "unit" for matrices, since the numbers in a solver's matrix are no costs; else "values".
    names : sequence of n hashable
    index_dtype : int32 or int64
        Type of vertex ids. Default: int32 where it fits.

    Whole weights of any type are taken exactly. Where some are not whole they are multiplied by
    `weight_scale`: the smallest power of ten, up to 10**9, that makes all whole, where they were written with
    that many decimals and the total stays below 2**53; else the largest power of two, up to 2**1000, that is
    sure to keep the total below 2**60, with rounding to the nearest integer, positive weights to 1 at least.
    Vertices that all have whole weights keep them, `vertex_weight_scale` being 1.0 then, since rounding in
    the balance rule depends on the unit; else both scales are the same. Only a graph's arrays and their
    totals are scaled: what a partition costs is told in the unit of the weights as they were given.

    Examples
    --------
    >>> G = Digraph.from_edges([("a", "b"), ("b", "a"), ("b", "c")])
    >>> G
    Digraph(n=3, m=3)
    >>> [G.name(v) for v in G.find_cycle()]
    ['a', 'b']
    """

    n: int
    m: int
    indptr: NDArray[np.int64]
    indices: NDArray[Any]
    edge_weights: NDArray[np.int64]
    pred_indptr: NDArray[np.int64]
    pred_indices: NDArray[Any]
    pred_edge_weights: NDArray[np.int64]
    vertex_weights: NDArray[np.int64]
    names: tuple[Hashable, ...] | None
    dropped: Dropped
    weight_scale: float
    vertex_weight_scale: float
    total_weight: int
    total_edge_weight: int
    units: Units | None = None

    def __init__(self, graph: object, **options: Any) -> None:
        self.__dict__.update(type(self).from_any(graph, **options).__dict__)

    # ------------------------------------------------------------------ constructors

    @classmethod
    def from_scipy(
        cls,
        A: Any,
        *,
        vertex_weights: Values | None = None,
        edge_weights: Values | None = None,
        names: Iterable[Hashable] | None = None,
        zeros: Literal["drop", "keep"] = "drop",
        index_dtype: DTypeLike | None = None,
    ) -> Self:
        """Graph of an adjacency matrix: an entry (i, j) that is not zero is the edge i -> j.

        This is the convention of `scipy.sparse.csgraph` and NetworkX. In the lower triangle of a solver's
        matrix, as ``A.tril()`` gives it, row i waits for the columns of its entries: read here, its edges
        run against the solve, from the last row to the first. For such a matrix there is `from_matrix`.

        Parameters
        ----------
        A : SciPy sparse matrix or array, n x n
            Any format, type of number and width of index. Only the pattern counts, unless `edge_weights` says
            otherwise. Entries stored twice (coo, or csr that was not summed) are parallel edges.
        vertex_weights, edge_weights, names, index_dtype
            See `Digraph`. An array of edge weights goes with ``A.data``, for csr, csc and coo.
        zeros : {"drop", "keep"}
            Whether a stored zero is an edge. Zeros that only fill diagonals of dia or blocks of bsr never
            are.

        Raises
        ------
        DagpartError
            If A is not sparse, not square or malformed.
        WeightError
            If a weight is negative, not finite, complex or too big.

        Examples
        --------
        >>> import scipy.sparse
        >>> A = scipy.sparse.coo_array(([0.5, -3.0], ([0, 1], [1, 2])), shape=(3, 3))
        >>> G = Digraph.from_scipy(A)
        >>> G.indices.tolist(), G.edge_weights.tolist()
        ([1, 2], [1, 1])
        """
        entries = _entries.from_sparse(A, edge_weights, zeros)
        return cls._assemble(entries, vertex_weights, names, index_dtype)

    @classmethod
    def from_matrix(
        cls,
        A: Any,
        *,
        triangle: Literal["auto", "lower", "upper"] = "auto",
        vertex_weights: Values | None = None,
        edge_weights: Values | None = None,
        names: Iterable[Hashable] | None = None,
        zeros: Literal["drop", "keep"] = "drop",
        index_dtype: DTypeLike | None = None,
    ) -> Self:
        """Dependencies of a solver's matrix: one triangle, every edge from the lower index to the higher.

        That is the order of a forward substitution: with ``triangle="lower"``, as for ``A.tril()``, the entry
        (i, j) makes row i wait for row j. The upper triangle is read as the transpose of a lower one, or the
        other half of a symmetric matrix; a backward substitution, from the last row to the first, is
        `reverse` of the result. It is always acyclic. (`from_scipy` reads an adjacency.)

        Parameters
        ----------
        A : SciPy sparse matrix or array, n x n
        triangle : {"auto", "lower", "upper"}
            Which strict triangle to take; "auto" takes the one with more entries, the upper one on a tie.
        vertex_weights, edge_weights, names, zeros, index_dtype
            As for `from_scipy`.

        Raises
        ------
        DagpartError, WeightError
            As for `from_scipy`.

        Examples
        --------
        >>> import scipy.sparse
        >>> A = scipy.sparse.csr_array([[2, 0, 0], [-1, 2, 0], [0, -1, 2]])
        >>> G = Dag.from_matrix(A)
        >>> G.indptr.tolist(), G.indices.tolist(), G.dropped.self_loops
        ([0, 1, 2, 2], [1, 2], 3)
        """
        entries = _entries.from_sparse(A, edge_weights, zeros)
        _entries.take_triangle(entries, triangle)
        return cls._assemble(entries, vertex_weights, names, index_dtype)

    @classmethod
    def from_csr(
        cls,
        indptr: ArrayLike,
        indices: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        vertex_weights: Values | None = None,
        edge_weights: Values | None = None,
        names: Iterable[Hashable] | None = None,
        index_dtype: DTypeLike | None = None,
    ) -> Self:
        """Graph of compressed rows: the successors of v are ``indices[indptr[v]:indptr[v + 1]]``.

        Parameters
        ----------
        indptr : array_like of n + 1 integers
        indices : array_like of m integers
            In any order inside a row; repeated ones are parallel edges.
        weights : array_like of m numbers, optional
            Of the edges; a zero is a weight like any other.
        vertex_weights, edge_weights, names, index_dtype
            See `Digraph`.

        Raises
        ------
        DagpartError
            If `indptr` does not start with 0, falls somewhere or does not end with m, or an id is out of
            range.
        WeightError
            If a weight is negative, not finite, complex or too big.

        Examples
        --------
        >>> Digraph.from_csr([0, 2, 3, 3], [2, 1, 2], [5, 6, 7]).edge_weights.tolist()
        [6, 5, 7]
        """
        entries = _entries.from_compressed(indptr, indices)
        entries.weigh(edge_weights, weights)
        return cls._assemble(entries, vertex_weights, names, index_dtype)

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[Any],
        n: int | None = None,
        *,
        vertex_weights: Values | None = None,
        edge_weights: Values | None = None,
        names: Iterable[Hashable] | None = None,
        index_dtype: DTypeLike | None = None,
    ) -> Self:
        """Graph of a list of edges.

        Parameters
        ----------
        edges : array of shape (m, 2), or iterable of pairs or triples
            Source, target and maybe weight. Ends are ids 0 .. n-1, or hashable names, which are numbered in
            the order of `names`, by default in that of their first appearance.
        n : int, optional
            Number of vertices. Default: the largest id + 1.
        vertex_weights, edge_weights, names, index_dtype
            See `Digraph`.

        Raises
        ------
        DagpartError
            If an id is no integer, negative or not below n, or a name is not hashable or not known.
        WeightError
            If a weight is negative, not finite, complex or too big.

        Examples
        --------
        >>> G = Dag.from_edges([(0, 1), (0, 1), (0, 1), (1, 2), (2, 2)])
        >>> G.m, G.edge_weights.tolist(), G.dropped.duplicates_merged, G.dropped.self_loops
        (2, [3, 1], 2, 1)
        """
        called = None if names is None else _arguments.check_names(names)
        entries = _entries.from_pairs(edges, n, called, edge_weights)
        return cls._assemble(entries, vertex_weights, called, index_dtype)

    @classmethod
    def from_networkx(
        cls,
        G: networkx.DiGraph,
        *,
        weight: str | None = "weight",
        node_weight: str | None = "weight",
        vertex_weights: Values | None = None,
        edge_weights: Values | None = None,
        names: Iterable[Hashable] | None = None,
        index_dtype: DTypeLike | None = None,
    ) -> Self:
        """Graph of a NetworkX DiGraph or MultiDiGraph; the nodes become the names.

        Parameters
        ----------
        G : networkx.DiGraph or networkx.MultiDiGraph
        weight, node_weight : str or None
            Attributes of edges and of nodes that hold the weights; 1 where one is missing, None or NaN, or
            this is None.
        vertex_weights, edge_weights, names, index_dtype
            See `Digraph`; arrays in the order of ``G.nodes`` and ``G.edges``.

        Raises
        ------
        DagpartError
            If G is undirected.
        WeightError
            If a weight is negative, not finite, complex or too big.

        Examples
        --------
        >>> import networkx as nx
        >>> G = nx.DiGraph()
        >>> G.add_edge("load", "solve", weight=7)
        >>> D = Dag.from_networkx(G)
        >>> D.names, D.edge_weights.tolist()
        (('load', 'solve'), [7])
        """
        weight = _entries.attribute_asked(edge_weights) or weight
        node_weight = _entries.attribute_asked(vertex_weights) or node_weight
        held = _networkx.held(G, weight, node_weight)
        return cls._from_held(held, vertex_weights, edge_weights, names, index_dtype)

    @classmethod
    def from_any(
        cls,
        graph: object,
        *,
        n: int | None = None,
        vertex_weights: Values | None = None,
        edge_weights: Values | None = None,
        names: Iterable[Hashable] | None = None,
        zeros: Literal["drop", "keep"] = "drop",
        index_dtype: DTypeLike | None = None,
    ) -> Self:
        """Graph of whatever holds one.

        Parameters
        ----------
        graph : object
            A `Digraph` or `Dag`; a SciPy sparse matrix or array (an adjacency, as for `from_scipy`); a
            tuple ``(indptr, indices)`` or ``(indptr, indices, weights)`` of arrays or lists; a NetworkX
            DiGraph or another object that `dagpart.adaptors` knows; a list of edges or an array of shape
            (m, 2); a path. A list that could as well be a dense matrix is refused.
        n : int, optional
            Number of vertices, for edges.
        vertex_weights, edge_weights, names, index_dtype
            See `Digraph`.
        zeros : {"drop", "keep"}
            See `from_scipy`.

        Raises
        ------
        DagpartError
            If the object is none of these, or its constructor refuses it.

        Warns
        -----
        DirectionWarning
            If a SciPy matrix is lower triangular: likely a solver's, for which `from_matrix` is meant.
            `from_scipy` says that it is an adjacency, and does not warn.

        Examples
        --------
        >>> Dag.from_any(([0, 1, 1], [1]))
        Dag(n=2, m=1)
        >>> Dag.from_any([(0, 1)], n=3)
        Dag(n=3, m=1)
        """
        options: dict[str, Any] = {
            "vertex_weights": vertex_weights,
            "edge_weights": edge_weights,
            "names": names,
            "index_dtype": index_dtype,
        }
        if isinstance(graph, str | os.PathLike):
            graph = _read(graph, edge_weights, zeros)
        made: Self
        if isinstance(graph, Digraph):
            made = cls._from_digraph(graph, **options)
        elif scipy.sparse.issparse(graph):
            made = cls.from_scipy(graph, zeros=zeros, **options)
            if _entries.descends(made.indptr, made.indices):
                warnings.warn(
                    f"{_entries.LOWER_TRIANGLE}; give Dag.from_matrix(A) for the solve, or Dag.from_scipy(A) "
                    "for the adjacency",
                    DirectionWarning,
                    stacklevel=3,
                )
        elif _is_compressed(graph):
            made = cls.from_csr(*graph, **options)
        elif (adaptor := _providers.find_adaptor(graph)) is not None:
            held = adaptor.take(
                graph, _entries.attribute_asked(edge_weights), _entries.attribute_asked(vertex_weights)
            )
            made = cls._from_held(held, **options)
        elif isinstance(graph, Iterable):
            _entries.refuse_dense(graph)
            return cls.from_edges(graph, n, **options)
        else:
            raise DagpartError(
                f"a {type(graph).__name__} is no graph: give a Dag, a SciPy sparse matrix, "
                "(indptr, indices), a graph of NetworkX, rustworkx, igraph, Dask or torch.fx, an ONNX model, "
                "a list or a pandas frame of edges, or a path"
            )
        if n is not None and n != made.n:
            raise DagpartError(f"n={n}, but the graph has {made.n} vertices")
        return made

    # ------------------------------------------------------------------ derived graphs

    def with_weights(
        self, *, vertex_weights: Values | None = None, edge_weights: Values | None = None
    ) -> Self:
        """The same graph with other weights.

        Parameters
        ----------
        vertex_weights : array_like of n numbers, mapping, pandas.Series, or "unit", optional
        edge_weights : array_like of m numbers, mapping, pandas.Series, or "unit", optional
            In the order of `indices`, or by name, as `Digraph` says.

        Examples
        --------
        >>> Dag.from_edges([(0, 1)]).with_weights(vertex_weights=[3, 4]).total_weight
        7
        """
        source = self.edge_sources()
        entries = _entries.Entries(self.n, source, self.indices, names=self.names)
        if _entries.goes_by_ends(edge_weights):
            edge_weights = _named.arranged(edge_weights, entries.ends(), "edge", "weight", WeightError)
        # Weights that stay go back to the unit of those that come.
        entries.weigh(edge_weights, _weights.unscaled(self.edge_weights, self.weight_scale))
        kept_time = vertex_weights is None
        stay = _weights.unscaled(self.vertex_weights, self.vertex_weight_scale)
        weights = _weigh(entries, _entries.choose("vertex_weights", vertex_weights, stay))
        made = self._from_rows(
            self.indptr,
            self.indices,
            weights.vertex,
            weights.edge,
            weights.edge_scale,
            self.names,
            self.dropped,
            weights.vertex_scale,
        )
        if self.units is None:
            return made
        # Nobody has said what new weights are measured in.
        time = self.units.time if kept_time else None
        return made.measured(
            replace(self.units, time=time, data=self.units.data if edge_weights is None else None)
        )

    def measured(self, units: Units | None) -> Self:
        """The same graph, whose weights are in these units.

        Parameters
        ----------
        units : Units or None
            None: nothing is known of them.

        Examples
        --------
        >>> from dagpart.units import Units
        >>> Dag.from_edges([(0, 1)]).measured(Units(time=1e-3)).units.time
        0.001
        """
        fields = {name: getattr(self, name) for name in _FIELDS}
        made = self._trusted(**(fields | {"units": units}))
        if "_kahn" in self.__dict__:
            made.__dict__["_kahn"] = self._kahn
        return made

    def reverse(self) -> Self:
        """The graph with every edge turned round.

        Examples
        --------
        >>> Dag.from_edges([(0, 1)]).reverse().indptr.tolist()
        [0, 0, 1]
        """
        fields = {name: getattr(self, name) for name in _FIELDS}
        for name in ("indptr", "indices", "edge_weights"):
            fields[name], fields[f"pred_{name}"] = fields[f"pred_{name}"], fields[name]
        return self._trusted(**fields)

    def contract(self, membership: ArrayLike, k: int | None = None) -> Digraph:
        """Merge vertices: the quotient graph.

        Parameters
        ----------
        membership : array_like of n integers
            The vertex of the new graph that each vertex goes into.
        k : int, optional
            Number of vertices of the new graph. Default: the largest membership + 1.

        Returns
        -------
        Digraph
            Weights are summed; edges inside a new vertex disappear. Without names.

        Raises
        ------
        DagpartError
            If a membership is no integer from 0 to k - 1.

        Examples
        --------
        >>> G = Dag.from_edges([(0, 1), (0, 2), (1, 3), (2, 3)]).contract([0, 0, 1, 1])
        >>> G.vertex_weights.tolist(), G.edge_weights.tolist()
        ([2, 2], [2])
        """
        into = _arguments.check_ids(membership, "memberships")
        if into.size != self.n:
            raise DagpartError(f"{into.size} memberships for {self.n} vertices: give one for each")
        if k is None:
            k = int(into.max()) + 1 if self.n else 0
        k = _arguments.check_count(k, "k")
        _arguments.check_range(into, k)
        into = into.astype(self.indices.dtype, copy=False)
        entries = _entries.Entries(k, into[self.edge_sources()], into[self.indices], self.edge_weights)
        entries.drop_loops()
        assert entries.weights is not None
        indptr, indices, edge_weights = entries.merged(entries.weights)
        vertex_weights = np.zeros(k, dtype=np.int64)
        # Whole numbers throughout, as np.bincount's would not be; the sums fit because the total does.
        np.add.at(vertex_weights, into, self.vertex_weights)
        return Digraph._from_rows(
            indptr,
            indices.astype(self.indices.dtype, copy=False),
            vertex_weights,
            edge_weights,
            self.weight_scale,
            None,
            Dropped(),
            self.vertex_weight_scale,
            self.units,
        )

    def condense(self, groups: Iterable[Iterable[int]] | None = None) -> tuple[Dag, NDArray[Any]]:
        """Merge cycles, and groups of vertices, into single vertices.

        Each strongly connected component becomes one vertex. So does each group, together with every vertex
        on a path between two of its members, which no acyclic partition could put elsewhere: a directed cycle
        through the members is added before the components are taken.

        Parameters
        ----------
        groups : iterable of iterables of vertex ids, optional
            They may overlap.

        Returns
        -------
        dag : Dag
            Weights are summed. Components are numbered by the lexicographically smallest topological order,
            where each goes by its smallest member: where ids were topological already, they stay. Without
            names.
        membership : int array of length n
            The vertex of `dag` that each vertex went into.

        Raises
        ------
        DagpartError
            If a group contains something that is no vertex id.

        Examples
        --------
        >>> G = Digraph.from_edges([(0, 1), (1, 0), (1, 2), (2, 3)])
        >>> D, membership = G.condense()
        >>> D.n, membership.tolist(), D.vertex_weights.tolist()
        (3, [0, 0, 1, 2], [2, 1, 1])
        >>> G.condense(groups=[[0, 3]])[0].n
        1
        """
        around = _group_cycles(groups, self.n)
        source = np.concatenate((self.edge_sources(), *around))
        target = np.concatenate((self.indices, *(np.roll(members, 1) for members in around)))
        pattern = _entries.pattern(self.n, source, target)
        count, component = _cycles.components(pattern)
        # Of repeated positions the last value stays: the smallest member.
        first = np.empty(count, dtype=np.int64)
        first[component[::-1]] = np.arange(self.n - 1, -1, -1)
        rank = np.empty(count, dtype=self.indices.dtype)
        rank[np.argsort(first)] = np.arange(count)
        membership: NDArray[Any] = rank[component]
        merged = self.contract(membership, count)
        number = _cycles.topological_numbers(merged.indptr, merged.indices)
        if not np.array_equal(number, np.arange(count)):
            membership = number[membership]
            merged = merged.contract(number, count)
        return Dag.from_any(merged), _frozen(membership)

    def edge_sources(self) -> NDArray[Any]:
        """Source of each edge, in the order of `indices`, and of their type.

        Examples
        --------
        >>> Dag.from_edges([(0, 1), (0, 2)]).edge_sources().tolist()
        [0, 0]
        """
        return np.repeat(np.arange(self.n, dtype=self.indices.dtype), np.diff(self.indptr))

    def to_scipy(self) -> scipy.sparse.csr_array[Any]:
        """Adjacency matrix: a csr_array of int64 with the edge weights; an edge of weight 0 is a stored zero.

        Examples
        --------
        >>> Dag.from_edges([(0, 1, 5)]).to_scipy().toarray().tolist()
        [[0, 5], [0, 0]]
        """
        arrays = (self.edge_weights.copy(), self.indices.copy(), self.indptr.copy())
        return scipy.sparse.csr_array(arrays, shape=(self.n, self.n))

    def to_networkx(self) -> networkx.DiGraph:
        """NetworkX graph of the vertices' names, with the attribute "weight" on nodes and edges.

        Examples
        --------
        >>> sorted(Dag.from_edges([("a", "b", 5)]).to_networkx().edges(data="weight"))
        [('a', 'b', 5)]
        """
        edges = zip(
            self.edge_sources().tolist(), self.indices.tolist(), self.edge_weights.tolist(), strict=True
        )
        names = range(self.n) if self.names is None else self.names
        return _networkx.made(names, self.vertex_weights.tolist(), edges)

    # ------------------------------------------------------------------ questions

    @cached_property
    def is_acyclic(self) -> bool:
        """Whether there is no directed cycle."""
        return self._has_an_order()

    def _has_an_order(self) -> bool:
        """Whether the vertices have a topological order; without looking for one where their ids are one."""
        used = np.flatnonzero(np.diff(self.indptr))
        if (self.indices[self.indptr[used]] > used).all() or (
            self.indices[self.indptr[used + 1] - 1] < used
        ).all():
            return True
        return bool(self._kahn.size == self.n)

    @cached_property
    def _kahn(self) -> NDArray[Any]:
        """Vertices that lie neither on nor behind a cycle, in topological order."""
        return _frozen(traversal.topological_order(self.indptr, self.indices, self.pred_indptr))

    def find_cycle(self) -> list[int] | None:
        """A short directed cycle, or None.

        Two opposite edges if there are any; else the shortest cycle that breadth-first searches find within a
        fixed amount of work, smallest strongly connected components first. Always the same one.

        Returns
        -------
        list of int or None
            Vertex ids around the cycle, from the smallest: an edge runs from each to the next, and from the
            last to the first.

        Examples
        --------
        >>> Digraph.from_edges([(2, 0), (0, 1), (1, 2)]).find_cycle()
        [0, 1, 2]
        """
        return None if self.is_acyclic else _cycles.short_cycle(self.indptr, self.indices)

    def name(self, v: int) -> Hashable:
        """Name of a vertex; its id where vertices have no names.

        Examples
        --------
        >>> Dag.from_edges([("a", "b")]).name(1), Dag.from_edges([(0, 1)]).name(1)
        ('b', 1)
        """
        v = _arguments.check_count(v, "vertex")
        if v >= self.n:
            raise DagpartError(f"vertex {v} is out of range: n={self.n}")
        return v if self.names is None else self.names[v]

    def index(self, name: Hashable) -> int:
        """Id of a vertex, from its name.

        Examples
        --------
        >>> Dag.from_edges([("a", "b")]).index("b")
        1
        """
        if self.names is None:
            if isinstance(name, int | np.integer) and 0 <= name < self.n:
                return int(name)
        elif name in self._positions:
            return self._positions[name]
        raise DagpartError(f"no vertex is called {name!r}")

    @cached_property
    def _positions(self) -> dict[Hashable, int]:
        return {name: i for i, name in enumerate(self.names or ())}

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"{type(self).__name__}(n={self.n}, m={self.m})"

    def __eq__(self, other: object) -> bool:
        """Whether vertices, edges, weights and names are the same; the width of ids does not matter."""
        if not isinstance(other, Digraph):
            return NotImplemented
        plain = ("n", "m", "names", "weight_scale", "vertex_weight_scale")
        arrays = ("indptr", "indices", "edge_weights", "vertex_weights")
        return all(getattr(self, name) == getattr(other, name) for name in plain) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in arrays
        )

    def __hash__(self) -> int:
        return hash((self.n, self.m, self.total_weight, self.total_edge_weight))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        # The other direction is cheaper to make again than to carry.
        return type(self)._from_rows, (
            self.indptr,
            self.indices,
            self.vertex_weights,
            self.edge_weights,
            self.weight_scale,
            self.names,
            self.dropped,
            self.vertex_weight_scale,
            self.units,
        )

    # ------------------------------------------------------------------ building

    @classmethod
    def _assemble(
        cls,
        entries: _entries.Entries,
        vertex_weights: Values | None,
        names: Iterable[Hashable] | None,
        index_dtype: DTypeLike | None,
    ) -> Self:
        dtype = _entries.index_type(entries.n, index_dtype)
        if entries.by_ends is not None:
            # Names belong to the edges that are left, not to what is dropped or merged.
            ends, entries.by_ends = entries.by_ends, None
            bare = cls._assemble(entries, None, names, index_dtype)
            return bare.with_weights(vertex_weights=vertex_weights, edge_weights=ends)
        vertex_weights = _entries.choose("vertex_weights", vertex_weights, None)
        if names is not None:
            entries.names = _arguments.check_names(names, entries.n)
        entries.drop_loops()
        try:
            if entries.n > _MOST_VERTICES:
                raise MemoryError
            weights = _weigh(entries, vertex_weights)
            indptr, indices, edge_weights = entries.merged(weights.edge)
        except MemoryError:
            raise DagpartError(f"a graph of n={entries.n} vertices does not fit in memory") from None
        return cls._from_rows(
            indptr,
            indices.astype(dtype, copy=False),
            weights.vertex,
            edge_weights,
            weights.edge_scale,
            entries.names,
            Dropped(**entries.gone),
            weights.vertex_scale,
        )

    @classmethod
    def _from_held(
        cls,
        held: _entries.Held,
        vertex_weights: Values | None,
        edge_weights: Values | None,
        names: Iterable[Hashable] | None,
        index_dtype: DTypeLike | None,
    ) -> Self:
        """From what an object of another library holds: its own weights, unless others are asked for."""
        entries, chosen = held.entries, []
        for asked, own in ((vertex_weights, held.vertex_weights), (edge_weights, held.edge_weights)):
            if asked is None or (isinstance(asked, str) and asked != "unit"):
                asked, missing = _weights.filled(own)
                asked = "unit" if asked is None else asked
                entries.gone["missing_weights"] = entries.gone.get("missing_weights", 0) + missing
            chosen.append(asked)
        entries.weigh(chosen[1], None)
        return cls._assemble(entries, chosen[0], names, index_dtype)

    @classmethod
    def _from_digraph(
        cls,
        graph: Digraph,
        vertex_weights: Values | None,
        edge_weights: Values | None,
        names: Iterable[Hashable] | None,
        index_dtype: DTypeLike | None,
    ) -> Self:
        if vertex_weights is not None or edge_weights is not None:
            graph = graph.with_weights(vertex_weights=vertex_weights, edge_weights=edge_weights)
        fields = {name: getattr(graph, name) for name in _FIELDS}
        if names is not None:
            fields["names"] = _arguments.check_names(names, graph.n)
        if index_dtype is not None:
            dtype = _entries.index_type(graph.n, index_dtype)
            for name in ("indices", "pred_indices"):
                fields[name] = _frozen(fields[name].astype(dtype, copy=False))
        if isinstance(graph, cls) and all(fields[name] is getattr(graph, name) for name in _FIELDS):
            return graph
        made = cls._trusted(**fields)
        if "_kahn" in graph.__dict__ and index_dtype is None:
            made.__dict__["_kahn"] = graph._kahn
        made._check()
        return made

    @classmethod
    def _from_rows(
        cls,
        indptr: NDArray[np.int64],
        indices: NDArray[Any],
        vertex_weights: NDArray[np.int64],
        edge_weights: NDArray[np.int64],
        weight_scale: float,
        names: tuple[Hashable, ...] | None,
        dropped: Dropped,
        vertex_weight_scale: float = 1.0,
        units: Units | None = None,
    ) -> Self:
        """From sorted rows without self-loops or duplicates, and checked weights; arrays become read-only."""
        n, m = indptr.size - 1, indices.size
        # Weights of 1 are the same in both directions, and a large graph has no time to carry them along.
        unit = m > 0 and int(edge_weights.min()) == int(edge_weights.max()) == 1
        carried = np.ones(m, dtype=np.int8) if unit else edge_weights
        # With row pointers of 64 bits SciPy would widen the indices as well.
        bounds = indptr.astype(indices.dtype, copy=False) if m <= np.iinfo(indices.dtype).max else indptr
        columns = scipy.sparse.csr_array((carried, indices, bounds), shape=(n, n)).tocsc()
        made = cls._trusted(
            n=n,
            m=m,
            indptr=_frozen(indptr),
            indices=_frozen(indices),
            edge_weights=_frozen(edge_weights),
            pred_indptr=_frozen(columns.indptr.astype(np.int64, copy=False)),
            pred_indices=_frozen(columns.indices.astype(indices.dtype, copy=False)),
            pred_edge_weights=_frozen(edge_weights if unit else columns.data),
            vertex_weights=_frozen(vertex_weights),
            names=names,
            dropped=dropped,
            weight_scale=weight_scale,
            vertex_weight_scale=vertex_weight_scale,
            total_weight=_weights.exact_total(vertex_weights),
            total_edge_weight=_weights.exact_total(edge_weights),
            units=units,
        )
        made._check()
        return made

    @classmethod
    def _trusted(cls, **fields: Any) -> Self:
        made = object.__new__(cls)
        made.__dict__.update(fields)
        return made

    def _check(self) -> None:
        """Hook for what a subclass demands of its graphs."""


class Dag(Digraph):
    """Immutable directed acyclic graph.

    A `Digraph` whose constructors raise `NotADagError`, with a short cycle, when there is one.

    Parameters
    ----------
    graph : object
        Anything that `from_any` takes.
    **options
        Keywords of `from_any`.

    Raises
    ------
    NotADagError
        If the graph has a directed cycle.

    Examples
    --------
    >>> D = Dag.from_edges([("a", "c"), ("b", "c"), ("c", "d")])
    >>> D.levels.tolist(), [D.name(v) for v in D.order]
    ([0, 1, 0, 2], ['a', 'b', 'c', 'd'])
    >>> Dag.from_edges([(0, 1), (1, 0)])
    Traceback (most recent call last):
    ...
    dagpart.errors.NotADagError: the graph has a cycle: 0 -> 1 -> 0 (2 edges); ...
    """

    def _check(self) -> None:
        if not self._has_an_order():
            raise NotADagError(self.name(v) for v in _cycles.short_cycle(self.indptr, self.indices))

    @cached_property
    def is_acyclic(self) -> bool:
        """True."""
        return True

    @cached_property
    def order(self) -> NDArray[Any]:
        """Vertices in a topological order, breadth first from the sources; type of `indices`, read-only."""
        return self._kahn

    @cached_property
    def levels(self) -> NDArray[Any]:
        """Longest distance of each vertex from the sources, in edges; type of `indices`, read-only."""
        return _frozen(traversal.levels(self.indptr, self.indices, self.order))


# NumPy has another error for sizes that no machine could have.
_MOST_VERTICES = 2**48

_FIELDS = tuple(Digraph.__annotations__)


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def _weigh(entries: _entries.Entries, vertex_weights: Values | None) -> _weights.Weights:
    """Weights of vertices and edges as integers; None stands for 1 each."""
    vertex, edge = vertex_weights, entries.weights
    ones = np.ones(entries.n, dtype=np.int64), np.ones(entries.source.size, dtype=np.int64)
    if vertex is None and edge is None:
        # Nobody else has these arrays, and there is nothing to check: a large graph is not copied.
        return _weights.Weights(*ones, 1.0, 1.0)
    vertex = ones[0] if vertex is None else vertex
    edge = ones[1] if edge is None else edge

    def called(v: Any) -> str:
        return str(v) if entries.names is None else repr(entries.names[v])

    return _weights.integer_weights(
        _weights.as_numbers(vertex, entries.n, "vertices", entries.names),
        edge,
        lambda i: f"vertex {called(i)}",
        lambda i: f"edge {called(entries.source[i])} -> {called(entries.target[i])}",
    )


def _read(path: str | os.PathLike[str], edge_weights: object, zeros: str) -> Digraph:
    options: dict[str, Any] = {}
    if isinstance(edge_weights, str):
        options["edge_weights"] = edge_weights
    if zeros != "drop":
        options["zeros"] = zeros
    found: Digraph = _providers.read_file(path, **options)
    return found


def _is_compressed(graph: object) -> TypeGuard[tuple[Any, ...]]:
    # A tuple of tuples is a list of edges.
    return (
        isinstance(graph, tuple)
        and len(graph) in (2, 3)
        and not all(isinstance(part, tuple) for part in graph)
    )


def _group_cycles(groups: Iterable[Iterable[int]] | None, n: int) -> list[NDArray[Any]]:
    """The members of each group, checked; an edge from each to the one before makes the cycle."""
    if not isinstance(groups, Iterable | None):
        raise DagpartError(f"groups={groups!r}: give a list of lists of vertex ids")
    checked = []
    for position, group in enumerate(groups if groups is not None else ()):
        if not isinstance(group, Iterable):
            raise DagpartError(f"group {position} is {group!r}: a group is a list of vertex ids")
        members = _arguments.check_ids(list(group), f"the members of group {position}")
        _arguments.check_range(members, n)
        checked.append(members.astype(np.int64, copy=False))
    return checked
