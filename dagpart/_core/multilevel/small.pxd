from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.types cimport vid_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.multilevel.kway cimport Request
from dagpart._core.refinement.refiner cimport Scratch

cdef int search_small(const Graph& g, const Request& request, const Options& opt, Scratch& scratch,
                      vector[vid_t]& label) except -1 nogil
