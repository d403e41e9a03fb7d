"""The network of a pair of parts: what orders its vertices, and what a cut through it costs.

Between parts a < b of a monotone labelling, a corridor of vertices around the cut is free and all else is fixed. Every
edge u -> v of the corridor becomes an arc of its weight and a reverse arc of infinite capacity: a finite cut with a on
the source's side then is a monotone labelling, and its capacity is the edge cut between the two parts. Where nets are
to be paid for, edges only order, and two nodes for each net let it cost once (Lawler, Networks 3, 1973).
"""

from libc.stdint cimport int32_t

from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport COMM_VOLUME, Graph
from dagpart._core.graph.nets cimport pins_in

INFINITE = (<wgt_t>1 << 62) - 1


cdef inline int join(Network& net, int32_t tail, int32_t head, wgt_t capacity, wgt_t backward) except -1 nogil:
    cdef Arc arc
    arc.tail = tail
    arc.head = head
    arc.capacity = capacity
    arc.backward = backward
    net.arcs.push_back(arc)
    return 0


cdef wgt_t join_edges(const Graph& g, const vid_t* label, vid_t a, vid_t b, Network& net) except -1 nogil:
    # The order of the two parts and, where no nets do that, the cut: arcs and terminal capacities. Returns the present
    # cut as far as the corridor can change it.
    cdef int32_t i, j
    cdef vid_t v, x
    cdef eid_t e
    cdef wgt_t cut = 0
    cdef bint priced = g.objective != COMM_VOLUME
    for i in range(<int32_t>net.node.size()):
        v = net.node[i]
        for e in range(g.xadj[v], g.xadj[v + 1]):
            x = g.adj[e]
            j = net.local[x]
            if j >= 0:
                join(net, i, j, g.wgt[e] if priced else 0, INFINITE)
                if label[v] != label[x]:
                    cut += g.wgt[e]
            elif label[x] == b:
                net.to_sink[i] += g.wgt[e]
                if label[v] == a:
                    cut += g.wgt[e]
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            x = g.padj[e]
            if label[x] == a and net.local[x] < 0:
                net.from_source[i] += g.pwgt[e]
                if label[v] == b:
                    cut += g.pwgt[e]
    if priced:
        return cut
    net.from_source.assign(net.node.size(), 0)
    net.to_sink.assign(net.node.size(), 0)
    return 0


cdef inline int32_t add_node(Network& net) except -1 nogil:
    net.from_source.push_back(0)
    net.to_sink.push_back(0)
    net.size += 1
    return net.size - 1


cdef int meet_nets(const Graph& g, Network& net) except -1 nogil:
    # The nets of the corridor, each with its nodes here: to walk all pins of a large net for every pair of parts would
    # be quadratic.
    cdef int32_t i
    cdef vid_t e, t
    cdef eid_t q
    net.met.clear()
    net.met_first.assign(1, 0)
    if net.place.size() < g.nets.cost.size():
        net.place.resize(g.nets.cost.size(), -1)
    for i in range(<int32_t>net.node.size()):
        for q in range(g.nets.xnet[net.node[i]], g.nets.xnet[net.node[i] + 1]):
            e = g.nets.net[q]
            if net.place[e] < 0:
                net.place[e] = <vid_t>net.met.size()
                net.met.push_back(e)
                net.met_first.push_back(0)
            net.met_first[net.place[e] + 1] += 1
    for t in range(<vid_t>net.met.size()):
        net.met_first[t + 1] += net.met_first[t]
    net.met_pin.resize(net.met_first.back())
    for i in range(<int32_t>net.node.size() - 1, -1, -1):
        for q in range(g.nets.xnet[net.node[i]], g.nets.xnet[net.node[i] + 1]):
            t = net.place[g.nets.net[q]]
            net.met_first[t + 1] -= 1
            net.met_pin[net.met_first[t + 1]] = i
    for t in range(<vid_t>net.met.size()):
        net.place[net.met[t]] = -1
        net.met_first[t] = net.met_first[t + 1]
    net.met_first[net.met.size()] = <eid_t>net.met_pin.size()
    return 0


cdef wgt_t join_nets(const Graph& g, const vid_t* label, vid_t a, vid_t b, Network& net) except -1 nogil:
    # A net costs once if it has pins in both parts. Two nodes do that: `low`, on the source's side as soon as a pin
    # is, and `high`, on the sink's side as soon as a pin is; the arc from low to high pays. A pin that is fixed puts
    # its terminal in the place of such a node, and so do the producer, which precedes the other pins, and a lone pin.
    cdef size_t c
    cdef int32_t i, low, high, lone
    cdef vid_t e, v, in_a, in_b, free, free_a
    cdef eid_t q
    cdef wgt_t cost = 0
    cdef bint fixed_a, fixed_b, led
    meet_nets(g, net)
    for c in range(net.met.size()):
        e = net.met[c]
        in_a = pins_in(net.occupancy, e, a)
        in_b = pins_in(net.occupancy, e, b)
        free = <vid_t>(net.met_first[c + 1] - net.met_first[c])
        free_a = 0
        for q in range(net.met_first[c], net.met_first[c + 1]):
            free_a += label[net.node[net.met_pin[q]]] == a
        fixed_a = free_a < in_a
        fixed_b = free - free_a < in_b
        if (fixed_a and fixed_b) or in_a + in_b < 2:
            continue
        if in_a > 0 and in_b > 0:
            cost += g.nets.cost[e]
        v = g.nets.pin[g.nets.first[e]]
        led = g.nets.rooted[e] and (label[v] == a or label[v] == b)
        low = -1
        high = -1
        lone = -1
        if led:
            if net.local[v] < 0 and not fixed_a:
                continue                # a producer fixed in b keeps all of the net there
            if not fixed_a:
                low = net.local[v]
                free -= 1
        if free == 1:
            for q in range(net.met_first[c], net.met_first[c + 1]):
                if net.met_pin[q] != low:
                    lone = net.met_pin[q]
        if low < 0 and not fixed_a:
            low = lone
            if low < 0:
                low = add_node(net)
        if not fixed_b:
            high = lone
            if high < 0:
                high = add_node(net)
        if fixed_a:
            net.from_source[high] += g.nets.cost[e]
        elif fixed_b:
            net.to_sink[low] += g.nets.cost[e]
        else:
            join(net, low, high, g.nets.cost[e], 0)
        if lone >= 0:
            continue
        for q in range(net.met_first[c], net.met_first[c + 1]):
            i = net.met_pin[q]
            if i == low:
                continue
            if not fixed_a and not led:
                join(net, i, low, INFINITE, 0)
            if not fixed_b:
                join(net, high, i, INFINITE, 0)
    return cost


cdef int index_arcs(Network& net) except -1 nogil:
    # The arcs of each node beside each other, each with its reverse.
    cdef int32_t i, p, q
    cdef size_t t
    cdef Arc* arc
    net.first.assign(net.size + 1, 0)
    for t in range(net.arcs.size()):
        net.first[net.arcs[t].tail + 1] += 1
        net.first[net.arcs[t].head + 1] += 1
    for i in range(net.size):
        net.first[i + 1] += net.first[i]
    net.head.resize(net.first[net.size])
    net.mate.resize(net.first[net.size])
    net.residual.resize(net.first[net.size])
    net.next_arc.assign(net.first.begin(), net.first.end())
    for t in range(net.arcs.size()):
        arc = &net.arcs[t]
        p = net.next_arc[arc.tail]
        net.next_arc[arc.tail] += 1
        q = net.next_arc[arc.head]
        net.next_arc[arc.head] += 1
        net.head[p] = arc.head
        net.head[q] = arc.tail
        net.mate[p] = q
        net.mate[q] = p
        net.residual[p] = arc.capacity
        net.residual[q] = arc.backward
    return 0


cdef wgt_t build(const Graph& g, const vid_t* label, vid_t a, vid_t b, Network& net) except -1 nogil:
    # Nodes, arcs and terminal capacities; returns the present cost as far as the corridor can change it.
    cdef int32_t i
    cdef wgt_t cost
    net.size = <int32_t>net.node.size()
    net.arcs.clear()
    net.from_source.assign(net.size, 0)
    net.to_sink.assign(net.size, 0)
    cost = join_edges(g, label, a, b, net)
    if g.objective == COMM_VOLUME:
        cost = join_nets(g, label, a, b, net)
    net.weight.assign(net.size, 0)
    for i in range(<int32_t>net.node.size()):
        net.weight[i] = g.vwgt[net.node[i]]
    index_arcs(net)
    return cost
