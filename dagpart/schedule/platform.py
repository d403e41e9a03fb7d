"""The machine that a schedule is for: processors, and the network between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagpart._arguments import check_count, check_floats, check_not_negative, is_one_of
from dagpart.errors import DagpartError

__all__ = ["BARRIERS", "Barriers", "Platform"]

Barriers = Literal["all", "sending"]
BARRIERS: tuple[Barriers, ...] = get_args(Barriers)

# A matrix of p x p numbers for each of two quantities must fit into memory.
MOST_PROCESSORS = 2**14


@dataclass(frozen=True, eq=False)
class Platform:
    """Fully connected processors.

    A task of work w takes ``w / speeds[q]`` on processor q. A message of size s from processor q to another
    processor r takes ``latency[q, r] + s * gap[q, r]``. Nothing is sent from a processor to itself.

    Attributes
    ----------
    speeds : float64[p]
        Work done in a unit of time, positive.
    gap : float64[p, p]
        Time for each unit of data, the inverse of the bandwidth; 0 on the diagonal.
    latency : float64[p, p]
        Time that each message takes besides; 0 on the diagonal.
    synchronisation : float
        Time that a superstep of the model ``"bsp"`` takes besides: the L of BSP.
    barriers : {"all", "sending"}
        Which supersteps take that time: all, the last one included, or those alone that send something, as
        OneStopParallel counts.

    Examples
    --------
    >>> Platform.homogeneous(4, bandwidth=2.0).gap[0].tolist()
    [0.0, 0.5, 0.5, 0.5]
    """

    speeds: NDArray[np.float64]
    gap: NDArray[np.float64]
    latency: NDArray[np.float64]
    synchronisation: float = 0.0
    barriers: Barriers = "all"

    def __post_init__(self) -> None:
        speeds = _numbers("speeds", self.speeds, positive=True)
        if speeds.ndim != 1 or not 1 <= speeds.size <= MOST_PROCESSORS:
            raise DagpartError(
                f"speeds has the shape {speeds.shape}: one for each of 1 to {MOST_PROCESSORS} processors"
            )
        object.__setattr__(self, "speeds", _frozen(speeds))
        for name in ("gap", "latency"):
            matrix = _numbers(name, getattr(self, name))
            if matrix.shape != (speeds.size, speeds.size):
                raise DagpartError(
                    f"{name} has the shape {matrix.shape}, but there are {speeds.size} processors"
                )
            np.fill_diagonal(matrix, 0.0)
            object.__setattr__(self, name, _frozen(matrix))
        wait = check_not_negative(self.synchronisation, "synchronisation")
        object.__setattr__(self, "synchronisation", wait)
        if not is_one_of(self.barriers, BARRIERS):
            raise DagpartError(f"barriers={self.barriers!r}: it must be one of {', '.join(BARRIERS)}")

    @classmethod
    def homogeneous(cls, p: int, *, bandwidth: float = 1.0, latency: float = 0.0) -> Self:
        """Processors of speed 1 and one kind of link between all.

        Parameters
        ----------
        p : int
            Number of processors.
        bandwidth : float, default 1.0
            Data that a link carries in a unit of time.
        latency : float, default 0.0
            Time that each message takes besides.

        Examples
        --------
        >>> Platform.homogeneous(2).p
        2
        """
        return cls.heterogeneous(np.ones(_count(p)), bandwidth=bandwidth, latency=latency)

    @classmethod
    def heterogeneous(
        cls, speeds: ArrayLike, *, bandwidth: ArrayLike = 1.0, latency: ArrayLike = 0.0
    ) -> Self:
        """Processors of several speeds; links alike, or a matrix of them.

        Parameters
        ----------
        speeds : array_like of p numbers
        bandwidth, latency : number or array_like, shape (p, p)
            Entry (q, r) is for messages from q to r; the diagonal does not matter.

        Examples
        --------
        >>> Platform.heterogeneous([1, 2], latency=[[0, 3], [4, 0]]).latency[1].tolist()
        [4.0, 0.0]
        """
        speeds = np.atleast_1d(_numbers("speeds", speeds, positive=True))
        shape = (speeds.size, speeds.size)
        links = np.array(_spread("bandwidth", bandwidth, shape))
        np.fill_diagonal(links, 1.0)
        return cls(
            speeds, 1.0 / _numbers("bandwidth", links, positive=True), _spread("latency", latency, shape)
        )

    @classmethod
    def bsp(
        cls,
        p: int,
        *,
        g: float = 1.0,
        L: float = 0.0,
        numa: ArrayLike = 1.0,
        barriers: Barriers = "all",
    ) -> Self:
        """A machine with the parameters of the bulk-synchronous model.

        Parameters
        ----------
        p : int
            Number of processors.
        g : float, default 1.0
            Time for each unit of data.
        L : float, default 0.0
            Time for each superstep besides.
        numa : number or array_like, shape (p, p)
            Factor on g for each pair of processors.
        barriers : {"all", "sending"}
            Which supersteps cost L.

        Examples
        --------
        >>> Platform.bsp(2, g=3, L=5).gap.tolist()
        [[0.0, 3.0], [3.0, 0.0]]
        """
        p = _count(p)
        factors = _spread("numa", numa, (p, p))
        gap = check_not_negative(g, "g") * factors
        return cls(np.ones(p), gap, np.zeros((p, p)), check_not_negative(L, "L"), barriers)

    @property
    def p(self) -> int:
        """Number of processors."""
        return self.speeds.size

    @property
    def is_homogeneous(self) -> bool:
        """Whether all processors are alike and so are all links."""
        return all(
            _all_equal(values) for values in (self.speeds, self.gap[self._links], self.latency[self._links])
        )

    @property
    def mean_gap(self) -> float:
        """Mean time for a unit of data over all pairs of processors; 0 where there is one processor."""
        return float(self.gap[self._links].mean()) if self.p > 1 else 0.0

    @property
    def mean_latency(self) -> float:
        """Mean latency over all pairs of processors; 0 where there is one processor."""
        return float(self.latency[self._links].mean()) if self.p > 1 else 0.0

    @property
    def _links(self) -> NDArray[np.bool_]:
        return ~np.eye(self.p, dtype=bool)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Platform):
            return NotImplemented
        same = self.synchronisation == other.synchronisation and self.barriers == other.barriers
        return same and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in ("speeds", "gap", "latency")
        )

    def __repr__(self) -> str:
        kind = "homogeneous" if self.is_homogeneous else "heterogeneous"
        return f"Platform(p={self.p}, {kind})"


def _count(p: Any) -> int:
    try:
        count = 0 if isinstance(p, bool) else check_count(p, "p")
    except DagpartError:
        count = 0
    if not 1 <= count <= MOST_PROCESSORS:
        raise DagpartError(f"p must be a whole number from 1 to {MOST_PROCESSORS}, got {p!r}")
    return count


def _numbers(name: str, values: ArrayLike, *, positive: bool = False) -> NDArray[np.float64]:
    """A copy as float64; every number finite and not negative."""
    array = check_floats(values, name)
    good = np.isfinite(array) & ((array > 0) if positive else (array >= 0))
    if not good.all():
        wrong = array[~good].flat[0]
        raise DagpartError(
            f"{name} must be finite and {'positive' if positive else 'not negative'}, got {wrong}"
        )
    return array


def _spread(name: str, values: ArrayLike, shape: tuple[int, int]) -> NDArray[np.float64]:
    array = _numbers(name, values)
    if array.ndim and array.shape != shape:
        raise DagpartError(
            f"{name} has the shape {array.shape}: a number or a matrix {shape[0]} x {shape[1]}"
        )
    return np.broadcast_to(array, shape)


def _all_equal(values: NDArray[np.float64]) -> bool:
    return not values.size or bool((values == values.flat[0]).all())


def _frozen(array: NDArray[np.float64]) -> NDArray[np.float64]:
    array = np.ascontiguousarray(array)
    array.setflags(write=False)
    return array
