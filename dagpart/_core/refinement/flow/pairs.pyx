"""Exact refinement of pairs of parts by minimum cuts that keep the quotient acyclic.

For each two parts with edges between them: a corridor around their cut, its network, the first balanced minimum cut
that piercing comes to, and the moves that make it the present one. The order of the pairs is drawn at random; parts
that changed get another round.
"""

from libc.stdint cimport int64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport Rng, shuffle
from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport COMM_VOLUME, Graph
from dagpart._core.graph.nets cimport enter, leave, net_count, occupy
from dagpart._core.labels.labelling cimport Labelling, excess
from dagpart._core.refinement.flow.corridor cimport close_corridor, open_corridor
from dagpart._core.refinement.flow.network cimport Network, build
from dagpart._core.refinement.flow.piercing cimport NO_CUT, Cut, Sides, balanced_cut, is_below
from dagpart._core.refinement.refiner cimport Scratch

cdef enum:
    LARGE_NET = 32          # pins; larger nets list no boundary of their own


cdef inline int move(const Graph& g, vid_t* label, vid_t v, vid_t to, Network& net) noexcept nogil:
    cdef eid_t q
    if g.objective == COMM_VOLUME:
        for q in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
            leave(net.occupancy, g.nets.net[q], label[v])
            enter(net.occupancy, g.nets.net[q], to)
    label[v] = to
    return 0


cdef int describe(const Graph& g, vid_t a, vid_t b, const Labelling& parts, Network& net,
                  Sides& sides) except -1 nogil:
    # Builds the network of the corridor.
    cdef wgt_t low_free = 0, high_free = 0
    cdef size_t i
    cdef vid_t v
    sides.low = a
    sides.high = b
    sides.cost = build(g, parts.label.data(), a, b, net)
    for i in range(net.node.size()):
        v = net.node[i]
        if parts.label[v] == a:
            low_free += g.vwgt[v]
        else:
            high_free += g.vwgt[v]
    sides.low_cap = parts.cap[a]
    sides.high_cap = parts.cap[b]
    sides.low_fixed = parts.load[a] - low_free
    sides.high_fixed = parts.load[b] - high_free
    sides.total = parts.load[a] + parts.load[b]
    sides.mean = (1 + low_free + high_free) // <wgt_t>net.node.size() + 1
    return 0


cdef bint adopt(const Graph& g, const Sides& sides, const Cut& cut, Network& net, Labelling& parts) except -1 nogil:
    # Moves the vertices to where the cut has them, if that is better; whether cost or overload fell. A cut of the same
    # cost is taken, too, where it balances the two.
    cdef vid_t a = sides.low, b = sides.high, v, come = 0
    cdef wgt_t load_a = sides.low_fixed, load_b, over_was, over_now
    cdef bint below, better
    cdef size_t i
    for i in range(net.node.size()):
        v = net.node[i]
        below = is_below(net, i, cut.nearest)
        if below != (parts.label[v] == a):
            come += 2 * below - 1
        if below:
            load_a += g.vwgt[v]
    load_b = sides.total - load_a
    over_was = excess(parts.load[a], sides.low_cap) + excess(parts.load[b], sides.high_cap)
    over_now = excess(load_a, sides.low_cap) + excess(load_b, sides.high_cap)
    if parts.count[a] + come <= 0 or parts.count[b] - come <= 0 or over_now > over_was:
        return False
    better = cut.cost < sides.cost or over_now < over_was
    if not better and max(load_a, load_b) >= max(parts.load[a], parts.load[b]):
        return False
    for i in range(net.node.size()):
        v = net.node[i]
        below = is_below(net, i, cut.nearest)
        if below != (parts.label[v] == a):
            move(g, parts.label.data(), v, a if below else b, net)
    parts.load[a] = load_a
    parts.load[b] = load_b
    parts.count[a] += come
    parts.count[b] -= come
    parts.score.cost += cut.cost - sides.cost
    parts.score.over += over_now - over_was
    return better


cdef bint refine_pair(const Graph& g, vid_t a, vid_t b, const Options& opt, Network& net, Rng& rng,
                      Labelling& parts) except -1 nogil:
    # Whether cost or overload fell. net.boundary holds the ends of the pair's cut edges.
    cdef Sides sides
    cdef Cut cut
    cdef bint better = False
    open_corridor(g, a, b, opt, parts, rng, net)
    if net.node.size() > 1:
        describe(g, a, b, parts, net, sides)
        balanced_cut(net, parts.label.data(), sides, rng, cut)
        if cut.nearest != NO_CUT:
            better = adopt(g, sides, cut, net, parts)
    close_corridor(net)
    return better


cdef cppclass PairList:
    # The pairs of neighbouring parts and the vertices beside their cuts.
    vector[pair[int64_t, vid_t]] ends       # pair of parts a * k + b, end of a cut edge between them
    vector[pair[int64_t, vid_t]] pairs      # pair of parts, where its ends start
    vector[pair[vid_t, vid_t]] by_part


cdef int list_net(const Graph& g, const vid_t* label, vid_t t, vid_t k, const vector[char]& active,
                  PairList& found) except -1 nogil:
    # Consumers of one producer tie parts together that may have no edge between them: the pins of a small net are ends
    # for each two parts that follow each other among those it touches.
    cdef pair[int64_t, vid_t] item
    cdef pair[vid_t, vid_t] pin
    cdef eid_t q
    cdef size_t i, j, start = 0, was = 0
    if g.nets.first[t + 1] - g.nets.first[t] > LARGE_NET:
        return 0
    found.by_part.clear()
    for q in range(g.nets.first[t], g.nets.first[t + 1]):
        pin.first = label[g.nets.pin[q]]
        pin.second = g.nets.pin[q]
        found.by_part.push_back(pin)
    sort(found.by_part.begin(), found.by_part.end())
    for i in range(1, found.by_part.size() + 1):
        if i < found.by_part.size() and found.by_part[i].first == found.by_part[i - 1].first:
            continue
        # by_part[start:i] is one part's share, by_part[was:start] that of the part before.
        if start > 0 and (active[found.by_part[start].first] or active[found.by_part[was].first]):
            item.first = <int64_t>found.by_part[was].first * k + found.by_part[start].first
            for j in range(was, i):
                item.second = found.by_part[j].second
                found.ends.push_back(item)
        was = start
        start = i
    return 0


cdef int list_pairs(const Graph& g, const Labelling& parts, const vector[char]& active,
                    PairList& found) except -1 nogil:
    # Those with a part that is active.
    cdef const vid_t* label = parts.label.data()
    cdef pair[int64_t, vid_t] item
    cdef vid_t v, x, a, b, i, t
    cdef eid_t e
    found.ends.clear()
    found.pairs.clear()
    for v in range(g.n):
        a = label[v]
        for e in range(g.xadj[v], g.xadj[v + 1]):
            x = g.adj[e]
            b = label[x]
            if a != b and (active[a] or active[b]):
                item.first = <int64_t>a * parts.k + b
                item.second = v
                found.ends.push_back(item)
                item.second = x
                found.ends.push_back(item)
    for t in range(net_count(g.nets)):
        list_net(g, label, t, parts.k, active, found)
    sort(found.ends.begin(), found.ends.end())
    for i in range(<vid_t>found.ends.size()):
        if i == 0 or found.ends[i].first != found.ends[i - 1].first:
            item.first = found.ends[i].first
            item.second = i
            found.pairs.push_back(item)
    return 0


cdef int gather_boundary(const PairList& found, vid_t which, vid_t a, vid_t b, const Labelling& parts,
                         Network& net) except -1 nogil:
    # The ends of the pair that are still in one of its parts.
    cdef size_t j = found.pairs[which].second
    cdef vid_t v
    net.boundary.clear()
    while j < found.ends.size() and found.ends[j].first == found.pairs[which].first:
        v = found.ends[j].second
        if (parts.label[v] == a or parts.label[v] == b) and (net.boundary.empty() or net.boundary.back() != v):
            net.boundary.push_back(v)
        j += 1
    return 0


cdef int refine_pairs(const Graph& g, const Options& opt, Scratch& scratch, Rng& rng,
                      Labelling& parts) except -1 nogil:
    # Rounds over the pairs of parts, then over those with a part that changed in the last round. Leaves out levels of
    # more than opt.flow_vertices vertices.
    cdef Network* net = &scratch.flow
    cdef PairList found
    cdef vector[char] active, next_active
    cdef vector[vid_t] order
    cdef vid_t a, b, i
    cdef int _round
    cdef bint any_change
    if parts.k < 2 or g.n > opt.flow_vertices:
        return 0
    if <vid_t>net.local.size() < g.n:
        net.local.resize(g.n, -1)
    if g.objective == COMM_VOLUME:
        occupy(g.nets, parts.label.data(), parts.k, net.occupancy)
    active.assign(parts.k, 1)
    for _round in range(opt.flow_rounds):
        list_pairs(g, parts, active, found)
        order.resize(found.pairs.size())
        for i in range(<vid_t>order.size()):
            order[i] = i
        shuffle(rng, order.data(), <vid_t>order.size())
        next_active.assign(parts.k, 0)
        any_change = False
        for i in range(<vid_t>order.size()):
            check_interrupt()
            a = <vid_t>(found.pairs[order[i]].first // parts.k)
            b = <vid_t>(found.pairs[order[i]].first % parts.k)
            gather_boundary(found, order[i], a, b, parts, net[0])
            if net.boundary.size() < 2:
                continue
            if refine_pair(g, a, b, opt, net[0], rng, parts):
                next_active[a] = 1
                next_active[b] = 1
                any_change = True
        if not any_change:
            break
        active.swap(next_active)
    return 0


FLOW.name = b"flow"
FLOW.refine = refine_pairs
