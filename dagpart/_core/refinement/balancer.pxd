from dagpart._core.base.random cimport Rng
from dagpart._core.graph.csr cimport Graph
from dagpart._core.labels.labelling cimport Labelling
from dagpart._core.refinement.workspace cimport Workspace

cdef int rebalance(const Graph& g, Workspace& ws, Rng& rng, Labelling& parts) except -1 nogil
