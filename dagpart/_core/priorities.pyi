import numpy as np
from numpy.typing import NDArray

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
