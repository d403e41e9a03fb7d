from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagpart.options import Options

ORDER_KINDS: tuple[str, ...]

def clusterer_names() -> list[str]: ...
def start_names() -> list[str]: ...
def refiner_names() -> list[str]: ...

class Parts(NamedTuple):
    labels: NDArray[np.int32]
    loads: NDArray[np.int64]
    counts: NDArray[np.int32]
    over: int
    cost: int

class Level(NamedTuple):
    cluster: NDArray[np.int32]
    graph: Phases

class Pair(NamedTuple):
    vertices: NDArray[np.int32]
    size: int
    arcs: NDArray[np.int64]
    from_source: NDArray[np.int64]
    to_sink: NDArray[np.int64]
    cost: int
    max_flow: int
    nearest: Literal["source", "sink"] | None
    cut_cost: int
    labels: NDArray[np.int32]

class Phases:
    def __init__(
        self,
        indptr: ArrayLike,
        indices: ArrayLike,
        edge_weights: ArrayLike,
        vertex_weights: ArrayLike,
        anchors: ArrayLike | None = None,
        nets: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike] | None = None,
    ) -> None: ...
    @property
    def n(self) -> int: ...
    @property
    def edges(self) -> NDArray[np.int64]: ...
    @property
    def vertex_weights(self) -> NDArray[np.int64]: ...
    @property
    def anchors(self) -> NDArray[np.int32]: ...
    @property
    def nets(self) -> list[tuple[list[int], int]]: ...
    def cluster(
        self,
        name: str,
        cells: ArrayLike | None = None,
        max_weight: int | None = None,
        options: str | Options = "default",
        seed: int = 0,
    ) -> tuple[NDArray[np.int32], int]: ...
    def contract(self, cluster: ArrayLike, count: int, undirected: bool = False) -> Phases: ...
    def coarsen(
        self,
        stop: int,
        cells: ArrayLike | None = None,
        undirected: bool = False,
        options: str | Options = "default",
        seed: int = 0,
    ) -> list[Level]: ...
    def guide(
        self, caps: ArrayLike, options: str | Options = "default", seed: int = 0
    ) -> NDArray[np.int32]: ...
    def start(
        self,
        name: str,
        caps: ArrayLike,
        guide: ArrayLike | None = None,
        options: str | Options = "default",
        seed: int = 0,
    ) -> Parts | None: ...
    def measure(self, labels: ArrayLike, caps: ArrayLike) -> Parts: ...
    def refine(
        self,
        name: str | None,
        labels: ArrayLike,
        caps: ArrayLike,
        options: str | Options = "default",
        seed: int = 0,
        slack: int = 0,
    ) -> Parts: ...
    def refine_sides(
        self, labels: ArrayLike, caps: ArrayLike, options: str | Options = "default", seed: int = 0
    ) -> Parts: ...
    def rebalance(self, labels: ArrayLike, caps: ArrayLike, seed: int = 0) -> Parts: ...
    def renumber(self, labels: ArrayLike, caps: ArrayLike, seed: int = 0) -> Parts: ...
    def fill_empty(self, labels: ArrayLike, caps: ArrayLike) -> Parts: ...
    def order(self, kind: str, backward: bool = False, seed: int = 0) -> NDArray[np.int32] | None: ...
    def best_prefix(self, order: ArrayLike, caps: ArrayLike) -> NDArray[np.int32]: ...
    def best_split(self, order: ArrayLike, caps: ArrayLike) -> NDArray[np.int32] | None: ...
    def split_order(self, order: ArrayLike, k: int, cap: int) -> NDArray[np.int32]: ...
    def pair(
        self,
        labels: ArrayLike,
        caps: ArrayLike,
        low: int,
        high: int,
        vertices: ArrayLike | None = None,
        options: str | Options = "default",
        seed: int = 0,
    ) -> Pair | None: ...
