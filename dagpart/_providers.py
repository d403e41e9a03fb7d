"""Where graphs come from that only modules further up can make: files, data sets, other libraries.

`Digraph.from_any` takes a path, and `dagpart.io.read` the name of a data set; but what reads files, makes
data sets and knows other libraries is built on graphs, and stands above them. So each has a provider here, to
which ``dagpart/__init__`` gives the names of a module and of its function; nothing is imported for that.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["Provider", "find_adaptor", "load_named", "names_a_graph", "read_file"]


class Provider:
    """A function of a module further up, which is imported when the function is first called.

    Examples
    --------
    >>> largest = Provider()
    >>> largest.fill("builtins", "max")
    >>> largest(2, 3)
    3
    """

    def __init__(self) -> None:
        self._module = self._function = ""

    def fill(self, module: str, function: str) -> None:
        """Say which function this is."""
        self._module, self._function = module, function

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call it."""
        return getattr(import_module(self._module), self._function)(*arguments, **options)


read_file = Provider()
"""From a path and a format's options to a `Digraph`."""

find_adaptor = Provider()
"""From an object to the adaptor for it, or None."""

names_a_graph = Provider()
"""From a text to whether it is the name of a data set."""

load_named = Provider()
"""From the name of a data set to what `dagpart.io.load` returns for a file."""
