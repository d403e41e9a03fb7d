from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dagpart._core.base.interrupt import Stop
from dagpart.options import Options

def place_in(kind: str, name: str, names: Sequence[str]) -> int: ...

class Engine:
    def __init__(
        self,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        edge_weights: NDArray[np.int64],
        vertex_weights: NDArray[np.int64],
        rank: NDArray[np.int32],
        anchor: NDArray[np.int8],
        k: int,
        cap: int,
        allow_empty: bool,
        nets: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]] | None = None,
    ) -> None: ...
    def solve(
        self, options: Options, seed: int, threads: int = 1, stop: Stop | None = None
    ) -> NDArray[np.int32]: ...
    def split(self, options: Options) -> NDArray[np.int32] | None: ...
    def combine(
        self,
        labels: NDArray[np.int32],
        other: NDArray[np.int32],
        options: Options,
        seed: int,
        stop: Stop | None = None,
    ) -> NDArray[np.int32]: ...
    def close(self, labels: NDArray[np.int32], upwards: bool) -> NDArray[np.int32]: ...
    def refine(
        self, labels: NDArray[np.int32], options: Options, seed: int, stop: Stop | None = None
    ) -> NDArray[np.int32]: ...
    def score(self, labels: NDArray[np.int32]) -> tuple[int, int]: ...
