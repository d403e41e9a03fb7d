"""Nets: what a producer sends to its consumers, counted once for each part.

The communication volume of a partition is the connectivity metric of a hypergraph with one net for each producer and
its consumers (Catalyurek, Aykanat, IEEE TPDS 10(7), 1999, section 3). Where the edges of one producer differ in weight,
the size sent to a part is the largest of them: the net is split into nested ones, by falling weight, whose costs add up
to that.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.algorithm cimport sort, unique
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from dagpart._core.base.random cimport mix
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t

cdef enum:
    STEPS = 8               # where one producer has more weights than that, they are rounded up to at most 2 STEPS

cdef double MOST = 2.0**61     # what all nets together may cost; half of what fits, to be safe from rounding


cdef int fill_incidence(Nets& nets, vid_t n) except -1 nogil:
    # The nets of each vertex, ascending.
    cdef vid_t e, v
    cdef eid_t i, q
    nets.xnet.assign(n + 1, 0)
    nets.net.resize(nets.pin.size())
    for i in range(<eid_t>nets.pin.size()):
        nets.xnet[nets.pin[i] + 1] += 1
    for v in range(n):
        nets.xnet[v + 1] += nets.xnet[v]
    for e in range(net_count(nets)):
        for i in range(nets.first[e], nets.first[e + 1]):
            v = nets.pin[i]
            q = nets.xnet[v]
            nets.xnet[v] += 1
            nets.net[q] = e
    for v in range(n, 0, -1):
        nets.xnet[v] = nets.xnet[v - 1]
    nets.xnet[0] = 0
    return 0


cdef int merge_identical(Nets& nets) except -1 nogil:
    # Nets with the same pins become one that costs their sum. Comes before fill_incidence.
    cdef vid_t count = net_count(nets), e, f, i, kept = 0
    cdef eid_t p, at = 0, size
    cdef uint64_t h
    cdef vector[pair[uint64_t, vid_t]] keys
    cdef vector[vid_t] into
    cdef pair[uint64_t, vid_t] item
    cdef bint same
    keys.resize(count)
    into.resize(count)
    for e in range(count):
        h = <uint64_t>(nets.first[e + 1] - nets.first[e])
        for p in range(nets.first[e], nets.first[e + 1]):
            h = mix(h ^ <uint64_t>nets.pin[p]) + h
        item.first = h
        item.second = e
        keys[e] = item
        into[e] = e
    sort(keys.begin(), keys.end())
    for i in range(1, count):
        if keys[i].first != keys[i - 1].first:
            continue
        e = keys[i].second
        f = into[keys[i - 1].second]
        size = nets.first[e + 1] - nets.first[e]
        same = size == nets.first[f + 1] - nets.first[f]
        if same:
            for p in range(size):
                if nets.pin[nets.first[e] + p] != nets.pin[nets.first[f] + p]:
                    same = False
                    break
        if same:
            into[e] = f
            nets.cost[f] += nets.cost[e]
            nets.rooted[f] |= nets.rooted[e]
    for e in range(count):
        if into[e] != e:
            continue
        size = nets.first[e + 1] - nets.first[e]
        for p in range(size):
            nets.pin[at + p] = nets.pin[nets.first[e] + p]
        nets.cost[kept] = nets.cost[e]
        nets.rooted[kept] = nets.rooted[e]
        nets.first[kept] = at
        at += size
        kept += 1
    nets.first[kept] = at
    nets.first.resize(kept + 1)
    nets.cost.resize(kept)
    nets.rooted.resize(kept)
    nets.pin.resize(at)
    return 0


cdef int thin_out(vector[wgt_t]& weight) except -1 nogil:
    # Keeps of falling weights some that the others are rounded up to, within an eighth of the ranks and by less than
    # the eighth root of the range (by square roots, which are the same on every machine).
    cdef double factor = sqrt(sqrt(sqrt(<double>weight.front() / <double>weight.back())))
    cdef size_t i, rank = 0, kept = 1, apart = (weight.size() + STEPS - 1) // STEPS
    for i in range(1, weight.size()):
        if i - rank >= apart or weight[i] * factor < weight[kept - 1]:
            weight[kept] = weight[i]
            kept += 1
            rank = i
    weight.resize(kept)
    return 0


cdef int scale_down(Nets& nets) noexcept nogil:
    # Rounding up may have carried the sum of all weights beyond what fits.
    cdef vid_t e
    cdef int shift = 0
    cdef double sum = 0
    for e in range(net_count(nets)):
        sum += <double>nets.cost[e] * (nets.first[e + 1] - nets.first[e] - 1)
    while sum > MOST:
        sum /= 2
        shift += 1
    if shift > 0:
        for e in range(net_count(nets)):
            nets.cost[e] = max(<wgt_t>1, nets.cost[e] >> shift)
    return 0


cdef int load_nets(const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] weights,
                   const int32_t[::1] place, vid_t n, Nets& nets) except -1 nogil:
    # Nets of the caller's graph; its vertex v belongs to vertex place[v] of the engine's, which has n of them in a
    # topological numbering.
    cdef vid_t v
    cdef eid_t e
    cdef size_t i, degree, step, at
    cdef wgt_t below
    cdef vector[pair[wgt_t, vid_t]] ends
    cdef vector[wgt_t] weight           # distinct, falling
    cdef pair[wgt_t, vid_t] item
    nets.first.clear()
    nets.pin.clear()
    nets.cost.clear()
    nets.first.push_back(0)
    for v in range(<vid_t>place.shape[0]):
        ends.clear()
        for e in range(indptr[v], indptr[v + 1]):
            if weights[e] > 0 and place[indices[e]] != place[v]:
                item.first = -weights[e]
                item.second = place[indices[e]]
                ends.push_back(item)
        sort(ends.begin(), ends.end())
        degree = ends.size()
        weight.clear()
        for i in range(degree):
            if weight.empty() or -ends[i].first != weight.back():
                weight.push_back(-ends[i].first)
        if weight.size() > STEPS:
            thin_out(weight)
        for step in range(weight.size()):
            # The consumers that get more than the next step's weight.
            below = 0
            if step + 1 < weight.size():
                below = weight[step + 1]
            at = nets.pin.size()
            nets.pin.push_back(place[v])
            for i in range(degree):
                if -ends[i].first <= below:
                    break
                nets.pin.push_back(ends[i].second)
            sort(nets.pin.begin() + at, nets.pin.end())
            # Consumers that were merged count once.
            nets.pin.erase(unique(nets.pin.begin() + at, nets.pin.end()), nets.pin.end())
            nets.first.push_back(<eid_t>nets.pin.size())
            nets.cost.push_back(weight[step] - below)
    nets.rooted.assign(nets.cost.size(), 1)
    scale_down(nets)
    # Vertices that were merged into one may all send to the same others.
    merge_identical(nets)
    return fill_incidence(nets, n)


cdef int contract_nets(const Nets& fine, const vector[vid_t]& cluster, vid_t nc, Nets& coarse) except -1 nogil:
    # Clusters are numbered topologically (or the order does not matter), so a producer's cluster stays the first pin.
    cdef vid_t e, c
    cdef eid_t i
    cdef size_t at
    cdef vector[vid_t] seen
    seen.assign(nc, -1)
    coarse.first.clear()
    coarse.pin.clear()
    coarse.cost.clear()
    coarse.rooted.clear()
    coarse.first.push_back(0)
    coarse.pin.reserve(fine.pin.size())
    for e in range(net_count(fine)):
        at = coarse.pin.size()
        for i in range(fine.first[e], fine.first[e + 1]):
            c = cluster[fine.pin[i]]
            if seen[c] != e:
                seen[c] = e
                coarse.pin.push_back(c)
        if coarse.pin.size() - at < 2:
            coarse.pin.resize(at)
            continue
        sort(coarse.pin.begin() + at, coarse.pin.end())
        coarse.first.push_back(<eid_t>coarse.pin.size())
        coarse.cost.push_back(fine.cost[e])
        coarse.rooted.push_back(fine.rooted[e])
    merge_identical(coarse)
    return fill_incidence(coarse, nc)


cdef int induce_nets(const Nets& nets, const vector[vid_t]& local, vid_t n, Nets& sub) except -1 nogil:
    # The nets inside a subgraph; local[v] is the new id, -1 outside. What a net pays for the pins that are gone is
    # settled already.
    cdef vid_t e, x
    cdef eid_t i
    cdef size_t at
    cdef char root
    sub.first.clear()
    sub.pin.clear()
    sub.cost.clear()
    sub.rooted.clear()
    sub.first.push_back(0)
    for e in range(net_count(nets)):
        at = sub.pin.size()
        for i in range(nets.first[e], nets.first[e + 1]):
            x = local[nets.pin[i]]
            if x >= 0:
                sub.pin.push_back(x)
        if sub.pin.size() - at < 2:
            sub.pin.resize(at)
            continue
        sub.first.push_back(<eid_t>sub.pin.size())
        sub.cost.push_back(nets.cost[e])
        root = nets.rooted[e]
        if local[nets.pin[nets.first[e]]] < 0:
            root = 0
        sub.rooted.push_back(root)
    return fill_incidence(sub, n)


cdef wgt_t volume_of(const Nets& nets, const vector[vid_t]& label, vid_t k) except -1 nogil:
    cdef vector[vid_t] seen
    cdef vid_t e, p
    cdef eid_t i
    cdef wgt_t parts, volume = 0
    seen.assign(k, -1)
    for e in range(net_count(nets)):
        parts = 0
        for i in range(nets.first[e], nets.first[e + 1]):
            p = label[nets.pin[i]]
            if seen[p] != e:
                seen[p] = e
                parts += 1
        volume += nets.cost[e] * (parts - 1)
    return volume


cdef wgt_t occupy(const Nets& nets, const vid_t* label, vid_t k, Occupancy& occupancy) except -1 nogil:
    # Counts anew; returns the volume.
    cdef vid_t count = net_count(nets), e, p
    cdef eid_t i, at
    cdef wgt_t volume = 0
    cdef vector[vid_t] pins
    pins.assign(k, 0)
    occupancy.first.resize(count + 1)
    occupancy.used.assign(count, 0)
    occupancy.first[0] = 0
    for e in range(count):
        occupancy.first[e + 1] = occupancy.first[e] + min(<eid_t>k, nets.first[e + 1] - nets.first[e])
    if <eid_t>occupancy.part.size() < occupancy.first[count]:
        occupancy.part.resize(occupancy.first[count])
        occupancy.count.resize(occupancy.first[count])
    for e in range(count):
        at = occupancy.first[e]
        for i in range(nets.first[e], nets.first[e + 1]):
            p = label[nets.pin[i]]
            if pins[p] == 0:
                occupancy.part[at] = p
                at += 1
            pins[p] += 1
        sort(occupancy.part.begin() + occupancy.first[e], occupancy.part.begin() + at)
        for i in range(occupancy.first[e], at):
            p = occupancy.part[i]
            occupancy.count[i] = pins[p]
            pins[p] = 0
        occupancy.used[e] = <vid_t>(at - occupancy.first[e])
        volume += nets.cost[e] * (occupancy.used[e] - 1)
    return volume
