from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

LINKS: dict[str, int]

_Ids: TypeAlias = NDArray[np.int32]
_Times: TypeAlias = NDArray[np.float64]

# Processors, starts and ends of the tasks; the fields of `Messages` in order; supersteps, if any.
Outcome: TypeAlias = tuple[
    _Ids,
    _Times,
    _Times,
    tuple[_Ids, _Ids, _Ids, _Ids, _Times, _Times],
    _Ids | None,
]

class Machine:
    def __init__(
        self,
        indptr: NDArray[np.int64],
        indices: _Ids,
        pred_indptr: NDArray[np.int64],
        pred_indices: _Ids,
        place: _Ids,
        durations: _Times,
        links: int,
        unique: bool,
        sizes: _Times,
        pred_sizes: _Times,
        gap: _Times,
        latency: _Times,
        synchronisation: float,
        idle_synchronisation: float,
    ) -> None: ...
