"""Files that are written hold the graph, and are what the format's other readers expect."""

from __future__ import annotations

import gzip
from dataclasses import replace

import numpy as np
import pytest
import scipy.io

from dagpart import Dag, DagpartError, Digraph, generate
from dagpart.io import FORMATS, read, write

WEIGHTED = Dag.from_edges([(0, 1), (0, 2), (1, 2)], n=4, edge_weights=[0, 5, 2**61])


@pytest.mark.parametrize("suffix", [".mtx", ".mm", ".MTX", ".mtx.gz", ".mtx.GZ"])
def test_suffixes(tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    write(generate.fft(8), path)
    assert path.read_bytes().startswith(b"\x1f\x8b") == suffix.lower().endswith(".gz")
    assert read(path) == generate.fft(8)


@pytest.mark.parametrize(
    "graph", [generate.grid2d(4), WEIGHTED, Dag.from_edges([], n=3), Dag.from_edges([], n=0)]
)
def test_matrix_market_files_hold_rows_and_edge_weights(tmp_path, graph):
    path = tmp_path / "out.mtx"
    write(graph, path)
    assert read(path, edge_weights="values", zeros="keep") == graph
    matrix = scipy.io.mmread(path)
    assert matrix.shape == (graph.n, graph.n)
    source, target = graph.to_scipy().tocoo().coords
    assert np.array_equal(np.sort(matrix.row * graph.n + matrix.col), np.sort(source * graph.n + target))


def test_graphs_with_cycles(tmp_path):
    ring = Digraph.from_edges([(0, 1), (1, 2), (2, 0)])
    write(ring, tmp_path / "out.mtx")
    assert read(tmp_path / "out.mtx", as_="adjacency") == ring


def test_a_named_format(tmp_path):
    write(generate.fft(4), tmp_path / "out", "matrix-market")
    assert read(tmp_path / "out") == generate.fft(4)


def test_the_time_is_not_in_the_file(tmp_path, monkeypatch):
    for now in (0.0, 1e9):
        monkeypatch.setattr("time.time", lambda now=now: now)
        write(generate.fft(4), tmp_path / f"{now}.mtx.gz")
    first, second = (path.read_bytes() for path in tmp_path.iterdir())
    assert first == second
    assert gzip.decompress(first).startswith(b"%%MatrixMarket")


@pytest.mark.parametrize("name", ["out", "out.txt", "out.gz", "mtx"])
def test_names_that_tell_no_format(tmp_path, name):
    with pytest.raises(
        DagpartError, match=rf"{name}: the suffix tells no format to write; there is \.mtx, \.mm"
    ):
        write(generate.fft(4), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_formats_that_are_only_read(tmp_path, monkeypatch):
    only_read = replace(FORMATS[0], name="old", suffixes=(".old",), dump=None)
    monkeypatch.setattr("dagpart.io.registry.FORMATS", (*FORMATS, only_read))
    with pytest.raises(
        DagpartError, match=r"out\.old: the format old is only read; what is written is matrix-market"
    ):
        write(generate.fft(4), tmp_path / "out.old")


def test_what_was_there_stays_when_writing_fails(tmp_path, monkeypatch):
    path = tmp_path / "out.mtx"
    path.write_text("old")
    monkeypatch.setattr("scipy.io.mmwrite", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write(generate.fft(4), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
