#!/usr/bin/env python3
"""Edge cut against peers, and CPU time against METIS: run dagpart on every graph of a set, for several
k and seeds.

Every partition is judged by code of its own (_judge.py). CPU time is that of the call alone, in user
seconds, and METIS k-way runs beside it, as often, on the undirected graph. Exit 1 when some partition
is not legal.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path

from _cpu import Metis, multiple, user_seconds
from _inputs import SETS, GraphSet, add_graph_options, chosen_graphs
from _judge import adjacency_edges, judge
from _ratios import geometric_mean, ratio
from _table import head, line

import dagpart

IMBALANCE = "0.03"
Cuts = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Row:
    """What the runs on one graph with one k gave; seconds are means over the runs."""

    graph: str
    n: int
    m: int
    k: int
    runs: int
    cut_mean: float
    cut_min: int
    heaviest_over_cap: float
    seconds: float
    metis_seconds: float
    faults: str


def measure(
    name: str, graphs: GraphSet, ks: Iterable[int], preset: str | dagpart.Options, seeds: int
) -> Iterable[Row]:
    """Run and judge."""
    matrix = graphs.load(name)
    n, edges = adjacency_edges(matrix)
    dag = dagpart.Dag.from_scipy(matrix)
    metis = Metis(matrix, float(IMBALANCE))
    for k in ks:
        verdicts, seconds, metis_seconds = [], 0.0, 0.0
        for seed in range(seeds):
            # One beside the other, so that a busy machine slows both.
            metis_seconds += metis.partition(k, seed)[1]
            found, spent = user_seconds(partial(run, dag, k, preset, seed))
            seconds += spent
            verdict = judge(n, edges, found.labels, k, IMBALANCE)
            faults = verdict.faults
            if verdict.cut != found.edge_cut:
                faults.append(f"cut said to be {found.edge_cut}")
            verdicts.append((verdict, faults))
        cuts = [verdict.cut for verdict, _ in verdicts]
        yield Row(
            graph=name,
            n=n,
            m=len(edges),
            k=k,
            runs=seeds,
            cut_mean=statistics.fmean(cuts),
            cut_min=min(cuts),
            heaviest_over_cap=max(verdict.heaviest / verdict.cap for verdict, _ in verdicts),
            seconds=seconds / seeds,
            metis_seconds=metis_seconds / seeds,
            faults="; ".join(sorted({fault for _, faults in verdicts for fault in faults})),
        )


def run(dag: dagpart.Dag, k: int, preset: str | dagpart.Options, seed: int) -> dagpart.Partition:
    return dagpart.partition(dag, k, imbalance=float(IMBALANCE), preset=preset, seed=seed)


def results_table(rows: Sequence[Row]) -> str:
    columns = ("graph", "k", "cut mean", "cut min", "heaviest / cap")
    lines = [head((*columns, "CPU s", "METIS CPU s", "times METIS", "legal"))]
    cells = [
        (
            row.graph,
            row.k,
            f"{row.cut_mean:.1f}",
            row.cut_min,
            f"{row.heaviest_over_cap:.4f}",
            f"{row.seconds:.3f}",
            f"{row.metis_seconds:.3f}",
            f"{multiple(row.seconds, row.metis_seconds):.1f}",
            row.faults or "yes",
        )
        for row in rows
    ]
    return "\n".join([*lines, *map(line, cells)])


def peers_table(rows: Sequence[Row], reference: dict[tuple[str, int], Cuts]) -> str:
    peers = sorted({peer for row in rows for peer in reference.get((row.graph, row.k), ())})
    body: list[tuple[object, ...]] = []
    for row in rows:
        theirs = reference.get((row.graph, row.k), {})
        cells = [f"{ratio(row.cut_mean, theirs[p][0]):.3f}" if p in theirs else "" for p in peers]
        body.append((row.graph, row.k, *cells))
    for name, ours, which in (("mean / mean", "cut_mean", 0), ("min / min", "cut_min", 1)):
        for k in (*sorted({row.k for row in rows}), None):
            chosen = [row for row in rows if k in (None, row.k)]
            cells = []
            for peer in peers:
                pairs = [(row, reference.get((row.graph, row.k), {}).get(peer)) for row in chosen]
                ratios = [ratio(getattr(row, ours), cuts[which]) for row, cuts in pairs if cuts]
                cells.append(f"{geometric_mean(ratios):.3f} ({len(ratios)})" if ratios else "")
            body.append((f"**geometric mean, {name}**", "all" if k is None else k, *cells))
    return "\n".join([head(("graph", "k", *peers)), *map(line, body)])


def summary(rows: Sequence[Row], reference: dict[tuple[str, int], Cuts], peer: str) -> dict[str, float]:
    """The figures that releases are held to."""
    known = [
        (row, reference[row.graph, row.k][peer][0])
        for row in rows
        if peer in reference.get((row.graph, row.k), {})
    ]
    ours, theirs = sum(row.seconds for row in rows), sum(row.metis_seconds for row in rows)
    return {
        "rows": len(rows),
        "rows_with_peer": len(known),
        "cut_over_peer": geometric_mean([ratio(row.cut_mean, cut) for row, cut in known]),
        "cpu_seconds": ours,
        "metis_cpu_seconds": theirs,
        "cpu_over_metis": multiple(ours, theirs),
        "illegal_rows": sum(bool(row.faults) for row in rows),
    }


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_graph_options(parser)
    parser.add_argument("--preset", default="default", help="default: default")
    parser.add_argument("--seeds", type=int, default=3, metavar="S", help="seeds 0 .. S-1 (default 3)")
    parser.add_argument("--peer", default="dagP default", help="for the last lines (default: dagP default)")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the rows")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write rows and summary")
    options = parser.parse_args(argv)
    if options.seeds < 1:
        parser.error("--seeds must be at least 1")

    graphs = SETS[options.set]
    reference = graphs.reference(f"{1 + float(IMBALANCE):g}")
    rows = []
    for name in chosen_graphs(parser, options, reference):
        for row in measure(name, graphs, options.k or graphs.ks, options.preset, options.seeds):
            rows.append(row)
            print(f"{row.graph} k={row.k}: {row.cut_mean:.1f}", file=sys.stderr, flush=True)
    total = summary(rows, reference, options.peer)
    print(results_table(rows), end="\n\n")
    print("Mean cut over the peer's mean cut (below 1: fewer edges cut):\n")
    print(peers_table(rows, reference), end="\n\n")
    print(
        f"Preset {options.preset}, {options.seeds} seeds: cut over {options.peer} "
        f"{total['cut_over_peer']:.3f} (geometric mean of {total['rows_with_peer']} rows); "
        f"CPU {total['cpu_seconds']:.2f} s, METIS {total['metis_cpu_seconds']:.2f} s: "
        f"{total['cpu_over_metis']:.2f} times METIS; "
        f"{total['illegal_rows']} illegal rows."
    )
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(Row)])
            writer.writeheader()
            writer.writerows(map(asdict, rows))
    if options.json:
        data = {
            "set": options.set,
            "preset": options.preset,
            "summary": total,
            "rows": [asdict(r) for r in rows],
        }
        options.json.write_text(json.dumps(data, indent=1) + "\n")
    return 1 if total["illegal_rows"] else 0


if __name__ == "__main__":
    sys.exit(main())
