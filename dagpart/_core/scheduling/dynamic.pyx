"""Runs without a plan: processors that have nothing to do take ready tasks as time goes on."""

from libc.stdint cimport int64_t, uint64_t
from libcpp.deque cimport deque
from libcpp.pair cimport pair
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.base.random cimport SIMULATION_STREAM, Rng, below, derive
from dagpart._core.base.types cimport eid_t, vid_t
from dagpart._core.scheduling.machine cimport (
    Input, Machine, State, arrival, begin, deliver, load_inputs, outcome, run_task,
)
from dagpart._core.scheduling.pace cimport tick

ctypedef pair[double, int64_t] event_t      # negated time and task: the heap's top is the first one


cdef cppclass Crew:
    # Processors that look for work.
    State state
    priority_queue[event_t] events      # ends of tasks
    priority_queue[int64_t] ready       # negated ranks; one queue for all
    vector[deque[vid_t]] own            # one queue for each; the newest task is last
    vector[char] idle
    vector[eid_t] missing
    vector[vid_t] by_rank
    vector[Input] inputs                # of the task at hand
    int64_t waiting                     # tasks in queues
    bint stealing                       # each processor has its own queue
    Rng rng


cdef int start_on(Machine m, Crew& crew, vid_t v, vid_t q, double now) except -1 nogil:
    # Data are asked for now; the processor waits for them.
    cdef double start
    load_inputs(m, crew.state, v, crew.inputs)
    start = deliver(m, crew.state, crew.inputs.data(), <eid_t>crew.inputs.size(), q, now)
    if start < now:
        start = now
    crew.state.free_from[q] = run_task(m, crew.state, v, q, start)
    crew.events.push(event_t(-crew.state.free_from[q], -<int64_t>v))
    crew.idle[q] = False
    crew.waiting -= 1
    return 0


cdef int share_out(Machine m, Crew& crew, double now) except -1 nogil:
    # The most urgent task to the idle processor that has its data first, while there are both.
    cdef vid_t v, q, best
    cdef double when, earliest
    while not crew.ready.empty():
        v = crew.by_rank[-crew.ready.top()]
        best = -1
        earliest = 0
        tick(crew.state.spent, m.p)
        for q in range(m.p):
            if not crew.idle[q]:
                continue
            if best < 0:
                load_inputs(m, crew.state, v, crew.inputs)
            when = arrival(m, crew.state, crew.inputs.data(), <eid_t>crew.inputs.size(), q, now)
            if best < 0 or when < earliest:
                best = q
                earliest = when
        if best < 0:
            return 0
        crew.ready.pop()
        start_on(m, crew, v, best, now)
    return 0


cdef int take_own(Machine m, Crew& crew, vid_t q, double now) except -1 nogil:
    # The newest task of the processor's own queue, if it has nothing to do.
    cdef vid_t v
    if crew.idle[q] and not crew.own[q].empty():
        v = crew.own[q].back()
        crew.own[q].pop_back()
        start_on(m, crew, v, q, now)
    return 0


cdef int steal(Machine m, Crew& crew, double now) except -1 nogil:
    # Idle processors take the oldest task of another one, drawn from those that have one.
    cdef vid_t v, q, victim, full, pick
    for q in range(m.p):
        if crew.waiting == 0:
            return 0
        if not crew.idle[q]:
            continue
        tick(crew.state.spent, m.p)
        full = 0
        for victim in range(m.p):
            if not crew.own[victim].empty():
                full += 1
        pick = below(crew.rng, full)
        for victim in range(m.p):
            if not crew.own[victim].empty():
                if pick == 0:
                    break
                pick -= 1
        v = crew.own[victim].front()
        crew.own[victim].pop_front()
        start_on(m, crew, v, q, now)
    return 0


cdef int begin_run(Machine m, Crew& crew, const vid_t[::1] rank) except -1 nogil:
    cdef vid_t i, v, turn = 0
    begin(m, crew.state)
    crew.idle.assign(m.p, True)
    crew.own.resize(m.p)
    crew.waiting = 0
    crew.missing.resize(m.n)
    crew.by_rank.resize(m.n)
    for v in range(m.n):
        crew.by_rank[rank[v]] = v
        crew.missing[v] = m.pred_indptr[v + 1] - m.pred_indptr[v]
    for i in range(m.n):
        v = crew.by_rank[i]
        if crew.missing[v]:
            continue
        crew.waiting += 1
        if crew.stealing:
            # Its first task is the one that the processor takes first.
            crew.own[turn].push_front(v)
            turn = (turn + 1) % m.p
        else:
            crew.ready.push(-<int64_t>i)
    return 0


cdef int end_task(Machine m, Crew& crew, vid_t v, const vid_t[::1] rank) except -1 nogil:
    # Its processor is free; tasks that waited for nothing else are ready.
    cdef vid_t w, q = crew.state.where[v]
    cdef eid_t e
    tick(crew.state.spent, m.indptr[v + 1] - m.indptr[v] + 1)
    crew.idle[q] = True
    for e in range(m.indptr[v], m.indptr[v + 1]):
        w = m.indices[e]
        crew.missing[w] -= 1
        if crew.missing[w]:
            continue
        crew.waiting += 1
        if crew.stealing:
            crew.own[q].push_back(w)
        else:
            crew.ready.push(-<int64_t>rank[w])
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
    cdef Crew crew
    cdef vector[vid_t] finished
    cdef vid_t v, q
    cdef double now = 0
    with nogil:
        crew.stealing = stealing
        crew.rng = derive(seed, SIMULATION_STREAM, 0)
        begin_run(m, crew, rank)
        if stealing:
            for q in range(m.p):
                take_own(m, crew, q, now)
        else:
            share_out(m, crew, now)
        while not crew.events.empty():
            now = -crew.events.top().first
            finished.clear()
            while not crew.events.empty() and -crew.events.top().first == now:
                finished.push_back(<vid_t>-crew.events.top().second)
                crew.events.pop()
            for v in finished:
                end_task(m, crew, v, rank)
            if stealing:
                for v in finished:
                    take_own(m, crew, crew.state.where[v], now)
                steal(m, crew, now)
            else:
                share_out(m, crew, now)
    return outcome(m, crew.state)
