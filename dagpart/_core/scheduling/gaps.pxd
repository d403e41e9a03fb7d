# The idle gaps of a processor between tasks that were placed there, for schedulers that go back to fill them.
#
# Gaps stand in order of time in chunks of bounded length, each of which knows its longest gap. So a search passes over
# a chunk at a time, and a change moves few others.
from libcpp.vector cimport vector

cdef enum:
    LONGEST_CHUNK = 128


cdef struct Gap:
    double start, finish


cdef cppclass Chunk:
    vector[Gap] gaps            # never empty
    double longest


cdef struct Spot:               # a gap, by its place
    size_t chunk, gap


cdef inline double length(const Gap& g) noexcept nogil:
    return g.finish - g.start


cdef inline void measure(Chunk& c) noexcept nogil:
    cdef size_t i
    c.longest = 0
    for i in range(c.gaps.size()):
        if length(c.gaps[i]) > c.longest:
            c.longest = length(c.gaps[i])


cdef inline Spot first_after(const vector[Chunk]& chunks, double time) noexcept nogil:
    # The first gap that ends after `time`.
    cdef Spot spot
    cdef size_t low = 0, high = chunks.size(), middle
    while low < high:
        middle = (low + high) // 2
        if chunks[middle].gaps.back().finish > time:
            high = middle
        else:
            low = middle + 1
    spot.chunk = low
    spot.gap = 0
    if low == chunks.size():
        return spot
    high = chunks[low].gaps.size()
    low = 0
    while low < high:
        middle = (low + high) // 2
        if chunks[spot.chunk].gaps[middle].finish > time:
            high = middle
        else:
            low = middle + 1
    spot.gap = low
    return spot


cdef inline bint next_gap(const vector[Chunk]& chunks, double shortest, Spot& spot) noexcept nogil:
    # Moves `spot` to the first gap from there on that is no shorter; False where there is none.
    while spot.chunk < chunks.size():
        if chunks[spot.chunk].longest >= shortest:
            while spot.gap < chunks[spot.chunk].gaps.size():
                if length(chunks[spot.chunk].gaps[spot.gap]) >= shortest:
                    return True
                spot.gap += 1
        spot.chunk += 1
        spot.gap = 0
    return False


cdef inline int split(vector[Chunk]& chunks, size_t i) except -1 nogil:
    cdef Chunk tail
    cdef size_t half = chunks[i].gaps.size() // 2
    tail.gaps.assign(chunks[i].gaps.begin() + half, chunks[i].gaps.end())
    chunks[i].gaps.resize(half)
    measure(chunks[i])
    measure(tail)
    chunks.insert(chunks.begin() + i + 1, tail)
    return 0


cdef inline int add_last(vector[Chunk]& chunks, double start, double finish) except -1 nogil:
    cdef Gap gap
    cdef Chunk fresh
    gap.start = start
    gap.finish = finish
    if chunks.empty():
        fresh.longest = 0
        chunks.push_back(fresh)
    chunks.back().gaps.push_back(gap)
    if length(gap) > chunks.back().longest:
        chunks.back().longest = length(gap)
    if chunks.back().gaps.size() > LONGEST_CHUNK:
        split(chunks, chunks.size() - 1)
    return 0


cdef inline int fill(vector[Chunk]& chunks, Spot spot, double start, double finish) except -1 nogil:
    # Takes [start, finish] out of a gap. What is left of it, before and after, are gaps again.
    cdef Gap old = chunks[spot.chunk].gaps[spot.gap]
    cdef Gap rest
    if start > old.start:
        chunks[spot.chunk].gaps[spot.gap].finish = start
        if finish < old.finish:
            rest.start = finish
            rest.finish = old.finish
            chunks[spot.chunk].gaps.insert(chunks[spot.chunk].gaps.begin() + spot.gap + 1, rest)
    elif finish < old.finish:
        chunks[spot.chunk].gaps[spot.gap].start = finish
    else:
        chunks[spot.chunk].gaps.erase(chunks[spot.chunk].gaps.begin() + spot.gap)
        if chunks[spot.chunk].gaps.empty():
            chunks.erase(chunks.begin() + spot.chunk)
            return 0
    measure(chunks[spot.chunk])
    if chunks[spot.chunk].gaps.size() > LONGEST_CHUNK:
        split(chunks, spot.chunk)
    return 0
