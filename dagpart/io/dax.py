"""Pegasus workflows as XML (.dax, .xml): DAX 2 and 3.

The format is that of the Pegasus manual: jobs with the files they use, and for each child its parents. The
parser is the standard library's expat, which reads without building a tree; a document that declares entities
is refused, since these can stand for gigabytes.
"""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from dagpart._files import Source
from dagpart._text import Text, show
from dagpart.dag import Digraph
from dagpart.io._workflow import Workflow
from dagpart.io.building import parse_weight
from dagpart.io.formats import Format, Loaded

_ROOT = "adag"
_JOBS = ("job", "dag", "dax")


def load(source: Source) -> Loaded:
    """Read a DAX workflow: vertices weigh the jobs' runtimes, edges the bytes of the files that pass along
    them.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    ParseError
        The XML is damaged, declares entities, or is no workflow; names the line.

    Examples
    --------
    >>> text = b'<adag><job id="a" runtime="2"/><job id="b"/><child ref="b"><parent ref="a"/></child></adag>'
    >>> load(Source("w.dax", text)).graph.names
    ('a', 'b')
    """
    text = Text.of(source)
    handler = _Handler(text)
    handler.read()
    workflow = handler.workflow
    graph: Digraph = workflow.graph()
    return Loaded(graph, FORMAT.name, notes=tuple(workflow.notes()))


class _Handler:
    """What to do at each tag."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.workflow = Workflow(text)
        self.path: list[str] = []
        self.job: str | None = None
        self.child: str | None = None
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._refuse_entity

    def read(self) -> None:
        try:
            self.parser.Parse(self.text.data, True)
        except expat.ExpatError as error:
            raise self.text.error(
                error.lineno, f"damaged XML ({expat.ErrorString(error.code)})", "XML"
            ) from None

    @property
    def line(self) -> int:
        return self.parser.CurrentLineNumber

    def _refuse_entity(self, name: str, *_: Any) -> None:
        raise self.text.error(self.line, f"the entity {show(name.encode())}", "a workflow without entities")

    def _attribute(self, tag: str, attributes: dict[str, str], *names: str) -> str:
        for name in names:
            if name in attributes:
                return attributes[name]
        raise self.text.error(self.line, f"<{tag}> without {names[0]}", f'{names[0]}="..."')

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(" ")[2]
        if not self.path and tag != _ROOT:
            raise self.text.error(self.line, f"<{tag[:40]}>", f"a Pegasus workflow: <{_ROOT}>")
        self.path.append(tag)
        if len(self.path) == 2 and tag in _JOBS:
            self.job = self._attribute(tag, attributes, "id")
            runtime = attributes.get("runtime")
            self.workflow.task(self.job, self.line, None if runtime is None else self._number(runtime))
        elif len(self.path) == 2 and tag == "child":
            self.child = self._attribute(tag, attributes, "ref")
        elif len(self.path) == 3 and self.child is not None and self.path[1:] == ["child", "parent"]:
            self.workflow.edge(self._attribute(tag, attributes, "ref"), self.child, self.line)
        elif tag == "uses" and self.job is not None:
            file = self._attribute(tag, attributes, "file", "name")
            size = attributes.get("size")
            link = attributes.get("link", "").lower()
            self.workflow.uses(
                self.job,
                file,
                reads=link in ("input", "inout"),
                writes=link in ("output", "inout"),
                size=None if size is None else self._number(size),
            )

    def _end(self, tag: str) -> None:
        self.path.pop()
        if len(self.path) == 1:
            self.job = self.child = None

    def _number(self, value: str) -> int | float:
        number = parse_weight(value.strip())
        if number is None:
            raise self.text.error(self.line, show(value.encode()), "a number that is finite and not negative")
        return number


FORMAT = Format(
    "dax", (".dax", ".xml"), load, signature=lambda start: start.startswith(b"<?xml") or b"<adag" in start
)
