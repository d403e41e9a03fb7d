from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t


cdef struct Input:              # data that a task, or a block of tasks, waits for
    vid_t producer, consumer
    double size


cdef struct Message:
    vid_t producer, consumer, source, destination
    double start, finish


cdef class Machine:
    # A task graph on a platform: what does not change while tasks are placed.
    cdef tuple held                         # the arrays that the pointers point into
    cdef const eid_t* indptr
    cdef const vid_t* indices
    cdef const eid_t* pred_indptr
    cdef const vid_t* pred_indices
    cdef const double* sizes                # of the message that each edge needs
    cdef const double* pred_sizes           # the same, by incoming edge
    cdef const double* durations            # `duration` reads it
    cdef const double* gap                  # row by row, as is the latency
    cdef const double* latency
    cdef const vid_t* place                 # in a topological order
    cdef double synchronisation             # at the end of a superstep
    cdef double idle_synchronisation        # of one that sends nothing
    cdef vid_t n, p
    cdef vid_t columns, step                # of `durations`: one where all processors are alike; then no step
    cdef bint sends, ports, unique          # messages cost time; hold ports; serve all consumers on a processor


cdef cppclass State:
    # What has been placed so far.
    vector[vid_t] where                     # -1: not placed
    vector[double] start, finish            # of tasks
    vector[double] free_from                # when a processor ends its last task
    vector[double] send_from, receive_from  # when its ports end their last message
    vector[Message] messages
    vector[eid_t] latest, earlier           # unique: chains through each producer's messages
    vector[double] trial                    # send ports as they would be; of trial number `stamp`
    vector[eid_t] stamp
    eid_t trials
    int64_t spent                           # work since the last look for an interrupt


cdef inline double duration(Machine m, vid_t v, vid_t q) noexcept nogil:
    return m.durations[<eid_t>v * m.columns + q * m.step]


cdef inline double delay(Machine m, vid_t source, vid_t destination, double size) noexcept nogil:
    cdef eid_t link = <eid_t>source * m.p + destination
    return m.latency[link] + size * m.gap[link]


cdef int begin(Machine m, State& s) except -1 nogil
cdef int sort_inputs(const State& s, Input* first, eid_t count) except -1 nogil
cdef int load_inputs(Machine m, const State& s, vid_t v, vector[Input]& inputs) except -1 nogil
cdef double arrival(Machine m, State& s, const Input* inputs, eid_t count, vid_t q, double earliest) except? -1 nogil
cdef double deliver(Machine m, State& s, const Input* inputs, eid_t count, vid_t q, double earliest) except? -1 nogil
cdef int log_message(Machine m, State& s, const Message& message) except -1 nogil
cdef double run_task(Machine m, State& s, vid_t v, vid_t q, double start) noexcept nogil
cdef tuple outcome(Machine m, State& s, superstep=*)
