import numpy as np
from numpy.typing import NDArray

from dagpart._core.machine import Machine, Outcome

class Blocks:
    def __init__(
        self,
        starts: NDArray[np.int64],
        members: NDArray[np.int32],
        rank: NDArray[np.int32],
        group: NDArray[np.int32],
        fixed: NDArray[np.int32],
        exclusive: bool,
    ) -> None: ...

def by_priority(
    m: Machine, blocks: Blocks, rule: int, insertion: bool, extra: NDArray[np.float64]
) -> Outcome: ...
def by_pair(m: Machine, blocks: Blocks, base: NDArray[np.float64]) -> Outcome: ...
