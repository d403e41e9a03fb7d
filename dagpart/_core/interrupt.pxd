cdef int check_interrupt() except -1 nogil
