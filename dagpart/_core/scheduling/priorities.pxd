from libc.stdint cimport int64_t
from libcpp.pair cimport pair

from dagpart._core.base.types cimport vid_t

ctypedef pair[double, vid_t] key_t      # of two equal keys the larger id comes first out of a heap


cdef struct Tasks:
    vid_t n
    const int64_t* xadj         # successors of v: adj[xadj[v]:xadj[v + 1]]
    const vid_t* adj
    const int64_t* pxadj        # predecessors
    const vid_t* padj
    const int64_t* place        # where in adj the edge of padj stands
    const double* time          # of a task
    const double* delay         # of an edge, in the order of adj


cdef class TaskGraph:
    cdef tuple held             # the arrays that the pointers point into
    cdef Tasks tasks


cdef inline double later(double a, double b) noexcept nogil:
    return a if a > b else b
