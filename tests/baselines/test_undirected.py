"""The undirected partitioners: one call for all, guards, and graphs from practice."""

from __future__ import annotations

import sys

import networkx as nx
import numpy as np
import pytest
from _data import sample
from _plain import Plain, graphs
from _tools import in_one_child, partition_cases, partition_files, require
from hypothesis import given

from dagpart import Dag, generate
from dagpart.baselines import BASELINES, metis, repair
from dagpart.baselines._undirected import Baseline, Undirected
from dagpart.errors import DagpartError, InfeasibleError, MissingDependencyError, ToolError
from dagpart.io import read, write

NAMES = tuple(BASELINES)


def edges_of(dag):
    return np.repeat(np.arange(dag.n), np.diff(dag.indptr)), dag.indices


def cut_of(dag, labels):
    tails, heads = edges_of(dag)
    return sum(dag.edge_weights[labels[tails] != labels[heads]].tolist())


@pytest.mark.filterwarnings("ignore::dagpart.errors.DirectionWarning")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("folder", ["datasets", "matrices"])
def test_matrices(name, folder):
    require(name)
    paths = sorted(sample(folder).glob("*.mtx*"))
    assert len(paths) == {"datasets": 8, "matrices": 17}[folder]
    k = 8
    for path, labels in zip(paths, in_one_child(partition_files, name, paths, k), strict=True):
        dag = Dag.from_any(read(path))
        assert labels.dtype == np.int32
        assert labels.shape == (dag.n,)
        assert 0 <= labels.min() <= labels.max() < k
        # No worse than what a random labelling is expected to cut.
        assert cut_of(dag, labels) < 7 / 8 * dag.m
        repaired = repair(dag, labels, k=k, preset="fast")
        tails, heads = edges_of(dag)
        pairs = np.unique(np.column_stack((repaired.labels[tails], repaired.labels[heads])), axis=0).tolist()
        assert nx.is_directed_acyclic_graph(nx.DiGraph((a, b) for a, b in pairs if a != b))
        assert np.bincount(repaired.labels, minlength=k).max() <= int(1.03 * -(-dag.n // k))
        assert repaired.cut_before == cut_of(dag, labels)
        assert repaired.cut_after == cut_of(dag, repaired.labels)


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_same_labels(name, tmp_path):
    require(name)
    # Large enough for several threads, where a library starts them, and with few edges, as roads have.
    path = tmp_path / "roads.npz"
    rng = np.random.default_rng(1)
    grid = generate.grid2d(300)
    tails, heads = edges_of(grid)
    kept = rng.random(grid.m) < 0.65
    write(Dag.from_edges(np.column_stack((tails[kept], heads[kept])), n=grid.n), path)
    first, again = in_one_child(partition_files, name, [path, path], 8)
    assert first.tolist() == again.tolist()


def path(n):
    return [(i, i + 1) for i in range(n - 1)]


CASES = {
    "as many parts as vertices": (Dag.from_edges(path(12)), 12, 0.03),
    "one part less": (Dag.from_edges(path(12)), 11, 0.03),
    "two vertices": (Dag.from_edges([(0, 1)]), 2, 0.03),
    "no edges": (Dag.from_edges([], n=30), 4, 0.03),
    "pairs": (Dag.from_edges([(2 * i, 2 * i + 1) for i in range(50)]), 8, 0.03),
    "a path and vertices alone": (Dag.from_edges(path(20), n=200), 7, 0.03),
    "star": (Dag.from_edges([(0, i) for i in range(1, 201)]), 8, 0.03),
    "no tolerance": (generate.grid2d(8), 4, 0),
    "all tolerance": (generate.grid2d(8), 4, 1e300),
    "weights of 2**40": (
        Dag.from_edges(path(40), vertex_weights=np.full(40, 2**40), edge_weights=np.full(39, 2**40)),
        4,
        0.03,
    ),
    "weights near 2**31 in all": (
        Dag.from_edges(path(40), vertex_weights=np.full(40, 2**26), edge_weights=np.full(39, 2**26)),
        4,
        0.03,
    ),
    "weights near 2**62 in all": (
        Dag.from_edges(path(40), vertex_weights=np.full(40, 2**56), edge_weights=np.full(39, 2**56)),
        4,
        0.03,
    ),
    "one vertex of nearly all": (Dag.from_edges(path(40), vertex_weights=[2**40] + [1] * 39), 4, 0.03),
    "vertices without weight": (Dag.from_edges(path(40), vertex_weights=[0] * 20 + [1] * 20), 4, 0.03),
    "no weight at all": (Dag.from_edges(path(40), vertex_weights=[0] * 40), 4, 0.03),
    "edges without weight": (Dag.from_edges(path(40), edge_weights=[0] * 20 + [1] * 19), 4, 0.03),
    "only edges without weight": (Dag.from_edges(path(40), edge_weights=[0] * 39), 4, 0.03),
}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_crashes_them(name):
    variants = require(name).variants
    found = in_one_child(partition_cases, name, list(CASES.values()))
    for i, labels in enumerate(found):
        case, variant = list(CASES)[i // len(variants)], variants[i % len(variants)]
        assert isinstance(labels, np.ndarray), (case, variant, labels)
        dag, k, _ = CASES[case]
        assert labels.dtype == np.int32
        assert labels.shape == (dag.n,)
        assert 0 <= labels.min() <= labels.max() < k, (case, variant)


@pytest.mark.parametrize("name", NAMES)
def test_from_this_process(name):
    baseline = require(name)
    dag = generate.grid2d(16)
    first = baseline(dag, 4, seed=3)
    assert first.tolist() == baseline(dag, 4, seed=3, variant=baseline.variants[0]).tolist()
    assert sorted(np.unique(first)) == [0, 1, 2, 3]
    # Four squares cost 32.
    assert cut_of(dag, first) <= 48


@pytest.mark.parametrize("name", NAMES)
def test_requests_that_are_refused_or_trivial_need_no_library(name, monkeypatch):
    baseline = BASELINES[name]
    monkeypatch.setitem(sys.modules, baseline.module, None)
    dag = Dag.from_edges(path(5))
    assert baseline(dag, 1).tolist() == [0] * 5
    with pytest.raises(InfeasibleError, match="k=6 parts for n=5 vertices"):
        baseline(dag, 6)
    with pytest.raises(DagpartError, match="number of parts must be from 1"):
        baseline(dag, 0)
    with pytest.raises(InfeasibleError, match="n=0"):
        baseline(Dag.from_edges([], n=0), 1)
    with pytest.raises(DagpartError, match="imbalance must be"):
        baseline(dag, 2, imbalance=-1)
    with pytest.raises(DagpartError, match="no variant 'best'; choose from"):
        baseline(dag, 2, variant="best")
    with pytest.raises(DagpartError, match="seed"):
        baseline(dag, 2, seed=-1)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_library_is_named_with_the_cure(name, monkeypatch):
    baseline = BASELINES[name]
    monkeypatch.setitem(sys.modules, baseline.module, None)
    # As in a process of its own, where the library would be looked for again.
    monkeypatch.setattr("dagpart._child._in_child", True)
    with pytest.raises(MissingDependencyError) as caught:
        baseline(Dag.from_edges(path(5)), 2)
    assert caught.value.package == baseline.package
    assert 'pip install "dagpart[baselines]"' in str(caught.value)


def answers_nonsense(module, problem, variant):
    return {"short": [0], "high": [problem.k] * problem.n, "text": ["a"] * problem.n}[variant]


def raises(module, problem, variant):
    raise RuntimeError("out of luck")


@pytest.mark.parametrize("variant", ["short", "high", "text"])
def test_what_is_no_partition_is_an_error(variant):
    odd = Baseline("Odd", "odd", "math", ("short", "high", "text"), answers_nonsense, crashes=False)
    with pytest.raises(ToolError, match="Odd: gave no partition: "):
        odd(Dag.from_edges(path(5)), 2, variant=variant)


def test_errors_of_a_library_are_told_with_its_name():
    odd = Baseline("Odd", "odd", "math", ("one",), raises, crashes=False)
    with pytest.raises(ToolError, match="Odd: RuntimeError: out of luck"):
        odd(Dag.from_edges(path(5)), 2)


@given(graphs(12, heaviest=3))
def test_the_undirected_graph(graph: Plain):
    if graph.n < 2:
        return
    problem = Undirected.of(graph.dag(), 2, 0.1, 2**40 + 5)
    expected = nx.Graph()
    expected.add_weighted_edges_from((u, v, w) for u, v, w in graph.edges if w)
    tails = np.repeat(np.arange(graph.n), np.diff(problem.indptr)).tolist()
    found = list(zip(tails, problem.indices.tolist(), problem.edge_weights.tolist(), strict=True))
    both = [(u, v, w) for u, v, w in expected.edges(data="weight")]
    assert sorted(found) == sorted(both + [(v, u, w) for u, v, w in both])
    assert problem.vertex_weights.tolist() == (graph.vertex_weights if graph.total else [1] * graph.n)
    assert problem.seed == 5


def test_opposite_edges_are_one_and_weights_scaled():
    from dagpart import Digraph

    two = Digraph.from_edges([(0, 1, 2), (1, 0, 3)], vertex_weights=[2**61, 1])
    problem = Undirected.of(two, 2, 0.03, 0)
    assert problem.edge_weights.tolist() == [5, 5]
    assert problem.vertex_weights.tolist() == [2**30 - 1, 1]
    assert problem.cap == 552977039


def test_weights_are_passed_on():
    pytest.importorskip("pymetis")
    # The one cheap edge in the middle of the weight.
    labels = metis(
        Dag.from_edges(path(6), vertex_weights=[5, 5, 1, 1, 4, 4], edge_weights=[9, 1, 9, 9, 9]), 2
    )
    assert labels[0] == labels[1] != labels[2] == labels[3] == labels[4] == labels[5]
