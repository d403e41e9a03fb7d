#!/usr/bin/env python3
"""Read a large Matrix Market file, made on the spot, and compare with scipy.io.mmread.

mmread gives the entries as they stand; dagpart.read gives the graph, checked, with successors and
predecessors. Each runs in a child process of its own, after a run that warms the file cache. The peak counts
what the process holds beyond what it held before it read.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from _cpu import peak_megabytes
from _table import head, line

_ARRAYS = (
    "indptr",
    "indices",
    "edge_weights",
    "pred_indptr",
    "pred_indices",
    "pred_edge_weights",
    "vertex_weights",
)
_ROWS_AT_ONCE = 500_000


def make(path: Path, field: str, megabytes: int, scattered: bool = False) -> None:
    """A random DAG of 15 edges a vertex.

    Its entries are in order and no edge is longer than a thousandth of the ids; or, `scattered`, they are in
    no order and of any length.
    """
    rng = np.random.default_rng(0)
    # Two ids, and maybe a number of 17 digits.
    n = megabytes * 1_000_000 // 15 // {"pattern": 15, "real": 35}[field]
    chunks = _scattered(rng, n) if scattered else _in_order(rng, n)
    lines = 0
    with path.open("w+b") as file:
        banner = f"%%MatrixMarket matrix coordinate {field} general\n".encode()
        # The number of entries is known in the end only.
        file.write(banner + b" " * 60 + b"\n")
        for rows, ends in chunks:
            columns = [(rows + 1).tolist(), (ends + 1).tolist()]
            if field == "real":
                columns.append(rng.standard_normal(rows.size).tolist())
            file.write(
                "".join(" ".join(map(str, entry)) + "\n" for entry in zip(*columns, strict=True)).encode()
            )
            lines += rows.size
        file.seek(len(banner))
        file.write(f"{n} {n} {lines}".encode())


def _in_order(rng: np.random.Generator, n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    step = max(1, n // 15_000)
    reach = 15 * step
    for first in range(0, n - reach, _ROWS_AT_ONCE // 15):
        rows = np.repeat(np.arange(first, min(first + _ROWS_AT_ONCE // 15, n - reach)), 15)
        yield (
            rows,
            rows + 1 + np.tile(np.arange(15) * step, rows.size // 15) + rng.integers(0, step, rows.size),
        )


def _scattered(rng: np.random.Generator, n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    # The last vertices have no room for 15 edges.
    entries = 15 * (n - 15)
    # Without a common factor: each entry has its turn, one row after another far away.
    stride = next(s for s in range(int(entries * 0.618), entries) if math.gcd(s, entries) == 1)
    for first in range(0, entries, _ROWS_AT_ONCE):
        turn = np.arange(first, min(first + _ROWS_AT_ONCE, entries)) * stride % entries
        rows, place = np.divmod(turn, 15)
        room = (n - 1 - rows) // 15
        yield rows, rows + 1 + place * room + rng.integers(0, room)


def child(how: str, path: str) -> dict[str, float]:
    """Read once, and tell what it took; the modules are there before."""
    import scipy.io

    import dagpart.io

    dagpart.Dag.from_edges([(0, 1)])
    with open(path, "rb") as file:
        while file.read(2**20):
            pass
    before, wall, used = peak_megabytes(), time.perf_counter(), time.process_time()
    if how == "mmread":
        read = scipy.io.mmread(path)
        size = read.data.nbytes + read.row.nbytes + read.col.nbytes
    else:
        graph = dagpart.io.read(path)
        # Weights of 1 share one array for both directions.
        size = sum({id(array): array.nbytes for array in (getattr(graph, name) for name in _ARRAYS)}.values())
    wall, used = time.perf_counter() - wall, time.process_time() - used
    return {"wall": wall, "cpu": used, "peak": peak_megabytes() - before, "size": size / 2**20}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--megabytes", type=int, default=500, metavar="MB", help="size of the file (default 500)"
    )
    parser.add_argument("--field", nargs="+", choices=("pattern", "real"), default=["pattern", "real"])
    parser.add_argument(
        "--scattered",
        action="store_true",
        help="entries in no order, of long edges (default: in order, short)",
    )
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        print(json.dumps(child(*options.child)))
        return 0
    print(head(("file", "reader", "MB/s", "s", "CPU s", "peak MB", "result MB", "peak / result")))
    with tempfile.TemporaryDirectory() as folder:
        for field in options.field:
            path = Path(folder, f"{field}.mtx")
            make(path, field, options.megabytes, options.scattered)
            megabytes = os.path.getsize(path) / 1e6
            for how in ("mmread", "dagpart.read"):
                command = [sys.executable, __file__, "--child", how, str(path)]
                said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
                figures = [f"{megabytes / said['wall']:.0f}", f"{said['wall']:.2f}", f"{said['cpu']:.2f}"]
                figures += [f"{said[name]:.0f}" for name in ("peak", "size")]
                ratio = f"{said['peak'] / said['size']:.2f}"
                print(line((f"{field}, {megabytes:.0f} MB", how, *figures, ratio)), flush=True)
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
