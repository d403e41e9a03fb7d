"""The compiled engine: arrays in, arrays out; one phase, one module."""

import importlib.util

if importlib.util.find_spec("dagpart._core.graph.csr") is None:
    raise ImportError(
        "this folder holds the sources of dagpart, not the compiled package: run Python from another folder "
        "or with -P, or make an editable install (README, Development)"
    )
