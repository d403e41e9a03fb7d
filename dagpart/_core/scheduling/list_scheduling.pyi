import numpy as np
from numpy.typing import NDArray

from dagpart._core.scheduling.machine import Machine, Outcome

RULES: dict[str, int]

def place_blocks(
    m: Machine,
    rule: int,
    insertion: bool,
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
    rank: NDArray[np.int32],
    group: NDArray[np.int32],
    fixed: NDArray[np.int32],
    exclusive: bool,
    extra: NDArray[np.float64],
) -> Outcome: ...
