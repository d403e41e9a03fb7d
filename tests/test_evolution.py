"""Partitions improved until a time limit: what holds however fast the machine is."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from multiprocessing import get_context

import numpy as np
import pytest

import dagpart
from dagpart import generate
from dagpart.errors import DagpartError
from dagpart.options import PRESETS

SLACK = 30.0
"""Seconds that a busy machine may take on top of a time limit."""


def assert_legal(result, k, imbalance=0.03):
    report = dagpart.check(result.graph, result.labels, k, imbalance=imbalance)
    assert report.acyclic
    assert report.balanced
    assert not report.empty_parts
    assert report.edge_cut == result.edge_cut


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("threads", [1, 2])
def test_never_worse_than_its_start(preset, threads):
    grid = generate.grid2d(20, 20)
    began = time.monotonic()
    start = dagpart.partition(grid, 4, preset=preset, seed=3)
    enough = 20 * (time.monotonic() - began) + 0.5
    result = dagpart.partition(grid, 4, preset=preset, seed=3, time_limit=enough, threads=threads)
    assert_legal(result, 4)
    assert result.edge_cut <= start.edge_cut


def test_layered_graph():
    graph = generate.layered(30, 12, seed=1)
    assert_legal(dagpart.partition(graph, 5, preset="fast", time_limit=0.5), 5)


@pytest.mark.parametrize("limit", [0.001, 1.0])
@pytest.mark.parametrize("threads", [1, 2])
def test_limit_is_kept(limit, threads):
    grid = generate.grid2d(320, 320)
    began = time.monotonic()
    result = dagpart.partition(grid, 8, time_limit=limit, threads=threads)
    assert time.monotonic() - began < limit * 1.1 + 0.5 + SLACK
    assert_legal(result, 8)


def test_limit_is_used():
    began = time.monotonic()
    dagpart.partition(generate.grid2d(20, 20), 4, time_limit=0.3)
    assert time.monotonic() - began >= 0.3


@pytest.mark.parametrize(
    ("n", "k"),
    [
        (0, 1),
        (1, 1),
        (1, 3),
        (5, 1),
        (5, 2),
        (5, 5),
        (5, 8),
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_tiny_graphs(n, k, threads):
    edges = [(v, v + 1) for v in range(n - 1)]
    graph = dagpart.Dag.from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), n=n)
    result = dagpart.partition(graph, k, time_limit=0.05, threads=threads, allow_empty=True)
    report = dagpart.check(graph, result.labels, k)
    assert report.acyclic
    assert report.edge_cut == result.edge_cut


def test_fixed_parts_are_honoured():
    grid = generate.grid2d(12, 12)
    for limit in (0.001, 0.5):
        for threads in (1, 2):
            fixed = {0: 2, grid.n - 1: 0, 11: 1}
            result = dagpart.partition(
                grid, 4, imbalance=0.1, fixed=fixed, preset="fast", time_limit=limit, threads=threads
            )
            assert {v: int(result.labels[v]) for v in fixed} == fixed
            assert_legal(result, 4, 0.1)


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_falls_to_the_cut(threads):
    graph = generate.layered(40, 20, seed=2)
    told = []
    result = dagpart.partition(
        graph, 6, time_limit=1.0, threads=threads, progress=lambda seconds, cut: told.append((seconds, cut))
    )
    seconds, cuts = zip(*told, strict=True)
    assert seconds[0] >= 0
    assert sorted(seconds) == list(seconds)
    # In balance from the first partition on: then the best has an ever smaller cut.
    assert all(cut >= smaller for cut, smaller in pairwise(cuts))
    # Islands tell only what they have after an exchange.
    assert cuts[0] > cuts[-1] or threads > 1
    assert cuts[-1] == result.edge_cut


@pytest.mark.parametrize("threads", [1, 2])
def test_what_progress_raises_ends_the_run(threads):
    class TiredError(Exception):
        pass

    def tire(seconds, cut):
        raise TiredError

    with pytest.raises(TiredError):
        dagpart.partition(generate.grid2d(20, 20), 4, time_limit=1, threads=threads, progress=tire)


def test_threads_of_the_caller():
    grid = generate.grid2d(20, 20)
    with ThreadPoolExecutor(2) as pool:
        for islands in (1, 2):
            result = dagpart.partition(grid, 4, time_limit=0.4, threads=islands, executor=pool)
            assert_legal(result, 4)
        # The pool is the caller's to close.
        assert pool.submit(int).result() == 0


def test_processes_of_the_caller():
    grid = generate.grid2d(20, 20)
    start = dagpart.partition(grid, 4, preset="fast")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(abs, [-1, 1])) == [1, 1]
        result = dagpart.partition(grid, 4, preset="fast", time_limit=2, threads=2, executor=pool)
    assert_legal(result, 4)
    assert result.edge_cut <= start.edge_cut


@pytest.mark.parametrize("limit", [0, -1, -0.5, math.nan, math.inf, 1e300, "x", "", [], {}, 1j])
def test_limits_that_are_none(limit):
    with pytest.raises(DagpartError, match="time_limit must be a positive number of seconds"):
        dagpart.partition([(0, 1)], 2, time_limit=limit)


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt(threads):
    script = f"""
import dagpart, signal
from dagpart import generate

signal.signal(signal.SIGINT, signal.default_int_handler)
graph = generate.grid2d(200, 200)
try:
    print("ready", flush=True)
    dagpart.partition(graph, 8, time_limit=3600, threads={threads})
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    command = [sys.executable, "-P", "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(1.0)
            os.kill(process.pid, signal.SIGINT)
            out, _ = process.communicate(timeout=SLACK + 30)
        finally:
            process.kill()
    assert out == "interrupted\n"
    assert process.returncode == 0
