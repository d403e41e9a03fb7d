from typing import overload

import numpy as np
from numpy.typing import NDArray

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
@overload
def critical_path(
    indptr: NDArray[np.int64],
    indices: NDArray[np.integer],
    edge_weights: NDArray[np.int64],
    vertex_weights: NDArray[np.int64],
    order: NDArray[np.integer],
    labels: NDArray[np.int32],
    latency: int,
) -> int: ...
@overload
def critical_path(
    indptr: NDArray[np.int64],
    indices: NDArray[np.integer],
    edge_weights: NDArray[np.int64],
    vertex_weights: NDArray[np.int64],
    order: NDArray[np.integer],
    labels: NDArray[np.int32],
    latency: float,
) -> float: ...
