"""``dagpart partition GRAPH K``: write the part of every vertex."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import get_args

from tqdm import tqdm

from dagpart.cli._options import (
    Commands,
    add_command,
    add_parts,
    complain,
    load_graph,
    print_json,
    refuse_two_streams,
    say,
    table,
)
from dagpart.dag import Digraph
from dagpart.errors import BalanceWarning
from dagpart.io import write, writer
from dagpart.io._files import check_writable
from dagpart.io.parts import read_parts
from dagpart.options import PRESETS
from dagpart.partitioning import Objective, Partition, partition


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "partition",
        run,
        "Split a graph into K balanced parts without a cycle among them; "
        "writes one part id a line, in vertex order.",
    )
    add_parts(parser)
    parser.add_argument(
        "--objective",
        choices=get_args(Objective),
        default="edge_cut",
        help="what is made small (default: edge_cut)",
    )
    parser.add_argument(
        "--preset", choices=tuple(PRESETS), default="default", help="time against quality (default: default)"
    )
    parser.add_argument(
        "--time-limit",
        type=float,
        metavar="S",
        help="keep improving for S seconds; the labels then depend on the machine's speed",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="same seed, same labels (default 0)")
    parser.add_argument(
        "--threads",
        type=int,
        default=1,
        metavar="N",
        help="default 1; without a time limit the labels are the same",
    )
    parser.add_argument(
        "--fixed",
        metavar="FILE",
        help="part of each vertex that must go there, one a line; -1 leaves it free",
    )
    parser.add_argument(
        "--on-cycle",
        choices=("raise", "condense"),
        default="raise",
        help="a graph with cycles is refused, or each cycle stays in one part",
    )
    parser.add_argument(
        "--allow-empty", action="store_true", help="parts may be empty, so K may pass the number of vertices"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="default: GRAPH.part.K; .json, .csv or .dot at the end makes a table or a coloured graph; "
        '"-" is standard output',
    )
    parser.add_argument("--quotient", metavar="FILE", help="write the graph of the parts here, in any format")
    parser.add_argument("--labels", action="store_true", help="with --json: the part of every vertex, too")


def run(args: argparse.Namespace) -> int:
    """Partition, write, report; 1 when the tolerance was not reached."""
    refuse_two_streams(args, args.fixed)
    output = _output(args)
    if args.quotient is not None:
        writer(args.quotient)
    loaded = load_graph(args)
    if args.on_cycle == "condense" and args.as_ is None and loaded.reading in ("lower", "upper"):
        say(args, "a triangle has no cycles to condense; the whole matrix is a graph with --as adjacency")
    graph = loaded.graph
    fixed = None if args.fixed is None else read_parts(args.fixed, n=graph.n, free=True)
    with warnings.catch_warnings(record=True) as caught, _progress_bar(args) as progress:
        warnings.simplefilter("always")
        result = partition(
            graph,
            args.k,
            imbalance=args.imbalance,
            objective=args.objective,
            preset=args.preset,
            fixed=fixed,
            allow_empty=args.allow_empty,
            on_cycle=args.on_cycle,
            time_limit=args.time_limit,
            seed=args.seed,
            threads=args.threads,
            progress=progress,
        )
    result.save(output)
    if args.quotient is not None:
        write(result.quotient, args.quotient)
    for warning in caught:
        complain(f"warning: {warning.message}")
    if args.json:
        print_json(result.to_dict(labels=args.labels))
    if not args.quiet:
        print(_summary(args.graph, graph, result, output), file=sys.stderr)
    return 1 if any(issubclass(warning.category, BalanceWarning) for warning in caught) else 0


@contextmanager
def _progress_bar(args: argparse.Namespace) -> Iterator[Callable[[float, int], None] | None]:
    """A bar on a terminal while a time limit runs, with the best objective so far; gone in the end."""
    if args.quiet or args.time_limit is None or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    form = "{percentage:3.0f} % |{bar}| {n:.1f} of {total:g} s{postfix}"
    with tqdm(total=args.time_limit, bar_format=form, leave=False, file=sys.stderr) as bar:

        def show(seconds: float, best: int) -> None:
            bar.set_postfix({args.objective: best}, refresh=False)
            bar.update(min(seconds, args.time_limit) - bar.n)

        yield show


def _output(args: argparse.Namespace) -> str:
    """Where the labels go; found out to be writable before any work is done."""
    output: str | None = args.output
    if args.labels and not args.json:
        args.usage_error("--labels goes with --json; the part file has the labels anyway")
    if output is None:
        if args.graph == "-":
            args.usage_error("the graph comes from standard input: say with -o where the labels go")
        # A data set has no folder of its own, and not every system takes its name for a file.
        stem = args.graph if os.path.exists(args.graph) else re.sub(r"[:/]", "_", args.graph)
        output = f"{stem}.part.{args.k}"
    if output == "-" and args.json:
        args.usage_error(
            "-o - and --json both need standard output; --json --labels gives both in one object"
        )
    if os.path.exists(output) and any(
        path is not None and os.path.exists(path) and os.path.samefile(path, output)
        for path in (args.graph, args.vertex_weights, args.fixed)
    ):
        args.usage_error(f"the labels would overwrite the input {output}")
    check_writable(output)
    return output


def _summary(name: str, graph: Digraph, result: Partition, output: str) -> str:
    return table(
        [
            ("graph", f"{name} ({graph.n} vertices, {graph.m} edges)"),
            ("parts", result.k),
            ("heaviest part", f"{result.part_weights.max(initial=0)} of {result.cap} allowed"),
            ("imbalance", f"{100 * result.imbalance:.2f} %"),
            ("edge cut", result.edge_cut),
            ("comm volume", result.comm_volume),
            ("critical path", "above 2**63 - 1" if result.critical_path is None else result.critical_path),
            ("seconds", f"{result.seconds:.2f}"),
            ("labels", "standard output" if output == "-" else output),
        ]
    )
