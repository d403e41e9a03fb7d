"""Weights as users hold them, taken exactly into int64."""

from __future__ import annotations

import decimal
import math
import numbers
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from dagpart import _named
from dagpart.errors import DagpartError, WeightError

INT64_MAX = 2**63 - 1
MAX_EDGE_TOTAL = 2**62
# The engine adds two weights of parts.
MAX_VERTEX_TOTAL = 2**62 - 1

# Decimals are tried down to billionths; totals below 2**53 are whole numbers that a double holds exactly.
_DECIMALS = range(1, 10)
_EXACT_IN_DOUBLE = 2**53
# Two bits of room under the limit on totals.
_SCALED_TOTAL_BITS = 60
# 2.0**1000 is still a finite double.
_LARGEST_EXPONENT = 1000


class Weights(NamedTuple):
    """Weights of a graph in int64: integer = weight * scale, up to rounding."""

    vertex: NDArray[np.int64]
    edge: NDArray[np.int64]
    vertex_scale: float
    edge_scale: float


def attribute_of(attributes: Iterable[Hashable], asked: str | None = None, things: str = "") -> str | None:
    """The attribute that holds the weights: the one that is asked for, else "weight", else "size", if any.

    Raises
    ------
    DagpartError
        There is none of the name that is asked for.
    """
    known = dict.fromkeys(attributes)
    if asked is None:
        return next((name for name in ("weight", "size") if name in known), None)
    if asked not in known:
        others = f"they have {', '.join(map(repr, known))}" if known else "they have none"
        raise DagpartError(f"no {things} have the attribute {asked!r}: {others}")
    return asked


def as_numbers(
    values: object, count: int, plural: str, names: Sequence[Hashable] | None = None
) -> NDArray[Any]:
    """One number for each, as an array that has lost no digit.

    Parameters
    ----------
    values : array_like, shape (count,), or mapping or pandas.Series
        What carries names goes by these.
    count : int
        How many there must be.
    plural : str
        The words for what they belong to, as in "edges".
    names : sequence, optional
        Names of what they belong to; by default 0 .. count-1.
    """
    thing = {"vertices": "vertex", "edges": "edge"}.get(plural, plural)
    values = _named.in_order(values, count, names, thing, "weight", WeightError)
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


def filled(values: Any) -> tuple[Any, int]:
    """Weights that an object holds, with 1 for each that is missing, and how many are.

    Parameters
    ----------
    values : list or array, or None
        Missing are None, NaN and pandas' NA.

    Returns
    -------
    values : list or array, or None
        None, which stands for 1 each, where all are missing.
    missing : int
        Number of weights that are missing among others that are not.

    Examples
    --------
    >>> filled([2, None]), filled([None, None])
    (([2, 1], 1), (None, 0))
    """
    if values is None:
        return None, 0
    if isinstance(values, np.ndarray) and values.dtype.kind in "biu":
        return values, 0
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        gaps = np.isnan(values)
        if not gaps.any():
            return values, 0
        values = np.where(gaps, values.dtype.type(1), values)
    else:
        values = values.tolist() if isinstance(values, np.ndarray) else values
        gaps = np.fromiter((_named.is_missing(value) for value in values), dtype=bool, count=len(values))
        if gaps.any():
            values = [1 if gap else value for gap, value in zip(gaps.tolist(), values, strict=True)]
    return (None, 0) if gaps.all() else (values, int(np.count_nonzero(gaps)))


def integer_weights(
    vertex: NDArray[Any],
    edge: NDArray[Any],
    vertex_words: Callable[[int], str],
    edge_words: Callable[[int], str],
) -> Weights:
    """Check the weights of a graph and bring them to int64.

    Whole numbers are taken as they are. Where some weight is not whole there is a scale: the smallest power
    of ten, up to 10**9, that makes every weight whole (when they were written with so few decimals and their
    total stays below 2**53); else the largest power of two, up to 2**1000, that is sure to keep the total
    below 2**60, with rounding to the nearest, a positive weight to 1 at least. The scale is that of the
    edges, and of the vertices too unless these are whole: balance counts in their unit.

    Parameters
    ----------
    vertex, edge : arrays of any type, one-dimensional
        Never written to, nor shared with the result.
    vertex_words, edge_words : callable
        From a position to the words for what the weight belongs to, as in "edge 0 -> 1".

    Raises
    ------
    WeightError
        Names the first weight that is negative, not finite or not below 2**63, or says that the totals pass
        `MAX_VERTEX_TOTAL` or `MAX_EDGE_TOTAL`.
    """
    vertex = _checked(vertex, vertex_words, "vertices")
    edge = _checked(edge, edge_words, "edges")
    vertex_scale = edge_scale = 1.0
    if vertex.dtype != np.int64:
        (vertex, edge), edge_scale = _scaled(vertex, edge)
        vertex_scale = edge_scale
    elif edge.dtype != np.int64:
        (edge,), edge_scale = _scaled(edge)
    _check_total(vertex, MAX_VERTEX_TOTAL, "vertices")
    _check_total(edge, MAX_EDGE_TOTAL, "edges")
    return Weights(vertex, edge, vertex_scale, edge_scale)


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


@overload
def unscaled(weight: NDArray[np.int64], scale: float) -> NDArray[Any]: ...


@overload
def unscaled(weight: float, scale: float) -> int | float: ...


def unscaled(weight: Any, scale: float) -> Any:
    """Integer weights, or sums of them, in the unit in which the caller gave his: the way out of the engine.

    Parameters
    ----------
    weight : int, float or int64[...]
        In the unit of `Weights`.
    scale : float
        That of the vertices or of the edges, whichever it is a weight of.

    Returns
    -------
    int, float or array
        What came in, where the scale is 1; else the float or float64 nearest to the quotient.

    Examples
    --------
    >>> unscaled(25, 100.0), unscaled(25, 1.0), unscaled(np.array([5, 20]), 10.0).tolist()
    (0.25, 25, [0.5, 2.0])
    """
    if scale == 1:
        return weight
    # Whole scales: Python rounds a quotient of integers once, however long they are.
    return weight / (scale if isinstance(weight, np.ndarray) else int(scale))


def scaled_down(weights: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Weights divided by a whole number so that their total is about `most`; a positive one stays positive.

    Examples
    --------
    >>> scaled_down(np.array([0, 1, 40, 60]), 50).tolist()
    [0, 1, 13, 20]
    """
    divisor = -(-exact_total(weights) // most)
    if divisor <= 1:
        return weights
    return np.maximum(weights // divisor, weights > 0)


def _check_total(weights: NDArray[np.int64], limit: int, plural: str) -> None:
    total = exact_total(weights)
    if total > limit:
        raise WeightError(
            f"the weights of all {plural} add up to {total}, above the limit {limit}: "
            "divide them by a common factor"
        )


def _checked(array: NDArray[Any], words: Callable[[int], str], plural: str) -> NDArray[Any]:
    """int64 when all weights are whole, else the floats they are."""
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    if array.dtype.kind in "OUS":
        array = _from_objects(array, words)
    kind = array.dtype.kind
    if kind not in "biuf":
        raise WeightError(f"weights of {plural} have the type {array.dtype}: give non-negative real numbers")
    if kind == "i":
        _refuse_first(array, array < 0, words, "it must not be negative")
    elif kind == "f":
        _refuse_first(array, ~((array >= 0) & (array < np.inf)), words, "it must be finite and not negative")
        if not np.array_equal(np.floor(array), array):
            return array
        # A double: in float16, 2**63 is no number.
        _refuse_first(array, array >= np.float64(2**63), words, "it must be below 2**63")
    elif array.dtype == np.uint64:
        _refuse_first(array, array > np.uint64(INT64_MAX), words, "it must be below 2**63")
    return array.astype(np.int64)


def _refuse_first(
    array: NDArray[Any], bad: NDArray[np.bool_], words: Callable[[int], str], rule: str
) -> None:
    if bad.any():
        position = int(bad.argmax())
        raise WeightError(f"{words(position)} has weight {array[position]!s}: {rule}")


def _from_objects(array: NDArray[Any], words: Callable[[int], str]) -> NDArray[Any]:
    checked = []
    for position, value in enumerate(array.tolist()):
        try:
            number = _number(value)
        except (ValueError, TypeError, OverflowError):
            raise WeightError(f"{words(position)} has weight {value!r}: it must be a real number") from None
        if not 0 <= number <= INT64_MAX:
            raise WeightError(f"{words(position)} has weight {value}: it must lie in 0 .. 2**63 - 1")
        checked.append(number)
    whole = all(isinstance(number, int) for number in checked)
    return np.array(checked, dtype=np.int64 if whole else np.float64)


def _number(value: Any) -> int | float:
    """An int where the value is whole, else a float."""
    if isinstance(value, numbers.Integral | np.bool_):
        return int(value)
    if not isinstance(value, numbers.Real | decimal.Decimal):
        raise TypeError
    exact: Any = value
    number = float(exact)
    return int(exact) if math.isfinite(number) and exact == int(exact) else number


def _scaled(*arrays: NDArray[Any]) -> tuple[list[NDArray[Any]], float]:
    """The weights times one scale, as integers."""
    tops = [array.max().item() if array.size else 0 for array in arrays]
    for decimals in _DECIMALS:
        factor = 10**decimals
        if any(top * factor * array.size > _EXACT_IN_DOUBLE for top, array in zip(tops, arrays, strict=True)):
            break
        scaled = [_times_decimal(array, factor) for array in arrays]
        whole = [array for array in scaled if array is not None]
        if len(whole) == len(arrays):
            return whole, float(factor)
    # By exponents alone: the total may be no finite float.
    bits = (_exponent(top) + array.size.bit_length() for top, array in zip(tops, arrays, strict=True))
    exponent = min(_SCALED_TOTAL_BITS - max(bits), _LARGEST_EXPONENT)
    if exponent < 0:
        raise WeightError(
            f"weights up to {max(tops)!s}, some of them not whole, do not fit in 64-bit integers: "
            "round them, or divide all by a common factor"
        )
    return [_times_power_of_two(array, exponent) for array in arrays], math.ldexp(1.0, exponent)


def _exponent(number: Any) -> int:
    """Some e with number < 2**e."""
    return number.bit_length() if isinstance(number, int) else int(np.frexp(number)[1])


def _wide(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.result_type(array.dtype, np.float64), copy=False)


def _times_decimal(array: NDArray[Any], factor: int) -> NDArray[Any] | None:
    """The weights times a power of ten, or None when that leaves some of them with a fraction."""
    if array.dtype == np.int64:
        return array * np.int64(factor)
    whole: NDArray[Any] = np.rint(_wide(array) * factor)
    # Division rounds correctly: this holds just for floats that are nearest to a decimal with these digits.
    if not np.array_equal((whole / factor).astype(array.dtype), array):
        return None
    integers: NDArray[np.int64] = whole.astype(np.int64)
    return integers


def _times_power_of_two(array: NDArray[Any], exponent: int) -> NDArray[Any]:
    if array.dtype == np.int64:
        return array << np.int64(exponent)
    scaled: NDArray[np.int64] = np.rint(np.ldexp(_wide(array), exponent)).astype(np.int64)
    scaled[(scaled == 0) & (array > 0)] = 1
    return scaled
