"""Berkeley logic interchange (.blif): one flat model of gates and latches.

The format is that of "Berkeley Logic Interchange Format (BLIF)", University of California, 1992. What the
gates compute is passed over. `blifparser` 2.0.1 keeps each line of a truth table as an object, and has had no
release since 2023.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dagpart._files import Source
from dagpart._text import Text, show
from dagpart.io._netlist import Netlist
from dagpart.io.formats import Format, Loaded

_PASSED_OVER = frozenset(
    [
        "clock",
        "area",
        "delay",
        "wire_load_slope",
        "wire",
        "gate_delay",
        "default_input_arrival",
        "default_output_required",
        "input_arrival",
        "output_required",
        "input_drive",
        "output_load",
        "default_input_drive",
        "default_output_load",
        "max_input_load",
        "default_max_input_load",
        "latch_order",
        "code",
        "wire_load",
        "start_kiss",
        "i",
        "o",
        "p",
        "s",
        "r",
        "end_kiss",
        "attr",
        "param",
        "cname",
        "default_max_input_load",
        "search",
    ]
)
_COVER = re.compile(r"[01-]*\s*[01xX-]")


def load(source: Source) -> Loaded:
    """Read a BLIF model: inputs, gates and latches are the vertices, named by the nets they drive.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    ParseError
        The file is damaged, or has several models that use each other; names the line.

    Examples
    --------
    >>> text = b".model m\\n.inputs a b\\n.outputs y\\n.names a b y\\n11 1\\n.end\\n"
    >>> load(Source("and.blif", text)).graph
    Dag(n=3, m=2)
    """
    text = Text.of(source)
    text.decoded()
    netlist = Netlist(text)
    models = statements = 0
    in_cover = False
    for line, words in _statements(text):
        statements += 1
        word, operands = words[0], words[1:]
        if not word.startswith("."):
            if not in_cover or not _COVER.fullmatch(" ".join(words)):
                raise text.error(line, show(" ".join(words).encode()), "a statement such as .names")
            continue
        in_cover = word == ".names"
        if word == ".end":
            continue
        if word in (".model", ".exdc"):
            models += 1
            if models > 1:
                # Don't-care networks and further models come last.
                if word == ".exdc":
                    break
                raise text.error(line, "a second model", "one flat model: flatten the hierarchy first")
        elif word == ".inputs":
            for net in operands:
                netlist.gate(net, [], line)
        elif word in (".outputs", ".output"):
            continue
        elif word == ".names":
            _need(text, line, words, 1)
            netlist.gate(operands[-1], operands[:-1], line)
        elif word == ".latch":
            _need(text, line, words, 2)
            netlist.register(operands[1], line)
        elif word in (".gate", ".mlatch"):
            _mapped(text, line, words, netlist)
        elif word == ".subckt":
            raise text.error(line, "a model inside the model", "one flat model: flatten the hierarchy first")
        elif word[1:] not in _PASSED_OVER:
            raise text.error(line, show(word.encode()), "a statement of BLIF, such as .names")
    if not statements:
        raise text.error(text.last_line, "an empty file", "a model: .model, .inputs, .outputs, .names")
    return Loaded(netlist.graph(), FORMAT.name, notes=netlist.notes())


def _statements(text: Text) -> Iterator[tuple[int, list[str]]]:
    """Lines with those that continue them, without comments, as words."""
    first, words, goes_on = 0, list[str](), False
    for line, _, content in text.lines():
        statement = content.decode().partition("#")[0].rstrip()
        if not goes_on:
            if words:
                yield first, words
            first, words = line, []
        goes_on = statement.endswith("\\")
        words += statement.removesuffix("\\").split()
    if words:
        yield first, words


def _need(text: Text, line: int, words: list[str], count: int) -> None:
    if len(words) <= count:
        raise text.error(line, show(" ".join(words).encode()), f"{words[0]} and at least {count} nets")


def _mapped(text: Text, line: int, words: list[str], netlist: Netlist) -> None:
    """A gate of a library: pins with their nets, the output last."""
    pins = [word.partition("=") for word in words[2:] if "=" in word]
    if not pins or any(not net for _, _, net in pins):
        raise text.error(
            line, show(" ".join(words).encode()), "a gate and its pins, as in .gate nand2 a=x b=y o=z"
        )
    nets = [net for _, _, net in pins]
    if words[0] == ".mlatch":
        netlist.register(nets[-1], line)
    else:
        netlist.gate(nets[-1], nets[:-1], line)


FORMAT = Format(
    "blif",
    (".blif",),
    load,
    signature=lambda start: re.match(rb"(#[^\n]*\n|\s)*+\.(model|inputs)\b", start) is not None,
)
