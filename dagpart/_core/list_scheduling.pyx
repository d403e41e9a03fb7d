"""List scheduling of blocks of tasks: by priority, or by the best pair of a ready block and a processor.

A block is a list of tasks in a topological order that run on one processor without a break once all data from elsewhere
are there; a plain list scheduler has a block for each task. Besides, blocks may be bound to each other in groups: where
the first of a group goes, the rest follow. What a placement costs is in `machine`.
"""

from libc.stdint cimport int64_t
from libcpp.pair cimport pair
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.gaps cimport Chunk, Spot, add_last, fill, first_after, next_gap
from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.machine cimport Input, Machine, State, arrival, begin, deliver, outcome, run_task, sort_inputs
from dagpart._core.base.types cimport eid_t, vid_t

ctypedef pair[double, int64_t] key_t        # negated key and rank: the heap's top has the least of both

# How `by_priority` chooses a processor; numbers as in schedule/lists.py.
cdef enum:
    EARLIEST_START = 0
    EARLIEST_FINISH = 1
    IN_TURN = 2

cdef enum:
    ROUND = 1024            # placements between two looks for an interrupt


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


cdef class Blocks:
    # What is to be placed; see `by_priority`.
    cdef const eid_t[::1] starts
    cdef const vid_t[::1] members
    cdef const vid_t[::1] rank
    cdef const vid_t[::1] group
    cdef const vid_t[::1] fixed
    cdef bint exclusive
    cdef vid_t k

    def __init__(
        self,
        const eid_t[::1] starts,
        const vid_t[::1] members,
        const vid_t[::1] rank,
        const vid_t[::1] group,
        const vid_t[::1] fixed,
        bint exclusive,
    ):
        self.starts = starts
        self.members = members
        self.rank = rank
        self.group = group
        self.fixed = fixed
        self.exclusive = exclusive
        self.k = <vid_t>(starts.shape[0] - 1)


cdef int set_up(Machine m, Blocks blocks, Board& board) except -1 nogil:
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
            for e in range(m.pred_indptr[v], m.pred_indptr[v + 1]):
                if board.block_of[m.pred_indices[e]] != b:
                    item.producer = m.pred_indices[e]
                    item.consumer = v
                    item.size = m.pred_sizes[e]
                    board.inputs.push_back(item)
        board.first[b + 1] = <eid_t>board.inputs.size()
        board.missing[b] = board.first[b + 1] - board.first[b]
    for b in range(<vid_t>blocks.group.shape[0]):
        if blocks.group[b] >= groups:
            groups = blocks.group[b] + 1
    board.owner.assign(groups, -1)
    board.left.assign(groups, 0)
    board.waiting.assign(groups, -1)
    for b in range(<vid_t>blocks.group.shape[0]):
        board.left[blocks.group[b]] += 1
    board.next.assign(blocks.group.shape[0], -1)
    board.open_groups.assign(m.p, 0)
    board.closed = m.p
    board.exclusive = blocks.exclusive
    board.fresh.clear()
    for b in range(blocks.k):
        if board.missing[b] == 0:
            board.fresh.push_back(b)
    return 0


cdef inline vid_t owner_of(Blocks blocks, const Board& board, vid_t b) noexcept nogil:
    if blocks.group.shape[0] == 0:
        return -1
    return board.owner[blocks.group[b]]


cdef inline Input* inputs_of(Board& board, vid_t b) noexcept nogil:
    return board.inputs.data() + board.first[b]


cdef inline double arrival_at(Machine m, Board& board, vid_t b, vid_t q) except? -1 nogil:
    return arrival(m, board.state, inputs_of(board, b), board.first[b + 1] - board.first[b], q, 0)


cdef inline double end_of(Machine m, Blocks blocks, vid_t b, vid_t q, double start) noexcept nogil:
    # When a block ends that starts then; the sum of the same terms in the same order as when it is placed.
    cdef eid_t i
    for i in range(blocks.starts[b], blocks.starts[b + 1]):
        start += m.durations[blocks.members[i], q * m.step]
    return start


cdef double place(Machine m, Blocks blocks, Board& board, vid_t b, vid_t q, double start) except? -1 nogil:
    # Runs a block whose data were sent; the blocks that this makes ready are in board.fresh.
    cdef eid_t i, e
    cdef vid_t v, c, g
    for i in range(blocks.starts[b], blocks.starts[b + 1]):
        start = run_task(m, board.state, blocks.members[i], q, start)
    board.placed[b] = True
    board.fresh.clear()
    for i in range(blocks.starts[b], blocks.starts[b + 1]):
        v = blocks.members[i]
        for e in range(m.indptr[v], m.indptr[v + 1]):
            c = board.block_of[m.indices[e]]
            if c != b:
                board.missing[c] -= 1
                if board.missing[c] == 0:
                    board.fresh.push_back(c)
    if start > board.state.free_from[q]:
        board.state.free_from[q] = start
    if blocks.group.shape[0]:
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


cdef inline void wait_for_owner(Blocks blocks, Board& board, vid_t b) noexcept nogil:
    if blocks.group.shape[0]:
        board.next[b] = board.waiting[blocks.group[b]]
        board.waiting[blocks.group[b]] = b


cdef inline bint takes_groups(const Board& board, vid_t q) noexcept nogil:
    # Where all processors have a group to end, all are as good.
    return not board.exclusive or board.closed == 0 or board.open_groups[q] == 0


cdef Spot earliest_gap(Machine m, Blocks blocks, const vector[Chunk]& gaps, vid_t b, vid_t q, double ready,
                       double* start) noexcept nogil:
    # The first gap of q that holds a block whose data are there at `ready`, and the start in it.
    cdef Spot spot = first_after(gaps, ready)
    # Sums of many durations may round; what is almost too short is tried.
    cdef double shortest = end_of(m, blocks, b, q, 0) * (1 - 1e-9)
    while next_gap(gaps, shortest, spot):
        start[0] = gaps[spot.chunk].gaps[spot.gap].start
        if start[0] < ready:
            start[0] = ready
        if end_of(m, blocks, b, q, start[0]) <= gaps[spot.chunk].gaps[spot.gap].finish:
            break
        spot.gap += 1
    return spot


def by_priority(
    Machine m,
    Blocks blocks,
    int rule,
    bint insertion,
    const double[:, ::1] extra,
):
    """Places the ready block of the highest priority, again and again.

    Parameters
    ----------
    m : Machine
    blocks : Blocks
        Of `starts` : int64[k + 1] and `members` : int32[n], the tasks of block b in the order in which they run,
        members[starts[b]:starts[b + 1]]; `rank` : int32[k], a permutation, 0 for the highest priority; `group` :
        int32[k] or int32[0]; `fixed` : int32[k], a processor or -1; `exclusive`, whether a processor that has begun a
        group and not ended it takes no other group as long as there is another choice.
    rule : int
        0: to the processor on which it starts first, then ends first. 1: on which it ends first, `extra` added.
        2: in turn.
    insertion : bool
        Whether blocks may go into gaps between blocks that were placed before.
    extra : float64[k, p], float64[k, 1] or float64[0, 0]

    Returns
    -------
    tuple
        As `outcome` in machine.pyx says.
    """
    cdef Board board
    cdef priority_queue[int64_t] opened, unopened       # negated ranks
    cdef vector[vector[Chunk]] gaps
    cdef vid_t b, c, q, g, low, high, best, turn = 0
    cdef vid_t step = 1 if extra.shape[1] > 1 else 0
    cdef int64_t done = 0
    cdef double ready, start, end, first, second, best_first, best_second, best_start
    cdef bint choose
    cdef Spot spot, best_spot
    with nogil:
        set_up(m, blocks, board)
        if insertion:
            gaps.resize(m.p)
        while True:
            if done % ROUND == 0:
                check_interrupt()
            done += 1
            for c in board.fresh:
                sort_inputs(board.state, inputs_of(board, c), board.first[c + 1] - board.first[c])
                if owner_of(blocks, board, c) >= 0:
                    opened.push(-<int64_t>blocks.rank[c])
                else:
                    unopened.push(-<int64_t>blocks.rank[c])
                    wait_for_owner(blocks, board, c)
            # What stands in `unopened` although its group has an owner by now stands in `opened` too.
            while not unopened.empty() and owner_of(blocks, board, board.by_rank[-unopened.top()]) >= 0:
                unopened.pop()
            if opened.empty() and unopened.empty():
                break
            if unopened.empty() or not opened.empty() and (
                board.exclusive and board.closed == 0 or opened.top() > unopened.top()
            ):
                b = board.by_rank[-opened.top()]
                opened.pop()
            else:
                b = board.by_rank[-unopened.top()]
                unopened.pop()
            low = owner_of(blocks, board, b)
            choose = low < 0
            if choose:
                low = blocks.fixed[b]
            if low >= 0:
                high = low + 1
            else:
                low = 0
                high = m.p
            if rule == IN_TURN and high > low + 1:
                while not takes_groups(board, turn):
                    turn = (turn + 1) % m.p
                low = turn
                high = turn + 1
                turn = (turn + 1) % m.p
            best = -1
            for q in range(low, high):
                if high > low + 1 and not takes_groups(board, q):
                    continue
                ready = arrival_at(m, board, b, q)
                start = ready
                if insertion:
                    spot = earliest_gap(m, blocks, gaps[q], b, q, ready, &start)
                if not insertion or spot.chunk == gaps[q].size():
                    start = ready
                    if start < board.state.free_from[q]:
                        start = board.state.free_from[q]
                end = end_of(m, blocks, b, q, start)
                if rule == EARLIEST_FINISH:
                    first = end
                    if extra.shape[0]:
                        first += extra[b, q * step]
                    second = end
                else:
                    first = start
                    second = end
                if best < 0 or first < best_first or first == best_first and second < best_second:
                    best = q
                    best_first = first
                    best_second = second
                    best_start = start
                    best_spot = spot
            deliver(m, board.state, inputs_of(board, b), board.first[b + 1] - board.first[b], best, 0)
            end = board.state.free_from[best]
            ready = place(m, blocks, board, b, best, best_start)
            if insertion:
                if best_spot.chunk < gaps[best].size():
                    fill(gaps[best], best_spot, best_start, ready)
                elif best_start > end:
                    add_last(gaps[best], end, best_start)
            if choose and blocks.group.shape[0]:
                g = blocks.group[b]
                c = board.waiting[g]
                while c >= 0:
                    if c != b:
                        opened.push(-<int64_t>blocks.rank[c])
                    c = board.next[c]
                board.waiting[g] = -1
    return outcome(m, board.state)


cdef cppclass Candidates:
    # Ready blocks for one processor, in the heap of what they wait for. As the processor is free later, all in its heap
    # wait longer and none needs to be looked at, so its order is that of what is added to that time. The order of
    # `data` is by keys that are never too high: ports only get busier. (Heaps for each port as well were measured:
    # fewer trials, but no less time.)
    priority_queue[key_t] processor
    priority_queue[key_t] data


cdef struct Pair:
    double key, end, start
    vid_t rank, block, processor


cdef inline bint is_void(Blocks blocks, const Board& board, const key_t& top, bint of_owner) noexcept nogil:
    cdef vid_t b = board.by_rank[-top.second]
    return board.placed[b] or not of_owner and owner_of(blocks, board, b) >= 0


cdef inline void drop_void(Blocks blocks, const Board& board, priority_queue[key_t]& heap,
                           bint of_owner) noexcept nogil:
    while not heap.empty() and is_void(blocks, board, heap.top(), of_owner):
        heap.pop()


cdef inline void look_at(priority_queue[key_t]& heap, double since, priority_queue[key_t]** chosen, double* key,
                         int64_t* rank) noexcept nogil:
    # Takes the heap's top if it is ahead of what is chosen.
    cdef double own
    if heap.empty():
        return
    own = since - heap.top().first
    if chosen[0] == NULL or own < key[0] or (own == key[0] and -heap.top().second < rank[0]):
        chosen[0] = &heap
        key[0] = own
        rank[0] = -heap.top().second


cdef priority_queue[key_t]* first_of(Blocks blocks, const Board& board, vid_t q, bint of_owner, Candidates& ready,
                                     double* key, int64_t* rank) noexcept nogil:
    # The heap whose top is first, by a key that is not too high; NULL where nothing is left.
    cdef priority_queue[key_t]* chosen = NULL
    drop_void(blocks, board, ready.processor, of_owner)
    drop_void(blocks, board, ready.data, of_owner)
    look_at(ready.processor, board.state.free_from[q], &chosen, key, rank)
    look_at(ready.data, 0, &chosen, key, rank)
    return chosen


cdef priority_queue[key_t]* home_of(const Board& board, vid_t q, double data, double own, Candidates& ready,
                                    double* added) noexcept nogil:
    # The heap for a block whose data would be on q at `data`, and its key there.
    if data <= board.state.free_from[q]:
        added[0] = own
        return &ready.processor
    added[0] = own + data
    return &ready.data


cdef int offer(Machine m, Blocks blocks, Board& board, const double[:, ::1] base, vid_t b, vid_t q,
               Candidates& ready) except -1 nogil:
    cdef double added
    cdef double data = arrival_at(m, board, b, q)
    cdef priority_queue[key_t]* home = home_of(board, q, data, base_of(base, b, q), ready, &added)
    home.push(key_t(-added, -<int64_t>blocks.rank[b]))
    return 0


cdef inline double base_of(const double[:, ::1] base, vid_t b, vid_t q) noexcept nogil:
    if base.shape[0] == 0:
        return 0
    if base.shape[1] == 1:
        return base[b, 0]
    return base[b, q]


cdef int improve(Machine m, Blocks blocks, Board& board, const double[:, ::1] base, vid_t q, bint of_owner,
                 Candidates& ready, Pair& best) except -1 nogil:
    # The best pair with processor q, if it is better than `best`. A key is looked at again only when it may be the
    # best one, and then it is put right.
    cdef double key = 0, data, start, end, own, added
    cdef int64_t rank = 0
    cdef vid_t b
    cdef priority_queue[key_t]* chosen
    cdef priority_queue[key_t]* home
    while True:
        chosen = first_of(blocks, board, q, of_owner, ready, &key, &rank)
        # Equal ones may end earlier.
        if chosen == NULL or best.block >= 0 and (key > best.key or (key == best.key and rank > best.rank)):
            return 0
        b = board.by_rank[rank]
        data = arrival_at(m, board, b, q)
        own = base_of(base, b, q)
        home = home_of(board, q, data, own, ready, &added)
        if home != chosen or -chosen.top().first != added:
            chosen.pop()
            home.push(key_t(-added, -rank))
            continue
        start = board.state.free_from[q]
        if data > start:
            start = data
        end = end_of(m, blocks, b, q, start)
        if best.block < 0 or key < best.key or rank < best.rank or end < best.end or (
            end == best.end and q < best.processor
        ):
            best.key = key
            best.rank = <vid_t>rank
            best.block = b
            best.processor = q
            best.start = start
            best.end = end
        return 0


cdef inline bint may_go(Blocks blocks, vid_t b, vid_t q) noexcept nogil:
    return blocks.fixed[b] < 0 or blocks.fixed[b] == q


cdef int offer_again(Machine m, Blocks blocks, Board& board, const double[:, ::1] base, vid_t b, vid_t q,
                     vector[Candidates]& follow, vector[Candidates]& free_choice) except -1 nogil:
    if board.placed[b] or board.missing[b]:
        return 0
    if owner_of(blocks, board, b) == q:
        return offer(m, blocks, board, base, b, q, follow[q])
    if owner_of(blocks, board, b) < 0 and may_go(blocks, b, q):
        return offer(m, blocks, board, base, b, q, free_choice[q])
    return 0


def by_pair(Machine m, Blocks blocks, const double[:, ::1] base):
    """Places the pair of a ready block and a processor of the least key, again and again.

    The key is the block's start on the processor, `base` added; ties go to the higher priority, then to the earlier
    end.

    Parameters
    ----------
    m, blocks
        As for `by_priority`.
    base : float64[k, p], float64[k, 1] or float64[0, 0]

    Returns
    -------
    tuple
        As `outcome` in machine.pyx says.
    """
    cdef Board board
    cdef vector[Candidates] free_choice, follow
    cdef vid_t b, c, q, g, hopeful
    cdef eid_t e
    cdef size_t sent
    cdef int64_t done = 0, following = 0        # ready blocks that follow their group
    cdef int64_t rank = 0
    cdef double key = 0, lowest
    cdef Pair best
    cdef bint groups = blocks.group.shape[0] > 0, free
    with nogil:
        set_up(m, blocks, board)
        free_choice.resize(m.p)
        if groups:
            follow.resize(m.p)
        while True:
            if done % ROUND == 0:
                check_interrupt()
            for c in board.fresh:
                sort_inputs(board.state, inputs_of(board, c), board.first[c + 1] - board.first[c])
                q = owner_of(blocks, board, c)
                if q >= 0:
                    offer(m, blocks, board, base, c, q, follow[q])
                    following += 1
                else:
                    wait_for_owner(blocks, board, c)
                    for q in range(m.p):
                        if may_go(blocks, c, q):
                            offer(m, blocks, board, base, c, q, free_choice[q])
            if done == blocks.k:
                break
            done += 1
            best.block = -1
            free = not (following and board.exclusive and board.closed == 0)
            # The most promising processor first: what it has spares looking at the others closely.
            hopeful = -1
            lowest = 0
            for q in range(m.p):
                if free and takes_groups(board, q) and first_of(
                    blocks, board, q, False, free_choice[q], &key, &rank
                ) != NULL and (hopeful < 0 or key < lowest):
                    hopeful = q
                    lowest = key
            if hopeful >= 0:
                improve(m, blocks, board, base, hopeful, False, free_choice[hopeful], best)
            for q in range(m.p):
                if groups:
                    improve(m, blocks, board, base, q, True, follow[q], best)
                if free and q != hopeful and takes_groups(board, q):
                    improve(m, blocks, board, base, q, False, free_choice[q], best)
            if best.block < 0:
                # All that is ready is bound to processors that have a group to end.
                for q in range(m.p):
                    improve(m, blocks, board, base, q, False, free_choice[q], best)
            b = best.block
            q = best.processor
            if owner_of(blocks, board, b) >= 0:
                following -= 1
            sent = board.state.messages.size()
            deliver(m, board.state, inputs_of(board, b), board.first[b + 1] - board.first[b], q, 0)
            if groups and board.owner[blocks.group[b]] < 0:
                place(m, blocks, board, b, q, best.start)
                g = blocks.group[b]
                c = board.waiting[g]
                while c >= 0:
                    if c != b:
                        offer(m, blocks, board, base, c, q, follow[q])
                        following += 1
                    c = board.next[c]
                board.waiting[g] = -1
            else:
                place(m, blocks, board, b, q, best.start)
            while m.unique and m.ports and sent < board.state.messages.size():
                # What this brought to q others may use without a message of their own: they start earlier than they
                # were thought to.
                c = board.state.messages[sent].producer
                for e in range(m.indptr[c], m.indptr[c + 1]):
                    offer_again(m, blocks, board, base, board.block_of[m.indices[e]], q, follow, free_choice)
                sent += 1
    return outcome(m, board.state)
