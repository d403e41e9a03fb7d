"""Greedy growing of a region, for the guide."""

from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from dagpart._core.base.heap cimport Entry, heap_change, heap_push, heap_remove
from dagpart._core.base.random cimport Rng, draw32, shuffle
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph


cdef int grow(const Graph& g, const vector[wgt_t]& cap, Rng& rng, vector[vid_t]& label) except -1 nogil:
    # Undirected greedy growing (Karypis, Kumar, SIAM J. Sci. Comput. 20(1), 1998, section 4.2): part 0 starts from a
    # random vertex and takes the one that raises the cut least until it has its share.
    cdef wgt_t target = <wgt_t>(<double>g.total * cap[0] / (<double>cap[0] + <double>cap[1]))
    cdef wgt_t weight = 0
    cdef vector[Entry] frontier
    cdef vector[int32_t] pos
    cdef vid_t v, fresh = 0
    cdef eid_t e
    cdef vector[vid_t] seeds
    label.assign(g.n, 1)
    pos.assign(g.n, -1)
    seeds.resize(g.n)
    for v in range(g.n):
        seeds[v] = v
    shuffle(rng, seeds.data(), g.n)
    while weight < target:
        if frontier.empty():
            while fresh < g.n and label[seeds[fresh]] == 0:
                fresh += 1
            if fresh == g.n:
                break
            v = seeds[fresh]
        else:
            v = frontier[0].item
            heap_remove(frontier, pos.data(), 0)
        if weight + g.vwgt[v] > cap[0]:
            if frontier.empty():
                break
            continue
        label[v] = 0
        weight += g.vwgt[v]
        for e in range(g.xadj[v], g.xadj[v + 1]):
            pull(g, g.adj[e], g.wgt[e], label, frontier, pos, rng)
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            pull(g, g.padj[e], g.pwgt[e], label, frontier, pos, rng)
    return 0


cdef inline int pull(const Graph& g, vid_t x, wgt_t w, const vector[vid_t]& label, vector[Entry]& frontier,
                     vector[int32_t]& pos, Rng& rng) except -1 nogil:
    cdef Entry entry
    cdef eid_t e
    if label[x] == 0:
        return 0
    if pos[x] >= 0:
        heap_change(frontier, pos.data(), pos[x], frontier[pos[x]].gain + 2 * w, draw32(rng))
        return 0
    entry.item = x
    entry.tie = draw32(rng)
    entry.gain = 2 * w
    for e in range(g.xadj[x], g.xadj[x + 1]):
        entry.gain -= g.wgt[e]
    for e in range(g.pxadj[x], g.pxadj[x + 1]):
        entry.gain -= g.pwgt[e]
    return heap_push(frontier, pos.data(), entry)
