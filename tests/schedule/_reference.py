"""Schedules made in plain Python, one task after the other: input for everything that takes a schedule."""

from __future__ import annotations

import random

import numpy as np
from _plain import Plain, graphs
from hypothesis import strategies as st

from dagpart.schedule import Messages, Platform, Problem, Schedule

MODELS = ("none", "delay", "duplex", "bsp")
CHARGING = ("edge", "unique")


def planned(problem: Problem, processor: list[int], order: list[int]) -> Schedule:
    """The schedule of a plan: tasks are placed in this order, each as early as it can start."""
    plan = _Supersteps if problem.model == "bsp" else _Timed
    return plan(problem, processor).run(order)


def random_schedule(problem: Problem, seed: int) -> Schedule:
    """The schedule of a random plan."""
    rng = random.Random(seed)
    missing = np.diff(problem.graph.pred_indptr).tolist()
    ready = [v for v in range(problem.n) if not missing[v]]
    order = []
    while ready:
        v = ready.pop(rng.randrange(len(ready)))
        order.append(v)
        for w in successors(problem, v):
            missing[w] -= 1
            if not missing[w]:
                ready.append(w)
    return planned(problem, [rng.randrange(problem.p) for _ in range(problem.n)], order)


def successors(problem: Problem, v: int) -> list[int]:
    graph = problem.graph
    return graph.indices[graph.indptr[v] : graph.indptr[v + 1]].tolist()


def predecessors(problem: Problem, v: int) -> list[int]:
    graph = problem.graph
    return graph.pred_indices[graph.pred_indptr[v] : graph.pred_indptr[v + 1]].tolist()


class _Plan:
    def __init__(self, problem: Problem, processor: list[int]) -> None:
        self.problem = problem
        self.processor = processor
        self.start = [0.0] * problem.n
        self.finish = [0.0] * problem.n
        self.sent: dict[tuple[int, int], tuple[int, float, float]] = {}
        tails, heads = problem.graph.edge_sources().tolist(), problem.graph.indices.tolist()
        self.size = dict(zip(zip(tails, heads, strict=True), problem.message_sizes.tolist(), strict=True))
        durations = np.broadcast_to(problem.durations, (problem.n, problem.p))
        self.duration = [durations[v, q] for v, q in enumerate(processor)]

    def key(self, u: int, v: int) -> tuple[int, int]:
        """Edges with the same key share a message."""
        return (u, v) if self.problem.charging == "edge" else (u, self.processor[v])

    def cost(self, u: int, v: int) -> float:
        platform, q, r = self.problem.platform, self.processor[u], self.processor[v]
        return platform.latency[q, r] + self.size[u, v] * platform.gap[q, r]

    def result(self, superstep: list[int] | None = None) -> Schedule:
        rows = [
            (u, consumer, self.processor[u], self.processor[consumer], start, finish)
            for (u, _), (consumer, start, finish) in self.sent.items()
        ]
        columns = list(zip(*rows, strict=True)) if rows else [()] * 6
        messages = Messages(
            *(np.array(column, np.int32) for column in columns[:4]),
            *(np.array(column, np.float64) for column in columns[4:]),
        )
        return Schedule(
            self.problem,
            np.array(self.processor, np.int32),
            np.array(self.start, np.float64),
            np.array(self.finish, np.float64),
            messages,
            None if superstep is None else np.array(superstep, np.int32),
            algorithm="reference",
        )


class _Timed(_Plan):
    def run(self, order: list[int]) -> Schedule:
        p = self.problem.p
        free, send, receive = [0.0] * p, [0.0] * p, [0.0] * p
        for v in order:
            q = self.processor[v]
            ready = free[q]
            for u in sorted(predecessors(self.problem, v), key=lambda u: (self.finish[u], u)):
                r = self.processor[u]
                if r == q or self.problem.model == "none":
                    ready = max(ready, self.finish[u])
                    continue
                if self.key(u, v) not in self.sent:
                    start = self.finish[u]
                    if self.problem.model == "duplex":
                        start = max(start, send[r], receive[q])
                    finish = start + self.cost(u, v)
                    send[r] = receive[q] = finish
                    self.sent[self.key(u, v)] = v, start, finish
                ready = max(ready, self.sent[self.key(u, v)][2])
            self.start[v] = ready
            self.finish[v] = free[q] = ready + self.duration[v]
        return self.result()


class _Supersteps(_Plan):
    def run(self, order: list[int]) -> Schedule:
        problem, p = self.problem, self.problem.p
        step, last = [0] * problem.n, [0] * p
        for v in order:
            q = self.processor[v]
            here = [step[u] + (self.processor[u] != q) for u in predecessors(problem, v)]
            step[v] = last[q] = max([last[q], *here])
        begin = 0.0
        for s in range(max(step, default=-1) + 1):
            free = [begin] * p
            for v in order:
                if step[v] == s:
                    self.start[v] = free[self.processor[v]]
                    self.finish[v] = free[self.processor[v]] = self.start[v] + self.duration[v]
            sends, receives, phase = [0.0] * p, [0.0] * p, {}
            for v in order:
                for u in predecessors(problem, v):
                    q, r, key = self.processor[u], self.processor[v], self.key(u, v)
                    if step[u] == s and q != r and key not in phase:
                        phase[key] = v
                        sends[q] += self.cost(u, v)
                        receives[r] += self.cost(u, v)
            switch = max(free)
            end = switch + max(sends + receives)
            self.sent.update({key: (v, switch, end) for key, v in phase.items()})
            begin = end + problem.platform.synchronisation
        return self.result(step)


@st.composite
def problems(draw: st.DrawFn, max_n: int = 10, max_p: int = 4, models: tuple[str, ...] = MODELS) -> Problem:
    """A problem on a random platform, with zeros among all weights."""
    plain: Plain = draw(graphs(max_n=max_n))
    p = draw(st.integers(1, max_p))
    number = st.integers(0, 5)
    link = st.lists(st.lists(number, min_size=p, max_size=p), min_size=p, max_size=p)
    platform = Platform(
        np.array(draw(st.lists(st.integers(1, 3), min_size=p, max_size=p)), float),
        np.array(draw(link), float) if draw(st.booleans()) else np.ones((p, p)),
        np.array(draw(link), float) if draw(st.booleans()) else np.zeros((p, p)),
        draw(number),
    )
    return Problem.of(
        plain.dag(),
        platform,
        model=draw(st.sampled_from(models)),
        charging=draw(st.sampled_from(CHARGING)),
        task_overhead=draw(number),
    )


@st.composite
def schedules(draw: st.DrawFn, max_n: int = 10, max_p: int = 4, models: tuple[str, ...] = MODELS) -> Schedule:
    """A schedule of a random problem by a random plan."""
    return random_schedule(draw(problems(max_n, max_p, models)), draw(st.integers(0, 2**16)))
