"""Packages whose names are loaded when they are first asked for (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def on_demand(
    package: str, homes: Mapping[str, Iterable[str]], modules: Iterable[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package that imports nothing at its start.

    Type checkers cannot follow them: the package repeats its names as imports under TYPE_CHECKING.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping
        For modules of the package the public names that each gives.
    modules : iterable of str
        Modules of the package that are found as its attributes.

    Examples
    --------
    >>> getattr_, dir_ = on_demand("dagpart", {"errors": ["NotADagError"]}, ["metrics"])
    >>> getattr_("NotADagError").__module__
    'dagpart.errors'
    """
    namespace = vars(sys.modules[package])
    home_of = {name: home for home, names in homes.items() for name in names}
    own = frozenset(modules)

    def load(name: str) -> Any:
        if name in own:
            return import_module(f"{package}.{name}")
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home_of[name]}"), name)
        # Found at once from now on.
        namespace[name] = value
        return value

    def names() -> list[str]:
        return sorted({*namespace["__all__"], *filter(_is_special, namespace)})

    return load, names


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
