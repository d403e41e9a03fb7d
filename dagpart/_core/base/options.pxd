from libc.stdint cimport int64_t

from dagpart._core.base.types cimport vid_t


cdef struct Options:
    # Meanings: dagpart.options.Options, which is where the values come from.
    int guides
    int guide_starts
    int starts
    int scans
    int repairs
    int cycles
    int restarts
    int bisection_restarts
    int kway_cycles
    int passes
    double shrink
    double guide_shrink
    double stop_fraction
    vid_t stop_min, stop_max
    vid_t coarsest
    vid_t coarsest_per_part
    double order_ratio
    vid_t flow_vertices
    int flow_rounds
    vid_t flow_depth, flow_nodes
    double flow_reach
    int64_t small_rounds, small_work, restart_work
    bint check
