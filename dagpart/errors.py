"""What can go wrong, as types: every error of the package derives from `DagpartError`."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable

__all__ = [
    "BalanceWarning",
    "DagpartError",
    "DirectionWarning",
    "DownloadError",
    "InfeasibleError",
    "InvalidScheduleError",
    "MissingDependencyError",
    "NotADagError",
    "ParseError",
    "ToolError",
    "WeightError",
]

# A cycle can have a million vertices; a message that long helps nobody.
_SHOWN = 12


def cycle_words(names: Iterable[Hashable]) -> str:
    """Names around a cycle, and the first one again; most of a long one left out.

    Examples
    --------
    >>> cycle_words(["a", "b"])
    'a -> b -> a'
    """
    shown = [str(name) for name in names]
    if len(shown) > _SHOWN:
        shown = [*shown[: _SHOWN - 1], "...", shown[-1]]
    return " -> ".join([*shown, *shown[:1]])


class DagpartError(ValueError):
    """The input or the request is wrong; base class of the package's errors.

    Examples
    --------
    >>> issubclass(NotADagError, DagpartError) and issubclass(DagpartError, ValueError)
    True
    """


class NotADagError(DagpartError):
    """A graph that has to be acyclic has a directed cycle.

    Parameters
    ----------
    cycle : iterable of hashable
        Names of the vertices around the cycle; each has an edge to the next and the last one to the first.

    Attributes
    ----------
    cycle : list of hashable

    Examples
    --------
    >>> print(NotADagError(["a", "b"]))
    the graph has a cycle: a -> b -> a (2 edges); drop an edge, or merge each cycle with on_cycle="condense"
    """

    def __init__(self, cycle: Iterable[Hashable]) -> None:
        self.cycle: list[Hashable] = list(cycle)
        # `args` holds what the constructor takes, so that the error survives pickling between processes.
        super().__init__(self.cycle)

    def __str__(self) -> str:
        return (
            f"the graph has a cycle: {cycle_words(self.cycle)} ({len(self.cycle)} edges); drop an edge, "
            'or merge each cycle with on_cycle="condense"'
        )


class InfeasibleError(DagpartError):
    """No partition can satisfy the request.

    Parameters
    ----------
    message : str
        Names what stands in the way.
    smallest_imbalance : float, optional
        The smallest tolerance that would do, where a larger tolerance is the cure.
    smallest_max_weight : int or float, optional
        The lowest cap on the weight of a part that would do, where a higher cap is the cure.

    Attributes
    ----------
    smallest_imbalance, smallest_max_weight
        As given, or None.

    Examples
    --------
    >>> InfeasibleError("vertex 3 weighs more than a part may", 0.25).smallest_imbalance
    0.25
    """

    def __init__(
        self,
        message: str,
        smallest_imbalance: float | None = None,
        smallest_max_weight: int | float | None = None,
    ) -> None:
        self.smallest_imbalance = smallest_imbalance
        self.smallest_max_weight = smallest_max_weight
        super().__init__(message, smallest_imbalance, smallest_max_weight)

    def __str__(self) -> str:
        return str(self.args[0])


class InvalidScheduleError(DagpartError):
    """A schedule that cannot happen.

    Parameters
    ----------
    violations : iterable of str
        What is wrong with it, in words; at least one.

    Attributes
    ----------
    violations : list of str

    Examples
    --------
    >>> print(InvalidScheduleError(["task 3 starts twice"]))
    the schedule cannot happen: task 3 starts twice
    """

    def __init__(self, violations: Iterable[str]) -> None:
        self.violations: list[str] = list(violations)
        super().__init__(self.violations)

    def __str__(self) -> str:
        shown = self.violations[:_SHOWN]
        more = len(self.violations) - len(shown)
        return "the schedule cannot happen: " + "; ".join([*shown, f"and {more} more"] if more else shown)


class ParseError(DagpartError):
    """A file does not hold what its format asks for.

    Parameters
    ----------
    path : str, path or None
        The file; None for a stream without a name.
    line : int or None
        Line number, from 1; None where the format has no lines.
    found, expected : str
        What stands there, and what should.

    Attributes
    ----------
    path, line, found, expected
        As given.

    Examples
    --------
    >>> print(ParseError("graph.mtx", 3, "two fields", "row, column and value"))
    graph.mtx:3: found two fields; expected row, column and value
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, line: int | None, found: str, expected: str
    ) -> None:
        self.path = path
        self.line = line
        self.found = found
        self.expected = expected
        super().__init__(path, line, found, expected)

    def __str__(self) -> str:
        place = "<input>" if self.path is None else os.fspath(self.path)
        if self.line is not None:
            place += f":{self.line}"
        return f"{place}: found {self.found}; expected {self.expected}"


class MissingDependencyError(DagpartError):
    """An optional package is needed that is not installed.

    Parameters
    ----------
    package : str
        The package.
    extra : str
        The extra of dagpart that brings it.
    purpose : str
        What it is needed for.

    Examples
    --------
    >>> print(MissingDependencyError("pooch", "datasets", "to fetch matrices"))
    the package pooch is needed to fetch matrices; install it with: pip install "dagpart[datasets]"
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        self.package = package
        self.extra = extra
        self.purpose = purpose
        super().__init__(package, extra, purpose)

    def __str__(self) -> str:
        return (
            f"the package {self.package} is needed {self.purpose}; "
            f'install it with: pip install "dagpart[{self.extra}]"'
        )


class DownloadError(DagpartError):
    """Something could not be fetched, or is not what it should be.

    Parameters
    ----------
    url : str
        Where it was asked for.
    reason : str
        What went wrong, and what to do about it.

    Examples
    --------
    >>> print(DownloadError("https://example.org/a.tar.gz", "the server has no such file"))
    https://example.org/a.tar.gz: the server has no such file
    """

    def __init__(self, url: str, reason: str) -> None:
        self.url = url
        self.reason = reason
        super().__init__(url, reason)

    def __str__(self) -> str:
        return f"{self.url}: {self.reason}"


class ToolError(DagpartError):
    """Another program or library failed: it crashed, took too long or gave no partition.

    Parameters
    ----------
    tool : str
        Its name.
    reason : str
        What happened.

    Examples
    --------
    >>> print(ToolError("KaHIP", "crashed (SIGSEGV)"))
    KaHIP: crashed (SIGSEGV)
    """

    def __init__(self, tool: str, reason: str) -> None:
        self.tool = tool
        self.reason = reason
        super().__init__(tool, reason)

    def __str__(self) -> str:
        return f"{self.tool}: {self.reason}"


class WeightError(DagpartError):
    """A weight is no non-negative finite number, or weights do not fit in 64-bit integers.

    Examples
    --------
    >>> print(WeightError("vertex 3 has weight -1"))
    vertex 3 has weight -1
    """


class BalanceWarning(UserWarning):
    """Some part is heavier than the tolerance allows: the partition is the least overloaded one found."""


class DirectionWarning(UserWarning):
    """A lower triangular matrix was taken for an adjacency: its parts run in the reverse order of a solve."""
