"""The engine's numbers and the named presets."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace

import numpy as np

from dagpart.errors import DagpartError

__all__ = ["CHECK_VARIABLE", "PRESETS", "Options", "options_of"]

CHECK_VARIABLE = "DAGPART_CHECK"
"""Environment variable that, set to 1, turns the engine's invariant checks on."""


@dataclass(frozen=True)
class Options:
    """Every number that steers the engine.

    Attributes
    ----------
    guides : int
        Bisections of the undirected graph, each of which steers coarsening and is repaired as a start.
    guide_starts : int
        Grown regions tried on the guide's coarsest graph.
    starts : int
        Topological orders tried on the coarsest acyclic graph; 0 skips the multilevel start.
    scans : int
        Topological orders of the finest graph whose best prefix is a start.
    repairs : int
        How many of the guide's four repairs are refined.
    cycles : int
        V-cycles given to the best start of each bisection.
    restarts : int
        More whole recursive bisections, of which the best is refined further.
    bisection_restarts : int
        The same for k = 2, where each costs little.
    restart_work : int
        Vertices and edges on all levels of recursion that restarts may pass together: large graphs get
        fewer.
    kway_cycles : int
        V-cycles of direct k-way refinement.
    passes : int
        Most FM passes on one level.
    shrink, guide_shrink : float
        Most weight of a cluster over the mean vertex weight, for one step of coarsening.
    stop_fraction, stop_min, stop_max : float, int, int
        An FM pass ends after this fraction of the vertices has moved without a new best, within the two
        bounds.
    coarsest : int
        Vertices of the coarsest graph of a bisection.
    coarsest_per_part : int
        Vertices per part of the coarsest graph in k-way cycles.
    order_ratio : float
        The order the vertices came in, cut into k runs and refined, gets V-cycles of its own if its cost is
        below this multiple of the best so far; 0 leaves that start out.
    flow_vertices : int
        Flow refinement works on levels of at most so many vertices; 0 turns it off.
    flow_rounds : int
        Rounds over the pairs of parts on one level.
    flow_depth, flow_nodes : int
        Most vertices of a corridor side for each vertex on the boundary, and most vertices of a corridor.
    flow_reach : float
        Weight of a corridor side beyond what balance allows to move, over the heaviest weight allowed to
        the part.
    small_rounds, small_work : int
        Small graphs are searched by `small_work // (k n^2 + n p + 64 (n + m))` restarts, at most
        `small_rounds`; p counts the pins of all nets, 0 for the edge cut.
    check : bool
        Verify every invariant after each phase (slow; the tests run with it).
    """

    guides: int = 1
    guide_starts: int = 4
    starts: int = 14
    scans: int = 4
    repairs: int = 2
    cycles: int = 0
    restarts: int = 0
    bisection_restarts: int = 2
    restart_work: int = 3_300_000
    kway_cycles: int = 1
    passes: int = 6
    shrink: float = 2.5
    guide_shrink: float = 2.5
    stop_fraction: float = 0.02
    stop_min: int = 50
    stop_max: int = 1000
    coarsest: int = 120
    coarsest_per_part: int = 25
    order_ratio: float = 1.3
    flow_vertices: int = 2**31 - 1
    flow_rounds: int = 1
    flow_depth: int = 8
    flow_nodes: int = 20_000
    flow_reach: float = 0.5
    small_rounds: int = 400
    small_work: int = 5_000_000
    check: bool = False

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            least, most = _RANGES.get(item.name, (0, 2**31 - 1))
            whole = item.type != "float"
            good = isinstance(value, int | np.integer) if whole else isinstance(value, int | float)
            if not good or not least <= value <= most:
                kind = "a whole number" if whole else "a number"
                raise DagpartError(
                    f"the option {item.name} must be {kind} from {least} to {most}, got {value!r}"
                )
        if not self.starts and not self.scans:
            raise DagpartError(
                "the options starts and scans are both 0: then small graphs have no start at all"
            )


_RANGES: dict[str, tuple[float, float]] = {
    "guide_starts": (1, 2**31 - 1),
    "shrink": (1.0, 1000.0),
    "guide_shrink": (1.0, 1000.0),
    "stop_fraction": (0.0, 1.0),
    "coarsest": (2, 2**31 - 1),
    "coarsest_per_part": (1, 2**31 - 1),
    "order_ratio": (0.0, 1e6),
    "flow_nodes": (2, 2**31 - 1),
    "flow_reach": (0.0, 1e6),
    "small_work": (0, 2**62),
    "restart_work": (0, 2**62),
    "check": (0, 1),
}


PRESETS = {
    "fast": Options(
        guide_starts=3,
        starts=0,
        bisection_restarts=0,
        repairs=1,
        passes=3,
        stop_fraction=0.01,
        stop_max=200,
        order_ratio=1.1,
        flow_vertices=8_000,
        flow_depth=6,
        flow_reach=0.25,
        small_rounds=100,
        small_work=1_000_000,
    ),
    "default": Options(),
    "strong": Options(
        guides=2,
        guide_starts=6,
        scans=7,
        repairs=4,
        restarts=8,
        kway_cycles=6,
        order_ratio=2.0,
        flow_rounds=2,
        flow_depth=16,
        flow_nodes=40_000,
        small_rounds=3_000,
        small_work=30_000_000,
    ),
}


def options_of(preset: str | Options) -> Options:
    """The options behind a preset's name; options themselves pass through.

    Parameters
    ----------
    preset : str or Options

    Raises
    ------
    DagpartError
        If there is no preset of that name.

    Examples
    --------
    >>> options_of("fast").cycles
    0
    """
    options = PRESETS.get(preset) if isinstance(preset, str) else preset
    if not isinstance(options, Options):
        raise DagpartError(f"there is no preset {preset!r}; choose from {', '.join(PRESETS)}")
    if os.environ.get(CHECK_VARIABLE, "0") not in ("", "0"):
        options = replace(options, check=True)
    return options
