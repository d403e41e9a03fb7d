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

def cluster_starts(
    graph: TaskGraph, order: NDArray[np.int32], labels: NDArray[np.int32]
) -> NDArray[np.float64]: ...
def dominant_sequence(
    graph: TaskGraph, levels: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
def linear_clusters(
    graph: TaskGraph, order: NDArray[np.int32], levels: NDArray[np.float64]
) -> NDArray[np.int32]: ...
def zeroed_edges(
    graph: TaskGraph, order: NDArray[np.int32], rest: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
