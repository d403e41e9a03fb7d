"""``dagpart cluster GRAPH --max-weight W``: as few parts as can be found under a cap on their weight."""

from __future__ import annotations

import argparse

import dagpart
from dagpart.cli._options import add_graph, refuse_two_streams
from dagpart.cli._partitions import add_output, add_search, deliver, output_of, read_for_partition


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's own options, and the graph."""
    add_graph(parser)
    parser.add_argument(
        "--max-weight", required=True, type=_weight, metavar="W", help="the heaviest that a part may be"
    )
    add_search(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Cluster, write, report."""
    refuse_two_streams(args)
    output_of(args, "K")
    graph = read_for_partition(args)
    result = dagpart.cluster(
        graph,
        args.max_weight,
        objective=args.objective,
        preset=args.preset,
        on_cycle=args.on_cycle,
        seed=args.seed,
        threads=args.threads,
    )
    # Only now is it known how many parts the name has to tell.
    deliver(args, graph, result, output_of(args, result.k))
    return 0


def _weight(text: str) -> int | float:
    # Not before it is asked for: the help needs none of what graphs need.
    from dagpart.io.building import WEIGHT, parse_weight

    weight = parse_weight(text)
    if weight is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not {WEIGHT}")
    return weight
