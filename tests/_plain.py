"""Graphs in plain Python, and what is true of them: the oracle for everything that dagpart computes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from dagpart import Dag, Digraph


@dataclass(frozen=True)
class Plain:
    """A directed graph as lists: edges are triples (tail, head, weight)."""

    n: int
    edges: list[tuple[int, int, int]]
    vertex_weights: list[int]

    def arguments(self):
        table = np.array(self.edges, dtype=np.int64).reshape(-1, 3)
        return {
            "edges": table[:, :2],
            "n": self.n,
            "edge_weights": table[:, 2],
            "vertex_weights": self.vertex_weights,
        }

    def dag(self, **options) -> Dag:
        return Dag.from_edges(**self.arguments(), **options)

    def digraph(self) -> Digraph:
        return Digraph.from_edges(**self.arguments())

    @cached_property
    def networkx(self) -> nx.DiGraph:
        graph = nx.DiGraph()
        graph.add_nodes_from(range(self.n))
        graph.add_weighted_edges_from(self.edges)
        return graph

    @property
    def total(self) -> int:
        return sum(self.vertex_weights)

    def loads(self, labels: Sequence[int], k: int) -> list[int]:
        out = [0] * k
        for part, weight in zip(labels, self.vertex_weights, strict=True):
            out[part] += weight
        return out

    def cut(self, labels: Sequence[int]) -> int:
        return sum(w for u, v, w in self.edges if labels[u] != labels[v])

    def quotient(self, labels: Sequence[int], k: int) -> nx.DiGraph:
        """The graph of the parts with the cut on its edges."""
        out = nx.DiGraph()
        out.add_nodes_from(range(k))
        for u, v, w in self.edges:
            a, b = labels[u], labels[v]
            if a != b:
                out.add_edge(a, b, weight=out.get_edge_data(a, b, {"weight": 0})["weight"] + w)
        return out

    def volume(self, labels: Sequence[int]) -> int:
        """Communication volume: what each vertex sends to each other part, the largest weight counting."""
        sent: dict[tuple[int, int], int] = {}
        for u, v, w in self.edges:
            if labels[u] != labels[v]:
                sent[u, labels[v]] = max(sent.get((u, labels[v]), 0), w)
        return sum(sent.values())

    def best_cut(self, k: int, cap: int) -> int | None:
        """Least cut of an acyclic partition into k non-empty parts within `cap`; None if there is none."""

        def entering(part: int) -> int:
            return sum(w for u, v, w in self.edges if part >> v & 1 and not part >> u & 1)

        return self._best(k, cap, entering)

    def best_volume(self, k: int, cap: int) -> int | None:
        """Least communication volume, likewise."""

        def received(part: int) -> int:
            sizes: dict[int, int] = {}
            for u, v, w in self.edges:
                if part >> v & 1 and not part >> u & 1:
                    sizes[u] = max(sizes.get(u, 0), w)
            return sum(sizes.values())

        return self._best(k, cap, received)

    def _best(self, k: int, cap: int, cost: Callable[[int], int]) -> int | None:
        """Least sum of the costs of the parts, each a set of bits.

        The first j parts of an acyclic partition, in topological order, are closed: they hold the
        predecessors of what they hold. So a partition is a chain of closed sets, here sets of bits.
        """
        before = [0] * self.n
        for u, v, _ in self.edges:
            before[v] |= 1 << u
        closed = {0}
        frontier = [0]
        while frontier:
            found = {
                s | 1 << v for s in frontier for v in range(self.n) if not s >> v & 1 and before[v] & ~s == 0
            }
            frontier = list(found - closed)
            closed |= found
        weight = {s: sum(w for v, w in enumerate(self.vertex_weights) if s >> v & 1) for s in closed}
        costs: dict[int, int] = {}
        # Least cost of the first parts, by the closed set that these fill.
        least = {0: 0}
        everything = (1 << self.n) - 1
        for parts_left in range(k - 1, -1, -1):
            longer: dict[int, int] = {}
            for b in closed if parts_left else [everything]:
                if weight[everything] - weight[b] > parts_left * cap:
                    continue
                for a, so_far in least.items():
                    if a == b or a & ~b or weight[b] - weight[a] > cap:
                        continue
                    part = a ^ b
                    if part not in costs:
                        costs[part] = cost(part)
                    longer[b] = min(longer.get(b, so_far + costs[part]), so_far + costs[part])
            least = longer
        return least.get(everything)


def plain_volume(triples, labels):
    """Data that moves: what a vertex sends to a part is the heaviest of its edges there."""
    largest = {}
    for u, v, w in triples:
        if labels[u] != labels[v]:
            key = u, labels[v]
            largest[key] = max(largest.get(key, 0), w)
    return sum(largest.values())


def set_partitions(n: int, k: int) -> Iterator[list[int]]:
    """All ways to split n vertices into k non-empty sets, as labels that first appear in ascending order."""

    def extend(labels: list[int], used: int) -> Iterator[list[int]]:
        if len(labels) == n:
            if used == k:
                yield list(labels)
            return
        for part in range(min(used + 1, k)):
            labels.append(part)
            yield from extend(labels, max(used, part + 1))
            labels.pop()

    return extend([], 0)


def random_dag(rng: random.Random, low: int, high: int) -> Plain:
    """A random DAG, vertices in no particular order; half have unit weights on vertices, half on edges."""
    n = rng.randint(low, high)
    density = rng.uniform(0.1, 0.6)
    name = rng.sample(range(n), n)
    unit_edges, unit_vertices = rng.random() < 0.5, rng.random() < 0.5
    edges = [
        (name[i], name[j], 1 if unit_edges else rng.randint(0, 6))
        for i in range(n)
        for j in range(i + 1, n)
        if rng.random() < density
    ]
    return Plain(n, edges, [1 if unit_vertices else rng.randint(0, 5) for _ in range(n)])


@st.composite
def graphs(draw: st.DrawFn, max_n: int = 12, acyclic: bool = True, heaviest: int = 9) -> Plain:
    """A weighted graph whose vertices are in no topological order; weights of 0 are as likely as others."""
    n = draw(st.integers(1, max_n))
    name = draw(st.permutations(range(n)))
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda e: e[0] != e[1])
    pairs = draw(st.sets(pair, max_size=3 * n)) if n > 1 else set()
    if acyclic:
        pairs = {(min(e), max(e)) for e in pairs}
    weight = st.integers(0, heaviest)
    edges = [(name[u], name[v], draw(weight)) for u, v in sorted(pairs)]
    return Plain(n, edges, draw(st.lists(weight, min_size=n, max_size=n)))
