"""Times of plans that say in which order each processor takes its tasks and each port its messages."""

import numpy as np

from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t
from dagpart._core.scheduling.machine cimport Machine, delay, duration
from dagpart._core.scheduling.pace cimport tick


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
    cdef int64_t spent = 0
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
            tick(spent, indptr[v + 1] - indptr[v] + 1)
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


cdef cppclass Queues:
    # What waits for what. Nodes are the tasks, and after them the messages.
    vid_t n
    vector[eid_t] missing                       # what a node still waits for
    vector[eid_t] ready                         # nodes that wait for nothing
    vector[vid_t] follower                      # the next task on the same processor, or -1
    vector[eid_t] own, before                   # chains of each task's messages
    vector[eid_t] next_send, next_receive       # the next message at the same port, or -1
    vector[eid_t] first                         # message j is for the tasks consumers[first[j]:first[j + 1]]
    vector[vid_t] consumers
    double* start                               # of tasks
    double* sent                                # of messages


cdef int queue_tasks(Machine m, Queues& w, const vid_t[::1] processor, const vid_t[::1] order) except -1 nogil:
    cdef vector[vid_t] newest
    cdef vid_t i, v
    w.follower.assign(m.n, -1)
    newest.assign(m.p, -1)
    for i in range(m.n):
        v = order[i]
        w.missing[v] = m.pred_indptr[v + 1] - m.pred_indptr[v]
        if newest[processor[v]] >= 0:
            w.follower[newest[processor[v]]] = v
            w.missing[v] += 1
        newest[processor[v]] = v
    return 0


cdef int queue_at_port(Queues& w, eid_t j, eid_t& newest, vector[eid_t]& following) except -1 nogil:
    # Message j after the newest one of a port.
    if newest >= 0:
        following[newest] = j
        w.missing[w.n + j] += 1
    newest = j
    return 0


cdef int queue_messages(Machine m, Queues& w, const vid_t[::1] processor, const vid_t[::1] producer,
                        const vid_t[::1] consumer) except -1 nogil:
    cdef vector[eid_t] last_sent, last_received
    cdef eid_t j, count = producer.shape[0]
    w.next_send.assign(count, -1)
    w.next_receive.assign(count, -1)
    w.own.assign(m.n, -1)
    w.before.resize(count)
    last_sent.assign(m.p, -1)
    last_received.assign(m.p, -1)
    for j in range(count):
        w.missing[m.n + j] = 1
        w.before[j] = w.own[producer[j]]
        w.own[producer[j]] = j
        if m.ports:
            queue_at_port(w, j, last_sent[processor[producer[j]]], w.next_send)
            queue_at_port(w, j, last_received[processor[consumer[j]]], w.next_receive)
    return 0


cdef int list_consumers(Machine m, Queues& w, const eid_t[::1] message, eid_t count) except -1 nogil:
    cdef eid_t e, j
    w.first.assign(count + 2, 0)
    for e in range(message.shape[0]):
        if message[e] >= 0:
            w.first[message[e] + 2] += 1
    for j in range(2, count + 2):
        w.first[j] += w.first[j - 1]
    w.consumers.resize(w.first[count + 1])
    for e in range(message.shape[0]):
        if message[e] >= 0:
            w.consumers[w.first[message[e] + 1]] = m.indices[e]
            w.first[message[e] + 1] += 1
    return 0


cdef inline int settle(Queues& w, eid_t node, double time) except -1 nogil:
    # One thing less to wait for: it has ended at this time.
    cdef double* begun = w.start + node
    if node >= w.n:
        begun = w.sent + (node - w.n)
    if begun[0] < time:
        begun[0] = time
    w.missing[node] -= 1
    if w.missing[node] == 0:
        w.ready.push_back(node)
    return 0


cdef int end_task(Machine m, Queues& w, vid_t v, const eid_t[::1] message, double end) except -1 nogil:
    cdef eid_t e, j
    if w.follower[v] >= 0:
        settle(w, w.follower[v], end)
    for e in range(m.indptr[v], m.indptr[v + 1]):
        if message[e] < 0:
            settle(w, m.indices[e], end)
    j = w.own[v]
    while j >= 0:
        settle(w, w.n + j, end)
        j = w.before[j]
    return 0


cdef int end_message(Queues& w, eid_t j, double end) except -1 nogil:
    cdef eid_t i
    for i in range(w.first[j], w.first[j + 1]):
        settle(w, w.consumers[i], end)
    if w.next_send[j] >= 0:
        settle(w, w.n + w.next_send[j], end)
    if w.next_receive[j] >= 0:
        settle(w, w.n + w.next_receive[j], end)
    return 0


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
    cdef Queues w
    cdef vid_t v
    cdef eid_t count = producer.shape[0], j, node
    cdef int64_t spent = 0
    start_array = np.zeros(m.n)
    finish_array = np.zeros(m.n)
    sent_array = np.zeros(count)
    received_array = np.zeros(count)
    done_array = np.zeros(m.n + count, np.bool_)
    cdef double[::1] start = start_array, finish = finish_array, sent = sent_array, received = received_array
    cdef unsigned char[::1] done = done_array.view(np.uint8)
    with nogil:
        w.n = m.n
        w.start = &start[0]
        w.sent = &sent[0]
        w.missing.assign(m.n + count, 0)
        queue_tasks(m, w, processor, order)
        queue_messages(m, w, processor, producer, consumer)
        list_consumers(m, w, message, count)
        for node in range(m.n + count):
            if w.missing[node] == 0:
                w.ready.push_back(node)
        while not w.ready.empty():
            node = w.ready.back()
            w.ready.pop_back()
            done[node] = True
            if node < m.n:
                v = <vid_t>node
                tick(spent, m.indptr[v + 1] - m.indptr[v] + 1)
                finish[v] = start[v] + duration(m, v, processor[v])
                end_task(m, w, v, message, finish[v])
            else:
                j = node - m.n
                tick(spent, w.first[j + 1] - w.first[j] + 1)
                received[j] = sent[j] + delay(m, processor[producer[j]], processor[consumer[j]], sizes[j])
                end_message(w, j, received[j])
    return start_array, finish_array, sent_array, received_array, done_array
