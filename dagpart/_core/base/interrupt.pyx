"""Stopping a run: Ctrl-C reaches the main thread, which tells the threads that work for it."""

from cpython.exc cimport PyErr_CheckSignals

cdef extern from *:
    """
    static thread_local const volatile char* dagpart_stop = nullptr;
    """
    const char* dagpart_stop


class OutOfTime(Exception):
    """The time given to an engine call is over."""


cdef class Stop:
    """A flag that ends the engine calls of the threads that watch it."""

    def set(self):
        """End them as Ctrl-C would."""
        self.raised = 1

    def expire(self):
        """End them with `OutOfTime`."""
        self.raised = 2


cdef void watch(Stop stop) noexcept:
    # The caller keeps `stop` alive until it watches None.
    global dagpart_stop
    if stop is None:
        dagpart_stop = NULL
    else:
        dagpart_stop = &stop.raised


cdef int check_interrupt() except -1 nogil:
    # Every phase calls this a few times a second; signal handlers run, and what they raise ends the run.
    if dagpart_stop != NULL and dagpart_stop[0]:
        with gil:
            raise OutOfTime if dagpart_stop[0] == 2 else KeyboardInterrupt
    with gil:
        PyErr_CheckSignals()
    return 0
