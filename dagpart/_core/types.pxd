# Index and weight types of the engine, in one place.
from libc.stdint cimport int32_t, int64_t, uint64_t

ctypedef int32_t vid_t      # vertex or part id
ctypedef int64_t eid_t      # position in an adjacency array
ctypedef int64_t wgt_t      # vertex weight, edge weight, gain

ctypedef fused id_t:        # vertex ids at the border, before the engine has narrowed them
    int32_t
    int64_t
