"""Orders cut where it costs least: the best prefix, the best split into k runs, and a quick one."""

from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph, is_anchored
from dagpart._core.graph.objectives cimport rise_of


cdef int best_prefix(const Graph& g, const vector[vid_t]& order, const vector[wgt_t]& cap,
                     vector[vid_t]& label) except -1 nogil:
    # Part 0 becomes the prefix of least cost among those within both caps; where none is, the one least beyond them.
    cdef vid_t i, v, best_at = 0
    cdef wgt_t weight = 0, cost = 0, over, best_over = 0, best_cost = 0
    cdef bint have = False
    cdef vector[vid_t] inside
    inside.assign(g.nets.cost.size(), 0)
    for i in range(g.n - 1):
        v = order[i]
        weight += g.vwgt[v]
        cost += rise_of(g, v, inside)
        over = max(<wgt_t>0, weight - cap[0]) + max(<wgt_t>0, g.total - weight - cap[1])
        if not have or over < best_over or (over == best_over and cost < best_cost):
            have = True
            best_over = over
            best_cost = cost
            best_at = i
        if weight > cap[0]:
            break
    label.assign(g.n, 1)
    for i in range(min(g.n, best_at + 1)):
        label[order[i]] = 0
    return 0


cdef int best_split(const Graph& g, const vector[vid_t]& order, vid_t k, const vector[wgt_t]& cap,
                    vector[vid_t]& label) except -1 nogil:
    # The best cut of an order into k non-empty runs, by least overload, then least cut: a dynamic program over
    # prefixes. Exact for the order, hence for the graph if the order lists some optimum part by part.
    # O(k n^2) time and O(k n) memory: for small graphs. Needs 1 <= k <= n.
    cdef vid_t n = g.n
    cdef vector[vid_t] place, chosen, touched
    # Best for the first i vertices in j runs: overload, and weight kept inside runs (nets: minus what the runs touch).
    cdef vector[wgt_t] over, inside
    cdef vid_t i, j, p, v, t, anchors
    cdef eid_t e
    cdef wgt_t weight, kept, o, c
    cdef size_t at, before
    place.resize(n)
    for i in range(n):
        place[order[i]] = i
    over.assign((<size_t>k + 1) * (n + 1), -1)
    inside.assign((<size_t>k + 1) * (n + 1), 0)
    chosen.assign((<size_t>k + 1) * (n + 1), -1)
    over[0] = 0
    touched.assign(g.nets.cost.size(), -1)
    for i in range(n):
        # Runs order[i], .., order[p]; prefixes of length i are final by now.
        weight = 0
        kept = 0
        anchors = 0
        for p in range(i, n):
            v = order[p]
            weight += g.vwgt[v]
            if is_anchored(g, v):
                anchors += 1
                if anchors > 1:
                    break
            if touched.empty():
                for e in range(g.pxadj[v], g.pxadj[v + 1]):
                    if place[g.padj[e]] >= i:
                        kept += g.pwgt[e]
            else:
                for e in range(g.nets.xnet[v], g.nets.xnet[v + 1]):
                    t = g.nets.net[e]
                    if touched[t] < i:
                        touched[t] = i
                        kept -= g.nets.cost[t]
            for j in range(max(0, k - (n - i)), min(k, i + 1)):
                before = <size_t>j * (n + 1) + i
                if over[before] < 0:
                    continue
                o = over[before] + max(<wgt_t>0, weight - cap[j])
                c = inside[before] + kept
                at = before + (n + 1) + (p - i + 1)
                if over[at] < 0 or o < over[at] or (o == over[at] and c > inside[at]):
                    over[at] = o
                    inside[at] = c
                    chosen[at] = i
    label.assign(n, 0)
    p = n
    for j in range(k, 0, -1):
        i = chosen[<size_t>j * (n + 1) + p]
        if i < 0:
            return 1
        while p > i:
            p -= 1
            label[order[p]] = j - 1
    return 0


cdef int split_order(const Graph& g, vid_t k, wgt_t cap, const vector[vid_t]& order,
                     vector[vid_t]& label) except -1 nogil:
    # Cuts an order into k runs of about equal weight, each boundary where it costs least within what balance allows.
    cdef double share = <double>g.total / k
    cdef double half = max(0.0, (<double>cap - share) / 2)
    cdef wgt_t weight = 0, cost = 0, best = 0
    cdef vid_t i, v, part = 0, last = -1, start = 0
    cdef vector[vid_t] inside
    label.resize(g.n)
    inside.assign(g.nets.cost.size(), 0)
    for i in range(g.n):
        v = order[i]
        weight += g.vwgt[v]
        cost += rise_of(g, v, inside)
        while part < k - 1 and weight > share * (part + 1) + half:
            # Past this boundary's window: close the run at the best place seen.
            if last < 0:
                last = i - 1
            while start <= last:
                label[order[start]] = part
                start += 1
            part += 1
            last = -1
        if part < k - 1 and weight >= share * (part + 1) - half and (last < 0 or cost <= best):
            last = i
            best = cost
    while start < g.n:
        label[order[start]] = part
        start += 1
    return 0
