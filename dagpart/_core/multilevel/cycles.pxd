from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t
from dagpart._core.coarsening.hierarchy cimport Hierarchy
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling
from dagpart._core.refinement.refiner cimport Scratch, refine_t

cdef int uncoarsen(const Graph& g, refine_t refine, const Options& opt, Scratch& scratch, Rng& rng, Hierarchy& h,
                   Labelling& parts) except -1 nogil
cdef int v_cycle(const Graph& g, vid_t stop, const vector[vid_t]& cell, const Options& opt, Scratch& scratch, Rng& rng,
                 Labelling& parts) except -1 nogil
cdef int settle(const Graph& g, const Options& opt, Scratch& scratch, Rng& rng, Labelling& parts) except -1 nogil
