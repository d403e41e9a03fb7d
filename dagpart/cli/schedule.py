"""``dagpart schedule GRAPH -p P``: where and when tasks run, how good that is, and files to look at."""

from __future__ import annotations

import argparse
import re
from typing import Any

from dagpart._files import check_writable, write_file
from dagpart.cli._options import (
    add_graph,
    columns,
    load_graph,
    print_json,
    refuse_two_streams,
    say,
)
from dagpart.dag import Dag
from dagpart.schedule import (
    Platform,
    Report,
    Schedule,
    compare,
    gantt,
    lower_bounds,
    read_costs,
    read_platform,
    report,
    sched_rec,
    schedule,
    validate,
    write_trace,
)
from dagpart.schedule.problem import CHARGING, MODELS
from dagpart.schedule.traces import TRACES, trace_of

_COMPARED = "bl-est,etf,heft,dsc,bl-est-part,bl-est-busy,bl-est-macro,auto"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's own options, and the graph."""
    add_graph(parser)
    _add_machine(parser.add_argument_group("the machine"))
    _add_method(parser.add_argument_group("how"))
    _add_output(parser.add_argument_group("what comes out"))


def _add_machine(group: Any) -> None:
    group.add_argument("-p", "--processors", type=int, metavar="P", help="so many of speed 1")
    group.add_argument(
        "--bandwidth",
        type=float,
        metavar="B",
        help="with -p: data that a link carries in a unit of time (default 1)",
    )
    group.add_argument(
        "--latency", type=float, metavar="T", help="with -p: time that each message takes besides (default 0)"
    )
    group.add_argument(
        "--platform", metavar="FILE", help="in place of -p: a platform in JSON, or OneStopParallel's .arch"
    )
    group.add_argument(
        "--costs",
        metavar="FILE",
        help="time of each task on each processor, a line a task, in place of weights",
    )
    group.add_argument(
        "--model",
        choices=MODELS,
        default="duplex",
        help="of communication: a processor sends and receives one message at a time (duplex, the default), "
        "any number (delay), free (none), supersteps (bsp)",
    )
    group.add_argument(
        "--charging",
        choices=CHARGING,
        default="edge",
        help="a message for every edge (default), or one for each producer and destination",
    )
    group.add_argument(
        "--ccr",
        type=float,
        metavar="X",
        help="scale the data so that all of it takes X times as long as all work",
    )
    group.add_argument(
        "--task-overhead",
        type=float,
        default=0.0,
        metavar="X",
        help="time that every task takes besides (default 0)",
    )


def _add_method(group: Any) -> None:
    group.add_argument(
        "--algorithm",
        default="auto",
        metavar="NAME",
        help="auto (default) tries many and keeps the best; a name that does not exist shows all",
    )
    parts = group.add_mutually_exclusive_group()
    parts.add_argument(
        "--clusters", metavar="K|auto|FILE", help="for algorithms on clusters: how many parts, or a part file"
    )
    parts.add_argument("--parts", metavar="FILE", help="the same as --clusters FILE")
    group.add_argument(
        "--time-limit",
        type=float,
        metavar="S",
        help="for algorithms that try several ways, each: until S seconds",
    )
    group.add_argument(
        "--seed", type=int, default=0, metavar="N", help="same seed, same schedule (default 0)"
    )
    group.add_argument(
        "--threads", type=int, default=1, metavar="N", help="default 1; the schedule is the same"
    )
    group.add_argument(
        "--compare",
        action="store_true",
        help="several algorithms in one table; --trace and --gantt get the best",
    )
    group.add_argument(
        "--with", dest="names", metavar="NAME,...", help=f"with --compare: which (default {_COMPARED})"
    )


def _add_output(group: Any) -> None:
    forms = ", ".join(f"{trace.suffixes[0]} {trace.summary}" for trace in TRACES)
    group.add_argument(
        "--trace",
        action="append",
        default=[],
        metavar="OUT",
        help=f"write the schedule, as its suffix says: {forms}",
    )
    group.add_argument(
        "--trace-format", choices=[trace.name for trace in TRACES], help="in place of the suffix of --trace"
    )
    group.add_argument(
        "--sched-rec", metavar="OUT", help="GRAPH is StarPU's tasks.rec: write the sched.rec for its replay"
    )
    group.add_argument("--gantt", metavar="OUT", help="draw it: .png, .svg, .pdf (needs the extra plot)")
    group.add_argument("--ports", action="store_true", help="with --gantt: send and receive ports as lanes")


def run(args: argparse.Namespace) -> int:
    """Schedule, check, write, report."""
    clusters = _clusters(args)
    refuse_two_streams(args, args.platform, args.costs, clusters if isinstance(clusters, str) else None)
    names = _names(args)
    _check_outputs(args)
    platform = _platform(args)
    graph = Dag.from_any(load_graph(args).graph)
    options: dict[str, Any] = {
        "clusters": clusters,
        "model": args.model,
        "charging": args.charging,
        "ccr": args.ccr,
        "task_overhead": args.task_overhead,
        "costs": None if args.costs is None else read_costs(args.costs, graph.n, platform.p),
        "time_limit": args.time_limit,
        "seed": args.seed,
        "threads": args.threads,
    }
    if args.compare:
        schedules = compare(graph, platform, names, **options, progress=lambda made: say(args, _line(made)))
    else:
        schedules = [schedule(graph, platform, algorithm=names[0], **options)]
    for made in schedules:
        validate(made)
    best = min(schedules, key=lambda made: made.makespan)
    _write(args, best)
    if "-" in args.trace:
        return 0
    bounds = lower_bounds(best.problem)
    reports = [report(made, bounds=bounds) for made in schedules]
    if args.json and args.compare:
        print_json({"best": best.algorithm, "schedules": [found.to_dict() for found in reports]})
    elif args.json:
        print_json(reports[0].to_dict())
    else:
        print(_table(reports) if args.compare else reports[0])
    return 0


def _clusters(args: argparse.Namespace) -> int | str | None:
    """A number of parts, "auto" or a file."""
    given: str | None = args.clusters if args.parts is None else args.parts
    if given is not None and args.parts is None and re.fullmatch("-?[0-9]{1,18}", given):
        return int(given)
    return given


def _names(args: argparse.Namespace) -> list[str]:
    if args.names is not None and not args.compare:
        args.usage_error("--with goes with --compare")
    listed = [name for name in (args.names or _COMPARED).split(",") if name]
    if not listed:
        args.usage_error("--with names no algorithm")
    return listed if args.compare else [args.algorithm]


def _check_outputs(args: argparse.Namespace) -> None:
    """Find out before any work what could not be written."""
    if args.json and "-" in args.trace:
        args.usage_error("--trace - and --json both need standard output")
    if args.sched_rec is not None and args.graph == "-":
        args.usage_error("--sched-rec reads GRAPH a second time: it cannot be the standard input")
    if args.ports and args.gantt is None:
        args.usage_error("--ports goes with --gantt")
    for path in args.trace:
        trace_of(path, args.trace_format)
    for path in (*args.trace, args.gantt, args.sched_rec):
        if path is not None:
            check_writable(path)


def _platform(args: argparse.Namespace) -> Platform:
    if (args.processors is None) == (args.platform is None):
        args.usage_error("say on what: -p P, or --platform FILE")
    if args.platform is None:
        bandwidth = 1.0 if args.bandwidth is None else args.bandwidth
        latency = 0.0 if args.latency is None else args.latency
        return Platform.homogeneous(args.processors, bandwidth=bandwidth, latency=latency)
    if args.bandwidth is not None or args.latency is not None:
        args.usage_error("--bandwidth and --latency go with -p; a platform file has its own")
    return read_platform(args.platform)


def _write(args: argparse.Namespace, made: Schedule) -> None:
    for path in args.trace:
        write_trace(path, made, args.trace_format)
    if args.sched_rec is not None:
        write_file(args.sched_rec, sched_rec(args.graph, made))
    if args.gantt is not None:
        gantt(made, args.gantt, ports=args.ports)


def _line(made: Schedule) -> str:
    return f"{made.algorithm}: makespan {made.makespan:.6g} after {made.seconds:.2f} s"


def _table(reports: list[Report]) -> str:
    """One line an algorithm, an asterisk at the least makespan."""
    least = min(found.makespan for found in reports)
    rows = [
        (
            "",
            "algorithm",
            "makespan",
            "speed-up",
            "efficiency",
            "gap",
            "messages",
            "volume",
            "idle",
            "seconds",
        )
    ]
    rows += [
        (
            "*" if found.makespan == least else "",
            found.algorithm,
            f"{found.makespan:.6g}",
            f"{found.speedup:.2f}",
            f"{100 * found.efficiency:.1f} %",
            f"{100 * found.gap:.1f} %",
            str(found.messages),
            f"{found.volume:.6g}",
            f"{100 * found.idle_share:.1f} %",
            f"{found.seconds:.2f}",
        )
        for found in reports
    ]
    first = reports[0]
    bound = f"lower bound {first.lower_bound:.6g} ({first.bound})"
    machine = f"{first.tasks} tasks on {first.processors} processors, {first.model}"
    return f"{columns(rows, left=2)}\n{machine}; {bound}"
