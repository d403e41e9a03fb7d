"""Sarkar's clustering of task graphs: edges by falling delay, whose clusters merge unless that takes longer."""

import numpy as np

from libc.stdint cimport int64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.base.types cimport vid_t
from dagpart._core.scheduling.pace cimport tick
from dagpart._core.scheduling.priorities cimport TaskGraph, Tasks, key_t, later

# Sums of the same times in another order differ by less, relatively.
cdef double ROUNDING = 1e-12


cdef cppclass Zeroing:
    Tasks t
    const double* level             # longest way to the end without delays
    const vid_t* ranked             # the order in which clusters run their tasks, and each task's place in it
    vector[vid_t] rank
    vector[vid_t] cluster
    vector[double] work             # of a cluster
    vector[vid_t] first, before, after   # the tasks of a cluster, by rank
    vector[double] start
    double span                     # when the last task ends
    # One attempt to merge two clusters:
    vid_t a, b
    vector[vid_t] merged
    vector[char] waits
    priority_queue[vid_t] stale     # negated ranks
    vector[vid_t] changed
    vector[double] was
    int64_t spent


cdef int init_zeroing(Zeroing& z, const Tasks& tasks, const vid_t* order, const double* level) except -1 nogil:
    cdef vid_t v, i
    z.t = tasks
    z.level = level
    z.ranked = order
    z.rank.resize(tasks.n)
    z.start.assign(tasks.n, 0.0)
    z.before.assign(tasks.n, -1)
    z.after.assign(tasks.n, -1)
    z.waits.assign(tasks.n, 0)
    z.work.resize(tasks.n)
    z.cluster.resize(tasks.n)
    z.first.resize(tasks.n)
    z.a = z.b = -1
    z.spent = 0
    for v in range(tasks.n):
        z.cluster[v] = z.first[v] = v
        z.work[v] = tasks.time[v]
    for i in range(tasks.n):
        v = z.ranked[i]
        tick(z.spent, tasks.pxadj[v + 1] - tasks.pxadj[v] + 1)
        z.rank[v] = i
        z.start[v] = earliest(z, v)
    z.span = longest(z)
    return 0


cdef bint together(Zeroing& z, vid_t c, vid_t d) noexcept nogil:
    return c == d or (c == z.a and d == z.b) or (c == z.b and d == z.a)


cdef double earliest(Zeroing& z, vid_t v) noexcept nogil:
    cdef double ready = 0.0, arrival
    cdef vid_t u = z.before[v]
    cdef int64_t e
    if u >= 0:
        ready = z.start[u] + z.t.time[u]
    for e in range(z.t.pxadj[v], z.t.pxadj[v + 1]):
        u = z.t.padj[e]
        arrival = z.start[u] + z.t.time[u]
        if not together(z, z.cluster[u], z.cluster[v]):
            arrival += z.t.delay[z.t.place[e]]
        if arrival > ready:
            ready = arrival
    return ready


cdef double longest(Zeroing& z) noexcept nogil:
    cdef double span = 0.0
    cdef vid_t v
    for v in range(z.t.n):
        span = later(span, z.start[v] + z.t.time[v])
    return span


cdef int link(Zeroing& z, vector[vid_t]& tasks) except -1 nogil:
    cdef vid_t i, size = <vid_t>tasks.size()
    for i in range(size):
        z.before[tasks[i]] = -1
        z.after[tasks[i]] = -1
        if i > 0:
            z.before[tasks[i]] = tasks[i - 1]
            z.after[tasks[i - 1]] = tasks[i]
    return 0


cdef int wait(Zeroing& z, vid_t v) except -1 nogil:
    if not z.waits[v]:
        z.waits[v] = 1
        z.stale.push(-z.rank[v])
    return 0


cdef bint shorter(Zeroing& z, vid_t a, vid_t b) except -1 nogil:
    # Merges a and b if no task then ends after `span`; says whether that was so.
    cdef vector[vid_t] of_a, of_b
    cdef vid_t v
    cdef int64_t e
    cdef size_t i = 0, j = 0
    cdef double at
    cdef bint good = True, any_earlier = False
    cdef double limit = z.span * (1.0 + ROUNDING)
    if z.work[a] + z.work[b] > limit:
        return False
    v = z.first[a]
    while v >= 0:
        of_a.push_back(v)
        v = z.after[v]
    v = z.first[b]
    while v >= 0:
        of_b.push_back(v)
        v = z.after[v]
    tick(z.spent, <int64_t>(of_a.size() + of_b.size()))
    z.merged.clear()
    while i < of_a.size() or j < of_b.size():
        if j == of_b.size() or (i < of_a.size() and z.rank[of_a[i]] < z.rank[of_b[j]]):
            z.merged.push_back(of_a[i])
            i += 1
        else:
            z.merged.push_back(of_b[j])
            j += 1
    link(z, z.merged)
    z.a, z.b = a, b
    for i in range(z.merged.size()):
        wait(z, z.merged[i])
    z.changed.clear()
    z.was.clear()
    while not z.stale.empty():
        v = z.ranked[-z.stale.top()]
        z.stale.pop()
        z.waits[v] = 0
        if not good:
            continue
        tick(z.spent, z.t.pxadj[v + 1] - z.t.pxadj[v] + z.t.xadj[v + 1] - z.t.xadj[v] + 1)
        at = earliest(z, v)
        if at == z.start[v]:
            continue
        if at + z.level[v] > limit:
            good = False
            continue
        if z.start[v] + z.t.time[v] == z.span:
            any_earlier = True
        z.changed.push_back(v)
        z.was.push_back(z.start[v])
        z.start[v] = at
        if z.after[v] >= 0:
            wait(z, z.after[v])
        for e in range(z.t.xadj[v], z.t.xadj[v + 1]):
            wait(z, z.t.adj[e])
    z.a = z.b = -1
    if not good:
        for i in range(z.changed.size()):
            z.start[z.changed[i]] = z.was[i]
        link(z, of_a)
        link(z, of_b)
        return False
    if of_a.size() < of_b.size():
        of_a.swap(of_b)
        a, b = b, a
    for i in range(of_b.size()):
        z.cluster[of_b[i]] = a
    z.work[a] += z.work[b]
    z.first[a] = z.merged[0]
    if any_earlier:
        tick(z.spent, z.t.n)
        at = longest(z)
        if at < z.span:
            z.span = at
    return True


cdef int run_zeroing(Zeroing& z) except -1 nogil:
    cdef vid_t i, u, v
    cdef int64_t e
    cdef size_t k
    cdef vector[pair[key_t, vid_t]] heaviest
    cdef pair[key_t, vid_t] edge
    # Heaviest first; of equal ones those between the tasks of highest rank.
    for i in range(z.t.n):
        u = z.ranked[i]
        tick(z.spent, z.t.xadj[u + 1] - z.t.xadj[u] + 1)
        for e in range(z.t.xadj[u], z.t.xadj[u + 1]):
            edge.first.first = -z.t.delay[e]
            edge.first.second = i
            edge.second = z.rank[z.t.adj[e]]
            heaviest.push_back(edge)
    sort(heaviest.begin(), heaviest.end())
    for k in range(heaviest.size()):
        u = z.ranked[heaviest[k].first.second]
        v = z.ranked[heaviest[k].second]
        tick(z.spent, 1)
        if z.cluster[u] != z.cluster[v]:
            shorter(z, z.cluster[u], z.cluster[v])
    return 0


def zeroed_edges(TaskGraph graph, const vid_t[::1] order, const double[::1] rest):
    """Edges by falling delay: their clusters are merged unless that makes the whole take longer.

    An attempt times anew only the tasks that it changes, and ends
    at the first one that would end too late; yet there may be m attempts that each change n tasks.

    Parameters
    ----------
    graph : TaskGraph
    order : int32[n]
        A topological order: that in which each cluster runs its tasks.
    rest : float64[n]
        Longest way from the start of each task to the end without delays.

    Returns
    -------
    labels : int32[n]
        Not all numbers up to the largest need be in use.
    start : float64[n]
        When each task starts if every cluster has a processor.
    """
    cdef const vid_t* topological = &order[0]
    cdef const double* level = &rest[0]
    cdef Zeroing zeroing
    cdef vid_t v, n = graph.tasks.n
    labels, starts = np.zeros(n, np.int32), np.zeros(n)
    cdef vid_t[::1] label = labels
    cdef double[::1] start = starts
    with nogil:
        init_zeroing(zeroing, graph.tasks, topological, level)
        run_zeroing(zeroing)
        for v in range(n):
            label[v] = zeroing.cluster[v]
            start[v] = zeroing.start[v]
    return labels, starts
