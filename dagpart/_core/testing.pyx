"""A door to single phases of the engine, for unit tests and for measuring what a phase is worth.

A partition runs all phases; here each is called alone, by its name in its table, with arrays in and arrays out. What a
phase was given and what it left are counted anew on both sides.
"""

from collections import namedtuple

import numpy as np

from dagpart._core.coarsening.hierarchy import clusterer_names
from dagpart._core.multilevel.engine import place_in
from dagpart._core.multilevel.portfolio import start_names
from dagpart._core.refinement.level import refiner_names
from dagpart.errors import DagpartError
from dagpart.options import options_of

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

from dagpart._core.base.options cimport MOST_NAMED, Options
from dagpart._core.base.random cimport SIMULATION_STREAM, Rng, derive
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.coarsening.hierarchy cimport Hierarchy, coarsen, coarsen_undirected, run_clusterer
from dagpart._core.coarsening.undirected cimport UNDIRECTED
from dagpart._core.graph.csr cimport COMM_VOLUME, Graph, contract, load_graph, pay_for_nets
from dagpart._core.graph.nets cimport net_count, occupy
from dagpart._core.initial.orders cimport ORDERS, Order, given_order, make_order, order_by_component
from dagpart._core.initial.prefixes cimport best_prefix, best_split, split_order
from dagpart._core.labels.labelling cimport Labelling, is_monotone, measure, measure_undirected
from dagpart._core.labels.numbering cimport measure_filled, renumber
from dagpart._core.multilevel.engine cimport read_options
from dagpart._core.multilevel.guide cimport find_guide
from dagpart._core.multilevel.portfolio cimport Portfolio, make_start, open_portfolio
from dagpart._core.multilevel.start cimport NOT_MADE
from dagpart._core.refinement.balancer cimport rebalance
from dagpart._core.refinement.flow.corridor cimport open_corridor
from dagpart._core.refinement.flow.max_flow cimport augment
from dagpart._core.refinement.flow.network cimport INFINITE
from dagpart._core.refinement.flow.pairs cimport describe
from dagpart._core.refinement.flow.piercing cimport NO_CUT, Cut, Sides, balanced_cut, begin, is_below
from dagpart._core.refinement.fm cimport TWO_WAY_FM
from dagpart._core.refinement.level cimport refine_level, run_refiner
from dagpart._core.refinement.refiner cimport Scratch

# In the order of initial/orders.pxd.
ORDER_KINDS = ("by_id", "top_level", "bottom_level", "breadth_first", "depth_first", "greedy", "random")
assert len(ORDER_KINDS) == ORDERS

Parts = namedtuple("Parts", "labels loads counts over cost")
Parts.__doc__ = """A partition, and what the engine holds to be true of it.

Attributes
----------
labels : int32[n]
loads : int64[k]
    Weight of each part.
counts : int32[k]
    Vertices of each part.
over, cost : int
    Weight above the caps, summed over the parts; the objective.
"""

Level = namedtuple("Level", "cluster graph")
Level.__doc__ = "One step of coarsening: the coarse vertex of each finer one, int32[n], and the coarse graph, a Phases."

Pair = namedtuple("Pair", "vertices size arcs from_source to_sink cost max_flow nearest cut_cost labels")
Pair.__doc__ = """The flow network of two parts, its maximum flow, and the balanced cut that piercing comes to.

Attributes
----------
vertices : int32[]
    The corridor: node i stands for vertices[i].
size : int
    All nodes; the last ones stand for nets.
arcs : int64[a, 4]
    Tail, head, capacity and that of the reverse arc; -1 is an infinite capacity.
from_source, to_sink : int64[size]
    Capacities of the terminal arcs.
cost : int
    What the present labels pay, as far as the corridor can change it.
max_flow : int
    Capacity of a minimum cut, whatever balance says.
nearest : {None, "source", "sink"}
    Which of the two minimum cuts, after piercing, is balanced and costs no more than the present one.
cut_cost : int
    What it costs.
labels : int32[n]
    The labels with that cut; those given where there is none.
"""


cdef Options _options(options):
    return read_options(options_of(options))


cdef Rng _stream(uint64_t seed) noexcept nogil:
    return derive(seed, SIMULATION_STREAM, 0)


cdef _result(const Labelling& parts):
    return Parts(
        np.array(parts.label, dtype=np.int32),
        np.array(parts.load, dtype=np.int64),
        np.array(parts.count, dtype=np.int32),
        parts.score.over,
        parts.score.cost,
    )


cdef class Phases:
    """One graph, and the engine's phases on it.

    Parameters
    ----------
    indptr, indices, edge_weights : array_like of n + 1, m and m integers
        Successors. Vertices are numbered topologically: every edge runs from a lower id to a higher one.
    vertex_weights : array_like of n integers
    anchors : array_like of n booleans, optional
        Vertices that refinement must leave where they are.
    nets : (indptr, indices, edge_weights, place), optional
        Makes the objective the communication volume instead of the edge cut: the graph whose vertices send and
        receive, and the vertex here that each of its vertices belongs to.

    Raises
    ------
    DagpartError
        If the arrays do not make such a graph, or a method is given what makes no sense on it.

    Notes
    -----
    Where a method takes `options`, it is the name of a preset or a `dagpart.options.Options`; all of its random numbers
    are derived from `seed`, an integer from 0 to 2**64 - 1. Partitions come back as `Parts`.

    Examples
    --------
    A path of four vertices, cut in its middle:

    >>> path = Phases([0, 1, 2, 3, 3], [1, 2, 3], [1, 1, 1], [1, 1, 1, 1])
    >>> parts = path.refine("fm", [0, 0, 0, 1], [2, 2])
    >>> parts.labels.tolist(), parts.over, parts.cost
    ([0, 0, 1, 1], 0, 1)
    """

    cdef Graph g

    def __init__(self, indptr, indices, edge_weights, vertex_weights, anchors=None, nets=None):
        cdef const int64_t[::1] rows = np.ascontiguousarray(indptr, dtype=np.int64)
        cdef const int32_t[::1] heads = np.ascontiguousarray(indices, dtype=np.int32)
        cdef const int64_t[::1] weights = np.ascontiguousarray(edge_weights, dtype=np.int64)
        cdef const int64_t[::1] weighing = np.ascontiguousarray(vertex_weights, dtype=np.int64)
        cdef const int8_t[::1] anchored = np.ascontiguousarray([] if anchors is None else anchors, dtype=np.int8)
        cdef const int32_t[::1] rank, place, net_heads
        cdef const int64_t[::1] net_rows, net_weights
        n = weighing.shape[0]
        self.check_rows(n, np.asarray(rows), np.asarray(heads), np.asarray(weights))
        if np.any(np.repeat(np.arange(n), np.diff(rows)) >= np.asarray(heads)):
            raise DagpartError("every edge must run from a lower vertex to a higher one: number them topologically")
        if anchored.shape[0] not in (0, n):
            raise DagpartError(f"there are {anchored.shape[0]} anchors for {n} vertices: give one flag for each")
        rank = np.arange(n, dtype=np.int32)
        load_graph(rows, heads, weights, weighing, rank, anchored, self.g)
        if nets is not None:
            net_rows = np.ascontiguousarray(nets[0], dtype=np.int64)
            net_heads = np.ascontiguousarray(nets[1], dtype=np.int32)
            net_weights = np.ascontiguousarray(nets[2], dtype=np.int64)
            place = np.ascontiguousarray(nets[3], dtype=np.int32)
            self.check_rows(place.shape[0], np.asarray(net_rows), np.asarray(net_heads), np.asarray(net_weights))
            if place.shape[0] and not 0 <= np.min(place) <= np.max(place) < n:
                raise DagpartError(f"the nets stand at vertices that are not in 0 .. {n - 1}")
            pay_for_nets(net_rows, net_heads, net_weights, place, self.g)

    @staticmethod
    def check_rows(n, rows, heads, weights):
        """Raise DagpartError unless the arrays are the adjacency lists of n vertices."""
        if len(rows) != n + 1 or rows[0] != 0 or rows[n] != len(heads) or np.any(np.diff(rows) < 0):
            raise DagpartError(f"indptr must rise from 0 to the number of edges, {len(heads)}, in {n + 1} entries")
        if len(weights) != len(heads) or (len(heads) and not 0 <= heads.min() <= heads.max() < n):
            raise DagpartError(f"indices must lie in 0 .. {n - 1}, with a weight for each")

    @property
    def n(self):
        """Number of vertices."""
        return self.g.n

    @property
    def edges(self):
        """The edges as int64[m, 3]: tail, head, weight. What has nets counts their weights as ties alone."""
        tails = np.repeat(np.arange(self.g.n), np.diff(np.array(self.g.xadj, dtype=np.int64)))
        columns = (tails, np.array(self.g.adj, dtype=np.int64), np.array(self.g.wgt, dtype=np.int64))
        return np.column_stack(columns).astype(np.int64)

    @property
    def vertex_weights(self):
        """The weights of the vertices, int64[n]."""
        return np.array(self.g.vwgt, dtype=np.int64)

    @property
    def anchors(self):
        """Vertices that refinement leaves where they are, int32[]."""
        cdef vid_t v
        return np.array([v for v in range(<vid_t>self.g.anchor.size()) if self.g.anchor[v]], dtype=np.int32)

    @property
    def nets(self):
        """The nets as a list of (pins, cost); empty where the objective is the edge cut."""
        cdef vid_t e
        pins = np.array(self.g.nets.pin, dtype=np.int32)
        return [
            (pins[self.g.nets.first[e]:self.g.nets.first[e + 1]].tolist(), self.g.nets.cost[e])
            for e in range(net_count(self.g.nets))
        ]

    def cluster(self, name, cells=None, max_weight=None, options="default", uint64_t seed=0):
        """Clusters of one clusterer.

        Parameters
        ----------
        name : str
            Of the table of clusterers, or ``undirected``, the guide's.
        cells : array_like of n integers, optional
            Vertices of different cells are not joined.
        max_weight : int, optional
            What no cluster of several vertices may pass; that of the graph by default.

        Returns
        -------
        cluster : int32[n]
        count : int
            Of the clusters.
        """
        cdef Options opt = _options(options)
        cdef Rng rng = _stream(seed)
        cdef vector[vid_t] cell, out
        cdef wgt_t most = self.g.total if max_weight is None else max_weight
        cdef vid_t count = 0
        cdef int which = -1
        if name != "undirected":
            which = place_in("clusterer", name, clusterer_names())
        if cells is not None:
            cell = self.read_vertices(cells)
        if self.g.n > 0:
            with nogil:
                if which < 0:
                    count = UNDIRECTED.cluster(self.g, cell, most, opt, rng, out)
                else:
                    count = run_clusterer(which, self.g, cell, most, opt, rng, out)
        return np.array(out, dtype=np.int32), count

    def contract(self, cluster, vid_t count, bint undirected=False):
        """The graph of the clusters.

        Parameters
        ----------
        cluster : array_like of n integers
            In 0 .. count - 1; numbers that rise along every edge unless undirected.
        count : int
        undirected : bool
            Whether it is a guide's graph, whose edges have no direction and which has no nets.

        Returns
        -------
        Phases
        """
        cdef vector[vid_t] into = self.read_vertices(cluster)
        cdef Phases coarse = Phases.__new__(Phases)
        self.check_range(into, count)
        if not undirected and not is_monotone(self.g, into):
            raise DagpartError("the numbers of the clusters must not fall along an edge")
        contract(self.g, into, count, undirected, coarse.g)
        return coarse

    def coarsen(self, vid_t stop, cells=None, bint undirected=False, options="default", uint64_t seed=0):
        """Coarsening by the clusterers that the options name.

        Parameters
        ----------
        stop : int
            Vertices at which it ends, where it does not stall before.
        cells : array_like of n integers, optional
            Vertices of different cells are not joined.
        undirected : bool
            Whether it is for a guide; then cells are not kept.

        Returns
        -------
        list of Level
            The finest first; empty where nothing was contracted.
        """
        cdef Options opt = _options(options)
        cdef Rng rng = _stream(seed)
        cdef Hierarchy h
        cdef vector[vid_t] cell
        cdef Phases coarse
        cdef int level
        if stop < 1:
            raise DagpartError(f"coarsening must stop at one vertex or more, got {stop}")
        if cells is not None:
            cell = self.read_vertices(cells)
        with nogil:
            if undirected:
                coarsen_undirected(self.g, stop, opt, rng, h)
            else:
                coarsen(self.g, cell, stop, opt, rng, h)
        out = []
        for level in range(h.depth):
            coarse = Phases.__new__(Phases)
            coarse.g = h.graph[level + 1]
            out.append(Level(np.array(h.cluster[level], dtype=np.int32), coarse))
        return out

    def guide(self, caps, options="default", uint64_t seed=0):
        """A bisection that ignores direction.

        Parameters
        ----------
        caps : (int, int)
            Most weight of the two parts.

        Returns
        -------
        int32[n]
            0 or 1.
        """
        cdef Options opt = _options(options)
        cdef Rng rng = _stream(seed)
        cdef Scratch scratch
        cdef vector[vid_t] label
        cdef vector[wgt_t] cap = self.read_caps(caps, 2)
        with nogil:
            scratch.fm.epoch = 0
            find_guide(self.g, cap, opt, scratch, rng, label)
        return np.array(label, dtype=np.int32)

    def start(self, name, caps, guide=None, options="default", uint64_t seed=0):
        """A bisection by one start.

        Parameters
        ----------
        name : str
            Of the table of starts.
        caps : (int, int)
            Most weight of the two parts.
        guide : array_like of n integers, optional
            0 or 1 for each vertex.

        Returns
        -------
        Parts or None
            None where the start has nothing to give, as the repair of a guide that there is none of.
        """
        cdef Options opt = _options(options)
        cdef Scratch scratch
        cdef Portfolio folio
        cdef int i
        for i in range(MOST_NAMED):
            opt.starts_named[i] = -1
        opt.starts_named[0] = place_in("start", name, start_names())
        opt.guide = False               # the caller's stands in for it
        folio.cap = self.read_caps(caps, 2)
        with nogil:
            scratch.fm.epoch = 0
            open_portfolio(self.g, 1, 1, opt, seed, folio)
        if guide is not None:
            folio.guides[0] = self.read_vertices(guide)
            self.check_range(folio.guides[0], 2)
        with nogil:
            make_start(self.g, opt, 0, scratch, folio)
        return None if folio.made[0].score.over == NOT_MADE else _result(folio.made[0])

    def measure(self, labels, caps):
        """Loads, counts and score of labels, by the engine's count.

        Parameters
        ----------
        labels : array_like of n integers
            Rising along every edge, in 0 .. k - 1.
        caps : array_like of k integers
            Most weight of each part.
        """
        cdef Labelling parts
        self.read_labels(labels, caps, parts)
        return _result(parts)

    def refine(self, name, labels, caps, options="default", uint64_t seed=0, wgt_t slack=0):
        """Labels after refinement.

        Parameters
        ----------
        name : str or None
            Of the table of refiners. None: by all that the options name, as on a level of a hierarchy.
        labels, caps
            As for `measure`.
        slack : int
            Load above a cap that FM may pass through.
        """
        cdef Options opt = _options(options)
        cdef Rng rng = _stream(seed)
        cdef Scratch scratch
        cdef Labelling parts
        cdef int which = -1
        if name is not None:
            which = place_in("refiner", name, refiner_names())
        self.read_labels(labels, caps, parts)
        opt.slack = slack
        with nogil:
            scratch.fm.epoch = 0
            if which < 0:
                refine_level(self.g, opt, scratch, rng, parts)
            else:
                run_refiner(which, self.g, opt, scratch, rng, parts)
        return _result(parts)

    def refine_sides(self, labels, caps, options="default", uint64_t seed=0):
        """A bisection after the two-way refinement of guides, which ignores direction and goes by the edge cut.

        Parameters
        ----------
        labels : array_like of n integers
            0 or 1.
        caps : (int, int)
        """
        cdef Options opt = _options(options)
        cdef Rng rng = _stream(seed)
        cdef Scratch scratch
        cdef Labelling parts
        parts.k = 2
        parts.cap = self.read_caps(caps, 2)
        parts.label = self.read_vertices(labels)
        self.check_range(parts.label, 2)
        with nogil:
            scratch.fm.epoch = 0
            measure_undirected(self.g, parts)
            TWO_WAY_FM.refine(self.g, opt, scratch, rng, parts)
        return _result(parts)

    def rebalance(self, labels, caps, uint64_t seed=0):
        """Labels after the balancer, which carries overload to where there is room.

        Parameters
        ----------
        labels, caps
            As for `measure`.
        """
        cdef Rng rng = _stream(seed)
        cdef Scratch scratch
        cdef Labelling parts
        self.read_labels(labels, caps, parts)
        with nogil:
            scratch.fm.epoch = 0
            rebalance(self.g, scratch.fm, rng, parts)
        return _result(parts)

    def renumber(self, labels, caps, uint64_t seed=0):
        """The same parts in a topological order of the quotient that is drawn anew; called as `rebalance` is."""
        cdef Rng rng = _stream(seed)
        cdef Labelling parts
        self.read_labels(labels, caps, parts)
        renumber(self.g, rng, parts)
        return _result(parts)

    def fill_empty(self, labels, caps):
        """Labels with a vertex in each part; called as `measure` is."""
        cdef Labelling parts
        self.read_labels(labels, caps, parts)
        measure_filled(self.g, False, parts)
        return _result(parts)

    def order(self, kind, bint backward=False, uint64_t seed=0):
        """A topological order.

        Parameters
        ----------
        kind : str
            One of `ORDER_KINDS`, ``given`` (the ids, each source moved to just before its first use) or
            ``by_component`` (the heaviest component first).
        backward : bool
            From the sinks; for the kinds that search.
        seed : int

        Returns
        -------
        int32[n] or None
            None for the components of a graph in one piece.
        """
        cdef Rng rng = _stream(seed)
        cdef vector[vid_t] out
        if kind == "given":
            given_order(self.g, out)
        elif kind == "by_component":
            if order_by_component(self.g, out) < 2:
                return None
        else:
            make_order(self.g, <Order><int>place_in("order", kind, ORDER_KINDS), backward, rng, out)
        return np.array(out, dtype=np.int32)

    def best_prefix(self, order, caps):
        """The labels of the best cut of an order in two, by overload, then cost.

        Parameters
        ----------
        order : array_like of n integers
            Topological.
        caps : (int, int)

        Returns
        -------
        int32[n]
        """
        cdef vector[vid_t] label
        best_prefix(self.g, self.read_order(order), self.read_caps(caps, 2), label)
        return np.array(label, dtype=np.int32)

    def best_split(self, order, caps):
        """The same for k <= n runs that are not empty; None where runs of at most one anchor are too few."""
        cdef vector[vid_t] label
        cdef vector[wgt_t] cap = self.read_caps(caps, -1)
        if <vid_t>cap.size() > self.g.n:
            raise DagpartError(f"{self.g.n} vertices cannot fill {cap.size()} parts")
        if best_split(self.g, self.read_order(order), <vid_t>cap.size(), cap, label):
            return None
        return np.array(label, dtype=np.int32)

    def split_order(self, order, vid_t k, wgt_t cap):
        """The labels of a topological order cut in k runs of about equal weight in one pass, int32[n]."""
        cdef vector[vid_t] label
        if k < 1:
            raise DagpartError(f"there must be one part at least, got {k}")
        split_order(self.g, k, cap, self.read_order(order), label)
        return np.array(label, dtype=np.int32)

    def pair(self, labels, caps, vid_t low, vid_t high, vertices=None, options="default", uint64_t seed=0):
        """The flow network of two parts and its cuts.

        Parameters
        ----------
        labels, caps
            As for `measure`.
        low, high : int
            The parts, low < high.
        vertices : array_like of int, optional
            From where the corridor grows; all of both parts by default.

        Returns
        -------
        Pair or None
            None where fewer than two vertices can move.
        """
        cdef Options opt = _options(options)
        cdef Rng rng = _stream(seed)
        cdef Scratch scratch
        cdef Labelling parts
        cdef Sides sides
        cdef Cut cut
        cdef wgt_t flow
        cdef size_t i
        self.read_labels(labels, caps, parts)
        if not 0 <= low < high < parts.k:
            raise DagpartError(f"a pair needs 0 <= low < high < {parts.k}, got {low} and {high}")
        label = np.array(parts.label, dtype=np.int32)
        if vertices is None:
            vertices = np.flatnonzero((label == low) | (label == high))
        vertices = np.unique(np.asarray(vertices, dtype=np.int64))
        if np.any((vertices < 0) | (vertices >= self.g.n)):
            raise DagpartError(f"the corridor grows from vertices that are not in 0 .. {self.g.n - 1}")
        scratch.flow.boundary = vertices[(label[vertices] == low) | (label[vertices] == high)]
        scratch.flow.local.assign(self.g.n, -1)
        if self.g.objective == COMM_VOLUME:
            occupy(self.g.nets, parts.label.data(), parts.k, scratch.flow.occupancy)
        open_corridor(self.g, low, high, opt, parts, rng, scratch.flow)
        if scratch.flow.node.size() < 2:
            return None
        describe(self.g, low, high, parts, scratch.flow, sides)
        arcs = [
            (scratch.flow.arcs[i].tail, scratch.flow.arcs[i].head, _capacity(scratch.flow.arcs[i].capacity),
             _capacity(scratch.flow.arcs[i].backward))
            for i in range(scratch.flow.arcs.size())
        ]
        from_source = np.array(scratch.flow.from_source, dtype=np.int64)
        to_sink = np.array(scratch.flow.to_sink, dtype=np.int64)
        begin(scratch.flow, sides)
        flow = augment(scratch.flow, INFINITE - 1)
        # Anew: the flow is in the network.
        describe(self.g, low, high, parts, scratch.flow, sides)
        balanced_cut(scratch.flow, parts.label.data(), sides, rng, cut)
        if cut.nearest != NO_CUT:
            for i in range(scratch.flow.node.size()):
                label[scratch.flow.node[i]] = low if is_below(scratch.flow, i, cut.nearest) else high
        return Pair(
            np.array(scratch.flow.node, dtype=np.int32),
            scratch.flow.size,
            np.array(arcs, dtype=np.int64).reshape(-1, 4),
            from_source,
            to_sink,
            sides.cost,
            flow,
            (None, "source", "sink")[<int>cut.nearest],
            cut.cost,
            label,
        )

    cdef vector[vid_t] read_vertices(self, given) except *:
        # A number for each vertex.
        numbers = np.asarray(given, dtype=np.int32)
        if numbers.shape != (self.g.n,):
            raise DagpartError(f"expected a number for each of {self.g.n} vertices, got shape {numbers.shape}")
        return numbers

    cdef vector[vid_t] read_order(self, given) except *:
        cdef vector[vid_t] order = self.read_vertices(given)
        cdef vector[vid_t] place
        cdef vid_t i
        if sorted(order) != list(range(self.g.n)):
            raise DagpartError(f"an order must list each of {self.g.n} vertices once")
        place.resize(self.g.n)
        for i in range(self.g.n):
            place[order[i]] = i
        if not is_monotone(self.g, place):
            raise DagpartError("an order must be topological")
        return order

    cdef vector[wgt_t] read_caps(self, given, int k) except *:
        caps = np.asarray(given, dtype=np.int64)
        if caps.ndim != 1 or len(caps) == 0 or (k >= 0 and len(caps) != k):
            raise DagpartError(f"expected the most weight of each of {k if k >= 0 else 'k'} parts, got {given!r}")
        return caps

    cdef int check_range(self, const vector[vid_t]& numbers, vid_t k) except -1:
        cdef size_t v
        for v in range(numbers.size()):
            if not 0 <= numbers[v] < k:
                raise DagpartError(f"vertex {v} has {numbers[v]}, which is not in 0 .. {k - 1}")
        return 0

    cdef int read_labels(self, labels, caps, Labelling& parts) except -1:
        # Measured.
        parts.cap = self.read_caps(caps, -1)
        parts.k = <vid_t>parts.cap.size()
        parts.label = self.read_vertices(labels)
        self.check_range(parts.label, parts.k)
        if not is_monotone(self.g, parts.label):
            raise DagpartError("labels must not fall along an edge")
        return measure(self.g, parts)


cdef wgt_t _capacity(wgt_t capacity) noexcept:
    return -1 if capacity == INFINITE else capacity
