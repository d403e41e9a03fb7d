import numpy as np
from numpy.typing import NDArray

from dagpart._core.scheduling.machine import Machine, Outcome

def as_it_goes(m: Machine, rank: NDArray[np.int32], stealing: bool, seed: int) -> Outcome: ...
