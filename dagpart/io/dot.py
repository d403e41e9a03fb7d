"""Graphviz DOT files (.dot, .gv), as dagP, SimGrid, daggen, OneStopParallel, StarPU, Terraform and others
write them.

The language is that of https://graphviz.org/doc/info/lang.html, read by a tokenizer and a loop of its own
because no maintained parser does the job (bench/dot_parsers.py: CPU time for 30,000 nodes and 100,000 edges
with attributes on a shared x86-64 core, 2026). pydot 4.0.1 takes 23 s for 10,000 of the edges. rustworkx
0.18.1 takes 0.5 s, but refuses ``color=white`` as a statement and ``{a b} -> c``, which StarPU and Terraform
write. pygraphviz 2.0.4, Graphviz's own parser, takes 3.1 s, but on a chain of 500,000 nodes in one statement
it says "memory exhausted" on standard error and hands back a graph of one node as if nothing had happened,
and it refuses names above 16 kB. This module takes 1.6 s; the tests compare it with pygraphviz.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import pairwise

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
_KEPT = frozenset((*_VERTEX_KEYS, *_EDGE_KEYS, "label"))
_MAX_PRODUCT = 2**24

_TOKEN = re.compile(
    r"""(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/|(?:\A|(?<=\n))\#[^\n]*)*+
    (?: (?P<id>[A-Za-z_\x80-\U0010ffff][0-9A-Za-z_\x80-\U0010ffff]*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?))
      | "(?P<quoted>[^"\\]*(?:\\.[^"\\]*)*)"
      | (?P<op>->|--|[{}\[\];,=:+])
      | (?P<html><)
      | (?P<end>\Z) )""",
    re.VERBOSE | re.DOTALL,
)
_ANGLE = re.compile(r"[<>]")
_ESCAPED = re.compile(r'\\(\\|"|\n)')
_KEYWORDS = frozenset({"strict", "graph", "digraph", "node", "edge", "subgraph"})


def load(source: Source) -> Loaded:
    """Read a DOT graph; names of nodes become names of vertices.

    Weights are the attributes ``weight``, ``work``, ``work_weight`` or ``size`` of nodes, and ``weight``,
    ``comm``, ``comm_weight`` or ``size`` of edges, the first that is there; 1 without any. A negative
    ``size`` of an edge is SimGrid's mark for an edge that carries nothing, and counts as 0.

    Parameters
    ----------
    source : Source
        The file.

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
    return load_attributes(source)[0]


def load_attributes(source: Source, *names: str) -> tuple[Loaded, dict[str, list[str | None]]]:
    """The graph as `load` reads it, and further attributes of its nodes.

    Parameters
    ----------
    source : Source
        The file.
    *names : str
        Attributes.

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
    text = Text.of(source)
    if not text.data.strip():
        raise text.error(1, "an empty file", "a graph: digraph { ... }")
    parser = _Parser(text, names)
    parser.run()
    notes = []
    if not parser.directed:
        notes.append("undirected: every edge is taken to run from the node that is named first to the other")
    if parser.empty_edges:
        notes.append(f"edges of a negative size, taken for edges that carry nothing: {parser.empty_edges}")
    if parser.weighed_edges and (bare := len(parser.builder.source) - parser.weighed_edges):
        notes.append(f"edges without a weight among others that have one, taken to weigh 1: {bare}")
    tool = tool_of(parser.builder.index, parser.name) or tool_of(parser.labels, parser.name)
    graph = parser.builder.build()
    found: dict[str, list[str | None]] = {name: [None] * graph.n for name in names}
    # Nodes that are called 0 .. n-1 are numbered by name, others in the order in which they come.
    ids = list(parser.builder.index) if graph.names is None else range(graph.n)
    for vertex, name, value in parser.further:
        found[name][int(ids[vertex])] = value  # type: ignore[call-overload]
    return Loaded(graph, FORMAT.name, notes=tuple(notes), reversed_by=tool), found


@dataclass
class _Frame:
    """A graph or subgraph that is open: defaults for what it declares, its nodes, the statement it is in."""

    node_defaults: dict[str, tuple[str, int]]
    edge_defaults: dict[str, tuple[str, int]]
    members: dict[int, None] = field(default_factory=dict)
    chain: list[list[int]] = field(default_factory=list)


class _Parser:
    """One pass over the tokens, with a stack of open subgraphs in place of recursion."""

    kind: str
    word: str
    start: int

    def __init__(self, text: Text, names: Collection[str] = ()) -> None:
        self.text = text
        self.kept = _KEPT.union(names)
        self.names = names
        self.further: list[tuple[int, str, str]] = []
        self.chars = text.decoded()
        self.position = 0
        self.builder = Builder()
        self.ranks: dict[int, int] = {}
        self.labels: list[str] = []
        self.name = ""
        self.directed = True
        self.strict = False
        self.seen: set[tuple[int, int]] = set()
        self.product = 0
        self.empty_edges = 0
        self.weighed_edges = 0

    # ------------------------------------------------------------------ tokens

    def _advance(self) -> None:
        """Make the next token the current one: its kind, what it says, and where it starts."""
        found = _TOKEN.match(self.chars, self.position)
        if found is None:
            start = self.position
            while start < len(self.chars) and self.chars[start].isspace():
                start += 1
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
        stack = [_Frame({}, {})]
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
            else:
                self._end_edges(frame)
        elif self.kind == "op" and self.word in ";,":
            self._advance()
        elif self._take("}"):
            self._close(stack)
        elif self.kind == "keyword" and self.word in ("graph", "node", "edge"):
            defaults = {"graph": {}, "node": frame.node_defaults, "edge": frame.edge_defaults}[self.word]
            self._advance()
            if not self._sees("["):
                raise self._error(self.start, "[ and attributes")
            defaults.update(self._attributes())
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
        if self.kind == "keyword" and self.word == "subgraph":
            self._advance()
            if not self._sees("{"):
                self._id("the name of the subgraph or {")
            if not self._sees("{"):
                raise self._error(self.start, "{")
        if self._take("{"):
            stack.append(_Frame(dict(frame.node_defaults), dict(frame.edge_defaults)))
            return
        name = self._id("a statement: a node, an edge, an attribute, a subgraph or }")
        if not frame.chain and self._take("="):
            self._id("a value")
            return
        while self._take(":"):
            self._id("a port")
        known = len(self.builder.weights)
        vertex = self.builder.vertex(name)
        frame.members[vertex] = None
        if vertex == known and frame.node_defaults:
            self._weigh(vertex, frame.node_defaults)
        frame.chain.append([vertex])

    def _close(self, stack: list[_Frame]) -> None:
        closed = stack.pop()
        if not stack:
            return
        parent = stack[-1]
        if parent.chain or self._sees("->") or self._sees("--"):
            parent.chain.append(list(closed.members))
        # The larger one takes up the smaller, so that deep nesting stays cheap.
        if len(closed.members) > len(parent.members):
            closed.members, parent.members = parent.members, closed.members
        parent.members.update(closed.members)

    def _end_edges(self, frame: _Frame) -> None:
        """The end of a statement of nodes or edges, with its attributes."""
        start = self.start
        attributes = self._attributes()
        chain, frame.chain = frame.chain, []
        if len(chain) == 1:
            if len(chain[0]) == 1:
                self._weigh(chain[0][0], attributes)
            return
        weight, told = self._edge_weight(
            {**frame.edge_defaults, **attributes} if frame.edge_defaults else attributes
        )
        edge = self.builder.edge
        for sources, targets in pairwise(chain):
            count = len(sources) * len(targets)
            if count > 1:
                self.product += count
                if self.product > _MAX_PRODUCT:
                    raise self._error(start, f"no more than {_MAX_PRODUCT} edges between subgraphs")
            for u in sources:
                for v in targets:
                    if not self.directed and u > v:
                        u, v = v, u
                    if self.strict:
                        if (u, v) in self.seen:
                            continue
                        self.seen.add((u, v))
                    edge(u, v, weight)
                    self.weighed_edges += told

    def _attributes(self) -> dict[str, tuple[str, int]]:
        """All lists of attributes that follow: values, with the place where each stands."""
        found: dict[str, tuple[str, int]] = {}
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

    def _weigh(self, vertex: int, attributes: dict[str, tuple[str, int]]) -> None:
        if "label" in attributes:
            self.labels.append(attributes["label"][0])
        for name in self.names:
            if name in attributes:
                self.further.append((vertex, name, attributes[name][0]))
        for rank, key in enumerate(_VERTEX_KEYS):
            if key in attributes and rank <= self.ranks.get(vertex, rank):
                self.builder.weights[vertex] = self._number(*attributes[key])
                self.ranks[vertex] = rank
                return

    def _edge_weight(self, attributes: dict[str, tuple[str, int]]) -> tuple[int | float, bool]:
        """The weight, and whether it was told."""
        for key in _EDGE_KEYS:
            if key in attributes:
                value, start = attributes[key]
                if key == "size" and value.startswith("-") and parse_weight(value[1:]) is not None:
                    self.empty_edges += 1
                    return 0, True
                return self._number(value, start), True
        return 1, False

    def _number(self, value: str, start: int) -> int | float:
        weight = parse_weight(value.strip())
        if weight is None:
            line = 1 + self.chars.count("\n", 0, start)
            raise self.text.error(line, show(value.encode("utf-8", "surrogatepass")), WEIGHT)
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
        DOT has no way to write the name: it has a backslash at its end, or before a quote or a new line.

    Examples
    --------
    >>> print(quoted('provider["aws"]'))
    "provider[\\"aws\\"]"
    """
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
