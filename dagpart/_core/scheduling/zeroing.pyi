import numpy as np
from numpy.typing import NDArray

from dagpart._core.scheduling.priorities import TaskGraph

def zeroed_edges(
    graph: TaskGraph, order: NDArray[np.int32], rest: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
