"""Data sets by name: which there are, and that a name stands for a graph wherever a path does."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dagpart import Dag, DagpartError, check, datasets, generate, partition
from dagpart.cli import main
from dagpart.datasets import generated
from dagpart.datasets.cache import digest
from dagpart.datasets.families import FAMILIES
from dagpart.datasets.published import DIGESTS
from dagpart.generate._arguments import Weights
from dagpart.generate.registry import Generator
from dagpart.io import load, read, read_parts, write


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_list():
    names = datasets.list()
    assert len(set(names)) == len(names)
    assert all(map(datasets.is_name, names))
    assert {"polybench:2mm", "family:fft_13"} <= set(names)
    assert set(names) >= set(datasets.list("polybench")) | set(datasets.list("family"))
    assert len(datasets.list("polybench")) == 23
    assert len(datasets.list("family")) == 4 * len(FAMILIES)


def test_only_what_there_is_can_be_listed():
    with pytest.raises(DagpartError, match=r"'mtx'; the sources are .*family, .*polybench, .*suitesparse"):
        datasets.list("mtx")


@pytest.mark.parametrize("name", datasets.list("polybench"))
def test_polybench_graphs_are_those_that_were_published(name):
    # A graph with another hash than the published one is an error.
    graph = datasets.load(name)
    (full,) = (known for known in DIGESTS if known.startswith(f"{name}:"))
    assert datasets.load(full) == graph
    assert graph == generate.polybench(name.partition(":")[2])


@pytest.mark.parametrize(
    ("make", "hashed"),
    [
        (lambda: generate.fft(2**13), "fb14556ef0529e4dc08c59d58244e0aa"),
        (lambda: generate.grid2d(500), "243e2ecff5dfa8c1f5cd7ba7dfd7afd8"),
        (lambda: generate.grid3d(60), "9b501137ccf69e27dfa664d963229e42"),
        (lambda: generate.cholesky(48), "36a75f261d04aa5fdefe61aa463bf585"),
    ],
)
def test_graphs_of_the_benchmark_are_what_they_were(make, hashed):
    assert digest(make()) == hashed


@pytest.mark.parametrize("family", FAMILIES)
def test_members_of_families(family):
    graph = datasets.load(f"family:{family}_{FAMILIES[family].sized[0]}")
    assert 900 <= graph.n <= 1100


def test_a_matrix_of_a_family_is_read_as_a_solver_depends_on_itself():
    assert datasets.load("family:lap3d_5") == generate.grid3d(5)


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("grid2d:rows=3", lambda: generate.grid2d(3)),
        ("grid2d:columns=4:rows=3", lambda: generate.grid2d(3, 4)),
        ("grid2d:rows=9:order=random:seed=5", lambda: generate.grid2d(9, order="random", seed=5)),
        ("layered:layers=3:width=4:spread=0.5", lambda: generate.layered(3, 4, spread=0.5)),
        ("polybench:lu:n=5", lambda: generate.polybench("lu", n=5)),
        ("polybench:lu:weights=cost:n=5", lambda: generate.polybench("lu", n=5, weights="cost")),
    ],
)
def test_parameters(name, made):
    for _ in range(2):
        # The second time out of the cache.
        assert datasets.load(name) == made()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("polybench:bicg", "'polybench:bicg'; there is polybench:2mm, polybench:3mm"),
        ("polybench", "there is polybench:2mm"),
        ("polybench:", "there is polybench:2mm"),
        ("polybench:lu:m=5", "polybench:lu has no parameter m; it has n, weights"),
        ("polybench:lu:n=x", "n=x: it must be a whole number"),
        ("polybench:lu:n=0", "n must be at least 1"),
        ("polybench:lu:n=3:n=4", "says n more than once"),
        ("polybench:lu:5", "'polybench:lu:5'"),
        ("polybench:lu:5:n=3", "'polybench:lu:5:n=3'"),
        ("polybench:lu:n", "'polybench:lu:n'"),
        ("polybench:lu:n=3:4", "n=3:4: it must be a whole number"),
        ("grid2d", "grid2d needs a value for rows"),
        ("grid2d:", "'grid2d:'"),
        ("grid2d:rows=", "rows=: it must be"),
        ("grid2d:500", r"'grid2d:500'; parameters look like grid2d:name=value"),
        ("grid2d:rows=3:order=x", r"order=x: it must be natural \| random"),
        ("family:fft", "fft: .*FAMILY_NUMBER.*lap2d"),
        ("family:fft_x", "FAMILY_NUMBER"),
        ("family:none_3", "FAMILY_NUMBER"),
        ("family:grid2d_0", "rows must be at least 1"),
        ("graph.mtx", "no data set 'graph.mtx'"),
        ("", "no data set ''"),
    ],
)
def test_names_of_nothing(name, message):
    with pytest.raises(DagpartError, match=message):
        datasets.load(name)


def transposed(matrix: str | os.PathLike[str] | Any, weights: Weights = "unit") -> Dag:
    """What is in a file, turned round."""
    return Dag.from_any(read(matrix, reverse=True))


def test_graphs_made_from_files_are_made_anew(folder, monkeypatch):
    monkeypatch.setitem(generated.GENERATORS, "transposed", Generator.of(transposed, "transposed"))
    for points in (4, 8):
        write(generate.fft(points), folder / "in.mtx")
        assert datasets.load("transposed:matrix=in.mtx") == generate.fft(points).reverse()
    # The file may be a data set; on the command line one with parameters of its own.
    lu = generate.polybench("lu", n=5).reverse()
    assert datasets.load("transposed:weights=cost:matrix=polybench:2mm").n == 36500
    assert main(["generate", "transposed", "--matrix=polybench:lu:n=5", "-o", "out.mtx"]) == 0
    assert read("out.mtx", as_="adjacency") == lu


def test_generated_graphs_have_nothing_to_choose():
    with pytest.raises(DagpartError, match=r"polybench:lu:n=5 is made as a graph.*choose with as$"):
        datasets.load("polybench:lu:n=5", as_="upper")
    with pytest.raises(DagpartError, match="is a data set and has no format"):
        load("polybench:lu:n=5", "mtx")


def test_weights_of_generated_graphs():
    name = "polybench:lu:n=5:weights=cost"
    assert set(datasets.load(name).edge_weights.tolist()) == {8}
    assert set(datasets.load(name, edge_weights="unit").edge_weights.tolist()) == {1}
    assert set(Dag.from_any(name, edge_weights="unit").edge_weights.tolist()) == {1}


NAME = "polybench:lu:n=5"


@pytest.mark.usefixtures("folder")
def test_a_name_stands_for_a_graph_wherever_a_path_does(capsys):
    graph = generate.polybench("lu", n=5)
    assert read(NAME) == graph
    assert load(NAME).format == "generated"
    assert Dag.from_any(NAME) == graph
    assert read(NAME, reverse=True) == graph.reverse()
    assert read(NAME, vertex_weights=np.arange(graph.n)).total_weight == graph.n * (graph.n - 1) // 2
    assert check(NAME, partition(NAME, 2).labels).valid
    assert main(["info", NAME, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["vertices"] == graph.n
    assert main(["partition", NAME, "3", "-q"]) == 0
    labels = read_parts("polybench_lu_n=5.part.3", n=graph.n)
    assert check(graph, labels, 3).valid
    assert main(["check", NAME, "polybench_lu_n=5.part.3"]) == 0
    assert main(["info", "polybench:lu:n=5", "--as", "upper"]) == 2
    assert "nothing to choose with as" in capsys.readouterr().err


def test_a_real_file_wins(folder, capsys):
    (folder / NAME).write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
    assert read(NAME).n == 2
    assert Dag.from_any(NAME).n == 2
    assert main(["partition", NAME, "2", "-q"]) == 0
    assert (folder / f"{NAME}.part.2").exists()
    # So does one that cannot be read as a graph, rather than a data set in its place.
    (folder / NAME).write_text("")
    assert main(["info", NAME]) == 2
    assert NAME in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_paths_are_no_names(capsys):
    with pytest.raises(FileNotFoundError):
        read(Path(NAME))
    for name in ("none.mtx", "C:graph.mtx", "polynch:2mm"):
        assert not datasets.is_name(name)
        assert main(["info", name]) == 2
        assert f"error: {name}: No such file" in capsys.readouterr().err


def test_a_generator_that_gives_a_wrong_graph_is_found_out(monkeypatch, tmp_path):
    monkeypatch.setenv("DAGPART_CACHE", str(tmp_path))
    (full,) = (name for name in DIGESTS if name.startswith("polybench:2mm"))
    monkeypatch.setitem(generated.DIGESTS, full, "0" * 32)
    with pytest.raises(DagpartError, match=r"2mm.*has the hash [0-9a-f]{32}, not 0{32}"):
        datasets.load("polybench:2mm")
    assert not list(tmp_path.rglob("*.graph"))
