import numpy as np
from numpy.typing import NDArray

from dagpart._core.machine import Machine, Outcome

def placement_order(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    processor: NDArray[np.int32],
    order: NDArray[np.int32],
) -> NDArray[np.int32]: ...
def in_order(m: Machine, processor: NDArray[np.int32], order: NDArray[np.int32]) -> Outcome: ...
def in_supersteps(
    m: Machine,
    processor: NDArray[np.int32],
    order: NDArray[np.int32],
    sizes: NDArray[np.float64],
    synchronisation: float,
    always: bool,
    given: NDArray[np.int32],
    sent_in: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32], Outcome]: ...
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
def as_it_goes(m: Machine, rank: NDArray[np.int32], stealing: bool, seed: int) -> Outcome: ...
