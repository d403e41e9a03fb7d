from dagpart._core.refinement.refiner cimport Refiner

cdef Refiner FLOW
