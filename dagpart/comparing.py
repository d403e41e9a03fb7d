"""Several partitioners on one graph, side by side."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from dagpart import metrics
from dagpart._arguments import check_parts, check_seed, check_time_limit
from dagpart._child import run_in_child
from dagpart.baselines import BASELINES, repair
from dagpart.dag import Dag
from dagpart.errors import BalanceWarning, DagpartError, ToolError
from dagpart.options import PRESETS
from dagpart.partitioning import partition

__all__ = ["METHODS", "OURS", "Method", "Record", "compare"]

Method = Callable[..., Any]
"""From a graph, a number of parts, and the keywords imbalance and seed, to labels."""

OURS = "dagpart"


@dataclass(frozen=True)
class Record:
    """One run of one method.

    Attributes
    ----------
    method : str
    seed : int
    edge_cut, comm_volume : int or float or None
        Of the labels as they came, in the unit of the weights as they were given. None, as all that follows,
        where the method failed.
    critical_path : int or float or None
        At latency 1; None also where it passes ``2**63 - 1``.
    imbalance : float or None
        Weight of the heaviest part over the mean, less 1.
    acyclic : bool or None
        Whether the parts, as they came, are free of cycles.
    repaired_cut : int or float or None
        Edge cut once the parts are acyclic and balanced: that of `dagpart.baselines.repair`, or `edge_cut`
        where nothing is to be repaired.
    seconds : float or None
        Wall time of the method alone.
    megabytes : float or None
        Most memory that the method's process has held: interpreter, graph and repair included.
    error : str or None
        What went wrong.
    best : bool
        Whether no other method has a lower `repaired_cut`.
    """

    method: str
    seed: int
    edge_cut: int | float | None = None
    comm_volume: int | float | None = None
    critical_path: int | float | None = None
    imbalance: float | None = None
    acyclic: bool | None = None
    repaired_cut: int | float | None = None
    seconds: float | None = None
    megabytes: float | None = None
    error: str | None = None
    best: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The attributes by name, as JSON, csv.DictWriter and pandas.DataFrame take them.

        Examples
        --------
        >>> Record("metis", 0, edge_cut=5).to_dict()["edge_cut"]
        5
        """
        return asdict(self)


def compare(
    graph: Any,
    k: int,
    methods: Iterable[str] = ("metis", "scotch", "kahip"),
    *,
    imbalance: float = 0.03,
    seeds: Iterable[int] = (0,),
    time_limit: float | None = None,
    extra: Mapping[str, Method] | None = None,
    progress: Callable[[Record], None] | None = None,
) -> list[Record]:
    """Run dagpart and other partitioners on a graph, each in a process of its own.

    Parameters
    ----------
    graph : Dag or anything `dagpart.partition` takes
    k : int
        Number of parts.
    methods : iterable of str
        Names out of `METHODS`, as in ``"metis"``, ``"kahip:strong"`` or ``"dagpart:fast"``, and of `extra`.
        dagpart with its defaults comes first in any case.
    imbalance : float, default 0.03
    seeds : iterable of int, default (0,)
        Every method runs once with each.
    time_limit : float, optional
        Seconds for one run, with the start of its process and the repair; one that takes longer is killed.
    extra : mapping of str to callable, optional
        More methods by name, such as a `dagpart.baselines.ExternalTool`. They are pickled.
    progress : callable, optional
        Called with each record as it comes; which ones are best is only known in the end.

    Returns
    -------
    list of Record
        One for each method and seed, in the order of the methods. A method that fails, crashes or takes too
        long has one that says so.

    Raises
    ------
    NotADagError
        If the graph has a cycle.
    DagpartError
        If there is no such method, or an argument is not what it should be.

    Examples
    --------
    >>> from dagpart import generate
    >>> ours, theirs = compare(generate.grid2d(8), 2, ["dagpart:fast"])
    >>> ours.method, ours.edge_cut, ours.acyclic, theirs.best
    ('dagpart', 8, True, True)
    """
    dag = graph if isinstance(graph, Dag) else Dag.from_any(graph)
    k, limit = check_parts(dag.n, k), check_time_limit(time_limit)
    metrics.max_part_weight(dag.total_weight, k, imbalance)
    known = {**METHODS, **(extra or {})}
    names = list(dict.fromkeys((OURS, *methods)))
    for name in names:
        if name not in known:
            raise DagpartError(f"there is no method {name!r}; choose from {', '.join(known)}")
    records = []
    numbers = [check_seed(seed) for seed in seeds]
    for name in names:
        for seed in numbers:
            outcome = run_in_child(name, _run, known[name], dag, k, imbalance, seed, time_limit=limit)
            record = Record(name, seed, seconds=outcome.seconds, megabytes=outcome.megabytes)
            if isinstance(outcome.error, ToolError) and outcome.error.tool == name:
                record = replace(record, error=outcome.error.reason)
            elif outcome.error is not None:
                record = replace(record, error=str(outcome.error))
            else:
                record = replace(record, **outcome.value)
            records.append(record)
            if progress is not None:
                progress(record)
    cuts = [record.repaired_cut for record in records if record.repaired_cut is not None]
    return [
        replace(record, best=record.repaired_cut is not None and record.repaired_cut == min(cuts))
        for record in records
    ]


def _run(method: Method, dag: Dag, k: int, imbalance: float, seed: int) -> dict[str, Any]:
    """What a method finds, and what that is worth: fields of a `Record`."""
    started = time.perf_counter()
    labels = method(dag, k, imbalance=imbalance, seed=seed)
    seconds = time.perf_counter() - started
    report = metrics.check(dag, labels, k, imbalance)
    found = {
        "edge_cut": report.edge_cut,
        "comm_volume": report.comm_volume,
        "critical_path": report.critical_path,
        "imbalance": report.imbalance,
        "acyclic": report.acyclic,
        "seconds": seconds,
    }
    if report.valid:
        return {**found, "repaired_cut": report.edge_cut}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", BalanceWarning)
            return {**found, "repaired_cut": repair(dag, labels, imbalance, k=k).cut_after}
    except (DagpartError, BalanceWarning) as error:
        return {**found, "error": f"repair: {error}"}


def _partition(preset: str, dag: Dag, k: int, *, imbalance: float, seed: int) -> Any:
    """Our own labels."""
    with warnings.catch_warnings():
        # The record tells of the balance.
        warnings.simplefilter("ignore", BalanceWarning)
        return partition(dag, k, imbalance=imbalance, preset=preset, seed=seed).labels  # type: ignore[arg-type]


def _methods() -> dict[str, Method]:
    out: dict[str, Method] = {OURS: partial(_partition, "default")}
    out |= {f"{OURS}:{preset}": partial(_partition, preset) for preset in PRESETS}
    for name, baseline in BASELINES.items():
        out[name] = baseline
        out |= {f"{name}:{variant}": partial(baseline, variant=variant) for variant in baseline.variants}
    return out


METHODS: Mapping[str, Method] = _methods()
"""Every method by name: NAME, or NAME:VARIANT."""
