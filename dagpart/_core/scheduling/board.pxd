# Blocks of tasks on their way from waiting to placed, for list schedulers.
from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t
from dagpart._core.scheduling.machine cimport (
    Input, Machine, State, arrival, begin, deliver, duration, run_task, sort_inputs,
)
from dagpart._core.scheduling.pace cimport tick


cdef struct Blocks:                 # what is to be placed, as `place_blocks` in list_scheduling.pyx takes it
    vid_t k
    const eid_t* starts
    const vid_t* members
    const vid_t* rank
    const vid_t* group              # NULL: no groups
    const vid_t* fixed
    const double* extra             # NULL: nothing is added; `extra_of` reads it
    vid_t columns
    bint exclusive


cdef cppclass Board:
    # Blocks on their way from waiting to placed.
    State state
    vector[eid_t] first             # inputs of each block: inputs[first[b]:first[b + 1]]
    vector[Input] inputs
    vector[vid_t] block_of
    vector[eid_t] missing           # edges from tasks that are not placed
    vector[vid_t] by_rank
    vector[char] placed
    vector[vid_t] fresh             # blocks that the last placement made ready
    vector[vid_t] owner             # processor of each group; -1: none yet
    vector[vid_t] left              # blocks of each group that are not placed
    vector[vid_t] waiting, next     # ready blocks of groups without owner, as chains
    vector[vid_t] open_groups       # on each processor: groups that it owns and has not ended
    vid_t closed                    # processors without such groups
    bint exclusive                  # such processors only take new groups, where there is a choice


cdef inline bint in_groups(const Blocks& blocks) noexcept nogil:
    return blocks.group != NULL


cdef inline int set_up(Machine m, const Blocks& blocks, Board& board) except -1 nogil:
    cdef vid_t b, v, groups = 0
    cdef eid_t i, e
    cdef Input item
    begin(m, board.state)
    board.block_of.resize(m.n)
    board.by_rank.resize(blocks.k)
    for b in range(blocks.k):
        board.by_rank[blocks.rank[b]] = b
        for i in range(blocks.starts[b], blocks.starts[b + 1]):
            board.block_of[blocks.members[i]] = b
    board.placed.assign(blocks.k, 0)
    board.first.assign(blocks.k + 1, 0)
    board.missing.resize(blocks.k)
    for b in range(blocks.k):
        for i in range(blocks.starts[b], blocks.starts[b + 1]):
            v = blocks.members[i]
            tick(board.state.spent, m.pred_indptr[v + 1] - m.pred_indptr[v] + 1)
            for e in range(m.pred_indptr[v], m.pred_indptr[v + 1]):
                if board.block_of[m.pred_indices[e]] != b:
                    item.producer = m.pred_indices[e]
                    item.consumer = v
                    item.size = m.pred_sizes[e]
                    board.inputs.push_back(item)
        board.first[b + 1] = <eid_t>board.inputs.size()
        board.missing[b] = board.first[b + 1] - board.first[b]
    if in_groups(blocks):
        for b in range(blocks.k):
            if blocks.group[b] >= groups:
                groups = blocks.group[b] + 1
        board.owner.assign(groups, -1)
        board.left.assign(groups, 0)
        board.waiting.assign(groups, -1)
        for b in range(blocks.k):
            board.left[blocks.group[b]] += 1
        board.next.assign(blocks.k, -1)
    board.open_groups.assign(m.p, 0)
    board.closed = m.p
    board.exclusive = blocks.exclusive
    board.fresh.clear()
    for b in range(blocks.k):
        if board.missing[b] == 0:
            board.fresh.push_back(b)
    return 0


cdef inline vid_t owner_of(const Blocks& blocks, const Board& board, vid_t b) noexcept nogil:
    if not in_groups(blocks):
        return -1
    return board.owner[blocks.group[b]]


cdef inline double extra_of(const Blocks& blocks, vid_t b, vid_t q) noexcept nogil:
    if blocks.extra == NULL:
        return 0
    if blocks.columns == 1:
        return blocks.extra[b]
    return blocks.extra[<eid_t>b * blocks.columns + q]


cdef inline Input* inputs_of(Board& board, vid_t b) noexcept nogil:
    return board.inputs.data() + board.first[b]


cdef inline double arrival_at(Machine m, Board& board, vid_t b, vid_t q) except? -1 nogil:
    return arrival(m, board.state, inputs_of(board, b), board.first[b + 1] - board.first[b], q, 0)


cdef inline double end_of(Machine m, const Blocks& blocks, vid_t b, vid_t q, double start) noexcept nogil:
    # When a block ends that starts then; the sum of the same terms in the same order as when it is placed.
    cdef eid_t i
    for i in range(blocks.starts[b], blocks.starts[b + 1]):
        start += duration(m, blocks.members[i], q)
    return start


cdef inline double place(Machine m, const Blocks& blocks, Board& board, vid_t b, vid_t q,
                         double start) except? -1 nogil:
    # Sends a block's data and runs it; its end. The blocks that this makes ready are in board.fresh.
    cdef eid_t i, e
    cdef vid_t v, c, g
    deliver(m, board.state, inputs_of(board, b), board.first[b + 1] - board.first[b], q, 0)
    for i in range(blocks.starts[b], blocks.starts[b + 1]):
        start = run_task(m, board.state, blocks.members[i], q, start)
    board.placed[b] = True
    board.fresh.clear()
    for i in range(blocks.starts[b], blocks.starts[b + 1]):
        v = blocks.members[i]
        tick(board.state.spent, m.indptr[v + 1] - m.indptr[v] + 1)
        for e in range(m.indptr[v], m.indptr[v + 1]):
            c = board.block_of[m.indices[e]]
            if c != b:
                board.missing[c] -= 1
                if board.missing[c] == 0:
                    board.fresh.push_back(c)
    if start > board.state.free_from[q]:
        board.state.free_from[q] = start
    if in_groups(blocks):
        g = blocks.group[b]
        if board.owner[g] < 0:
            board.owner[g] = q
            if board.open_groups[q] == 0:
                board.closed -= 1
            board.open_groups[q] += 1
        board.left[g] -= 1
        if board.left[g] == 0:
            board.open_groups[q] -= 1
            if board.open_groups[q] == 0:
                board.closed += 1
    return start


cdef inline void wait_for_owner(const Blocks& blocks, Board& board, vid_t b) noexcept nogil:
    if in_groups(blocks):
        board.next[b] = board.waiting[blocks.group[b]]
        board.waiting[blocks.group[b]] = b


cdef inline int sort_inputs_of(Board& board, vid_t b) except -1 nogil:
    return sort_inputs(board.state, inputs_of(board, b), board.first[b + 1] - board.first[b])


cdef inline bint takes_groups(const Board& board, vid_t q) noexcept nogil:
    # Where all processors have a group to end, all are as good.
    return not board.exclusive or board.closed == 0 or board.open_groups[q] == 0
