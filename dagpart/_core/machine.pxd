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
    cdef const eid_t[::1] indptr
    cdef const vid_t[::1] indices
    cdef const eid_t[::1] pred_indptr
    cdef const vid_t[::1] pred_indices
    cdef const double[::1] pred_sizes       # of the message that each incoming edge needs
    cdef const double[:, ::1] durations     # one column where all processors are alike
    cdef const double[:, ::1] gap
    cdef const double[:, ::1] latency
    cdef const vid_t[::1] place             # in a topological order
    cdef vid_t n, p
    cdef vid_t step                         # of the columns of `durations` from processor to processor: 0 or 1
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


cdef int begin(Machine m, State& s) except -1 nogil
cdef double delay(Machine m, vid_t source, vid_t destination, double size) noexcept nogil
cdef int sort_inputs(const State& s, Input* first, eid_t count) except -1 nogil
cdef double arrival(Machine m, State& s, const Input* inputs, eid_t count, vid_t q, double earliest) except? -1 nogil
cdef double deliver(Machine m, State& s, const Input* inputs, eid_t count, vid_t q, double earliest) except? -1 nogil
cdef int log_message(Machine m, State& s, const Message& message) except -1 nogil
cdef double run_task(Machine m, State& s, vid_t v, vid_t q, double start) noexcept nogil
cdef tuple outcome(Machine m, State& s)
