"""List scheduling of blocks of tasks: by priority, or by the best pair of a ready block and a processor.

A block is a list of tasks in a topological order that run on one processor without a break once all data from elsewhere
are there; a plain list scheduler has a block for each task. Besides, blocks may be bound to each other in groups: where
the first of a group goes, the rest follow. What a placement costs is in `machine`.
"""

from libc.stdint cimport int64_t
from libcpp.pair cimport pair
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t
from dagpart._core.scheduling.board cimport (
    Blocks, Board, arrival_at, end_of, extra_of, in_groups, owner_of, place, set_up, sort_inputs_of, takes_groups,
    wait_for_owner,
)
from dagpart._core.scheduling.gaps cimport Chunk, Spot, add_last, fill, first_after, next_gap
from dagpart._core.scheduling.machine cimport Machine, State, outcome
from dagpart._core.scheduling.pace cimport tick

ctypedef pair[double, int64_t] key_t        # negated key and rank: the heap's top has the least of both

# How blocks and processors are chosen, by the words that the plans of list schedulers use.
cdef enum:
    EARLIEST_START = 0      # highest priority, to the processor on which it starts first, then ends first
    EARLIEST_FINISH = 1     # highest priority, to the processor on which it ends first, what is `extra` added
    IN_TURN = 2             # highest priority, to one processor after the other
    BEST_PAIR = 3           # block and processor of the earliest start, what is `extra` added

RULES = {"start": EARLIEST_START, "finish": EARLIEST_FINISH, "turn": IN_TURN, "pair": BEST_PAIR}


cdef cppclass Queues:
    # Ready blocks, as negated ranks. What stands in `unopened` although its group has an owner stands in `opened` too.
    priority_queue[int64_t] opened      # their group has an owner
    priority_queue[int64_t] unopened


cdef struct Choice:                     # a processor for a block
    double start, first, second         # when it starts there; what makes it better than others
    vid_t processor                     # -1: none yet
    Spot spot                           # the gap that it fills, if any


cdef int earliest_gap(Machine m, const Blocks& blocks, State& s, const vector[Chunk]& gaps, vid_t b, vid_t q,
                      double ready, Choice& choice) except -1 nogil:
    # The first gap of q that holds a block whose data are there at `ready`, and the start in it.
    cdef Spot spot = first_after(gaps, ready)
    cdef size_t from_chunk = spot.chunk
    # Sums of many durations may round; what is almost too short is tried.
    cdef double shortest = end_of(m, blocks, b, q, 0) * (1 - 1e-9)
    while next_gap(gaps, shortest, spot):
        choice.start = gaps[spot.chunk].gaps[spot.gap].start
        if choice.start < ready:
            choice.start = ready
        if end_of(m, blocks, b, q, choice.start) <= gaps[spot.chunk].gaps[spot.gap].finish:
            break
        spot.gap += 1
    choice.spot = spot
    return tick(s.spent, <int64_t>(spot.chunk - from_chunk))


cdef int queue_fresh(const Blocks& blocks, Board& board, Queues& queues) except -1 nogil:
    cdef vid_t b
    for b in board.fresh:
        sort_inputs_of(board, b)
        if owner_of(blocks, board, b) >= 0:
            queues.opened.push(-<int64_t>blocks.rank[b])
        else:
            queues.unopened.push(-<int64_t>blocks.rank[b])
            wait_for_owner(blocks, board, b)
    return 0


cdef vid_t take_first(const Blocks& blocks, Board& board, Queues& queues) except -2 nogil:
    # The block whose turn it is, -1 where all are placed.
    cdef vid_t b
    while not queues.unopened.empty() and owner_of(blocks, board, board.by_rank[-queues.unopened.top()]) >= 0:
        queues.unopened.pop()
    if queues.opened.empty() and queues.unopened.empty():
        return -1
    if queues.unopened.empty() or not queues.opened.empty() and (
        board.exclusive and board.closed == 0 or queues.opened.top() > queues.unopened.top()
    ):
        b = board.by_rank[-queues.opened.top()]
        queues.opened.pop()
    else:
        b = board.by_rank[-queues.unopened.top()]
        queues.unopened.pop()
    return b


cdef int open_group(const Blocks& blocks, Board& board, vid_t b, Queues& queues) except -1 nogil:
    # The others of the group that has got an owner by b.
    cdef vid_t g = blocks.group[b]
    cdef vid_t c = board.waiting[g]
    while c >= 0:
        if c != b:
            queues.opened.push(-<int64_t>blocks.rank[c])
        c = board.next[c]
    board.waiting[g] = -1
    return 0


cdef int try_on(Machine m, const Blocks& blocks, Board& board, int rule, vector[vector[Chunk]]& gaps, vid_t b, vid_t q,
                Choice& best) except -1 nogil:
    # Takes processor q if it is better. Without insertion there are no lists of gaps.
    cdef Choice choice
    cdef double ready = arrival_at(m, board, b, q), end
    cdef bint insertion = not gaps.empty()
    choice.processor = q
    choice.spot.chunk = choice.spot.gap = 0
    if insertion:
        earliest_gap(m, blocks, board.state, gaps[q], b, q, ready, choice)
    if not insertion or choice.spot.chunk == gaps[q].size():
        choice.start = ready
        if choice.start < board.state.free_from[q]:
            choice.start = board.state.free_from[q]
    end = end_of(m, blocks, b, q, choice.start)
    choice.first = choice.start
    if rule == EARLIEST_FINISH:
        choice.first = end + extra_of(blocks, b, q)
    choice.second = end
    if best.processor < 0 or choice.first < best.first or choice.first == best.first and choice.second < best.second:
        best = choice
    return 0


cdef int fill_gap(vector[Chunk]& gaps, const Choice& choice, double free_from, double end) except -1 nogil:
    # What a placement leaves of the gaps of a processor that was free from then on.
    if choice.spot.chunk < gaps.size():
        fill(gaps, choice.spot, choice.start, end)
    elif choice.start > free_from:
        add_last(gaps, free_from, choice.start)
    return 0


cdef int by_priority(Machine m, const Blocks& blocks, Board& board, int rule, bint insertion) except -1 nogil:
    # Places the ready block of the highest priority, again and again.
    cdef Queues queues
    cdef vector[vector[Chunk]] gaps
    cdef vid_t b, q, low, high, turn = 0
    cdef double free_from, end
    cdef bint choose
    cdef Choice best
    if insertion:
        gaps.resize(m.p)
    while True:
        queue_fresh(blocks, board, queues)
        b = take_first(blocks, board, queues)
        if b < 0:
            return 0
        low = owner_of(blocks, board, b)
        choose = low < 0
        if choose:
            low = blocks.fixed[b]
        high = low + 1
        if low < 0:
            low = 0
            high = m.p
        if rule == IN_TURN and high > low + 1:
            while not takes_groups(board, turn):
                turn = (turn + 1) % m.p
            low = turn
            high = turn + 1
            turn = (turn + 1) % m.p
        tick(board.state.spent, high - low)
        best.processor = -1
        for q in range(low, high):
            if high == low + 1 or takes_groups(board, q):
                try_on(m, blocks, board, rule, gaps, b, q, best)
        free_from = board.state.free_from[best.processor]
        end = place(m, blocks, board, b, best.processor, best.start)
        if insertion:
            fill_gap(gaps[best.processor], best, free_from, end)
        if choose and in_groups(blocks):
            open_group(blocks, board, b, queues)


cdef cppclass Candidates:
    # Ready blocks for one processor, in the heap of what they wait for. As the processor is free later, all in its heap
    # wait longer and none needs to be looked at, so its order is that of what is added to that time. The order of
    # `data` is by keys that are never too high: ports only get busier. (Heaps for each port as well were measured:
    # fewer trials, but no less time.)
    priority_queue[key_t] processor
    priority_queue[key_t] data


cdef cppclass Offers:
    # To each processor.
    vector[Candidates] free_choice
    vector[Candidates] follow       # blocks whose group it owns
    int64_t following               # ready blocks of the latter kind


cdef struct Pair:
    double key, end, start
    vid_t rank, block, processor


cdef inline bint is_void(const Blocks& blocks, const Board& board, const key_t& top, bint of_owner) noexcept nogil:
    cdef vid_t b = board.by_rank[-top.second]
    return board.placed[b] or not of_owner and owner_of(blocks, board, b) >= 0


cdef inline void drop_void(const Blocks& blocks, const Board& board, priority_queue[key_t]& heap,
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


cdef priority_queue[key_t]* first_of(const Blocks& blocks, const Board& board, vid_t q, bint of_owner,
                                     Candidates& ready, double* key, int64_t* rank) noexcept nogil:
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


cdef int offer(Machine m, const Blocks& blocks, Board& board, vid_t b, vid_t q, Candidates& ready) except -1 nogil:
    cdef double added
    cdef double data = arrival_at(m, board, b, q)
    cdef priority_queue[key_t]* home = home_of(board, q, data, extra_of(blocks, b, q), ready, &added)
    home.push(key_t(-added, -<int64_t>blocks.rank[b]))
    return 0


cdef int improve(Machine m, const Blocks& blocks, Board& board, vid_t q, bint of_owner, Candidates& ready,
                 Pair& best) except -1 nogil:
    # The best pair with processor q, if it is better than `best`. A key is looked at again only when it may be the
    # best one, and then it is put right.
    cdef double key = 0, data, start, end, own, added
    cdef int64_t rank = 0
    cdef vid_t b
    cdef priority_queue[key_t]* chosen
    cdef priority_queue[key_t]* home
    while True:
        tick(board.state.spent, 1)
        chosen = first_of(blocks, board, q, of_owner, ready, &key, &rank)
        # Equal ones may end earlier.
        if chosen == NULL or best.block >= 0 and (key > best.key or (key == best.key and rank > best.rank)):
            return 0
        b = board.by_rank[rank]
        data = arrival_at(m, board, b, q)
        own = extra_of(blocks, b, q)
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


cdef inline bint may_go(const Blocks& blocks, vid_t b, vid_t q) noexcept nogil:
    return blocks.fixed[b] < 0 or blocks.fixed[b] == q


cdef int offer_fresh(Machine m, const Blocks& blocks, Board& board, Offers& offers) except -1 nogil:
    cdef vid_t b, q
    for b in board.fresh:
        sort_inputs_of(board, b)
        q = owner_of(blocks, board, b)
        if q >= 0:
            offer(m, blocks, board, b, q, offers.follow[q])
            offers.following += 1
        else:
            wait_for_owner(blocks, board, b)
            for q in range(m.p):
                if may_go(blocks, b, q):
                    offer(m, blocks, board, b, q, offers.free_choice[q])
    return 0


cdef int offer_again(Machine m, const Blocks& blocks, Board& board, vid_t b, vid_t q, Offers& offers) except -1 nogil:
    if board.placed[b] or board.missing[b]:
        return 0
    if owner_of(blocks, board, b) == q:
        return offer(m, blocks, board, b, q, offers.follow[q])
    if owner_of(blocks, board, b) < 0 and may_go(blocks, b, q):
        return offer(m, blocks, board, b, q, offers.free_choice[q])
    return 0


cdef int find_pair(Machine m, const Blocks& blocks, Board& board, Offers& offers, Pair& best) except -1 nogil:
    cdef bint groups = in_groups(blocks), free = not (offers.following and board.exclusive and board.closed == 0)
    cdef vid_t q, hopeful = -1
    cdef int64_t rank = 0
    cdef double key = 0, lowest = 0
    tick(board.state.spent, m.p)
    best.block = -1
    # The most promising processor first: what it has spares looking at the others closely.
    for q in range(m.p):
        if free and takes_groups(board, q) and first_of(
            blocks, board, q, False, offers.free_choice[q], &key, &rank
        ) != NULL and (hopeful < 0 or key < lowest):
            hopeful = q
            lowest = key
    if hopeful >= 0:
        improve(m, blocks, board, hopeful, False, offers.free_choice[hopeful], best)
    for q in range(m.p):
        if groups:
            improve(m, blocks, board, q, True, offers.follow[q], best)
        if free and q != hopeful and takes_groups(board, q):
            improve(m, blocks, board, q, False, offers.free_choice[q], best)
    if best.block < 0:
        # All that is ready is bound to processors that have a group to end.
        for q in range(m.p):
            improve(m, blocks, board, q, False, offers.free_choice[q], best)
    return 0


cdef int follow_owner(Machine m, const Blocks& blocks, Board& board, vid_t b, vid_t q, Offers& offers) except -1 nogil:
    # The others of the group that has gone to q with b.
    cdef vid_t g = blocks.group[b]
    cdef vid_t c = board.waiting[g]
    while c >= 0:
        if c != b:
            offer(m, blocks, board, c, q, offers.follow[q])
            offers.following += 1
        c = board.next[c]
    board.waiting[g] = -1
    return 0


cdef int offer_sharers(Machine m, const Blocks& blocks, Board& board, size_t sent, vid_t q,
                       Offers& offers) except -1 nogil:
    # What the messages from `sent` on have brought to q others may use without a message of their own: they start
    # earlier than they were thought to.
    cdef vid_t u
    cdef eid_t e
    while sent < board.state.messages.size():
        u = board.state.messages[sent].producer
        for e in range(m.indptr[u], m.indptr[u + 1]):
            offer_again(m, blocks, board, board.block_of[m.indices[e]], q, offers)
        sent += 1
    return 0


cdef int by_pair(Machine m, const Blocks& blocks, Board& board) except -1 nogil:
    # Places the pair of a ready block and a processor of the least key, again and again. The key is the block's start
    # on the processor, `extra` added; ties go to the higher priority, then to the earlier end.
    cdef Offers offers
    cdef Pair best
    cdef vid_t b, q, _
    cdef size_t sent
    cdef bint first
    offers.free_choice.resize(m.p)
    if in_groups(blocks):
        offers.follow.resize(m.p)
    offers.following = 0
    for _ in range(blocks.k):
        offer_fresh(m, blocks, board, offers)
        find_pair(m, blocks, board, offers, best)
        b = best.block
        q = best.processor
        if owner_of(blocks, board, b) >= 0:
            offers.following -= 1
        sent = board.state.messages.size()
        first = in_groups(blocks) and owner_of(blocks, board, b) < 0
        place(m, blocks, board, b, q, best.start)
        if first:
            follow_owner(m, blocks, board, b, q, offers)
        if m.unique and m.ports:
            offer_sharers(m, blocks, board, sent, q, offers)
    return 0


def place_blocks(
    Machine m,
    int rule,
    bint insertion,
    const eid_t[::1] starts,
    const vid_t[::1] members,
    const vid_t[::1] rank,
    const vid_t[::1] group,
    const vid_t[::1] fixed,
    bint exclusive,
    const double[:, ::1] extra,
):
    """Places ready blocks one after the other; none is moved again.

    Parameters
    ----------
    m : Machine
    rule : int
        A value of `RULES`.
    insertion : bool
        Whether blocks may go into gaps between blocks that were placed before. Not for pairs.
    starts, members : int64[k + 1], int32[n]
        The tasks of block b in the order in which they run: members[starts[b]:starts[b + 1]].
    rank : int32[k]
        A permutation, 0 for the highest priority.
    group : int32[k] or int32[0]
        Where its first block goes, the rest of a group follows.
    fixed : int32[k]
        A processor or -1.
    exclusive : bool
        Whether a processor that has begun a group and not ended it takes no other group as long as there is another
        choice.
    extra : float64[k, p], float64[k, 1] or float64[0, 0]
        What rules add to times.

    Returns
    -------
    tuple
        As `outcome` in machine.pyx says.
    """
    cdef Blocks blocks
    cdef Board board
    blocks.k = <vid_t>rank.shape[0]
    blocks.starts = &starts[0]
    blocks.members = &members[0]
    blocks.rank = &rank[0]
    blocks.group = NULL
    if group.shape[0]:
        blocks.group = &group[0]
    blocks.fixed = &fixed[0]
    blocks.exclusive = exclusive
    blocks.extra = NULL
    if extra.shape[0]:
        blocks.extra = &extra[0, 0]
    blocks.columns = <vid_t>extra.shape[1]
    with nogil:
        set_up(m, blocks, board)
        if rule == BEST_PAIR:
            by_pair(m, blocks, board)
        else:
            by_priority(m, blocks, board, rule, insertion)
    return outcome(m, board.state)
