# Sorting by small integer keys.
from libcpp.vector cimport vector

from dagpart._core.base.types cimport vid_t


cdef inline int bucket_sort(const vid_t* key, vid_t n, vid_t buckets, vector[vid_t]& first,
                            vector[vid_t]& item) except -1 nogil:
    # item[first[b]:first[b + 1]] are those of 0 .. n - 1 whose key is b, ascending.
    cdef vid_t i, b
    first.assign(buckets + 1, 0)
    item.resize(n)
    for i in range(n):
        first[key[i] + 1] += 1
    for b in range(buckets):
        first[b + 1] += first[b]
    for i in range(n):
        item[first[key[i]]] = i
        first[key[i]] += 1
    for b in range(buckets, 0, -1):
        first[b] = first[b - 1]
    first[0] = 0
    return 0
