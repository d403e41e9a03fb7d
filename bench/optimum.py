#!/usr/bin/env python3
"""How often dagpart finds the optimum: random graphs so small that dagpart.exact proves what it is.

Every graph has edges drawn at random among all pairs of vertices, and unit weights. Exit 1 when an optimum
was not proven, or a partition costs less than the proven optimum.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from _table import head, line

import dagpart
from dagpart import exact, generate


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--graphs", type=int, default=100, metavar="G", help="seeds 0 .. G-1 (default 100)")
    parser.add_argument("--vertices", type=int, default=24, help="default 24")
    parser.add_argument("--edges", type=int, default=48, help="default 48")
    parser.add_argument("--k", type=int, default=3, help="default 3")
    parser.add_argument("--imbalance", type=float, default=0.03, help="default 0.03")
    parser.add_argument("--presets", nargs="+", default=["fast", "default", "strong"], metavar="PRESET")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the cuts")
    options = parser.parse_args(argv)

    rows, unproven, wrong = [], 0, 0
    hits, seconds = dict.fromkeys(options.presets, 0), dict.fromkeys(("exact", *options.presets), 0.0)
    for seed in range(options.graphs):
        dag = generate.erdos_renyi(options.vertices, options.edges, seed=seed)
        best = exact.partition(dag, options.k, imbalance=options.imbalance)
        seconds["exact"] += best.seconds
        unproven += not best.proven
        row = {"seed": seed, "optimum": best.objective, "proven": best.proven}
        for preset in options.presets:
            started = time.perf_counter()
            found = dagpart.partition(dag, options.k, imbalance=options.imbalance, preset=preset)
            seconds[preset] += time.perf_counter() - started
            hits[preset] += found.edge_cut == best.objective
            wrong += found.edge_cut < best.bound
            row[preset] = found.edge_cut
        rows.append(row)

    print(head(("preset", "optimum found", "s a graph")))
    print(line(("exact", f"{options.graphs - unproven} proven", f"{seconds['exact'] / options.graphs:.3f}")))
    for preset in options.presets:
        of = f"{hits[preset]} of {options.graphs}"
        print(line((preset, of, f"{seconds[preset] / options.graphs:.3f}")))
    print(
        f"\n{options.graphs} random graphs, {options.vertices} vertices, {options.edges} edges, "
        f"k={options.k}, imbalance {options.imbalance:g}."
    )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if unproven or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
