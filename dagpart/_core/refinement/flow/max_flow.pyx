"""Maximum flow, continued from whatever flow is there: Dinic, Soviet Math. Dokl. 11, 1970."""

from libc.stdint cimport int32_t

from dagpart._core.base.types cimport wgt_t
from dagpart._core.refinement.flow.network cimport INFINITE, Network


cdef bint layer(Network& net) except -1 nogil:
    # Breadth-first distances to the sink; whether the source has a way there. Going backward and all the way, every
    # vertex with a distance leads to the sink at first, and all seeds can push in one phase, near or far.
    cdef int32_t v, x, p
    cdef size_t i, at = 0
    net.dist.assign(net.size, -1)
    net.queue.clear()
    for i in range(net.sink.seeds.size()):
        v = net.sink.seeds[i]
        if net.side[v] == 2 or net.to_sink[v] > 0:
            net.dist[v] = 0
            net.queue.push_back(v)
    while at < net.queue.size():
        v = net.queue[at]
        at += 1
        for p in range(net.first[v], net.first[v + 1]):
            x = net.head[p]
            if net.dist[x] < 0 and net.side[x] != 2 and net.residual[net.mate[p]] > 0:
                net.dist[x] = net.dist[v] + 1
                net.queue.push_back(x)
    for i in range(net.source.seeds.size()):
        v = net.source.seeds[i]
        if net.dist[v] >= 0 and (net.side[v] == 1 or net.from_source[v] > 0):
            return True
    return False


cdef wgt_t block(Network& net, wgt_t most) except -1 nogil:
    # A blocking flow along the layers, depth first without recursion; stops when it exceeds `most`.
    cdef wgt_t total = 0, f
    cdef int32_t v, x, p, start
    cdef size_t i, j, cutoff
    cdef bint advanced
    for i in range(net.queue.size()):
        net.next_arc[net.queue[i]] = net.first[net.queue[i]]
    for i in range(net.source.seeds.size()):
        start = net.source.seeds[i]
        if net.dist[start] < 0:
            continue
        net.path.clear()
        v = start
        while net.side[start] == 1 or net.from_source[start] > 0:
            if net.side[v] == 2 or net.to_sink[v] > 0:
                f = INFINITE
                if net.side[start] != 1:
                    f = net.from_source[start]
                if net.side[v] != 2 and net.to_sink[v] < f:
                    f = net.to_sink[v]
                for j in range(net.path.size()):
                    if net.residual[net.path[j]] < f:
                        f = net.residual[net.path[j]]
                total += f
                if net.side[start] != 1:
                    net.from_source[start] -= f
                if net.side[v] != 2:
                    net.to_sink[v] -= f
                cutoff = net.path.size()
                for j in range(net.path.size()):
                    p = net.path[j]
                    net.residual[p] -= f
                    net.residual[net.mate[p]] += f
                    if net.residual[p] == 0 and cutoff == net.path.size():
                        cutoff = j
                if total > most:
                    net.path.clear()
                    return total
                if cutoff < net.path.size():
                    v = net.head[net.mate[net.path[cutoff]]]
                    net.path.resize(cutoff)
                elif net.side[v] == 2 or net.to_sink[v] > 0:
                    break               # the source arc is what ran out
                continue
            advanced = False
            while net.next_arc[v] < net.first[v + 1]:
                p = net.next_arc[v]
                x = net.head[p]
                if net.residual[p] > 0 and net.dist[x] >= 0 and net.dist[x] == net.dist[v] - 1:
                    net.path.push_back(p)
                    v = x
                    advanced = True
                    break
                net.next_arc[v] += 1
            if advanced:
                continue
            if net.path.empty():
                break
            p = net.path.back()
            net.path.pop_back()
            v = net.head[net.mate[p]]
            net.next_arc[v] += 1
        net.path.clear()
    return total


cdef wgt_t augment(Network& net, wgt_t most) except -1 nogil:
    # Adds to the flow until there is no more to add or more than `most` was added; returns what was added.
    cdef wgt_t added = 0
    while added <= most and layer(net):
        added += block(net, most - added)
    return added
