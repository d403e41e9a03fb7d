#!/usr/bin/env python3
"""Growth of time and memory with the graph: cubes of ever more vertices, about three edges for each.

Every size has a process of its own, which makes the grid, partitions it and tells the user CPU seconds of
the partitioning alone and the most memory that it ever held. The last column is the exponent of growth
since the size before: 1 is linear. Exit 1 when some partition is not legal.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
from _cpu import in_a_process, multiple, peak_megabytes, user_seconds
from _judge import judge
from _table import head, line

import dagpart
from dagpart import generate

IMBALANCE = "0.03"


def run(side: int, k: int, preset: Any) -> dict[str, Any]:
    dag = generate.grid3d(side, side, side)
    found, seconds = user_seconds(
        lambda: dagpart.partition(dag, k, imbalance=float(IMBALANCE), preset=preset)
    )
    return {
        "n": dag.n,
        "m": dag.m,
        "k": k,
        "cut": found.edge_cut,
        "seconds": seconds,
        "wall": found.seconds,
        "megabytes": peak_megabytes(),
        "labels": found.labels,
    }


def cube_edges(side: int) -> np.ndarray:
    """Edges of the grid for the judge, not by the generator's code."""
    at = np.arange(side**3, dtype=np.int32).reshape(side, side, side)
    pairs = ((at[1:], at[:-1]), (at[:, 1:], at[:, :-1]), (at[:, :, 1:], at[:, :, :-1]))
    return np.concatenate([np.column_stack((low.ravel(), high.ravel())) for high, low in pairs])


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--vertices", nargs="+", type=float, default=[1e4, 1e5, 1e6, 1e7], metavar="N", help="about so many"
    )
    parser.add_argument("--k", type=int, default=8, help="default 8")
    parser.add_argument("--preset", default="fast", help="default: fast")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    options = parser.parse_args(argv)

    print(
        head(("vertices", "edges", "cut", "CPU s", "wall s", "peak MB", "us per vertex", "legal", "exponent"))
    )
    runs: list[dict[str, Any]] = []
    for vertices in options.vertices:
        side = round(vertices ** (1 / 3))
        found = in_a_process(run, side, options.k, options.preset)
        verdict = judge(side**3, cube_edges(side), found.pop("labels"), options.k, IMBALANCE)
        found["faults"] = "; ".join(verdict.faults)
        exponent = ""
        if runs:
            growth = multiple(found["seconds"], runs[-1]["seconds"])
            exponent = f"{math.log(growth) / math.log(found['n'] / runs[-1]['n']):.2f}"
        runs.append(found)
        figures = (found["n"], found["m"], found["cut"], f"{found['seconds']:.2f}", f"{found['wall']:.2f}")
        rest = (f"{found['megabytes']:.0f}", f"{1e6 * found['seconds'] / found['n']:.1f}")
        print(line((*figures, *rest, found["faults"] or "yes", exponent)), flush=True)
    if options.json:
        options.json.write_text(json.dumps(runs, indent=1) + "\n")
    return 1 if any(found["faults"] for found in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
