"""What the commands share: the options for reading a graph, and how to say things."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from dagpart import io
from dagpart.io.names import MODULES

if TYPE_CHECKING:
    from dagpart.dag import Digraph, Dropped

DONE, NO_ANSWER, WRONG_INPUT, UNBALANCED = 0, 1, 2, 3
"""Exit codes; unbalanced: labels were written, with a part that is heavier than the tolerance allows."""

_READINGS = {
    "adjacency": "adjacency: an entry (i, j) is the edge i -> j",
    "lower": "lower triangle: every edge runs from the lower index to the higher",
    "upper": "upper triangle: every edge runs from the lower index to the higher",
}
_DROPPED = {
    "self_loops": "self-loops dropped",
    "duplicates_merged": "duplicates merged",
    "explicit_zeros": "explicit zeros dropped",
    "other_triangle": "entries of the other triangle left out",
}


def add_graph(parser: argparse.ArgumentParser) -> None:
    """The graph and how to read it, and the options that all commands on graphs have."""
    parser.add_argument(
        "graph",
        metavar="GRAPH",
        help='file of the graph, maybe gzip; "-" is standard input; or a data set, such as polybench:2mm',
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print nothing but warnings, errors and what an option asks for, as --json and -o - do",
    )
    reading = parser.add_argument_group("how to read the graph")
    reading.add_argument(
        "--format", metavar="F", help=f"default: by the file's suffix ({', '.join(MODULES)})"
    )
    reading.add_argument(
        "--as",
        dest="as_",
        choices=("auto", "adjacency", "lower", "upper"),
        help="what a matrix says: an edge for every entry, or a solver's dependencies in one triangle; "
        "auto (default): adjacency if that is acyclic, else the fuller triangle",
    )
    reading.add_argument(
        "--reverse",
        action="store_true",
        help="turn every edge round: the file's point from a task to what it needs",
    )
    reading.add_argument(
        "--index-base", type=int, choices=(0, 1), help="what a matrix file counts from (default 1)"
    )
    reading.add_argument(
        "--zeros", choices=("keep", "drop"), help="whether a zero that is written is an edge (default drop)"
    )
    reading.add_argument(
        "--edge-weights",
        choices=("unit", "values"),
        help="1 each, or what the file says (default: values, but unit for a matrix that no dagpart wrote)",
    )
    reading.add_argument(
        "--work",
        choices=("time", "flops", "bytes", "unit"),
        help="what vertices weigh, for traces of StarPU (time, flops) and ONNX models (flops, bytes)",
    )
    reading.add_argument(
        "--lengths",
        type=_lengths,
        metavar="N|NAME=N,...",
        help="what lengths count that an ONNX model leaves open, all or by name (default 1)",
    )
    reading.add_argument("--vertex-weights", metavar="FILE", help="one number a line, in vertex order")
    reading.add_argument(
        "--weights",
        metavar="W",
        help="what vertices weigh: gates (inputs of the circuit weigh 0) or all (1 each), for circuits; or a "
        "file with a line name,weight for each vertex",
    )


def add_parts(parser: argparse.ArgumentParser) -> None:
    """How many parts are asked for, and how equal."""
    parser.add_argument("k", metavar="K", type=int, help="number of parts")
    add_imbalance(parser, 0.03, "0.03: 3 percent")


def add_imbalance(parser: argparse.ArgumentParser, default: float | None, words: str) -> None:
    """The tolerance; without one the default, which the words describe."""
    parser.add_argument(
        "-e",
        "--imbalance",
        type=_tolerance,
        default=default,
        metavar="E",
        help=f"tolerance, as in 0.03 or 3%% (default {words}); above 1 only with the sign, as in 300%%",
    )


def _tolerance(text: str) -> float:
    """A share, or a number of percent with its sign; a share above 1 is more likely percent without it."""
    number, sign, rest = text.strip().partition("%")
    try:
        share = Decimal(number) / (100 if sign else 1)
    except InvalidOperation:
        share = Decimal("nan")
    if rest or share.is_nan():
        raise argparse.ArgumentTypeError(f"{text!r} is no tolerance: 3 percent is 0.03, or 3%")
    if share.is_finite() and share > 1 and not sign:
        raise argparse.ArgumentTypeError(
            f"{number} would let a part weigh {float(1 + share):g} times the mean; for {number} percent "
            f"write -e {float(share / 100)}, and if it is meant, -e {float(share * 100):.17g}%"
        )
    return float(share)


def _lengths(text: str) -> int | dict[str, int]:
    """A number, or numbers by name."""
    try:
        if "=" not in text:
            return int(text)
        pairs = (field.rpartition("=") for field in text.split(","))
        return {name: int(number) for name, _, number in pairs}
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r}: give a number, or numbers by name as in batch=8"
        ) from None


def read_graph(args: argparse.Namespace) -> io.Loaded:
    """Read the graph that the command line names."""
    names = ("as_", "index_base", "zeros", "edge_weights", "work", "lengths", "weights")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    if args.vertex_weights is not None:
        given["vertex_weights"] = io.read_weights(args.vertex_weights)
    return io.load(args.graph, args.format, reverse=args.reverse, **given)


def load_graph(args: argparse.Namespace) -> io.Loaded:
    """Read the graph that the command line names, and say what a user should know about the reading."""
    loaded = read_graph(args)
    for note in loaded.notes:
        say(args, note)
    if loaded.reading is not None and args.as_ in (None, "auto"):
        say(args, f"read as {_READINGS[loaded.reading]}")
    if words := dropped_words(loaded.graph.dropped):
        say(args, words)
    return loaded


def say_losses(graph: Digraph, output: str, file_format: io.Format) -> list[str]:
    """What of the graph is not in the file that was written, said to the user and returned."""
    losses = file_format.losses(graph)
    for loss in losses:
        complain(f"{output}: the format {file_format.name} has no place for {loss}")
    return losses


def dropped_words(dropped: Dropped) -> str:
    """What was left out of the input, in words; empty when nothing was."""
    counts = dropped.as_dict()
    return "; ".join(f"{words}: {counts[name]}" for name, words in _DROPPED.items() if counts[name])


def refuse_two_streams(args: argparse.Namespace, *paths: str | None) -> None:
    """Standard input can be read once."""
    if sum(path == "-" for path in (args.graph, args.vertex_weights, args.weights, *paths)) > 1:
        args.usage_error('only one file can be "-", the standard input')


def say(args: argparse.Namespace, message: str) -> None:
    """A remark on standard error, unless the user wants none."""
    if not args.quiet:
        complain(message)


def complain(message: str) -> None:
    """Something on standard error that the user must see, in one line whatever is in it."""
    if sys.stderr is not None:
        line = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in message)
        print(f"dagpart: {line}", file=sys.stderr)


def show(args: argparse.Namespace, text: object) -> None:
    """A table on standard output, unless the user wants none."""
    if not args.quiet:
        print(text)


def print_json(values: dict[str, Any]) -> None:
    """One JSON object on standard output."""
    print(json.dumps(values))


def table(rows: Iterable[tuple[str, object]]) -> str:
    """Names and values in two columns."""
    rows = list(rows)
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def columns(rows: Sequence[Sequence[str]], *, left: int) -> str:
    """Cells under each other: the first `left` columns start together, the others end together."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        words = [
            word.ljust(width) if position < left else word.rjust(width)
            for position, (word, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(words).rstrip())
    return "\n".join(lines)
