from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.refinement.refiner cimport Scratch

cdef int find_guide(const Graph& g, const vector[wgt_t]& cap, const Options& opt, Scratch& scratch, Rng& rng,
                    vector[vid_t]& label) except -1 nogil
cdef int affordable(int starts, vid_t n) noexcept nogil
