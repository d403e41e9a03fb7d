"""Files of partitions, in each form."""

from __future__ import annotations

import csv
import gzip
import json
import re
import tempfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagpart import Dag, DagpartError, partition, read
from dagpart.io import read_partition, read_parts, write_partition, write_quotient
from dagpart.metrics import quotient

GRAPH = Dag.from_edges([('a "x"', "b,c"), ("b,c", "é")])
PLAIN = Dag.from_edges([(0, 1), (1, 2)])


def test_part_files(tmp_path):
    for name in ("out.part.2", "out", "out.part.gz"):
        write_partition(tmp_path / name, GRAPH, [0, 1, 1])
        assert read_parts(tmp_path / name, n=3).tolist() == [0, 1, 1]
    assert gzip.decompress((tmp_path / "out.part.gz").read_bytes()) == b"0\n1\n1\n"


def test_json(tmp_path):
    write_partition(tmp_path / "out.json", GRAPH, [0, 1, 1], {"edge_cut": 1})
    said = json.loads((tmp_path / "out.json").read_text())
    assert said == {"k": 2, "edge_cut": 1, "parts": {'a "x"': 0, "b,c": 1, "é": 1}}
    result = partition(PLAIN, 3)
    write_partition(tmp_path / "out.json", result.graph, result.labels, result.to_dict())
    said = json.loads((tmp_path / "out.json").read_text())
    assert (said["labels"], said["k"]) == ([0, 1, 2], 3)


def test_csv(tmp_path):
    write_partition(tmp_path / "out.csv", GRAPH, [0, 1, 1])
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [["vertex", "part"], ['a "x"', "0"], ["b,c", "1"], ["é", "1"]]


def test_dot(tmp_path):
    write_partition(tmp_path / "out.gv.gz", GRAPH, [0, 1, 1])
    assert read(tmp_path / "out.gv.gz") == GRAPH
    text = gzip.decompress((tmp_path / "out.gv.gz").read_bytes()).decode()
    first, second = text.split("subgraph cluster_1")
    assert "subgraph cluster_0 {" in first
    assert '"b,c";' in second
    assert 'label="part 1"' in second


def test_nothing_to_show(tmp_path):
    empty = Dag.from_edges([], n=0)
    for name in ("out.json", "out.csv", "out.dot", "out"):
        write_partition(tmp_path / name, empty, np.zeros(0, dtype=np.int32))
    assert json.loads((tmp_path / "out.json").read_text()) == {"k": 0, "labels": []}


@pytest.mark.parametrize("labels", [[0, 1], [0, 1, -1], [0, 1, 0.5]])
def test_labels_that_do_not_fit(tmp_path, labels):
    with pytest.raises(DagpartError):
        write_partition(tmp_path / "out.csv", GRAPH, labels)
    assert not list(tmp_path.iterdir())


def test_names_that_are_one_as_text(tmp_path):
    graph = Dag.from_edges([("1", 1)])
    with pytest.raises(DagpartError, match="two vertices are called '1'"):
        write_partition(tmp_path / "out.csv", graph, [0, 1])


def test_pictures_of_the_parts(tmp_path):
    """The graph of the parts has the weights, and the colours of the graph that is coloured by part."""
    graph = Dag.from_edges([(0, 1, 2), (1, 2, 0.5), (0, 3, 4)], vertex_weights=[1, 2.5, 3, 4])
    labels = [0, 1, 1, 2]
    write_partition(tmp_path / "graph.dot", graph, labels)
    write_quotient(tmp_path / "parts.gv.gz", quotient(graph, labels))
    picture = gzip.decompress((tmp_path / "parts.gv.gz").read_bytes()).decode()
    assert re.findall(r'^  (\d).*label="([^"]*)", fillcolor', picture, re.MULTILINE) == [
        ("0", r"part 0\nweight 1.0"),
        ("1", r"part 1\nweight 5.5"),
        ("2", r"part 2\nweight 4.0"),
    ]
    assert re.findall(r'(\d -> \d) .*label="(.*)"', picture) == [("0 -> 1", "2.0"), ("0 -> 2", "4.0")]
    coloured = (tmp_path / "graph.dot").read_text()
    assert re.findall(r'fillcolor="(.*?)"', picture) == re.findall(r'fillcolor="(.*?)"', coloured)
    assert read(tmp_path / "parts.gv.gz") == quotient(graph, labels)
    write_quotient(tmp_path / "parts.mtx", quotient(PLAIN, [0, 0, 1]))
    assert read(tmp_path / "parts.mtx").m == 1
    with pytest.raises(DagpartError, match="the suffix tells no format"):
        write_quotient(tmp_path / "parts.png", quotient(PLAIN, [0, 0, 1]))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("p.csv", "vertex,part\na,0\n", "no part for the vertex 'b'"),
        (
            "p.csv",
            "vertex,part\na,0\nz,1\n",
            r"p.csv:3: found the vertex 'z'; expected a vertex of the graph",
        ),
        ("p.csv", "a,0\nb,1\na,1\n", "p.csv:3: found the vertex 'a' for the second time"),
        ("p.tsv", "vertex\tpart\na\tx\nb\t0\n", "p.tsv:2: found the part"),
        ("p.csv", "vertex,part\na,0,1\n", "p.csv:2: found 3 fields"),
        ("p.csv", "vertex,part\na,-1\nb,0\n", "p.csv:2: found the part '-1'"),
        ("p.json", '{"k": 2}', "no labels"),
        ("p.json", '{"labels": [0, 1, 1]}', "3 labels; expected 2"),
        ("p.json", '{"parts": {"a": 0,\n"b": true}}', "p.json:2: found the part 'true'"),
        ("p.json", '{"parts": {"a": 0.5, "b": 1}}', "the part '0.5'"),
        ("p.json", "[0, 1]", "a JSON object"),
        ("p.dot", "digraph {}", "p.dot:1: found a graph in DOT; expected parts"),
    ],
)
def test_files_of_parts_that_are_none(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(DagpartError, match=words):
        read_partition(tmp_path / name, Dag.from_edges([("a", "b")]))


@given(st.lists(st.text("ab, \t\"'\n#%1", min_size=1), min_size=1, max_size=6, unique=True), st.data())
def test_parts_by_any_name_come_back(names, data):
    graph = Dag.from_edges([], n=len(names), names=names)
    labels = [data.draw(st.integers(0, len(names) - 1)) for _ in names]
    with tempfile.TemporaryDirectory() as folder:
        for suffix in (".json", ".csv", ".tsv", ".part", ".json.gz"):
            write_partition(f"{folder}/x{suffix}", graph, labels)
            assert read_partition(f"{folder}/x{suffix}", graph).tolist() == labels
