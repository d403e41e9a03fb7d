# Gains under the communication volume: wlo and whi are what a move to lo and hi gains, by the nets' pins in each part.
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.graph.nets cimport Occupancy, enter, leave, pins_in
from dagpart._core.refinement.gains.edges cimport queue_moves
from dagpart._core.refinement.workspace cimport VertexState, Workspace

cdef enum:
    LARGE_NET = 256         # pins; vertices of larger nets learn of a move only when they come up for one themselves


cdef inline void weigh_nets(const Graph& g, vid_t k, vid_t own, const Occupancy& occupancy, vid_t v,
                            VertexState* s) noexcept nogil:
    # What moving v to its two targets gains.
    cdef eid_t i
    cdef vid_t e
    cdef wgt_t c
    s.wlo = 0
    s.whi = 0
    for i in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
        e = g.nets.net[i]
        c = g.nets.cost[e]
        if pins_in(occupancy, e, own) == 1:
            s.wlo += c
            s.whi += c
        if 0 <= s.lo < own and pins_in(occupancy, e, s.lo) == 0:
            s.wlo -= c
        if own < s.hi < k and pins_in(occupancy, e, s.hi) == 0:
            s.whi -= c


cdef inline int queue_nets(const vid_t* label, vid_t k, vid_t v, Workspace& ws, Rng& rng) except -1 nogil:
    return queue_moves(label[v], k, v, ws.state[v].whi, ws.state[v].wlo, ws, rng)


cdef inline void carry_pins(const Graph& g, vid_t v, vid_t a, vid_t b, Occupancy& occupancy) noexcept nogil:
    # v goes from part a to part b, and its pins with it.
    cdef eid_t i
    for i in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
        leave(occupancy, g.nets.net[i], a)
        enter(occupancy, g.nets.net[i], b)


cdef inline int update_nets(const Graph& g, const vid_t* label, vid_t k, vid_t v, vid_t a, vid_t b, Workspace& ws,
                            Rng& rng) except -1 nogil:
    # v has just moved from part a to part b; its nets follow, and with them the gains of their other pins, where the
    # number of pins in a or b came near zero.
    cdef eid_t i, j
    cdef vid_t e, x, left, come
    cdef wgt_t c
    cdef VertexState* s
    for i in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
        e = g.nets.net[i]
        leave(ws.occupancy, e, a)
        enter(ws.occupancy, e, b)
        left = pins_in(ws.occupancy, e, a)
        come = pins_in(ws.occupancy, e, b)
        if (left > 1 and come > 2) or g.nets.first[e + 1] - g.nets.first[e] > LARGE_NET:
            continue
        c = g.nets.cost[e]
        for j in range(g.nets.first[e], g.nets.first[e + 1]):
            x = g.nets.pin[j]
            s = &ws.state[x]
            if s.stamp != ws.epoch or s.locked == ws.epoch:
                continue
            if left == 0:
                if s.lo == a:
                    s.wlo -= c
                if s.hi == a:
                    s.whi -= c
            elif left == 1 and label[x] == a:
                s.wlo += c
                s.whi += c
            if come == 1:
                if s.lo == b:
                    s.wlo += c
                if s.hi == b:
                    s.whi += c
            elif come == 2 and label[x] == b:
                s.wlo -= c
                s.whi -= c
            queue_nets(label, k, x, ws, rng)
    return 0
