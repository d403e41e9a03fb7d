"""The command ``dagpart``: one module a command; what is shared is here and in `_options`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from dagpart import __version__
from dagpart.cli import check, cluster, compare, convert, generate, info, partition, schedule
from dagpart.cli._options import complain
from dagpart.errors import InfeasibleError, NotADagError

__all__ = ["main"]

_COMMANDS = (partition, cluster, check, compare, schedule, info, convert, generate)

_DONE, _NO_ANSWER, _WRONG_INPUT = 0, 1, 2
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
        Exit code: 0 done; 1 the request has no answer (cyclic, infeasible, balance not reached, check
        failed); 2 bad usage or input.

    Examples
    --------
    >>> main(["info", "no-such-file.mtx"])
    2
    """
    try:
        args = _parser().parse_args(argv)
        code: int = args.run(args)
        if sys.stdout is not None:
            # What is still buffered may fail to be written, too.
            sys.stdout.flush()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else _DONE
    except BrokenPipeError:
        _give_up_standard_output()
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        complain("interrupted")
        return _INTERRUPTED
    except (NotADagError, InfeasibleError) as error:
        complain(f"error: {error}")
        return _NO_ANSWER
    except ValueError as error:
        complain(f"error: {error}")
        return _WRONG_INPUT
    except MemoryError:
        complain("error: not enough memory")
        return _WRONG_INPUT
    except OSError as error:
        _give_up_standard_output()
        reason = error.strerror or str(error)
        complain(f"error: {reason}" if error.filename is None else f"error: {error.filename}: {reason}")
        return _WRONG_INPUT
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dagpart",
        description="Split a directed acyclic graph into balanced parts whose quotient graph is acyclic too.",
        epilog="Exit code: 0 done; 1 the request has no answer; 2 bad usage or input.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"dagpart {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in _COMMANDS:
        command.add_parser(commands)
    return parser


def _give_up_standard_output() -> None:
    """Keep the interpreter silent at its end when standard output takes no more."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
