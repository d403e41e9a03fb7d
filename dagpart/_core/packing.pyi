import numpy as np
from numpy.typing import NDArray

def pack(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: NDArray[np.int64],
    order: NDArray[np.int32],
    cap: int,
) -> NDArray[np.int32]: ...
def longest_paths(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: NDArray[np.int64],
    order: NDArray[np.int32],
) -> NDArray[np.int64]: ...
