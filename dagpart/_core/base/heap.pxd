# Addressable binary max-heaps over small integer items, kept as vectors of entries with the items' positions beside
# them. Several heaps may share one position array as long as an item stands in one of them at a time.
from libc.stdint cimport int32_t, uint32_t
from libcpp.vector cimport vector

from dagpart._core.base.types cimport wgt_t


cdef struct Entry:
    wgt_t gain
    uint32_t tie        # random: equal gains leave the heap in random order
    int32_t item


cdef inline bint above(const Entry& a, const Entry& b) noexcept nogil:
    return a.gain > b.gain or (a.gain == b.gain and a.tie > b.tie)


cdef inline void sift_up(Entry* heap, int32_t* pos, int32_t i) noexcept nogil:
    cdef Entry e = heap[i]
    cdef int32_t parent
    while i > 0:
        parent = (i - 1) >> 1
        if not above(e, heap[parent]):
            break
        heap[i] = heap[parent]
        pos[heap[i].item] = i
        i = parent
    heap[i] = e
    pos[e.item] = i


cdef inline void sift_down(Entry* heap, int32_t* pos, int32_t i, int32_t size) noexcept nogil:
    cdef Entry e = heap[i]
    cdef int32_t child = 2 * i + 1
    while child < size:
        if child + 1 < size and above(heap[child + 1], heap[child]):
            child += 1
        if not above(heap[child], e):
            break
        heap[i] = heap[child]
        pos[heap[i].item] = i
        i = child
        child = 2 * i + 1
    heap[i] = e
    pos[e.item] = i


cdef inline int heap_push(vector[Entry]& heap, int32_t* pos, Entry e) except -1 nogil:
    heap.push_back(e)
    sift_up(heap.data(), pos, <int32_t>heap.size() - 1)
    return 0


cdef inline void heap_change(vector[Entry]& heap, int32_t* pos, int32_t i, wgt_t gain, uint32_t tie) noexcept nogil:
    cdef Entry* h = heap.data()
    cdef Entry old = h[i]
    h[i].gain = gain
    h[i].tie = tie
    if above(h[i], old):
        sift_up(h, pos, i)
    else:
        sift_down(h, pos, i, <int32_t>heap.size())


cdef inline void heap_remove(vector[Entry]& heap, int32_t* pos, int32_t i) noexcept nogil:
    cdef Entry* h = heap.data()
    cdef int32_t last = <int32_t>heap.size() - 1
    cdef Entry moved = h[last]
    pos[h[i].item] = -1
    heap.pop_back()
    if i < last:
        h[i] = moved
        pos[moved.item] = i
        sift_up(h, pos, i)
        sift_down(h, pos, pos[moved.item], last)
