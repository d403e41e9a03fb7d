"""``dagpart info``: facts about a graph, for people and for programs."""

from __future__ import annotations

import gzip
import json

import networkx as nx
import pytest
from _data import sample

from dagpart.cli import main
from dagpart.io import load


def facts(capsys, *arguments):
    assert main(["info", *map(str, arguments), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


@pytest.mark.parametrize(
    "name",
    [
        "datasets/layered_local_1000.mtx",
        "datasets/rgg_random_1000.mtx",
        "made/clusters.dot",
        "matrices/west0067.mtx",
        "matrices/blckhole.mtx",
        "matrices/bcsstk13.mtx.gz",
        "matrices/nos7.mtx",
    ],
)
def test_facts_are_those_of_networkx(capsys, name):
    path = sample(name)
    graph = load(path).graph.to_networkx()
    said = facts(capsys, path)
    assert said["vertices"] == len(graph)
    assert said["edges"] == said["edge_weight"] == graph.number_of_edges()
    assert (said["acyclic"], said["cycle"]) == (True, None)
    assert said["components"] == nx.number_weakly_connected_components(graph)
    assert said["levels"] == nx.dag_longest_path_length(graph, weight=None) + 1
    assert said["sources"] == sum(degree == 0 for _, degree in graph.in_degree())
    assert said["sinks"] == sum(degree == 0 for _, degree in graph.out_degree())


def test_shape_and_work(tmp_path, capsys):
    path = tmp_path / "g.dot"
    path.write_text("digraph { a -> b -> d; a -> c -> d; a -> e; x; a [weight=2]; b [weight=5] }")
    said = facts(capsys, path)
    assert (said["levels"], said["width"], said["mean_width"]) == (3, 3, 2)
    assert (said["max_indegree"], said["max_outdegree"], said["isolated"]) == (2, 3, 1)
    assert (said["vertex_weight"], said["span"]) == (11, 8)
    assert said["parallelism"] == 11 / 8
    assert main(["info", str(path)]) == 0
    assert "parallelism          1.38" in capsys.readouterr().out


def test_cyclic_graph(capsys, tmp_path):
    path = tmp_path / "cyclic.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n5 5 6\n1 3\n3 1\n1 2\n2 4\n4 5\n3 5\n")
    said = facts(capsys, path, "--as", "adjacency")
    assert (said["acyclic"], said["levels"], said["cycle"]) == (False, None, [0, 2])
    assert (said["width"], said["span"], said["parallelism"]) == (None, None, None)
    assert main(["info", str(path), "--as", "adjacency"]) == 0
    assert "0 -> 2 -> 0" in capsys.readouterr().out


def test_what_was_dropped(capsys, tmp_path):
    path = tmp_path / "matrix.mtx.gz"
    above = "1 2 3\n1 3 4\n2 3 0\n1 3 -1\n"
    below = "2 1 3\n3 1 0\n4 1 5\n"
    text = f"%%MatrixMarket matrix coordinate real general\n4 4 9\n1 1 2\n3 3 1\n{above}{below}"
    path.write_bytes(gzip.compress(text.encode()))
    said = facts(capsys, path)
    counts = {"self_loops": 2, "duplicates_merged": 1, "explicit_zeros": 2, "other_triangle": 2}
    assert (said["edges"], said["dropped"]) == (2, counts)
    assert (said["format"], said["reading"], said["notes"]) == ("matrix-market", "upper", [])


def test_what_was_dropped_of_a_circuit(capsys):
    said = facts(capsys, sample("matrices/add32.mtx.gz"))
    assert said["dropped"] == {
        "self_loops": 4960,
        "duplicates_merged": 0,
        "explicit_zeros": 4036,
        "other_triangle": 7444,
    }
    assert (said["format"], said["reading"], said["notes"]) == ("matrix-market", "upper", [])


def test_weights_that_were_scaled(tmp_path, capsys):
    (tmp_path / "g.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
    (tmp_path / "w").write_text("0.5\n2\n")
    said = facts(capsys, tmp_path / "g.mtx", "--vertex-weights", tmp_path / "w")
    assert (said["vertex_weight"], said["edge_weight"], said["weight_scale"]) == (2.5, 1, 10)
    # Both in the caller's unit: 2.5 of work on a path of 2.5.
    assert (said["span"], said["parallelism"]) == (2.5, 1)
    assert main(["info", str(tmp_path / "g.mtx"), "--vertex-weights", str(tmp_path / "w")]) == 0
    assert "vertex weight        2.5\n" in capsys.readouterr().out


def test_parallelism_where_only_edges_were_scaled(tmp_path, capsys):
    (tmp_path / "g.csv").write_text("a,b,0.25\na,c,0.5\n")
    said = facts(capsys, tmp_path / "g.csv")
    assert (said["vertex_weight"], said["edge_weight"], said["span"]) == (3, 0.75, 2)
    assert said["parallelism"] == 1.5


def test_empty_graph(tmp_path, capsys):
    (tmp_path / "g.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n")
    said = facts(capsys, tmp_path / "g.mtx")
    names = ("vertices", "edges", "acyclic", "components", "levels", "sources", "sinks")
    assert [said[name] for name in names] == [0, 0, True, 0, 0, 0, 0]


def test_table(tmp_path, capsys):
    (tmp_path / "g.mtx").write_text("1 2 0.5\n3 3 1\n")
    assert main(["info", str(tmp_path / "g.mtx")]) == 0
    rows = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())
    said = {name.strip(): value.strip() for name, value in rows.items()}
    assert (said["vertices"], said["edges"], said["acyclic"]) == ("3", "1", "yes")
    assert said["dropped"] == "self-loops dropped: 1"
    assert said["notes"].startswith("no banner")
    assert "cycle" not in said
