"""Clusterings of task graphs for any number of processors, where messages between clusters delay tasks.

A delay does not count inside a cluster. A cluster runs its tasks one after the other.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.types cimport vid_t

ctypedef pair[double, vid_t] Keyed      # of two equal keys the larger id comes first out of a heap

cdef enum:
    OFTEN = 1 << 12         # steps between two looks at Ctrl-C

# Sums of the same times in another order differ by less, relatively.
cdef double ROUNDING = 1e-12


cdef struct Tasks:
    vid_t n
    const int64_t* xadj         # successors of v: adj[xadj[v]:xadj[v + 1]]
    const vid_t* adj
    const int64_t* pxadj        # predecessors
    const vid_t* padj
    const int64_t* place        # where in adj the edge of padj stands
    const double* time          # of a task
    const double* delay         # of an edge, in the order of adj


cdef inline double later(double a, double b) noexcept nogil:
    return a if a > b else b


cdef class TaskGraph:
    """A graph in both directions with a time for each task and a delay for each edge.

    Parameters
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Successors.
    pred_indptr, pred_indices, pred_positions : int64[n + 1], int32[m], int64[m]
        Predecessors, and where in `indices` their edges stand.
    durations, delays : float64[n], float64[m]
    """

    cdef const int64_t[::1] indptr, pred_indptr, pred_positions
    cdef const int32_t[::1] indices, pred_indices
    cdef const double[::1] durations, delays

    def __init__(self, const int64_t[::1] indptr, const int32_t[::1] indices, const int64_t[::1] pred_indptr,
                 const int32_t[::1] pred_indices, const int64_t[::1] pred_positions,
                 const double[::1] durations, const double[::1] delays):
        self.indptr = indptr
        self.indices = indices
        self.pred_indptr = pred_indptr
        self.pred_indices = pred_indices
        self.pred_positions = pred_positions
        self.durations = durations
        self.delays = delays


cdef Tasks tasks_of(TaskGraph graph) noexcept:
    cdef Tasks t
    t.n = <vid_t>graph.durations.shape[0]
    t.xadj = &graph.indptr[0]
    t.adj = &graph.indices[0]
    t.pxadj = &graph.pred_indptr[0]
    t.padj = &graph.pred_indices[0]
    t.place = &graph.pred_positions[0]
    t.time = &graph.durations[0]
    t.delay = &graph.delays[0]
    return t


def cluster_starts(TaskGraph graph, const int32_t[::1] order, const int32_t[::1] labels):
    """When each task starts if every cluster has a processor and runs its tasks in a given order.

    Parameters
    ----------
    graph : TaskGraph
    order : int32[n]
        A topological order.
    labels : int32[n]
        In [0, n).

    Returns
    -------
    float64[n]
    """
    cdef Tasks t = tasks_of(graph)
    cdef vid_t i, u, v
    cdef int64_t e
    cdef double ready, arrival
    cdef vector[double] free
    out = np.zeros(t.n)
    cdef double[::1] start = out
    with nogil:
        free.assign(t.n, 0.0)
        for i in range(t.n):
            v = order[i]
            ready = free[labels[v]]
            for e in range(t.pxadj[v], t.pxadj[v + 1]):
                u = t.padj[e]
                arrival = start[u] + t.time[u]
                if labels[u] != labels[v]:
                    arrival += t.delay[t.place[e]]
                if arrival > ready:
                    ready = arrival
            start[v] = ready
            free[labels[v]] = ready + t.time[v]
    return out


cdef struct Arrivals:
    # Of the data that have been sent to a task: the last to arrive, its producer's cluster (-1: none), and the last to
    # arrive from any other cluster.
    double last, other
    vid_t cluster


cdef void take(Arrivals& known, double arrival, vid_t source) noexcept nogil:
    if source == known.cluster:
        known.last = later(known.last, arrival)
    elif arrival > known.last or known.cluster < 0:
        if known.cluster >= 0:
            known.other = known.last
        known.last = arrival
        known.cluster = source
    else:
        known.other = later(known.other, arrival)


cdef cppclass Dsc:
    Tasks t
    const double* level             # bottom levels
    vector[Arrivals] arrivals
    vector[vid_t] missing           # predecessors without a cluster
    vector[vid_t] cluster           # -1: not yet
    vector[vid_t] size              # tasks of a cluster
    vector[double] free             # when a cluster's last task ends
    vector[double] start
    priority_queue[Keyed] ready, partly


cdef int init_dsc(Dsc& d, const Tasks& tasks, const double* level) except -1 nogil:
    cdef Arrivals nothing
    cdef vid_t v
    d.t = tasks
    d.level = level
    nothing.last = nothing.other = 0.0
    nothing.cluster = -1
    d.arrivals.assign(tasks.n, nothing)
    d.missing.resize(tasks.n)
    d.cluster.assign(tasks.n, -1)
    d.start.assign(tasks.n, 0.0)
    for v in range(tasks.n):
        d.missing[v] = <vid_t>(tasks.pxadj[v + 1] - tasks.pxadj[v])
        if d.missing[v] == 0:
            d.ready.push(keyed(d, v))
    return 0


cdef double priority(Dsc& d, vid_t v) noexcept nogil:
    return d.arrivals[v].last + d.level[v]


cdef Keyed keyed(Dsc& d, vid_t v) noexcept nogil:
    cdef Keyed key
    key.first = priority(d, v)
    key.second = -v             # the least id first
    return key


cdef vid_t reserved(Dsc& d, vid_t v) except -2 nogil:
    # The cluster that is kept free for a task that waits for more than v does and still misses some input: the
    # one that makes it start sooner. -1: there is none.
    cdef vid_t waiting
    cdef Keyed key
    while not d.partly.empty():
        key = d.partly.top()
        waiting = -key.second
        if d.missing[waiting] == 0 or key.first != priority(d, waiting):
            d.partly.pop()
            continue
        if key.first <= priority(d, v):
            return -1
        if later(d.free[d.arrivals[waiting].cluster], d.arrivals[waiting].other) \
                < d.arrivals[waiting].last:
            return d.arrivals[waiting].cluster
        return -1
    return -1


cdef vid_t new_cluster(Dsc& d) except -1 nogil:
    d.size.push_back(0)
    d.free.push_back(0.0)
    return <vid_t>d.size.size() - 1


cdef int append(Dsc& d, vid_t v, vid_t c, double start) except -1 nogil:
    d.cluster[v] = c
    d.size[c] += 1
    d.start[v] = start
    d.free[c] = start + d.t.time[v]
    return 0


cdef double ready_in(Dsc& d, vid_t u, vid_t c) noexcept nogil:
    # When the inputs of u are there if it joins cluster c.
    cdef double latest = 0.0, arrival
    cdef vid_t w
    cdef int64_t e
    for e in range(d.t.pxadj[u], d.t.pxadj[u + 1]):
        w = d.t.padj[e]
        arrival = d.start[w] + d.t.time[w]
        if d.cluster[w] != c:
            arrival += d.t.delay[d.t.place[e]]
        if arrival > latest:
            latest = arrival
    return latest


cdef double join_start(Dsc& d, vector[Keyed]& movable, vid_t moved, double others, vid_t c, vector[Keyed]& queue) \
        except -1 nogil:
    # When a task starts in cluster c if the first `moved` go there before it, in the order in which they get
    # ready, which is left in `queue`; `others` is when the rest of its data arrive.
    cdef vid_t i
    cdef double at = d.free[c]
    cdef Keyed key
    queue.clear()
    for i in range(moved):
        key.first = ready_in(d, movable[i].second, c)
        key.second = movable[i].second
        queue.push_back(key)
    sort(queue.begin(), queue.end())
    for i in range(moved):
        at = later(at, queue[i].first) + d.t.time[queue[i].second]
    at = later(at, others)
    if moved < <vid_t>movable.size():
        at = later(at, -movable[moved].first)
    return at


cdef int place(Dsc& d, vid_t v) except -1 nogil:
    # Into the cluster of the producer whose data arrive last, if it then starts sooner; producers that are alone
    # and work for nobody else may come along.
    cdef vid_t c = d.arrivals[v].cluster, u, low, high, middle, i
    cdef int64_t e
    cdef double alone = d.arrivals[v].last, others = 0.0, at
    cdef vector[Keyed] movable, queue
    cdef Keyed key
    cdef bint fits
    if c < 0 or c == reserved(d, v):
        return append(d, v, new_cluster(d), alone)
    if d.arrivals[v].other > d.free[c]:
        for e in range(d.t.pxadj[v], d.t.pxadj[v + 1]):
            u = d.t.padj[e]
            if d.cluster[u] == c:
                continue
            key.first = -(d.start[u] + d.t.time[u] + d.t.delay[d.t.place[e]])
            key.second = u
            if d.size[d.cluster[u]] == 1 and d.t.xadj[u + 1] - d.t.xadj[u] == 1:
                movable.push_back(key)
            else:
                others = later(others, -key.first)
        sort(movable.begin(), movable.end())
        # The more are moved the later the cluster is free, and the sooner the rest has arrived: the best is where
        # the two meet.
        low, high = 0, <vid_t>movable.size()
        while low < high:
            middle = (low + high) // 2
            at = join_start(d, movable, middle, 0.0, c, queue)
            fits = at == -movable[middle].first and at > others
            if fits:
                low = middle + 1
            else:
                high = middle
        if low > 0 and join_start(d, movable, low - 1, others, c, queue) \
                <= join_start(d, movable, low, others, c, queue):
            low -= 1
        at = join_start(d, movable, low, others, c, queue)
    else:
        at = later(d.free[c], d.arrivals[v].other)
    if at >= alone:
        return append(d, v, new_cluster(d), alone)
    for i in range(<vid_t>queue.size()):
        u = queue[i].second
        d.size[d.cluster[u]] -= 1
        append(d, u, c, later(d.free[c], queue[i].first))
    return append(d, v, c, at)


cdef int run_dsc(Dsc& d) except -1 nogil:
    cdef vid_t v, w
    cdef int64_t e
    cdef vid_t done = 0
    while not d.ready.empty():
        v = -d.ready.top().second
        d.ready.pop()
        place(d, v)
        for e in range(d.t.xadj[v], d.t.xadj[v + 1]):
            w = d.t.adj[e]
            take(d.arrivals[w], d.start[v] + d.t.time[v] + d.t.delay[e], d.cluster[v])
            d.missing[w] -= 1
            if d.missing[w] == 0:
                d.ready.push(keyed(d, w))
            else:
                d.partly.push(keyed(d, w))
        done += 1
        if done % OFTEN == 0:
            check_interrupt()
    return 0


def dominant_sequence(TaskGraph graph, const double[::1] levels):
    """Dominant sequence clustering, in O((n + m) log n) but for joins, whose producers are sorted.

    Parameters
    ----------
    graph : TaskGraph
    levels : float64[n]
        Longest way from the start of each task to the end, delays included.

    Returns
    -------
    labels : int32[n]
        Not all numbers up to the largest need be in use.
    start : float64[n]
        When each task starts if every cluster has a processor.
    """
    cdef Tasks t = tasks_of(graph)
    cdef const double* level = &levels[0]
    cdef Dsc dsc
    cdef vid_t v
    labels, starts = np.zeros(t.n, np.int32), np.zeros(t.n)
    cdef int32_t[::1] label = labels
    cdef double[::1] start = starts
    with nogil:
        init_dsc(dsc, t, level)
        run_dsc(dsc)
        for v in range(t.n):
            label[v] = dsc.cluster[v]
            start[v] = dsc.start[v]
    return labels, starts


def linear_clusters(TaskGraph graph, const int32_t[::1] order, const double[::1] levels):
    """Longest path, delays included, of what is left, again and again: each is a cluster.

    Bottom levels are only renewed where a path that was taken away changes them.

    Parameters
    ----------
    graph : TaskGraph
    order : int32[n]
        A topological order.
    levels : float64[n]
        Longest way from the start of each task to the end, delays included.

    Returns
    -------
    labels : int32[n]
        Clusters are numbered as they were found.
    """
    cdef Tasks t = tasks_of(graph)
    cdef const vid_t* topological = &order[0]
    cdef vector[double] level
    cdef vector[vid_t] position
    cdef vector[char] waits
    cdef priority_queue[Keyed] longest
    cdef priority_queue[vid_t] stale        # positions of tasks whose levels may have changed
    cdef Keyed key
    cdef vid_t i, v, w, u, cluster = 0
    cdef int64_t e, steps = 0
    cdef double below, best
    labels = np.full(t.n, -1, np.int32)
    cdef int32_t[::1] label = labels
    with nogil:
        level.resize(t.n)
        position.resize(t.n)
        waits.assign(t.n, 0)
        for i in range(t.n):
            v = topological[i]
            position[v] = i
            level[v] = levels[v]
            key.first = level[v]
            key.second = -i
            longest.push(key)
        while not longest.empty():
            key = longest.top()
            longest.pop()
            v = topological[-key.second]
            if label[v] >= 0 or level[v] != key.first:
                continue
            while v >= 0:
                label[v] = cluster
                for e in range(t.pxadj[v], t.pxadj[v + 1]):
                    u = t.padj[e]
                    if label[u] < 0 and not waits[u]:
                        waits[u] = 1
                        stale.push(position[u])
                w = -1
                best = 0.0
                for e in range(t.xadj[v], t.xadj[v + 1]):
                    if label[t.adj[e]] < 0:
                        below = t.delay[e] + level[t.adj[e]]
                        if w < 0 or below > best:
                            w = t.adj[e]
                            best = below
                v = w
            cluster += 1
            while not stale.empty():
                v = topological[stale.top()]
                stale.pop()
                waits[v] = 0
                if label[v] >= 0:
                    continue
                best = 0.0
                for e in range(t.xadj[v], t.xadj[v + 1]):
                    if label[t.adj[e]] < 0:
                        below = t.delay[e] + level[t.adj[e]]
                        if below > best:
                            best = below
                steps += 1
                if steps % OFTEN == 0:
                    check_interrupt()
                if t.time[v] + best == level[v]:
                    continue
                level[v] = t.time[v] + best
                key.first = level[v]
                key.second = -position[v]
                longest.push(key)
                for e in range(t.pxadj[v], t.pxadj[v + 1]):
                    u = t.padj[e]
                    if label[u] < 0 and not waits[u]:
                        waits[u] = 1
                        stale.push(position[u])
    return labels


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
    for v in range(tasks.n):
        z.cluster[v] = z.first[v] = v
        z.work[v] = tasks.time[v]
    for i in range(tasks.n):
        v = z.ranked[i]
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
        at = longest(z)
        if at < z.span:
            z.span = at
    return True


cdef int run_zeroing(Zeroing& z) except -1 nogil:
    cdef vid_t i, u, v
    cdef int64_t e
    cdef size_t k
    cdef vector[pair[Keyed, vid_t]] heaviest
    cdef pair[Keyed, vid_t] edge
    # Heaviest first; of equal ones those between the tasks of highest rank.
    for i in range(z.t.n):
        u = z.ranked[i]
        for e in range(z.t.xadj[u], z.t.xadj[u + 1]):
            edge.first.first = -z.t.delay[e]
            edge.first.second = i
            edge.second = z.rank[z.t.adj[e]]
            heaviest.push_back(edge)
    sort(heaviest.begin(), heaviest.end())
    for k in range(heaviest.size()):
        u = z.ranked[heaviest[k].first.second]
        v = z.ranked[heaviest[k].second]
        if z.cluster[u] != z.cluster[v]:
            shorter(z, z.cluster[u], z.cluster[v])
        if k % OFTEN == 0:
            check_interrupt()
    return 0


def zeroed_edges(TaskGraph graph, const int32_t[::1] order, const double[::1] rest):
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
    cdef Tasks t = tasks_of(graph)
    cdef const vid_t* topological = &order[0]
    cdef const double* level = &rest[0]
    cdef Zeroing zeroing
    cdef vid_t v
    labels, starts = np.zeros(t.n, np.int32), np.zeros(t.n)
    cdef int32_t[::1] label = labels
    cdef double[::1] start = starts
    with nogil:
        init_zeroing(zeroing, t, topological, level)
        run_zeroing(zeroing)
        for v in range(t.n):
            label[v] = zeroing.cluster[v]
            start[v] = zeroing.start[v]
    return labels, starts
