"""Platforms in files: JSON, and the machine files of OneStopParallel.

A machine file (.arch) has comments that start with %, a line ``p g L``, and a line ``from to factor`` for
each pair of processors, 0 on the diagonal; all are whole numbers. Its first line may go on after L with
limits on memory, which nothing here uses. That is what OneStopParallel's own description of the format says
(data/machine_params of its repository).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured
from numpy.typing import NDArray

from dagpart._arguments import check_count, check_not_negative, check_size
from dagpart._files import read_source, write_file
from dagpart._json import parse_json
from dagpart._text import Text, data_lines, read_table, show, whole
from dagpart.errors import DagpartError, ParseError
from dagpart.io import starpu
from dagpart.schedule.platform import MOST_PROCESSORS, Barriers, Platform

__all__ = ["read_costs", "read_platform", "write_platform"]

_COMMENT = b"%"
_MEMBERS = ("p", "speeds", "bandwidth", "gap", "latency", "synchronisation", "barriers")


def read_platform(path: str | os.PathLike[str], *, barriers: Barriers | None = None) -> Platform:
    """Read a platform.

    A JSON file is an object with ``p`` or ``speeds``; ``bandwidth`` or its inverse ``gap``; ``latency``;
    ``synchronisation``; and ``barriers``, ``"all"`` or ``"sending"`` (see `Platform`). Bandwidth, gap and
    latency are a number for all links or a list of p rows. What is not there is 1, for latency and
    synchronisation 0.

    A machine file does not say which supersteps cost L. OneStopParallel charges it for those that send
    something: ``barriers="sending"``, or ``--barriers sending``, makes the costs those of that tool.

    Parameters
    ----------
    path : str or path-like
        The file, maybe gzip: ``.arch`` is a machine file of OneStopParallel, anything else JSON. ``"-"`` is
        standard input.
    barriers : {"all", "sending"}, optional
        In place of what the file says.

    Raises
    ------
    ParseError
        The file is not as said; names the line where there is one.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    ...     _ = file.write('{"speeds": [1, 2], "bandwidth": 4}')
    ...     file.flush()
    ...     read_platform(file.name).gap.tolist()
    [[0.0, 0.25], [0.25, 0.0]]
    """
    text = Text.of(read_source(path))
    try:
        found = _load_arch(text) if _is_arch(path) else _load_json(text)
    except ParseError:
        raise
    except DagpartError as error:
        # What is wrong with the numbers is wrong with the file.
        raise ParseError(text.name, None, str(error), "a platform") from None
    return found if barriers is None else replace(found, barriers=barriers)


def write_platform(path: str | os.PathLike[str], platform: Platform) -> None:
    """Write a platform, whole or not at all.

    Parameters
    ----------
    path : str or path-like
        Where to: ``.arch`` at the end makes a machine file of OneStopParallel, anything else JSON.
    platform : Platform

    Raises
    ------
    DagpartError
        A machine file has no place for speeds, latencies, or numbers that are not whole.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_platform(f"{folder}/two.arch", Platform.bsp(2, g=3, L=5))
    ...     print(Path(folder, "two.arch").read_text(), end="")
    % BSP parameters: processors, g, L
    2 3 5
    % factors on g: from, to, factor
    0 0 0
    0 1 1
    1 0 1
    1 1 0
    """
    dump: Callable[[Platform], str] = _dump_arch if _is_arch(path) else _dump_json
    write_file(path, dump(platform).encode("ascii"))


def read_costs(path: str | os.PathLike[str], n: int, p: int) -> NDArray[np.float64]:
    """Read the time of each task on each processor: a line a task, a number a processor.

    Parameters
    ----------
    path : str or path-like
        The file, maybe gzip; ``"-"`` is standard input. Comments start with %. A ``.rec`` is a tasks.rec of
        StarPU: the EstimatedTime of each task on each worker, in nanoseconds, as the weights of its graph.
    n, p : int
        Numbers of tasks and of processors.

    Returns
    -------
    float64[n, p]

    Raises
    ------
    ParseError
        At the first line that is not so many numbers, or at the end where there are not `n` lines; or the
        tasks.rec does not tell the times of `n` tasks on `p` workers.
    OSError
        The file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w") as file:
    ...     _ = file.write("1 2.5\\n4 3\\n")
    ...     file.flush()
    ...     read_costs(file.name, 2, 2).tolist()
    [[1.0, 2.5], [4.0, 3.0]]
    """
    if os.fspath(path).lower().removesuffix(".gz").endswith(starpu.FORMAT.suffixes):
        return _estimates(path, n, p)
    n, p = check_count(n, "n"), check_size(p, "p", 1, MOST_PROCESSORS)
    text = Text.of(read_source(path))
    columns = [(f"processor {q}", "f8") for q in range(p)]
    table = read_table(text, columns, _COMMENT, f"the time of a task on each of {p} processors")
    if len(table) != n:
        raise text.error(text.last_line, f"{len(table)} lines", f"{n}, one for each task")
    return structured_to_unstructured(table) if n else np.zeros((0, p))


def _estimates(path: str | os.PathLike[str], n: int, p: int) -> NDArray[np.float64]:
    source = read_source(path)
    loaded = starpu.load(source, work="unit")
    if loaded.costs is None:
        why = next((note for note in loaded.notes if "EstimatedTime" in note), "no EstimatedTime")
        raise ParseError(source.name, None, why, "an EstimatedTime of each task on each worker")
    if loaded.costs.shape != (n, p):
        found = "times of {} tasks on {} workers".format(*loaded.costs.shape)
        raise ParseError(source.name, None, found, f"those of {n} tasks on {p} processors")
    return loaded.costs


def _is_arch(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path).lower().removesuffix(".gz").endswith(".arch")


# ---------------------------------------------------------------------- JSON


def _load_json(text: Text) -> Platform:
    document = parse_json(text)
    for name in document:
        if name not in _MEMBERS:
            raise text.error(text.line_of(f'"{name}"'), f"a member {name!r}", f"one of {', '.join(_MEMBERS)}")
    if "gap" in document and "bandwidth" in document:
        raise text.error(text.line_of('"gap"'), "both gap and bandwidth", "one of them")
    count: Any = document.get("p")
    if count is None and "speeds" not in document:
        raise text.error(1, "neither p nor speeds", "how many processors there are")
    speeds: Any = document["speeds"] if "speeds" in document else Platform.homogeneous(count).speeds
    link = {"bandwidth": document.get("bandwidth", 1.0), "latency": document.get("latency", 0.0)}
    platform = Platform.heterogeneous(speeds, **link)
    if count is not None and count != platform.p:
        raise text.error(text.line_of('"p"'), f"p: {count} and {platform.p} speeds", "as many")
    gap = platform.gap
    if "gap" in document:
        gap = document["gap"]
        if isinstance(gap, int | float):
            gap = np.full((platform.p, platform.p), check_not_negative(gap, "gap"))
    wait, barriers = document.get("synchronisation", 0.0), document.get("barriers", "all")
    return Platform(platform.speeds, gap, platform.latency, wait, barriers)


def _dump_json(platform: Platform) -> str:
    document: dict[str, Any] = {"p": platform.p}
    if (platform.speeds != 1).any():
        document["speeds"] = platform.speeds.tolist()
    document["gap"] = _brief(platform.gap)
    document["latency"] = _brief(platform.latency)
    document["synchronisation"] = platform.synchronisation
    if platform.barriers != "all":
        document["barriers"] = platform.barriers
    return json.dumps(document) + "\n"


def _brief(matrix: NDArray[np.float64]) -> float | list[list[float]]:
    """One number where all links are alike."""
    links = matrix[~np.eye(len(matrix), dtype=bool)]
    if not links.size:
        return 0.0
    return float(links[0]) if (links == links[0]).all() else matrix.tolist()


# ---------------------------------------------------------------------- machine files


def _load_arch(text: Text) -> Platform:
    lines = data_lines(text, _COMMENT)
    line, _, fields = next(lines, (1, 0, []))
    if not 3 <= len(fields) <= 6:
        raise text.error(line, f"{len(fields)} fields", "processors, g and L, maybe limits on memory")
    p, g, wait = (_whole(text, line, field) for field in fields[:3])
    pairs: dict[tuple[int, int], int] = {}
    for line, _, fields in lines:
        if len(fields) != 3:
            raise text.error(line, f"{len(fields)} fields", "from, to and factor of a pair of processors")
        source, target, factor = (_whole(text, line, field) for field in fields)
        if max(source, target) >= p:
            raise text.error(line, f"processor {max(source, target)}", f"a processor from 0 to {p - 1}")
        if source == target and factor != 0:
            raise text.error(line, f"the factor {factor} from a processor to itself", "0")
        if (source, target) in pairs:
            raise text.error(line, f"the pair {source} {target} for the second time", "each pair once")
        pairs[source, target] = factor
    if len(pairs) != p * p:
        found = f"{len(pairs)} pairs of processors"
        raise text.error(text.last_line, found, f"{p * p}, all pairs of {p} processors")
    factors = np.zeros((p, p))
    for pair, factor in pairs.items():
        factors[pair] = factor
    return Platform.bsp(p, g=g, L=wait, numa=factors)


def _whole(text: Text, line: int, field: bytes) -> int:
    number = whole(field)
    if number is None or number < 0:
        raise text.error(line, show(field), "a whole number, not negative")
    return number


def _dump_arch(platform: Platform) -> str:
    if (platform.speeds != 1).any():
        raise DagpartError("a machine file has no place for speeds other than 1: write JSON")
    if platform.latency.any():
        raise DagpartError("a machine file has no place for latencies: write JSON")
    links = platform.gap[~np.eye(platform.p, dtype=bool)]
    some = links[links > 0]
    g = float(some.min()) if some.size else 0.0
    factors = platform.gap / g if g else np.ones_like(platform.gap)
    if (factors != np.floor(factors)).any():
        g, factors = 1.0, platform.gap
    wait = platform.synchronisation
    if not (g.is_integer() and wait.is_integer() and (factors == np.floor(factors)).all()):
        raise DagpartError("a machine file holds whole numbers only, for g, L and the factors: write JSON")
    rows = [
        f"{q} {r} {0 if q == r else int(factors[q, r])}\n"
        for q in range(platform.p)
        for r in range(platform.p)
    ]
    head = f"% BSP parameters: processors, g, L\n{platform.p} {int(g)} {int(wait)}\n"
    return head + "% factors on g: from, to, factor\n" + "".join(rows)
