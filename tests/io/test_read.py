"""The registry: which reader a file gets, and the options that all formats share."""

from __future__ import annotations

import gzip
import io
from types import SimpleNamespace

import pytest

import dagpart
from dagpart.cli import main
from dagpart.errors import DagpartError, ParseError, WeightError
from dagpart.io import FORMATS, load, read, read_named_weights, read_parts, read_weights
from dagpart.io.names import MODULES
from dagpart.schedule import read_platform

CHAIN = b"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n"


@pytest.fixture
def chain(tmp_path):
    path = tmp_path / "chain.mtx"
    path.write_bytes(CHAIN)
    return path


def standard_input(monkeypatch, data):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))


def test_every_format_is_known_by_its_name():
    assert [format.name for format in FORMATS] == list(MODULES)


@pytest.mark.parametrize("name", ["a.mtx", "a.MTX", "a.mm", "a.b.mtx.gz", "A.MTX.GZ"])
def test_suffixes(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(CHAIN) if name.lower().endswith("gz") else CHAIN)
    assert load(path).format == "matrix-market"


def test_gzip_is_told_by_what_is_inside(tmp_path):
    for name, data in (("packed.mtx", gzip.compress(CHAIN)), ("plain.mtx.gz", CHAIN)):
        (tmp_path / name).write_bytes(data)
        assert read(tmp_path / name).m == 2


def test_files_without_a_telling_name(tmp_path):
    path = tmp_path / "chain"
    path.write_bytes(b"\n" + CHAIN.upper())
    assert read(path).m == 2
    path.write_bytes(CHAIN.partition(b"\n")[2])
    with pytest.raises(DagpartError, match=r"chain.*--format.*matrix-market"):
        read(path)
    for name in ("matrix-market", "Matrix-Market", "mtx", ".mtx", "mm"):
        assert read(path, name).m == 2


ENCODINGS = ["utf-16", "utf-16-le", "utf-16-be"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "suffix", sorted({suffix for format in FORMATS for suffix in format.suffixes} | {""})
)
def test_text_in_utf_16_is_named_in_every_format(suffix, encoding, tmp_path):
    path = tmp_path / f"graph{suffix}"
    path.write_text("digraph { a -> b }\n", encoding=encoding)
    for data in (path.read_bytes(), gzip.compress(path.read_bytes())):
        path.write_bytes(data)
        with pytest.raises(ParseError, match="found text in UTF-16") as caught:
            read(path)
        assert "iconv" in caught.value.expected


@pytest.mark.parametrize("reader", [read_parts, read_weights, read_named_weights, read_platform])
def test_text_in_utf_16_is_named_by_every_reader(reader, tmp_path):
    (tmp_path / "file.json").write_text("0\n1\n0\n0\n", encoding="utf-16")
    with pytest.raises(ParseError, match="found text in UTF-16"):
        reader(tmp_path / "file.json")


def test_lists_of_edges_called_txt_name_the_format(tmp_path, capsys):
    path = tmp_path / "web.txt"
    path.write_text("# Directed graph\n# FromNodeId\tToNodeId\n0\t11\n11\t2\n")
    with pytest.raises(ParseError, match="--format edge-list"):
        read(path)
    assert main(["info", str(path)]) == 2
    assert "--format edge-list" in capsys.readouterr().err
    assert read(path, "edge-list").m == 2
    with pytest.raises(ParseError) as caught:
        read(path, "hyperdag")
    assert "edge-list" not in str(caught.value)


def test_unknown_format(chain):
    with pytest.raises(DagpartError, match=r"'hdf5'.*matrix-market"):
        read(chain, format="hdf5")


def test_unknown_option(chain):
    with pytest.raises(
        DagpartError, match=r"no option weighted; it has as_, index_base, zeros, edge_weights"
    ):
        read(chain, weighted=True)


def test_standard_input(monkeypatch):
    standard_input(monkeypatch, gzip.compress(CHAIN))
    assert read("-").m == 2
    standard_input(monkeypatch, b"")
    with pytest.raises(ParseError, match=r"<stdin>:1: found an empty file"):
        read("-", "mtx")
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(OSError, match="<stdin>"):
        read("-")


def test_reverse(chain):
    graph = read(chain, reverse=True)
    assert (type(graph), graph.indptr.tolist(), graph.indices.tolist()) == (dagpart.Dag, [0, 0, 1, 2], [0, 1])


def test_vertex_weights(chain):
    assert read(chain, vertex_weights=[1, 0.5, 2]).vertex_weights.tolist() == [10, 5, 20]
    with pytest.raises(WeightError, match="2 weights for 3"):
        read(chain, vertex_weights=[1, 2])


def test_paths_are_graphs(chain):
    assert dagpart.partition(chain, 3).labels.tolist() == [0, 1, 2]
    assert dagpart.check(str(chain), [0, 1, 0]).acyclic is False
