"""Times of a plan: tasks on given processors in given orders, under every model; and runs that decide as they go."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libcpp.deque cimport deque
from libcpp.pair cimport pair
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.machine cimport (
    Input, Machine, Message, State, arrival, begin, delay, deliver, log_message, outcome, run_task, sort_inputs,
)
from dagpart._core.base.random cimport Rng, below, derive
from dagpart._core.base.types cimport eid_t, vid_t

ctypedef pair[double, int64_t] event_t      # negated time and task: the heap's top is the first one

cdef enum:
    ROUND = 4096            # tasks between two looks for an interrupt


def placement_order(
    const eid_t[::1] indptr,
    const vid_t[::1] indices,
    const vid_t[::1] processor,
    const vid_t[::1] order,
):
    """The first topological order, by the given order, that keeps the given order on every processor.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Successors.
    processor, order : int32[n]
        The order is a permutation of the tasks.

    Returns
    -------
    int32[n]
        Shorter exactly when edges and orders make a cycle: the tasks that are missing lie on or behind one.
    """
    cdef vid_t n = <vid_t>order.shape[0]
    cdef vid_t i, v, last
    cdef eid_t e
    cdef vid_t at = 0
    cdef vector[vid_t] missing, place, follower, newest
    cdef priority_queue[int64_t] ready      # negated places
    out = np.empty(n, np.int32)
    cdef vid_t[::1] placed = out
    with nogil:
        missing.assign(n, 0)
        place.resize(n)
        follower.assign(n, -1)
        for e in range(indices.shape[0]):
            missing[indices[e]] += 1
        for i in range(n):
            v = order[i]
            place[v] = i
            while processor[v] >= <vid_t>newest.size():
                newest.push_back(-1)
            last = newest[processor[v]]
            if last >= 0:
                follower[last] = v
                missing[v] += 1
            newest[processor[v]] = v
        for v in range(n):
            if missing[v] == 0:
                ready.push(-<int64_t>place[v])
        while not ready.empty():
            if at % ROUND == 0:
                check_interrupt()
            v = order[-ready.top()]
            ready.pop()
            placed[at] = v
            at += 1
            for e in range(indptr[v], indptr[v + 1]):
                missing[indices[e]] -= 1
                if missing[indices[e]] == 0:
                    ready.push(-<int64_t>place[indices[e]])
            if follower[v] >= 0:
                missing[follower[v]] -= 1
                if missing[follower[v]] == 0:
                    ready.push(-<int64_t>place[follower[v]])
    return out[:at]


cdef int load_inputs(Machine m, const State& s, vid_t v, vector[Input]& inputs) except -1 nogil:
    cdef eid_t e
    cdef Input item
    inputs.clear()
    item.consumer = v
    for e in range(m.pred_indptr[v], m.pred_indptr[v + 1]):
        item.producer = m.pred_indices[e]
        item.size = m.pred_sizes[e]
        inputs.push_back(item)
    return sort_inputs(s, inputs.data(), <eid_t>inputs.size())


def in_order(Machine m, const vid_t[::1] processor, const vid_t[::1] order):
    """Times of tasks that are placed one after the other.

    Parameters
    ----------
    m : Machine
    processor, order : int32[n]
        The order is a topological one.

    Returns
    -------
    tuple
        As `outcome` in machine.pyx says.
    """
    cdef State s
    cdef vector[Input] inputs
    cdef vid_t i, v, q
    cdef double start
    with nogil:
        begin(m, s)
        for i in range(m.n):
            if i % ROUND == 0:
                check_interrupt()
            v = order[i]
            q = processor[v]
            load_inputs(m, s, v, inputs)
            start = deliver(m, s, inputs.data(), <eid_t>inputs.size(), q, 0)
            if start < s.free_from[q]:
                start = s.free_from[q]
            s.free_from[q] = run_task(m, s, v, q, start)
    return outcome(m, s)


cdef int superstep_numbers(Machine m, const vid_t[::1] processor, const vid_t[::1] order,
                           vid_t[::1] step) except -1 nogil:
    cdef vector[vid_t] newest               # superstep that each processor is in
    cdef vid_t i, u, v, s
    cdef eid_t e
    newest.assign(m.p, 0)
    for i in range(m.n):
        v = order[i]
        s = newest[processor[v]]
        for e in range(m.pred_indptr[v], m.pred_indptr[v + 1]):
            u = m.pred_indices[e]
            if step[u] + (processor[u] != processor[v]) > s:
                s = step[u] + (processor[u] != processor[v])
        step[v] = s
        newest[processor[v]] = s
    return 0


def in_supersteps(
    Machine m, const vid_t[::1] processor, const vid_t[::1] order, const double[::1] sizes, double synchronisation
):
    """The earliest superstep of each task, and the times that follow.

    Parameters
    ----------
    m : Machine
    processor, order : int32[n]
        The order is a topological one.
    sizes : float64[m]
        Of the messages, in the order of the successors.
    synchronisation : float

    Returns
    -------
    superstep : int32[n]
    outcome : tuple
        As `outcome` in machine.pyx says.
    """
    cdef State s
    cdef vid_t i, j, v, w, q, steps = 0
    cdef eid_t e
    cdef size_t sent
    cdef double now = 0, computed, longest, cost
    cdef vector[vid_t] first, by_step, touched
    cdef vector[vid_t] stamp
    cdef vector[double] sending, receiving
    cdef Message message
    step_array = np.zeros(m.n, np.int32)
    cdef vid_t[::1] step = step_array
    with nogil:
        begin(m, s)
        superstep_numbers(m, processor, order, step)
        for v in range(m.n):
            if step[v] >= steps:
                steps = step[v] + 1
        first.assign(steps + 2, 0)
        by_step.resize(m.n)
        for v in range(m.n):
            first[step[v] + 2] += 1
        for i in range(2, steps + 2):
            first[i] += first[i - 1]
        for i in range(m.n):
            v = order[i]
            by_step[first[step[v] + 1]] = v
            first[step[v] + 1] += 1
        stamp.assign(m.p, -1)
        sending.assign(m.p, 0)
        receiving.assign(m.p, 0)
        for i in range(steps):
            if i % ROUND == 0:
                check_interrupt()
            computed = now
            for j in range(first[i], first[i + 1]):
                v = by_step[j]
                q = processor[v]
                if s.free_from[q] < now:
                    s.free_from[q] = now
                s.free_from[q] = run_task(m, s, v, q, s.free_from[q])
                if s.free_from[q] > computed:
                    computed = s.free_from[q]
            sent = s.messages.size()
            longest = 0
            touched.clear()
            for j in range(first[i], first[i + 1]):
                v = by_step[j]
                for e in range(m.indptr[v], m.indptr[v + 1]):
                    w = m.indices[e]
                    q = processor[w]
                    if q == processor[v] or (m.unique and stamp[q] == v):
                        continue
                    stamp[q] = v
                    message.producer = v
                    message.consumer = w
                    message.source = processor[v]
                    message.destination = q
                    message.start = computed
                    log_message(m, s, message)
                    cost = delay(m, processor[v], q, sizes[e])
                    touched.push_back(processor[v])
                    touched.push_back(q)
                    sending[processor[v]] += cost
                    receiving[q] += cost
            for q in touched:
                if sending[q] > longest:
                    longest = sending[q]
                if receiving[q] > longest:
                    longest = receiving[q]
            for q in touched:
                sending[q] = 0
                receiving[q] = 0
            now = computed + longest
            while sent < s.messages.size():
                s.messages[sent].finish = now
                sent += 1
            now += synchronisation
    return step_array, outcome(m, s)


def messages_of_edges(
    const eid_t[::1] indptr,
    const vid_t[::1] indices,
    const vid_t[::1] processor,
    const vid_t[::1] producer,
    const vid_t[::1] consumer,
    bint unique,
):
    """Which of given messages brings each edge's data.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Successors.
    processor : int32[n]
    producer, consumer : int32[M]
        Of the messages.
    unique : bool
        Whether a message is for all consumers on its consumer's processor.

    Returns
    -------
    int64[m]
        -1 for edges within a processor, -2 where the message is missing. Of equal messages the last one counts.
    """
    cdef eid_t e, i
    cdef vid_t v, w, target
    cdef vid_t n = <vid_t>processor.shape[0]
    cdef vector[eid_t] newest, before, found
    cdef vector[vid_t] stamp
    out = np.empty(indices.shape[0], np.int64)
    cdef eid_t[::1] message = out
    with nogil:
        newest.assign(n, -1)
        before.resize(producer.shape[0])
        for i in range(producer.shape[0] - 1, -1, -1):
            before[i] = newest[producer[i]]
            newest[producer[i]] = i
        # By consumer, or by processor; of vertex stamp[target].
        found.resize(n)
        stamp.assign(n, -1)
        for v in range(n):
            i = newest[v]
            while i >= 0:
                target = consumer[i]
                if unique:
                    target = processor[target]
                while target >= <vid_t>stamp.size():
                    stamp.push_back(-1)
                    found.push_back(-1)
                stamp[target] = v
                found[target] = i
                i = before[i]
            for e in range(indptr[v], indptr[v + 1]):
                w = indices[e]
                if processor[w] == processor[v]:
                    message[e] = -1
                    continue
                target = w
                if unique:
                    target = processor[w]
                if target < <vid_t>stamp.size() and stamp[target] == v:
                    message[e] = found[target]
                else:
                    message[e] = -2
    return out


def in_port_order(
    Machine m,
    const vid_t[::1] processor,
    const vid_t[::1] order,
    const vid_t[::1] producer,
    const vid_t[::1] consumer,
    const double[::1] sizes,
    const eid_t[::1] message,
):
    """Times of tasks and messages, every processor and every port taking them in a given order.

    Parameters
    ----------
    m : Machine
    processor, order : int32[n]
        Only the order on each processor counts.
    producer, consumer, sizes : int32[M], int32[M], float64[M]
        Of the messages; only the order on each port counts.
    message : int64[m]
        As `messages_of_edges` gives them.

    Returns
    -------
    start, finish : float64[n]
    sent, received : float64[M]
    done : bool[n + M]
        Not set for tasks, and after them messages, that lie on a cycle or behind one.
    """
    cdef vid_t n = m.n, i, v, w
    cdef eid_t count = producer.shape[0], e, j, node
    cdef int64_t steps = 0
    cdef double end
    cdef vector[vid_t] follower, newest
    cdef vector[eid_t] missing, first, edge, own, before, next_send, next_receive, last_send, last_receive, ready
    start_array = np.zeros(n)
    finish_array = np.zeros(n)
    sent_array = np.zeros(count)
    received_array = np.zeros(count)
    done_array = np.zeros(n + count, np.bool_)
    cdef double[::1] start = start_array, finish = finish_array, sent = sent_array, received = received_array
    cdef unsigned char[::1] done = done_array.view(np.uint8)
    with nogil:
        missing.assign(n + count, 0)
        follower.assign(n, -1)
        newest.assign(m.p, -1)
        for i in range(n):
            v = order[i]
            missing[v] = m.pred_indptr[v + 1] - m.pred_indptr[v]
            if newest[processor[v]] >= 0:
                follower[newest[processor[v]]] = v
                missing[v] += 1
            newest[processor[v]] = v
        next_send.assign(count, -1)
        next_receive.assign(count, -1)
        last_send.assign(m.p, -1)
        last_receive.assign(m.p, -1)
        own.assign(n, -1)
        before.resize(count)
        for j in range(count):
            missing[n + j] = 1
            before[j] = own[producer[j]]
            own[producer[j]] = j
            if not m.ports:
                continue
            v = processor[producer[j]]
            w = processor[consumer[j]]
            if last_send[v] >= 0:
                next_send[last_send[v]] = j
                missing[n + j] += 1
            last_send[v] = j
            if last_receive[w] >= 0:
                next_receive[last_receive[w]] = j
                missing[n + j] += 1
            last_receive[w] = j
        # The edges that each message serves.
        first.assign(count + 2, 0)
        for e in range(message.shape[0]):
            if message[e] >= 0:
                first[message[e] + 2] += 1
        for j in range(2, count + 2):
            first[j] += first[j - 1]
        edge.resize(first[count + 1])
        for e in range(message.shape[0]):
            if message[e] >= 0:
                edge[first[message[e] + 1]] = m.indices[e]
                first[message[e] + 1] += 1
        for node in range(n + count):
            if missing[node] == 0:
                ready.push_back(node)
        while not ready.empty():
            if steps % ROUND == 0:
                check_interrupt()
            steps += 1
            node = ready.back()
            ready.pop_back()
            done[node] = True
            if node < n:
                v = <vid_t>node
                end = start[v] + m.durations[v, processor[v] * m.step]
                finish[v] = end
                if follower[v] >= 0:
                    raise_to(start, follower[v], end)
                    settle(missing, follower[v], ready)
                for e in range(m.indptr[v], m.indptr[v + 1]):
                    if message[e] < 0:
                        raise_to(start, m.indices[e], end)
                        settle(missing, m.indices[e], ready)
                j = own[v]
                while j >= 0:
                    raise_to(sent, j, end)
                    settle(missing, n + j, ready)
                    j = before[j]
            else:
                j = node - n
                end = sent[j] + delay(m, processor[producer[j]], processor[consumer[j]], sizes[j])
                received[j] = end
                for e in range(first[j], first[j + 1]):
                    raise_to(start, edge[e], end)
                    settle(missing, edge[e], ready)
                if next_send[j] >= 0:
                    raise_to(sent, next_send[j], end)
                    settle(missing, n + next_send[j], ready)
                if next_receive[j] >= 0:
                    raise_to(sent, next_receive[j], end)
                    settle(missing, n + next_receive[j], ready)
    return start_array, finish_array, sent_array, received_array, done_array


cdef inline void raise_to(double[::1] time, eid_t i, double value) noexcept nogil:
    if time[i] < value:
        time[i] = value


cdef inline int settle(vector[eid_t]& missing, eid_t node, vector[eid_t]& ready) except -1 nogil:
    missing[node] -= 1
    if missing[node] == 0:
        ready.push_back(node)
    return 0


cdef cppclass Crew:
    # Processors that look for work as time goes on.
    priority_queue[event_t] events      # ends of tasks
    priority_queue[int64_t] ready       # negated ranks; one queue for all
    vector[deque[vid_t]] own            # one queue for each; the newest task is last
    vector[char] idle
    vector[eid_t] missing
    int64_t waiting                     # tasks in queues


cdef int start_on(Machine m, State& s, Crew& crew, vector[Input]& inputs, vid_t v, vid_t q,
                  double now) except -1 nogil:
    # Data are asked for now; the processor waits for them.
    cdef double start
    load_inputs(m, s, v, inputs)
    start = deliver(m, s, inputs.data(), <eid_t>inputs.size(), q, now)
    if start < now:
        start = now
    s.free_from[q] = run_task(m, s, v, q, start)
    crew.events.push(event_t(-s.free_from[q], -<int64_t>v))
    crew.idle[q] = False
    crew.waiting -= 1
    return 0


cdef int share_out(Machine m, State& s, Crew& crew, vector[Input]& inputs, const vid_t[::1] by_rank,
                   double now) except -1 nogil:
    # The most urgent task to the idle processor that has its data first, while there are both.
    cdef vid_t v, q, best
    cdef double when, earliest
    while not crew.ready.empty():
        v = by_rank[-crew.ready.top()]
        best = -1
        earliest = 0
        for q in range(m.p):
            if not crew.idle[q]:
                continue
            if best < 0:
                load_inputs(m, s, v, inputs)
            when = arrival(m, s, inputs.data(), <eid_t>inputs.size(), q, now)
            if best < 0 or when < earliest:
                best = q
                earliest = when
        if best < 0:
            return 0
        crew.ready.pop()
        start_on(m, s, crew, inputs, v, best, now)
    return 0


cdef int steal(Machine m, State& s, Crew& crew, vector[Input]& inputs, Rng& rng, double now) except -1 nogil:
    # Idle processors take the oldest task of another one, drawn from those that have one.
    cdef vid_t v, q, victim, full, pick
    for q in range(m.p):
        if crew.waiting == 0:
            return 0
        if not crew.idle[q]:
            continue
        full = 0
        for victim in range(m.p):
            if not crew.own[victim].empty():
                full += 1
        pick = below(rng, full)
        for victim in range(m.p):
            if not crew.own[victim].empty():
                if pick == 0:
                    break
                pick -= 1
        v = crew.own[victim].front()
        crew.own[victim].pop_front()
        start_on(m, s, crew, inputs, v, q, now)
    return 0


def as_it_goes(Machine m, const vid_t[::1] rank, bint stealing, uint64_t seed):
    """A run in which processors take ready tasks when they have nothing to do.

    Parameters
    ----------
    m : Machine
        With the durations that tasks turn out to have.
    rank : int32[n]
        A permutation, 0 for the most urgent task.
    stealing : bool
        Whether each processor has its own queue and takes from others when that is empty. Else there is one queue.
    seed : int
        Decides whom a processor steals from.

    Returns
    -------
    tuple
        As `outcome` in machine.pyx says.
    """
    cdef State s
    cdef Crew crew
    cdef vector[Input] inputs
    cdef vector[vid_t] finished
    cdef Rng rng = derive(seed, 0, 0)
    cdef vid_t i, v, w, q, turn = 0
    cdef eid_t e
    cdef int64_t done = 0
    cdef double now = 0
    by_rank_array = np.empty(m.n, np.int32)
    cdef vid_t[::1] by_rank = by_rank_array
    with nogil:
        begin(m, s)
        crew.idle.assign(m.p, True)
        crew.own.resize(m.p)
        crew.waiting = 0
        crew.missing.resize(m.n)
        for v in range(m.n):
            by_rank[rank[v]] = v
            crew.missing[v] = m.pred_indptr[v + 1] - m.pred_indptr[v]
        for i in range(m.n):
            v = by_rank[i]
            if crew.missing[v]:
                continue
            crew.waiting += 1
            if stealing:
                # Its first task is the one that the processor takes first.
                crew.own[turn].push_front(v)
                turn = (turn + 1) % m.p
            else:
                crew.ready.push(-<int64_t>i)
        if stealing:
            for q in range(m.p):
                if not crew.own[q].empty():
                    v = crew.own[q].back()
                    crew.own[q].pop_back()
                    start_on(m, s, crew, inputs, v, q, now)
        else:
            share_out(m, s, crew, inputs, by_rank, now)
        while not crew.events.empty():
            now = -crew.events.top().first
            finished.clear()
            while not crew.events.empty() and -crew.events.top().first == now:
                finished.push_back(<vid_t>-crew.events.top().second)
                crew.events.pop()
            for v in finished:
                if done % ROUND == 0:
                    check_interrupt()
                done += 1
                q = s.where[v]
                crew.idle[q] = True
                for e in range(m.indptr[v], m.indptr[v + 1]):
                    w = m.indices[e]
                    crew.missing[w] -= 1
                    if crew.missing[w]:
                        continue
                    crew.waiting += 1
                    if stealing:
                        crew.own[q].push_back(w)
                    else:
                        crew.ready.push(-<int64_t>rank[w])
            if stealing:
                for v in finished:
                    q = s.where[v]
                    if crew.idle[q] and not crew.own[q].empty():
                        w = crew.own[q].back()
                        crew.own[q].pop_back()
                        start_on(m, s, crew, inputs, w, q, now)
                steal(m, s, crew, inputs, rng, now)
            else:
                share_out(m, s, crew, inputs, by_rank, now)
    return outcome(m, s)
