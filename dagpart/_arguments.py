"""What arguments must be: each check has its one home here, and names the argument that fails it."""

from __future__ import annotations

import math
import operator
import threading
from collections.abc import Hashable, Iterable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dagpart.errors import DagpartError, InfeasibleError

Objective = Literal["edge_cut", "comm_volume"]

_INT32_MAX = 2**31 - 1


def check_count(value: Any, name: str) -> int:
    """A whole number from 0 up as a Python integer, or an error that names the argument.

    A float that is whole is one, too: 2.0, as arithmetic and tables give it, can only mean 2.
    """
    if isinstance(value, float | np.floating) and value.is_integer():
        value = int(value)
    try:
        count = operator.index(value)
    except TypeError:
        raise DagpartError(f"{name}={value!r} is no whole number") from None
    if count < 0:
        raise DagpartError(f"{name}={count} is negative")
    return count


def check_size(value: Any, name: str, least: int = 1, most: int | None = None) -> int:
    """`value` as an int between the bounds, or an error that names the argument."""
    count = check_count(value, name)
    if count < least:
        raise DagpartError(f"{name} must be at least {least}, got {count}")
    if most is not None and count > most:
        raise DagpartError(f"{name} must be at most {most}, got {count}")
    return count


def check_number(value: Any, name: str, lowest: float, highest: float = math.inf) -> float:
    """`value` as a float between the bounds, or an error that names the argument."""
    number = _as_float(value)
    if not (lowest <= number <= highest and math.isfinite(number)):
        limit = f"a finite number from {lowest} up" if highest == math.inf else f"from {lowest} to {highest}"
        raise DagpartError(f"{name} must be {limit}, got {value!r}")
    return number


def check_not_negative(value: Any, name: str) -> float:
    """`value` as a finite float from 0 up, or an error that names the argument."""
    number = _as_float(value)
    if not (math.isfinite(number) and number >= 0):
        raise DagpartError(f"{name} must be finite and not negative: give a number from 0 up, got {value!r}")
    return number


def _as_float(value: Any) -> float:
    """One number as a float; NaN for what is none, text and lists of one number among it."""
    try:
        return math.nan if isinstance(value, str | bytes) or np.ndim(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def check_floats(values: Any, name: str) -> NDArray[np.float64]:
    """A copy as float64, or an error that names the argument: text, or rows of several lengths."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DagpartError(f"{name} must be numbers, in rows of one length, got {values!r}") from None


def is_one_of(value: object, words: Iterable[str]) -> bool:
    """Whether `value` is one of the words; whatever else it is, it may be nothing that can be looked up.

    Examples
    --------
    >>> is_one_of("a", {"a": 1}), is_one_of(["a"], {"a": 1})
    (True, False)
    """
    return isinstance(value, str) and value in words


def check_choice(value: object, name: str, known: Iterable[object]) -> None:
    """Raise an error that names the argument unless `value` is one of the known words or numbers."""
    words = list(known)
    # An array is not compared as a whole.
    if isinstance(value, np.ndarray) or value not in words:
        listed = ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"
        raise DagpartError(f"{name} must be {listed}, got {value!r}")


def check_names(names: Iterable[Hashable], n: int | None = None) -> tuple[Hashable, ...]:
    """Names as a tuple; they must be hashable and differ, and be as many as there are vertices."""
    if not isinstance(names, Iterable):
        raise DagpartError(f"names={names!r}: give a list with one name for each vertex")
    called = tuple(names)
    seen: set[Hashable] = set()
    try:
        seen.update(called)
        if len(seen) < len(called):
            seen.clear()
            for name in called:
                if name in seen:
                    raise DagpartError(f"two vertices are called {name!r}: names must differ")
                seen.add(name)
    except TypeError as error:
        raise DagpartError(f"names must be hashable: {error}") from None
    if n is not None and len(called) != n:
        raise DagpartError(f"{len(called)} names for {n} vertices: give one for each")
    return called


def check_ids(values: Any, what: str) -> NDArray[Any]:
    """One-dimensional array of an integer type; bools, floats and text are refused."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise DagpartError(f"{what} are no array of integers: {error}") from None
    if array.ndim != 1:
        raise DagpartError(f"{what} have the shape {array.shape}: one dimension is needed")
    if array.dtype.kind in "iu":
        return array
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind != "O":
        raise DagpartError(f"{what} are of type {array.dtype}: they must be integers")
    for value in array.tolist():
        if isinstance(value, bool) or not isinstance(value, int):
            raise DagpartError(f"{what} contain {value!r}: they must be integers")
        if not -(2**63) <= value < 2**63:
            raise DagpartError(f"{what} contain {value}: that does not fit in 64 bits")
    return array.astype(np.int64)


def check_range(ids: NDArray[Any], n: int) -> None:
    """Refuse ids outside 0 .. n-1."""
    if ids.size == 0:
        return
    low, high = int(ids.min()), int(ids.max())
    if low < 0 or high >= n:
        allowed = f"with n={n} ids run from 0 to {n - 1}" if n else "the graph has no vertices (n=0)"
        raise DagpartError(f"vertex id {low if low < 0 else high} is out of range: {allowed}")


def check_parts(n: int, k: Any, allow_empty: bool = False) -> int:
    """The number of parts for a graph of n vertices.

    Raises
    ------
    InfeasibleError
        If parts would be empty that must not be.
    DagpartError
        If it is no whole number, or out of range.
    """
    parts = check_count(k, "k")
    if n > _INT32_MAX:
        raise DagpartError(f"{n} vertices: the engine takes at most {_INT32_MAX}")
    if not 1 <= parts <= _INT32_MAX:
        raise DagpartError(f"the number of parts must be from 1 to {_INT32_MAX}, got k={parts}")
    if parts > n and not allow_empty:
        raise InfeasibleError(
            f"k={parts} parts for n={n} vertices leave some empty; ask for fewer parts, or allow_empty=True"
        )
    return parts


def check_time_limit(limit: float | None) -> float | None:
    """Seconds as a float, or None.

    Raises
    ------
    DagpartError
        If that is no positive number.
    """
    if limit is None:
        return None
    try:
        seconds = float(limit)
    except (TypeError, ValueError):
        seconds = math.nan
    if not 0 < seconds < threading.TIMEOUT_MAX:
        raise DagpartError(f"time_limit must be a positive number of seconds, got {limit!r}")
    return seconds


def check_seed(seed: Any) -> int:
    """The seed as a Python integer.

    Raises
    ------
    DagpartError
        If it is no whole number from 0 to 2**64 - 1.
    """
    number = check_count(seed, "seed")
    if number >= 2**64:
        raise DagpartError(f"the seed must be from 0 to 2**64 - 1, got {number}")
    return number


def check_threads(threads: Any) -> int:
    """The number of threads as a Python integer.

    Raises
    ------
    DagpartError
        If it is no whole number from 1 up.
    """
    number = check_count(threads, "threads")
    if number < 1:
        raise DagpartError("threads=0: one at least has to do the work")
    if number > _INT32_MAX:
        raise DagpartError(f"threads={number}: {_INT32_MAX} are the most")
    return number


def check_objective(objective: Any) -> Objective:
    """The objective, if it is one.

    Raises
    ------
    DagpartError
        If it is none.
    """
    check_choice(objective, "objective", get_args(Objective))
    known: Objective = objective
    return known
