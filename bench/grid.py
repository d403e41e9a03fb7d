#!/usr/bin/env python3
"""A large grid: CPU time of dagpart as a multiple of METIS k-way, and the peak memory of the whole process.

Every run has a process of its own, which makes the grid, partitions it once and tells its user CPU
seconds of the partitioning alone, and the most memory that it ever held. Exit 1 when some partition is
not legal.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from typing import Any

import numpy as np
from _cpu import Metis, in_a_process, multiple, peak_megabytes, user_seconds
from _judge import judge
from _table import head, line

import dagpart
from dagpart import generate

IMBALANCE = "0.03"


def run_dagpart(side: int, k: int, preset: Any, seed: int) -> dict[str, Any]:
    dag = generate.grid2d(side)
    found, seconds = user_seconds(
        lambda: dagpart.partition(dag, k, imbalance=float(IMBALANCE), preset=preset, seed=seed)
    )
    return {"seconds": seconds, "megabytes": peak_megabytes(), "labels": found.labels}


def run_metis(side: int, k: int, seed: int) -> dict[str, Any]:
    metis = Metis(generate.grid2d(side).to_scipy(), float(IMBALANCE))
    cut, seconds = metis.partition(k, seed)
    return {"seconds": seconds, "megabytes": peak_megabytes(), "cut": cut}


def grid_edges(side: int) -> np.ndarray:
    """Edges of the grid for the judge, not by the generator's code."""
    at = np.arange(side * side)
    right, below = at[at % side != side - 1], at[at < side * (side - 1)]
    return np.concatenate((np.column_stack((right, right + 1)), np.column_stack((below, below + side))))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--side", type=int, default=1000, help="vertices a side (default 1000)")
    parser.add_argument("--k", type=int, default=8, help="default 8")
    parser.add_argument("--preset", default="default", help="default: default")
    parser.add_argument("--seeds", type=int, default=3, metavar="S", help="seeds 0 .. S-1 (default 3)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    options = parser.parse_args(argv)
    if options.seeds < 1:
        parser.error("--seeds must be at least 1")

    runs, edges = [], None
    for seed in range(options.seeds):
        metis = in_a_process(run_metis, options.side, options.k, seed)
        ours = in_a_process(run_dagpart, options.side, options.k, options.preset, seed)
        # After the processes: the judge's arrays are no part of what is measured.
        edges = grid_edges(options.side) if edges is None else edges
        verdict = judge(options.side**2, edges, ours.pop("labels"), options.k, IMBALANCE)
        runs.append(
            {"seed": seed, "cut": verdict.cut, "faults": "; ".join(verdict.faults), **ours, "metis": metis}
        )

    metis_columns = ("METIS cut", "METIS CPU s", "METIS peak MB")
    print(head(("seed", "cut", "CPU s", "peak MB", *metis_columns, "times METIS", "legal")))
    for run in runs:
        metis = run["metis"]
        figures = (run["seed"], run["cut"], f"{run['seconds']:.2f}", f"{run['megabytes']:.0f}")
        theirs = (metis["cut"], f"{metis['seconds']:.2f}", f"{metis['megabytes']:.0f}")
        times = f"{multiple(run['seconds'], metis['seconds']):.2f}"
        print(line((*figures, *theirs, times, run["faults"] or "yes")))
    total = sum(run["seconds"] for run in runs)
    metis_total = sum(run["metis"]["seconds"] for run in runs)
    peak = max(run["megabytes"] for run in runs)
    print(
        f"\n{options.side} x {options.side} grid, k={options.k}, preset {options.preset}: "
        f"cut {statistics.fmean(run['cut'] for run in runs):.0f}, "
        f"{multiple(total, metis_total):.2f} times METIS, peak {peak:.0f} MB."
    )
    if options.json:
        options.json.write_text(json.dumps(runs, indent=1) + "\n")
    return 1 if any(run["faults"] for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
