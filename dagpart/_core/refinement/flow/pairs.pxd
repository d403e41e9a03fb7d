from dagpart._core.base.types cimport vid_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling
from dagpart._core.refinement.flow.network cimport Network
from dagpart._core.refinement.flow.piercing cimport Sides
from dagpart._core.refinement.refiner cimport Refiner

cdef Refiner FLOW

cdef int describe(const Graph& g, vid_t a, vid_t b, const Labelling& parts, Network& net,
                  Sides& sides) except -1 nogil
