from libcpp.vector cimport vector

from dagpart._core.csr cimport Graph
from dagpart._core.base.random cimport Rng
from dagpart._core.base.types cimport vid_t

cdef int renumber(const Graph& g, vid_t k, Rng& rng, vector[vid_t]& label) except -1 nogil
cdef int fill_empty(const Graph& g, vid_t k, vector[vid_t]& label) except -1 nogil
