"""Circuits: a vertex for every net, an edge from each net to the net of the gate that reads it."""

from __future__ import annotations

from dagpart._text import Text, show
from dagpart.dag import Digraph
from dagpart.io.building import from_arrays


class Netlist:
    """Collects what a file tells of a circuit; nets may be read before they are driven.

    A register is a vertex that drives its output and reads nothing, so that the loops through registers are
    cut.

    Parameters
    ----------
    text : Text
        The file, for messages.
    """

    def __init__(self, text: Text) -> None:
        self._text = text
        self._index: dict[str, int] = {}
        self._source: list[str] = []
        self._target: list[int] = []
        self._lines: list[int] = []
        self._registers = 0

    def gate(self, net: str, inputs: list[str], line: int) -> None:
        """A net, and what the gate that drives it reads; an input of the circuit reads nothing."""
        position = len(self._index)
        if self._index.setdefault(net, position) != position:
            raise self._text.error(
                line, f"a second driver of {show(net.encode())}", "one driver for each net"
            )
        self._source += inputs
        self._target += [position] * len(inputs)
        self._lines += [line] * len(inputs)

    def register(self, net: str, line: int) -> None:
        """A net that holds its value: what drives the register is not read for it."""
        self.gate(net, [], line)
        self._registers += 1

    def graph(self) -> Digraph:
        """The graph; a gate that reads a net twice has one edge from it, of weight 2."""
        source = []
        for name, line in zip(self._source, self._lines, strict=True):
            position = self._index.get(name)
            if position is None:
                raise self._text.error(
                    line, f"the net {show(name.encode())}", "a net that an input or a gate drives"
                )
            source.append(position)
        return from_arrays(len(self._index), source, self._target, names=list(self._index))

    def notes(self) -> tuple[str, ...]:
        """What a user should know."""
        return (f"loops cut at registers: {self._registers}",) if self._registers else ()
