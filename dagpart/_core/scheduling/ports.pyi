import numpy as np
from numpy.typing import NDArray

from dagpart._core.scheduling.machine import Machine

def messages_of_edges(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    processor: NDArray[np.int32],
    producer: NDArray[np.int32],
    consumer: NDArray[np.int32],
    unique: bool,
) -> NDArray[np.int64]: ...
def in_port_order(
    m: Machine,
    processor: NDArray[np.int32],
    order: NDArray[np.int32],
    producer: NDArray[np.int32],
    consumer: NDArray[np.int32],
    sizes: NDArray[np.float64],
    message: NDArray[np.int64],
) -> tuple[
    NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]
]: ...
