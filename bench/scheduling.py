#!/usr/bin/env python3
"""Makespans of list schedulers, DSC, and schedulers over acyclic parts, relative to those of BL-EST.

Tiled factorizations (flops and bytes), PolyBench kernels (unit work and data, sizes cut so that a kernel has
at most --tasks tasks), and the recorded workflows of the shared data (WfCommons, StarPU). For every graph the
data are scaled to each communication-to-computation ratio (CCR). The schedulers over parts try several
numbers of parts and keep the best. Every schedule is judged by `dagpart.schedule.violations`, which shares
nothing with the schedulers. Exit 1 when some schedule cannot happen or auto takes longer than one processor.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from _inputs import shared
from _ratios import geometric_mean
from _table import head, line

import dagpart
from dagpart import generate
from dagpart.generate.loop_nests import KERNELS
from dagpart.schedule import Parts, Problem, lower_bounds, solve, violations

BASE, AUTO = "bl-est", "auto"
ALGORITHMS = (BASE, "etf", "dsc", "bl-est-part", "bl-est-busy", "bl-est-macro", AUTO)
RECORDED = {"wfcommons": "*.json*", "starpu": "*_tasks.rec*"}


@dataclass(frozen=True)
class Row:
    """One algorithm on one problem; `chosen` is what auto took."""

    family: str
    graph: str
    n: int
    m: int
    ccr: float
    p: int
    algorithm: str
    makespan: float
    over_base: float
    speedup: float
    over_bound: float
    seconds: float
    chosen: str
    faults: str


def graphs(tasks: int) -> Iterator[tuple[str, str, Callable[[], dagpart.Dag]]]:
    """Family, name, and how to make it."""
    for make in (generate.cholesky, generate.lu, generate.qr):
        yield "tiled", f"tiled-{make.__name__}", lambda make=make: make(20, weights="cost")
    for kernel in KERNELS:
        yield "polybench", kernel, lambda kernel=kernel: cut(kernel, tasks)
    for folder, pattern in RECORDED.items():
        for path in sorted(shared(f"data/{folder}").glob(pattern)):
            name = path.name.partition(".")[0].removesuffix("_tasks")
            yield folder, name, lambda path=path: dagpart.Dag.from_any(dagpart.read(path))


def cut(kernel: str, tasks: int) -> dagpart.Dag:
    """A PolyBench kernel of at most so many tasks, its sizes in about the proportions of the defaults."""
    found = None
    for percent in range(5, 101, 2):
        sizes = {name: max(3, size * percent // 100) for name, size in KERNELS[kernel].defaults.items()}
        graph = generate.polybench(kernel, **sizes)
        if found is not None and graph.n > tasks:
            break
        found = graph
    assert found is not None
    return found


def measure(
    family: str, name: str, graph: dagpart.Dag, ccrs: Sequence[float], ps: Sequence[int], seed: int
) -> Iterator[Row]:
    """Every algorithm on one graph; partitions are made once for all problems."""
    parts = None
    for ccr in ccrs:
        for p in ps:
            problem = Problem.of(graph, p, ccr=ccr)
            parts = parts or Parts.of(problem, seed)
            bound = lower_bounds(problem).best
            base = solve(problem, BASE).makespan
            for algorithm in ALGORITHMS:
                started = time.process_time()
                found = solve(problem, algorithm, parts=parts, seed=seed)
                spent = time.process_time() - started
                chosen = (found.facts or {}).get("chosen", algorithm)
                yield Row(
                    family,
                    name,
                    graph.n,
                    graph.m,
                    ccr,
                    p,
                    algorithm,
                    found.makespan,
                    found.makespan / base,
                    problem.serial_time / found.makespan,
                    found.makespan / bound,
                    spent,
                    str(chosen),
                    "; ".join(violations(found)),
                )


def by_ccr(rows: Sequence[Row]) -> str:
    """Makespans over those of BL-EST by CCR; speed-up of auto, and its makespan over the best lower bound."""
    names = ALGORITHMS[1:]
    lines = [head(("CCR", *names, "auto: speed-up", "auto / bound"))]
    for ccr in sorted({row.ccr for row in rows}):
        mine = [row for row in rows if row.ccr == ccr]
        ratios = [geometric_mean([r.over_base for r in mine if r.algorithm == name]) for name in names]
        best = [row for row in mine if row.algorithm == AUTO]
        more = geometric_mean([row.speedup for row in best]), geometric_mean([row.over_bound for row in best])
        lines.append(line((f"{ccr:g}", *(f"{x:.3f}" for x in ratios), *(f"{x:.2f}" for x in more))))
    return "\n".join(lines)


def by_graph(rows: Sequence[Row], key: Callable[[Row], str]) -> str:
    """How many times shorter than BL-EST auto is, by CCR; speed-up and bound at the highest one."""
    ccrs = sorted({row.ccr for row in rows})
    columns = ("tasks", "edges", *(f"CCR {ccr:g}" for ccr in ccrs))
    lines = [head(("graphs", *columns, f"speed-up at {ccrs[-1]:g}", f"over bound at {ccrs[-1]:g}"))]
    best = [row for row in rows if row.algorithm == AUTO]
    for name in dict.fromkeys(map(key, best)):
        mine = [row for row in best if key(row) == name]
        gains = [geometric_mean([1 / row.over_base for row in mine if row.ccr == ccr]) for ccr in ccrs]
        last = [row for row in mine if row.ccr == ccrs[-1]]
        sizes = (f"{max(row.n for row in mine):,}", f"{max(row.m for row in mine):,}")
        more = geometric_mean([row.speedup for row in last]), geometric_mean([row.over_bound for row in last])
        lines.append(line((name, *sizes, *(f"{x:.2f}" for x in (*gains, *more)))))
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--graphs", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--ccr", nargs="+", type=float, metavar="X", default=[0.1, 1, 5, 10, 20])
    parser.add_argument("--p", nargs="+", type=int, metavar="P", default=[4, 16, 64])
    parser.add_argument("--tasks", type=int, metavar="N", default=1000, help="of a PolyBench kernel, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows")
    options = parser.parse_args(argv)

    rows: list[Row] = []
    known = list(graphs(options.tasks))
    unknown = set(options.graphs or ()) - {name for _, name, _ in known}
    if unknown:
        names = ", ".join(name for _, name, _ in known)
        parser.error(f"no graph {', '.join(sorted(unknown))}; there are {names}")
    for family, name, make in known:
        if options.graphs and name not in options.graphs:
            continue
        mine = list(measure(family, name, make(), options.ccr, options.p, options.seed))
        rows += mine
        best = [row for row in mine if row.algorithm == AUTO]
        gain = geometric_mean([1 / row.over_base for row in best])
        print(f"{name}: {gain:.2f}, {sum(r.seconds for r in mine):.0f} s", file=sys.stderr, flush=True)
        if options.json:
            options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    best = [row for row in rows if row.algorithm == AUTO]
    slower = [row for row in best if row.speedup < 1 - 1e-9]
    faulty = [row for row in rows if row.faults]
    print(f"Geometric means of makespans over those of {BASE}, {len(best)} problems:\n")
    print(by_ccr(rows), end="\n\n")
    print(f"How many times shorter than {BASE} the schedules of {AUTO} are:\n")
    print(by_graph(rows, lambda row: row.family), end="\n\n")
    print(by_graph(rows, lambda row: row.graph), end="\n\n")
    dear = [1 / row.over_base for row in best if row.ccr >= 10]
    if dear:
        print(f"CCR >= 10: {geometric_mean(dear):.2f} times shorter (geometric mean of {len(dear)}).")
    print(
        f"{AUTO} longer than one processor: {len(slower)} of {len(best)}; schedules that cannot happen: "
        f"{len(faulty)} of {len(rows)}; CPU {sum(row.seconds for row in rows):.0f} s."
    )
    for row in faulty:
        print(f"{row.graph} CCR {row.ccr:g} p={row.p} {row.algorithm}: {row.faults}", file=sys.stderr)
    return 1 if slower or faulty else 0


if __name__ == "__main__":
    sys.exit(main())
