"""Values that carry the names they belong to: mappings, and Series and frames of pandas.

These go by name, never by position: a Series that was sorted means what it meant before.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from numpy.typing import ArrayLike

from dagpart.errors import DagpartError

Values: TypeAlias = ArrayLike | Mapping[Any, Any]
"""One for each vertex or edge: in their order, or in a mapping or a Series by name."""


def is_named(values: object) -> bool:
    """Whether the values say what each of them belongs to.

    Examples
    --------
    >>> is_named({"a": 1}), is_named([1])
    (True, False)
    """
    return isinstance(values, Mapping) or _is_pandas(values, "Series", "DataFrame")


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None, NaN, or what pandas has for that.

    Examples
    --------
    >>> [is_missing(value) for value in (None, float("nan"), 0, "")]
    [True, True, False, False]
    """
    if value is None or type(value).__name__ == "NAType":
        return True
    try:
        differs = value != value
        return bool(differs) if getattr(differs, "shape", ()) == () else False
    except (TypeError, ValueError, ArithmeticError):
        return False


def keys_of(values: Any) -> list[Hashable]:
    """The names that the values carry, in their order.

    Examples
    --------
    >>> keys_of({"a": 1, "b": 2})
    ['a', 'b']
    """
    return list(values if isinstance(values, Mapping) else values.index)


def as_dict(values: Any, what: str) -> dict[Hashable, Any]:
    """A mapping or a Series as a dict.

    Parameters
    ----------
    values : mapping or pandas.Series
    what : str
        The word for the values in an error, as in "weight".

    Raises
    ------
    DagpartError
        A Series has two values for one name.
    """
    if isinstance(values, Mapping):
        return dict(values)
    _positions(keys_of(values), what, DagpartError)
    return dict(zip(values.index, values.tolist(), strict=True))


def in_order(
    values: Any,
    n: int,
    names: Sequence[Hashable] | None,
    thing: str,
    what: str,
    error: type[DagpartError] = DagpartError,
) -> Any:
    """Values in the order of n things: those that carry names by these, others as they are.

    Parameters
    ----------
    values : object
    n : int
    names : sequence of n hashable, or None
        None stands for 0 .. n-1.
    thing, what, error
        As for `arranged`.

    Examples
    --------
    >>> in_order({1: "b", 0: "a"}, 2, None, "vertex", "label"), in_order("ab", 2, None, "vertex", "label")
    (['a', 'b'], 'ab')
    """
    if not is_named(values):
        return values
    return arranged(values, range(n) if names is None else names, thing, what, error)


def arranged(
    values: Any,
    names: Sequence[Hashable],
    thing: str,
    what: str,
    error: type[DagpartError] = DagpartError,
) -> Any:
    """Named values in the order of the names.

    Parameters
    ----------
    values : mapping, pandas.Series or pandas.DataFrame
        A value, or a row, for each name and for nothing else.
    names : sequence
    thing : str
        What has the names, as in "vertex".
    what : str
        What a value is to it, as in "weight".
    error : type
        Of what is raised.

    Returns
    -------
    list or array
        An array, of the type of the values, where pandas holds them.

    Raises
    ------
    DagpartError
        A name has no value, or more than one, or a value belongs to nothing.

    Examples
    --------
    >>> arranged({"b": 2, "a": 1}, ["a", "b"], "vertex", "weight")
    [1, 2]
    """
    keys = keys_of(values)
    if keys == list(names):
        # Also where names are not told apart, such as those of the rows of a frame.
        order = list(range(len(keys)))
    else:
        position = _positions(keys, what, error)
        order = [position.get(name, -1) for name in names]
        hint = "" if isinstance(values, Mapping) else " (an array goes by position: .to_numpy())"
        if -1 in order:
            name = names[order.index(-1)]
            raise error(f"{thing} {name!r} has no {what}: values with names go by these{hint}")
        if len(order) < len(keys):
            known = set(names)
            stranger = next(key for key in keys if key not in known)
            raise error(f"there is a {what} for {stranger!r}, but no {thing} is called that{hint}")
    if isinstance(values, Mapping):
        held = list(values.values())
        return [held[i] for i in order]
    return values.to_numpy()[order]


def _positions(keys: Iterable[Hashable], what: str, error: type[DagpartError]) -> dict[Hashable, int]:
    position: dict[Hashable, int] = {}
    for i, key in enumerate(keys):
        if position.setdefault(key, i) != i:
            raise error(f"there are two values of {what} for {key!r}: give one for each name")
    return position


def _is_pandas(values: object, *kinds: str) -> bool:
    # Whoever holds an object of pandas has imported it.
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(values, tuple(getattr(pandas, kind) for kind in kinds))
