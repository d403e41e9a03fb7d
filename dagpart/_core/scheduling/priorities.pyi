import numpy as np
from numpy.typing import NDArray

class TaskGraph:
    def __init__(
        self,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        pred_indptr: NDArray[np.int64],
        pred_indices: NDArray[np.int32],
        pred_positions: NDArray[np.int64],
        durations: NDArray[np.float64],
        delays: NDArray[np.float64],
    ) -> None: ...

def tails(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    order: NDArray[np.int32],
    durations: NDArray[np.float64],
    delays: NDArray[np.float64],
) -> NDArray[np.float64]: ...
def optimistic_costs(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    order: NDArray[np.int32],
    durations: NDArray[np.float64],
    delays: NDArray[np.float64],
) -> NDArray[np.float64]: ...
def cluster_starts(
    graph: TaskGraph, order: NDArray[np.int32], labels: NDArray[np.int32]
) -> NDArray[np.float64]: ...
