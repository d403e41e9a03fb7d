"""``dagpart convert IN OUT``: a graph from one format to another, or the graph of its parts."""

from __future__ import annotations

import argparse

from dagpart.cli._options import (
    add_graph,
    load_graph,
    print_json,
    refuse_two_streams,
    say,
    say_losses,
)
from dagpart.dag import Digraph
from dagpart.io import (
    FORMATS,
    format_of,
    partition_writer,
    read_partition,
    write,
    write_partition,
    write_quotient,
    writer,
)
from dagpart.metrics import quotient


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's own options, and the graph."""
    add_graph(parser)
    names = ", ".join(format.name for format in FORMATS if format.dump is not None)
    parser.add_argument("output", metavar="OUT", help='file to write; "-" is standard output')
    parser.add_argument("--to", metavar="F", help=f"format of OUT; default: by its suffix ({names})")
    parser.add_argument(
        "--parts",
        metavar="FILE",
        help="one part id a line, or what partition writes as .json, .csv or .tsv: OUT is a DOT file with a "
        "cluster for each part, or a table of parts (.json, .csv, .tsv)",
    )
    parser.add_argument(
        "--quotient", action="store_true", help="with --parts: write the graph of the parts, in any format"
    )


def run(args: argparse.Namespace) -> int:
    """Read, write, and say what was lost."""
    refuse_two_streams(args, args.parts)
    if args.quotient and args.parts is None:
        args.usage_error("--quotient needs --parts FILE, for the parts")
    if args.json and args.output == "-":
        args.usage_error("-o - and --json both need standard output")
    if args.parts is not None and not args.quotient:
        return _write_parts(args)
    # Found out before a long read.
    writer(args.output, args.to)
    file_format = format_of(args.output, args.to)
    graph: Digraph = load_graph(args).graph
    if args.quotient:
        graph = quotient(graph, read_partition(args.parts, graph))
    losses = say_losses(graph, args.output, file_format)
    if args.quotient:
        write_quotient(args.output, graph, args.to)
    else:
        write(graph, args.output, args.to)
    _report(args, graph, file_format.name, losses)
    return 0


def _write_parts(args: argparse.Namespace) -> int:
    if args.to is not None:
        args.usage_error(
            "with --parts the suffix of OUT decides: .dot, .json, .csv or .tsv; else one part a line"
        )
    partition_writer(args.output)
    graph = load_graph(args).graph
    write_partition(args.output, graph, read_partition(args.parts, graph))
    _report(args, graph, None, [])
    return 0


def _report(args: argparse.Namespace, graph: Digraph, file_format: str | None, losses: list[str]) -> None:
    if args.json:
        print_json({"vertices": graph.n, "edges": graph.m, "format": file_format, "lost": losses})
    else:
        say(args, f"{graph.n} vertices and {graph.m} edges written to {args.output}")
