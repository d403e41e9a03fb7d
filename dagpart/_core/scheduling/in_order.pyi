import numpy as np
from numpy.typing import NDArray

from dagpart._core.scheduling.machine import Machine, Outcome

def placement_order(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    processor: NDArray[np.int32],
    order: NDArray[np.int32],
) -> NDArray[np.int32]: ...
def in_order(m: Machine, processor: NDArray[np.int32], order: NDArray[np.int32]) -> Outcome: ...
