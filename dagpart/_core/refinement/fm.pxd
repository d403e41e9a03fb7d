from dagpart._core.refinement.refiner cimport Refiner

cdef Refiner MONOTONE_FM, TWO_WAY_FM
