"""The rules by which tasks and messages get their times, the same for all schedulers and for the simulator.

Tasks are placed one after the other. The data that a task needs from elsewhere are sent when it is placed, ordered by
the times at which their producers end, then by the producers' ids. Ports serve messages in the order in which these are
placed, without going back to fill a gap.
"""

import numpy as np

from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t
from dagpart._core.scheduling.pace cimport tick

ctypedef pair[pair[double, vid_t], eid_t] key_t

cdef enum:
    FEW = 24                # inputs that insertion sorts faster than the library's sort does


# How messages share the links, by the words that records of communication models use.
cdef enum:
    FREE = 0                # data are everywhere at once
    UNLIMITED = 1           # any number of messages at a time
    PORTS = 2               # a processor sends at most one message at a time, and receives at most one

LINKS = {"free": FREE, "unlimited": UNLIMITED, "ports": PORTS}


cdef class Machine:
    """A task graph on a platform, as the kernels take it.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Successors.
    pred_indptr, pred_indices : int64[n + 1], int32[m]
    place : int32[n]
        Of each task in a topological order.
    durations : float64[n, p] or float64[n, 1]
    links : int
        A value of `LINKS`.
    unique : bool
        Whether one message serves all consumers on a processor.
    sizes, pred_sizes : float64[m]
        Size of each edge's message, by outgoing and by incoming edge.
    gap, latency : float64[p, p]
    synchronisation, idle_synchronisation : float
        Time that ends a superstep; one that sends nothing.
    """

    def __init__(
        self,
        const eid_t[::1] indptr,
        const vid_t[::1] indices,
        const eid_t[::1] pred_indptr,
        const vid_t[::1] pred_indices,
        const vid_t[::1] place,
        const double[:, ::1] durations,
        int links,
        bint unique,
        const double[::1] sizes,
        const double[::1] pred_sizes,
        const double[:, ::1] gap,
        const double[:, ::1] latency,
        double synchronisation,
        double idle_synchronisation,
    ):
        self.held = (indptr, indices, pred_indptr, pred_indices, sizes, pred_sizes, durations, gap, latency, place)
        self.indptr = &indptr[0]
        self.indices = &indices[0]
        self.pred_indptr = &pred_indptr[0]
        self.pred_indices = &pred_indices[0]
        self.sizes = &sizes[0]
        self.pred_sizes = &pred_sizes[0]
        self.durations = &durations[0, 0]
        self.gap = &gap[0, 0]
        self.latency = &latency[0, 0]
        self.synchronisation = synchronisation
        self.idle_synchronisation = idle_synchronisation
        self.n = <vid_t>(indptr.shape[0] - 1)
        self.p = <vid_t>gap.shape[0]
        self.columns = <vid_t>durations.shape[1]
        self.step = 1 if self.columns > 1 else 0
        self.sends = links != FREE
        self.ports = links == PORTS
        self.unique = unique
        self.place = &place[0]


cdef int begin(Machine m, State& s) except -1 nogil:
    s.where.assign(m.n, -1)
    s.start.assign(m.n, 0)
    s.finish.assign(m.n, 0)
    s.free_from.assign(m.p, 0)
    s.send_from.assign(m.p, 0)
    s.receive_from.assign(m.p, 0)
    s.trial.assign(m.p, 0)
    s.stamp.assign(m.p, -1)
    s.trials = 0
    s.spent = 0
    if m.unique:
        s.latest.assign(m.n, -1)
    return 0


cdef inline bint earlier(const State& s, const Input& a, const Input& b) noexcept nogil:
    cdef double x = s.finish[a.producer], y = s.finish[b.producer]
    return x < y or (x == y and a.producer < b.producer)


cdef int sort_inputs(const State& s, Input* first, eid_t count) except -1 nogil:
    # By the times at which the producers end, then by producer; stable.
    cdef vector[key_t] keys
    cdef vector[Input] copy
    cdef Input item
    cdef eid_t i, j
    if count <= FEW:
        for i in range(1, count):
            item = first[i]
            j = i
            while j > 0 and earlier(s, item, first[j - 1]):
                first[j] = first[j - 1]
                j -= 1
            first[j] = item
        return 0
    keys.reserve(count)
    copy.assign(first, first + count)
    for i in range(count):
        keys.push_back(key_t(pair[double, vid_t](s.finish[copy[i].producer], copy[i].producer), i))
    sort(keys.begin(), keys.end())
    for i in range(count):
        first[i] = copy[keys[i].second]
    return 0


cdef int load_inputs(Machine m, const State& s, vid_t v, vector[Input]& inputs) except -1 nogil:
    # All inputs of a task, sorted.
    cdef eid_t e
    cdef Input item
    inputs.clear()
    item.consumer = v
    for e in range(m.pred_indptr[v], m.pred_indptr[v + 1]):
        item.producer = m.pred_indices[e]
        item.size = m.pred_sizes[e]
        inputs.push_back(item)
    return sort_inputs(s, inputs.data(), <eid_t>inputs.size())


cdef inline eid_t sent_before(State& s, vid_t u, vid_t q) noexcept nogil:
    # The message with u's data to q; -1 where there is none.
    cdef eid_t i = s.latest[u]
    while i >= 0 and s.messages[i].destination != q:
        i = s.earlier[i]
        s.spent += 1
    return i


cdef int log_message(Machine m, State& s, const Message& message) except -1 nogil:
    if m.unique:
        s.earlier.push_back(s.latest[message.producer])
        s.latest[message.producer] = <eid_t>s.messages.size()
    s.messages.push_back(message)
    return 0


cdef inline double receive(
    Machine m, State& s, const Input* inputs, eid_t count, vid_t q, double earliest, bint send
) except? -1 nogil:
    cdef eid_t i, before
    cdef vid_t u, a, last = -1
    cdef double ready = 0, begun, done, port = s.receive_from[q]
    cdef Message message
    tick(s.spent, count + 1)
    s.trials += 1
    for i in range(count):
        u = inputs[i].producer
        a = s.where[u]
        if a == q or not m.sends:
            if s.finish[u] > ready:
                ready = s.finish[u]
            continue
        if m.unique:
            # Inputs of one producer stand together.
            if u == last:
                continue
            last = u
            before = sent_before(s, u, q)
            if before >= 0:
                if s.messages[before].finish > ready:
                    ready = s.messages[before].finish
                continue
        begun = s.finish[u]
        if begun < earliest:
            begun = earliest
        if m.ports:
            if s.stamp[a] != s.trials:
                s.stamp[a] = s.trials
                s.trial[a] = s.send_from[a]
            if begun < s.trial[a]:
                begun = s.trial[a]
            if begun < port:
                begun = port
        done = begun + delay(m, a, q, inputs[i].size)
        if m.ports:
            s.trial[a] = done
            port = done
        if done > ready:
            ready = done
        if send:
            s.send_from[a] = done
            s.receive_from[q] = done
            message.producer = u
            message.consumer = inputs[i].consumer
            message.source = a
            message.destination = q
            message.start = begun
            message.finish = done
            log_message(m, s, message)
    return ready


cdef double arrival(Machine m, State& s, const Input* inputs, eid_t count, vid_t q, double earliest) except? -1 nogil:
    # When all inputs would be on q if they were sent now, none before `earliest`. Nothing but the trial ports changes.
    return receive(m, s, inputs, count, q, earliest, False)


cdef double deliver(Machine m, State& s, const Input* inputs, eid_t count, vid_t q, double earliest) except? -1 nogil:
    # Sends them; the answer is that of `arrival`.
    return receive(m, s, inputs, count, q, earliest, True)


cdef double run_task(Machine m, State& s, vid_t v, vid_t q, double start) noexcept nogil:
    # The time at which it ends.
    s.where[v] = q
    s.start[v] = start
    s.finish[v] = start + duration(m, v, q)
    return s.finish[v]


cdef inline bint starts_before(Machine m, const State& s, vid_t v, vid_t w) noexcept nogil:
    # Tasks without duration may share an instant; a topological order tells them apart.
    if s.start[v] != s.start[w]:
        return s.start[v] < s.start[w]
    if s.finish[v] != s.finish[w]:
        return s.finish[v] < s.finish[w]
    return m.place[v] < m.place[w]


cdef int name_first_consumers(Machine m, State& s) except -1 nogil:
    # A message that serves several consumers was placed with the first of these that was placed, which later ones
    # may precede in a gap. It carries the name of the one that starts first.
    cdef vector[vid_t] first
    cdef vid_t u, v, q
    cdef eid_t e, i
    first.assign(m.p, -1)
    for u in range(m.n):
        tick(s.spent, m.indptr[u + 1] - m.indptr[u] + 1)
        if s.latest[u] < 0:
            continue
        i = s.latest[u]
        while i >= 0:
            first[s.messages[i].destination] = s.messages[i].consumer
            i = s.earlier[i]
        for e in range(m.indptr[u], m.indptr[u + 1]):
            v = m.indices[e]
            q = s.where[v]
            if q == s.where[u]:
                continue
            if starts_before(m, s, v, first[q]):
                first[q] = v
        i = s.latest[u]
        while i >= 0:
            s.messages[i].consumer = first[s.messages[i].destination]
            i = s.earlier[i]
    return 0


cdef tuple outcome(Machine m, State& s, superstep=None):
    """Processors, starts and ends of the tasks; the messages as six arrays, the fields of `Messages` in order; and the
    superstep of each task, where there are supersteps."""
    cdef eid_t i, count
    cdef vid_t v
    if m.unique:
        with nogil:
            name_first_consumers(m, s)
    count = <eid_t>s.messages.size()
    where_array = np.empty(m.n, np.int32)
    start_array = np.empty(m.n)
    finish_array = np.empty(m.n)
    ids = np.empty((4, count), np.int32)
    times = np.empty((2, count))
    cdef vid_t[::1] where = where_array
    cdef double[::1] start = start_array, finish = finish_array
    cdef vid_t[:, ::1] end = ids
    cdef double[:, ::1] time = times
    with nogil:
        for v in range(m.n):
            where[v] = s.where[v]
            start[v] = s.start[v]
            finish[v] = s.finish[v]
        for i in range(count):
            end[0, i] = s.messages[i].producer
            end[1, i] = s.messages[i].consumer
            end[2, i] = s.messages[i].source
            end[3, i] = s.messages[i].destination
            time[0, i] = s.messages[i].start
            time[1, i] = s.messages[i].finish
    return where_array, start_array, finish_array, (*ids, *times), superstep
