"""Clusterings against plain Python: what they promise, and step by step where the method says each step."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from _plain import Plain, graphs
from hypothesis import given
from hypothesis import strategies as st

from dagpart import Dag, DagpartError, generate
from dagpart.schedule import CLUSTERINGS, Clustering, Problem, dsc, linear, sarkar

# Sums of whole numbers: every length is exact.
whole = st.integers(0, 9)


def problem_of(plain, p=4):
    return Problem.of(plain.dag(), p, model="delay")


def levels(plain):
    """Longest path from the start of each task, and the tasks by it, falling."""
    graph = plain.networkx
    level = {}
    for v in reversed(list(nx.topological_sort(graph))):
        below = [graph.edges[v, w]["weight"] + level[w] for w in graph.successors(v)]
        level[v] = plain.vertex_weights[v] + max(below, default=0)
    return level


def span(plain, cluster, order):
    """When the last task ends if every cluster runs its tasks in the order given."""
    end, free = {}, {}
    for v in order:
        arrivals = [
            end[u] + (0 if cluster[u] == cluster[v] else plain.networkx.edges[u, v]["weight"])
            for u in plain.networkx.predecessors(v)
        ]
        end[v] = max([free.get(cluster[v], 0), *arrivals]) + plain.vertex_weights[v]
        free[cluster[v]] = end[v]
    return max(end.values())


def by_rank(problem, plain):
    level = levels(plain)
    place = {v: i for i, v in enumerate(problem.graph.order.tolist())}
    return sorted(range(plain.n), key=lambda v: (-level[v], place[v]))


def as_sets(labels):
    return {frozenset(np.flatnonzero(labels == c).tolist()) for c in np.unique(labels)}


@pytest.mark.parametrize("name", CLUSTERINGS)
@given(plain=graphs(max_n=14))
def test_tasks_start_when_they_can(name, plain):
    found = CLUSTERINGS[name](problem_of(plain))
    end = found.start + np.array(plain.vertex_weights)
    for u, v, weight in plain.edges:
        assert found.start[v] >= end[u] + (weight if found.labels[u] != found.labels[v] else 0)
    for c in range(found.count):
        inside = np.flatnonzero(found.labels == c)
        assert inside.size
        inside = inside[np.lexsort((end[inside], found.start[inside]))]
        assert (found.start[inside[1:]] >= end[inside[:-1]]).all()
    assert found.parallel_time == end.max()


@pytest.mark.parametrize("name", ["dsc", "sarkar"])
@given(plain=graphs(max_n=14))
def test_clusters_never_take_longer_than_tasks_alone(name, plain):
    alone = max(levels(plain).values())
    assert CLUSTERINGS[name](problem_of(plain)).parallel_time <= alone


@pytest.mark.parametrize("name", CLUSTERINGS)
@given(plain=graphs(max_n=14))
def test_clusters_are_numbered_by_their_start(name, plain):
    found = CLUSTERINGS[name](problem_of(plain))
    first = [found.start[found.labels == c].min() for c in range(found.count)]
    assert first == sorted(first)
    assert found.labels.dtype == np.int32


@given(graphs(max_n=14))
def test_linear_clusters_are_longest_paths_of_what_is_left(plain):
    labels = linear(problem_of(plain)).labels
    sets = as_sets(labels)
    left = set(range(plain.n))
    graph = plain.networkx
    lengths = []
    for tasks in sets:
        path = list(nx.topological_sort(graph.subgraph(tasks)))
        assert all(graph.has_edge(u, v) for u, v in pairwise(path))
        inside = sum(graph.edges[u, v]["weight"] for u, v in pairwise(path))
        lengths.append((sum(plain.vertex_weights[v] for v in path) + inside, tasks))
    # Whichever of several longest paths was taken first, each one is longest once all longer ones are gone.
    for length, tasks in sorted(lengths, key=lambda item: -item[0]):
        rest = graph.subgraph(left)
        level = {}
        for v in reversed(list(nx.topological_sort(rest))):
            below = [rest.edges[v, w]["weight"] + level[w] for w in rest.successors(v)]
            level[v] = plain.vertex_weights[v] + max(below, default=0)
        assert length == max(level.values())
        left -= tasks


@given(graphs(max_n=12))
def test_sarkar_merges_step_by_step(plain):
    problem = problem_of(plain)
    order = by_rank(problem, plain)
    rank = {v: i for i, v in enumerate(order)}
    cluster = list(range(plain.n))
    best = span(plain, cluster, order)
    for u, v, _ in sorted(plain.edges, key=lambda e: (-e[2], rank[e[0]], rank[e[1]])):
        merged = [cluster[u] if c == cluster[v] else c for c in cluster]
        length = span(plain, merged, order)
        if length <= best:
            cluster, best = merged, length
    found = sarkar(problem)
    assert as_sets(found.labels) == as_sets(np.array(cluster))
    assert found.parallel_time == best


@pytest.mark.parametrize("inward", [True, False])
@given(root=whole, leaves=st.lists(st.tuples(whole, whole), min_size=1, max_size=8))
def test_dsc_is_optimal_for_joins_and_forks(inward, root, leaves):
    m = len(leaves)
    edges = [(i, m, c) if inward else (m, i, c) for i, (_, c) in enumerate(leaves)]
    star = Plain(m + 1, edges, [w for w, _ in leaves] + [root])
    # With the root go some leaves, one after the other; the others have clusters of their own.
    best = min(
        max(
            sum(w for i, (w, _) in enumerate(leaves) if inside >> i & 1),
            max((w + c for i, (w, c) in enumerate(leaves) if not inside >> i & 1), default=0),
        )
        for inside in range(1 << m)
    )
    assert dsc(problem_of(star)).parallel_time == root + best


@given(graphs(max_n=12), st.data())
def test_clusters_from_elsewhere_are_timed_by_rank(plain, data):
    labels = data.draw(st.lists(st.integers(0, plain.n - 1), min_size=plain.n, max_size=plain.n))
    problem = problem_of(plain)
    found = Clustering.of(problem, labels)
    assert as_sets(found.labels) == as_sets(np.array(labels))
    assert found.parallel_time == span(plain, labels, by_rank(problem, plain))


def test_labels_must_fit():
    problem = Problem.of([(0, 1)], 2)
    with pytest.raises(DagpartError, match="3 labels"):
        Clustering.of(problem, [0, 0, 1])


@pytest.mark.parametrize("name", CLUSTERINGS)
def test_without_delays_nothing_waits(name):
    graph = generate.cholesky(6)
    found = CLUSTERINGS[name](Problem.of(graph, 4, model="none"))
    longest = int(graph.levels.max()) + 1
    # A linear cluster is a path; the others never lengthen what there is.
    assert found.parallel_time == longest


@pytest.mark.parametrize("name", CLUSTERINGS)
def test_an_empty_graph_has_no_clusters(name):
    found = CLUSTERINGS[name](Problem.of(Dag.from_scipy(scipy.sparse.csr_array((0, 0))), 4))
    assert (found.count, found.parallel_time) == (0, 0.0)
