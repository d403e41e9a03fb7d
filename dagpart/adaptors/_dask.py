"""Dask: collections and high-level graphs, whose keys become the names."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from dagpart._entries import Held
from dagpart.adaptors._adaptor import Adaptor, entries, parts_by_name

if TYPE_CHECKING:
    from dagpart.search.result import Partition


def _holds(library: Any, graph: object) -> bool:
    high_level = sys.modules.get("dask.highlevelgraph")
    return library.is_dask_collection(graph) or (
        high_level is not None and isinstance(graph, high_level.HighLevelGraph)
    )


def _take(graph: Any) -> Held:
    """Tasks by their keys; an edge runs from a task to each that uses its result."""
    from dask.core import get_deps

    tasks = dict(graph if isinstance(graph, Mapping) else graph.__dask_graph__())
    needed, _ = get_deps(tasks)
    position = {key: i for i, key in enumerate(tasks)}
    pairs = [(position[key], i) for i, task in enumerate(tasks) for key in needed[task]]
    return Held(entries(len(tasks), (u for u, _ in pairs), (v for _, v in pairs), tasks))


def _write_back(graph: Any, result: Partition, attribute: str) -> dict[Hashable, int]:
    return parts_by_name(result)


ADAPTOR = Adaptor("dask", "dask", _holds, _take, _write_back)
