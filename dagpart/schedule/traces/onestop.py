"""Schedules of OneStopParallel, as DOT graphs.

A node has work_weight, comm_weight (the size of its output), proc, superstep, and cs, which lists the
messages of its output as ``(from,to,superstep)``; an edge has comm_weight. That is taken from the schedules
in that project's repository (tools/graphviz_visualization); its textual form of schedules is left out, since
no description of it was found.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dagpart._files import read_source
from dagpart._text import Text, show, whole
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.io.dot import load_attributes
from dagpart.schedule.result import Schedule

__all__ = ["Assignment", "dump", "read_onestop"]

_MOST = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Assignment:
    """Where and in which superstep each task of a graph runs.

    Attributes
    ----------
    graph : Dag
    processor, superstep : int32[n]
    """

    graph: Dag
    processor: NDArray[np.int32]
    superstep: NDArray[np.int32]

    @property
    def order(self) -> NDArray[np.int64]:
        """The tasks by superstep, in a topological order inside each: int64[n]."""
        place = np.empty(self.graph.n, np.int64)
        place[self.graph.order] = np.arange(self.graph.n)
        return np.lexsort((place, self.superstep))


def read_onestop(path: str | os.PathLike[str]) -> Assignment:
    """Read a schedule of OneStopParallel.

    Its lists of messages are passed over: data go in the superstep that makes them here.

    Parameters
    ----------
    path : str or path-like
        The file, maybe gzip; ``"-"`` is standard input.

    Raises
    ------
    ParseError
        The file is no DOT graph, or a node has no proc and superstep.
    NotADagError
        The graph has a cycle.
    DagpartError
        An edge runs back to an earlier superstep, or to another processor in the same one.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".dot") as file:
    ...     _ = file.write('digraph { 0 [proc="0";superstep="0"]; 1 [proc="1";superstep="1"]; 0 -> 1 }')
    ...     file.flush()
    ...     read_onestop(file.name).superstep
    array([0, 1], dtype=int32)
    """
    source = read_source(path)
    text = Text.of(source)
    loaded, found = load_attributes(source, "proc", "superstep")
    graph = Dag.from_any(loaded.graph)
    processor, superstep = (_column(text, graph, name, found[name]) for name in ("proc", "superstep"))
    tail, head = graph.edge_sources(), graph.indices
    first = superstep[tail] + (processor[tail] != processor[head])
    if (superstep[head] < first).any():
        e = int((superstep[head] < first).argmax())
        u, v = (f"{graph.name(w)} in superstep {superstep[w]}" for w in (tail[e], head[e]))
        raise DagpartError(f"{text.name}: the edge from {u} to {v} comes too early")
    return Assignment(graph, processor, superstep)


def _column(text: Text, graph: Dag, name: str, values: list[str | None]) -> NDArray[np.int32]:
    numbers = np.empty(graph.n, np.int32)
    for v, value in enumerate(values):
        number = None if value is None else whole(value.encode("utf-8", "surrogatepass"))
        if number is None or not 0 <= number <= _MOST:
            found = "no value" if value is None else show(value.encode("utf-8", "surrogatepass"))
            expected = f"{name} of node {graph.name(v)}: a whole number, not negative"
            raise text.error(None, found, expected)
        numbers[v] = number
    return numbers


def dump(schedule: Schedule) -> bytes:
    """The file of a schedule under the model ``"bsp"``; nodes are called by the ids of the tasks.

    Raises
    ------
    DagpartError
        The model is another one.

    Examples
    --------
    >>> from dagpart.schedule import Messages, Problem
    >>> problem = Problem.of([(0, 1)], 1, model="bsp")
    >>> start, step = np.array([0.0, 1.0]), np.zeros(2, np.int32)
    >>> serial = Schedule(problem, np.zeros(2, np.int32), start, start + 1, Messages.none(), step)
    >>> print(dump(serial).decode(), end="")
    digraph G {
    0[work_weight="1";comm_weight="1";proc="0";superstep="0";];
    1[work_weight="1";comm_weight="1";proc="0";superstep="0";];
    0->1 [comm_weight="1";];
    }
    """
    problem, step, m = schedule.problem, schedule.superstep, schedule.messages
    if step is None:
        raise DagpartError(f'OneStopParallel knows supersteps only: take model="bsp", not "{problem.model}"')
    graph = problem.graph
    outputs = np.ones(problem.n)
    some = np.diff(graph.indptr) > 0
    outputs[some] = np.maximum.reduceat(problem.sizes, graph.indptr[:-1][some]) if graph.m else outputs[some]
    sent: list[list[str]] = [[] for _ in range(problem.n)]
    routes = np.unique(np.column_stack((m.producer, m.source, m.destination)), axis=0)
    for producer, source, destination in routes.tolist():
        sent[producer].append(f"({source},{destination},{step[producer]})")
    work, sizes = problem.work.tolist(), outputs.tolist()
    lines = ["digraph G {"]
    for v in range(problem.n):
        cs = f'cs="[{";".join(sent[v])}]";' if sent[v] else ""
        lines.append(
            f'{v}[work_weight="{_number(work[v])}";comm_weight="{_number(sizes[v])}";'
            f'proc="{schedule.processor[v]}";superstep="{step[v]}";{cs}];'
        )
    edges = zip(graph.edge_sources().tolist(), graph.indices.tolist(), problem.sizes.tolist(), strict=True)
    lines += [f'{u}->{v} [comm_weight="{_number(size)}";];' for u, v, size in edges]
    return "\n".join([*lines, "}", ""]).encode("ascii")


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
