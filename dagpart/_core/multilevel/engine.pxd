from dagpart._core.base.options cimport Options

cdef Options read_options(options)
