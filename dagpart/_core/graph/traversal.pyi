import numpy as np
from numpy.typing import NDArray

def topological_order(
    indptr: NDArray[np.int64], indices: NDArray[np.integer], pred_indptr: NDArray[np.int64]
) -> NDArray[np.integer]: ...
def topological_numbers(indptr: NDArray[np.int64], indices: NDArray[np.integer]) -> NDArray[np.integer]: ...
def levels(
    indptr: NDArray[np.int64], indices: NDArray[np.integer], order: NDArray[np.integer]
) -> NDArray[np.integer]: ...
