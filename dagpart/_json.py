"""JSON documents: read whole, and taken apart with errors that name a line."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from dagpart._files import Source
from dagpart._text import Text, show

T = TypeVar("T")
_WORDS: dict[type, str] = {dict: "an object", list: "a list", str: "a text"}


def parse_json(text: Text, source: Source | None = None) -> dict[str, Any]:
    """The object that the document is, which is parsed once for all who ask with its source.

    Raises
    ------
    ParseError
        The text is no JSON, or something else than an object.
    """
    if source is not None and source.document is not None:
        return source.document
    chars = text.decoded()
    if not chars.strip():
        raise text.error(1, "an empty file", "a JSON object")
    try:
        document = json.loads(chars)
    except json.JSONDecodeError as error:
        rest = chars[error.pos : error.pos + 40].split("\n", 1)[0]
        found = show(rest.encode("utf-8", "surrogatepass")) if rest else "the end of the line"
        raise text.error(error.lineno, found, f"JSON ({error.msg})") from None
    except RecursionError:
        raise text.error(None, "lists within lists without end", "a JSON object") from None
    except ValueError as error:
        # Numbers of thousands of digits.
        raise text.error(None, f"a number that Python refuses ({error})", "a JSON object") from None
    if not isinstance(document, dict):
        raise text.error(1, f"{type(document).__name__}", "a JSON object")
    if source is not None:
        source.document = document
    return document


def shown(value: Any) -> str:
    """A value for a message."""
    try:
        return show(json.dumps(value).encode())
    except RecursionError:
        return "lists within lists"


def member(text: Text, document: dict[str, Any], name: str, kind: type[T], default: T | None = None) -> T:
    """A member of an object, which must be of a kind; the default where there is none."""
    value = document.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, kind):
        found = f"no {name}" if name not in document else f"{name}: {shown(value)}"
        raise text.error(text.line_of(f'"{name}"'), found, f"{name}: {_WORDS[kind]}")
    return value


def members(
    text: Text, document: dict[str, Any], name: str, kind: type[T], default: list[T] | None = None
) -> list[T]:
    """A member that is a list of things of one kind."""
    values = member(text, document, name, list, default)
    for value in values:
        if not isinstance(value, kind):
            found = f"{shown(value)} in {name}"
            raise text.error(
                text.line_of(f'"{name}"'), found, f"{name}: a list with {_WORDS[kind]} in each place"
            )
    return values
