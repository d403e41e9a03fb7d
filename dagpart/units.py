"""Units of time and of data: what weights are measured in, and quantities such as ``1GB/s``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from dagpart.errors import DagpartError

__all__ = ["GIGABIT", "Units", "bandwidth_in", "bandwidth_words", "seconds", "time_in"]

GIGABIT = 125e6
"""Bytes a second of a link of gigabit Ethernet."""

_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_DATA = {
    **{f"{prefix}B": factor for prefix, factor in _PREFIXES.items()},
    "KB": 1e3,
    **{f"{prefix}iB": 1024.0**power for power, prefix in enumerate("KMGT", 1)},
    **{f"{prefix}bit": factor / 8 for prefix, factor in _PREFIXES.items()},
}
_QUANTITY = re.compile(r"\s*((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(\S*)\s*")


@dataclass(frozen=True)
class Units:
    """What the weights of a graph are measured in, where its source says so.

    Attributes
    ----------
    time : float or None
        Seconds in a unit of vertex weight.
    data : float or None
        Bytes in a unit of edge weight.
    bandwidth : float
        Bytes a second that a link carries where nobody says: that of gigabit Ethernet, unless the source
        tells of another network.

    Examples
    --------
    >>> Units(time=1.0, data=1.0).link
    125000000.0
    >>> Units(time=1.0).link is None
    True
    """

    time: float | None = None
    data: float | None = None
    bandwidth: float = GIGABIT

    @property
    def link(self) -> float | None:
        """`bandwidth` in units of edge weight a unit of time; None where one of these is not known."""
        if self.time is None or self.data is None:
            return None
        return self.bandwidth * self.time / self.data


def seconds(unit: str | float) -> float:
    """Seconds in a unit of time: a name, or a number of seconds.

    Parameters
    ----------
    unit : str or float
        ``"ns"``, ``"us"``, ``"ms"``, ``"s"``, ``"min"`` or ``"h"``, maybe behind a number; or a number.

    Raises
    ------
    DagpartError
        It is neither, or not positive.

    Examples
    --------
    >>> seconds("ms"), seconds("2 min"), seconds(60)
    (0.001, 120.0, 60.0)
    """
    wanted = f"a unit of time: one of {', '.join(_SECONDS)}, or a number of seconds"
    if isinstance(unit, str):
        if unit.strip() in _SECONDS:
            return _SECONDS[unit.strip()]
        number, name = _split(unit, wanted)
        if name and name not in _SECONDS:
            raise DagpartError(f"{unit!r} is not {wanted}")
        value = number * (_SECONDS[name] if name else 1.0)
    else:
        try:
            value = float(unit)
        except (TypeError, ValueError):
            raise DagpartError(f"{unit!r} is not {wanted}") from None
    if not (math.isfinite(value) and value > 0):
        raise DagpartError(f"{unit!r} is not {wanted}: it must be finite and positive")
    return value


def bandwidth_in(text: str, units: Units | None) -> float:
    """A bandwidth in units of edge weight a unit of time.

    Parameters
    ----------
    text : str
        A number, which stands as it is, or one with a unit, as in ``1GB/s``, ``100 MiB/s``, ``10Gbit/s``.
    units : Units or None
        Of the graph; edges whose unit is not known are taken to weigh bytes.

    Raises
    ------
    DagpartError
        It is no bandwidth, or has a unit where the graph's unit of time is not known.

    Examples
    --------
    >>> bandwidth_in("1GB/s", Units(time=1.0, data=1.0)), bandwidth_in("2.5", None)
    (1000000000.0, 2.5)
    """
    wanted = "a bandwidth: a number, or one with a unit, as in 1GB/s, 100MiB/s or 10Gbit/s"
    number, name = _split(text, wanted)
    if not name:
        return number
    amount, slash, period = name.partition("/")
    if not slash or amount not in _DATA or period not in _SECONDS:
        raise DagpartError(f"{text!r} is not {wanted}")
    data = 1.0 if units is None or units.data is None else units.data
    return number * _DATA[amount] / _SECONDS[period] * _unit_of_time(text, units) / data


def time_in(text: str, units: Units | None) -> float:
    """A time in the unit of the vertex weights.

    Parameters
    ----------
    text : str
        A number, which stands as it is, or one with a unit, as in ``50us``.
    units : Units or None
        Of the graph.

    Raises
    ------
    DagpartError
        It is no time, or has a unit where the graph's is not known.

    Examples
    --------
    >>> time_in("50ms", Units(time=1.0))
    0.05
    """
    wanted = f"a time: a number, or one with a unit out of {', '.join(_SECONDS)}"
    number, name = _split(text, wanted)
    if not name:
        return number
    if name not in _SECONDS:
        raise DagpartError(f"{text!r} is not {wanted}")
    return number * _SECONDS[name] / _unit_of_time(text, units)


def bandwidth_words(rate: float) -> str:
    """A bandwidth in bytes a second, for people.

    Examples
    --------
    >>> bandwidth_words(125e6), bandwidth_words(1e10)
    ('125 MB/s', '10 GB/s')
    """
    prefix = next((p for p in reversed(_PREFIXES) if rate >= _PREFIXES[p]), "")
    return f"{rate / _PREFIXES[prefix]:g} {prefix}B/s"


def _split(text: str, wanted: str) -> tuple[float, str]:
    """The number and the unit behind it, which may be empty."""
    found = _QUANTITY.fullmatch(text)
    if found is None:
        raise DagpartError(f"{text!r} is not {wanted}")
    return float(found[1]), found[2]


def _unit_of_time(text: str, units: Units | None) -> float:
    if units is None or units.time is None:
        raise DagpartError(
            f"{text!r}: nothing says in what unit of time the vertex weights are; say it (--time-unit ms), "
            "or leave the unit away, for a number in the graph's own"
        )
    return units.time
