"""Graphs are made once, and never taken from a file that is not as it was written."""

from __future__ import annotations

import numpy as np
import platformdirs
import pytest

from dagpart import Dag, DagpartError, generate
from dagpart.datasets import cache


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DAGPART_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Maker:
    """Makes a graph, and counts how often."""

    def __init__(self, graph):
        self.graph = graph
        self.times = 0

    def __call__(self):
        self.times += 1
        return self.graph


WEIGHTED = Dag.from_edges([(0, 1), (0, 2)], n=4, edge_weights=[0, 5], vertex_weights=[0, 1, 2**61, 3])


@pytest.mark.parametrize("graph", [generate.grid2d(5), WEIGHTED, Dag.from_edges([], n=0)])
@pytest.mark.usefixtures("folder")
def test_a_graph_is_made_once(graph):
    maker = Maker(graph)
    for _ in range(3):
        assert cache.graph("a", maker) == graph
    assert maker.times == 1
    assert cache.graph("b", maker) == graph
    assert maker.times == 2


def test_damage_is_noticed_and_mended(folder):
    maker = Maker(generate.fft(4))
    cache.graph("a", maker)
    (path,) = folder.rglob("*.graph")
    whole = path.read_bytes()
    damaged = [b"", b"x", whole[:-1], whole[1:], whole + b"\0", whole[: len(whole) // 2], b"\0" * len(whole)]
    for place in range(0, len(whole), 7):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << (place % 8)
        damaged.append(bytes(flipped))
    for times, data in enumerate(damaged, start=2):
        path.write_bytes(data)
        assert cache.graph("a", maker) == maker.graph
        assert maker.times == times
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "graph",
    [
        Dag.from_edges([("a", "b")]),
        Dag.from_edges([(0, 1)], edge_weights=[0.5]),
        Dag.from_edges([(0, 1)], vertex_weights=[0.5, 1]),
        Dag.from_edges([(0, 1), (0, 1)]),
    ],
)
def test_what_a_file_cannot_hold_is_made_anew(folder, graph):
    maker = Maker(graph)
    for times in (1, 2):
        found = cache.graph("a", maker)
        assert (found.names, found.dropped, found.weight_scale) == (
            graph.names,
            graph.dropped,
            graph.weight_scale,
        )
        assert maker.times == times
    assert not list(folder.rglob("*"))


def test_names_that_differ_have_files_of_their_own(folder):
    names = ["a:b", "a_b", "a/b", "../a", "x" * 300, "x" * 300 + "y", "A:B"]
    graphs = {name: generate.fft(2 ** (i + 1)) for i, name in enumerate(names)}
    for _ in range(2):
        for name, graph in graphs.items():
            assert cache.graph(name, Maker(graph)) == graph
    assert len({path.name.lower() for path in folder.rglob("*.graph")}) == len(names)
    assert all(folder in path.parents for path in folder.parent.rglob("*.graph"))


def test_a_place_that_cannot_be_written_costs_only_time(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DAGPART_CACHE", str(tmp_path / "file"))
    maker = Maker(generate.fft(4))
    for times in (1, 2):
        assert cache.graph("a", maker) == maker.graph
        assert maker.times == times


@pytest.mark.usefixtures("folder")
def test_a_graph_that_differs_from_the_published_one():
    right, wrong = generate.fft(4), generate.fft(8)
    published = cache.digest(right)
    with pytest.raises(DagpartError, match=f"a has the hash {cache.digest(wrong)}, not {published}"):
        cache.graph("a", Maker(wrong), published)
    # A file with a sound hash of its own, but another graph, is not taken either.
    cache.graph("a", Maker(wrong))
    assert cache.graph("a", Maker(right), published) == right
    assert cache.graph("a", Maker(wrong), published) == right


def test_the_hash_depends_on_rows_and_weights_and_nothing_else():
    graph = generate.grid2d(4)
    others = [
        generate.grid2d(4).reverse(),
        graph.with_weights(edge_weights=[2] * graph.m),
        graph.with_weights(vertex_weights=[2] * graph.n),
        Dag.from_edges(np.column_stack(graph.to_scipy().nonzero()), n=graph.n + 1),
    ]
    assert len({cache.digest(g) for g in (graph, *others)}) == 5
    again = Dag.from_scipy(graph.to_scipy(), index_dtype=np.int64)
    assert cache.digest(again) == cache.digest(graph)


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.setenv("DAGPART_CACHE", "here")
    monkeypatch.chdir(tmp_path)
    assert cache.folder() == tmp_path / "here"
    for nothing in (
        lambda: monkeypatch.setenv("DAGPART_CACHE", ""),
        lambda: monkeypatch.delenv("DAGPART_CACHE"),
    ):
        nothing()
        assert cache.folder() == platformdirs.user_cache_path("dagpart", appauthor=False)
