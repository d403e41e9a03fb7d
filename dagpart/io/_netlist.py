"""Circuits: a vertex for every gate, named by the net it drives, an edge to each gate that reads the net."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dagpart._text import Text, show
from dagpart.dag import Digraph
from dagpart.errors import DagpartError
from dagpart.io.building import from_arrays

Weights = Literal["all", "gates"]
"""What vertices of a circuit weigh: 1 each, or 1 for gates and registers and 0 for inputs of the circuit."""


def vertex_weights(weights: Weights, inputs: Sequence[bool]) -> list[int] | None:
    """The weights of the vertices of a circuit; `inputs` tells which of them are its inputs.

    Raises
    ------
    DagpartError
        The weights are asked for by another word.
    """
    if weights not in ("all", "gates"):
        raise DagpartError(f'weights={weights!r}: it must be "gates", "all", or a file of names and weights')
    return None if weights == "all" else [0 if is_input else 1 for is_input in inputs]


class Netlist:
    """Collects what a file tells of a circuit; nets may be read before they are driven.

    A register is a vertex that drives its outputs and reads nothing, so that the loops through registers are
    cut. What drives several nets is one vertex, named by the first of them.

    Parameters
    ----------
    text : Text
        The file, for messages.

    Attributes
    ----------
    idle : int
        How many cells were left out because they drive no net.
    """

    def __init__(self, text: Text) -> None:
        self._text = text
        self._index: dict[str, int] = {}
        self._names: list[str] = []
        self._inputs: list[bool] = []
        self._source: list[str] = []
        self._target: list[int] = []
        self._lines: list[int] = []
        # The pin of a cell that an edge ends at, where the file names it.
        self._pins: dict[int, str] = {}
        self._clocks: list[str] = []
        self._registers = 0
        self.idle = 0

    def input(self, net: str, line: int) -> None:
        """An input of the circuit."""
        self.gate([net], [], line)
        self._inputs[-1] = True

    def clock(self, net: str) -> None:
        """An input that may be declared among the others, too, and is no vertex if only registers read it."""
        self._clocks.append(net)

    def gate(self, outputs: list[str], inputs: list[str], line: int, pins: Sequence[str] = ()) -> None:
        """What drives some nets, and the nets it reads; `pins` says where, for messages."""
        position = len(self._names)
        for net in outputs:
            if self._index.setdefault(net, position) != position:
                raise self._text.error(
                    line, f"a second driver of {show(net.encode())}", "one driver for each net"
                )
        self._names.append(outputs[0])
        self._inputs.append(False)
        self._pins.update(zip(range(len(self._source), len(self._source) + len(pins)), pins, strict=True))
        self._source += inputs
        self._target += [position] * len(inputs)
        self._lines += [line] * len(inputs)

    def register(self, outputs: list[str], line: int) -> None:
        """What holds its value: nothing that drives it is read."""
        self.gate(outputs, [], line)
        self._registers += 1

    def graph(self, weights: Weights = "all") -> Digraph:
        """The graph; a gate that reads a net twice has one edge from it, of weight 2."""
        read = set(self._source)
        for net in self._clocks:
            if net in read and net not in self._index:
                self.input(net, 0)
        source = []
        for edge, (name, line) in enumerate(zip(self._source, self._lines, strict=True)):
            position = self._index.get(name)
            if position is None:
                found, expected = f"the net {show(name.encode())}", "a net that an input or a gate drives"
                if edge in self._pins:
                    found += f" at {self._pins[edge]}"
                    expected += (
                        "; the output of a cell is its last pin, unless Q and QN or CO and S tell more"
                    )
                raise self._text.error(line, found, expected)
            source.append(position)
        return from_arrays(
            len(self._names),
            source,
            self._target,
            vertex_weights=vertex_weights(weights, self._inputs),
            names=self._names,
        )

    def notes(self) -> tuple[str, ...]:
        """What a user should know."""
        notes = []
        if self._registers:
            notes.append(f"loops cut at registers: {self._registers}")
        if self.idle:
            notes.append(f"cells that drive no net, left out: {self.idle}")
        return tuple(notes)
