"""Arguments that generators share: sizes and seeds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart._entries import check_count
from dagpart.errors import DagpartError

Seed = int | np.random.Generator


def size(name: str, value: Any, least: int = 1) -> int:
    """`value` as an int that is at least `least`, or an error that names the argument."""
    count = check_count(value, name)
    if count < least:
        raise DagpartError(f"{name} must be at least {least}, got {count}")
    return count


def number(name: str, value: float, lowest: float, highest: float = math.inf) -> float:
    """`value` as a float between the bounds, or an error that names the argument."""
    if not (lowest <= value <= highest and math.isfinite(value)):
        limit = f"a finite number from {lowest} up" if highest == math.inf else f"from {lowest} to {highest}"
        raise DagpartError(f"{name} must be {limit}, got {value!r}")
    return float(value)


def generator(seed: Seed) -> np.random.Generator:
    """The random numbers of a generator; only `random` is to be drawn from it.

    NumPy may change the other distributions between versions (NEP 19); `random` is 53 bits of PCG64's
    output as they come, so graphs stay the same.
    """
    return np.random.default_rng(seed)


def permutation(rng: np.random.Generator, n: int) -> NDArray[np.int64]:
    """A random permutation of 0..n-1 out of `n` uniform numbers, each a sort key."""
    return np.argsort(rng.random(n), kind="stable")
