import numpy as np
from numpy.typing import NDArray

from dagpart._core.scheduling.priorities import TaskGraph

def linear_clusters(
    graph: TaskGraph, order: NDArray[np.int32], levels: NDArray[np.float64]
) -> NDArray[np.int32]: ...
