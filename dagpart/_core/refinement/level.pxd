from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling
from dagpart._core.refinement.refiner cimport Refiner, Scratch

cdef int register_refiner(const Refiner& refiner) except -1
cdef int run_refiner(int which, const Graph& g, const Options& opt, Scratch& scratch, Rng& rng,
                     Labelling& parts) except -1 nogil
cdef int refine_level(const Graph& g, const Options& opt, Scratch& scratch, Rng& rng,
                      Labelling& parts) except -1 nogil
