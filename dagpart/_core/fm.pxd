from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from dagpart._core.csr cimport Graph, Score
from dagpart._core.base.heap cimport Entry
from dagpart._core.nets cimport Occupancy
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t


cdef enum Rule:
    UNDIRECTED, CUT, VOLUME     # two parts without regard to direction; monotone labels, judged by edges or by nets


cdef struct VertexState:
    # Monotone labels: the highest label among the predecessors and the lowest among the successors, how many have it
    # and the edge weight to those (judged by nets: what a move there gains). Undirected: wlo is the weight to the own
    # part, whi that to the other.
    wgt_t wlo, whi
    vid_t lo, hi, clo, chi
    vid_t to_down, to_up        # parts whose heaps hold the vertex's two slots
    int32_t stamp               # pass in which the fields above were computed
    int32_t rescans
    int32_t locked              # pass in which the vertex moved
    int32_t listed              # refinement in which it was found on the boundary


cdef cppclass Workspace:
    # Arrays that refinement reuses from call to call; they only grow.
    int32_t epoch
    vector[VertexState] state
    vector[int32_t] slot_pos            # slot 2 v + (0 down | 1 up) -> place in heap[to_*]
    vector[vector[Entry]] heap          # by target part
    vector[Entry] ready                 # heap over the parts that can receive
    vector[int32_t] ready_pos
    vector[char] parked                 # parts whose best candidate does not fit
    vector[wgt_t] load
    vector[vid_t] count
    vector[vid_t] moved, origin         # the pass's moves, for rollback
    vector[vid_t] boundary, touched
    Occupancy occupancy
    Score score                         # of the labels that refine last returned


cdef struct FmOptions:
    int passes
    Rule rule
    double stop_fraction                # a pass ends after this fraction of n moves without a new best
    vid_t stop_min, stop_max
    wgt_t slack                         # load above cap that a pass may run through; never kept


cdef int refine(const Graph& g, vector[vid_t]& label, vid_t k, const vector[wgt_t]& cap, const FmOptions& opt,
                Workspace& ws, Rng& rng) except -1 nogil
cdef int rebalance(const Graph& g, vector[vid_t]& label, vid_t k, const vector[wgt_t]& cap, Workspace& ws,
                   Rng& rng) except -1 nogil
