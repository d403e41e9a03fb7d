"""Workflows of scientific computing: tasks with runtimes, and edges that carry files."""

from __future__ import annotations

from collections import defaultdict

from dagpart._text import Text, show
from dagpart.dag import Digraph
from dagpart.io.building import from_arrays
from dagpart.units import Units


class Workflow:
    """Collects what a file tells of a workflow.

    Parameters
    ----------
    text : Text
        The file, for messages.
    """

    def __init__(self, text: Text) -> None:
        self._text = text
        self._index: dict[str, int] = {}
        self._runtimes: list[int | float | None] = []
        # Edges may come before the tasks they name; a dict keeps each once, in order.
        self._edges: dict[tuple[str, str], int | None] = {}
        self._reads: defaultdict[str, dict[str, int | float | None]] = defaultdict(dict)
        self._writes: defaultdict[str, dict[str, int | float | None]] = defaultdict(dict)
        self._sizes: dict[str, int | float] = {}
        self._bare = 0

    def task(self, name: str, line: int | None, runtime: int | float | None) -> None:
        """A task that has not been told yet."""
        if self._index.setdefault(name, len(self._index)) != len(self._runtimes):
            raise self._text.error(
                self._line(line, name), f"the task {show(name.encode())} for the second time", "another name"
            )
        self._runtimes.append(runtime)

    def knows(self, name: str) -> bool:
        """Whether there is a task of this name."""
        return name in self._index

    def edge(self, parent: str, child: str, line: int | None) -> None:
        """A dependency; told twice, it is one."""
        self._edges.setdefault((parent, child), line)

    def uses(self, task: str, file: str, *, reads: bool, writes: bool, size: int | float | None) -> None:
        """A file that a task reads or writes."""
        if reads:
            self._reads[task][file] = size
        if writes:
            self._writes[task][file] = size

    def size(self, file: str, size: int | float) -> None:
        """The size of a file, whoever uses it."""
        self._sizes[file] = size

    def graph(self) -> Digraph:
        """The graph: an edge weighs the files that its tail writes and its head reads; else 1 each.

        Runtimes are seconds and sizes bytes; weights that stand for neither have no unit.
        """
        source, target, weights = [], [], []
        for (parent, child), line in self._edges.items():
            for name in (parent, child):
                if name not in self._index:
                    raise self._text.error(
                        self._line(line, name),
                        f"the task {show(name.encode())}",
                        "a task that is in the file",
                    )
            source.append(self._index[parent])
            target.append(self._index[child])
            weights.append(self._carried(parent, child))
        # Files that nobody shares say nothing, and edges of weight 0 only would leave nothing to minimise.
        told = any(weights)
        self._bare = sum(not weight for weight in weights) if told else len(weights)
        times = [1 if time is None else time for time in self._runtimes]
        graph = from_arrays(len(times), source, target, weights if told else None, times, list(self._index))
        timed = any(time is not None for time in self._runtimes)
        return graph.measured(Units(time=1.0 if timed else None, data=1.0 if told else None))

    def _line(self, line: int | None, name: str) -> int | None:
        """The line of something; where the reader keeps none, the first that has the name in quotes."""
        return self._text.line_of(f'"{name}"') if line is None else line

    def _carried(self, parent: str, child: str) -> int | float:
        written, read = self._writes.get(parent), self._reads.get(child)
        if not written or not read:
            return 0
        if len(read) < len(written):
            shared = [file for file in read if file in written]
        else:
            shared = [file for file in written if file in read]
        total: int | float = 0
        for file in shared:
            # Writers know the size best; where they do not tell it, readers may.
            sizes = (self._sizes.get(file), written[file], read[file])
            total += next((size for size in sizes if size is not None), 0)
        return total

    def notes(self) -> list[str]:
        """What a user should know; to be asked after `graph`."""
        notes = []
        if self._bare:
            weight = 0 if self._bare < len(self._edges) else 1
            notes.append(f"edges along which no file passes, taken to weigh {weight}: {self._bare}")
        if (bare := sum(time is None for time in self._runtimes)) and bare < len(self._runtimes):
            notes.append(f"tasks without a runtime among others that have one, taken to weigh 1: {bare}")
        return notes
