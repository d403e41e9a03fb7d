"""Weights as users hold them, taken exactly into int64."""

from __future__ import annotations

import decimal
import math
import numbers
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart.errors import WeightError

INT64_MAX = 2**63 - 1
MAX_EDGE_TOTAL = 2**62
MAX_VERTEX_TOTAL = INT64_MAX

# Decimals are tried up to nanounits; totals below 2**53 are whole numbers that a double holds exactly.
_DECIMALS = range(1, 10)
_EXACT_IN_DOUBLE = 2**53
# Binary scaling leaves two bits of room under the limit on totals.
_SCALED_TOTAL_BITS = 60
# 2.0**1000 is still a finite double, whatever is added for small counts.
_LARGEST_EXPONENT = 1000


def as_numbers(values: object, count: int, plural: str) -> NDArray[Any]:
    """One number for each, as an array that has lost no digit.

    Parameters
    ----------
    values : array_like, shape (count,)
    count : int
        How many there must be.
    plural : str
        The words for what they belong to, as in "edges".
    """
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise WeightError(f"some weights of {plural} are masked: fill them first")
    try:
        array = np.asarray(values)
        # NumPy makes doubles of [2**62 + 1, 0.5] and of [2**63, -1]; objects stay what they are.
        if (
            not isinstance(values, np.ndarray)
            and array.dtype == np.float64
            and np.any(abs(array) >= _EXACT_IN_DOUBLE)
        ):
            array = np.asarray(values, dtype=object)
    except (ValueError, TypeError, OverflowError) as error:
        raise WeightError(f"the weights of {plural} are no array of numbers: {error}") from None
    if array.shape != (count,):
        given = array.size if array.ndim == 1 else f"an array of shape {array.shape} as"
        raise WeightError(f"{given} weights for {count} {plural}: give one number for each")
    return array


def check_weights(array: NDArray[Any], owner: Callable[[int], str], plural: str) -> NDArray[Any]:
    """Check that weights are finite, not negative and small enough, without rounding any.

    Parameters
    ----------
    array : array of any type, one-dimensional
    owner : callable
        From a position to the words for what the weight belongs to, as in "edge 0 -> 1".
    plural : str
        The words for all of them, as in "edges".

    Returns
    -------
    array of the same shape
        int64 when all weights are whole; else the floats. May share memory with the argument.

    Raises
    ------
    WeightError
        Names the first weight that is wrong.
    """
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    if array.dtype.kind == "O":
        array = _from_objects(array, owner)
    kind = array.dtype.kind
    if kind == "b":
        return array.astype(np.int64)
    if kind not in "iuf":
        raise WeightError(f"weights of {plural} have the type {array.dtype}: give non-negative real numbers")
    _refuse_first(array, array < 0, owner, "it must not be negative")
    if kind == "f":
        _refuse_first(array, ~np.isfinite(array), owner, "it must be finite")
        if not np.array_equal(np.floor(array), array):
            return array
        # 2**63 is a float, 2**63 - 1 is not; in float16 neither is, nor can anything be too big there.
        limit = np.float64(2**63) if array.dtype.itemsize < 8 else array.dtype.type(2**63)
        _refuse_first(array, array >= limit, owner, "it must be below 2**63")
    elif array.dtype == np.uint64:
        _refuse_first(array, array > np.uint64(INT64_MAX), owner, "it must be below 2**63")
    return array.astype(np.int64, copy=False)


def to_integers(arrays: Sequence[NDArray[Any]]) -> tuple[list[NDArray[np.int64]], float]:
    """Bring checked weights to int64 with one common scale.

    Whole numbers are taken as they are. Where some weight is not whole, all are multiplied by the smallest
    power of ten, up to 10**9, that makes every one of them whole (when they were written with so few decimals
    and totals stay below 2**53); else by the largest power of two that is sure to keep totals below 2**60,
    rounding to the nearest, a positive weight to 1 at least.

    Parameters
    ----------
    arrays : sequence of arrays
        What `check_weights` returned, for vertices and for edges: they are added along a path, so they need
        one unit.

    Returns
    -------
    list of int64 arrays
    scale : float
        integer = weight * scale, up to rounding.

    Raises
    ------
    WeightError
        When the weights are spread too far for that.
    """
    if all(array.dtype.kind == "i" for array in arrays):
        return list(arrays), 1.0
    bounds = [_largest(array) * array.size for array in arrays]
    for decimals in _DECIMALS:
        factor = 10**decimals
        if max(bounds) * factor > _EXACT_IN_DOUBLE:
            break
        scaled = [_times_decimal(array, factor) for array in arrays]
        if all(array is not None for array in scaled):
            return [array for array in scaled if array is not None], float(factor)
    exponent = _SCALED_TOTAL_BITS - max(_bits(array) for array in arrays)
    if exponent < 0:
        raise WeightError(
            f"weights up to {max(_largest(array) for array in arrays):g}, some of them not whole, "
            "do not fit in 64-bit integers: round them, or divide all by a common factor"
        )
    exponent = min(exponent, _LARGEST_EXPONENT)
    return [_times_power_of_two(array, exponent) for array in arrays], math.ldexp(1.0, exponent)


def exact_total(weights: NDArray[np.int64]) -> int:
    """Sum of non-negative int64 as a Python integer, where NumPy's own sum would wrap.

    Examples
    --------
    >>> exact_total(np.array([2**62, 2**62, 2**62])) == 3 * 2**62
    True
    """
    if weights.size == 0:
        return 0
    if int(weights.max()) * weights.size <= INT64_MAX:
        return int(weights.sum())
    return (int((weights >> 32).sum()) << 32) + int((weights & 0xFFFFFFFF).sum())


def check_total(weights: NDArray[np.int64], limit: int, plural: str) -> int:
    """Return the exact total, or raise `WeightError` when it is above the limit."""
    total = exact_total(weights)
    if total > limit:
        raise WeightError(
            f"the weights of all {plural} add up to {total}, above the limit {limit}: "
            "divide them by a common factor"
        )
    return total


def _from_objects(array: NDArray[Any], owner: Callable[[int], str]) -> NDArray[Any]:
    whole = True
    numbers_: list[int | float] = []
    for position, value in enumerate(array.tolist()):
        try:
            number = _number(value)
        except (ValueError, TypeError, OverflowError):
            raise WeightError(f"{owner(position)} has weight {value!r}: it must be a real number") from None
        if isinstance(number, int):
            if not 0 <= number <= INT64_MAX:
                raise WeightError(f"{owner(position)} has weight {number}: it must lie in 0 .. 2**63 - 1")
        else:
            whole = False
        numbers_.append(number)
    return np.array(numbers_, dtype=np.int64 if whole else np.float64)


def _number(value: object) -> int | float:
    """An int where the value is whole, else a float."""
    if isinstance(value, numbers.Integral | np.bool_):
        return int(value)
    if isinstance(value, numbers.Rational | float | np.floating | decimal.Decimal):
        number = float(value)
        return int(value) if math.isfinite(number) and value == int(value) else number
    raise TypeError


def _refuse_first(
    array: NDArray[Any], bad: NDArray[np.bool_], owner: Callable[[int], str], rule: str
) -> None:
    if bad.any():
        position = int(bad.argmax())
        raise WeightError(f"{owner(position)} has weight {array[position]}: {rule}")


def _largest(array: NDArray[Any]) -> Any:
    return array.max().item() if array.size else 0


def _bits(array: NDArray[Any]) -> int:
    """Some e with total < 2**e; by exponents alone, since the total may be no finite float."""
    top = _largest(array)
    return (top.bit_length() if isinstance(top, int) else int(np.frexp(top)[1])) + array.size.bit_length()


def _wide(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.result_type(array.dtype, np.float64), copy=False)


def _times_decimal(array: NDArray[Any], factor: int) -> NDArray[Any] | None:
    """The weights times a power of ten, or None when that leaves some of them with a fraction."""
    if array.dtype.kind == "i":
        return array * factor
    whole = np.rint(_wide(array) * factor)
    # Division rounds correctly, so this holds exactly for the float nearest to a decimal with these digits.
    if not np.array_equal((whole / factor).astype(array.dtype), array):
        return None
    return whole.astype(np.int64)


def _times_power_of_two(array: NDArray[Any], exponent: int) -> NDArray[Any]:
    if array.dtype.kind == "i":
        return array << exponent
    scaled: NDArray[np.int64] = np.rint(np.ldexp(_wide(array), exponent)).astype(np.int64)
    scaled[(scaled == 0) & (array > 0)] = 1
    return scaled
