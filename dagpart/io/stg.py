"""Standard Task Graphs (.stg).

The format is the one of T. Tobita and H. Kasahara, "A standard task graph set for fair evaluation of
multiprocessor scheduling algorithms", Journal of Scheduling 5(5), 2002: the number of tasks, not counting a
dummy entry and exit; then a line for each task with its number, its time, the number of its predecessors and
those. With communication, each predecessor is followed by its cost, in the same line or in a line of its own.
What follows # is a comment.
"""

from __future__ import annotations

import numpy as np

from dagpart._files import Source
from dagpart._text import Ragged, Text, read_ragged
from dagpart.io.building import from_arrays
from dagpart.io.formats import Format, Loaded

_COMMENT = b"#"
_FORM = "a task: its number, its time, the number of its predecessors, and these"
_DUMMIES = 2


def load(source: Source) -> Loaded:
    """Read a standard task graph; vertices weigh their times, edges their costs or 1.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    ParseError
        The file is damaged; names the line.

    Examples
    --------
    >>> loaded = load(Source("chain.stg", b"1\\n0 0 0\\n1 7 1 0\\n2 0 1 1\\n"))
    >>> loaded.graph, loaded.graph.vertex_weights.tolist()
    (Dag(n=3, m=2), [0, 7, 0])
    """
    text = Text.of(source)
    rows = read_ragged(text, _COMMENT, _FORM)
    if not len(rows.lines):
        found = "an empty file" if not text.data.strip() else "comments only"
        raise text.error(text.last_line, found, "the number of tasks")
    head = rows.values[: rows.start[1]].tolist()
    # The prototype of the format has the number of processors behind that of tasks.
    if len(head) > 2 or head[0] < 0:
        raise text.error(int(rows.lines[0]), " ".join(map(str, head)), "the number of tasks")
    return _read_tasks(text, rows, head[0])


def _read_tasks(text: Text, rows: Ragged, announced: int) -> Loaded:
    numbers, times, task_lines = [], [], []
    edges: list[tuple[int, int, int]] = []
    edge_lines: list[int] = []
    row, last = 1, len(rows.lines)
    while row < last:
        fields = rows.values[rows.start[row] : rows.start[row + 1]].tolist()
        line = int(rows.lines[row])
        row += 1
        if len(fields) < 3 or min(fields) < 0:
            raise text.error(line, " ".join(map(str, fields)), _FORM)
        number, time, count, *rest = fields
        if rest or not count:
            step = 2 if len(rest) == 2 * count and count else 1
            if len(rest) != step * count:
                raise text.error(
                    line, f"{len(rest)} numbers after the count {count}", f"{count} predecessors"
                )
            pairs = zip(rest[::step], rest[1::step] if step == 2 else [1] * count, strict=True)
            edges += [(predecessor, number, cost) for predecessor, cost in pairs]
            edge_lines += [line] * count
        else:
            if last - row < count:
                raise text.error(
                    text.last_line, "the end of the file", f"{count} predecessors of task {number}"
                )
            for place in range(row, row + count):
                pair = rows.values[rows.start[place] : rows.start[place + 1]].tolist()
                if len(pair) != 2 or min(pair) < 0:
                    raise text.error(
                        int(rows.lines[place]), " ".join(map(str, pair)), "a predecessor and its cost"
                    )
                edges.append((pair[0], number, pair[1]))
                edge_lines.append(int(rows.lines[place]))
            row += count
        numbers.append(number)
        times.append(time)
        task_lines.append(line)
    n = len(numbers)
    if not announced <= n <= announced + _DUMMIES:
        wanted = f"{announced}, or up to {_DUMMIES} more for dummies, as line {rows.lines[0]} says"
        raise text.error(text.last_line, f"{n} tasks", wanted)
    position: dict[int, int] = {}
    for number, line in zip(numbers, task_lines, strict=True):
        place = len(position)
        if position.setdefault(number, place) != place:
            raise text.error(line, f"task {number} for the second time", "one line for each task")
    for (predecessor, _, _), line in zip(edges, edge_lines, strict=True):
        if predecessor not in position:
            raise text.error(line, f"the predecessor {predecessor}", "the number of a task in this file")
    ends = np.array([(position[u], position[v]) for u, v, _ in edges], dtype=np.int64).reshape(-1, 2)
    names = None if numbers == list(range(n)) else numbers
    graph = from_arrays(n, ends[:, 0], ends[:, 1], [cost for _, _, cost in edges], times, names)
    return Loaded(graph, FORMAT.name)


FORMAT = Format("stg", (".stg",), load)
