from dagpart._core.multilevel.start cimport Start

cdef Start SCAN, REPAIR, MULTILEVEL
