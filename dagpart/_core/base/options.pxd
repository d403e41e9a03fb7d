# What dagpart.options.Options says, as the engine reads it. Meanings, defaults and ranges stand there, and fields
# carry the same names: `read_options` fills them by name, so that a number that only one of the two lists is an error.
from libc.stdint cimport int64_t

from dagpart._core.base.types cimport vid_t, wgt_t

cdef enum:
    MOST_NAMED = 16         # entries of a list of phases; what is not used is -1


cdef struct Options:
    # Places in the tables of clusterers, starts and refiners.
    int[MOST_NAMED] clusterers, starts_named, refiners
    # Phases that no table lists, whether they are on.
    bint guide, order, small
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
    wgt_t slack                 # load above cap that an FM pass may run through, never kept; set by `small` alone
