# The contract of a refiner.
from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling
from dagpart._core.refinement.flow.network cimport Network
from dagpart._core.refinement.workspace cimport Workspace


cdef cppclass Scratch:
    # Arrays that refiners reuse from call to call; each thread has its own.
    Workspace fm
    Network flow


# Moves vertices. Takes a measured labelling and leaves it measured (load, count and score are those of the labels),
# monotone if it was, and with a score that is not worse.
ctypedef int (*refine_t)(const Graph& g, const Options& opt, Scratch& scratch, Rng& rng,
                         Labelling& parts) except -1 nogil


cdef struct Refiner:
    const char* name
    refine_t refine
