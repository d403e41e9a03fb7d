from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Cost = TypeVar("Cost", int, float)

_Ids: TypeAlias = NDArray[np.integer]
_Labels: TypeAlias = NDArray[np.int32]
_Whole: TypeAlias = NDArray[np.int64]

def edge_cut(indptr: _Whole, indices: _Ids, edge_weights: _Whole, labels: _Labels) -> int: ...
def comm_volume(indptr: _Whole, indices: _Ids, edge_weights: _Whole, labels: _Labels, k: int) -> int: ...
def part_weights(vertex_weights: _Whole, labels: _Labels, k: int) -> _Whole: ...
def critical_path(
    indptr: _Whole,
    indices: _Ids,
    edge_weights: _Whole,
    vertex_weights: _Whole,
    order: _Ids,
    labels: _Labels,
    latency: Cost,
) -> Cost: ...
