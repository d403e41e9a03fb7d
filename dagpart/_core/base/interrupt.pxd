cdef class Stop:
    cdef char raised


cdef int check_interrupt() except -1 nogil
cdef void watch(Stop stop) noexcept
