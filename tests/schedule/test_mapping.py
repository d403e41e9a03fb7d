"""Clusters go to processors as a whole, and where each mapping says."""

from __future__ import annotations

import numpy as np
import pytest
from _plain import graphs
from _scheduling import problems
from hypothesis import given
from hypothesis import strategies as st

from dagpart import Dag
from dagpart.schedule import MAPPINGS, Clustering, Problem, schedule_clusters, validate


@st.composite
def clusterings(draw, models=("duplex",), processors=(1, 2, 7)):
    problem = draw(problems(models=models, processors=processors))
    ids = st.integers(0, problem.n - 1)
    return Clustering.of(problem, draw(st.lists(ids, min_size=problem.n, max_size=problem.n)))


def loads_of(clustering, processor):
    """Time of the tasks on each processor, in plain Python."""
    durations = clustering.problem.durations
    loads = [0.0] * clustering.problem.p
    for v, q in enumerate(processor.tolist()):
        loads[q] += float(durations[v, q if durations.shape[1] > 1 else 0])
    return loads


@pytest.mark.parametrize("name", MAPPINGS)
@given(clustering=clusterings())
def test_a_cluster_stays_together(name, clustering):
    processor = MAPPINGS[name](clustering)
    assert processor.dtype == np.int32
    assert processor.shape == (clustering.problem.n,)
    assert ((processor >= 0) & (processor < clustering.problem.p)).all()
    for c in range(clustering.count):
        assert np.unique(processor[clustering.labels == c]).size == 1


@pytest.mark.parametrize("name", ["glb", "load-balanced"])
@given(clustering=clusterings())
def test_each_cluster_goes_where_it_ends_first(name, clustering):
    problem, labels = clustering.problem, clustering.labels
    sequence = list(range(clustering.count))
    if name == "load-balanced":
        work = [float(problem.mean_durations[labels == c].sum()) for c in sequence]
        sequence.sort(key=lambda c: -work[c])
    durations = np.broadcast_to(problem.durations, (problem.n, problem.p))
    loads = [0.0] * problem.p
    expected = [0] * problem.n
    for c in sequence:
        members = np.flatnonzero(labels == c)
        after = [loads[q] + float(durations[members, q].sum()) for q in range(problem.p)]
        best = min(range(problem.p), key=after.__getitem__)
        loads[best] = after[best]
        for v in members.tolist():
            expected[v] = best
    # Sums in another order may round, and then tell apart what is equal here.
    found = loads_of(clustering, MAPPINGS[name](clustering))
    assert sorted(found) == pytest.approx(sorted(loads_of(clustering, np.array(expected))))


@given(clusterings(processors=(2, 7)))
def test_affinity_keeps_the_load_where_that_is_possible(clustering):
    problem, labels = clustering.problem, clustering.labels
    mean = problem.mean_durations
    heaviest = max(float(mean[labels == c].sum()) for c in range(clustering.count))
    if problem.durations.shape[1] > 1:
        return
    loads = loads_of(clustering, MAPPINGS["affinity"](clustering))
    # The least loaded processor is below the mean, and takes at most one cluster that does not fit.
    assert max(loads) <= 1.1 * float(mean.sum()) / problem.p + heaviest + 1e-9


def test_affinity_follows_the_heaviest_edge():
    edges = [(0, 2), (1, 2), (0, 3), (1, 3)]
    graph = Dag.from_edges(edges, edge_weights=[1, 9, 8, 2], vertex_weights=[10, 10, 5, 5])
    clustering = Clustering.of(Problem.of(graph, 2), [0, 1, 2, 3])
    place = MAPPINGS["affinity"](clustering)
    assert place[2] == place[1]
    assert place[3] == place[0]
    assert place[0] != place[1]


@pytest.mark.parametrize("name", MAPPINGS)
@given(clustering=clusterings(models=("none", "delay", "duplex", "bsp")))
def test_schedules_of_clusters_can_happen(name, clustering):
    found = validate(schedule_clusters(clustering, name))
    assert found.processor.tolist() == MAPPINGS[name](clustering).tolist()


@given(graphs(max_n=12))
def test_few_clusters_get_a_processor_each(plain):
    problem = Problem.of(plain.dag(), plain.n)
    place = MAPPINGS["glb"](Clustering.of(problem, range(plain.n)))
    busy = [q for v, q in enumerate(place.tolist()) if plain.vertex_weights[v] > 0]
    assert len(set(busy)) == len(busy)
