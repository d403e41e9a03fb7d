"""``dagpart schedule GRAPH -p P``: where and when tasks run, how good that is, and files to look at."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dagpart._files import check_writable, write_file
from dagpart.cli._options import (
    add_graph,
    columns,
    load_graph,
    print_json,
    refuse_two_streams,
    say,
    show,
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
    read_onestop,
    read_platform,
    report,
    sched_rec,
    schedule,
    validate,
    write_trace,
)
from dagpart.schedule.models import DEFAULT_MODEL, MODELS, words
from dagpart.schedule.platform import BARRIERS
from dagpart.schedule.problem import CHARGING
from dagpart.schedule.traces import TRACES, trace_of
from dagpart.units import Units, bandwidth_in, bandwidth_words, seconds, time_in

_COMPARED = "bl-est,etf,heft,dsc,bl-est-part,bl-est-busy,bl-est-macro,auto"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's own options, and the graph."""
    add_graph(parser)
    _add_machine(parser.add_argument_group("the machine"))
    _add_method(parser.add_argument_group("how"))
    _add_output(parser.add_argument_group("what comes out"))


def _add_machine(group: Any) -> None:
    group.add_argument(
        "-p",
        "--processors",
        type=int,
        metavar="P",
        help="so many of speed 1 (default, where the file has times for each worker: one for each)",
    )
    group.add_argument(
        "--bandwidth",
        metavar="B",
        help="with -p: what a link carries, as in 1GB/s or 10Gbit/s, or as a number: data in a unit of time "
        "(default 1; for workflows, whose tasks are in seconds and data in bytes, 125MB/s; for StarPU's, in "
        "nanoseconds and bytes, 10GB/s)",
    )
    group.add_argument(
        "--latency",
        metavar="T",
        help="with -p: time that each message takes besides, as a number or as in 50us (default 0)",
    )
    group.add_argument(
        "--time-unit",
        metavar="U",
        help="what vertex weights are measured in, as in s or ms, where the file does not know it: for "
        "--bandwidth and --latency with units, and for --trace",
    )
    group.add_argument(
        "--platform", metavar="FILE", help="in place of -p: a platform in JSON, or OneStopParallel's .arch"
    )
    group.add_argument(
        "--barriers",
        choices=BARRIERS,
        help="with --platform and --model bsp: whether all supersteps cost the time of a synchronisation "
        "(default) or those that send something, as OneStopParallel counts",
    )
    group.add_argument(
        "--costs",
        metavar="FILE",
        help="time of each task on each processor, a line a task, in place of weights; or a tasks.rec of "
        "StarPU with EstimatedTime (used by itself where it is GRAPH)",
    )
    group.add_argument(
        "--model",
        choices=MODELS,
        default=DEFAULT_MODEL,
        help=f"of communication: {words()}",
    )
    group.add_argument(
        "--charging",
        choices=CHARGING,
        help="a message for every edge (default), or one for each producer and destination (default with "
        "--given)",
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
        "--clusters",
        metavar="K|auto|FILE",
        help="for algorithms on clusters: how many parts, or a file of parts as partition -o writes it",
    )
    parts.add_argument("--parts", metavar="FILE", help="the same as --clusters FILE")
    group.add_argument(
        "--given",
        action="store_true",
        help="with --model bsp: GRAPH is a schedule of OneStopParallel (.dot); judge it as it stands",
    )
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
        "--sched-rec",
        metavar="OUT",
        help="write the sched.rec by which StarPU's replay follows the schedule: for GRAPH where that is a "
        "tasks.rec, else for that of --trace",
    )
    group.add_argument("--gantt", metavar="OUT", help="draw it: .png, .svg, .pdf (needs the extra plot)")
    group.add_argument("--ports", action="store_true", help="with --gantt: send and receive ports as lanes")


def run(args: argparse.Namespace) -> int:
    """Schedule, check, write, report."""
    clusters = _clusters(args)
    refuse_two_streams(args, args.platform, args.costs, clusters if isinstance(clusters, str) else None)
    names = _names(args)
    _check_machine(args)
    _check_outputs(args)
    schedules = [_given(args)] if args.given else _made(args, names, clusters)
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
        show(args, _table(reports) if args.compare else reports[0])
    return 0


def _given(args: argparse.Namespace) -> Schedule:
    """The schedule that GRAPH is."""
    platform = _platform(args, None, None)
    found = read_onestop(args.graph).schedule(platform, charging=args.charging or "unique")
    return replace(found, algorithm="given")


def _made(args: argparse.Namespace, names: list[str], clusters: int | str | None) -> list[Schedule]:
    """Schedules of the graph by the algorithms."""
    loaded = load_graph(args)
    graph = Dag.from_any(loaded.graph)
    if args.time_unit is not None:
        # Before platform and traces, which ask the graph.
        graph = graph.measured(replace(graph.units or Units(), time=seconds(args.time_unit)))
    costs = _costs_of_file(args, loaded.costs)
    platform = _platform(args, graph.units, costs)
    if args.costs is not None:
        costs = read_costs(args.costs, graph.n, platform.p)
    options: dict[str, Any] = {
        "clusters": clusters,
        "model": args.model,
        "charging": args.charging or "edge",
        "ccr": args.ccr,
        "task_overhead": args.task_overhead,
        "costs": costs,
        "time_limit": args.time_limit,
        "seed": args.seed,
        "threads": args.threads,
    }
    if args.compare:
        return compare(graph, platform, names, **options, progress=lambda made: say(args, _line(made)))
    return [schedule(graph, platform, algorithm=names[0], **options)]


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
    if args.sched_rec is not None:
        forms = [trace_of(path, args.trace_format).name for path in args.trace]
        if not _is_trace(args) and "starpu" not in forms:
            args.usage_error("--sched-rec is for a tasks.rec: GRAPH, or one that --trace writes")
        if _is_trace(args) and args.graph == "-":
            args.usage_error("--sched-rec reads GRAPH a second time: it cannot be the standard input")
    if args.ports and args.gantt is None:
        args.usage_error("--ports goes with --gantt")
    for path in args.trace:
        trace_of(path, args.trace_format)
    for path in (*args.trace, args.gantt, args.sched_rec):
        if path is not None:
            check_writable(path)


def _check_machine(args: argparse.Namespace) -> None:
    """Find out before a long read what the command line lacks."""
    if args.processors is not None and args.platform is not None:
        args.usage_error("say on what: -p P, or --platform FILE, not both")
    if args.platform is not None and (args.bandwidth is not None or args.latency is not None):
        args.usage_error("--bandwidth and --latency go with -p; a platform file has its own")

    if args.barriers is not None and (args.platform is None or args.model != "bsp"):
        args.usage_error("--barriers goes with --model bsp and a --platform FILE that says what they cost")
    if args.given and args.model != "bsp":
        args.usage_error("--given goes with --model bsp: OneStopParallel's schedules have supersteps")
    if args.given:
        # What would choose another schedule, or other weights than the file's.
        asked = {
            "--compare": args.compare,
            "--algorithm": args.algorithm != "auto",
            "--clusters": args.clusters or args.parts,
            "--costs": args.costs,
            "--ccr": args.ccr is not None,
            "--task-overhead": args.task_overhead,
            "--vertex-weights": args.vertex_weights,
            "--format": args.format,
            "--reverse": args.reverse,
            "--sched-rec": args.sched_rec,
        }
        if senseless := [option for option, given in asked.items() if given]:
            args.usage_error(f"--given takes a schedule as it is: leave out {senseless[0]}")


def _costs_of_file(args: argparse.Namespace, costs: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """The times for each worker that the file of the graph has, where they are for these processors."""
    if costs is None or args.costs is not None or args.platform is not None:
        return None
    workers = costs.shape[1]
    if args.processors not in (None, workers):
        say(args, f"the times that the file has for its {workers} workers are not for -p {args.processors}")
        return None
    say(args, f"tasks take the times that the file has for each of its {workers} workers")
    return costs


def _platform(args: argparse.Namespace, units: Units | None, costs: NDArray[np.float64] | None) -> Platform:
    if args.platform is not None:
        return read_platform(args.platform, barriers=args.barriers)
    processors = args.processors
    if processors is None and costs is not None:
        processors = costs.shape[1]
    if processors is None:
        args.usage_error("say on what: -p P, or --platform FILE")
    link = None if units is None else units.link
    if args.bandwidth is not None:
        bandwidth = bandwidth_in(args.bandwidth, units)
    elif link is not None and units is not None:
        bandwidth = link
        if args.model != "none" and args.ccr is None:
            say(args, f"links carry {bandwidth_words(units.bandwidth)}; say otherwise with --bandwidth")
    else:
        bandwidth = 1.0
    latency = 0.0 if args.latency is None else time_in(args.latency, units)
    return Platform.homogeneous(processors, bandwidth=bandwidth, latency=latency)


def _write(args: argparse.Namespace, made: Schedule) -> None:
    for path in args.trace:
        write_trace(path, made, args.trace_format)
    if args.sched_rec is not None:
        write_file(args.sched_rec, sched_rec(args.graph if _is_trace(args) else None, made))
    if args.gantt is not None:
        gantt(made, args.gantt, ports=args.ports)


def _is_trace(args: argparse.Namespace) -> bool:
    """Whether GRAPH is StarPU's tasks.rec."""
    if args.format is not None:
        return str(args.format).lower() in ("starpu", "rec", ".rec")
    return str(args.graph).lower().removesuffix(".gz").endswith(".rec")


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
            found.gap_words(),
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
