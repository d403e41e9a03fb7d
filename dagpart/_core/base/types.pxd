# Index and weight types of the engine, in one place.
#
# A rule for all of the engine: no conditional expression (x if c else y) with a vector's element in it. Cython types it
# as a C++ reference and, where the other branch is a temporary, reads that after its end.
from libc.stdint cimport int32_t, int64_t, uint64_t

ctypedef int32_t vid_t      # vertex or part id
ctypedef int64_t eid_t      # position in an adjacency array
ctypedef int64_t wgt_t      # vertex weight, edge weight, gain

ctypedef fused id_t:        # vertex ids at the border, before the engine has narrowed them
    int32_t
    int64_t
