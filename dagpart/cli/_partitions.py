"""What the commands that make partitions share: options of the search, and where the result goes."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING, get_args

from dagpart import io
from dagpart._arguments import Objective
from dagpart._files import STREAM
from dagpart.cli._options import load_graph, print_json, say, table
from dagpart.options import PRESETS

if TYPE_CHECKING:
    from dagpart.dag import Digraph
    from dagpart.search.result import Partition


def add_search(parser: argparse.ArgumentParser) -> None:
    """How to search."""
    parser.add_argument(
        "--objective",
        choices=get_args(Objective),
        default="edge_cut",
        help="what is made small (default: edge_cut)",
    )
    parser.add_argument(
        "--preset", choices=tuple(PRESETS), default="default", help="time against quality (default: default)"
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
        "--on-cycle",
        choices=("raise", "condense"),
        default="raise",
        help="a graph with cycles is refused, or each cycle stays in one part",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Where the result goes."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="default: GRAPH.part.K for K parts; .json, .csv, .tsv or .dot at the end makes a table or a "
        'coloured graph; "-" is standard output',
    )
    parser.add_argument(
        "--quotient",
        metavar="FILE",
        help="write the graph of the parts here, in any format; .dot is a picture in the colours of -o x.dot",
    )
    parser.add_argument("--labels", action="store_true", help="with --json: the part of every vertex, too")


def output_of(args: argparse.Namespace, k: int | str, *inputs: str | None) -> str:
    """Where the labels of k parts go; found out to be writable, and none of the inputs."""
    output: str | None = args.output
    if args.labels and not args.json:
        args.usage_error("--labels goes with --json; the part file has the labels anyway")
    if output is None:
        if args.graph == STREAM:
            args.usage_error("the graph comes from standard input: say with -o where the labels go")
        # A data set has no folder of its own, and not every system takes its name for a file.
        stem = args.graph if os.path.exists(args.graph) else re.sub(r"[:/]", "_", args.graph)
        output = f"{stem}.part.{k}"
    if output == STREAM and args.json:
        args.usage_error(
            "-o - and --json both need standard output; --json --labels gives both in one object"
        )
    if os.path.exists(output) and any(
        path is not None and os.path.exists(path) and os.path.samefile(path, output)
        for path in (args.graph, args.vertex_weights, args.weights, *inputs)
    ):
        args.usage_error(f"the labels would overwrite the input {output}")
    io.partition_writer(output)
    if args.quotient is not None:
        io.quotient_writer(args.quotient)
    return output


def read_for_partition(args: argparse.Namespace) -> Digraph:
    """The graph, with a word for who asks for cycles to be condensed where there are none."""
    loaded = load_graph(args)
    if args.on_cycle == "condense" and args.as_ is None and loaded.reading in ("lower", "upper"):
        say(args, "a triangle has no cycles to condense; the whole matrix is a graph with --as adjacency")
    return loaded.graph


def deliver(args: argparse.Namespace, graph: Digraph, result: Partition, output: str) -> None:
    """Write what was asked for, and show what it costs."""
    result.save(output)
    if args.quotient is not None:
        io.write_quotient(args.quotient, result.quotient)
    if args.json:
        print_json(result.to_dict(labels=args.labels))
    if not args.quiet:
        print(_summary(args.graph, graph, result, output), file=sys.stderr)


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
            ("labels", "standard output" if output == STREAM else output),
        ]
    )
