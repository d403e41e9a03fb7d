# The contract of a start of a bisection.
from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling
from dagpart._core.refinement.refiner cimport Scratch

cdef enum:
    NOT_MADE = -1               # overload of a labelling that there is none of


cdef struct Bisection:
    # What is asked of it: caps of the two parts, and what anchors bind (-1 free, 0 and 1 bound; empty: none are).
    const vector[wgt_t]* cap
    const vector[vid_t]* side


# Makes two parts, refined and measured, inside the sides of the guide or from them; leaves them as they are (NOT_MADE)
# where it has nothing to give. The guide is empty where there is none.
ctypedef int (*start_t)(const Graph& g, const Bisection& problem, const vector[vid_t]& guide, const Options& opt,
                        Scratch& scratch, Rng& rng, Labelling& parts) except -1 nogil


cdef struct Start:
    const char* name
    start_t make
    bint for_each_guide         # made once for each guide; else once
    uint64_t stream             # its random numbers
