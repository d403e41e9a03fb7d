# The engine's seeded generator: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). Integer arithmetic only, so that the
# same seed gives the same partition on every platform.
from libc.stdint cimport uint32_t, uint64_t

from dagpart._core.base.types cimport vid_t


cdef struct Rng:
    uint64_t state


cdef enum Stream:
    # Who draws. Each phase derives a stream of its own from the seed, so that phases can run side by side or be left
    # out without changing what the others draw. The numbers are part of what a seed means: a new stream takes a new
    # number.
    SIMULATION_STREAM = 0x00        # a run with random durations; single phases from Python
    GUIDE_STREAM = 0x01
    SCAN_STREAM = 0x02
    REPAIR_STREAM = 0x03
    MULTILEVEL_STREAM = 0x04
    BISECTION_CYCLES_STREAM = 0x05
    REFINE_STREAM = 0x4E
    SMALL_STREAM = 0x51
    SPLIT_STREAM = 0x57
    RESTART_STREAM = 0xA7
    COMBINE_STREAM = 0xC0
    KWAY_OPEN_STREAM = 0xD1
    KWAY_START_STREAM = 0xD2
    KWAY_CLOSE_STREAM = 0xD3


cdef inline uint64_t mix(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint64_t draw(Rng& rng) noexcept nogil:
    rng.state += <uint64_t>0x9E3779B97F4A7C15
    return mix(rng.state)


cdef inline uint32_t draw32(Rng& rng) noexcept nogil:
    return <uint32_t>(draw(rng) >> 32)


cdef inline vid_t below(Rng& rng, vid_t n) noexcept nogil:
    # Uniform to within n / 2^32 on 0 .. n - 1.
    return <vid_t>((<uint64_t>draw32(rng) * <uint64_t>n) >> 32)


cdef inline Rng derive(uint64_t seed, uint64_t stream, uint64_t item) noexcept nogil:
    # An independent stream for one item of a phase, whatever thread works at it.
    cdef Rng rng
    rng.state = mix(mix(mix(seed + <uint64_t>0x9E3779B97F4A7C15) ^ stream) + item)
    return rng


cdef inline void shuffle(Rng& rng, vid_t* x, vid_t n) noexcept nogil:
    cdef vid_t i, j, t
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        t = x[i]
        x[i] = x[j]
        x[j] = t
