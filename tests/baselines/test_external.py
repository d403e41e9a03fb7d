"""Programs as partitioners: what they are given, what they leave, and how they fail."""

from __future__ import annotations

import os
import sys
import textwrap

import networkx as nx
import pytest
from _plain import Plain, graphs
from hypothesis import HealthCheck, given, settings

from dagpart import Dag
from dagpart.baselines import DagP
from dagpart.errors import InfeasibleError, NotADagError, ToolError

PATH = Dag.from_edges([(0, 1), (1, 2), (2, 3)])


@pytest.fixture
def program(tmp_path):
    """Makes an executable out of Python code, which finds its arguments in `argv`."""

    def make(code, name="partitioner"):
        path = tmp_path / name
        head = f"#!{sys.executable} -S\nimport os, shutil, sys, time\nargv = sys.argv[1:]\n"
        path.write_text(head + textwrap.dedent(code))
        path.chmod(0o755)
        return str(path)

    return make


# A partitioner as dagP's README describes it: it cuts the vertices in the order of the file into K runs.
SPLITS = """
if not argv:
    print("usage: FILE K [--seed N] [--ratio R] [--write_parts 0|1] [--print N]")
    sys.exit(1)
n = sum("->" not in line and line[0].isdigit() for line in open(argv[0]))
k = int(argv[1])
with open(argv[0] + ".bin", "wb") as file:
    file.write(bytes(range(256)))
with open(argv[0] + "_dagP.out", "w") as file:
    file.writelines(f"{v * k // n}\\n" for v in range(n))
"""


def test_parts_are_read(program):
    dagp = DagP(program(SPLITS))
    assert dagp(PATH, 2).tolist() == [0, 0, 1, 1]
    assert dagp([("a", "b"), ("b", "c")], 3, seed=5, imbalance=0.5).tolist() == [0, 1, 2]


def test_the_command_line(program, tmp_path):
    kept = tmp_path / "kept"
    path = program(SPLITS + f"\nopen({str(kept)!r}, 'w').write(' '.join([os.getcwd(), *argv]))\n")
    DagP(path)(PATH, 2, seed=2**31 + 7, imbalance=0.1)
    folder, file, *words = kept.read_text().split()
    assert os.path.dirname(file) == folder
    assert words == ["2", "--ratio", "1.1", "--seed", "9", "--write_parts", "1"]
    # 0 would be the time of day there.
    for seed, passed in ((0, "1"), (2**31 - 2, str(2**31 - 1)), (2**31 - 1, "1")):
        DagP(path)(PATH, 2, seed=seed)
        assert kept.read_text().split()[6] == passed
    assert not os.path.exists(folder)


def test_options_that_are_not_shown_are_not_used(program, tmp_path):
    kept = tmp_path / "kept"
    code = SPLITS.replace("[--seed N]", "").replace("[--write_parts 0|1]", "")
    path = program(code + f"\nopen({str(kept)!r}, 'w').write(' '.join(argv[1:]))\n")
    DagP(path)(PATH, 2)
    assert kept.read_text().split() == ["2", "--ratio", "1.03"]


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graphs(8))
def test_the_graph_that_is_written(tmp_path, graph: Plain):
    dag = graph.dag()
    path = DagP(sys.executable).write_input(dag, tmp_path)
    lines = path.read_text().splitlines()
    assert (lines[0], lines[-1]) == ("digraph G {", "}")
    vertices = [line for line in lines[1:-1] if "->" not in line]
    edges = [line for line in lines[1:-1] if "->" in line]
    assert [int(line.split()[0].rstrip(";")) for line in vertices] == list(range(graph.n))
    found = [tuple(map(int, line.split()[0].rstrip(";").split("->"))) for line in edges]
    assert sorted(found) == sorted(graph.networkx.edges)

    def weights(part):
        return [int(line.partition("weight=")[2].rstrip("];") or 1) for line in part]

    assert weights(vertices) == graph.vertex_weights
    by_edge = nx.get_edge_attributes(graph.networkx, "weight")
    assert weights(edges) == [by_edge[edge] for edge in found]


def test_unit_weights_are_written_as_in_the_sample(tmp_path):
    text = DagP(sys.executable).write_input(PATH, tmp_path).read_text()
    assert text == "digraph G {\n0 ;\n1 ;\n2 ;\n3 ;\n0->1 ;\n1->2 ;\n2->3 ;\n}\n"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("sys.exit('no licence')", "dagP: the process ended with code 1: no licence"),
        ("os.abort()", r"dagP: crashed \(SIGABRT\)$"),
        ("pass", "dagP: left no file with 4 parts from 0 to 1, but nothing"),
        ("open('out', 'w').write('0 1 0')", "left no file with 4 parts from 0 to 1, but out"),
        ("open('out', 'w').write('0\\n0\\n1\\n2\\n')", "left no file"),
        ("open('out', 'w').write('0\\n0\\n1\\n')", "left no file"),
        ("os.mkdir('out')", "left no file"),
    ],
)
def test_failures_are_told(program, code, words):
    with pytest.raises(ToolError, match=words):
        DagP(program(code))(PATH, 2)


def test_a_program_that_waits_for_nothing(program, monkeypatch):
    monkeypatch.setattr("dagpart.baselines.external._USAGE_SECONDS", 1)
    path = program("if not argv:\n    time.sleep(60)\n" + SPLITS)
    assert DagP(path)(PATH, 2).tolist() == [0, 0, 1, 1]


def test_there_must_be_a_program(tmp_path):
    with pytest.raises(FileNotFoundError, match="no executable of dagP"):
        DagP(str(tmp_path / "none"))
    (tmp_path / "text").write_text("no program")
    with pytest.raises(FileNotFoundError):
        DagP(str(tmp_path / "text"))


def test_requests_are_checked(program):
    dagp = DagP(program(SPLITS))
    with pytest.raises(InfeasibleError):
        dagp(PATH, 5)
    with pytest.raises(NotADagError):
        dagp([(0, 1), (1, 0)], 2)
