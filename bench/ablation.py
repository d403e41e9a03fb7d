#!/usr/bin/env python3
"""What each phase is worth: a preset with one phase off in turn, beside the whole preset.

The phases are those of the engine's tables; one that the preset does not name is put in instead.

Figures are geometric means over graphs and k of the edge cut over that of the whole preset, and the ratio of
the CPU times. Exit 1 when some partition is not legal.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace

from _inputs import SETS, add_graph_options, chosen_graphs
from _ratios import geometric_mean, ratio
from _table import head, line
from quality import IMBALANCE, Row, measure

from dagpart._core.testing import clusterer_names, refiner_names, start_names
from dagpart.errors import DagpartError
from dagpart.options import PRESETS, Options

Change = Callable[[Options], Options]

# What has a row of other words than its name: a phase, or a number that is changed. Every other phase of
# the engine's tables follows, under its own name.
ROWS: dict[str, str | Change] = {
    "undirected guide": "guide",
    "repaired guide as a start": "repair",
    "scans of the finest graph": "scan",
    "multilevel starts": "multilevel",
    "FM": "fm",
    "flow": "flow",
    "flow above 10,000 vertices": lambda o: replace(o, flow_vertices=10_000),
    "large corridors": lambda o: replace(o, flow_reach=0.1),
    "k-way V-cycles": lambda o: replace(o, kway_cycles=0),
    "given order as a k-way start": "order",
}
# Each of these clusterers takes over where the other stalls: there is no preset without both.
NO_ROW = {"runs", "levels"}


def tables() -> dict[str, list[str]]:
    """The phases that the engine lists, by the field of the options that names them."""
    return {"phases": start_names(), "clusterers": clusterer_names(), "refiners": refiner_names()}


def without(name: str) -> Change:
    return lambda options: options.without(name)


def put_in(kind: str, name: str) -> Change:
    return lambda options: replace(options, **{kind: (*getattr(options, kind), name)})


def accepted(options: Options, change: Change) -> bool:
    """Whether there are such options: a preset may have a phase that it cannot do without."""
    try:
        change(options)
    except DagpartError:
        return False
    return True


def changes(options: Options) -> dict[str, Change]:
    """The rows: what each is called and how it changes the options.

    A phase that these options do not name cannot be off: it is put in instead, last of its kind.
    """
    named = {*options.phases, *options.clusterers, *options.refiners}
    kinds = {name: kind for kind, names in tables().items() for name in names}
    others = [name for name in kinds if name not in NO_ROW and name not in ROWS.values()]
    rows: dict[str, Change] = {}
    for words, what in (*ROWS.items(), *zip(others, others, strict=True)):
        if not isinstance(what, str):
            rows[words] = what
        elif what in named:
            rows[words] = without(what)
        elif what in kinds:
            rows[f"nothing, and {words} put in"] = put_in(kinds[what], what)
    return {words: change for words, change in rows.items() if accepted(options, change)}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_graph_options(parser)
    parser.add_argument("--preset", choices=tuple(PRESETS), default="default", help="default: default")
    parser.add_argument("--seeds", type=int, default=1, metavar="S", help="seeds 0 .. S-1 (default 1)")
    options = parser.parse_args(argv)

    graphs = SETS[options.set]
    names = chosen_graphs(parser, options, graphs.reference(f"{1 + float(IMBALANCE):g}"))
    found: dict[str, list[Row]] = {}
    preset = PRESETS[options.preset]
    for phase, change in {"nothing": lambda o: o, **changes(preset)}.items():
        found[phase] = [
            row
            for name in names
            for row in measure(name, graphs, options.k or graphs.ks, change(preset), options.seeds)
        ]
        print(f"without {phase}: done", file=sys.stderr, flush=True)

    whole = found["nothing"]
    seconds = sum(row.seconds for row in whole)
    print(head(("phase off", "cut", "worst row", "CPU")))
    for phase, rows in found.items():
        ratios = [ratio(row.cut_mean, whole[i].cut_mean) for i, row in enumerate(rows)]
        worst = max(range(len(rows)), key=ratios.__getitem__)
        where = f"{ratios[worst]:.2f} ({rows[worst].graph}, k={rows[worst].k})"
        cost = sum(row.seconds for row in rows) / seconds
        print(line((phase, f"{geometric_mean(ratios):.3f}", where, f"{cost:.2f}")))
    return 1 if any(row.faults for rows in found.values() for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
