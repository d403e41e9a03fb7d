"""Random problems of scheduling, and plain Python for what schedulers and the simulator have to do."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
from _plain import graphs
from hypothesis import strategies as st

from dagpart.schedule import Platform, Problem, Schedule
from dagpart.schedule.problem import CHARGING, MODELS


@st.composite
def problems(
    draw: st.DrawFn, max_n: int = 12, models=MODELS, processors=(1, 2, 7), heterogeneous: bool = True
) -> Problem:
    """Times are small whole numbers or halves: sums of them are exact."""
    plain = draw(graphs(max_n))
    p = draw(st.sampled_from(processors))
    whole = st.integers(0, 4)

    def matrix(elements: st.SearchStrategy):
        return [[draw(elements) for _ in range(p)] for _ in range(p)]

    kind = draw(st.sampled_from(("alike", "links", "speeds") if heterogeneous else ("alike",)))
    sync = draw(whole)
    if kind == "alike":
        platform = Platform(
            np.ones(p), np.full((p, p), draw(whole)), np.full((p, p), draw(whole)), synchronisation=sync
        )
    else:
        speeds = [draw(st.sampled_from([0.5, 1.0, 2.0])) for _ in range(p)] if kind == "speeds" else [1.0] * p
        platform = Platform(speeds, matrix(whole), matrix(whole), synchronisation=sync)
    costs = None
    if heterogeneous and draw(st.booleans()) and draw(st.booleans()):
        costs = [[draw(whole) for _ in range(p)] for _ in range(plain.n)]
    return Problem.of(
        plain.dag(index_dtype=draw(st.sampled_from([np.int32, np.int64]))),
        platform,
        model=draw(st.sampled_from(models)),
        charging=draw(st.sampled_from(CHARGING)),
        task_overhead=draw(st.sampled_from([0.0, 0.5])),
        costs=costs,
    )


@dataclass
class Plain:
    """The machine in plain Python: tasks are placed, and get the times that the model gives them."""

    problem: Problem
    processor: dict[int, int] = field(default_factory=dict)
    start: dict[int, float] = field(default_factory=dict)
    finish: dict[int, float] = field(default_factory=dict)
    free: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    send: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    receive: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    messages: list[tuple[int, int, float, float, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        graph = self.problem.graph
        self.sizes = {}
        for v in range(graph.n):
            out = range(graph.indptr[v], graph.indptr[v + 1])
            heaviest = max((float(self.problem.sizes[e]) for e in out), default=0.0)
            for e in out:
                size = heaviest if self.problem.charging == "unique" else float(self.problem.sizes[e])
                self.sizes[v, int(graph.indices[e])] = size

    def preds(self, v: int) -> list[int]:
        return [u for u, w in self.sizes if w == v]

    def succs(self, v: int) -> list[int]:
        return [w for u, w in self.sizes if u == v]

    def duration(self, v: int, q: int) -> float:
        problem = self.problem
        own = (
            problem.costs[v, q] if problem.costs is not None else problem.work[v] / problem.platform.speeds[q]
        )
        return float(own) + problem.overhead

    def cost(self, u: int, v: int, source: int, q: int) -> float:
        platform = self.problem.platform
        cost = float(platform.latency[source, q]) + self.sizes[u, v] * float(platform.gap[source, q])
        return cost + platform.synchronisation if self.problem.model == "bsp" else cost

    def data(self, tasks: list[int], q: int, *, send: bool) -> float:
        """When what the tasks need from elsewhere is on q; the messages are sent, or only thought of."""
        sending, receiving = self.send.copy(), self.receive.copy()
        messages = list(self.messages)
        needs = [
            (self.finish[u], u, i, v) for i, v in enumerate(tasks) for u in self.preds(v) if u not in tasks
        ]
        ready = 0.0
        for ended, u, _, v in sorted(needs):
            source = self.processor[u]
            arrived = ended
            if source != q and self.problem.model != "none":
                known = [m for m in messages if m[0] == u and m[4] == q]
                if self.problem.charging == "unique" and known:
                    arrived = known[0][3]
                else:
                    begun = ended
                    if self.problem.model == "duplex":
                        begun = max(ended, sending[source], receiving[q])
                    arrived = begun + self.cost(u, v, source, q)
                    sending[source] = receiving[q] = arrived
                    messages.append((u, v, begun, arrived, q))
            ready = max(ready, arrived)
        if send:
            self.send, self.receive, self.messages = sending, receiving, messages
        return ready

    def length(self, tasks: list[int], q: int) -> float:
        return sum(self.duration(v, q) for v in tasks)

    def gap(self, q: int, ready: float, length: float) -> float:
        """Start in the first gap of positive length that is long enough, or behind all tasks of q."""
        runs = sorted((self.start[v], self.finish[v]) for v in self.processor if self.processor[v] == q)
        at = 0.0
        for begun, ended in runs:
            start = max(at, ready)
            if begun > at and start < begun and start + length <= begun:
                return start
            at = max(at, ended)
        return max(at, ready)

    def earliest(self, tasks: list[int], q: int, *, insertion: bool = False) -> float:
        ready = self.data(tasks, q, send=False)
        return self.gap(q, ready, self.length(tasks, q)) if insertion else max(ready, self.free[q])

    def place(self, tasks: list[int], q: int, *, insertion: bool = False) -> None:
        now = self.earliest(tasks, q, insertion=insertion)
        self.data(tasks, q, send=True)
        for v in tasks:
            self.processor[v], self.start[v] = q, now
            now += self.duration(v, q)
            self.finish[v] = now
        self.free[q] = max(self.free[q], now)

    def in_supersteps(self, processor: list[int], order: list[int]) -> tuple[list[int], float]:
        """Supersteps of a topological order; the answer holds the time at which the last one ends."""
        step: dict[int, int] = {}
        newest = defaultdict(int)
        for v in order:
            waits = [step[u] + (processor[u] != processor[v]) for u in self.preds(v)]
            step[v] = newest[processor[v]] = max([newest[processor[v]], *waits])
        now = 0.0
        sync = self.problem.platform.synchronisation
        for s in range(max(step.values(), default=-1) + 1):
            clock = defaultdict(lambda now=now: now)
            for v in [v for v in order if step[v] == s]:
                q = processor[v]
                self.processor[v], self.start[v] = q, clock[q]
                clock[q] += self.duration(v, q)
                self.finish[v] = clock[q]
            computed = max(clock.values(), default=now)
            sends, receives = defaultdict(float), defaultdict(float)
            sent = set()
            for u, v in sorted(self.sizes):
                source, q = processor[u], processor[v]
                if step[u] != s or source == q:
                    continue
                if self.problem.charging == "unique" and (u, q) in sent:
                    continue
                sent.add((u, q))
                cost = self.cost(u, v, source, q) - sync
                sends[source] += cost
                receives[q] += cost
            now = computed + max([0.0, *sends.values(), *receives.values()]) + sync
        return [step[v] for v in range(self.problem.n)], now


def in_port_order(
    problem: Problem,
    processor: list[int],
    order: list[int],
    pairs: list[tuple[int, int]],
    durations: list[float] | None = None,
) -> tuple[list[float], list[tuple[float, float]]] | None:
    """Ends of tasks, starts and ends of messages, each after all that it waits for; None for a deadlock."""
    plain = Plain(problem)
    n, count = problem.n, len(pairs)
    took = durations or [plain.duration(v, processor[v]) for v in range(n)]
    cost = [plain.cost(u, v, processor[u], processor[v]) for u, v in pairs]
    before: list[set[int]] = [set() for _ in range(n + count)]
    for v, w in itertools.combinations(order, 2):
        if processor[v] == processor[w]:
            before[w].add(v)
    unique = problem.charging == "unique"
    for i, (u, v) in enumerate(pairs):
        before[n + i].add(u)
        served = [w for w in plain.succs(u) if processor[w] == processor[v]] if unique else [v]
        for w in served:
            before[w].add(n + i)
        for j in range(i):
            x, y = pairs[j]
            if processor[x] == processor[u] or processor[y] == processor[v]:
                before[n + i].add(n + j)
    for u, v in plain.sizes:
        if processor[u] == processor[v]:
            before[v].add(u)
    length = took + cost
    end: dict[int, float] = {}
    begun: dict[int, float] = {}
    while len(end) < n + count:
        ready = [x for x in range(n + count) if x not in end and before[x] <= end.keys()]
        if not ready:
            return None
        for x in ready:
            begun[x] = max((end[y] for y in before[x]), default=0.0)
            end[x] = begun[x] + length[x]
    return [end[v] for v in range(n)], [(begun[n + i], end[n + i]) for i in range(count)]


def assert_valid(schedule: Schedule, *, durations=None) -> None:
    """All that makes a schedule one, from its definition."""
    problem = schedule.problem
    plain = Plain(problem)
    processor = schedule.processor.tolist()
    start, finish = schedule.start.tolist(), schedule.finish.tolist()
    assert len(processor) == len(start) == len(finish) == problem.n
    assert all(0 <= q < problem.p for q in processor)
    for v in range(problem.n):
        assert start[v] >= 0
        took = plain.duration(v, processor[v]) if durations is None else durations[v]
        assert abs(finish[v] - start[v] - took) <= 1e-9 * max(1.0, finish[v])
    for q in range(problem.p):
        _assert_apart([(start[v], finish[v]) for v in range(problem.n) if processor[v] == q])
    m = schedule.messages
    rows = list(
        zip(
            *(a.tolist() for a in (m.producer, m.consumer, m.source, m.destination, m.start, m.finish)),
            strict=True,
        )
    )
    for u, v, a, q, sent, received in rows:
        assert (u, v) in plain.sizes
        assert processor[u] == a != q == processor[v]
        assert sent >= finish[u]
        if problem.model != "bsp":
            assert abs(received - sent - plain.cost(u, v, a, q)) <= 1e-9 * max(1.0, received)
    crossing = {(u, v) for u, v in plain.sizes if processor[u] != processor[v]}
    if problem.model == "none":
        assert not rows
    elif problem.charging == "edge":
        assert sorted((u, v) for u, v, *_ in rows) == sorted(crossing)
    else:
        assert sorted((u, q) for u, _, _, q, *_ in rows) == sorted({(u, processor[v]) for u, v in crossing})
        for u, v, _, q, *_ in rows:
            assert start[v] == min(start[w] for w in plain.succs(u) if processor[w] == q)
    arrival = {(u, q): received for u, _, _, q, _, received in rows}
    if problem.charging == "edge":
        arrival = {(u, v): received for u, v, *_, received in rows}
    for u, v in plain.sizes:
        assert start[v] >= finish[u]
        if (u, v) in crossing and problem.model != "none":
            assert start[v] >= arrival[u, v if problem.charging == "edge" else processor[v]]
    if problem.model == "duplex":
        for q in range(problem.p):
            _assert_apart([(row[4], row[5]) for row in rows if row[2] == q])
            _assert_apart([(row[4], row[5]) for row in rows if row[3] == q])
    assert (schedule.superstep is not None) == (problem.model == "bsp")


def _assert_apart(spans: list[tuple[float, float]]) -> None:
    for (_, ended), (begun, _) in itertools.pairwise(sorted(spans)):
        assert begun >= ended
