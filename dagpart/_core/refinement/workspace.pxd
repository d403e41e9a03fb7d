# What FM keeps from call to call.
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from dagpart._core.base.heap cimport Entry
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.nets cimport Occupancy


cdef struct VertexState:
    # Monotone labels: the highest label among the predecessors and the lowest among the successors, and how many have
    # it. What the two weights mean is a matter of the gains (refinement/gains).
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
    vector[vid_t] moved, origin         # the pass's moves, for rollback
    vector[vid_t] boundary, touched
    Occupancy occupancy


cdef inline int prepare(vid_t n, vid_t k, Workspace& ws) except -1 nogil:
    # Room for a graph of n vertices and k parts.
    cdef VertexState fresh
    cdef size_t v
    if <vid_t>ws.state.size() < n:
        fresh.stamp = 0
        fresh.locked = 0
        fresh.listed = 0
        ws.state.resize(n, fresh)
        ws.slot_pos.resize(2 * <size_t>n, -1)
    if <vid_t>ws.heap.size() < k:
        ws.heap.resize(k)
        ws.ready_pos.resize(k, -1)
        ws.parked.resize(k, 0)
    if ws.epoch > 2000000000:
        for v in range(ws.state.size()):
            ws.state[v].stamp = 0
            ws.state[v].locked = 0
            ws.state[v].listed = 0
        ws.epoch = 0
    return 0
