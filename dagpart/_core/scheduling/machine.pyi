from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

LINKS: dict[str, int]

# Processors, starts and ends of the tasks; the fields of `Messages` in order; supersteps, if any.
Outcome: TypeAlias = tuple[
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.float64],
    tuple[
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.float64],
        NDArray[np.float64],
    ],
    NDArray[np.int32] | None,
]

class Machine:
    def __init__(
        self,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        pred_indptr: NDArray[np.int64],
        pred_indices: NDArray[np.int32],
        place: NDArray[np.int32],
        durations: NDArray[np.float64],
        links: int,
        unique: bool,
        sizes: NDArray[np.float64],
        pred_sizes: NDArray[np.float64],
        gap: NDArray[np.float64],
        latency: NDArray[np.float64],
        synchronisation: float,
        idle_synchronisation: float,
    ) -> None: ...
