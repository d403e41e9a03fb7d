"""Recursive bisection."""

from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector

from dagpart._core.base.interrupt cimport check_interrupt
from dagpart._core.base.options cimport Options
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph, induce
from dagpart._core.multilevel.portfolio cimport Portfolio, close_portfolio, make_guide, make_start, open_portfolio
from dagpart._core.refinement.refiner cimport Scratch


cdef int bisect(const Graph& g, vid_t k0, vid_t k1, const Options& opt, uint64_t seed, Scratch& scratch,
                Portfolio& folio, vector[vid_t]& label) except -1 nogil:
    cdef size_t i
    open_portfolio(g, k0, k1, opt, seed, folio)
    for i in range(folio.guides.size()):
        make_guide(g, opt, <int>i, scratch, folio)
    for i in range(folio.entrants.size()):
        make_start(g, opt, <int>i, scratch, folio)
    return close_portfolio(g, opt, scratch, folio, label)


cdef inline wgt_t times(wgt_t cap, vid_t k, wgt_t most) noexcept nogil:
    return most if cap > most // k else cap * k


cdef int side_caps(wgt_t total, wgt_t cap, vid_t k0, vid_t k1, vector[wgt_t]& out) except -1 nogil:
    # What is left of the tolerance is shared out evenly over the levels of bisection still to come.
    cdef vid_t k = k0 + k1
    cdef int depth = 0
    cdef double slack = <double>cap * k / (<double>total + 1e-300) - 1
    cdef double exact
    cdef vid_t ks
    cdef int i
    while (<int64_t>1 << depth) < k:
        depth += 1
    slack = max(0.0, slack / depth)
    out.resize(2)
    for i in range(2):
        ks = k1 if i else k0
        exact = <double>total * ks / k
        out[i] = <wgt_t>min(exact * (1 + slack), 9.0e18)
        out[i] = max(out[i], <wgt_t>min(exact, 9.0e18) + (1 if slack * exact < 1 else 0))
        out[i] = min(out[i], times(cap, ks, total))
    # Both sides together must be able to hold everything.
    if out[0] < total - out[1]:
        out[0] = min(times(cap, k0, total), total - out[1])
        if out[0] < total - out[1]:
            out[1] = min(times(cap, k1, total), total - out[0])
    return 0


cdef int halve(const Job& job, const Graph& g, wgt_t cap, Job& low, Job& high, vector[wgt_t]& caps) except -1 nogil:
    # The numbers of parts on either side, and what each side may weigh.
    low.k = job.k // 2
    high.k = job.k - low.k
    low.first = job.first
    high.first = job.first + low.k
    return side_caps(g.total, cap, low.k, high.k, caps)


cdef int part_ways(const Job& job, const Graph& g, const vector[vid_t]& side, Job& low, Job& high) except -1 nogil:
    cdef size_t v
    induce(g, side, 0, low.member, low.graph)
    induce(g, side, 1, high.member, high.graph)
    if not job.member.empty():
        for v in range(low.member.size()):
            low.member[v] = job.member[low.member[v]]
        for v in range(high.member.size()):
            high.member[v] = job.member[high.member[v]]
    return 0


cdef int split(const Job& job, const Graph& g, wgt_t cap, const Options& opt, uint64_t seed, Scratch& scratch, Job& low,
               Job& high) except -1 nogil:
    # One bisection. g is the job's graph, or for the first job, which leaves its own empty, the whole graph.
    cdef Portfolio folio
    cdef vector[vid_t] side
    halve(job, g, cap, low, high, folio.cap)
    bisect(g, low.k, high.k, opt, seed_of(job, seed), scratch, folio, side)
    return part_ways(job, g, side, low, high)


cdef int recursive_bisection(const Graph& g, vid_t k, wgt_t cap, const Options& opt, uint64_t seed, Scratch& scratch,
                             vector[vid_t]& label) except -1 nogil:
    cdef vector[Job] stack
    cdef Job job, low, high
    label.assign(g.n, 0)
    job.first = 0
    job.k = k
    split(job, g, cap, opt, seed, scratch, low, high)
    stack.push_back(high)
    stack.push_back(low)
    while not stack.empty():
        check_interrupt()
        job = stack.back()
        stack.pop_back()
        if is_leaf(job):
            write_leaf(job, label)
            continue
        split(job, job.graph, cap, opt, seed, scratch, low, high)
        stack.push_back(high)
        stack.push_back(low)
    return 0
