from dagpart._core.coarsening.clusterer cimport Clusterer

cdef Clusterer LEVELS
