from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from dagpart._core.base.types cimport eid_t, vid_t, wgt_t
from dagpart._core.graph.csr cimport Graph
from dagpart._core.graph.nets cimport Occupancy

cdef wgt_t INFINITE             # edge weights sum to less, so that residuals cannot overflow


cdef struct Arc:
    int32_t tail, head
    wgt_t capacity, backward    # and that of its reverse


cdef cppclass Terminal:
    # The source or the sink, and what belongs to it.
    char bit                    # 1 the source, 2 the sink
    vector[int32_t] seeds       # nodes where new flow can start or end
    vector[int32_t] grown       # nodes it reaches in the residual network; the first `joined` ones are part of it
    size_t joined
    vector[int32_t] frontier    # vertices beside those that joined
    wgt_t base, weight          # of what it holds beyond the corridor and what joined; of all it reaches


cdef cppclass Network:
    # The network of one pair of parts, in arrays that are reused from pair to pair. The nodes of vertices come first,
    # then those that stand for nets.
    vector[int32_t] local       # vertex -> node, -1 outside; cleared after each pair
    vector[vid_t] node          # node -> vertex
    int32_t size                # all nodes
    vector[wgt_t] weight        # of the vertex; 0 for a net's nodes
    vector[Arc] arcs
    vector[int32_t] first       # arcs of node v: first[v] .. first[v + 1]
    vector[int32_t] head, mate  # arc -> node it enters, arc -> its reverse
    vector[wgt_t] residual
    vector[wgt_t] from_source, to_sink          # residual capacities of the terminal arcs
    Terminal source, sink
    vector[char] side           # bit of the terminal that a node joined, else 0
    vector[char] reached        # bits of the terminals that reach a node; times 4, of those whose frontier lists it
    vector[int32_t] dist, next_arc, queue, path
    vector[vid_t] aside         # vertices looked at and left out
    vector[vid_t] met           # nets of the corridor
    vector[eid_t] met_first     # nodes of net met[t]: met_pin[met_first[t]:met_first[t + 1]]
    vector[int32_t] met_pin
    vector[vid_t] place         # net -> its place in met, -1 elsewhere; cleared after each pair
    Occupancy occupancy
    vector[vid_t] boundary      # ends of the pair's cut edges


cdef wgt_t build(const Graph& g, const vid_t* label, vid_t a, vid_t b, Network& net) except -1 nogil
