"""Times of plans under the bulk-synchronous model: supersteps of computation, communication, synchronisation."""

import numpy as np

from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t
from dagpart._core.scheduling.machine cimport Machine, Message, State, begin, delay, log_message, outcome, run_task
from dagpart._core.scheduling.pace cimport tick


cdef cppclass Traffic:
    # What the ports of processors have to carry in one superstep.
    vector[double] sending, receiving
    vector[vid_t] stamp                 # the last producer that has sent to a processor
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


cdef double communicate(Machine m, State& s, Traffic& traffic, const vid_t[::1] processor, const vid_t* tasks,
                        vid_t count, double now) except? -1 nogil:
    # Sends the outputs of these tasks; how long the busiest port takes.
    cdef double longest = 0, cost
    cdef vid_t i, v, w, q
    cdef eid_t e
    cdef Message message
    traffic.touched.clear()
    for i in range(count):
        v = tasks[i]
        tick(s.spent, m.indptr[v + 1] - m.indptr[v] + 1)
        for e in range(m.indptr[v], m.indptr[v + 1]):
            w = m.indices[e]
            q = processor[w]
            if q == processor[v] or (m.unique and traffic.stamp[q] == v):
                continue
            traffic.stamp[q] = v
            message.producer = v
            message.consumer = w
            message.source = processor[v]
            message.destination = q
            message.start = now
            log_message(m, s, message)
            cost = delay(m, processor[v], q, m.sizes[e])
            traffic.touched.push_back(processor[v])
            traffic.touched.push_back(q)
            traffic.sending[processor[v]] += cost
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


def in_supersteps(Machine m, const vid_t[::1] processor, const vid_t[::1] order):
    """The earliest superstep of each task, and the times that follow.

    Arguments and result are those of `in_order`, besides a superstep for each task.
    """
    cdef State s
    cdef Traffic traffic
    cdef vid_t i, count, steps
    cdef vid_t* tasks
    cdef size_t sent
    cdef double now = 0, computed
    cdef vector[vid_t] first, by_step
    step_array = np.zeros(m.n, np.int32)
    cdef vid_t[::1] step = step_array
    with nogil:
        begin(m, s)
        steps = number_supersteps(m, s, processor, order, step)
        sort_by_superstep(order, step, steps, first, by_step)
        traffic.stamp.assign(m.p, -1)
        traffic.sending.assign(m.p, 0)
        traffic.receiving.assign(m.p, 0)
        for i in range(steps):
            tasks = by_step.data() + first[i]
            count = first[i + 1] - first[i]
            computed = compute(m, s, processor, tasks, count, now)
            sent = s.messages.size()
            now = computed + communicate(m, s, traffic, processor, tasks, count, computed)
            while sent < s.messages.size():
                s.messages[sent].finish = now
                sent += 1
            now += m.synchronisation
    return outcome(m, s, step_array)
