#!/usr/bin/env python3
"""What the objective comm_volume is worth: its partitions beside those of the objective edge_cut.

For every graph of a set and several k, both objectives with the same preset and seeds; the figures are the
communication volumes of the two, counted by code of this file's own, and their ratio. Exit 1 when some
partition is not legal.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path

import numpy as np
from _cpu import user_seconds
from _inputs import SETS, add_graph_options, chosen_graphs
from _judge import adjacency_edges, judge
from _ratios import geometric_mean, ratio
from _table import head, line

import dagpart

IMBALANCE = "0.03"
OBJECTIVES = ("edge_cut", "comm_volume")


def volume(edges: np.ndarray, labels: np.ndarray) -> int:
    """Pairs of a vertex and another part that one of its edges goes to; every edge weighs 1."""
    crossing = edges[labels[edges[:, 0]] != labels[edges[:, 1]]]
    return len(set(zip(crossing[:, 0].tolist(), labels[crossing[:, 1]].tolist(), strict=True)))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_graph_options(parser)
    parser.set_defaults(set="polybench")
    parser.add_argument("--preset", default="default", help="default: default")
    parser.add_argument("--seeds", type=int, default=1, metavar="S", help="seeds 0 .. S-1 (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows")
    options = parser.parse_args(argv)

    graphs = SETS[options.set]
    rows = []
    print(head(("graph", "k", *(f"volume, {name}" for name in OBJECTIVES), "ratio", "CPU ratio", "legal")))
    for name in chosen_graphs(parser, options, graphs.reference(f"{1 + float(IMBALANCE):g}")):
        matrix = graphs.load(name)
        n, edges = adjacency_edges(matrix)
        dag = dagpart.Dag.from_scipy(matrix)
        for k in options.k or graphs.ks:
            volumes: dict[str, list[int]] = {objective: [] for objective in OBJECTIVES}
            seconds = dict.fromkeys(OBJECTIVES, 0.0)
            faults: set[str] = set()
            for objective in OBJECTIVES:
                request = {"imbalance": float(IMBALANCE), "preset": options.preset, "objective": objective}
                for seed in range(options.seeds):
                    found, spent = user_seconds(
                        lambda dag=dag, k=k, seed=seed, request=request: dagpart.partition(
                            dag, k, seed=seed, **request
                        )
                    )
                    seconds[objective] += spent
                    counted = volume(edges, found.labels)
                    volumes[objective].append(counted)
                    faults |= set(judge(n, edges, found.labels, k, IMBALANCE).faults)
                    if counted != found.comm_volume:
                        faults.add(f"volume said to be {found.comm_volume}")
            means = [statistics.fmean(volumes[objective]) for objective in OBJECTIVES]
            row = {"graph": name, "k": k, "volumes": means, "seconds": seconds, "faults": sorted(faults)}
            rows.append(row)
            times = seconds["comm_volume"] / max(seconds["edge_cut"], 1e-9)
            figures = (name, k, *(f"{mean:.1f}" for mean in means), f"{ratio(means[1], means[0]):.3f}")
            print(line((*figures, f"{times:.2f}", "; ".join(sorted(faults)) or "yes")), flush=True)
    total = geometric_mean([ratio(row["volumes"][1], row["volumes"][0]) for row in rows])
    print(f"\nVolume of comm_volume over that of edge_cut: {total:.3f} (geometric mean of {len(rows)} rows).")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if any(row["faults"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
