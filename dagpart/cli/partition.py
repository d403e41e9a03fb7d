"""``dagpart partition GRAPH K``: write the part of every vertex."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import dagpart
from dagpart.cli._options import (
    DONE,
    NO_ANSWER,
    UNBALANCED,
    add_graph,
    add_parts,
    complain,
    refuse_two_streams,
)
from dagpart.cli._partitions import add_output, add_search, deliver, output_of, read_for_partition
from dagpart.errors import BalanceWarning


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's own options, and the graph."""
    add_graph(parser)
    add_parts(parser)
    add_search(parser)
    parser.add_argument(
        "--time-limit",
        type=float,
        metavar="S",
        help="keep improving for S seconds; the labels then depend on the machine's speed",
    )
    parser.add_argument(
        "--fixed",
        metavar="FILE",
        help="part of each vertex that must go there, one a line, -1 leaves it free; or by name in .json, "
        ".csv or .tsv, and who is not named is free",
    )
    parser.add_argument(
        "--allow-empty", action="store_true", help="parts may be empty, so K may pass the number of vertices"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="write nothing and exit with 1 if the tolerance is not reached; without this the labels are "
        "written, with a warning, and the exit code is 3",
    )
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Partition, write, report; an exit code of its own when the tolerance was not reached."""
    refuse_two_streams(args, args.fixed)
    output = output_of(args, args.k, args.fixed)
    graph = read_for_partition(args)
    fixed = None if args.fixed is None else dagpart.io.read_partition(args.fixed, graph, free=True)
    with warnings.catch_warnings(record=True) as caught, _progress_bar(args) as progress:
        warnings.simplefilter("always")
        result = dagpart.partition(
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
    unbalanced = False
    for warning in caught:
        missed = issubclass(warning.category, BalanceWarning)
        unbalanced |= missed
        complain(f"{'error' if missed and args.strict else 'warning'}: {warning.message}")
    if unbalanced and args.strict:
        return NO_ANSWER
    deliver(args, graph, result, output)
    return UNBALANCED if unbalanced else DONE


@contextmanager
def _progress_bar(args: argparse.Namespace) -> Iterator[Callable[[float, float], None] | None]:
    """A bar on a terminal while a time limit runs, with the best objective so far; gone in the end."""
    if args.quiet or args.time_limit is None or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    form = "{percentage:3.0f} % |{bar}| {n:.1f} of {total:g} s{postfix}"
    with tqdm(total=args.time_limit, bar_format=form, leave=False, file=sys.stderr) as bar:

        def show(seconds: float, best: float) -> None:
            bar.set_postfix({args.objective: best}, refresh=False)
            bar.update(min(seconds, args.time_limit) - bar.n)

        yield show
