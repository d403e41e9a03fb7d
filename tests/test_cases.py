"""Small graphs that made other programs fail, each with the facts known about it."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
from _data import CASES
from _plain import Plain, set_partitions

from dagpart import Dag, check, partition, read
from dagpart.cli import main
from dagpart.errors import DagpartError, NotADagError

TOLD = set()


def about(identifier):
    """The test gets the case of this name."""
    TOLD.add(identifier)
    return pytest.mark.parametrize("case", [identifier], indirect=True)


def all_cases():
    return {case["id"]: case for case in json.loads((CASES / "cases.json").read_text())}


@pytest.fixture
def case(request):
    return all_cases()[request.param]


def plain(case):
    """The case with edges of weight 1."""
    weights = case.get("vertex_weights", [1] * case["n"])
    return Plain(case["n"], [(u, v, 1) for u, v in case["edges"]], weights)


def parts_of(labels):
    """Parts as sets, in topological order."""
    return [{v for v, p in enumerate(labels) if p == part} for part in range(max(labels) + 1)]


def best_partitions(graph, k, cap):
    """The least cut of an acyclic partition, and all partitions that have it, by enumeration."""
    legal = [
        labels
        for labels in set_partitions(graph.n, k)
        if max(graph.loads(labels, k)) <= cap and nx.is_directed_acyclic_graph(graph.quotient(labels, k))
    ]
    least = min(map(graph.cut, legal))
    return least, [labels for labels in legal if graph.cut(labels) == least]


def test_no_case_is_forgotten():
    assert set(all_cases()) == TOLD


@about("C01-hexagon")
def test_undirected_optima_may_be_cyclic(case):
    graph = plain(case)
    result = partition(graph.dag(), 2, imbalance=0.03)
    assert result.edge_cut == 4
    assert parts_of(result.labels.tolist()) in ([{0, 1, 2}, {3, 4, 5}], [{0, 1, 3}, {2, 4, 5}])
    cheaper = [labels for labels in set_partitions(6, 2) if graph.loads(labels, 2) == [3, 3]]
    cheaper = [labels for labels in cheaper if graph.cut(labels) == 2]
    assert len(cheaper) == 3
    assert not any(check(graph.dag(), labels).acyclic for labels in cheaper)
    assert not check(graph.dag(), [0, 1, 2, 3, 0, 1]).acyclic


@about("C02-diamond-hole")
def test_a_hole_in_a_part(case):
    dag = plain(case).dag()
    report = check(dag, [0, 0, 0, 1])
    assert (report.acyclic, report.cycle) == (False, [0, 1])
    assert report.cycle_edges == [(0, 3), (3, 2)]
    assert partition(dag, 2).edge_cut == 2


@about("C03-taskgroups")
def test_two_edges_in_opposite_directions(case):
    dag = plain(case).dag()
    assert not check(dag, [0, 0, 1, 1]).acyclic
    result = partition(dag, 2)
    assert result.edge_cut == 0
    assert sorted(map(sorted, parts_of(result.labels.tolist()))) == [[0, 2], [1, 3]]


@about("C04-exit-return")
def test_leaving_a_part_and_coming_back(case):
    dag = plain(case).dag()
    assert not check(dag, [0, 1, 0]).acyclic
    assert partition(dag, 2).edge_cut == 1


@about("C06-nd15")
def test_the_optimum_is_one_of_four(case):
    graph, cap = plain(case), case["max_part_weight"]
    assert graph.total > 2 * cap
    # A cap below the mean of two parts takes a tolerance below 0.
    with pytest.raises(DagpartError, match="imbalance must be"):
        partition(graph.dag(), 2, imbalance=cap / 6 - 1)
    result = partition(graph.dag(), 3, imbalance=0.25)
    assert result.cap == cap
    least, best = best_partitions(graph, 3, cap)
    assert (least, len(best)) == (5, 4)
    assert result.edge_cut == 5
    found = parts_of(result.labels.tolist())
    assert sorted(map(sorted, found)) in [sorted(map(sorted, parts_of(labels))) for labels in best]


@about("C07-path3")
def test_no_part_of_a_short_path_is_empty(case):
    result = partition(plain(case).dag(), 2)
    assert set(result.labels.tolist()) == {0, 1}
    assert result.edge_cut == 1


@about("C08-two")
def test_two_vertices_two_parts(case):
    assert partition(plain(case).dag(), 2).labels.tolist() == [0, 1]


@about("C10-k1-k0-kbig")
def test_numbers_of_parts_at_the_limits(case):
    dag = plain(case).dag()
    assert partition(dag, 1).labels.tolist() == [0, 0, 0]
    assert partition(dag, 1).edge_cut == 0
    for k in (0, -1):
        with pytest.raises(ValueError, match=f"k={k}"):
            partition(dag, k)
    with pytest.raises(ValueError, match=r"k=5 .* n=3"):
        partition(dag, 5)
    assert partition(dag, 5, allow_empty=True, imbalance=1).part_weights.sum() == 3


@about("C11-zero-weights")
def test_vertices_that_weigh_nothing(case):
    graph = plain(case)
    result = partition(graph.dag(), 2)
    assert (max(result.part_weights), result.edge_cut) == (2, 1)
    nothing = partition(Plain(graph.n, graph.edges, [0] * graph.n).dag(), 2)
    assert set(nothing.labels.tolist()) == {0, 1}
    assert nothing.imbalance == 0


@about("C13-loops-dups")
def test_loops_and_duplicates(case):
    dag = Dag.from_edges(case["edges"])
    counts = dag.dropped.as_dict()
    assert (counts["self_loops"], counts["duplicates_merged"]) == (2, 2)
    assert dag.edge_weights.tolist() == [3, 1]
    result = partition(dag, 2)
    assert parts_of(result.labels.tolist()) == [{0, 1}, {2}]
    assert result.edge_cut == 1


@about("C14-no-edges")
def test_no_edges(case):
    result = partition(plain(case).dag(), 2)
    assert result.part_weights.tolist() == [2, 2]
    assert result.edge_cut == 0
    with pytest.raises(ValueError, match="n=0"):
        partition(Dag.from_edges([], n=0), 1)


@about("C15-mm-free-format")
def test_a_file_in_free_format(case):
    dag = read(CASES / case["file"])
    assert (dag.n, dag.dropped.self_loops) == (case["n"], 5)
    assert [list(edge) for edge in sorted(dag.to_networkx().edges)] == sorted(case["edges"])
    assert partition(dag, 2).edge_cut == 1


@about("X16-cycle-input")
def test_a_cycle(case, tmp_path, capsys):
    with pytest.raises(NotADagError) as error:
        partition([tuple(edge) for edge in case["edges"]], 2)
    cycle = error.value.cycle
    assert sorted(cycle) == [0, 1, 2]
    assert all([u, v] in case["edges"] for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True))
    lines = [f"{u + 1} {v + 1}" for u, v in case["edges"]]
    path = tmp_path / "cycle.mtx"
    path.write_text("\n".join(["%%MatrixMarket matrix coordinate pattern general", "3 3 3", *lines, ""]))
    assert main(["partition", str(path), "2", "--as", "adjacency"]) == 1
    assert "0 -> 1 -> 2 -> 0" in capsys.readouterr().err


@about("X18-deep-chain")
@pytest.mark.parametrize("preset", ["fast", "default"])
def test_a_deep_chain(case, preset, monkeypatch):
    monkeypatch.setenv("DAGPART_CHECK", "0")
    vertices = np.arange(case["n"])
    chain = Dag.from_edges(np.column_stack((vertices[:-1], vertices[1:])))
    assert partition(chain, 2, preset=preset).edge_cut == 1


@about("X19-dot-colon")
def test_names_with_colons(case):
    result = partition([tuple(edge) for edge in case["edges"]], 2)
    assert [result.graph.name(v) for v in result.order] == case["edges"][0]
    assert result.labels.tolist() == [0, 1]
