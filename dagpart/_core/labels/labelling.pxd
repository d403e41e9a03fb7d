from libcpp.vector cimport vector

from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph


cdef struct Score:
    wgt_t over, cost            # weight above the caps, summed over the parts; the objective


cdef inline bint less(Score a, Score b) noexcept nogil:
    return a.over < b.over or (a.over == b.over and a.cost < b.cost)


cdef inline wgt_t excess(wgt_t load, wgt_t cap) noexcept nogil:
    return load - cap if load > cap else 0


cdef cppclass Labelling:
    # A partition of a graph under way. Labels rise along every edge (but for a guide's, which ignore direction).
    # Whoever moves a vertex keeps load, count and score; after labels were made from nothing `measure` does.
    vid_t k
    vector[wgt_t] cap           # the most each part should weigh
    vector[vid_t] label
    vector[wgt_t] load          # weight of each part
    vector[vid_t] count         # vertices of each part
    Score score


cdef inline int open_labelling(vid_t k, wgt_t cap, Labelling& parts) except -1 nogil:
    # k parts of one cap; the labels are still to come.
    parts.k = k
    parts.cap.assign(k, cap)
    return 0


cdef inline int take_label(Labelling& parts, Labelling& other) except -1 nogil:
    # `parts` becomes `other`, whose vectors are left in any state.
    parts.label.swap(other.label)
    parts.load.swap(other.load)
    parts.count.swap(other.count)
    parts.score = other.score
    return 0


cdef int measure(const Graph& g, Labelling& parts) except -1 nogil
cdef int measure_undirected(const Graph& g, Labelling& parts) except -1 nogil
cdef int count_parts(const Graph& g, Labelling& parts) except -1 nogil
cdef bint is_monotone(const Graph& g, const vector[vid_t]& label) noexcept nogil
cdef int require(bint truth, const char* what) except -1 nogil
cdef int check_graph(const Graph& g, const char* phase) except -1 nogil
cdef int check_labels(const Graph& g, const vector[vid_t]& label, vid_t k, const char* phase) except -1 nogil
cdef int check_labelling(const Graph& g, const Labelling& parts, const char* phase) except -1 nogil
