"""ISCAS circuits (.bench).

The format is that of F. Brglez, D. Bryan and K. Kozminski, "Combinational profiles of sequential benchmark
circuits", ISCAS 1989: ``INPUT(net)``, ``OUTPUT(net)`` and ``net = GATE(net, ...)``, with comments behind #.
"""

from __future__ import annotations

import re

from dagpart._files import Source
from dagpart._text import Text, show
from dagpart.io._netlist import Netlist, Weights
from dagpart.io.formats import Format, Loaded

_PORT = re.compile(r"(INPUT|OUTPUT)\s*\(\s*([^\s(),=]+)\s*\)", re.IGNORECASE)
_GATE = re.compile(r"([^\s(),=]+)\s*=\s*([A-Za-z0-9_]+)(?:\s+0x[0-9a-fA-F]+)?\s*(?:\(([^()=]*)\))?")
_REGISTERS = ("dff", "dffsr", "latch")
_CONSTANTS = ("vdd", "gnd", "vcc")


def load(source: Source, *, weights: Weights = "all") -> Loaded:
    """Read a .bench circuit: the nets are the vertices; edges run from the nets a gate reads to the one it
    drives.

    Parameters
    ----------
    source : Source
        The file.
    weights : {"all", "gates"}
        1 for each vertex, or 0 for inputs of the circuit.

    Raises
    ------
    ParseError
        The file is damaged; names the line.

    Examples
    --------
    >>> text = b"INPUT(a)\\nINPUT(b)\\nOUTPUT(y)\\ny = NAND(a, b)\\n"
    >>> load(Source("nand.bench", text)).graph
    Dag(n=3, m=2)
    """
    text = Text.of(source)
    text.decoded()
    netlist = Netlist(text)
    empty = True
    for line, _, content in text.lines():
        statement = content.decode().partition("#")[0].strip()
        if not statement:
            continue
        empty = False
        port, gate = _PORT.fullmatch(statement), _GATE.fullmatch(statement)
        if port is not None:
            if port[1].lower() == "input":
                netlist.input(port[2], line)
            continue
        if gate is None or (gate[3] is None and gate[2].lower() not in _CONSTANTS):
            raise text.error(
                line, show(statement.encode()), "INPUT(net), OUTPUT(net) or net = GATE(net, ...)"
            )
        inputs = [net.strip() for net in (gate[3] or "").split(",")] if (gate[3] or "").strip() else []
        if any(not net or len(net.split()) > 1 for net in inputs):
            raise text.error(line, show(statement.encode()), "names of nets with commas between them")
        if gate[2].lower() in _REGISTERS:
            netlist.register([gate[1]], line)
        else:
            netlist.gate([gate[1]], inputs, line)
    if empty:
        raise text.error(text.last_line, "an empty file", "INPUT(net), OUTPUT(net) or net = GATE(net, ...)")
    return Loaded(netlist.graph(weights), FORMAT.name, notes=netlist.notes())


FORMAT = Format(
    "bench",
    (".bench",),
    load,
    signature=lambda start: re.match(rb"(#[^\n]*\n|\s)*+input\s*\(", start) is not None,
)
