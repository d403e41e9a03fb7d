"""Times of plans under the bulk-synchronous model: supersteps of computation, communication, synchronisation."""

import numpy as np

from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t
from dagpart._core.scheduling.machine cimport Machine, Message, State, begin, delay, log_message, outcome, run_task
from dagpart._core.scheduling.pace cimport tick


cdef struct Transfer:               # a message, what it carries, and the superstep at whose end it is sent
    Message message
    double size
    vid_t phase


cdef cppclass Traffic:
    # What the ports of processors have to carry in one superstep.
    vector[double] sending, receiving
    vector[vid_t] touched               # processors with messages


cdef vid_t number_supersteps(Machine m, State& s, const vid_t[::1] processor, const vid_t[::1] order,
                             vid_t[::1] step) except -1 nogil:
    # The earliest superstep of each task; how many there are.
    cdef vector[vid_t] newest               # superstep that each processor is in
    cdef vid_t i, u, v, now, steps = 0
    cdef eid_t e
    newest.assign(m.p, 0)
    for i in range(m.n):
        v = order[i]
        tick(s.spent, m.pred_indptr[v + 1] - m.pred_indptr[v] + 1)
        now = newest[processor[v]]
        for e in range(m.pred_indptr[v], m.pred_indptr[v + 1]):
            u = m.pred_indices[e]
            if step[u] + (processor[u] != processor[v]) > now:
                now = step[u] + (processor[u] != processor[v])
        step[v] = now
        newest[processor[v]] = now
        if now >= steps:
            steps = now + 1
    return steps


cdef int sort_by_superstep(const vid_t[::1] order, const vid_t[::1] step, vid_t steps, vector[vid_t]& first,
                           vector[vid_t]& by_step) except -1 nogil:
    # Superstep i has the tasks by_step[first[i]:first[i + 1]], in the given order.
    cdef vid_t i, v
    first.assign(steps + 2, 0)
    by_step.resize(order.shape[0])
    for v in range(<vid_t>order.shape[0]):
        first[step[v] + 2] += 1
    for i in range(2, steps + 2):
        first[i] += first[i - 1]
    for i in range(<vid_t>order.shape[0]):
        v = order[i]
        by_step[first[step[v] + 1]] = v
        first[step[v] + 1] += 1
    return 0


cdef double compute(Machine m, State& s, const vid_t[::1] processor, const vid_t* tasks, vid_t count,
                    double now) except? -1 nogil:
    # When the last of these tasks ends.
    cdef double computed = now
    cdef vid_t i, v, q
    tick(s.spent, count)
    for i in range(count):
        v = tasks[i]
        q = processor[v]
        if s.free_from[q] < now:
            s.free_from[q] = now
        s.free_from[q] = run_task(m, s, v, q, s.free_from[q])
        if s.free_from[q] > computed:
            computed = s.free_from[q]
    return computed


cdef int collect(Machine m, State& s, const vid_t[::1] processor, const vector[vid_t]& by_step, const vid_t[::1] step,
                 const vid_t[::1] sent_in, vid_t steps, vector[Transfer]& transfers) except -1 nogil:
    # All messages by phase; inside a phase in the order of the tasks in `by_step`.
    cdef vid_t i, v, w, q
    cdef eid_t e, begun
    cdef vector[eid_t] newest, first        # of each processor, what was sent there last; of each phase
    cdef vector[Transfer] found
    cdef Transfer transfer
    newest.assign(m.p, -1)
    for i in range(m.n):
        v = by_step[i]
        begun = <eid_t>found.size()
        tick(s.spent, m.indptr[v + 1] - m.indptr[v] + 1)
        for e in range(m.indptr[v], m.indptr[v + 1]):
            w = m.indices[e]
            q = processor[w]
            if q == processor[v]:
                continue
            transfer.phase = step[v]
            if sent_in.shape[0]:
                transfer.phase = sent_in[e]
            if m.unique and newest[q] >= begun:
                # One message serves all there, as early as the first of them asks for it.
                if transfer.phase < found[newest[q]].phase:
                    found[newest[q]].phase = transfer.phase
                continue
            newest[q] = <eid_t>found.size()
            transfer.message.producer = v
            transfer.message.consumer = w
            transfer.message.source = processor[v]
            transfer.message.destination = q
            transfer.message.start = 0
            transfer.message.finish = 0
            transfer.size = m.sizes[e]
            found.push_back(transfer)
    first.assign(steps + 1, 0)
    for e in range(<eid_t>found.size()):
        first[found[e].phase + 1] += 1
    for i in range(steps):
        first[i + 1] += first[i]
    transfers.resize(found.size())
    for e in range(<eid_t>found.size()):
        transfers[first[found[e].phase]] = found[e]
        first[found[e].phase] += 1
    return 0


cdef double communicate(Machine m, State& s, Traffic& traffic, const Transfer* transfers, eid_t count,
                        double now) except? -1 nogil:
    # Sends these; how long the busiest port takes.
    cdef double longest = 0, cost
    cdef eid_t i
    cdef vid_t source, q
    cdef Message message
    traffic.touched.clear()
    tick(s.spent, count)
    for i in range(count):
        message = transfers[i].message
        message.start = now
        log_message(m, s, message)
        source, q = message.source, message.destination
        cost = delay(m, source, q, transfers[i].size)
        traffic.touched.push_back(source)
        traffic.touched.push_back(q)
        traffic.sending[source] += cost
        traffic.receiving[q] += cost
    for q in traffic.touched:
        if traffic.sending[q] > longest:
            longest = traffic.sending[q]
        if traffic.receiving[q] > longest:
            longest = traffic.receiving[q]
    for q in traffic.touched:
        traffic.sending[q] = 0
        traffic.receiving[q] = 0
    return longest


cdef int run(Machine m, State& s, const vid_t[::1] processor, const vid_t[::1] order, const vid_t[::1] step,
             const vid_t[::1] sent_in, vid_t steps, vector[Transfer]& transfers) except -1 nogil:
    # The times of all tasks and messages, superstep by superstep.
    cdef Traffic traffic
    cdef vid_t i
    cdef eid_t sent, count, done = 0
    cdef double now = 0, computed
    cdef vector[vid_t] first, by_step
    sort_by_superstep(order, step, steps, first, by_step)
    collect(m, s, processor, by_step, step, sent_in, steps, transfers)
    traffic.sending.assign(m.p, 0)
    traffic.receiving.assign(m.p, 0)
    for i in range(steps):
        computed = compute(m, s, processor, by_step.data() + first[i], first[i + 1] - first[i], now)
        count = 0
        while done + count < <eid_t>transfers.size() and transfers[done + count].phase == i:
            count += 1
        now = computed + communicate(m, s, traffic, transfers.data() + done, count, computed)
        for sent in range(done, done + count):
            s.messages[sent].finish = now
        done += count
        if count:
            now += m.synchronisation
        else:
            now += m.idle_synchronisation
    return 0


def in_supersteps(Machine m, const vid_t[::1] processor, const vid_t[::1] order):
    """The earliest superstep of each task, and the times that follow.

    Arguments and result are those of `in_order`, besides a superstep for each task.
    """
    cdef State s
    cdef vid_t steps
    cdef vector[Transfer] transfers
    step_array = np.zeros(m.n, np.int32)
    cdef vid_t[::1] step = step_array
    cdef const vid_t[::1] sent_in = np.zeros(0, np.int32)
    with nogil:
        begin(m, s)
        steps = number_supersteps(m, s, processor, order, step)
        run(m, s, processor, order, step, sent_in, steps, transfers)
    return outcome(m, s, step_array)


def in_given_supersteps(
    Machine m, const vid_t[::1] processor, const vid_t[::1] order, const vid_t[::1] step, const vid_t[::1] sent_in
):
    """The times of tasks in given supersteps.

    Parameters
    ----------
    m : Machine
    processor, order : int32[n]
        The order is a topological one on each processor.
    step : int32[n]
        No task comes before its predecessors, nor beside those on other processors.
    sent_in : int32[m] or int32[0]
        Superstep at whose end each edge's data are sent: from its tail's to the one before its head's. Default:
        its tail's.

    Returns
    -------
    phase : int32[messages]
        Superstep at whose end each message is sent.
    outcome : tuple
        As `outcome` in machine.pyx says.
    """
    cdef State s
    cdef vid_t v, steps = 0
    cdef eid_t i
    cdef vector[Transfer] transfers
    cdef vid_t[::1] phase
    with nogil:
        begin(m, s)
        for v in range(m.n):
            if step[v] >= steps:
                steps = step[v] + 1
        run(m, s, processor, order, step, sent_in, steps, transfers)
    phase_array = np.empty(transfers.size(), np.int32)
    phase = phase_array
    for i in range(<eid_t>transfers.size()):
        phase[i] = transfers[i].phase
    return phase_array, outcome(m, s, np.asarray(step))
