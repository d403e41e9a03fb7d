"""And-inverter graphs (.aag, .aig): AIGER in text and in binary.

The format is that of A. Biere, "The AIGER And-Inverter Graph (AIG) Format Version 20071012", FMV report 07/1,
with the further header fields of A. Biere, K. Heljanko, S. Wieringa, "AIGER 1.9 and beyond", FMV report 11/2.
`py-aiger` reads the text form only, and `aigerox` has had no release since early 2025.
"""

from __future__ import annotations

import re

from dagpart._files import Source
from dagpart._text import Text, show, whole
from dagpart.io._netlist import Weights, vertex_weights
from dagpart.io.building import check_isolated, from_arrays
from dagpart.io.formats import Format, Loaded

_FORM = "a header: aag or aig, and the numbers M I L O A, maybe B C J F"
_SYMBOL = re.compile(rb"([ilobcjf])([0-9]+) (.*)")


def load(source: Source, *, weights: Weights = "all") -> Loaded:
    """Read an and-inverter graph: inputs, latches and gates are the vertices; inverters and constants are
    none.

    Vertices go by the symbols of inputs and latches, else by their literals. A latch reads nothing, which
    cuts the loops through latches.

    Parameters
    ----------
    source : Source
        The file.
    weights : {"all", "gates"}
        1 for each vertex, or 0 for inputs of the circuit.

    Raises
    ------
    ParseError
        The file is damaged; names the line, or the byte in the binary part.

    Examples
    --------
    >>> loaded = load(Source("and.aag", b"aag 3 2 0 1 1\\n2\\n4\\n6\\n6 2 5\\n"))
    >>> loaded.graph, loaded.graph.names
    (Dag(n=3, m=2), ('2', '4', '6'))
    """
    if source.data.startswith(b"aig "):
        # Binary from the gates on: line ends are not to be touched.
        return _Reader(Text(source.name, source.data), binary=True).read(weights)
    return _Reader(Text.of(source), binary=False).read(weights)


class _Reader:
    """One file; `position` is where the next line starts, and `line` its number."""

    def __init__(self, text: Text, *, binary: bool) -> None:
        self.text = text
        self.binary = binary
        self.lines = text.lines()
        self.line = 0
        self.position = 0
        self.index: dict[int, int] = {}

    def read(self, weights: Weights) -> Loaded:
        text = self.text
        if not text.data.strip():
            raise text.error(1, "an empty file", _FORM)
        head = self._next("a header").split()
        numbers = [whole(field) for field in head[1:]]
        if head[:1] not in ([b"aag"], [b"aig"]) or not 5 <= len(numbers) <= 9:
            raise text.error(1, show(b" ".join(head)), _FORM)
        if any(number is None or number < 0 for number in numbers):
            raise text.error(1, show(b" ".join(head)), _FORM)
        highest, inputs, latches, outputs, gates, bad, constraints, justice, fairness = (
            number or 0 for number in (*numbers, *[0] * (9 - len(numbers)))
        )
        if highest < inputs + latches + gates or (self.binary and highest != inputs + latches + gates):
            wanted = "M = I + L + A" if self.binary else "M >= I + L + A"
            raise text.error(1, show(b" ".join(head)), wanted)
        check_isolated(text.name, 1, inputs + latches + gates, len(text.data), "bytes")
        self.highest = highest
        for i in range(inputs):
            self._vertex(2 * (i + 1) if self.binary else self._literals(1, "an input")[0])
        for i in range(latches):
            if self.binary:
                fields = self._literals(None, "a latch: its next state and maybe its reset")
                self._vertex(2 * (inputs + i + 1))
                count = len(fields)
            else:
                fields = self._literals(None, "a latch: its literal, its next state and maybe its reset")
                self._vertex(fields[0])
                count = len(fields) - 1
            if not 1 <= count <= 2:
                raise text.error(self.line, f"{len(fields)} literals", "a latch with its next state")
        for _ in range(outputs + bad + constraints):
            self._literals(1, "an output")
        sizes = [self._literals(1, "the size of a justice property", bound=False)[0] for _ in range(justice)]
        for _ in range(sum(sizes) + fairness):
            self._literals(1, "a literal of a property")
        first = inputs + latches
        pairs = self._binary_gates(gates, first) if self.binary else self._text_gates(gates)
        names = self._names(inputs, first)
        source, target = self._edges(pairs)
        known = vertex_weights(weights, [place < inputs for place in range(len(self.index))])
        graph = from_arrays(len(self.index), source, target, vertex_weights=known, names=names)
        notes = (f"loops cut at registers: {latches}",) if latches else ()
        return Loaded(graph, FORMAT.name, notes=notes)

    def _next(self, wanted: str) -> bytes:
        for line, position, content in self.lines:
            self.line, self.position = line, position
            return content
        raise self.text.error(self.text.last_line, "the end of the file", wanted)

    def _literals(self, count: int | None, wanted: str, *, bound: bool = True) -> list[int]:
        content = self._next(wanted)
        numbers = [whole(field) for field in content.split()]
        good = [number for number in numbers if number is not None and number >= 0]
        if not numbers or len(good) < len(numbers) or (count is not None and len(good) != count):
            raise self.text.error(self.line, show(content), wanted)
        if bound and max(good) > 2 * self.highest + 1:
            raise self.text.error(self.line, f"the literal {max(good)}", f"one up to {2 * self.highest + 1}")
        return good

    def _vertex(self, literal: int) -> None:
        if literal < 2 or literal % 2:
            raise self.text.error(
                self.line, f"the literal {literal}", "an even one above 0, for what is driven"
            )
        position = len(self.index)
        if self.index.setdefault(literal // 2, position) != position:
            raise self.text.error(
                self.line, f"the literal {literal} for the second time", "one driver for each"
            )

    def _text_gates(self, gates: int) -> list[tuple[int, int, int, int]]:
        pairs = []
        for _ in range(gates):
            literal, *inputs = self._literals(3, "a gate: three literals")
            self._vertex(literal)
            pairs.append((literal // 2, inputs[0], inputs[1], self.line))
        return pairs

    def _binary_gates(self, gates: int, first: int) -> list[tuple[int, int, int, int]]:
        pairs = []
        for i in range(gates):
            literal = 2 * (first + i + 1)
            left = literal - self._delta()
            right = left - self._delta()
            if not literal > left >= right >= 0:
                found = f"the inputs {left} and {right} of gate {literal} at byte {self.position}"
                raise self.text.error(None, found, "literals that fall")
            self._vertex(literal)
            pairs.append((literal // 2, left, right, 0))
        self.lines = self.text.rest(self.position, self.line + 1).lines()
        return pairs

    def _delta(self) -> int:
        """A number of seven bits a byte, lowest first; the highest bit says that more follow."""
        value = shift = 0
        while True:
            if self.position >= len(self.text.data):
                raise self.text.error(
                    None, f"the end of the file at byte {self.position}", "the inputs of a gate"
                )
            byte = self.text.data[self.position]
            self.position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise self.text.error(
                    None, f"a number of more than 64 bits at byte {self.position}", "a smaller one"
                )

    def _edges(self, pairs: list[tuple[int, int, int, int]]) -> tuple[list[int], list[int]]:
        source, target = [], []
        for variable, left, right, line in pairs:
            for literal in (left, right):
                # Literals 0 and 1 are the constants.
                if literal < 2:
                    continue
                position = self.index.get(literal // 2)
                if position is None:
                    wanted = "one that an input, a latch or a gate drives"
                    raise self.text.error(line or None, f"the literal {literal}", wanted)
                source.append(position)
                target.append(self.index[variable])
        return source, target

    def _names(self, inputs: int, first: int) -> list[str]:
        """Symbols where the table at the end has them and they stay apart, else literals."""
        names = [str(2 * variable) for variable in self.index]
        for line, _, content in self.lines:
            if content.rstrip() == b"c":
                break
            if not content.strip():
                continue
            symbol = _SYMBOL.fullmatch(content)
            if symbol is None:
                raise self.text.error(line, show(content), "a symbol, such as i0 name, or c for comments")
            place = int(symbol[2][:18]) + (inputs if symbol[1] == b"l" else 0)
            if (symbol[1] == b"i" and place < inputs) or (symbol[1] == b"l" and place < first):
                names[place] = symbol[3].decode("utf-8", "backslashreplace")
        if len(set(names)) < len(names):
            return [str(2 * variable) for variable in self.index]
        return names


FORMAT = Format(
    "aiger",
    (".aag", ".aig"),
    load,
    signature=lambda start: re.match(rb"a[ai]g [0-9]", start) is not None,
)
