"""Schedules of OneStopParallel, as DOT graphs.

A node has work_weight, comm_weight (the size of its output), proc, superstep, and cs, which lists the
messages of its output as ``(from,to,superstep)``; an edge has comm_weight. All are whole numbers. That is
taken from the schedules in that project's repository (tools/graphviz_visualization); its textual form of
schedules is left out, since no description of it was found.

A value goes once to each processor that needs it (charging ``"unique"``), at the end of a superstep from its
task's to the one before its first reader's. Supersteps that send nothing cost no L there:
``Platform(barriers="sending")``.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart._files import read_source
from dagpart._text import Text, show, whole
from dagpart.dag import Dag
from dagpart.errors import DagpartError
from dagpart.io.building import WEIGHT, parse_weight
from dagpart.io.dot import load_attributes
from dagpart.schedule.models import names_of
from dagpart.schedule.platform import Platform
from dagpart.schedule.problem import Charging, Problem
from dagpart.schedule.result import Schedule
from dagpart.schedule.simulation import simulate

__all__ = ["Assignment", "dump", "read_onestop"]

_MOST = 2**31 - 1
_MESSAGE = re.compile(r"\((\d{1,10}),(\d{1,10}),(\d{1,10})\)")


@dataclass(frozen=True, eq=False)
class Assignment:
    """Where and in which superstep each task of a graph runs.

    Attributes
    ----------
    graph : Dag
    processor, superstep : int32[n]
    outputs : float64[n]
        Size of what each task makes: what a message of it costs.
    sent : int32[m] or None
        Superstep at the end of which each edge's data are sent; None where the file does not tell, which
        stands for that of its tail.
    """

    graph: Dag
    processor: NDArray[np.int32]
    superstep: NDArray[np.int32]
    outputs: NDArray[np.float64]
    sent: NDArray[np.int32] | None = None

    @property
    def order(self) -> NDArray[np.int64]:
        """The tasks by superstep, in a topological order inside each: int64[n]."""
        place = np.empty(self.graph.n, np.int64)
        place[self.graph.order] = np.arange(self.graph.n)
        return np.lexsort((place, self.superstep))

    def schedule(self, platform: Platform | int, *, charging: Charging = "unique") -> Schedule:
        """What this costs on a platform, as it stands: nothing is moved to another superstep.

        Parameters
        ----------
        platform : Platform or int
            With ``barriers="sending"`` the makespan is the cost that OneStopParallel gives.
        charging : {"unique", "edge"}
            ``"unique"``, as there: the output of a task, of the size `outputs`, goes once to each processor.

        Returns
        -------
        Schedule

        Raises
        ------
        DagpartError
            There are not so many processors, or an argument is not as said.

        Examples
        --------
        >>> steps = np.array([0, 1], np.int32)
        >>> made = Assignment(Dag.from_edges([(0, 1)]), steps, steps, np.ones(2))
        >>> made.schedule(Platform.bsp(2, g=3, L=5, barriers="sending")).makespan
        10.0
        """
        graph = self.graph
        if charging == "unique":
            graph = graph.with_weights(edge_weights=self.outputs[graph.edge_sources()])
        problem = Problem.of(graph, platform, model="bsp", charging=charging)
        return simulate(
            problem, self.processor, self.order, superstep=self.superstep, message_superstep=self.sent
        )


def read_onestop(path: str | os.PathLike[str]) -> Assignment:
    """Read a schedule of OneStopParallel; `Assignment.schedule` says what it costs.

    Parameters
    ----------
    path : str or path-like
        The file, maybe gzip; ``"-"`` is standard input.

    Raises
    ------
    ParseError
        The file is no DOT graph, a node has no proc and superstep, or a list of messages is damaged.
    NotADagError
        The graph has a cycle.
    DagpartError
        An edge runs back to an earlier superstep, or to another processor in the same one; or messages are
        listed, but one that is needed is missing, comes too late, is of no use, or starts where the task does
        not run.
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
    loaded, found = load_attributes(source, "proc", "superstep", "comm_weight", "cs")
    graph = Dag.from_any(loaded.graph)
    processor, superstep = (_column(text, graph, name, found[name]) for name in ("proc", "superstep"))
    tail, head = graph.edge_sources(), graph.indices
    first = superstep[tail] + (processor[tail] != processor[head])
    if (superstep[head] < first).any():
        e = int((superstep[head] < first).argmax())
        u, v = (f"{graph.name(w)} in superstep {superstep[w]}" for w in (tail[e], head[e]))
        raise DagpartError(f"{text.name}: the edge from {u} to {v} comes too early")
    outputs = _outputs(text, graph, found["comm_weight"])
    sent = _sent(text, graph, processor, superstep, found["cs"])
    return Assignment(graph, processor, superstep, outputs, sent)


def _outputs(text: Text, graph: Dag, values: list[str | None]) -> NDArray[np.float64]:
    """Size of each task's output: its own comm_weight, else that of its heaviest edge."""
    outputs = np.ones(graph.n)
    some = np.diff(graph.indptr) > 0
    if graph.m:
        heaviest = np.maximum.reduceat(graph.edge_weights, graph.indptr[:-1][some])
        outputs[some] = heaviest / graph.weight_scale
    for v, value in enumerate(values):
        if value is not None:
            size = parse_weight(value)
            if size is None:
                found = show(value.encode("utf-8", "surrogatepass"))
                raise text.error(None, found, f"comm_weight of node {graph.name(v)}: {WEIGHT}")
            outputs[v] = size
    return outputs


def _sent(
    text: Text,
    graph: Dag,
    processor: NDArray[np.int32],
    superstep: NDArray[np.int32],
    values: list[str | None],
) -> NDArray[np.int32] | None:
    """Superstep in which each edge's data are sent, by the lists of messages; None where there is none."""
    if all(value is None for value in values):
        return None
    listed: dict[tuple[int, int], int] = {}
    for v, value in enumerate(values):
        for source, destination, step in _messages(text, graph, v, value or ""):
            name = f"{text.name}: the message of {graph.name(v)} to processor {destination}"
            if source != processor[v]:
                raise DagpartError(
                    f"{name} starts on processor {source}, but the task runs on {processor[v]}: data that "
                    "a third processor passes on have no place here"
                )
            if (v, destination) in listed:
                raise DagpartError(f"{name} is listed twice")
            listed[v, destination] = step
    sent: NDArray[np.int32] = superstep[graph.edge_sources()]
    used: set[tuple[int, int]] = set()
    ends = zip(graph.edge_sources().tolist(), graph.indices.tolist(), strict=True)
    for e, (u, v) in enumerate(ends):
        pair = u, int(processor[v])
        if processor[u] == pair[1]:
            continue
        given = listed.get(pair)
        if given is None or not superstep[u] <= given < superstep[v]:
            told = "is not listed" if given is None else f"goes in superstep {given}"
            raise DagpartError(
                f"{text.name}: the message of {graph.name(u)} to processor {pair[1]} {told}, but it is made "
                f"in superstep {superstep[u]}, and {graph.name(v)} needs it there in superstep {superstep[v]}"
            )
        used.add(pair)
        sent[e] = given
    for u, destination in listed:
        if (u, destination) not in used:
            raise DagpartError(
                f"{text.name}: the message of {graph.name(u)} to processor {destination} is of no use there"
            )
    return sent


def _messages(text: Text, graph: Dag, v: int, value: str) -> list[tuple[int, int, int]]:
    """The messages of a list such as ``[(0,1,0);(0,2,3)]``."""
    body = value.strip().removeprefix("[").removesuffix("]").strip()
    triples = [part.strip() for part in body.split(";") if part.strip()]
    messages = []
    for triple in triples:
        found = _MESSAGE.fullmatch(triple.replace(" ", ""))
        numbers = [int(number) for number in found.groups()] if found else []
        if not found or max(numbers) > _MOST:
            wrong = show(triple.encode("utf-8", "surrogatepass"))
            raise text.error(None, wrong, f"cs of node {graph.name(v)}: messages (from,to,superstep)")
        messages.append((numbers[0], numbers[1], numbers[2]))
    return messages


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
        The model is another one, or some work or size is no whole number, which OneStopParallel would cut.

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
        with_supersteps = names_of(lambda model: model.has_supersteps)
        raise DagpartError(
            f'OneStopParallel knows supersteps only: take model={with_supersteps}, not "{problem.model}"'
        )
    graph = problem.graph
    _refuse_fractions(problem)
    outputs = np.ones(problem.n)
    some = np.diff(graph.indptr) > 0
    outputs[some] = np.maximum.reduceat(problem.sizes, graph.indptr[:-1][some]) if graph.m else outputs[some]
    sent: list[list[str]] = [[] for _ in range(problem.n)]
    phase = step[m.producer] if m.superstep is None else m.superstep
    # Of messages for several edges between the same two processors the first serves all there.
    routes: dict[tuple[int, int, int], int] = {}
    columns = (m.producer, m.source, m.destination, phase)
    for producer, source, destination, s in zip(*(c.tolist() for c in columns), strict=True):
        route = producer, source, destination
        routes[route] = min(s, routes.get(route, s))
    for (producer, source, destination), s in sorted(routes.items()):
        sent[producer].append(f"({source},{destination},{s})")
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


def _refuse_fractions(problem: Problem) -> None:
    tails, heads = problem.graph.edge_sources(), problem.graph.indices
    name = problem.graph.name
    cases: tuple[tuple[NDArray[np.float64], Any], ...] = (
        (problem.work, lambda v: f"the work of task {name(v)}"),
        (
            problem.sizes,
            lambda e: f"the size of the edge from {name(int(tails[e]))} to {name(int(heads[e]))}",
        ),
    )
    for values, words in cases:
        wrong = np.flatnonzero(values != np.floor(values))
        if wrong.size:
            i = int(wrong[0])
            raise DagpartError(
                f"{words(i)} is {values[i]:g}, but OneStopParallel cuts weights to whole numbers: "
                "multiply all work, sizes and L until they are whole"
            )


def _number(value: float) -> str:
    return str(int(value))
