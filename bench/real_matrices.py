#!/usr/bin/env python3
"""Partition every matrix of the shared data through the command line, and judge what it wrote.

Each run is a child process, ``python -m dagpart partition FILE K``; its exit code, its labels
(_judge.py, which reads the matrix itself) and the figures that it says are checked. Exit 1 when
something is wrong.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from _inputs import shared
from _judge import dependence_edges, judge, read_matrix
from _table import head, line

IMBALANCE = "0.03"


def partition(
    path: Path, k: int, preset: str, folder: str
) -> tuple[dict[str, object], list[str], np.ndarray]:
    """Figures that the command says, what is wrong with them so far, and the labels."""
    parts = Path(folder, "parts")
    parts.unlink(missing_ok=True)
    command = [sys.executable, "-P", "-m", "dagpart", "partition", str(path), str(k), "-e", IMBALANCE]
    command += ["--preset", preset, "--json", "-o", str(parts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    faults = (
        [] if done.returncode == 0 else [f"exit {done.returncode}: {' '.join(done.stderr.split())[-200:]}"]
    )
    try:
        said = json.loads(done.stdout)
    except ValueError:
        said = {}
        faults.append("no JSON")
    labels = np.loadtxt(parts, dtype=np.int64, ndmin=1) if parts.exists() else np.zeros(0, dtype=np.int64)
    return said, faults, labels


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--k", nargs="+", type=int, default=[2, 4, 8, 16, 32], metavar="K", help="default 2 .. 32"
    )
    parser.add_argument(
        "--matrices", nargs="+", metavar="NAME", help="only these, as west0067 (default: all)"
    )
    parser.add_argument("--preset", default="default", help="default: default")
    options = parser.parse_args(argv)

    paths = {path.name.split(".")[0]: path for path in sorted(shared("data/matrices").iterdir())}
    unknown = set(options.matrices or ()) - set(paths)
    if unknown:
        parser.error(f"no matrix {', '.join(sorted(unknown))}; there are {', '.join(paths)}")
    print(head(("matrix", "read as", "n", "edges", "k", "cut", "heaviest", "cap", "CPU s", "legal")))
    wrong = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.matrices or paths:
            n, edges, reading = dependence_edges(read_matrix(paths[name]))
            for k in options.k:
                before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                said, faults, labels = partition(paths[name], k, options.preset, folder)
                seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
                cut = heaviest = cap = None
                try:
                    verdict = judge(n, edges, labels, k, IMBALANCE)
                except ValueError as error:
                    faults.append(str(error))
                else:
                    cut, heaviest, cap = verdict.cut, verdict.heaviest, verdict.cap
                    faults += verdict.faults
                    if said.get("edge_cut") != verdict.cut:
                        faults.append(f"cut said to be {said.get('edge_cut')}")
                runs += 1
                wrong += bool(faults)
                figures = (name, reading, n, len(edges), k, cut, heaviest, cap, f"{seconds:.2f}")
                print(line((*figures, "; ".join(faults) or "yes")), flush=True)
    print(f"\n{runs} runs, {wrong} wrong.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
