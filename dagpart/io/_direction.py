"""Tools whose edges point from a task to what it needs, told by the names they give."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

_TOOLS = {
    "Terraform": re.compile(r'\[root\] |provider\["'),
    "Bazel": re.compile(r"@{0,2}[\w.~+-]*//[^:]*:\S"),
    "Cargo": re.compile(r"(registry|git|path)\+\S+://|[A-Za-z0-9_-]+ v?\d+\.\d+\.\d+\S*( \(.*\))?$"),
}
# Names of graphs that a tool always uses.
_GRAPH_NAMES = {"mygraph": "Bazel", "dependencies": "Cargo"}
_LOOKED_AT = 1000


def tool_of(names: Iterable[object], graph_name: str = "") -> str | None:
    """The tool that more than half of the names look like, if there is one.

    Parameters
    ----------
    names : iterable
        Of vertices, maybe with labels; the first thousand are looked at.
    graph_name : str
        What the file calls the graph.

    Examples
    --------
    >>> tool_of(["//app:main", "//lib:core", "@com_google_absl//absl/strings:strings"])
    'Bazel'
    >>> tool_of(["load", "solve"]) is None
    True
    """
    words = [name for name in islice(names, _LOOKED_AT) if isinstance(name, str)]
    for tool, pattern in _TOOLS.items():
        hits = sum(pattern.match(word) is not None for word in words)
        if hits and (2 * hits > len(words) or (_GRAPH_NAMES.get(graph_name) == tool)):
            return tool
    return None
