"""Ctrl-C during a run."""

from cpython.exc cimport PyErr_CheckSignals


cdef int check_interrupt() except -1 nogil:
    # Every phase calls this a few times a second; signal handlers run, and what they raise ends the run.
    with gil:
        PyErr_CheckSignals()
    return 0
