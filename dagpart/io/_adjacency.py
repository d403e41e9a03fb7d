"""Files with a line of neighbours for each vertex, under a header: METIS's layout."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagpart._text import Ragged, Text, read_ragged
from dagpart.dag import Digraph

_COMMENT = b"%"
# Digits of the header's third number: sizes of vertices, weights of vertices, weights of edges.
_CODES = (0, 1, 10, 11, 100, 101, 110, 111)


class Adjacency(NamedTuple):
    """Neighbours of every vertex, as they stand: `line` is that of each entry, ids count from 0.

    `vertex_weights` is None where the file has none; `constraints` is the number of weights a vertex has.
    """

    n: int
    edges: int
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    line: NDArray[np.int64]
    edge_weights: NDArray[np.int64]
    vertex_weights: NDArray[np.int64] | None
    constraints: int
    header_line: int


def read_adjacency(text: Text) -> Adjacency:
    """Read such a file; a blank line is a vertex without neighbours.

    Raises
    ------
    ParseError
        Names the line: the header is no header, there are fewer or more lines than vertices, an id is out of
        range or a weight is negative.
    """
    rows = read_ragged(text, _COMMENT, "the numbers of a vertex: weights and neighbours", blanks=True)
    header = int(np.argmax(np.diff(rows.start) > 0)) if rows.values.size else -1
    if header < 0:
        found = "an empty file" if not text.data.strip() else "the end of the file"
        raise text.error(text.last_line, found, "a header: numbers of vertices and edges")
    head = rows.values[rows.start[header] : rows.start[header + 1]].tolist()
    line = int(rows.lines[header])
    words = " ".join(map(str, head))
    if not 2 <= len(head) <= 4 or min(head) < 0:
        raise text.error(line, words, "a header: vertices, edges, and maybe a format and a number of weights")
    n, edges, code, constraints = head + [0, 1][len(head) - 2 :]
    if code not in _CODES:
        raise text.error(line, f"the format {code}", "one of 000, 001, 010, 011, 100, 101, 110, 111")
    if constraints < 1 or (constraints > 1 and not code // 10 % 10):
        raise text.error(
            line, f"{constraints} weights a vertex in the format {code:03}", "1, or 010 in the format"
        )
    body = _body(text, rows, header + 1, n, line)
    return _columns(text, body, (n, edges, code, constraints), line)


def _body(text: Text, rows: Ragged, first: int, n: int, header_line: int) -> Ragged:
    """The rows of the n vertices; blank lines that follow are no vertices."""
    there = len(rows.lines) - first
    wanted = f"{n} lines of vertices, as the header in line {header_line} says"
    if there < n:
        raise text.error(text.last_line, f"{there} lines below the header", wanted)
    surplus = np.flatnonzero(np.diff(rows.start[first + n :]))
    if surplus.size:
        raise text.error(int(rows.lines[first + n + surplus[0]]), "one more line with numbers", wanted)
    start = rows.start[first : first + n + 1]
    return Ragged(rows.lines[first : first + n], start - start[0], rows.values[start[0] : start[-1]])


def _columns(text: Text, body: Ragged, head: tuple[int, int, int, int], header_line: int) -> Adjacency:
    n, edges, code, constraints = head
    sized, weighed, costed = code // 100, code // 10 % 10, code % 10
    lead = sized + (constraints if weighed else 0)
    counts = np.diff(body.start)
    step = 1 + costed
    wrong = (counts < lead) | ((counts - lead) % step != 0)
    if wrong.any():
        row = int(wrong.argmax())
        wanted = f"{lead} weights" if lead else "neighbours"
        wanted += " and pairs of neighbour and weight" if costed else (" and neighbours" if lead else "")
        raise text.error(int(body.lines[row]), f"{counts[row]} numbers", f"{wanted} (format {code:03})")
    inside = np.arange(body.values.size) - np.repeat(body.start[:-1], counts)
    row_of = np.repeat(np.arange(n), counts)
    is_target = (inside >= lead) & ((inside - lead) % step == 0)
    target = body.values[is_target] - 1
    source = row_of[is_target]
    line = body.lines[source]
    outside = (target < 0) | (target >= n)
    if outside.any():
        place = int(outside.argmax())
        raise text.error(int(line[place]), f"the neighbour {target[place] + 1}", f"one from 1 to {n}")
    edge_weights = (
        body.values[np.flatnonzero(is_target) + 1] if costed else np.ones(target.size, dtype=np.int64)
    )
    _refuse_negative(text, edge_weights, line)
    vertex_weights = None
    if weighed:
        vertex_weights = body.values[inside == sized]
        _refuse_negative(text, vertex_weights, body.lines)
    return Adjacency(n, edges, source, target, line, edge_weights, vertex_weights, constraints, header_line)


def _refuse_negative(text: Text, weights: NDArray[np.int64], lines: NDArray[np.int64]) -> None:
    if (weights < 0).any():
        place = int((weights < 0).argmax())
        raise text.error(int(lines[place]), f"the weight {weights[place]}", "one that is not negative")


def write_adjacency(graph: Digraph, *, mirrored: bool) -> bytes:
    """The file of a graph: its successors, or with `mirrored` its neighbours in both directions."""
    ends = [(graph.edge_sources(), graph.indices, graph.edge_weights)]
    if mirrored:
        ends.append((graph.indices, graph.edge_sources(), graph.edge_weights))
    source, target, weights = (np.concatenate(parts) for parts in zip(*ends, strict=True))
    order = np.lexsort((target, source))
    bounds = np.concatenate(([0], np.cumsum(np.bincount(source, minlength=graph.n)))).tolist()
    weighed, costed = bool((graph.vertex_weights != 1).any()), bool((graph.edge_weights != 1).any())
    fields = (target[order] + 1).tolist()
    if costed:
        fields = [f"{v} {w}" for v, w in zip(fields, weights[order].tolist(), strict=True)]
    lines = [" ".join(map(str, fields[a:b])) for a, b in pairwise(bounds)]
    if weighed:
        lines = [f"{w} {line}".rstrip() for w, line in zip(graph.vertex_weights.tolist(), lines, strict=True)]
    code = f" 0{weighed:d}{costed:d}" if weighed or costed else ""
    return "\n".join([f"{graph.n} {graph.m}{code}", *lines, ""]).encode("ascii")
