# The queues of FM: a heap of candidates for each target part, and a heap over the parts that can receive.
from libc.stdint cimport int32_t

from dagpart._core.base.heap cimport Entry, heap_change, heap_push, heap_remove
from dagpart._core.base.random cimport Rng, draw32
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.refinement.workspace cimport VertexState, Workspace


cdef inline int sync_ready(Workspace& ws, vid_t t) except -1 nogil:
    # Makes the heap of parts agree with the heap of part t.
    cdef int32_t i = ws.ready_pos[t]
    cdef Entry e
    if ws.heap[t].empty() or ws.parked[t]:
        if i >= 0:
            heap_remove(ws.ready, ws.ready_pos.data(), i)
        return 0
    e = ws.heap[t][0]
    if i < 0:
        e.item = t
        heap_push(ws.ready, ws.ready_pos.data(), e)
    elif ws.ready[i].gain != e.gain or ws.ready[i].tie != e.tie:
        heap_change(ws.ready, ws.ready_pos.data(), i, e.gain, e.tie)
    return 0


cdef inline int drop_slot(Workspace& ws, vid_t v, int up) except -1 nogil:
    cdef int32_t slot = 2 * v + up
    cdef int32_t i = ws.slot_pos[slot]
    cdef vid_t t
    if i >= 0:
        t = ws.state[v].to_down
        if up:
            t = ws.state[v].to_up
        heap_remove(ws.heap[t], ws.slot_pos.data(), i)
        sync_ready(ws, t)
    return 0


cdef inline int set_slot(Workspace& ws, vid_t v, int up, vid_t t, wgt_t gain, Rng& rng) except -1 nogil:
    cdef int32_t slot = 2 * v + up
    cdef int32_t i = ws.slot_pos[slot]
    cdef VertexState* s = &ws.state[v]
    cdef Entry e
    if i >= 0:
        if (s.to_up if up else s.to_down) == t:
            if ws.heap[t][i].gain != gain:
                heap_change(ws.heap[t], ws.slot_pos.data(), i, gain, draw32(rng))
                sync_ready(ws, t)
            return 0
        drop_slot(ws, v, up)
    if up:
        s.to_up = t
    else:
        s.to_down = t
    e.gain = gain
    e.tie = draw32(rng)
    e.item = slot
    heap_push(ws.heap[t], ws.slot_pos.data(), e)
    sync_ready(ws, t)
    return 0


cdef inline int retire(Workspace& ws, vid_t v) except -1 nogil:
    # v moves no more in this pass.
    ws.state[v].locked = ws.epoch
    drop_slot(ws, v, 0)
    drop_slot(ws, v, 1)
    return 0


cdef inline int close_queues(Workspace& ws, vid_t k) except -1 nogil:
    # All heaps become empty.
    cdef size_t i
    cdef vid_t t
    for i in range(ws.touched.size()):
        ws.slot_pos[2 * ws.touched[i]] = -1
        ws.slot_pos[2 * ws.touched[i] + 1] = -1
    for t in range(k):
        ws.heap[t].clear()
        ws.ready_pos[t] = -1
        ws.parked[t] = 0
    ws.ready.clear()
    return 0
