# Gains of a bisection that ignores direction: wlo is the edge weight to the own side, whi that to the other.
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.refinement.queues cimport drop_slot, set_slot
from dagpart._core.refinement.workspace cimport VertexState, Workspace


cdef inline void scan_sides(const Graph& g, const vid_t* label, vid_t v, VertexState* s) noexcept nogil:
    cdef eid_t e
    s.wlo = 0
    s.whi = 0
    for e in range(g.xadj[v], g.xadj[v + 1]):
        if label[g.adj[e]] == label[v]:
            s.wlo += g.wgt[e]
        else:
            s.whi += g.wgt[e]
    for e in range(g.pxadj[v], g.pxadj[v + 1]):
        if label[g.padj[e]] == label[v]:
            s.wlo += g.pwgt[e]
        else:
            s.whi += g.pwgt[e]


cdef inline void follow_sides(vid_t own, wgt_t w, vid_t b, VertexState* s) noexcept nogil:
    # A neighbour, joined by an edge of weight w, has moved to side b.
    if own == b:
        w = -w
    s.wlo -= w
    s.whi += w


cdef inline int queue_sides(const vid_t* label, vid_t v, Workspace& ws, Rng& rng) except -1 nogil:
    cdef VertexState* s = &ws.state[v]
    if s.whi > 0:
        return set_slot(ws, v, 1, 1 - label[v], s.whi - s.wlo, rng)
    return drop_slot(ws, v, 1)
