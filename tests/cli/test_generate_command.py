"""``dagpart generate``: what it writes, and what it refuses."""

from __future__ import annotations

import gzip
import io
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.io

from dagpart import Dag, generate
from dagpart.cli import main
from dagpart.generate import GENERATORS
from dagpart.io import read
from dagpart.io.parts import read_weights


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def entries(path):
    return np.column_stack(scipy.io.mmread(path).coords)


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (["grid2d", "--rows=3"], lambda: generate.grid2d(3)),
        (["grid2d", "--rows", "3", "--columns", "4"], lambda: generate.grid2d(3, 4)),
        (
            ["layered", "--layers=3", "--width=9", "--spread=2.5", "--skip=0", "--seed=7"],
            lambda: generate.layered(3, 9, spread=2.5, skip=0.0, seed=7),
        ),
        (["polybench:trisolv", "--n=4"], lambda: generate.polybench("trisolv", n=4)),
        (
            ["random_geometric", "--n=20", "--order", "random"],
            lambda: generate.random_geometric(20, order="random"),
        ),
    ],
)
def test_the_file_holds_the_graph(words, made, capsys):
    assert main(["generate", *words, "-o", "out.mtx"]) == 0
    graph = made()
    assert np.array_equal(entries("out.mtx"), np.column_stack(graph.to_scipy().tocoo().coords))
    assert read("out.mtx") == graph
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"dagpart: {words[0]}: {graph.n} vertices and {graph.m} edges written to out.mtx\n"


def test_the_options_may_come_in_any_order():
    assert main(["generate", "fft", "-o", "a.mtx", "--points=8", "-q"]) == 0
    assert main(["generate", "fft", "--points=8", "-q", "--output", "b.mtx"]) == 0
    assert read("a.mtx") == read("b.mtx") == generate.fft(8)


def test_compressed_files_do_not_change(folder, capsys):
    for name in ("a.mtx.gz", "b.mtx.gz"):
        assert main(["generate", "fft", "--points=8", "-q", "-o", name]) == 0
    assert (folder / "a.mtx.gz").read_bytes() == (folder / "b.mtx.gz").read_bytes()
    assert gzip.decompress((folder / "a.mtx.gz").read_bytes()).startswith(b"%%MatrixMarket")
    assert read("a.mtx.gz") == generate.fft(8)
    assert capsys.readouterr().err == ""


def test_standard_output(monkeypatch):
    out = io.BytesIO()
    monkeypatch.setattr("sys.stdout", SimpleNamespace(buffer=out, flush=lambda: None))
    assert main(["generate", "fft", "--points=4", "-o", "-", "-q"]) == 0
    matrix = scipy.io.mmread(io.BytesIO(out.getvalue()))
    assert Dag.from_scipy(matrix) == generate.fft(4)


def test_weights(capsys):
    words = ["generate", "polybench:lu", "--n=4", "--weights=cost", "-o", "out.mtx"]
    graph = generate.polybench("lu", n=4, weights="cost")
    assert main(words) == 0
    assert "no place for the vertex weights; --vertex-weights FILE" in capsys.readouterr().err
    assert main([*words, "--vertex-weights", "weights", "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert read("out.mtx", edge_weights="values", vertex_weights=read_weights("weights")) == graph


def test_the_list_and_the_help(capsys):
    assert main(["generate", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(GENERATORS)
    assert all(len(line.split()) > 1 for line in lines)
    assert main(["generate", "--help"]) == 0
    assert "--list" in capsys.readouterr().out
    for name, generator in GENERATORS.items():
        assert main(["generate", name, "--help"]) == 0
        said = capsys.readouterr().out
        assert all(f"--{parameter.replace('_', '-')} " in said for parameter in generator.parameters)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "a generator is needed; dagpart generate --list"),
        (["grid9d", "-o", "out.mtx"], "no generator grid9d; dagpart generate --list"),
        (["fft", "--points=8"], "-o"),
        (["fft", "-o", "out.mtx"], "fft needs a value for points"),
        (["fft", "--points=x", "-o", "out.mtx"], "points=x: it must be a whole number"),
        (["fft", "--points=8.5", "-o", "out.mtx"], "points=8.5: it must be a whole number"),
        (["fft", "--points=", "-o", "out.mtx"], "points=: it must be a whole number"),
        (["fft", "--points=7", "-o", "out.mtx"], "points must be a power of two"),
        (["fft", "--point=8", "-o", "out.mtx"], "fft does not take --point=8; its parameters are --points"),
        (["fft", "8", "--points=8", "-o", "out.mtx"], "fft does not take 8; its parameters are --points"),
        (["grid2d", "--rows=4", "--order=x", "-o", "out.mtx"], "order=x: it must be natural | random"),
        (["grid2d", "--rows=0", "-o", "out.mtx"], "rows must be at least 1"),
        (
            ["layered", "--layers=2", "--width=2", "--skip=nan", "-o", "out.mtx"],
            "skip must be from 0.0 to 1.0",
        ),
        (
            ["fft", "--points=8", "-o", "out.png"],
            "out.png: the suffix tells no format to write; there is .mtx",
        ),
        (["fft", "--points=8", "-o", "none/out.mtx"], "none/out.mtx: No such file or directory"),
        (["fft", "--points=8", "-o", "out.mtx", "--vertex-weights", "none/w"], "none/w: No such file"),
    ],
)
def test_what_is_refused(folder, words, said, capsys):
    assert main(["generate", *words]) == 2
    assert said in capsys.readouterr().err
    assert not list(folder.iterdir())


def test_a_failed_run_leaves_the_old_file(folder):
    (folder / "out.mtx").write_text("old")
    assert main(["generate", "fft", "--points=7", "-o", "out.mtx"]) == 2
    assert (folder / "out.mtx").read_text() == "old"
    assert [path.name for path in folder.iterdir()] == ["out.mtx"]
