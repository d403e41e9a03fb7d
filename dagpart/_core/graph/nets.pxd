from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t, wgt_t


cdef cppclass Nets:
    # Communication volume as a hypergraph's connectivity: a net costs `cost` for every part that its pins touch beyond
    # the first. Nets of one pin are left out.
    vector[eid_t] first         # pins of net e, ascending: pin[first[e]:first[e + 1]]
    vector[vid_t] pin
    vector[wgt_t] cost
    vector[char] rooted         # whether the first pin is the producer of the data, which precedes all other pins
    vector[eid_t] xnet          # nets of vertex v: net[xnet[v]:xnet[v + 1]]
    vector[vid_t] net


cdef cppclass Occupancy:
    # How many pins of each net lie in each part: the parts each net touches, ascending. Reused from call to
    # call.
    vector[eid_t] first
    vector[vid_t] used
    vector[vid_t] part, count


cdef int load_nets(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights,
                   const int32_t[::1] place, vid_t n, Nets& nets) except -1 nogil
cdef int contract_nets(const Nets& fine, const vector[vid_t]& cluster, vid_t nc, Nets& coarse) except -1 nogil
cdef int induce_nets(const Nets& nets, const vector[vid_t]& local, vid_t n, Nets& sub) except -1 nogil
cdef wgt_t volume_of(const Nets& nets, const vector[vid_t]& label, vid_t k) except -1 nogil
cdef wgt_t occupy(const Nets& nets, const vid_t* label, vid_t k, Occupancy& occupancy) except -1 nogil


cdef inline vid_t net_count(const Nets& nets) noexcept nogil:
    return <vid_t>nets.cost.size()


cdef inline eid_t place_of(const Occupancy& o, vid_t e, vid_t p) noexcept nogil:
    # Where part p stands in the list of net e, or would.
    cdef eid_t low = o.first[e], high = o.first[e] + o.used[e], middle
    while low < high:
        middle = (low + high) >> 1
        if o.part[middle] < p:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline vid_t pins_in(const Occupancy& o, vid_t e, vid_t p) noexcept nogil:
    cdef eid_t i = place_of(o, e, p)
    if i < o.first[e] + o.used[e] and o.part[i] == p:
        return o.count[i]
    return 0


cdef inline void leave(Occupancy& o, vid_t e, vid_t p) noexcept nogil:
    cdef eid_t i = place_of(o, e, p)
    o.count[i] -= 1
    if o.count[i] == 0:
        o.used[e] -= 1
        while i < o.first[e] + o.used[e]:
            o.part[i] = o.part[i + 1]
            o.count[i] = o.count[i + 1]
            i += 1


cdef inline void enter(Occupancy& o, vid_t e, vid_t p) noexcept nogil:
    cdef eid_t at = place_of(o, e, p), i = o.first[e] + o.used[e]
    if at < i and o.part[at] == p:
        o.count[at] += 1
        return
    while i > at:
        o.part[i] = o.part[i - 1]
        o.count[i] = o.count[i - 1]
        i -= 1
    o.part[at] = p
    o.count[at] = 1
    o.used[e] += 1
