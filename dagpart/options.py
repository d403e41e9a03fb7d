"""The engine's numbers and the named presets."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from dagpart.errors import DagpartError

__all__ = ["CHECK_VARIABLE", "PRESETS", "Options", "options_of"]

CHECK_VARIABLE = "DAGPART_CHECK"
"""Environment variable that, set to 1, turns the engine's invariant checks on."""


_INT32_MAX = 2**31 - 1

_START_PHASES = ("guide", "scan", "repair", "multilevel", "order", "small")


def _number(default: float, words: str, least: float = 1, most: float = _INT32_MAX) -> Any:
    """A number of `Options`: its value by default, what it does, and its range."""
    return field(default=default, metadata={"words": words, "least": least, "most": most})


def _phases(default: tuple[str, ...], words: str) -> Any:
    """The names of phases to run."""
    return field(default=default, metadata={"words": words})


@dataclass(frozen=True)
class Options:
    # The docstring is made below, from what stands beside each field.

    phases: tuple[str, ...] = _phases(
        _START_PHASES,
        "What makes first partitions: ``guide`` (bisections of the undirected graph that steer coarsening), "
        "the starts of a bisection ``scan``, ``repair`` (of the guides) and ``multilevel``, the k-way start "
        "``order`` (the order the vertices came in, cut into runs) and ``small`` (many restarts on small "
        "graphs). What is not named is left out.",
    )
    clusterers: tuple[str, ...] = _phases(
        ("runs", "levels"),
        "What coarsens: the first in three steps of four, the others in the rest and where it stalls.",
    )
    refiners: tuple[str, ...] = _phases(
        ("fm", "flow", "fm"),
        "What refines a level, in this order; one named again runs only if the cost has fallen since.",
    )
    guides: int = _number(
        1, "Bisections of the undirected graph, each of which steers coarsening and is repaired as a start."
    )
    guide_starts: int = _number(4, "Grown regions tried on the guide's coarsest graph.")
    starts: int = _number(14, "Topological orders tried on the coarsest acyclic graph.")
    scans: int = _number(4, "Topological orders of the finest graph whose best prefix is a start.")
    repairs: int = _number(2, "How many of the guide's four repairs are refined.")
    cycles: int = _number(0, "V-cycles given to the best start of each bisection.", least=0)
    restarts: int = _number(
        0, "More whole recursive bisections, of which the best is refined further.", least=0
    )
    bisection_restarts: int = _number(2, "The same for k = 2, where each costs little.", least=0)
    restart_work: int = _number(
        3_300_000,
        "Vertices and edges on all levels of recursion that restarts may pass together: large graphs get "
        "fewer.",
        least=0,
        most=2**62,
    )
    kway_cycles: int = _number(1, "V-cycles of direct k-way refinement.", least=0)
    passes: int = _number(6, "Most FM passes on one level.", least=0)
    shrink: float = _number(
        2.5,
        "Most weight of a cluster over the mean vertex weight, for one step of coarsening.",
        least=1.0,
        most=1000.0,
    )
    guide_shrink: float = _number(2.5, "The same for a guide.", least=1.0, most=1000.0)
    stop_fraction: float = _number(
        0.02,
        "An FM pass ends after this fraction of the vertices has moved without a new best, within the two "
        "bounds that follow.",
        least=0.0,
        most=1.0,
    )
    stop_min: int = _number(50, "The least of such moves, whatever the fraction.", least=0)
    stop_max: int = _number(1000, "The most of such moves, whatever the fraction.", least=0)
    coarsest: int = _number(120, "Vertices of the coarsest graph of a bisection.", least=2)
    coarsest_per_part: int = _number(25, "Vertices per part of the coarsest graph in k-way cycles.")
    order_ratio: float = _number(
        1.3,
        "The start ``order``, refined, gets V-cycles of its own if its cost is below this multiple of the "
        "best so far.",
        least=0.0,
        most=1e6,
    )
    flow_vertices: int = _number(_INT32_MAX, "The refiner ``flow`` leaves out levels of more vertices.")
    flow_rounds: int = _number(1, "Rounds of ``flow`` over the pairs of parts on one level.")
    flow_depth: int = _number(8, "Most vertices of a corridor side for each vertex on the boundary.", least=0)
    flow_nodes: int = _number(20_000, "Most vertices of a corridor.", least=2)
    flow_reach: float = _number(
        0.5,
        "Weight of a corridor side beyond what balance allows to move, over the heaviest weight allowed to "
        "the part.",
        least=0.0,
        most=1e6,
    )
    small_rounds: int = _number(400, "Most restarts of ``small``.", least=0)
    small_work: int = _number(
        5_000_000,
        "Small graphs are searched by ``small_work // (k n^2 + n p + 64 (n + m))`` restarts; p counts the "
        "pins of all nets, 0 for the edge cut.",
        least=0,
        most=2**62,
    )
    check: bool = _number(
        False, "Verify every invariant after each phase (slow; the tests run with it).", least=0, most=1
    )

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if "least" in item.metadata:
                _check_number(item.name, value, item.type == "float", item.metadata)
            else:
                object.__setattr__(self, item.name, _phase_names(item.name, value))
        if not {"scan", "multilevel"} & set(self.phases):
            raise DagpartError(
                "the option phases names neither 'scan' nor 'multilevel': "
                "then small graphs have no start at all"
            )
        if not self.clusterers:
            raise DagpartError("the option clusterers must name one at least")

    def without(self, *names: str) -> Options:
        """The same options with some phases left out.

        Parameters
        ----------
        *names : str
            Of `phases`, `clusterers` or `refiners`.

        Raises
        ------
        DagpartError
            If the options do not name such a phase.

        Examples
        --------
        >>> Options().without("flow").refiners
        ('fm', 'fm')
        """
        lists = {kind: getattr(self, kind) for kind in ("phases", "clusterers", "refiners")}
        known = [phase for phases in lists.values() for phase in phases]
        for name in names:
            if name not in known:
                raise DagpartError(
                    f"the options name no phase {name!r}; they name {', '.join(dict.fromkeys(known))}"
                )
        kept: dict[str, Any] = {
            kind: tuple(phase for phase in phases if phase not in names) for kind, phases in lists.items()
        }
        return replace(self, **kept)

    def numbers(self) -> dict[str, Any]:
        """All numbers, by name."""
        return {item.name: getattr(self, item.name) for item in fields(self) if "least" in item.metadata}


def _check_number(name: str, value: Any, fractional: bool, range_: Mapping[str, Any]) -> None:
    good = isinstance(value, int | float) if fractional else isinstance(value, int | np.integer)
    least, most = range_["least"], range_["most"]
    if not good or not least <= value <= most:
        kind = "a number" if fractional else "a whole number"
        cure = "; a phase that is not wanted is left out of phases or refiners" if value == 0 else ""
        raise DagpartError(f"the option {name} must be {kind} from {least} to {most}, got {value!r}{cure}")


def _phase_names(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not all(isinstance(phase, str) for phase in value):
        raise DagpartError(f"the option {name} must be a tuple of names of phases, got {value!r}")
    return tuple(value)


def _describe(options: type[Options]) -> str:
    lines = ["Every phase and every number that steers the engine.", "", "Attributes", "----------"]
    for item in fields(options):
        lines.append(f"{item.name} : {item.type}, default {item.default!r}")
        lines.extend("    " + line for line in textwrap.wrap(item.metadata["words"], 100))
    return (
        "\n".join(lines)
        + """

    Examples
    --------
    Default's numbers without minimum cuts:

    >>> import dagpart
    >>> quick = dagpart.Options(refiners=("fm",))
    >>> dagpart.partition([(0, 1), (1, 2), (2, 3)], 2, preset=quick).edge_cut
    1
    """.replace("\n    ", "\n")
    )


Options.__doc__ = _describe(Options)


PRESETS = {
    "fast": Options(
        guide_starts=3,
        phases=tuple(phase for phase in _START_PHASES if phase != "multilevel"),
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
