"""Run a numerical program on numbers that remember where they come from: the graph of its operations."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

from dagpart._arguments import check_choice
from dagpart.dag import Dag
from dagpart.generate._arguments import Weights

_CONSTANT = -(2**63)
_DOUBLE_BYTES = 8


class Value:
    """A number of a traced program; arithmetic on it is recorded. `Trace` and `Array` make values.

    All operations are recorded alike: the graph tells who needs whom, not what is computed.
    """

    __slots__ = ("_origin", "_trace")

    def __init__(self, trace: Trace, origin: int) -> None:
        self._trace = trace
        self._origin = origin

    def _operate(self, other: Value | float) -> Value:
        trace = self._trace
        operands = trace._operands
        operands.append(self._origin)
        operands.append(other._origin if isinstance(other, Value) else _CONSTANT)
        return Value(trace, len(operands) // 2 - 1)

    def __neg__(self) -> Value:
        return self._operate(0.0)

    __add__ = __radd__ = __sub__ = __rsub__ = _operate
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _operate


class Array(dict[Any, Value]):
    """An array of a traced program, of any shape; an element that is read before it was written is an input.

    An index is what stands in the brackets: ``x[i]``, ``A[i, j]``.
    """

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    def __missing__(self, index: Any) -> Value:
        value = self[index] = self._trace._new_input()
        return value


class Trace:
    """What a program did: one vertex for every operation and for every input that it read.

    Examples
    --------
    A dot product of length 2, with a start value of 0:

    >>> t = Trace()
    >>> x, y = t.arrays(2)
    >>> total = t.constant(0.0)
    >>> for i in range(2):
    ...     total = total + x[i] * y[i]
    >>> g = t.graph()
    >>> [(int(u), int(v)) for u, v in zip(*g.to_scipy().nonzero())]
    [(0, 4), (1, 4), (2, 6), (3, 6), (4, 5), (5, 7), (6, 7)]
    """

    def __init__(self) -> None:
        self._constant = Value(self, _CONSTANT)
        self._inputs = 0
        # Two for each operation: its number for an operation, its complement (negative) for an input.
        self._operands = array("q")

    def arrays(self, count: int) -> tuple[Array, ...]:
        """New arrays."""
        return tuple(Array(self) for _ in range(count))

    def constant(self, number: float) -> Value:
        """A number that is no input: a literal, a scalar argument.

        It has no vertex, and no edge leaves it; yet an operation on constants alone is a vertex. Python
        numbers that meet a `Value` are constants, too.
        """
        return self._constant

    def _new_input(self) -> Value:
        self._inputs += 1
        return Value(self, -self._inputs)

    def graph(self, weights: Weights = "unit") -> Dag:
        """The graph of all operations so far.

        Parameters
        ----------
        weights : {"unit", "cost"}
            "cost": an operation is one flop, an input none, and an edge carries the 8 bytes of a double.

        Returns
        -------
        Dag
            Inputs first, in the order in which they were read; then operations in program order. A value
            that is both operands of an operation gives one edge.
        """
        check_choice(weights, "weights", ("unit", "cost"))
        operands = np.frombuffer(self._operands, dtype=np.int64).reshape(-1, 2)
        n = self._inputs + len(operands)
        given = operands != _CONSTANT
        given[:, 1] &= operands[:, 1] != operands[:, 0]
        operation, _ = np.nonzero(given)
        source = operands[given]
        source = np.where(source < 0, ~source, source + self._inputs)
        edges = np.column_stack((source, operation + self._inputs))
        if weights == "unit":
            return Dag.from_edges(edges, n=n)
        work = np.ones(n, dtype=np.int64)
        work[: self._inputs] = 0
        return Dag.from_edges(
            edges, n=n, vertex_weights=work, edge_weights=np.full(len(edges), _DOUBLE_BYTES)
        )
