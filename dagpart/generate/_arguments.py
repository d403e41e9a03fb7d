"""Arguments that generators share: sizes and seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_size
from dagpart.errors import DagpartError

Seed = int | np.random.Generator
Weights = Literal["unit", "cost"]

# The cube of a longer side, and so the flops of a kernel, would come near the end of int64.
_LONGEST_TILE = 2**19
_MOST_ELEMENTS = 2**31


def fits(count: int, what: str = "vertices") -> int:
    """`count`, or an error where a graph with as many vertices or edges would fill any memory."""
    if count > _MOST_ELEMENTS:
        raise DagpartError(f"a graph of {count} {what} does not fit in memory")
    return count


def generator(seed: Seed) -> np.random.Generator:
    """The random numbers of a generator; only `random` is to be drawn from it.

    NumPy may change the other distributions between versions (NEP 19); `random` is 53 bits of PCG64's
    output as they come, so graphs stay the same.
    """
    return np.random.default_rng(seed)


def permutation(rng: np.random.Generator, n: int) -> NDArray[np.int64]:
    """A random permutation of 0..n-1 out of `n` uniform numbers, each a sort key."""
    return np.argsort(rng.random(n), kind="stable")


def cuts(name: str, tiles: int | Sequence[int], tile: int) -> NDArray[np.int64]:
    """Sizes of the tiles along one side: `tiles` of them, each `tile` long, or those in the list `tiles`."""
    if isinstance(tiles, Sequence | np.ndarray):
        sizes = [check_size(each, f"{name}[{i}]") for i, each in enumerate(tiles)]
    else:
        sizes = [tile] * fits(check_size(tiles, name), "tiles")
    if not sizes:
        raise DagpartError(f"{name} must list at least one tile")
    longest = max(sizes)
    if longest > _LONGEST_TILE:
        raise DagpartError(f"a tile of {name} has {longest} rows or columns, more than {_LONGEST_TILE}")
    return np.array(sizes, dtype=np.int64)


def tile_shape(tile: int | Sequence[int]) -> tuple[int, int]:
    """Height and width of a tile; one number for square ones."""
    if not isinstance(tile, Sequence | np.ndarray):
        side = check_size(tile, "tile")
        return side, side
    if len(tile) != 2:
        raise DagpartError(f"tile must be one number, or a height and a width, got {tile!r}")
    return check_size(tile[0], "tile[0]"), check_size(tile[1], "tile[1]")
