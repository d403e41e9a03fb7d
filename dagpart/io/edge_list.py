"""Lists of edges (.csv, .tsv, .edges): one edge a line, ends by name or number, maybe with a weight.

Fields are set apart by tabs, commas, semicolons or blanks, told by the first line, and may be quoted as in
CSV; blanks around a field that is not are none of it. A first line may name the columns. A line whose second
end is empty is a vertex, maybe with its weight. What starts with ``#``, ``%`` or ``//`` is a comment, unless
it is in quotes or has the fields that a line naming the columns asks for. Lines that end with a Python
dictionary of attributes are those of NetworkX's ``write_edgelist``.

Rows with quotes are taken apart by the standard library's csv, others by ``str.split``: neither csv nor
pandas tells a quoted field from a bare one, or leaves a quote in a comment alone.
"""

from __future__ import annotations

import ast
import csv
import io
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain
from typing import Any

from dagpart._files import Source
from dagpart._text import Text, show
from dagpart._weights import attribute_of
from dagpart.dag import Digraph
from dagpart.errors import DagpartError
from dagpart.io.building import (
    WEIGHT,
    Builder,
    as_weight,
    parse_weight,
    plain_weights,
    text_names,
    weight_at,
)
from dagpart.io.formats import Format, Loaded

_SOURCE = (
    *("source", "src", "from", "tail", "parent", "caller", "sender", "predecessor", "pred", "producer"),
    "u",
)
_TARGET = (
    *("target", "dst", "to", "head", "child", "callee", "receiver", "successor", "succ", "consumer"),
    *("tgt", "dest", "destination", "v"),
)
_WEIGHT = (
    *("weight", "size", "cost", "bytes", "comm", "data", "w", "value", "count", "volume", "capacity"),
    *("amount", "calls", "traffic"),
)
# What columns are called as well, but more often vertices: they count where numbers stand below them.
_PAIRS = (("1", "2"), ("a", "b"), ("i", "j"), ("x", "y"), ("s", "t"), ("start", "end"), ("row", "column"))
# What is said of a column beside which end it holds: "FromNodeId", "source_id", "node1".
_BESIDES = ("nodes", "node", "vertex", "name", "index", "task", "id")
_IDS = re.compile(r"[\w ](_id|_ID| id|Id|ID)$")
_WANTED = "source, target and maybe weight"
_COLUMNS = "columns called source and target, or lines of source, target and maybe weight"
_COMMENT = re.compile(r"[ \t]*(#|%|//)")
_SIGNS = ("#", "%", "//")
_BLANKS = re.compile(r"[ \t]+")
# What marks a field that was in quotes; a text with a zero byte is refused.
_QUOTED = "\0"
_ATTRIBUTES = re.compile(r"(.*?)[ \t,;][ \t]*(\{.*\})[ \t]*")
_LONGEST_ATTRIBUTES = 2**16


@dataclass
class _Columns:
    """Where the ends and the weight of an edge stand (-1: nowhere), and what is to be said about that.

    `width` is the number of columns where the first line names them, else 0; `doubtful` is the edge that this
    line could be as well.
    """

    source: int = 0
    target: int = 1
    weight: int = 2
    width: int = 0
    notes: list[str] = field(default_factory=list)
    doubtful: tuple[str, str] | None = None


def load(source: Source) -> Loaded:
    """Read a list of edges.

    Names that are the numbers 0 .. n-1, in whatever order they come, are ids.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    ParseError
        A line is no edge, or its weight is none; names the line.

    Examples
    --------
    >>> loaded = load(Source("g.csv", b"source,target,weight\\nload,solve,7\\n"))
    >>> loaded.graph, loaded.graph.names
    (Dag(n=2, m=1), ('load', 'solve'))
    >>> load(Source("g.edgelist", b"0 1 {'weight': 3}\\n")).graph.edge_weights.tolist()
    [3]
    """
    text = Text.of(source)
    chars = text.decoded()
    if "\0" in chars:
        raise text.error(1 + chars.count("\n", 0, chars.index("\0")), "a zero byte", "text")
    sample = _sample(chars)
    attributes = _ATTRIBUTES.fullmatch(sample)
    delimiter = _delimiter(sample if attributes is None else attributes[1])
    rows = _rows(text, chars, delimiter) if attributes is None else _networkx_rows(text, chars, delimiter)
    columns = _Columns()
    first = next((at for at in rows if not _is_comment(text, *at, columns, delimiter)), None)
    if first is None:
        found = "an empty file" + (" but for comments" if chars.strip() else "")
        raise text.error(text.last_line, found, f"an edge in each line: {_WANTED}")
    # Whether a line below is a comment depends on whether this one names the columns.
    ahead = list[tuple[int, list[str]]]()
    for at in rows:
        ahead.append(at)
        if any(at[1]) and not at[1][0].startswith(_SIGNS):
            break
    if attributes is None:
        columns = _read_header(text, *first, ahead[-1][1] if ahead else [])
    builder = Builder()
    for line, row in chain([] if columns.width else [first], ahead, rows):
        if not _is_comment(text, line, row, columns, delimiter):
            _add(text, builder, line, row, columns)
    notes = [*columns.notes, *_check_first(builder, columns, [_bare(name) for name in first[1][:2]])]
    return Loaded(builder.build(), FORMAT.name, notes=tuple(notes))


# ---------------------------------------------------------------------- lines and fields


def _sample(chars: str) -> str:
    """The first line that is not blank and no comment, with what it goes on in; else the first comment."""
    quotes, sample, comment = 0, list[str](), ""
    for line in io.StringIO(chars):
        if sample or (line.strip() and not _COMMENT.match(line)):
            sample.append(line)
            quotes += line.count('"')
            if quotes % 2 == 0:
                break
        comment = comment or line.strip()
    return "".join(sample).rstrip("\n") or comment


def _delimiter(sample: str) -> str:
    bare = re.sub(r'"[^"]*"', "", sample)
    return next((sign for sign in ("\t", ",", ";") if sign in bare), " ")


def _rows(text: Text, chars: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each line's number and fields, comments among them; those that were quoted start with a mark."""
    lines = enumerate(io.StringIO(chars), 1)
    for number, content in lines:
        if '"' in content and not _COMMENT.match(content):
            yield number, _quoted_row(text, number, content, lines, delimiter)
            continue
        stripped = content.strip(" \t\n")
        if stripped:
            fields = _BLANKS.split(stripped) if delimiter == " " else content.rstrip("\n").split(delimiter)
            yield number, [name.strip(" \t") for name in fields]


def _quoted_row(
    text: Text, number: int, content: str, lines: Iterator[tuple[int, str]], delimiter: str
) -> list[str]:
    """The fields of a line with quotes, and of those that it goes on in."""
    taken = [content]

    def following() -> Iterator[str]:
        yield content
        for _, line in lines:
            taken.append(line)
            yield line

    parse = partial(csv.reader, delimiter=delimiter, skipinitialspace=True, strict=True)
    between = "[ \t]" if delimiter == " " else re.escape(delimiter)
    blanks = " *" if delimiter == "\t" else "[ \t]*"
    try:
        next(parse(following()))
        whole = re.sub(
            rf'(\A|{between}){blanks}"((?:[^"]|"")*)"{blanks}(?={between}|\n?\Z)',
            rf'\1"{_QUOTED}\2"',
            "".join(taken),
        )
        row = next(parse(io.StringIO(whole)))
    except (csv.Error, StopIteration) as error:
        raise text.error(number, f"a damaged line ({error})", "fields of CSV") from None
    fields = [name if name.startswith(_QUOTED) else name.strip(" \t") for name in row]
    return [name for name in fields if name] if delimiter == " " else fields


def _bare(name: str) -> str:
    return name.removeprefix(_QUOTED)


def _is_comment(text: Text, line: int, row: list[str], columns: _Columns, delimiter: str) -> bool:
    """Whether a line is a comment, or blank.

    Raises
    ------
    ParseError
        It looks like two names that begin with the sign of a comment, and nothing says what it is.
    """
    if not any(row):
        return True
    first = row[0]
    sign = next((sign for sign in _SIGNS if first.startswith(sign)), None)
    if sign is None:
        return False
    rest = first.removeprefix(sign)
    if columns.width:
        fits = len(row) == columns.width or (len(row) > 1 and not rest.startswith((" ", "\t")))
        return not fits or (delimiter == " " and not rest)
    if 2 <= len(row) <= 3 and rest and row[1].startswith((sign, "@") if sign == "//" else sign):
        wanted = f"names that begin with {sign} in quotes, or below a line that names the columns"
        raise text.error(line, show(delimiter.join(row).encode()), wanted)
    return True


def _networkx_rows(text: Text, chars: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of NetworkX's ``write_edgelist``: two names, and a dictionary with the weight in it."""
    found = list[tuple[int, list[str], dict[Any, Any]]]()
    with warnings.catch_warnings():
        # A backslash in a text may make Python complain.
        warnings.simplefilter("ignore")
        for line, content in enumerate(io.StringIO(chars), 1):
            content = content.strip(" \t\n")
            if not content or _COMMENT.match(content):
                continue
            parts = _ATTRIBUTES.fullmatch(content)
            names, literal = (content, "{}") if parts is None else (parts[1], parts[2])
            row = _BLANKS.split(names) if delimiter == " " else names.split(delimiter)
            attributes = _literal(literal)
            if attributes is None:
                raise text.error(line, show(literal.encode()), "a Python dictionary of texts and numbers")
            found.append((line, [name.strip(" \t") for name in row], attributes))
    key = attribute_of(key for _, _, attributes in found for key in attributes if isinstance(key, str))
    for line, row, attributes in found:
        if len(row) != 2:
            raise text.error(line, f"{len(row)} fields before the attributes", "source and target")
        weight = 1 if key is None or attributes.get(key) is None else as_weight(attributes[key])
        if weight is None:
            raise text.error(line, show(str(attributes[key]).encode()), WEIGHT)
        yield line, [*row, str(weight)]


@lru_cache(maxsize=1024)
def _literal(literal: str) -> dict[Any, Any] | None:
    """The dictionary that a literal of Python is; nothing in it is run."""
    if len(literal) > _LONGEST_ATTRIBUTES:
        return None
    try:
        value = ast.literal_eval(literal)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


# ---------------------------------------------------------------------- the names of the columns


def _read_header(text: Text, line: int, first: list[str], second: list[str]) -> _Columns:
    """The columns as the first line names them, or as they stand where it is an edge."""
    words = [_plain_word(name) for name in first]
    source, target, weight = (
        next((words.index(name) for name in names if name in words), -1)
        for names in (_SOURCE, _TARGET, _WEIGHT)
    )
    below = [_is_number(name) for name in second]
    numbers_below = below[:2] == [True, True] and not any(map(_is_number, first[:2]))
    weighed_below = below[2:3] == [True] and len(first) > 2 and not _is_number(first[2]) and first[2] != ""
    doubtful = None
    if source >= 0 and target >= 0:
        if {words[source], words[target]} == {"u", "v"} and len(first) == 2 and not numbers_below:
            doubtful = _bare(first[0]), _bare(first[1])
    elif numbers_below or (weighed_below and len(first) == 3):
        pair = next((pair for pair in _PAIRS if pair[0] in words and pair[1] in words), None)
        if pair is not None:
            source, target = words.index(pair[0]), words.index(pair[1])
        elif len(first) <= 3 and source in (-1, 0) and target in (-1, 1) and weight in (-1, 2):
            source, target = 0, 1
    elif len(ids := [i for i, name in enumerate(first) if _IDS.search(name)]) == 2:
        source, target = ids
        doubtful = _bare(first[source]), _bare(first[target])
    if source < 0 or target < 0:
        named = any(place >= 0 and len(words[place]) > 1 for place in (source, target))
        named = named and not any(name in second[:2] for name in first[:2])
        headed = len(first) > 2 and first[2] != "" and parse_weight(_bare(first[2])) is None
        if len(first) > 3 or headed or named:
            raise text.error(line, f"the columns {show(', '.join(map(_bare, first)).encode())}", _COLUMNS)
        return _Columns()
    notes = []
    unread = [_bare(name) for i, name in enumerate(first) if i not in (source, target, weight) and name]
    if unread:
        notes.append(f"columns passed over: {', '.join(unread)}")
    return _Columns(source, target, weight, len(first), notes, doubtful)


def _plain_word(name: str) -> str:
    """What a column's name says of its end: ``FromNodeId`` and ``from`` are alike, ``node_1`` is 1."""
    word = re.sub(r"[\W_]+", "", _bare(name).lower())
    while short := next((word.removesuffix(end) for end in _BESIDES if word.endswith(end)), ""):
        word = short
    return next((word.removeprefix(end) for end in _BESIDES if word.startswith(end) and word != end), word)


def _is_number(name: str) -> bool:
    try:
        float(_bare(name))
    except ValueError:
        return False
    return True


def _check_first(builder: Builder, columns: _Columns, first: list[str]) -> list[str]:
    """What to say where the first line could be an edge or name the columns."""
    if columns.doubtful is not None:
        names = columns.doubtful
        if columns.width > 2 or not any(name in builder.index for name in names):
            return [f"first line taken for the names of the columns: {', '.join(names)}"]
        # A vertex is called so: it was an edge.
        builder.edge(builder.vertex(names[0]), builder.vertex(names[1]))
        return []
    if columns.width or not all(first) or any(map(_is_number, first)):
        return []
    ids = [builder.index[name] for name in first]
    named = sum(builder.source.count(v) + builder.target.count(v) for v in ids)
    if named > 2 or len(builder.source) < 2:
        return []
    return [f"first line taken for an edge, from {show(first[0].encode())} to {show(first[1].encode())}"]


def _add(text: Text, builder: Builder, line: int, row: list[str], columns: _Columns) -> None:
    places = (columns.source, columns.target, columns.weight)
    source, target, weight = (row[place] if 0 <= place < len(row) else "" for place in places)
    if (not columns.width and len(row) > 3) or len(row) < 2 or not source:
        found = ("1 field" if len(row) == 1 else f"{len(row)} fields") if source else "no source"
        raise text.error(line, found, _WANTED)
    weight = _bare(weight).strip()
    tail = builder.vertex(_bare(source))
    if target:
        builder.edge(tail, builder.vertex(_bare(target)), weight_at(text, line, weight) if weight else 1)
    elif weight:
        builder.weights[tail] = weight_at(text, line, weight)


# ---------------------------------------------------------------------- writing


def dump(graph: Digraph, *, delimiter: str = ",") -> bytes:
    """The CSV of a graph: every vertex with its weight, and every edge.

    A line without a target holds the weight of the vertex.

    Raises
    ------
    DagpartError
        A name has a sign that no line of text holds.

    Examples
    --------
    >>> from dagpart import Dag
    >>> print(dump(Dag.from_edges([("a", "b", 2)])).decode(), end="")
    source,target,weight
    a,,1
    b,,1
    a,b,2
    """
    names = [_field(name, delimiter) for name in text_names(graph)]
    vertex = plain_weights(graph.vertex_weights, graph.vertex_weight_scale)
    edge = plain_weights(graph.edge_weights, graph.weight_scale)
    ends = zip(graph.edge_sources().tolist(), graph.indices.tolist(), edge, strict=True)
    rows: Iterator[tuple[str, str, str]] = chain(
        [("source", "target", "weight")],
        ((name, "", str(weight)) for name, weight in zip(names, vertex, strict=True)),
        ((names[u], names[v], str(weight)) for u, v, weight in ends),
    )
    return "".join(f"{delimiter.join(row)}\n" for row in rows).encode()


def _field(name: str, delimiter: str) -> str:
    """A name as CSV has it: in quotes where it could be taken for something else."""
    if "\0" in name or "\r" in name:
        raise DagpartError(f"a list of edges cannot write the name {name!r}: it has a sign that text has not")
    plain = name and name == name.strip(" \t") and not _COMMENT.match(name)
    if plain and not any(sign in name for sign in ('"', "\n", delimiter)):
        return name
    return '"' + name.replace('"', '""') + '"'


FORMAT = Format(
    "edge-list",
    (".csv", ".tsv", ".edges", ".edgelist"),
    load,
    dump=dump,
    dialects={".tsv": partial(dump, delimiter="\t")},
    keeps=("names", "direction", "vertex_weights", "edge_weights", "scale"),
)
