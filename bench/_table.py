"""Markdown tables, line by line, so that long runs can show what they have."""

from __future__ import annotations

from collections.abc import Sequence


def line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def head(cells: Sequence[str]) -> str:
    """Names of the columns: the first to the left, the others, being numbers, to the right."""
    return line(cells) + "\n" + line(["---", *["---:"] * (len(cells) - 1)])
