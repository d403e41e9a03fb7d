#!/usr/bin/env python3
"""What each phase is worth: a preset with one phase off in turn, beside the whole preset.

Figures are geometric means over graphs and k of the edge cut over that of the whole preset, and the ratio of
the CPU times. Exit 1 when some partition is not legal.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from _inputs import SETS, add_graph_options, chosen_graphs
from _ratios import geometric_mean, ratio
from _table import head, line
from quality import IMBALANCE, Row, measure

from dagpart.options import PRESETS, Options

OFF: dict[str, Callable[[Options], Options]] = {
    "undirected guide": lambda o: o.without("guide"),
    "repaired guide as a start": lambda o: o.without("repair"),
    "scans of the finest graph": lambda o: o.without("scan"),
    "multilevel starts": lambda o: o.without("multilevel"),
    "FM": lambda o: o.without("fm"),
    "flow": lambda o: o.without("flow"),
    "flow above 10,000 vertices": lambda o: replace(o, flow_vertices=10_000),
    "large corridors": lambda o: replace(o, flow_reach=0.1),
    "k-way V-cycles": lambda o: replace(o, kway_cycles=0),
    "given order as a k-way start": lambda o: o.without("order"),
}


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
    for phase, change in {"nothing": lambda o: o, **OFF}.items():
        preset: Any = change(PRESETS[options.preset])
        found[phase] = [
            row
            for name in names
            for row in measure(name, graphs, options.k or graphs.ks, preset, options.seeds)
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
