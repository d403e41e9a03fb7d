# What clusterers share.
from libcpp.vector cimport vector

from dagpart._core.base.random cimport Rng, shuffle
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph

cdef enum:
    BLOCK = 64              # vertices visited together: random enough, and neighbours in memory
    SIBLING_BUDGET = 8      # entries of a neighbour's list looked at for siblings
    SCAN_LIMIT = 1000       # entries of one adjacency list that decide a vertex's cluster
    CHECK_EVERY = 1 << 18   # vertices visited between two looks for an interrupt


cdef inline int visiting_order(vid_t n, Rng& rng, vector[vid_t]& order) except -1 nogil:
    # Blocks in random order, vertices in random order inside a block.
    cdef vector[vid_t] blocks
    cdef vid_t b, i, start, at = 0
    blocks.resize((n + BLOCK - 1) // BLOCK)
    order.resize(n)
    for b in range(<vid_t>blocks.size()):
        blocks[b] = b
    shuffle(rng, blocks.data(), <vid_t>blocks.size())
    for b in range(<vid_t>blocks.size()):
        start = at
        for i in range(blocks[b] * BLOCK, min(n, (blocks[b] + 1) * BLOCK)):
            order[at] = i
            at += 1
        shuffle(rng, order.data() + start, at - start)
    return 0


cdef inline wgt_t weight_limit(const Graph& g, wgt_t max_weight, double shrink) noexcept nogil:
    # The most a cluster may weigh in a step that is to shrink the graph by that factor.
    return min(max_weight, <wgt_t>min(shrink * (<double>g.total / g.n), 9.0e18) + 1)
