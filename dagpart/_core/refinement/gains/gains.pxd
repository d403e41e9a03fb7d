# The gains by name: what an FM pass asks of them. A pass is run under one of them from its beginning to its end.
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport COMM_VOLUME, Graph
from dagpart._core.graph.nets cimport occupy
from dagpart._core.refinement.gains.edges cimport (
    LOST, OTHER, Change, follow_predecessor, follow_successor, may_rescan, queue_edges, scan_predecessors,
    scan_successors,
)
from dagpart._core.refinement.gains.nets cimport carry_pins, queue_nets, update_nets, weigh_nets
from dagpart._core.refinement.gains.sides cimport follow_sides, queue_sides, scan_sides
from dagpart._core.refinement.queues cimport retire
from dagpart._core.refinement.workspace cimport VertexState, Workspace


cdef enum Gains:
    BY_SIDES, BY_EDGES, BY_NETS


cdef inline Gains gains_of(const Graph& g) noexcept nogil:
    # Those of the graph's objective, for monotone labels.
    return BY_NETS if g.objective == COMM_VOLUME else BY_EDGES


cdef inline int open_gains(const Graph& g, const vid_t* label, vid_t k, Gains by, Workspace& ws) except -1 nogil:
    if by == BY_NETS:
        occupy(g.nets, label, k, ws.occupancy)
    return 0


cdef inline void scan(const Graph& g, const vid_t* label, vid_t k, Gains by, vid_t v, Workspace& ws) noexcept nogil:
    # v's state, from nothing.
    cdef VertexState* s = &ws.state[v]
    if by == BY_SIDES:
        scan_sides(g, label, v, s)
        return
    scan_predecessors(g, label, v, s)
    scan_successors(g, label, k, v, s)
    if by == BY_NETS:
        weigh_nets(g, k, label[v], ws.occupancy, v, s)


cdef inline int queue(const vid_t* label, vid_t k, Gains by, vid_t v, Workspace& ws, Rng& rng) except -1 nogil:
    # Brings v's slots in the heaps up to date with its state.
    if by == BY_SIDES:
        return queue_sides(label, v, ws, rng)
    if by == BY_EDGES:
        return queue_edges(label, k, v, ws, rng)
    return queue_nets(label, k, v, ws, rng)


cdef inline bint still_gains(const Graph& g, const vid_t* label, vid_t k, Gains by, vid_t v, int up, wgt_t gain,
                             Workspace& ws, Rng& rng) except -1 nogil:
    # Whether v's move, on top of its part's heap, gains what its slot says. Large nets did not tell, so that they are
    # asked when a vertex comes up.
    cdef vid_t t
    if by != BY_NETS:
        return True
    weigh_nets(g, k, label[v], ws.occupancy, v, &ws.state[v])
    queue_nets(label, k, v, ws, rng)
    if ws.slot_pos[2 * v + up] < 0:
        return False
    t = ws.state[v].to_down
    if up:
        t = ws.state[v].to_up
    return ws.heap[t][ws.slot_pos[2 * v + up]].gain == gain


cdef inline int touch(const Graph& g, const vid_t* label, vid_t k, Gains by, vid_t v, Workspace& ws) except -1 nogil:
    # The pass's first look at v.
    ws.state[v].stamp = ws.epoch
    ws.state[v].rescans = 0
    ws.touched.push_back(v)
    scan(g, label, k, by, v, ws)
    return 0


cdef inline int follow(const Graph& g, const vid_t* label, vid_t k, Gains by, vid_t x, bint above, wgt_t w, vid_t a,
                       vid_t b, Workspace& ws, Rng& rng) except -1 nogil:
    # A neighbour of x, joined by an edge of weight w, has moved from part a to part b; it stands behind x, or above.
    cdef VertexState* s = &ws.state[x]
    cdef Change change
    if s.locked == ws.epoch:
        return 0
    if s.stamp != ws.epoch:
        touch(g, label, k, by, x, ws)
    elif by == BY_SIDES:
        follow_sides(label[x], w, b, s)
    else:
        if by == BY_NETS:
            w = 0
        if above:
            change = follow_successor(g, label, k, x, w, a, b, s)
        else:
            change = follow_predecessor(g, label, x, w, a, b, s)
        if change == OTHER and by == BY_NETS:
            if may_rescan(s, g.nets.xnet[x + 1] - g.nets.xnet[x]):
                weigh_nets(g, k, label[x], ws.occupancy, x, s)
            else:
                change = LOST
        if change == LOST:
            return retire(ws, x)
    return queue(label, k, by, x, ws, rng)


cdef inline int tell_nets(const Graph& g, const vid_t* label, vid_t k, Gains by, vid_t v, vid_t a, vid_t b,
                          Workspace& ws, Rng& rng) except -1 nogil:
    # v has just moved from part a to part b: what others than its neighbours have to know.
    if by == BY_NETS:
        return update_nets(g, label, k, v, a, b, ws, rng)
    return 0


cdef inline int take_back(const Graph& g, Gains by, vid_t v, vid_t a, vid_t b, Workspace& ws) noexcept nogil:
    # v goes back from part b to part a.
    if by == BY_NETS:
        carry_pins(g, v, b, a, ws.occupancy)
    return 0
