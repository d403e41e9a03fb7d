"""Workflows of WfCommons (.json): WfFormat 1.4 to 1.6.

The format is that of https://github.com/wfcommons/WfFormat: 1.5 and 1.6 keep tasks and files apart from what
a run measured, 1.4 has all in the tasks. Before, 1.0 and 1.1 had jobs for tasks, and files in KB. Source: T.
Coleman, H. Casanova, L. Pottier, M. Kaushik, E. Deelman, R. Ferreira da Silva, "WfCommons: A framework for
enabling scientific workflow research and development", FGCS 128, 2022.
"""

from __future__ import annotations

from typing import Any

from dagpart._files import Source
from dagpart._json import member, members, parse_json
from dagpart._text import Text
from dagpart.io._workflow import Workflow
from dagpart.io.building import json_weight
from dagpart.io.formats import Format, Loaded

# Their files do not say the unit in the name of a member, as those since 1.4 do.
_UNTOLD_UNITS = ("1.2", "1.3")


def load(source: Source) -> Loaded:
    """Read a workflow: vertices weigh the tasks' runtimes, edges the bytes of the files that pass along them.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    ParseError
        The document is no workflow, or one of a version before tasks were called tasks; names the line where
        it can.

    Examples
    --------
    >>> tasks = b'[{"id": "a", "children": ["b"], "parents": []}, {"id": "b"}]'
    >>> load(Source("w.json", b'{"workflow": {"specification": {"tasks": ' + tasks + b'}}}')).graph
    Dag(n=2, m=1)
    """
    text = Text.of(source)
    document = parse_json(text, source)
    workflow_json = member(text, document, "workflow", dict)
    version = document.get("schemaVersion")
    if "jobs" in workflow_json and "tasks" not in workflow_json:
        found = f"jobs: WfFormat {version if isinstance(version, str) else '1.1 or before'}, with files in KB"
        raise text.error(text.line_of('"jobs"'), found, "WfFormat 1.4 to 1.6, with tasks and files in bytes")
    workflow = Workflow(text)
    notes = []
    if "specification" in workflow_json:
        tasks = _read_split(text, workflow_json, workflow)
    else:
        tasks = _read_joined(text, workflow_json, workflow)
        if version in _UNTOLD_UNITS:
            notes.append(f"WfFormat {version}: sizes of files are taken for bytes, runtimes for seconds")
    _read_edges(text, tasks, workflow)
    graph = workflow.graph()
    return Loaded(graph, FORMAT.name, notes=(*notes, *workflow.notes()))


def _read_split(text: Text, document: dict[str, Any], workflow: Workflow) -> list[dict[str, Any]]:
    """WfFormat 1.5: a specification, and maybe an execution."""
    specification = member(text, document, "specification", dict)
    execution = member(text, document, "execution", dict, {})
    runtimes = {_name(text, run): run for run in members(text, execution, "tasks", dict, [])}
    tasks = members(text, specification, "tasks", dict)
    for task in tasks:
        name = _name(text, task)
        workflow.task(name, None, _number(text, runtimes.get(name, {}), "runtimeInSeconds", name))
        for file in members(text, task, "inputFiles", str, []):
            workflow.uses(name, file, reads=True, writes=False, size=None)
        for file in members(text, task, "outputFiles", str, []):
            workflow.uses(name, file, reads=False, writes=True, size=None)
    for entry in members(text, specification, "files", dict, []):
        file = member(text, entry, "id", str)
        size = _number(text, entry, "sizeInBytes", file)
        if size is not None:
            workflow.size(file, size)
    return tasks


def _read_joined(text: Text, document: dict[str, Any], workflow: Workflow) -> list[dict[str, Any]]:
    """WfFormat 1.4: everything in the tasks."""
    tasks = members(text, document, "tasks", dict)
    for task in tasks:
        name = _name(text, task)
        workflow.task(name, None, _number(text, task, "runtimeInSeconds", name, "runtime"))
        for entry in members(text, task, "files", dict, []):
            file = member(text, entry, "name" if "name" in entry else "id", str)
            link = member(text, entry, "link", str, "")
            size = _number(text, entry, "sizeInBytes", file, "size")
            workflow.uses(name, file, reads=link == "input", writes=link == "output", size=size)
    return tasks


def _read_edges(text: Text, tasks: list[dict[str, Any]], workflow: Workflow) -> None:
    """Parents and children, told on either side; in old files by the name of a task that has an id, too."""
    ids: dict[str, str] = {}
    for task in tasks:
        if isinstance(task.get("name"), str):
            ids.setdefault(task["name"], _name(text, task))
    for task in tasks:
        name = _name(text, task)
        for key, before in (("parents", True), ("children", False)):
            for other in members(text, task, key, str, []):
                known = other if workflow.knows(other) else ids.get(other, other)
                workflow.edge(*((known, name) if before else (name, known)), None)


def _name(text: Text, task: dict[str, Any]) -> str:
    return member(text, task, "id" if "id" in task else "name", str)


def _number(
    text: Text, entry: dict[str, Any], key: str, owner: str, old: str | None = None
) -> int | float | None:
    value = entry.get(key, entry.get(old) if old else None)
    return None if value is None else json_weight(text, value, owner)


FORMAT = Format(
    "wfformat",
    (".json",),
    load,
    members=lambda names: "workflow" in names and "nodes" not in names,
)
