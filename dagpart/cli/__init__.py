"""The command ``dagpart``: one module a command, which is loaded when it is asked for."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

import dagpart
from dagpart.cli._options import DONE, NO_ANSWER, WRONG_INPUT, complain
from dagpart.errors import InfeasibleError, NotADagError, ParseError

__all__ = ["main"]

_COMMANDS: Mapping[str, str] = {
    "partition": "Split a graph into K balanced parts without a cycle among them; "
    "writes one part id a line, in vertex order.",
    "cluster": "Split a graph into as few parts as can be found, none of them above a weight and without a "
    "cycle among them; writes one part id a line, in vertex order.",
    "check": "Check a partition and show what it costs; exit code 1 if it is not valid.",
    "compare": "Run dagpart and other partitioners on a graph, each in a process of its own, and show what "
    "their parts cost as they come and once they are acyclic and balanced.",
    "schedule": "Schedule the tasks of a graph on processors, with their messages; vertex weights are work, "
    "edge weights are data. Every schedule is checked before it is shown.",
    "info": "Show the sizes and the shape of a graph.",
    "convert": "Write a graph in another format; with a part file, its parts in colour. Of these formats "
    "OneStopParallel reads .hdag and .lhdag: its .dot has other attributes, its .mtx is a lower triangle.",
    "generate": "Write a task graph made to order: a numerical kernel, a mesh, a random graph.",
}
"""Every command, and what it does; `dagpart.cli` has a module of the same name."""

# What a shell reports for a process that SIGINT or SIGPIPE ended.
_INTERRUPTED, _BROKEN_PIPE = 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; default: those of the process.

    Returns
    -------
    int
        Exit code: 0 done; 1 the request has no answer (cyclic, infeasible, check failed, balance not reached
        with ``--strict``); 2 bad usage or input; 3 labels were written whose balance was not reached.

    Examples
    --------
    >>> main(["info", "no-such-file.mtx"])
    2
    """
    options: frozenset[str] = frozenset()
    try:
        words = sys.argv[1:] if argv is None else argv
        args = _parser(words).parse_args(words)
        options = args.options
        code: int = args.run(args)
        if sys.stdout is not None:
            # What is still buffered may fail to be written, too.
            sys.stdout.flush()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else DONE
    except BrokenPipeError:
        _give_up_standard_output()
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        complain("interrupted")
        return _INTERRUPTED
    except (NotADagError, InfeasibleError) as error:
        complain(f"error: {_in_options(str(error), options)}")
        return NO_ANSWER
    except ParseError as error:
        complain(f"error: {error}")
        return WRONG_INPUT
    except ValueError as error:
        complain(f"error: {_in_options(str(error), options)}")
        return WRONG_INPUT
    except MemoryError:
        complain("error: not enough memory")
        return WRONG_INPUT
    except OSError as error:
        _give_up_standard_output()
        reason = error.strerror or str(error)
        complain(f"error: {reason}" if error.filename is None else f"error: {error.filename}: {reason}")
        return WRONG_INPUT
    return code


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of a command line; only the command that it names is loaded, with its options."""
    parser = argparse.ArgumentParser(
        prog="dagpart",
        description="Split a directed acyclic graph into balanced parts whose quotient graph is acyclic too.",
        epilog="Exit code: 0 done; 1 the request has no answer; 2 bad usage or input; 3 labels are written, "
        "but a part is heavier than the tolerance allows (partition; an error with --strict).",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    # No option in front of the command has a value.
    named = next((word for word in words if not word.startswith("-")), None)
    for name, summary in _COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        if name == named:
            module = import_module(f"dagpart.cli.{name}")
            module.add_options(command)
            options = frozenset(command._option_string_actions)
            command.set_defaults(run=module.run, usage_error=command.error, options=options)
    return parser


def _in_options(message: str, options: frozenset[str]) -> str:
    """A message in which the cures that Python's arguments bring are the command's options.

    Examples
    --------
    >>> _in_options("ask for fewer parts, or allow_empty=True", frozenset({"--allow-empty"}))
    'ask for fewer parts, or --allow-empty'
    """

    def option(found: re.Match[str]) -> str:
        name, value = "--" + found[1].replace("_", "-"), found[2]
        if name not in options:
            return found[0]
        return name if value is None else f"{name} {value}"

    return re.sub(r'\b([a-z]+(?:_[a-z]+)*)=(?:True\b|"([\w-]+)")', option, message)


class _Version(argparse.Action):
    """`--version`: it takes a while to find out, which other commands need not spend."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"dagpart {dagpart.__version__}")
        parser.exit()


def _give_up_standard_output() -> None:
    """Keep the interpreter silent at its end when standard output takes no more."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
