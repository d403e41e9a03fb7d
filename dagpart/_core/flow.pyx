"""Exact refinement of pairs of parts by minimum cuts that keep the quotient acyclic.

Between parts a < b of a monotone labelling, a corridor of vertices around the cut is free and all else is fixed. Every
edge u -> v of the corridor becomes an arc of its weight and a reverse arc of infinite capacity: a finite cut with a on
the source's side then is a monotone labelling, and its capacity is the edge cut between the two parts. Where nets are
to be paid for, edges only order, and two nodes for each net let it cost once (Lawler, Networks 3, 1973). Balance comes
by piercing: while neither the cut nearest the source nor the one nearest the sink is balanced, the lighter side takes
all it reaches and vertices beyond, and the same flow is continued.

Maximum flow: Dinic, Soviet Math. Dokl. 11, 1970. Piercing: Hamann, Strasser, JEA 23, 2018 (FlowCutter), in the form of
Gottesbueren et al., SEA 2020, section 4. Corridors: Sanders, Schulz, ESA 2011, section 4.
"""

from libc.stdint cimport int32_t, int64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from dagpart._core.csr cimport Graph, Score
from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.nets cimport enter, leave, net_count, occupy, pins_in
from dagpart._core.base.random cimport Rng, below, shuffle
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t

cdef enum:
    HUB = 20000             # vertices of higher degree stay where they are
    PIERCINGS = 200         # most rounds of piercing for one pair
    LARGE_NET = 32          # pins; larger nets list no boundary of their own

cdef wgt_t INFINITE = (<wgt_t>1 << 62) - 1      # edge weights sum to less, so that residuals cannot overflow


cdef inline bint can_move(const Graph& g, const vid_t* label, vid_t v, vid_t a, vid_t b) noexcept nogil:
    # Whether no neighbour in a part between a and b holds v back.
    cdef eid_t e
    cdef vid_t l
    if not g.anchor.empty() and g.anchor[v]:
        return False
    if label[v] == a:
        if g.xadj[v + 1] - g.xadj[v] > HUB:
            return False
        for e in range(g.xadj[v], g.xadj[v + 1]):
            l = label[g.adj[e]]
            if a < l < b:
                return False
    else:
        if g.pxadj[v + 1] - g.pxadj[v] > HUB:
            return False
        for e in range(g.pxadj[v], g.pxadj[v + 1]):
            l = label[g.padj[e]]
            if a < l < b:
                return False
    return True


cdef int grow_side(const Graph& g, const vid_t* label, vid_t own, vid_t a, vid_t b, wgt_t most, vid_t per_seed,
                   vid_t most_nodes, Corridor& net) except -1 nogil:
    # Breadth-first from net.boundary inside part `own`, as far as weight and number of vertices allow.
    cdef size_t start = net.node.size(), i = start
    cdef size_t limit
    cdef wgt_t weight = 0
    cdef vid_t v, x, seeds = 0
    cdef eid_t e
    cdef size_t s
    cdef int side
    cdef const eid_t* row[2]        # of the successors, of the predecessors
    cdef const vid_t* entry[2]
    row[0] = g.xadj.data()
    row[1] = g.pxadj.data()
    entry[0] = g.adj.data()
    entry[1] = g.padj.data()
    for s in range(net.boundary.size()):
        v = net.boundary[s]
        if label[v] == own and net.local[v] < 0 and weight + g.vwgt[v] <= most and can_move(g, label, v, a, b):
            net.local[v] = <int32_t>net.node.size()
            net.node.push_back(v)
            weight += g.vwgt[v]
            seeds += 1
            if seeds >= most_nodes:
                break
    limit = start + min(<size_t>most_nodes, <size_t>per_seed * seeds + 100)
    while i < net.node.size() and net.node.size() < limit:
        v = net.node[i]
        i += 1
        for side in range(2):
            for e in range(row[side][v], row[side][v + 1]):
                x = entry[side][e]
                if label[x] == own and net.local[x] == -1:
                    net.local[x] = -2
                    if weight + g.vwgt[x] <= most and can_move(g, label, x, a, b):
                        net.local[x] = <int32_t>net.node.size()
                        net.node.push_back(x)
                        weight += g.vwgt[x]
                    else:
                        net.aside.push_back(x)
    for s in range(net.aside.size()):
        net.local[net.aside[s]] = -1
    net.aside.clear()
    return 0


cdef int prune(const Graph& g, const vid_t* label, vid_t a, vid_t b, Corridor& net) except -1 nogil:
    # Leaves out what a fixed neighbour holds in its part: a vertex of a before a fixed one of a, a vertex of b behind
    # a fixed one of b. Ids are topological, so one sweep in each direction settles it; the nodes end up sorted by id.
    cdef size_t i, kept = 0
    cdef vid_t v
    cdef eid_t e
    sort(net.node.begin(), net.node.end())
    i = net.node.size()
    while i > 0:
        i -= 1
        v = net.node[i]
        if label[v] == a:
            for e in range(g.xadj[v], g.xadj[v + 1]):
                if label[g.adj[e]] == a and net.local[g.adj[e]] < 0:
                    net.local[v] = -1
                    break
    for i in range(net.node.size()):
        v = net.node[i]
        if label[v] == b:
            for e in range(g.pxadj[v], g.pxadj[v + 1]):
                if label[g.padj[e]] == b and net.local[g.padj[e]] < 0:
                    net.local[v] = -1
                    break
    for i in range(net.node.size()):
        v = net.node[i]
        if net.local[v] >= 0:
            net.local[v] = <int32_t>kept
            net.node[kept] = v
            kept += 1
    net.node.resize(kept)
    return 0


cdef inline int join(Corridor& net, int32_t tail, int32_t head, wgt_t capacity, wgt_t backward) except -1 nogil:
    cdef Arc arc
    arc.tail = tail
    arc.head = head
    arc.capacity = capacity
    arc.backward = backward
    net.arcs.push_back(arc)
    return 0


cdef wgt_t join_edges(const Graph& g, const vid_t* label, vid_t a, vid_t b, Corridor& net) except -1 nogil:
    # The order of the two parts and, where no nets do that, the cut: arcs and terminal capacities. Returns the present
    # cut as far as the corridor can change it.
    cdef int32_t i, j
    cdef vid_t v, x
    cdef eid_t e
    cdef wgt_t cut = 0
    cdef bint priced = g.nets.cost.empty()
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


cdef inline int32_t add_node(Corridor& net) except -1 nogil:
    net.from_source.push_back(0)
    net.to_sink.push_back(0)
    net.size += 1
    return net.size - 1


cdef int meet_nets(const Graph& g, Corridor& net) except -1 nogil:
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


cdef wgt_t join_nets(const Graph& g, const vid_t* label, vid_t a, vid_t b, Corridor& net) except -1 nogil:
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


cdef wgt_t build(const Graph& g, const vid_t* label, vid_t a, vid_t b, Corridor& net) except -1 nogil:
    # Nodes, arcs and terminal capacities; returns the present cost as far as the corridor can change it.
    cdef int32_t i, p, q
    cdef size_t t
    cdef Arc* arc
    cdef wgt_t cost
    net.size = <int32_t>net.node.size()
    net.arcs.clear()
    net.from_source.assign(net.size, 0)
    net.to_sink.assign(net.size, 0)
    cost = join_edges(g, label, a, b, net)
    if not g.nets.cost.empty():
        cost = join_nets(g, label, a, b, net)
    net.weight.assign(net.size, 0)
    for i in range(<int32_t>net.node.size()):
        net.weight[i] = g.vwgt[net.node[i]]
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
    return cost


cdef bint layer(Corridor& net) except -1 nogil:
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


cdef wgt_t block(Corridor& net, wgt_t most) except -1 nogil:
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


cdef inline int take(Corridor& net, Terminal& end, int32_t v) except -1 nogil:
    # v is reached.
    net.reached[v] |= end.bit
    end.weight += net.weight[v]
    end.grown.push_back(v)
    return 0


cdef int reach(Corridor& net, Terminal& end) except -1 nogil:
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


cdef int reach_anew(Corridor& net, Terminal& end) except -1 nogil:
    # After a change of the flow.
    cdef size_t i
    for i in range(end.joined, end.grown.size()):
        net.reached[end.grown[i]] &= ~end.bit
    end.grown.resize(end.joined)
    end.weight = end.base
    return reach(net, end)


cdef inline int absorb(Corridor& net, Terminal& end) except -1 nogil:
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


cdef int pierce(Corridor& net, Terminal& end, const vid_t* label, vid_t own, wgt_t need, wgt_t mean,
                Rng& rng) except -1 nogil:
    # Joins what the lighter terminal reaches to it, and some vertices beyond: such that open no augmenting path if
    # there are any, those of the terminal's own part first. Returns 0 when there is nothing left to pierce, 1 when no
    # path was opened, 2 otherwise.
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
        return 0
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
    return 1 + (best < 2)


cdef inline int begin(Terminal& end, char bit, wgt_t outside) except -1 nogil:
    end.bit = bit
    end.grown.clear()
    end.frontier.clear()
    end.joined = 0
    end.base = outside
    end.weight = outside
    return 0


cdef inline wgt_t spread(wgt_t part, wgt_t total) noexcept nogil:
    # Difference in weight between a part and the rest.
    if part > total - part:
        return part - (total - part)
    return total - part - part


cdef inline bint below_cut(char reached, int found) noexcept nogil:
    # Whether a node ends in the lower part: by the cut nearest the source (1) or nearest the sink (2).
    return reached & 1 if found == 1 else not reached & 2


cdef inline int move(const Graph& g, vid_t* label, vid_t v, vid_t to, Corridor& net) except -1 nogil:
    cdef eid_t q
    if not g.nets.cost.empty():
        for q in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
            leave(net.occupancy, g.nets.net[q], label[v])
            enter(net.occupancy, g.nets.net[q], to)
    label[v] = to
    return 0


cdef int refine_pair(const Graph& g, vid_t* label, vid_t a, vid_t b, const vector[wgt_t]& cap, vector[wgt_t]& load,
                     vector[vid_t]& count, const FlowOptions& opt, Corridor& net, Score& score,
                     Rng& rng) except -1 nogil:
    # Returns 1 if labels changed. net.boundary holds the ends of the pair's cut edges.
    cdef wgt_t total = load[a] + load[b]
    cdef wgt_t cost, flow = 0, low, high, inside_a = 0, inside_b = 0, mean, over_was, over_now
    cdef wgt_t load_a, load_b
    cdef int32_t n, i
    cdef int _t, opened, changed = 0, found = 0     # 1: the cut nearest the source, 2: nearest the sink
    cdef vid_t v, moved
    cdef bint s_ok, t_ok, forward = True
    net.node.clear()
    shuffle(rng, net.boundary.data(), <vid_t>net.boundary.size())
    grow_side(g, label, a, a, b, max(<wgt_t>0, cap[b] - load[b]) + <wgt_t>(opt.reach * cap[b]), opt.depth,
              opt.max_nodes // 2, net)
    grow_side(g, label, b, a, b, max(<wgt_t>0, cap[a] - load[a]) + <wgt_t>(opt.reach * cap[a]), opt.depth,
              opt.max_nodes // 2, net)
    prune(g, label, a, b, net)
    n = <int32_t>net.node.size()
    if n > 1:
        cost = build(g, label, a, b, net)
        mean = 1
        for i in range(n):
            v = net.node[i]
            mean += g.vwgt[v]
            if label[v] == a:
                inside_a += g.vwgt[v]
            else:
                inside_b += g.vwgt[v]
        mean = mean // n + 1
        net.side.assign(net.size, 0)
        net.reached.assign(net.size, 0)
        net.source.seeds.clear()
        net.sink.seeds.clear()
        for i in range(net.size):
            if net.from_source[i] > 0:
                net.source.seeds.push_back(i)
            if net.to_sink[i] > 0:
                net.sink.seeds.push_back(i)
        over_was = max(<wgt_t>0, load[a] - cap[a]) + max(<wgt_t>0, load[b] - cap[b])
        begin(net.source, 1, load[a] - inside_a)
        begin(net.sink, 2, load[b] - inside_b)
        opened = 2
        for _t in range(PIERCINGS):
            if opened == 2:
                while flow <= cost and layer(net):
                    flow += block(net, cost - flow)
                if flow > cost:
                    break
                reach_anew(net, net.source)
                reach_anew(net, net.sink)
            elif forward:
                reach(net, net.source)
            else:
                reach(net, net.sink)
            low = net.source.weight
            high = net.sink.weight
            s_ok = low <= cap[a] and total - low <= cap[b]
            t_ok = high <= cap[b] and total - high <= cap[a]
            if s_ok or t_ok:
                # The better balanced of the two.
                found = 2
                if s_ok and (not t_ok or spread(low, total) <= spread(high, total)):
                    found = 1
                break
            forward = <double>low * cap[b] <= <double>high * cap[a]
            if forward:
                opened = pierce(net, net.source, label, a, max(<wgt_t>0, total - cap[b] - low), mean, rng)
            else:
                opened = pierce(net, net.sink, label, b, max(<wgt_t>0, total - cap[a] - high), mean, rng)
            if not opened:
                break
        if found:
            moved = 0
            load_a = 0
            for i in range(n):
                v = net.node[i]
                forward = below_cut(net.reached[i], found)
                if forward != (label[v] == a):
                    moved += 2 * forward - 1
                if forward:
                    load_a += g.vwgt[v]
            load_a += load[a] - inside_a
            load_b = total - load_a
            over_now = max(<wgt_t>0, load_a - cap[a]) + max(<wgt_t>0, load_b - cap[b])
            if count[a] + moved > 0 and count[b] - moved > 0 and (over_now < over_was or over_now == over_was):
                if flow < cost or over_now < over_was or max(load_a, load_b) < max(load[a], load[b]):
                    for i in range(n):
                        v = net.node[i]
                        forward = below_cut(net.reached[i], found)
                        if forward != (label[v] == a):
                            move(g, label, v, a if forward else b, net)
                    load[a] = load_a
                    load[b] = load_b
                    count[a] += moved
                    count[b] -= moved
                    score.cost += flow - cost
                    score.over += over_now - over_was
                    changed = flow < cost or over_now < over_was
    for i in range(n):
        net.local[net.node[i]] = -1
    return changed


cdef int list_net(const Graph& g, const vid_t* label, vid_t t, vid_t k, const vector[char]& active,
                  vector[pair[vid_t, vid_t]]& by_part, vector[pair[int64_t, vid_t]]& ends) except -1 nogil:
    # Consumers of one producer tie parts together that may have no edge between them: the pins of a small net are ends
    # for each two parts that follow each other among those it touches.
    cdef pair[int64_t, vid_t] item
    cdef pair[vid_t, vid_t] pin
    cdef eid_t q
    cdef size_t i, j, start = 0, was = 0
    if g.nets.first[t + 1] - g.nets.first[t] > LARGE_NET:
        return 0
    by_part.clear()
    for q in range(g.nets.first[t], g.nets.first[t + 1]):
        pin.first = label[g.nets.pin[q]]
        pin.second = g.nets.pin[q]
        by_part.push_back(pin)
    sort(by_part.begin(), by_part.end())
    for i in range(1, by_part.size() + 1):
        if i < by_part.size() and by_part[i].first == by_part[i - 1].first:
            continue
        # by_part[start:i] is one part's share, by_part[was:start] that of the part before.
        if start > 0 and (active[by_part[start].first] or active[by_part[was].first]):
            item.first = <int64_t>by_part[was].first * k + by_part[start].first
            for j in range(was, i):
                item.second = by_part[j].second
                ends.push_back(item)
        was = start
        start = i
    return 0


cdef int refine_pairs(const Graph& g, vector[vid_t]& label, vid_t k, const vector[wgt_t]& cap, const FlowOptions& opt,
                      Corridor& net, Score& score, Rng& rng) except -1 nogil:
    # Rounds over the pairs of parts with edges between them, pairs with a part that changed in the last round. `score`
    # is that of the labels and is kept so.
    cdef vector[pair[int64_t, vid_t]] ends       # pair of parts, end of a cut edge between them
    cdef vector[pair[int64_t, vid_t]] pairs      # pair of parts, where its ends start
    cdef vector[char] active, next_active
    cdef vector[wgt_t] load
    cdef vector[vid_t] count, order
    cdef pair[int64_t, vid_t] item
    cdef vector[pair[vid_t, vid_t]] by_part
    cdef vid_t v, x, a, b, i, j, t
    cdef eid_t e
    cdef int _r, any_change
    if <vid_t>net.local.size() < g.n:
        net.local.resize(g.n, -1)
    load.assign(k, 0)
    count.assign(k, 0)
    for v in range(g.n):
        load[label[v]] += g.vwgt[v]
        count[label[v]] += 1
    if opt.rounds > 0:
        occupy(g.nets, label, k, net.occupancy)
    active.assign(k, 1)
    for _r in range(opt.rounds):
        ends.clear()
        pairs.clear()
        for v in range(g.n):
            a = label[v]
            for e in range(g.xadj[v], g.xadj[v + 1]):
                x = g.adj[e]
                b = label[x]
                if a != b and (active[a] or active[b]):
                    item.first = <int64_t>a * k + b
                    item.second = v
                    ends.push_back(item)
                    item.second = x
                    ends.push_back(item)
        for t in range(net_count(g.nets)):
            list_net(g, label.data(), t, k, active, by_part, ends)
        sort(ends.begin(), ends.end())
        for i in range(<vid_t>ends.size()):
            if i == 0 or ends[i].first != ends[i - 1].first:
                item.first = ends[i].first
                item.second = i
                pairs.push_back(item)
        order.resize(pairs.size())
        for i in range(<vid_t>order.size()):
            order[i] = i
        shuffle(rng, order.data(), <vid_t>order.size())
        next_active.assign(k, 0)
        any_change = 0
        for i in range(<vid_t>order.size()):
            check_interrupt()
            item = pairs[order[i]]
            a = <vid_t>(item.first // k)
            b = <vid_t>(item.first % k)
            net.boundary.clear()
            j = item.second
            while j < <vid_t>ends.size() and ends[j].first == item.first:
                v = ends[j].second
                if (label[v] == a or label[v] == b) and (net.boundary.empty() or net.boundary.back() != v):
                    net.boundary.push_back(v)
                j += 1
            if net.boundary.size() < 2:
                continue
            if refine_pair(g, label.data(), a, b, cap, load, count, opt, net, score, rng):
                next_active[a] = 1
                next_active[b] = 1
                any_change = 1
        if not any_change:
            break
        active.swap(next_active)
    return 0
