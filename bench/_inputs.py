"""Where the inputs of the benchmarks are: graphs, matrices, and what peers reached on them."""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import scipy.io

from dagpart.generate import polybench
from dagpart.generate.loop_nests import KERNELS

ROOT = Path(os.environ.get("DAGPART_DATA") or Path(__file__).resolve().parents[2] / "shared")


def shared(path: str) -> Path:
    """A file or folder of the shared data; ends the program when it is not there."""
    found = ROOT / path
    if not found.exists():
        sys.exit(f"no {found}: set DAGPART_DATA to the folder that has it")
    return found


@dataclass(frozen=True)
class GraphSet:
    """Graphs, and a table of peers' results on them.

    Attributes
    ----------
    load : callable
        From the name of a graph to its adjacency matrix.
    peers : str
        CSV under the shared data: graph, k, tool, variant, cut_mean, cut_min, and maybe ratio, the
        tolerance + 1.
    ks : tuple of int
        Numbers of parts to compare at, unless told otherwise.
    """

    load: Callable[[str], Any]
    peers: str
    ks: tuple[int, ...] = (2, 8, 32)

    def reference(self, ratio: str = "1.03") -> dict[tuple[str, int], dict[str, tuple[float, float]]]:
        """Mean and least cut of every peer, by graph and k; rows at other tolerances are left out."""
        table: dict[tuple[str, int], dict[str, tuple[float, float]]] = defaultdict(dict)
        with open(shared(self.peers), newline="") as file:
            for row in csv.DictReader(file):
                if row.get("ratio", ratio) == ratio:
                    peer = " ".join(filter(None, (row["tool"], row["variant"])))
                    cuts = float(row["cut_mean"]), float(row["cut_min"])
                    table[row["graph"], int(row["k"])][peer] = cuts
        return dict(table)


def _bench_graph(name: str) -> Any:
    return scipy.io.mmread(shared(f"data/bench_graphs/{name}.mtx.gz"))


def _polybench(name: str) -> Any:
    """The graph that a table calls KERNEL_SIZE_SIZE..., made here."""
    kernel, *sizes = name.split("_")
    names = KERNELS[kernel].defaults
    return polybench(kernel, **dict(zip(names, map(int, sizes), strict=True))).to_scipy()


SETS = {
    "bench": GraphSet(_bench_graph, "reference/peers_on_bench_graphs.csv"),
    "polybench": GraphSet(_polybench, "reference/peers_on_polybench.csv", ks=(2, 4, 8, 16, 32)),
}


def add_graph_options(parser: argparse.ArgumentParser) -> None:
    """What graphs to run, and for how many parts."""
    parser.add_argument("--set", choices=tuple(SETS), default="bench", help="graphs to run (default bench)")
    parser.add_argument("--graphs", nargs="+", metavar="NAME", help="only these graphs of the set")
    parser.add_argument("--k", nargs="+", type=int, metavar="K", help="default: those of the set")


def chosen_graphs(
    parser: argparse.ArgumentParser, options: argparse.Namespace, reference: Iterable[tuple[str, int]]
) -> list[str]:
    """Names of the graphs to run; ends the program when the table of peers has no such graph."""
    names = list(dict.fromkeys(graph for graph, _ in reference))
    unknown = set(options.graphs or ()) - set(names)
    if unknown:
        parser.error(f"no graph {', '.join(sorted(unknown))} in the set; it has {', '.join(names)}")
    return options.graphs or names
