"""Generators by name, with parameters told as text: what the command line and data set names need."""

from __future__ import annotations

import inspect
import os
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self, Union

from dagpart.dag import Dag
from dagpart.errors import DagpartError

_REQUIRED = inspect.Parameter.empty
_FILE = "a file or the name of a data set"
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class _Reading(NamedTuple):
    """One way to read a text, and what it is called; `read` raises ValueError or KeyError if it is none."""

    what: str
    read: Callable[[str], Any]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a generator.

    Attributes
    ----------
    name : str
    default : object
        What the generator takes when nothing is said; meaningless when `required`.
    required : bool
    readings : sequence
        The ways to read its value from a text, to be tried in turn.
    """

    name: str
    default: Any
    required: bool
    readings: Sequence[_Reading]

    @property
    def what(self) -> str:
        """The values that it takes, in words.

        Examples
        --------
        >>> from dagpart.generate import GENERATORS
        >>> GENERATORS["grid2d"].parameters["order"].what
        'natural | random'
        """
        return " | ".join(reading.what for reading in self.readings)

    @property
    def is_file(self) -> bool:
        """Whether its value says where to look, so that the same value may give another graph tomorrow.

        Examples
        --------
        >>> from dagpart.generate import GENERATORS
        >>> GENERATORS["grid2d"].parameters["rows"].is_file
        False
        """
        return any(reading.what == _FILE for reading in self.readings)

    def parse(self, text: str) -> Any:
        """The value that a text stands for.

        Raises
        ------
        DagpartError
            If it stands for none.

        Examples
        --------
        >>> from dagpart.generate import GENERATORS
        >>> GENERATORS["grid2d"].parameters["rows"].parse("500")
        500
        """
        for reading in self.readings:
            try:
                return reading.read(text)
            except (ValueError, KeyError):
                continue
        raise DagpartError(f"{self.name}={text}: it must be {self.what}")


@dataclass(frozen=True)
class Generator:
    """A generator as the registry knows it.

    Attributes
    ----------
    name : str
    summary : str
        One line.
    make : callable
        From keyword arguments to a `Dag`.
    parameters : dict of str to Parameter
        Those that can be told as text.
    """

    name: str
    summary: str
    make: Callable[..., Dag]
    parameters: Mapping[str, Parameter]

    @classmethod
    def of(
        cls,
        function: Callable[..., Dag],
        name: str,
        summary: str | None = None,
        sizes: Mapping[str, int] | None = None,
    ) -> Self:
        """What a function's signature and documentation say.

        Parameters
        ----------
        function : callable
            Parameters of types that no text stands for are left out.
        name : str
        summary : str, optional
            Default: the first line of the documentation.
        sizes : dict of str to int, optional
            Names and defaults of integers that the function takes as ``**sizes``.

        Examples
        --------
        >>> from dagpart.generate import grid3d
        >>> list(Generator.of(grid3d, "grid3d").parameters)
        ['nx', 'ny', 'nz', 'order', 'weights', 'seed']
        """
        inner = inspect.unwrap(getattr(function, "func", function))
        hints = typing.get_type_hints(inner)
        whole = tuple(_readings(int))
        parameters = {size: Parameter(size, value, False, whole) for size, value in (sizes or {}).items()}
        for parameter in inspect.signature(function).parameters.values():
            readings = tuple(_readings(hints[parameter.name]))
            if readings and parameter.kind is not parameter.VAR_KEYWORD:
                required = parameter.default is _REQUIRED
                parameters[parameter.name] = Parameter(parameter.name, parameter.default, required, readings)
        return cls(name, summary or _first_line(inner), function, parameters)

    def parse(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Arguments for `make` from texts: all parameters, those that are not told at their defaults.

        Raises
        ------
        DagpartError
            If there is no such parameter, a text is no value for it, or one that has no default is missing.

        Examples
        --------
        >>> from dagpart.generate import GENERATORS
        >>> GENERATORS["fft"].parse({"points": "8"})
        {'points': 8, 'weights': 'unit'}
        """
        known = ", ".join(self.parameters)
        for name in texts:
            if name not in self.parameters:
                raise DagpartError(f"{self.name} has no parameter {name}; it has {known}")
        missing = [p.name for p in self.parameters.values() if p.required and p.name not in texts]
        if missing:
            raise DagpartError(f"{self.name} needs a value for {', '.join(missing)}")
        return {
            name: parameter.parse(texts[name]) if name in texts else parameter.default
            for name, parameter in self.parameters.items()
        }


def _first_line(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0]


def _readings(annotation: Any) -> Iterable[_Reading]:
    """The ways to read a value of a type from a text; none where no text stands for it."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation is os.PathLike or origin is os.PathLike:
        yield _Reading(_FILE, str)
    elif origin in (Union, types.UnionType):
        readings = [reading for argument in arguments for reading in _readings(argument)]
        # A text that may be a path is one: what else a word could mean in its place, no type says.
        yield from [r for r in readings if r.what == _FILE] or readings
    elif origin is Literal:
        for value in arguments:
            yield _Reading(str(value), {str(value): value}.__getitem__)
    elif isinstance(origin, type) and issubclass(origin, Iterable):
        for item in _readings(arguments[0]):
            yield _Reading(f"{item.what},{item.what},...", _list_reader(item.read))
    elif annotation is bool:
        yield _Reading("true | false", lambda text: _TRUTH[text.lower()])
    elif annotation is int:
        yield _Reading("a whole number", int)
    elif annotation is float:
        yield _Reading("a number", float)
    elif annotation is str:
        yield _Reading("a text", str)


def _list_reader(read: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    return lambda text: [read(item) for item in text.split(",")]
