from dagpart._core.base.random cimport Rng
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling

cdef int renumber(const Graph& g, Rng& rng, Labelling& parts) except -1 nogil
cdef int measure_filled(const Graph& g, bint allow_empty, Labelling& parts) except -1 nogil
