#!/usr/bin/env python3
"""Undirected partitioners whose parts were made acyclic, against dagpart, on the graphs of a set.

Every repaired partition and every one of ours is judged by code of its own (_judge.py). A method is called
NAME or NAME:VARIANT, as in metis:recursive. Exit 1 when some partition is not legal.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from _cpu import user_seconds
from _inputs import SETS, GraphSet, add_graph_options, chosen_graphs
from _judge import adjacency_edges, judge
from _ratios import geometric_mean, ratio
from _table import head, line

import dagpart
from dagpart.baselines import BASELINES, repair

IMBALANCE = "0.03"
OURS = "dagpart"


@dataclass(frozen=True)
class Row:
    """Means over the seeds; `raw_cut` is that of the parts before the repair, which may be cyclic."""

    graph: str
    k: int
    method: str
    cut: float
    raw_cut: float
    repair_seconds: float
    faults: str


def measure(
    name: str, graphs: GraphSet, ks: Iterable[int], methods: Sequence[str], seeds: int
) -> Iterable[Row]:
    """Run and judge."""
    matrix = graphs.load(name)
    n, edges = adjacency_edges(matrix)
    dag = dagpart.Dag.from_scipy(matrix)
    for k in ks:
        for method in (OURS, *methods):
            cuts, raw_cuts, seconds, faults = [], [], 0.0, set()
            for seed in range(seeds):
                labels, raw_cut, spent = run(dag, k, method, seed)
                verdict = judge(n, edges, labels, k, IMBALANCE)
                cuts.append(verdict.cut)
                raw_cuts.append(raw_cut)
                seconds += spent
                faults.update(verdict.faults)
            mean = statistics.fmean
            faulty = "; ".join(sorted(faults))
            yield Row(name, k, method, mean(cuts), mean(raw_cuts), seconds / seeds, faulty)


def run(dag: dagpart.Dag, k: int, method: str, seed: int) -> tuple[Any, int, float]:
    """Labels, the cut before the repair, and user CPU seconds of the repair."""
    if method == OURS:
        found = dagpart.partition(dag, k, imbalance=float(IMBALANCE), seed=seed)
        return found.labels, found.edge_cut, 0.0
    name, _, variant = method.partition(":")
    labels = BASELINES[name](dag, k, imbalance=float(IMBALANCE), seed=seed, variant=variant or None)
    repaired, seconds = user_seconds(lambda: repair(dag, labels, float(IMBALANCE), k=k, seed=seed))
    return repaired.labels, repaired.cut_before, seconds


def cuts_table(rows: Sequence[Row], methods: Sequence[str]) -> str:
    """Our cut, those of the repaired partitions over ours, and their geometric means."""
    cell = {(row.graph, row.k, row.method): row for row in rows}
    problems = list(dict.fromkeys((row.graph, row.k) for row in rows))
    lines = [head(("graph", "k", f"{OURS} cut", *(f"{m} repaired / ours" for m in methods)))]
    for graph, k in problems:
        ours = cell[graph, k, OURS].cut
        ratios = [f"{ratio(cell[graph, k, m].cut, ours):.3f}" for m in methods]
        lines.append(line((graph, k, f"{ours:.1f}", *ratios)))
    return "\n".join(lines)


def means_table(rows: Sequence[Row], methods: Sequence[str]) -> str:
    lines = [
        head(("method", "mean cut", "mean cut / ours", "before repair", "price", "repair CPU s", "illegal"))
    ]
    ours = geometric_mean([max(row.cut, 1) for row in rows if row.method == OURS])
    for method in (OURS, *methods):
        mine = [row for row in rows if row.method == method]
        cut = geometric_mean([max(row.cut, 1) for row in mine])
        raw = geometric_mean([max(row.raw_cut, 1) for row in mine])
        seconds = sum(row.repair_seconds for row in mine)
        illegal = sum(bool(row.faults) for row in mine)
        figures = (f"{cut:.1f}", f"{cut / ours:.3f}", f"{raw:.1f}", f"{cut / raw:.3f}", f"{seconds:.2f}")
        lines.append(line((method, *figures, illegal)))
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_graph_options(parser)
    parser.add_argument(
        "--with",
        dest="methods",
        nargs="+",
        metavar="METHOD",
        default=["metis", "metis:recursive", "kahip:fast", "kahip:eco"],
        help="default: metis metis:recursive kahip:fast kahip:eco",
    )
    parser.add_argument("--seeds", type=int, default=1, metavar="S", help="seeds 0 .. S-1 (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows")
    options = parser.parse_args(argv)
    if options.seeds < 1:
        parser.error("--seeds must be at least 1")
    unknown = {method.partition(":")[0] for method in options.methods} - set(BASELINES)
    if unknown:
        parser.error(f"no method {', '.join(sorted(unknown))}; there are {', '.join(BASELINES)}")

    graphs = SETS[options.set]
    rows: list[Row] = []
    for name in chosen_graphs(parser, options, graphs.reference()):
        for row in measure(name, graphs, options.k or graphs.ks, options.methods, options.seeds):
            rows.append(row)
            print(
                f"{row.graph} k={row.k} {row.method}: {row.cut:.1f} {row.faults}", file=sys.stderr, flush=True
            )
    print(cuts_table(rows, options.methods), end="\n\n")
    print(f"Geometric means over {len(rows) // (1 + len(options.methods))} rows, {options.seeds} seeds:\n")
    print(means_table(rows, options.methods))
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    return 1 if any(row.faults for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
