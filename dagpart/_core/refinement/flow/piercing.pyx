"""Balance by piercing.

While neither the minimum cut nearest the source nor the one nearest the sink is balanced, the lighter side takes all it
reaches and vertices beyond, and the same flow is continued. Hamann, Strasser, JEA 23, 2018 (FlowCutter), in the form of
Gottesbueren et al., SEA 2020, section 4.
"""

from libc.stdint cimport int32_t

from dagpart._core.base.random cimport Rng, below
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.refinement.flow.max_flow cimport augment
from dagpart._core.refinement.flow.network cimport Network, Terminal

cdef enum:
    PIERCINGS = 200         # most rounds for one pair

cdef enum:
    # What piercing came to: no vertex is left, no augmenting path was opened, or one may have been.
    NOTHING_LEFT, NOT_OPENED, OPENED


cdef inline int take(Network& net, Terminal& end, int32_t v) except -1 nogil:
    # v is reached.
    net.reached[v] |= end.bit
    end.weight += net.weight[v]
    end.grown.push_back(v)
    return 0


cdef int reach(Network& net, Terminal& end) except -1 nogil:
    # Finds what the seeds of a terminal lead to in the residual network (backward from the sink), beyond what is known
    # to be reached. Nothing else leads further: what joined earlier has no residual arc out of it.
    cdef int32_t v, x, p
    cdef size_t i, at = 0
    cdef wgt_t room
    cdef bint forward = end.bit == 1
    net.queue.clear()
    for i in range(end.seeds.size()):
        v = end.seeds[i]
        if net.side[v] == end.bit:
            net.queue.push_back(v)
            continue
        room = net.from_source[v]
        if not forward:
            room = net.to_sink[v]
        if room > 0 and not net.reached[v] & end.bit:
            take(net, end, v)
            net.queue.push_back(v)
    while at < net.queue.size():
        v = net.queue[at]
        at += 1
        for p in range(net.first[v], net.first[v + 1]):
            x = net.head[p]
            if net.reached[x] & end.bit:
                continue
            room = net.residual[p]
            if not forward:
                room = net.residual[net.mate[p]]
            if room > 0:
                take(net, end, x)
                net.queue.push_back(x)
    return 0


cdef int reach_anew(Network& net, Terminal& end) except -1 nogil:
    # After a change of the flow.
    cdef size_t i
    for i in range(end.joined, end.grown.size()):
        net.reached[end.grown[i]] &= ~end.bit
    end.grown.resize(end.joined)
    end.weight = end.base
    return reach(net, end)


cdef inline int absorb(Network& net, Terminal& end) except -1 nogil:
    # All that is reached joins the terminal.
    cdef int32_t v, x, p
    while end.joined < end.grown.size():
        v = end.grown[end.joined]
        end.joined += 1
        net.side[v] = end.bit
        for p in range(net.first[v], net.first[v + 1]):
            x = net.head[p]
            if x < <int32_t>net.node.size() and net.side[x] == 0 and not net.reached[x] & (end.bit << 2):
                net.reached[x] |= end.bit << 2
                end.frontier.push_back(x)
    end.base = end.weight
    return 0


cdef int pierce(Network& net, Terminal& end, const vid_t* label, vid_t own, wgt_t need, wgt_t mean,
                Rng& rng) except -1 nogil:
    # Joins what the lighter terminal reaches to it, and some vertices beyond: such that open no augmenting path if
    # there are any, those of the terminal's own part first. Returns NOTHING_LEFT, NOT_OPENED
    # or OPENED.
    cdef char other = 3 - end.bit
    cdef int32_t x
    cdef int rank, best = -1
    cdef size_t i, _i, count, kept = 0
    absorb(net, end)
    if end.frontier.empty():
        for x in range(<int32_t>net.node.size()):
            end.frontier.push_back(x)
    net.path.clear()
    for i in range(end.frontier.size()):
        x = end.frontier[i]
        if net.side[x] != 0:
            continue
        end.frontier[kept] = x
        kept += 1
        rank = 2 * (not net.reached[x] & other) + (label[net.node[x]] == own)
        if rank > best:
            best = rank
            net.path.clear()
        if rank == best:
            net.path.push_back(x)
    end.frontier.resize(kept)
    if best < 0:
        return NOTHING_LEFT
    # Many at once while far from balance; fewer where each may raise the cost.
    if best >= 2:
        count = min(<size_t>(need // 4 // mean), net.path.size())
    else:
        count = min(<size_t>(need // 16 // mean), net.path.size() // 4)
    count = max(<size_t>1, count)
    end.seeds.clear()
    for _i in range(count):
        x = net.path[below(rng, <vid_t>net.path.size())]
        if net.side[x] == 0:
            take(net, end, x)
            net.side[x] = end.bit
            end.seeds.push_back(x)
    absorb(net, end)
    net.path.clear()
    return OPENED if best < 2 else NOT_OPENED


cdef int begin(Network& net, const Sides& sides) except -1 nogil:
    # Nothing has joined yet; flow can start and end at what the fixed vertices give on to.
    cdef int32_t i
    net.side.assign(net.size, 0)
    net.reached.assign(net.size, 0)
    empty(net.source, 1, sides.low_fixed)
    empty(net.sink, 2, sides.high_fixed)
    for i in range(net.size):
        if net.from_source[i] > 0:
            net.source.seeds.push_back(i)
        if net.to_sink[i] > 0:
            net.sink.seeds.push_back(i)
    return 0


cdef inline int empty(Terminal& end, char bit, wgt_t fixed) except -1 nogil:
    end.bit = bit
    end.seeds.clear()
    end.grown.clear()
    end.frontier.clear()
    end.joined = 0
    end.base = fixed
    end.weight = fixed
    return 0


cdef inline wgt_t spread(wgt_t part, wgt_t total) noexcept nogil:
    # Difference in weight between a part and the rest.
    if part > total - part:
        return part - (total - part)
    return total - part - part


cdef Nearest balanced_side(const Network& net, const Sides& sides) noexcept nogil:
    # Of the cuts nearest the source and nearest the sink the one that keeps both caps, the better balanced if both do.
    cdef wgt_t low = net.source.weight, high = net.sink.weight
    cdef bint by_source = low <= sides.low_cap and sides.total - low <= sides.high_cap
    cdef bint by_sink = high <= sides.high_cap and sides.total - high <= sides.low_cap
    if by_source and (not by_sink or spread(low, sides.total) <= spread(high, sides.total)):
        return NEAREST_SOURCE
    if by_sink:
        return NEAREST_SINK
    return NO_CUT


cdef int balanced_cut(Network& net, const vid_t* label, const Sides& sides, Rng& rng, Cut& cut) except -1 nogil:
    # The first balanced cut that piercing comes to, if it costs no more than the present one.
    cdef int _round
    cdef int opened = OPENED
    cdef bint lighter_low = True
    cut.nearest = NO_CUT
    cut.cost = 0
    begin(net, sides)
    for _round in range(PIERCINGS):
        if opened == OPENED:
            cut.cost += augment(net, sides.cost - cut.cost)
            if cut.cost > sides.cost:
                break
            reach_anew(net, net.source)
            reach_anew(net, net.sink)
        elif lighter_low:
            reach(net, net.source)
        else:
            reach(net, net.sink)
        cut.nearest = balanced_side(net, sides)
        if cut.nearest != NO_CUT:
            break
        lighter_low = <double>net.source.weight * sides.high_cap <= <double>net.sink.weight * sides.low_cap
        if lighter_low:
            opened = pierce(net, net.source, label, sides.low,
                            max(<wgt_t>0, sides.total - sides.high_cap - net.source.weight), sides.mean, rng)
        else:
            opened = pierce(net, net.sink, label, sides.high,
                            max(<wgt_t>0, sides.total - sides.low_cap - net.sink.weight), sides.mean, rng)
        if opened == NOTHING_LEFT:
            break
    return 0
