"""``dagpart compare GRAPH K``: dagpart and other partitioners in one table."""

from __future__ import annotations

import argparse
import csv
import sys
from dataclasses import fields

from dagpart.cli._options import (
    DONE,
    NO_ANSWER,
    add_graph,
    add_parts,
    columns,
    load_graph,
    print_json,
    refuse_two_streams,
    say,
    show,
)
from dagpart.comparing import METHODS, OURS, Method, Record, compare
from dagpart.dag import Dag

# By seed dagP's cut varies up to threefold on one graph.
_DAGP_SEEDS = 3


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's own options, and the graph."""
    add_graph(parser)
    add_parts(parser)
    parser.add_argument(
        "--with",
        dest="methods",
        default="metis,scotch,kahip",
        metavar="NAME,...",
        help=f"beside {OURS} (default metis,scotch,kahip); NAME:VARIANT chooses one of several ways. "
        f"There are {', '.join(METHODS)}",
    )
    parser.add_argument(
        "--dagp", metavar="PATH", help="also run this executable of dagP, the acyclic partitioner"
    )
    parser.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help=f"run with the seeds 0 .. N-1 (default 1; with --dagp, whose cut varies much, {_DAGP_SEEDS})",
    )
    parser.add_argument(
        "--time-limit", type=float, metavar="S", help="kill a run after S seconds (default: none is killed)"
    )
    parser.add_argument("--csv", action="store_true", help="the table as CSV on standard output")


def run(args: argparse.Namespace) -> int:
    """Run all, print the table; 1 when no method has an answer."""
    refuse_two_streams(args)
    if args.json and args.csv:
        args.usage_error("--json and --csv both need standard output")
    if args.seeds is None:
        args.seeds = 1 if args.dagp is None else _DAGP_SEEDS
    if args.seeds < 1:
        args.usage_error("--seeds must be at least 1")
    names = [name for name in args.methods.split(",") if name]
    extra: dict[str, Method] = {}
    if args.dagp is not None:
        from dagpart.baselines import DagP

        extra["dagp"] = DagP(args.dagp)
        names.append("dagp")
    unknown = [name for name in names if name not in METHODS and name not in extra]
    if unknown:
        args.usage_error(f"there is no method {unknown[0]}; choose from {', '.join(METHODS)}")
    graph = Dag.from_any(load_graph(args).graph)
    records = compare(
        graph,
        args.k,
        names,
        imbalance=args.imbalance,
        seeds=range(args.seeds),
        time_limit=args.time_limit,
        extra=extra,
        progress=lambda record: say(args, _line(record)),
    )
    if args.json:
        about = {"vertices": graph.n, "edges": graph.m, "k": args.k, "tolerance": args.imbalance}
        print_json({**about, "records": [record.to_dict() for record in records]})
    elif args.csv:
        writer = csv.DictWriter(sys.stdout, [field.name for field in fields(Record)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(record.to_dict() for record in records)
    else:
        show(args, _table(records))
    return DONE if any(record.best for record in records) else NO_ANSWER


def _line(record: Record) -> str:
    """A run that is done, in a few words."""
    seconds = "" if record.seconds is None else f" after {record.seconds:.2f} s"
    outcome = f"edge cut {record.edge_cut}" if record.error is None else f"failed: {record.error}"
    return f"{record.method}, seed {record.seed}: {outcome}{seconds}"


def _table(records: list[Record]) -> str:
    """One line a run, numbers to the right; an asterisk marks the least cut after the repair."""
    titles = (
        "",
        "method",
        "seed",
        "cut",
        "volume",
        "critical path",
        "imbalance",
        "acyclic",
        "cut, repaired",
        "seconds",
        "MB",
    )
    cells = [titles]
    for record in records:
        acyclic = {True: "yes", False: "no", None: "-"}[record.acyclic]
        cells.append(
            (
                "*" if record.best else "",
                record.method,
                str(record.seed),
                _number(record.edge_cut),
                _number(record.comm_volume),
                _number(record.critical_path),
                "-" if record.imbalance is None else f"{100 * record.imbalance:.2f} %",
                acyclic,
                _number(record.repaired_cut),
                _number(record.seconds, ".2f"),
                _number(record.megabytes, ".0f"),
            )
        )
    lines = [columns(cells, left=2)]
    lines += [f"{record.method}: {record.error}" for record in records if record.error is not None]
    return "\n".join(lines)


def _number(value: float | None, form: str = "") -> str:
    return "-" if value is None else format(value, form)
