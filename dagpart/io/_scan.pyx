"""Entries of a coordinate matrix, read in one strict pass."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t


cdef int64_t _LARGEST = 2147483647
# A number of so few digits and so small an exponent is 0 only if its digits are.
cdef int _MOST_DIGITS = 40


cdef inline const uint8_t *_skip_blanks(const uint8_t *at) noexcept nogil:
    while at[0] == 32 or at[0] == 9:
        at += 1
    return at


cdef inline bint _is_digit(uint8_t sign) noexcept nogil:
    return 48 <= sign <= 57


cdef inline bint _ends(uint8_t sign) noexcept nogil:
    return sign == 32 or sign == 9 or sign == 10 or sign == 0


cdef const uint8_t *_read_id(const uint8_t *at, int32_t *out) noexcept nogil:
    """Passes a number without a sign; NULL where there is none, or it is too large."""
    cdef int64_t number = 0
    if not _is_digit(at[0]):
        return NULL
    while _is_digit(at[0]):
        number = number * 10 + (at[0] - 48)
        if number > _LARGEST:
            return NULL
        at += 1
    if not _ends(at[0]):
        return NULL
    out[0] = <int32_t>number
    return at


cdef const uint8_t *_read_value(const uint8_t *at, bint *nonzero) noexcept nogil:
    """Passes a number; NULL where there is none, or it is an unusual one."""
    cdef int digits = 0
    nonzero[0] = 0
    if at[0] == 43 or at[0] == 45:
        at += 1
    while _is_digit(at[0]):
        nonzero[0] |= at[0] != 48
        digits += 1
        at += 1
    if at[0] == 46:
        at += 1
        while _is_digit(at[0]):
            nonzero[0] |= at[0] != 48
            digits += 1
            at += 1
    if digits == 0 or digits > _MOST_DIGITS:
        return NULL
    if at[0] == 101 or at[0] == 69:
        at += 1
        if at[0] == 43 or at[0] == 45:
            at += 1
        digits = 0
        while _is_digit(at[0]):
            digits += 1
            at += 1
        if digits == 0 or digits > 2:
            return NULL
    return at if _ends(at[0]) else NULL


def scan_entries(bytes text, int64_t start, bint valued,
                 int32_t[::1] row, int32_t[::1] column, uint8_t[::1] value):
    """Read lines of row, column and maybe a value, as long as nothing unusual turns up.

    Parameters
    ----------
    text : bytes
        What is in the file; CPython keeps a zero byte behind it, at which every loop ends.
    start : int
        Where the first line begins.
    valued : bool
        Whether each line has a value.
    row, column : int32[capacity]
    value : uint8[capacity]
        Where they go; of values only whether they are not zero, 1 without values.

    Returns
    -------
    int
        Number of entries; -1 where a line is neither blank nor just these fields, ids without sign below
        2**31, the value with at most 40 digits and an exponent of at most two; or where there is room for fewer.
    """
    cdef int64_t capacity = row.shape[0], count = 0
    cdef bint nonzero = True
    cdef const uint8_t *at = <const uint8_t *>PyBytes_AS_STRING(text) + start
    cdef const uint8_t *end = <const uint8_t *>PyBytes_AS_STRING(text) + PyBytes_GET_SIZE(text)
    with nogil:
        while True:
            at = _skip_blanks(at)
            if at[0] == 10:
                at += 1
                continue
            if at == end:
                break
            if count == capacity:
                count = -1
                break
            at = _read_id(at, &row[count])
            if at != NULL:
                at = _read_id(_skip_blanks(at), &column[count])
            if at != NULL and valued:
                at = _read_value(_skip_blanks(at), &nonzero)
            value[count] = nonzero
            if at != NULL:
                at = _skip_blanks(at)
            # A zero byte inside the text is no end.
            if at == NULL or (at[0] != 10 and at != end):
                count = -1
                break
            count += 1
    return count
