"""The simulator against SimGrid, where the system's Python has it."""

from __future__ import annotations

import functools
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from dagpart import Dag
from dagpart.schedule import LISTS, Platform, Problem, Schedule, list_schedule, replay
from dagpart.schedule.problem import CHARGING

SCRIPT = Path(__file__).with_name("simgrid_duplex.py")
# Debian's package is for Debian's interpreter.
PYTHON = "/usr/bin/python3"
# SimGrid adds up remaining work in steps; the ends of 2,000 tasks agree to this.
PRECISION = 1e-9


@functools.cache
def has_simgrid() -> bool:
    if not Path(PYTHON).exists():
        return False
    return subprocess.run([PYTHON, "-c", "import simgrid"], capture_output=True).returncode == 0


def plan_of(schedule: Schedule) -> dict:
    """What the script reads: orders of tasks and messages by their starts."""
    problem, messages = schedule.problem, schedule.messages
    n, p, count = problem.n, problem.p, len(messages)
    unique = problem.charging == "unique"
    needs: list[list[int]] = [[] for _ in range(n)]
    index = {
        (int(u), int(messages.destination[i]) if unique else int(messages.consumer[i])): i
        for i, u in enumerate(messages.producer)
    }
    sizes = [0] * count
    for u, v, e in zip(
        problem.graph.edge_sources(), problem.graph.indices, range(problem.graph.m), strict=True
    ):
        q = int(schedule.processor[v])
        if schedule.processor[u] != q:
            message = index[int(u), q if unique else int(v)]
            needs[v].append(message)
            sizes[message] = int(problem.message_sizes[e])
    by_start = np.argsort(messages.start, kind="stable").tolist()
    order = schedule.order.tolist()
    return {
        "durations": (schedule.finish - schedule.start).tolist(),
        "tasks": [[v for v in order if schedule.processor[v] == q] for q in range(p)],
        "sends": [[i for i in by_start if messages.source[i] == q] for q in range(p)],
        "receives": [[i for i in by_start if messages.destination[i] == q] for q in range(p)],
        "messages": [[int(u), size] for u, size in zip(messages.producer, sizes, strict=True)],
        "needs": needs,
        "sent": np.bincount(messages.producer, minlength=n).tolist(),
        "gap": problem.platform.gap.tolist(),
        "latency": problem.platform.latency.tolist(),
    }


@pytest.mark.parametrize("case", range(20))
def test_simgrid_ends_tasks_when_we_do(case):
    if not has_simgrid():
        pytest.skip(f"{PYTHON} has no simgrid (Debian: python3-simgrid)")
    rng = np.random.default_rng(case)
    n, p = int(rng.integers(2, 2001)), int(rng.integers(2, 17))
    heads = rng.integers(1, n, 3 * n)
    edges = np.stack([(heads * rng.random(heads.size)).astype(np.int64), heads], axis=1)
    graph = Dag.from_edges(edges, n=n, edge_weights=rng.integers(1, 100, heads.size))
    platform = Platform.heterogeneous(
        rng.uniform(0.5, 2, p), bandwidth=rng.uniform(1, 50, (p, p)), latency=rng.uniform(0, 2, (p, p))
    )
    problem = Problem.of(graph, platform, charging=CHARGING[case % 2], costs=rng.uniform(1, 9, (n, p)))
    schedule = list_schedule(problem, sorted(LISTS)[case % len(LISTS)])
    done = subprocess.run(
        [PYTHON, SCRIPT], input=json.dumps(plan_of(schedule)), capture_output=True, text=True, check=True
    )
    theirs = json.loads(done.stdout)
    assert schedule.finish == pytest.approx(np.array(theirs["finish"]), rel=PRECISION)
    assert schedule.messages.finish == pytest.approx(np.array(theirs["received"]), rel=PRECISION)
    again = replay(schedule)
    assert again.finish == pytest.approx(schedule.finish, rel=1e-12)
