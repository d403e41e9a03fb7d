"""Dask: collections and high-level graphs, whose keys become the names."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from dagpart._entries import Held
from dagpart.adaptors._adaptor import Adaptor, attribute_of, entries
from dagpart.errors import DagpartError

if TYPE_CHECKING:
    from dagpart.search.result import Partition


def _holds(library: Any, graph: object) -> bool:
    high_level = sys.modules.get("dask.highlevelgraph")
    return library.is_dask_collection(graph) or (
        high_level is not None and isinstance(graph, high_level.HighLevelGraph)
    )


def _take(graph: Any, edge: str | None, vertex: str | None) -> Held:
    """Tasks by their keys; an edge runs from a task to each that uses its result."""
    from dask.core import get_deps

    for asked, things in ((edge, "edges"), (vertex, "tasks")):
        attribute_of((), asked, f"{things} of a Dask graph")
    tasks = _tasks(graph)
    needed, _ = get_deps(tasks)
    position = {key: i for i, key in enumerate(tasks)}
    pairs = [(position[key], i) for i, task in enumerate(tasks) for key in needed[task]]
    return Held(entries(len(tasks), (u for u, _ in pairs), (v for _, v in pairs), tasks))


def _tasks(graph: Any) -> dict[Any, Any]:
    """Tasks by key, each with all that it needs."""
    tasks = dict(graph if isinstance(graph, Mapping) else graph.__dask_graph__())
    for key, task in tasks.items():
        # What was written as a tuple does not tell keys that are not there from other values.
        absent = sorted(map(repr, set(getattr(task, "dependencies", ())) - tasks.keys()))
        if absent:
            raise DagpartError(
                f"the task {key!r} needs {absent[0]}, which this Dask graph does not hold: give all tasks"
            )
    return tasks


def _write_back(graph: Any, result: Partition, labels: list[int], attribute: str) -> dict[Hashable, int]:
    return dict(zip(_tasks(graph), labels, strict=True))


ADAPTOR = Adaptor("dask", "dask", _holds, _take, _write_back)
