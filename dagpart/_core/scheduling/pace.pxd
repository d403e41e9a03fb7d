# How often loops look for an interrupt: by the work they do, whatever its unit. A look takes the GIL, for which other
# threads may make it wait, so there is one for about a million steps of some nanoseconds.
from libc.stdint cimport int64_t

from dagpart._core.base.interrupt cimport check_interrupt

cdef enum:
    MOST_WORK = 1 << 20


cdef inline int tick(int64_t& spent, int64_t work) except -1 nogil:
    # Adds to the work since the last look, which is `spent`, and looks when that is much.
    spent += work
    if spent >= MOST_WORK:
        spent = 0
        check_interrupt()
    return 0
