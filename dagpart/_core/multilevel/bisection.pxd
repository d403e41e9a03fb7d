from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from dagpart._core.base.options cimport Options
from dagpart._core.base.random cimport derive
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.refinement.refiner cimport Scratch


cdef cppclass Job:
    # A subgraph that is to become parts first .. first + k - 1.
    Graph graph
    vector[vid_t] member        # ids in the whole graph
    vid_t first, k


cdef inline uint64_t seed_of(const Job& job, uint64_t seed) noexcept nogil:
    return derive(seed, job.first, job.k).state


cdef inline bint is_leaf(const Job& job) noexcept nogil:
    return job.k == 1 or job.graph.n == 0


cdef inline int write_leaf(const Job& job, vector[vid_t]& label) noexcept nogil:
    cdef size_t v
    for v in range(job.member.size()):
        label[job.member[v]] = job.first
    return 0


cdef int halve(const Job& job, const Graph& g, wgt_t cap, Job& low, Job& high, vector[wgt_t]& caps) except -1 nogil
cdef int part_ways(const Job& job, const Graph& g, const vector[vid_t]& side, Job& low, Job& high) except -1 nogil
cdef int split(const Job& job, const Graph& g, wgt_t cap, const Options& opt, uint64_t seed, Scratch& scratch, Job& low,
               Job& high) except -1 nogil
cdef int recursive_bisection(const Graph& g, vid_t k, wgt_t cap, const Options& opt, uint64_t seed, Scratch& scratch,
                             vector[vid_t]& label) except -1 nogil
