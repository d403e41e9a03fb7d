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
# Since 1.7 Terraform writes plain addresses of resources, which so many other things may be called, and this.
_TERRAFORM_RANKDIR = "RL"
_ADDRESS = re.compile(
    r"(module\.[\w-]+(\[[^\]]*\])?\.)*(data\.|ephemeral\.)?[a-z]\w*\.[A-Za-z_][\w-]*(\[.*\])?$"
)
# Names of graphs that a tool always uses.
_GRAPH_NAMES = {"mygraph": "Bazel", "dependencies": "Cargo"}
_LOOKED_AT = 1000


def tool_of(names: Iterable[object], graph_name: str = "", rankdir: str = "") -> str | None:
    """The tool that more than half of the names look like, if there is one.

    Parameters
    ----------
    names : iterable
        Of vertices, maybe with labels; the first thousand are looked at.
    graph_name : str
        What the file calls the graph.
    rankdir : str
        The direction in which the file wants it drawn, in Graphviz's terms.

    Examples
    --------
    >>> tool_of(["//app:main", "//lib:core", "@com_google_absl//absl/strings:strings"])
    'Bazel'
    >>> tool_of(["load", "solve"]) is None
    True
    """
    words = [name for name in islice(names, _LOOKED_AT) if isinstance(name, str)]
    patterns = list(_TOOLS.items())
    if rankdir == _TERRAFORM_RANKDIR:
        patterns.append(("Terraform", _ADDRESS))
    for tool, pattern in patterns:
        hits = sum(pattern.match(word) is not None for word in words)
        if hits and (2 * hits > len(words) or (_GRAPH_NAMES.get(graph_name) == tool)):
            return tool
    return None
