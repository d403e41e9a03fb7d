"""Graphviz DOT files (.dot, .gv), as dagP, SimGrid, daggen, OneStopParallel, StarPU, Terraform and others
write them.

The language is that of https://graphviz.org/doc/info/lang.html, read by a tokenizer and a loop of its own
because no maintained parser does the job (bench/dot_parsers.py: CPU time for 30,000 nodes and 100,000 edges
with attributes on a shared x86-64 core, 2026). pydot 4.0.1 takes 23 s for 10,000 of the edges. rustworkx
0.18.1 takes 0.5 s, but refuses ``color=white`` as a statement and ``{a b} -> c``, which StarPU and Terraform
write. pygraphviz 2.0.4, Graphviz's own parser, takes 3.1 s, but on a chain of 500,000 nodes in one statement
it says "memory exhausted" on standard error and hands back a graph of one node as if nothing had happened,
and it refuses names above 16 kB. This module takes 1.7 s; the tests compare it with pygraphviz.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from dagpart._arguments import check_choice
from dagpart._files import Source
from dagpart._text import Text, show
from dagpart.dag import Digraph
from dagpart.errors import DagpartError, ParseError
from dagpart.io._direction import tool_of
from dagpart.io.building import WEIGHT, Builder, parse_weight, plain_weights, text_names
from dagpart.io.formats import Format, Loaded

# The first that is there counts: what dagP and NetworkX, OneStopParallel, SimGrid and daggen call the weight.
_VERTEX_KEYS = ("weight", "work", "work_weight", "size")
_EDGE_KEYS = ("weight", "comm", "comm_weight", "size")
# A word of many meanings: where it is no number, it is not meant as a weight.
_VAGUE_KEY = "size"
_WEIGHT_KEYS = frozenset((*_VERTEX_KEYS, *_EDGE_KEYS))
_KEPT = _WEIGHT_KEYS.union(("label", "key", "rankdir"))
_MAX_PRODUCT = 2**24
# What is known of the weight of an edge.
_UNTOLD, _TOLD, _EMPTY = range(3)

_TOKEN = re.compile(
    r"""(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/|(?:\A|(?<=\n))\#[^\n]*)*+
    (?: (?P<id>(?>[A-Za-z_\x80-\U0010ffff][0-9A-Za-z_\x80-\U0010ffff]*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)))
        (?=[\s\ufeff{}\[\];,=:+"<]|//|/\*|->|--|\Z)
      | "(?P<quoted>[^"\\]*(?:\\.[^"\\]*)*)"
      | (?P<op>->|--|[{}\[\];,=:+])
      | (?P<html><)
      | (?P<end>\Z) )""",
    re.VERBOSE | re.DOTALL,
)
# What someone who left out the quotes means by a name.
_BARE = re.compile(r"[0-9A-Za-z_.\x80-\U0010ffff-](?:(?!->|--|//|/\*)[^\s{}\[\];,=:+\"<>])*")
_ANGLE = re.compile(r"[<>]")
_ESCAPED = re.compile(r'\\(\\|"|\n)')
_KEYWORDS = frozenset({"strict", "graph", "digraph", "node", "edge", "subgraph"})


def load(source: Source, *, edge_weights: Literal["unit", "values"] = "values") -> Loaded:
    """Read a DOT graph; names of nodes become names of vertices.

    Weights are the attributes ``weight``, ``work``, ``work_weight`` or ``size`` of nodes, and ``weight``,
    ``comm``, ``comm_weight`` or ``size`` of edges, the first that is there and not empty; 1 without any. A
    ``size`` that is no number is passed over. A negative ``size`` of an edge is SimGrid's mark for an edge
    that carries nothing, and counts as 0. As in Graphviz, two edges are one with the attributes of both, of
    which the later count, where the graph is ``strict`` or the two have the same ``key``; and a subgraph that
    is opened again by name, inside the same one, holds what it held. Lists of nodes, ``a, b -> c``, may hold
    subgraphs, too.

    Parameters
    ----------
    source : Source
        The file.
    edge_weights : {"unit", "values"}
        "unit" looks at no attribute of an edge.

    Raises
    ------
    ParseError
        The text is not DOT, or a weight is none; names the line.

    Examples
    --------
    >>> loaded = load(Source("g.dot", b'digraph { "a:b" -> {c d} [weight=2]; c [work=7] }'))
    >>> loaded.graph, loaded.graph.names, loaded.graph.vertex_weights.tolist()
    (Dag(n=3, m=2), ('a:b', 'c', 'd'), [1, 7, 1])
    """
    return load_attributes(source, edge_weights=edge_weights)[0]


def load_attributes(
    source: Source, *names: str, edge_weights: Literal["unit", "values"] = "values"
) -> tuple[Loaded, dict[str, list[str | None]]]:
    """The graph as `load` reads it, and further attributes of its nodes.

    Parameters
    ----------
    source : Source
        The file.
    *names : str
        Attributes.
    edge_weights : {"unit", "values"}
        As for `load`.

    Returns
    -------
    Loaded, dict
        The values of each attribute, one for each vertex; None where a node has none.

    Raises
    ------
    ParseError
        As for `load`.

    Examples
    --------
    >>> load_attributes(Source("g.dot", b'digraph { a [proc="1"]; a -> b }'), "proc")[1]
    {'proc': ['1', None]}
    """
    check_choice(edge_weights, "edge_weights", ("unit", "values"))
    text = Text.of(source)
    if not text.data.strip():
        raise text.error(1, "an empty file", "a graph: digraph { ... }")
    parser = _Parser(text, names, weighed=edge_weights != "unit")
    parser.run()
    notes = []
    if not parser.directed:
        notes.append("undirected: every edge is taken to run from the node that is named first to the other")
    if empty := parser.told.count(_EMPTY):
        notes.append(f"edges of a negative size, taken for edges that carry nothing: {empty}")
    if 0 < (bare := parser.told.count(_UNTOLD)) < len(parser.told):
        notes.append(f"edges without a weight among others that have one, taken to weigh 1: {bare}")
    if parser.idle:
        notes.append(
            f"subgraphs with a weight behind them, which DOT gives to none of their nodes: {parser.idle}"
        )
    if parser.vague:
        line, value = parser.vague[0]
        more = f", and {len(parser.vague) - 1} more" if len(parser.vague) > 1 else ""
        notes.append(f"size={value} in line {line} is no number{more}: passed over")
    tool = tool_of(parser.builder.index, parser.name, parser.rankdir) or tool_of(parser.labels, parser.name)
    graph = parser.builder.build()
    found: dict[str, list[str | None]] = {name: [None] * graph.n for name in names}
    # Nodes that are called 0 .. n-1 are numbered by name, others in the order in which they come.
    ids = list(parser.builder.index) if graph.names is None else range(graph.n)
    for vertex, name, value in parser.further:
        found[name][int(ids[vertex])] = value  # type: ignore[call-overload]
    return Loaded(graph, FORMAT.name, notes=tuple(notes), reversed_by=tool), found


Attributes = dict[str, tuple[str, int]]
"""Values of attributes, each with the place where it stands."""


@dataclass(eq=False)
class _Subgraph:
    """A graph or subgraph: what it sets by default, the nodes named in it, and the subgraphs in it."""

    node_defaults: Attributes = field(default_factory=dict)
    edge_defaults: Attributes = field(default_factory=dict)
    members: dict[int, None] = field(default_factory=dict)
    inner: list[_Subgraph] = field(default_factory=list)
    named: dict[str, _Subgraph] = field(default_factory=dict)


@dataclass
class _Frame:
    """A subgraph that is open: all defaults that hold in it, and the statement that it is in.

    `chain` has nodes and subgraphs for each end between arrows; `joins` says that a comma came last.
    """

    subgraph: _Subgraph
    node_defaults: Attributes
    edge_defaults: Attributes
    chain: list[list[int | _Subgraph]] = field(default_factory=list)
    joins: bool = False

    def add(self, end: int | _Subgraph) -> None:
        """Put a node or a subgraph to the end that the statement is at."""
        if self.joins:
            self.chain[-1].append(end)
        else:
            self.chain.append([end])
        self.joins = False


class _Parser:
    """One pass over the tokens, with a stack of open subgraphs in place of recursion."""

    kind: str
    word: str
    start: int

    def __init__(self, text: Text, names: Collection[str] = (), *, weighed: bool = True) -> None:
        self.text = text
        self.kept = _KEPT.union(names)
        self.names = names
        self.weighed = weighed
        self.further: list[tuple[int, str, str]] = []
        self.chars = text.decoded()
        self.position = 0
        self.builder = Builder()
        self.ranks: dict[int, int] = {}
        self.labels: list[str] = []
        self.name = ""
        self.rankdir = ""
        self.directed = True
        self.strict = False
        # Edges that a later statement may mean again: the place of each, and its attributes.
        self.single: dict[tuple[int, int, str], tuple[int, Attributes]] = {}
        self.told = bytearray()
        self.vague: list[tuple[int, str]] = []
        self.product = 0
        self.idle = 0

    # ------------------------------------------------------------------ tokens

    def _advance(self) -> None:
        """Make the next token the current one: its kind, what it says, and where it starts."""
        found = _TOKEN.match(self.chars, self.position)
        if found is None:
            start = self.position
            while start < len(self.chars) and self.chars[start].isspace():
                start += 1
            if bare := _BARE.match(self.chars, start):
                raise self._error(start, f'a name in quotes: "{bare[0]}"')
            raise self._error(start, "a name, a sign of the language, or the end of a quoted text or comment")
        kind = found.lastgroup
        assert kind is not None
        self.kind, self.word, self.start = kind, found[kind], found.start(kind)
        self.position = found.end()
        if kind == "html":
            self.position = self._html_end(self.start)
            self.word = self.chars[self.start : self.position]
        elif kind == "id" and self.word.lower() in _KEYWORDS:
            self.kind, self.word = "keyword", self.word.lower()

    def _html_end(self, start: int) -> int:
        depth = 0
        for bracket in _ANGLE.finditer(self.chars, start):
            depth += 1 if bracket[0] == "<" else -1
            if depth == 0:
                return bracket.end()
        raise self._error(start, "an HTML text with as many > as <")

    def _sees(self, sign: str) -> bool:
        return self.kind == "op" and self.word == sign

    def _take(self, sign: str) -> bool:
        """Whether the current token is this sign, which is then passed."""
        if self.kind == "op" and self.word == sign:
            self._advance()
            return True
        return False

    def _error(self, position: int, wanted: str) -> ParseError:
        line = 1 + self.chars.count("\n", 0, position)
        rest = self.chars[position : position + 60].split("\n", 1)[0]
        if position >= len(self.chars.rstrip()):
            line, found = self.text.last_line, "the end of the file"
        else:
            found = show(rest.encode("utf-8", "surrogatepass"))
        return self.text.error(line, found, wanted)

    def _id(self, wanted: str) -> str:
        """A name or a value, which is passed."""
        kind, word = self.kind, self.word
        if kind == "id" or kind == "html":
            self._advance()
            return word
        if kind != "quoted":
            raise self._error(self.start, wanted)
        word = unquoted(word)
        self._advance()
        while self._take("+"):
            if self.kind != "quoted":
                raise self._error(self.start, "a quoted text to be joined")
            word += unquoted(self.word)
            self._advance()
        return word

    # ------------------------------------------------------------------ the grammar

    def run(self) -> None:
        """Read the one graph of the file."""
        self._advance()
        if self.kind == "keyword" and self.word == "strict":
            self.strict = True
            self._advance()
        if self.kind != "keyword" or self.word not in ("graph", "digraph"):
            raise self._error(self.start, "a graph: digraph { ... }")
        self.directed = self.word == "digraph"
        self._advance()
        if self.kind != "op":
            self.name = self._id("the name of the graph or {")
        if not self._take("{"):
            raise self._error(self.start, "{")
        stack = [_Frame(_Subgraph(), {}, {})]
        while stack:
            self._statement(stack)
        if self.kind != "end":
            raise self._error(self.start, "the end of the file: one graph a file")

    def _statement(self, stack: list[_Frame]) -> None:
        """One step: a statement, or the part of one up to where a subgraph opens or closes."""
        frame = stack[-1]
        if frame.chain:
            if self.kind == "op" and self.word in ("->", "--"):
                self._pass_arrow()
                self._endpoint(stack)
            elif self._take(","):
                frame.joins = True
                self._endpoint(stack)
            else:
                self._end_edges(frame)
        elif self._take(";"):
            pass
        elif self._take("}"):
            self._close(stack)
        elif self.kind == "keyword" and self.word in ("graph", "node", "edge"):
            what = self.word
            self._advance()
            if not self._sees("["):
                raise self._error(self.start, "[ and attributes")
            attributes = self._attributes()
            if what == "node":
                frame.node_defaults.update(attributes)
                frame.subgraph.node_defaults.update(attributes)
            elif what == "edge":
                frame.edge_defaults.update(attributes)
                frame.subgraph.edge_defaults.update(attributes)
            elif "rankdir" in attributes:
                self.rankdir = attributes["rankdir"][0]
        else:
            self._endpoint(stack)

    def _pass_arrow(self) -> None:
        if (self.word == "->") != self.directed:
            wanted = (
                "->, as this is a digraph" if self.directed else "--, as this is a graph without directions"
            )
            raise self._error(self.start, wanted)
        self._advance()

    def _endpoint(self, stack: list[_Frame]) -> None:
        """A node with its port, or where a subgraph opens; what follows decides what statement it is."""
        frame = stack[-1]
        name = None
        if self.kind == "keyword" and self.word == "subgraph":
            self._advance()
            if not self._sees("{"):
                name = self._id("the name of the subgraph or {")
            if not self._sees("{"):
                raise self._error(self.start, "{")
        if self._take("{"):
            self._open(stack, name)
            return
        if frame.chain:
            name = self._id("a node or a subgraph")
        else:
            name = self._id("a statement: a node, an edge, an attribute, a subgraph or }")
        if not frame.chain and self._take("="):
            value = self._id("a value")
            if name == "rankdir":
                self.rankdir = value
            return
        while self._take(":"):
            self._id("a port")
        known = len(self.builder.weights)
        vertex = self.builder.vertex(name)
        frame.subgraph.members[vertex] = None
        if vertex == known and frame.node_defaults:
            self._weigh(vertex, frame.node_defaults)
        frame.add(vertex)

    def _open(self, stack: list[_Frame], name: str | None) -> None:
        """A subgraph, which is the one of the same name in the same place if there was one."""
        outer = stack[-1]
        subgraph = None if name is None else outer.subgraph.named.get(name)
        if subgraph is None:
            subgraph = _Subgraph()
            outer.subgraph.inner.append(subgraph)
            if name is not None:
                outer.subgraph.named[name] = subgraph
        node_defaults = {**outer.node_defaults, **subgraph.node_defaults}
        edge_defaults = {**outer.edge_defaults, **subgraph.edge_defaults}
        stack.append(_Frame(subgraph, node_defaults, edge_defaults))

    def _close(self, stack: list[_Frame]) -> None:
        closed = stack.pop()
        if not stack:
            return
        outer = stack[-1]
        if outer.chain or (self.kind == "op" and self.word in ("->", "--", ",")):
            outer.add(closed.subgraph)
        elif self._sees("["):
            self.idle += not _WEIGHT_KEYS.isdisjoint(self._attributes())

    def _nodes(self, ends: list[int | _Subgraph], position: int) -> list[int]:
        """The nodes that the ends are, with all of a subgraph and of those in it."""
        if len(ends) == 1 and isinstance(ends[0], int):
            return [ends[0]]
        found: dict[int, None] = {}
        waiting = list(ends)
        while waiting:
            end = waiting.pop()
            if isinstance(end, int):
                found[end] = None
                continue
            found.update(end.members)
            waiting += end.inner
            # A subgraph may be an end of many edges, and hold many others.
            self._count(1 + len(end.members), position)
        return list(found)

    def _count(self, steps: int, position: int) -> None:
        self.product += steps
        if self.product > _MAX_PRODUCT:
            raise self._error(position, f"no more than {_MAX_PRODUCT} edges between subgraphs")

    def _end_edges(self, frame: _Frame) -> None:
        """The end of a statement of nodes or edges, with its attributes."""
        start = self.start
        attributes = self._attributes()
        # What a subgraph holds is settled at the end of the statement, as in Graphviz.
        chain = [self._nodes(ends, start) for ends in frame.chain]
        frame.chain = []
        if len(chain) == 1:
            for vertex in chain[0]:
                self._weigh(vertex, attributes)
            return
        known = {**frame.edge_defaults, **attributes} if frame.edge_defaults else attributes
        weight, told = self._edge_weight(known)
        key = "" if self.strict else attributes["key"][0] if "key" in attributes else None
        for sources, targets in pairwise(chain):
            if len(sources) * len(targets) > 1:
                self._count(len(sources) * len(targets), start)
            for u in sources:
                for v in targets:
                    if not self.directed and u > v:
                        u, v = v, u
                    if key is not None and not self._is_new(u, v, key, attributes, known):
                        continue
                    self.builder.edge(u, v, weight)
                    self.told.append(told)

    def _is_new(self, u: int, v: int, key: str, attributes: Attributes, known: Attributes) -> bool:
        """Whether an edge of this identity is the first; a later one changes the attributes of that."""
        place, held = self.single.setdefault((u, v, key), (len(self.told), known))
        if place == len(self.told):
            return True
        if attributes:
            held = {**held, **attributes}
            self.single[u, v, key] = place, held
            self.builder.edge_weights[place], self.told[place] = self._edge_weight(held)
        return False

    def _attributes(self) -> Attributes:
        """All lists of attributes that follow: values, with the place where each stands."""
        found: Attributes = {}
        while self._take("["):
            while not self._take("]"):
                key, value, start = self._id("an attribute or ]"), "true", self.start
                if self._take("="):
                    start = self.start
                    value = self._id("the value of an attribute")
                # Others could be many, and every subgraph takes them over.
                if key in self.kept:
                    found[key] = value, start
                if self.kind == "op" and self.word in ";,":
                    self._advance()
        return found

    # ------------------------------------------------------------------ weights

    def _weigh(self, vertex: int, attributes: Attributes) -> None:
        if "label" in attributes:
            self.labels.append(attributes["label"][0])
        for name in self.names:
            if name in attributes:
                self.further.append((vertex, name, attributes[name][0]))
        for rank, key in enumerate(_VERTEX_KEYS):
            if key in attributes and rank <= self.ranks.get(vertex, rank):
                weight = self._number(key, *attributes[key])
                if weight is not None:
                    self.builder.weights[vertex] = weight
                    self.ranks[vertex] = rank
                    return

    def _edge_weight(self, attributes: Attributes) -> tuple[int | float, int]:
        """The weight, and what is known of it."""
        for key in _EDGE_KEYS if self.weighed else ():
            if key in attributes:
                value, start = attributes[key]
                if key == _VAGUE_KEY and value.startswith("-") and parse_weight(value[1:]) is not None:
                    return 0, _EMPTY
                weight = self._number(key, value, start)
                if weight is not None:
                    return weight, _TOLD
        return 1, _UNTOLD

    def _number(self, key: str, value: str, start: int) -> int | float | None:
        """The weight that an attribute is; None where it is none, and need not be."""
        if not value.strip():
            # What Graphviz has for an attribute that is not set.
            return None
        weight = parse_weight(value.strip())
        if weight is None:
            line = 1 + self.chars.count("\n", 0, start)
            found = show(value.encode("utf-8", "surrogatepass"))
            if key != _VAGUE_KEY:
                raise self.text.error(line, found, WEIGHT)
            self.vague.append((line, found))
        return weight


def unquoted(content: str) -> str:
    """What stands between two quotes: only an escaped quote and a broken line mean something else."""
    if "\\" not in content:
        return content
    return _ESCAPED.sub(lambda match: {"\\": "\\\\", '"': '"', "\n": ""}[match[1]], content)


def quoted(name: str) -> str:
    """A name as DOT writes it.

    Raises
    ------
    DagpartError
        DOT has no way to write the name: it has a backslash at its end, or before a quote or a new line, or a
        carriage return, which is read as a new line.

    Examples
    --------
    >>> print(quoted('provider["aws"]'))
    "provider[\\"aws\\"]"
    """
    if "\r" in name:
        raise DagpartError(f"DOT cannot write the name {name!r}: a carriage return is read as a new line")
    content = name.replace('"', '\\"')
    if "\\" in name and (unquoted(content) != name or not _TOKEN.fullmatch(f'"{content}"')):
        raise DagpartError(f"DOT cannot write the name {name!r}: a backslash there escapes what follows")
    return f'"{content}"'


def dump(graph: Digraph) -> bytes:
    """The DOT file of a graph, with the attribute ``weight`` where weights are not 1.

    OneStopParallel's DOT has other attributes: for that tool write ``.hdag`` or ``.lhdag``.

    Examples
    --------
    >>> from dagpart import Dag
    >>> print(dump(Dag.from_edges([("a", "b", 2)])).decode(), end="")
    digraph {
      "a";
      "b";
      "a" -> "b" [weight=2];
    }
    """
    lines = ["digraph {", *node_lines(graph), *edge_lines(graph), "}", ""]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def node_lines(graph: Digraph) -> list[str]:
    """The statement of each vertex, in order."""
    weights = plain_weights(graph.vertex_weights, graph.vertex_weight_scale)
    names = map(quoted, text_names(graph))
    return [f"  {name}{_attribute(weight)};" for name, weight in zip(names, weights, strict=True)]


def edge_lines(graph: Digraph) -> list[str]:
    """The statement of each edge, in the order of `indices`."""
    weights = plain_weights(graph.edge_weights, graph.weight_scale)
    names = list(map(quoted, text_names(graph)))
    ends = zip(graph.edge_sources().tolist(), graph.indices.tolist(), weights, strict=True)
    return [f"  {names[u]} -> {names[v]}{_attribute(weight)};" for u, v, weight in ends]


def _attribute(weight: int | float) -> str:
    return "" if weight == 1 else f' [weight="{weight}"]' if "e" in str(weight) else f" [weight={weight}]"


FORMAT = Format(
    "dot",
    (".dot", ".gv"),
    load,
    signature=lambda start: re.match(rb"(strict\s+)?(di)?graph\b", start) is not None,
    dump=dump,
    keeps=("names", "direction", "vertex_weights", "edge_weights", "scale"),
)
