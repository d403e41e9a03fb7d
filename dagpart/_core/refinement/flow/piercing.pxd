from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t, wgt_t
from dagpart._core.refinement.flow.network cimport Network


cdef struct Sides:
    # The two parts of a cut, the lower and the upper one.
    vid_t low, high             # their labels
    wgt_t low_cap, high_cap
    wgt_t low_fixed, high_fixed     # weight of what is not in the network
    wgt_t total                 # weight of both
    wgt_t mean                  # of a vertex in the network, rounded up
    wgt_t cost                  # of the present cut, as far as the network can change it


cdef enum Nearest:
    NO_CUT, NEAREST_SOURCE, NEAREST_SINK


cdef struct Cut:
    Nearest nearest             # which of the two minimum cuts; NO_CUT: none that is balanced and costs no more
    wgt_t cost


cdef inline bint is_below(const Network& net, size_t node, Nearest nearest) noexcept nogil:
    # Whether a node ends in the lower part.
    if nearest == NEAREST_SOURCE:
        return net.reached[node] & 1
    return not net.reached[node] & 2


cdef int begin(Network& net, const Sides& sides) except -1 nogil
cdef int balanced_cut(Network& net, const vid_t* label, const Sides& sides, Rng& rng, Cut& cut) except -1 nogil
