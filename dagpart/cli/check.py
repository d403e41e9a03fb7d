"""``dagpart check GRAPH PARTS``: whether a part file is an acyclic, balanced partition, and what it costs."""

from __future__ import annotations

import argparse

import dagpart
from dagpart.cli._options import add_graph, load_graph, print_json, refuse_two_streams


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's own options, and the graph."""
    add_graph(parser)
    parser.add_argument("parts", metavar="PARTS", help="one part id a line, in vertex order, from 0")
    parser.add_argument(
        "-e",
        "--imbalance",
        type=float,
        metavar="E",
        help="tolerance; 0.03 is 3 percent (default: not checked)",
    )


def run(args: argparse.Namespace) -> int:
    """Print the report; 1 when the partition is not valid."""
    refuse_two_streams(args, args.parts)
    graph = load_graph(args).graph
    report = dagpart.check(graph, dagpart.io.read_parts(args.parts, n=graph.n), imbalance=args.imbalance)
    if args.json:
        print_json(report.to_dict())
    else:
        print(report)
    return 0 if report.valid else 1
