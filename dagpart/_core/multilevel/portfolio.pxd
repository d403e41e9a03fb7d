from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling
from dagpart._core.multilevel.start cimport Start
from dagpart._core.refinement.refiner cimport Scratch


cdef struct Entrant:
    int start                   # place in the table of starts
    int guide


cdef cppclass Portfolio:
    # The starts of one bisection. Each has a stream of random numbers of its own, so that they can be made side by side
    # once the guides are there.
    uint64_t seed
    vector[wgt_t] cap
    vector[vid_t] side          # what anchors bind, as anchor_classes gives it
    vector[vector[vid_t]] guides
    vector[Entrant] entrants
    vector[Labelling] made      # by the entrants


cdef int register_start(const Start& start) except -1
cdef int open_portfolio(const Graph& g, vid_t k0, vid_t k1, const Options& opt, uint64_t seed,
                        Portfolio& folio) except -1 nogil
cdef int make_guide(const Graph& g, const Options& opt, int which, Scratch& scratch, Portfolio& folio) except -1 nogil
cdef int make_start(const Graph& g, const Options& opt, int which, Scratch& scratch, Portfolio& folio) except -1 nogil
cdef int close_portfolio(const Graph& g, const Options& opt, Scratch& scratch, Portfolio& folio,
                         vector[vid_t]& label) except -1 nogil
