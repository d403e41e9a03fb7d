from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from dagpart._core.types cimport eid_t, vid_t, wgt_t


cdef cppclass Nets:
    # Communication volume as a hypergraph's connectivity: a net costs `cost` for every part that its pins touch beyond
    # the first. Nets of one pin are left out; a graph that is judged by its edges has no nets at all.
    vector[eid_t] first         # pins of net e, ascending: pin[first[e]:first[e + 1]]
    vector[vid_t] pin
    vector[wgt_t] cost
    vector[char] rooted         # whether the first pin is the producer of the data, which precedes all other pins
    vector[eid_t] xnet          # nets of vertex v: net[xnet[v]:xnet[v + 1]]
    vector[vid_t] net


cdef cppclass Occupancy:
    # How many pins of each net lie in each part: a short list of parts for each net, reused from call to call.
    vector[eid_t] first
    vector[vid_t] used
    vector[vid_t] part, count


cdef int load_nets(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights,
                   const int32_t[::1] place, vid_t n, Nets& nets) except -1 nogil
cdef int contract_nets(const Nets& fine, const vector[vid_t]& cluster, vid_t nc, Nets& coarse) except -1 nogil
cdef int induce_nets(const Nets& nets, const vector[vid_t]& local, vid_t n, Nets& sub) except -1 nogil
cdef wgt_t volume_of(const Nets& nets, const vector[vid_t]& label, vid_t k) except -1 nogil
cdef wgt_t occupy(const Nets& nets, const vector[vid_t]& label, vid_t k, Occupancy& occupancy) except -1 nogil


cdef inline vid_t net_count(const Nets& nets) noexcept nogil:
    return <vid_t>nets.cost.size()


cdef inline vid_t pins_in(const Occupancy& o, vid_t e, vid_t p) noexcept nogil:
    cdef eid_t i
    for i in range(o.first[e], o.first[e] + o.used[e]):
        if o.part[i] == p:
            return o.count[i]
    return 0


cdef inline void leave(Occupancy& o, vid_t e, vid_t p) noexcept nogil:
    cdef eid_t i = o.first[e]
    cdef eid_t last = o.first[e] + o.used[e] - 1
    while o.part[i] != p:
        i += 1
    o.count[i] -= 1
    if o.count[i] == 0:
        o.part[i] = o.part[last]
        o.count[i] = o.count[last]
        o.used[e] -= 1


cdef inline void enter(Occupancy& o, vid_t e, vid_t p) noexcept nogil:
    cdef eid_t i
    for i in range(o.first[e], o.first[e] + o.used[e]):
        if o.part[i] == p:
            o.count[i] += 1
            return
    i = o.first[e] + o.used[e]
    o.part[i] = p
    o.count[i] = 1
    o.used[e] += 1
