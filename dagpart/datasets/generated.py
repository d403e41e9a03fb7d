"""Data sets that are made here: by a generator with parameters, or as a member of a family."""

from __future__ import annotations

import re
from typing import Any

from dagpart.dag import Dag
from dagpart.datasets import cache
from dagpart.datasets.families import FAMILIES, member
from dagpart.datasets.published import DIGESTS
from dagpart.errors import DagpartError
from dagpart.generate import GENERATORS
from dagpart.io.formats import Loaded

_FAMILY = "family"
_FORMAT = "generated"
_PARAMETER = re.compile(r":(?=\w+=)")


def knows(name: str) -> bool:
    """Whether the name is for this module."""
    return name.partition(":")[0] in {_FAMILY, *(known.partition(":")[0] for known in GENERATORS)}


def names() -> tuple[str, ...]:
    """Data sets with a name of their own: generators that need no parameters, and families by size."""
    plain = [name for name, g in GENERATORS.items() if not any(p.required for p in g.parameters.values())]
    sized = [f"{_FAMILY}:{name}_{number}" for name, family in FAMILIES.items() for number in family.sized]
    return (*plain, *sized)


def load(name: str, *, edge_weights: str = "values", **options: Any) -> Loaded:
    """Make the data set, or take it out of the cache."""
    if options:
        option = next(iter(options)).rstrip("_")
        raise DagpartError(f"{name} is made as a graph: there is nothing to choose with {option}")
    graph = _graph(name)
    return Loaded(
        graph if edge_weights == "values" else graph.with_weights(edge_weights=edge_weights), _FORMAT
    )


def _graph(name: str) -> Dag:
    source, _, rest = name.partition(":")
    if source == _FAMILY:
        return cache.graph(name, lambda: member(rest))
    # A value may have colons of its own, since it may be the name of a data set.
    called, *told = _PARAMETER.split(name)
    generator = GENERATORS.get(called)
    if generator is None:
        alike = ", ".join(known for known in GENERATORS if known.startswith(f"{source}:"))
        wanted = f"there is {alike}" if alike else f"parameters look like {source}:name=value"
        raise DagpartError(f"there is no data set {name!r}; {wanted}")
    texts: dict[str, str] = {}
    for parameter, _, value in (words.partition("=") for words in told):
        if parameter in texts:
            raise DagpartError(f"{name} says {parameter} more than once")
        texts[parameter] = value
    arguments = generator.parse(texts)
    if any(generator.parameters[parameter].is_file for parameter in texts):
        return generator.make(**arguments)
    # In full, so that all ways to say the same share a file, and other defaults make another.
    full = ":".join([generator.name, *(f"{key}={value}" for key, value in arguments.items())])
    return cache.graph(full, lambda: generator.make(**arguments), DIGESTS.get(full))
