import numpy as np
from numpy.typing import NDArray

from dagpart.options import Options

def partition(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    edge_weights: NDArray[np.int64],
    vertex_weights: NDArray[np.int64],
    rank: NDArray[np.int32],
    anchor: NDArray[np.int8],
    k: int,
    cap: int,
    allow_empty: bool,
    options: Options,
    seed: int,
    threads: int,
) -> NDArray[np.int32]: ...
