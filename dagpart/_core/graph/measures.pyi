from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Cost = TypeVar("Cost", int, float)

def edge_cut(
    indptr: NDArray[np.int64],
    indices: NDArray[np.integer],
    edge_weights: NDArray[np.int64],
    labels: NDArray[np.int32],
) -> int: ...
def comm_volume(
    indptr: NDArray[np.int64],
    indices: NDArray[np.integer],
    edge_weights: NDArray[np.int64],
    labels: NDArray[np.int32],
    k: int,
) -> int: ...
def part_weights(
    vertex_weights: NDArray[np.int64], labels: NDArray[np.int32], k: int
) -> NDArray[np.int64]: ...
def critical_path(
    indptr: NDArray[np.int64],
    indices: NDArray[np.integer],
    edge_weights: NDArray[np.int64],
    vertex_weights: NDArray[np.int64],
    order: NDArray[np.integer],
    labels: NDArray[np.int32],
    latency: Cost,
) -> Cost: ...
