import numpy as np
from numpy.typing import NDArray

from dagpart._core.scheduling.machine import Machine, Outcome

def in_supersteps(m: Machine, processor: NDArray[np.int32], order: NDArray[np.int32]) -> Outcome: ...
def in_given_supersteps(
    m: Machine,
    processor: NDArray[np.int32],
    order: NDArray[np.int32],
    step: NDArray[np.int32],
    sent_in: NDArray[np.int32],
) -> tuple[NDArray[np.int32], Outcome]: ...
