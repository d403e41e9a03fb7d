"""CPU time from start to end of an interpreter that imports dagpart or shows its help, against NumPy's.

Each line is the median of seven runs of a command over the median of its yardstick, runs of both taking
turns; the time is that of the process in user mode. Run it on an idle machine: python -P bench/startup.py
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys

NUMPY = ("-c", "import numpy")
SPARSE = ("-c", "import numpy, scipy.sparse")
COMMANDS = (
    ("import dagpart", ("-c", "import dagpart"), SPARSE, 1.15),
    ("import dagpart; dagpart.Dag", ("-c", "import dagpart; dagpart.Dag"), SPARSE, None),
    ("import dagpart; dagpart.partition", ("-c", "import dagpart; dagpart.partition"), SPARSE, None),
    ("dagpart --version", ("-m", "dagpart", "--version"), NUMPY, 1.5),
    ("dagpart --help", ("-m", "dagpart", "--help"), NUMPY, 1.5),
    ("dagpart partition --help", ("-m", "dagpart", "partition", "--help"), NUMPY, 1.5),
)


def user_seconds(arguments: tuple[str, ...]) -> float:
    """User CPU time of a Python process, with all that it waits for."""
    command = [sys.executable, "-P", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with code {process.returncode}")
    return usage.ru_utime


def main() -> int:
    """Print the ratios; 1 where one is above its limit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=7, help="of each command (default 7)")
    runs = parser.parse_args().runs
    missed = False
    for title, arguments, yardstick, limit in COMMANDS:
        # The first run of each warms the cache of files.
        user_seconds(arguments), user_seconds(yardstick)
        pairs = [(user_seconds(arguments), user_seconds(yardstick)) for _ in range(runs)]
        ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = ours / theirs
        missed |= limit is not None and ratio > limit
        goal = "" if limit is None else f" (at most {limit})"
        print(f"{title:34} {ours:.3f} s, {ratio:5.2f} times {yardstick[-1]!r} {theirs:.3f} s{goal}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
