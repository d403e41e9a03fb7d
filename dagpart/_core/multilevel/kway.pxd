from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling, Score
from dagpart._core.refinement.refiner cimport Scratch


cdef struct Request:
    # What is asked of a partition.
    vid_t k
    wgt_t cap
    bint allow_empty
    uint64_t seed


cdef enum Finalist:
    BISECTED, ORDERED, FINALISTS


cdef cppclass Final:
    # What follows recursive bisection: direct k-way V-cycles on its best result and, where it comes near in cost, on
    # the order the vertices came in cut into k runs. The two can be worked at side by side.
    Request request
    Score before                        # of recursive bisection's best result
    vector[Labelling] finalists


cdef vid_t kway_stop(const Graph& g, vid_t k, const Options& opt) noexcept nogil
cdef int restarts_for(const Graph& g, vid_t k, const Options& opt) noexcept nogil
cdef uint64_t seed_of_restart(uint64_t seed, int restart) noexcept nogil
cdef int enter_bisected(const Graph& g, const Options& opt, Scratch& scratch, vector[vid_t]& label,
                        Final& final) except -1 nogil
cdef int improve_finalist(const Graph& g, const Options& opt, int which, Scratch& scratch,
                          Final& final) except -1 nogil
cdef int close_final(const Graph& g, const Options& opt, Scratch& scratch, Final& final,
                     vector[vid_t]& label) except -1 nogil
cdef int solve(const Graph& g, const Request& request, const Options& opt, Scratch& scratch,
               vector[vid_t]& label) except -1 nogil
