"""``dagpart generate NAME``: write a task graph made to order."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dagpart import io
from dagpart._files import STREAM, check_writable
from dagpart.cli._options import complain, say, table

if TYPE_CHECKING:
    from dagpart.generate.registry import Generator

_STREAM_FORMAT = "matrix-market"
# Keeps the parameters of generators apart from the options of the command.
_PREFIX = "parameter_"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's own options; those for a generator are known only when the generator is."""
    parser.usage = (
        "dagpart generate NAME [--PARAMETER=VALUE ...] -o OUT\n"
        "       dagpart generate NAME --help\n"
        "       dagpart generate --list"
    )
    parser.add_argument("--list", action="store_true", help="show the names of all generators")
    parser.add_argument("name", metavar="NAME", nargs="?", help="the generator")
    parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Make the graph and write it."""
    # Importing all generators takes a while that other commands need not spend.
    from dagpart.generate import GENERATORS

    if args.list:
        print(table((name, generator.summary) for name, generator in GENERATORS.items()))
        return 0
    if args.name not in GENERATORS:
        reason = "a generator is needed" if args.name is None else f"there is no generator {args.name}"
        args.usage_error(f"{reason}; dagpart generate --list shows all")
    generator = GENERATORS[args.name]
    parser = _parser(generator)
    chosen, unknown = parser.parse_known_args(args.words)
    if unknown:
        known = ", ".join(_option(name) for name in generator.parameters)
        parser.error(f"{generator.name} does not take {unknown[0]}; its parameters are {known}")
    texts = {name: getattr(chosen, _PREFIX + name) for name in generator.parameters}
    arguments = generator.parse({name: text for name, text in texts.items() if text is not None})
    file_format = _STREAM_FORMAT if chosen.output == STREAM else None
    io.writer(chosen.output, file_format)
    kept = io.format_of(chosen.output, file_format)
    if chosen.vertex_weights is not None:
        check_writable(chosen.vertex_weights)
    graph = generator.make(**arguments)
    if chosen.vertex_weights is not None:
        io.write_weights(chosen.vertex_weights, graph.vertex_weights)
    elif "vertex_weights" not in kept.keeps and (graph.vertex_weights != 1).any():
        complain("the file has no place for the vertex weights; --vertex-weights FILE writes them")
    io.write(graph, chosen.output, file_format)
    say(chosen, f"{generator.name}: {graph.n} vertices and {graph.m} edges written to {chosen.output}")
    return 0


def _parser(generator: Generator) -> argparse.ArgumentParser:
    """The parser of what follows the generator's name."""
    parser = argparse.ArgumentParser(
        prog=f"dagpart generate {generator.name}", description=generator.summary, allow_abbrev=False
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="OUT", help='file to write; "-" is standard output'
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but warnings and errors")
    parser.add_argument("--vertex-weights", metavar="FILE", help="write them here, one a line")
    group = parser.add_argument_group("parameters")
    for name, parameter in generator.parameters.items():
        default = "" if parameter.default is None else f" (default {parameter.default})"
        group.add_argument(
            _option(name),
            dest=_PREFIX + name,
            metavar="VALUE",
            help=parameter.what + (" (needed)" if parameter.required else default),
        )
    return parser


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
