from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

_Ids: TypeAlias = NDArray[np.int32]
_Rows: TypeAlias = NDArray[np.int64]
_Times: TypeAlias = NDArray[np.float64]

class TaskGraph:
    def __init__(
        self,
        indptr: _Rows,
        indices: _Ids,
        pred_indptr: _Rows,
        pred_indices: _Ids,
        pred_positions: _Rows,
        durations: _Times,
        delays: _Times,
    ) -> None: ...

def tails(indptr: _Rows, indices: _Ids, order: _Ids, durations: _Times, delays: _Times) -> _Times: ...
def optimistic_costs(
    indptr: _Rows, indices: _Ids, order: _Ids, durations: _Times, delays: _Times
) -> _Times: ...
def cluster_starts(
    graph: TaskGraph, order: NDArray[np.int32], labels: NDArray[np.int32]
) -> NDArray[np.float64]: ...
