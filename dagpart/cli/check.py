"""``dagpart check GRAPH PARTS``: whether a part file is an acyclic, balanced partition, and what it costs."""

from __future__ import annotations

import argparse

import dagpart
from dagpart.cli._options import (
    DONE,
    NO_ANSWER,
    add_graph,
    add_imbalance,
    load_graph,
    print_json,
    refuse_two_streams,
    show,
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's own options, and the graph."""
    add_graph(parser)
    parser.add_argument(
        "parts",
        metavar="PARTS",
        help="one part id a line, in vertex order, from 0; or what partition writes as .json, .csv or .tsv",
    )
    add_imbalance(parser, None, "any will do")


def run(args: argparse.Namespace) -> int:
    """Print the report; 1 when the partition is not valid."""
    refuse_two_streams(args, args.parts)
    graph = load_graph(args).graph
    report = dagpart.check(graph, dagpart.io.read_partition(args.parts, graph), imbalance=args.imbalance)
    if args.json:
        print_json(report.to_dict())
    else:
        show(args, report)
    return DONE if report.valid else NO_ANSWER
