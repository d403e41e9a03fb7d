"""What is asked of the engine, checked: a graph, a number of parts, a cap, and what must share a part."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart import metrics
from dagpart._arguments import Objective, check_parts
from dagpart._weights import unscaled
from dagpart.dag import Digraph
from dagpart.errors import InfeasibleError
from dagpart.search.evolution import EngineInput
from dagpart.search.reduction import Reduction, reduce

__all__ = ["Request", "merge", "prepare"]


@dataclass(frozen=True)
class Request(Reduction):
    """What is asked for, checked, on a graph in which all that must share a part is one vertex.

    Attributes
    ----------
    k, cap : int
        Number of parts, and the heaviest that one may be, in the unit of the integer weights.
    """

    k: int
    cap: int

    @property
    def parts(self) -> int:
        """Number of parts that can be in use."""
        return max(min(self.k, max(self.dag.n, 1)), int(self.anchors.sum()))

    def told(self, weight: int) -> int | float:
        """A weight of vertices in the caller's unit."""
        return unscaled(weight, self.given.vertex_weight_scale)

    def heaviest(self) -> int:
        """Weight of the heaviest vertex of `dag`, as an integer weight."""
        return int(self.dag.vertex_weights.max(initial=0))

    def heaviest_words(self) -> str:
        """A sentence on that vertex, in the caller's terms, up to its weight."""
        block = int(self.dag.vertex_weights.argmax())
        members = np.array([block]) if self.membership is None else np.flatnonzero(self.membership == block)
        who = f"vertex {self.given.name(int(members[0]))}"
        if members.size == 1:
            return f"{who} weighs"
        return f"{who} and the {members.size - 1} others that must share its part weigh"

    def engine_input(self, allow_empty: bool, objective: Objective = "edge_cut") -> EngineInput:
        """What the engine is given."""
        dag = self.dag
        nets = None
        if objective == "comm_volume":
            # Merged vertices still send one by one.
            place = np.arange(dag.n) if self.membership is None else self.membership
            given = self.given
            nets = (
                given.indptr,
                given.indices.astype(np.int32, copy=False),
                given.edge_weights,
                place.astype(np.int32, copy=False),
            )
        return EngineInput(
            (
                dag.indptr,
                dag.indices.astype(np.int32, copy=False),
                dag.edge_weights,
                dag.vertex_weights,
                self.rank.astype(np.int32, copy=False),
                self.anchors,
                self.parts,
                min(self.cap, max(dag.total_weight, 1)),
                allow_empty,
                nets,
            )
        )

    def answer(self, labels: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """From monotone labels of `dag`: those of the caller, and a topological order of the parts."""
        name_of = _part_names(labels, self.part_of, self.k)
        labels = name_of[labels]
        if self.membership is not None:
            labels = labels[self.membership]
        labels.setflags(write=False)
        return labels, name_of


def prepare(
    given: Digraph, k: int, imbalance: float, fixed: Any, groups: Any, allow_empty: bool, on_cycle: str
) -> Request:
    """Check a request and merge what must share a part; the arguments are those of `partition`.

    Raises
    ------
    NotADagError, InfeasibleError, DagpartError
        As `partition`.
    """
    k = check_parts(given.n, k, allow_empty)
    cap = metrics.max_part_weight(given.total_weight, k, imbalance)
    request = merge(given, k, cap, fixed, groups, on_cycle)
    if k > request.dag.n and not allow_empty:
        raise InfeasibleError(
            f"merging cycles, groups and fixed parts leaves {request.dag.n} blocks for k={k} parts, so some "
            "stay empty; ask for fewer parts, or allow_empty=True"
        )
    heaviest = request.heaviest()
    if heaviest > cap:
        exact = Fraction(heaviest, -(-given.total_weight // k)) - 1
        needed = float(exact)
        while Fraction(str(needed)) < exact:
            needed = math.nextafter(needed, math.inf)
        raise InfeasibleError(
            f"{request.heaviest_words()} {request.told(heaviest)}, more than the {request.told(cap)} a part "
            "may; "
            f"the smallest imbalance that would do is {needed!r}",
            needed,
        )
    return request


def merge(given: Digraph, k: int, cap: int, fixed: Any, groups: Any, on_cycle: str) -> Request:
    """Merge what must share a part; whether the blocks fit under the cap is left to the caller.

    Parameters
    ----------
    given : Digraph
    k : int
        Number of parts, as `check_parts` gives it.
    cap : int
        The heaviest that a part may be.
    fixed, groups, on_cycle
        As for `partition`.

    Raises
    ------
    NotADagError, InfeasibleError, DagpartError
        As `partition`.
    """
    return Request(**vars(reduce(given, k, fixed, groups, on_cycle)), k=k, cap=cap)


def _part_names(labels: NDArray[np.int32], part_of: NDArray[np.int64], k: int) -> NDArray[np.int32]:
    """The caller's id for each of the engine's labels: fixed ids where asked for, the others ascending."""
    name_of = np.full(k, -1, dtype=np.int32)
    held = np.flatnonzero(part_of >= 0)
    name_of[labels[held]] = part_of[held]
    name_of[name_of < 0] = np.setdiff1d(np.arange(k, dtype=np.int32), name_of[name_of >= 0])
    return name_of
