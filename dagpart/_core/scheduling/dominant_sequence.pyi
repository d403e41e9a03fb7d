import numpy as np
from numpy.typing import NDArray

from dagpart._core.scheduling.priorities import TaskGraph

def dominant_sequence(
    graph: TaskGraph, levels: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
