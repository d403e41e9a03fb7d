"""The engine's door: a graph and what is asked of its partitions, from Python's arrays and back."""

import numpy as np

from dagpart._core.coarsening.hierarchy import clusterer_names
from dagpart._core.multilevel.portfolio import start_names
from dagpart._core.refinement.level import refiner_names
from dagpart.errors import DagpartError

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport Stop, watch
from dagpart._core.base.options cimport MOST_NAMED, Options
from dagpart._core.base.random cimport COMBINE_STREAM, REFINE_STREAM, SPLIT_STREAM, Rng, derive
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph, load_graph, pay_for_nets
from dagpart._core.initial.closures cimport close_downwards, close_upwards
from dagpart._core.initial.orders cimport given_order
from dagpart._core.initial.prefixes cimport split_order
from dagpart._core.labels.labelling cimport (
    Labelling, check_graph, check_labels, less, measure, open_labelling, take_label,
)
from dagpart._core.labels.numbering cimport measure_filled, renumber
from dagpart._core.multilevel.crew cimport solve_threaded
from dagpart._core.multilevel.cycles cimport settle, v_cycle
from dagpart._core.multilevel.kway cimport Request, kway_stop, solve
from dagpart._core.multilevel.small cimport search_small
from dagpart._core.refinement.balancer cimport rebalance
from dagpart._core.refinement.refiner cimport Scratch

cdef enum:
    THREAD_MIN = 2000       # vertices below which handing out jobs costs more than it saves
    MOST_CELLS = 46340      # parts whose square still fits the type of a cell


def place_in(kind, name, names):
    """Where a name stands in a table of phases of that kind."""
    if name not in names:
        raise DagpartError(f"there is no {kind} {name!r}; choose from {', '.join(names)}")
    return names.index(name)


def _places(kind, named, names):
    # Of the named phases, as many as an Options has room for.
    if len(named) > MOST_NAMED:
        raise DagpartError(f"the options name {len(named)} {kind}s, {MOST_NAMED} are the most")
    return [place_in(kind, name, names) for name in named] + [-1] * (MOST_NAMED - len(named))


cdef Options read_options(options):
    # By name: a number that dagpart.options and base/options.pxd do not both have is an error.
    values = options.numbers()
    phases = list(options.phases)
    for phase in ("guide", "order", "small"):
        values[phase] = phase in phases
        if phase in phases:
            phases.remove(phase)
    values["starts_named"] = sorted(
        _places("start", phases, start_names()), key=lambda place: (place < 0, place)
    )
    values["clusterers"] = _places("clusterer", options.clusterers, clusterer_names())
    values["refiners"] = _places("refiner", options.refiners, refiner_names())
    values["slack"] = 0
    cdef Options read = values
    unread = values.keys() - dict(read).keys()
    if unread:
        raise AssertionError(f"base/options.pxd has no field for {', '.join(sorted(unread))}")
    return read


cdef class Engine:
    """A graph and what is asked of its partitions; every call works on arrays of its own, so threads may share one.

    Parameters
    ----------
    indptr, indices, edge_weights : int64[n + 1], int32[m], int64[m]
        Successors. Weights must sum to less than 2^62.
    vertex_weights : int64[n]
        Must sum to less than 2^62: engine sums of two such figures must not overflow.
    rank : int32[n]
        A topological numbering of the vertices.
    anchor : int8[n] or int8[0]
        Nonzero for vertices that must end in distinct parts, at most k of them.
    k, cap : int
        Number of parts and the weight no part should pass.
    allow_empty : bool
        Whether parts may stay empty though k <= n.
    nets : (indptr, indices, edge_weights, place), optional
        Makes the objective the communication volume instead of the edge cut: the graph whose vertices send and
        receive, int64[N + 1], int32[M], int64[M], and the vertex that each of its vertices belongs to, int32[N].
    """

    cdef Graph g
    cdef vector[vid_t] rank
    cdef vid_t k
    cdef wgt_t cap
    cdef bint allow_empty

    def __init__(self, const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] edge_weights,
                 const int64_t[::1] vertex_weights, const int32_t[::1] rank, const int8_t[::1] anchor, int32_t k,
                 int64_t cap, bint allow_empty, nets=None):
        cdef vid_t v
        self.k = k
        self.cap = cap
        self.allow_empty = allow_empty
        cdef const int64_t[::1] net_indptr, net_weights
        cdef const int32_t[::1] net_indices, place
        cdef bint volume = nets is not None
        if volume:
            net_indptr, net_indices, net_weights, place = nets
            place = np.take(rank, place)
        with nogil:
            load_graph(indptr, indices, edge_weights, vertex_weights, rank, anchor, self.g)
            self.rank.resize(self.g.n)
            for v in range(self.g.n):
                self.rank[v] = rank[v]
            if volume:
                pay_for_nets(net_indptr, net_indices, net_weights, place, self.g)

    def solve(self, options, uint64_t seed, int threads=1, Stop stop=None):
        """Partition with monotone labels.

        Parameters
        ----------
        options : dagpart.options.Options
        seed : int
        threads : int
            Does not change the labels.
        stop : Stop, optional
            Ends the call from another thread.

        Returns
        -------
        labels : int32[n]
            They rise along every edge. Parts above cap are those that could not be mended.
        """
        cdef Options opt = read_options(options)
        cdef Request request = self.request(seed)
        cdef Scratch scratch
        cdef vector[vid_t] label
        watch(stop)
        try:
            with nogil:
                scratch.fm.epoch = 0
                if opt.check:
                    check_graph(self.g, b"input")
                if self.k == 1 or self.g.n == 0:
                    label.assign(self.g.n, 0)
                else:
                    if threads > 1 and self.g.n > THREAD_MIN:
                        with gil:
                            solve_threaded(self.g, request, opt, scratch, threads, stop, label)
                    else:
                        solve(self.g, request, opt, scratch, label)
                    if opt.small and self.k <= self.g.n:
                        search_small(self.g, request, opt, scratch, label)
        finally:
            watch(None)
        return self.to_caller(label)

    def split(self, options):
        """The order the vertices came in cut into k runs, balanced: an answer for who has no time at all.

        Parameters
        ----------
        options : dagpart.options.Options

        Returns
        -------
        labels : int32[n] or None
            Monotone; None where anchors rule such a simple partition out.
        """
        cdef Options opt = read_options(options)
        cdef Scratch scratch
        cdef Rng rng = derive(0, SPLIT_STREAM, self.k)
        cdef vector[vid_t] order
        cdef Labelling parts
        if not self.g.anchor.empty():
            return None
        with nogil:
            scratch.fm.epoch = 0
            open_labelling(self.k, self.cap, parts)
            given_order(self.g, order)
            split_order(self.g, self.k, self.cap, order, parts.label)
            measure_filled(self.g, self.allow_empty, parts)
            rebalance(self.g, scratch.fm, rng, parts)
            if opt.check:
                check_labels(self.g, parts.label, self.k, b"split of the given order")
        return self.to_caller(parts.label)

    def combine(self, const int32_t[::1] labels, const int32_t[::1] other, options, uint64_t seed, Stop stop=None):
        """A V-cycle from `labels` that contracts nothing that either labelling cuts.

        Cells of the overlay of two acyclic partitions are ordered by the product of the two orders, so contracting
        inside them leaves an acyclic graph on which both partitions live. With `other` equal to `labels` this is an
        ordinary V-cycle. The numbering of the parts is redrawn.

        Parameters
        ----------
        labels, other : int32[n]
            Monotone.
        options, seed, stop
            As for `solve`.

        Returns
        -------
        labels : int32[n]
            Not worse than `labels`.
        """
        cdef Options opt = read_options(options)
        cdef Scratch scratch
        cdef Rng rng = derive(seed, COMBINE_STREAM, self.k)
        cdef Labelling start, child
        cdef vector[vid_t] cell
        cdef vid_t v
        cdef bint same = self.k > MOST_CELLS
        self.from_caller(labels, start)
        cell = start.label
        if not same:
            for v in range(self.g.n):
                cell[self.rank[v]] = labels[v] * self.k + other[v]
        watch(stop)
        try:
            with nogil:
                scratch.fm.epoch = 0
                measure(self.g, start)
                child = start
                renumber(self.g, rng, child)
                v_cycle(self.g, kway_stop(self.g, self.k, opt), cell, opt, scratch, rng, child)
                if not less(start.score, child.score):
                    take_label(start, child)
        finally:
            watch(None)
        return self.to_caller(start.label)

    def close(self, const int32_t[::1] labels, bint upwards):
        """The nearest labels above or below the given ones that rise along every edge.

        Parameters
        ----------
        labels : int32[n]
        upwards : bool
            Every vertex takes the highest label among its own and its ancestors'; else the lowest among its own and
            its descendants'.

        Returns
        -------
        labels : int32[n]
            Monotone.
        """
        cdef Labelling parts
        self.from_caller(labels, parts)
        if upwards:
            close_upwards(self.g, parts.label)
        else:
            close_downwards(self.g, parts.label)
        return self.to_caller(parts.label)

    def refine(self, const int32_t[::1] labels, options, uint64_t seed, Stop stop=None):
        """Balance and refinement of a given partition, without coarsening.

        Parameters
        ----------
        labels : int32[n]
            Monotone; parts may be empty or too heavy.
        options, seed, stop
            As for `solve`.

        Returns
        -------
        labels : int32[n]
            Monotone. Parts above cap are those that could not be mended.
        """
        cdef Options opt = read_options(options)
        cdef Scratch scratch
        cdef Rng rng = derive(seed, REFINE_STREAM, self.k)
        cdef Labelling parts
        self.from_caller(labels, parts)
        watch(stop)
        try:
            with nogil:
                scratch.fm.epoch = 0
                measure_filled(self.g, self.allow_empty, parts)
                settle(self.g, opt, scratch, rng, parts)
                if opt.check:
                    check_labels(self.g, parts.label, self.k, b"refinement of given labels")
        finally:
            watch(None)
        return self.to_caller(parts.label)

    def score(self, const int32_t[::1] labels):
        """Weight above the caps, summed over the parts, and the objective: partitions compare by this pair."""
        cdef Labelling parts
        self.from_caller(labels, parts)
        measure(self.g, parts)
        return parts.score.over, parts.score.cost

    cdef Request request(self, uint64_t seed) noexcept:
        cdef Request r
        r.k = self.k
        r.cap = self.cap
        r.allow_empty = self.allow_empty
        r.seed = seed
        return r

    cdef int from_caller(self, const int32_t[::1] labels, Labelling& parts) except -1:
        # Labels by the caller's ids become labels by the engine's.
        cdef vid_t v
        open_labelling(self.k, self.cap, parts)
        parts.label.resize(self.g.n)
        for v in range(self.g.n):
            parts.label[self.rank[v]] = labels[v]
        return 0

    cdef to_caller(self, const vector[vid_t]& label):
        cdef vid_t v
        out = np.empty(self.g.n, dtype=np.int32)
        cdef int32_t[::1] labels = out
        for v in range(self.g.n):
            labels[v] = label[self.rank[v]]
        return out
