"""What is written is read again, with the options that a user gives who gives none; what is lost is said."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dagpart import DagpartError, Digraph
from dagpart.io import FORMATS, read, write

WRITTEN = [format for format in FORMATS if format.dump is not None]
SUFFIXES = [(format, suffix) for format in WRITTEN for suffix in format.suffixes]

TEXTS = st.text(max_size=6) | st.text(" \t\"#%/,;\\{}'-->a01\n\r\0", max_size=4)
NAMES = {
    "none": lambda n: st.none(),
    "texts": lambda n: st.lists(TEXTS, unique=True, min_size=n, max_size=n),
    "digits": lambda n: st.permutations([str(v) for v in range(n)]),
    "numbers": lambda n: st.lists(st.integers(-5, 50), unique=True, min_size=n, max_size=n),
    "tuples": lambda n: st.just([("layer", v) for v in range(n)]),
}
WEIGHTS = {
    "ones": st.just(1),
    "whole": st.integers(0, 2**40),
    "large": st.integers(2**53, 2**56),
    "decimal": st.decimals(0, 1000, places=3).map(float),
    "real": st.floats(0, 1024, width=16),
}


@st.composite
def graphs(draw):
    n = draw(st.integers(0, 6))
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=8)) if pairs else []
    edge, vertex = (draw(st.sampled_from(sorted(WEIGHTS))) for _ in range(2))
    names = draw(NAMES[draw(st.sampled_from(sorted(NAMES)))](n))
    # Weights that are large and others that are not whole share no scale.
    assume({edge, vertex} & {"ones", "whole", "large"} == {edge, vertex} or "large" not in (edge, vertex))
    return Digraph.from_edges(
        np.array(edges, dtype=np.int64).reshape(-1, 2),
        n,
        # The numbers 0 .. n-1 in order are ids, whether they are called names or not.
        names=None if names is None or list(names) == list(range(n)) else names,
        edge_weights=draw(st.lists(WEIGHTS[edge], min_size=len(edges), max_size=len(edges))),
        vertex_weights=draw(st.lists(WEIGHTS[vertex], min_size=n, max_size=n)),
    )


def facts(graph, *, named, directed, scaled):
    """Weights of vertices and edges, by name or place, with their direction or without."""
    name = (lambda v: str(graph.name(v))) if named else int
    scales = (graph.vertex_weight_scale, graph.weight_scale) if scaled else (1, 1)
    # Whole numbers stay whole, as a double has not all of them; a unit that others asked for rounds the rest.
    vertex_scale, scale = (Fraction(1) if part == 1 else part for part in scales)
    vertices = {name(v): weight / vertex_scale for v, weight in enumerate(graph.vertex_weights.tolist())}
    edges = {}
    ends = zip(
        graph.edge_sources().tolist(), graph.indices.tolist(), graph.edge_weights.tolist(), strict=True
    )
    for u, v, weight in ends:
        pair = (u, v) if directed else (min(u, v), max(u, v))
        pair = tuple(map(name, pair))
        edges[pair] = edges.get(pair, 0) + weight / scale
    return vertices, edges


def sends_unequal_weights(graph):
    sent = set(zip(graph.edge_sources().tolist(), graph.edge_weights.tolist(), strict=True))
    return len(sent) > len({u for u, _ in sent})


def refused(graph, path):
    """Why a graph was not written, None if it was."""
    try:
        write(graph, path)
    except DagpartError as error:
        return str(error)
    return None


@pytest.mark.parametrize(("format", "suffix"), SUFFIXES, ids=[suffix for _, suffix in SUFFIXES])
@settings(max_examples=60)
@given(graph=graphs(), packed=st.booleans())
def test_what_is_written_is_read(format, suffix, graph, packed):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"graph{suffix}{'.gz' if packed else ''}")
        refusal = refused(graph, path)
        if refusal is not None:
            # Names may be more than a format can hold, or weights that differ where a vertex has one for all.
            if format.name == "lhdag" and sends_unequal_weights(graph):
                assert "one weight for all edges that leave a vertex" in refusal
            else:
                assert any(words in refusal for words in ("cannot write", "no way to write", "holds names"))
                assert graph.names is not None
            assert not path.exists()
            return
        again = read(path)
    keeps = set(format.keeps)
    how = {"named": "names" in keeps, "directed": "direction" in keeps, "scaled": "scale" in keeps}
    (vertices, edges), (vertices_again, edges_again) = facts(graph, **how), facts(again, **how)
    assert list(edges_again) == sorted(edges_again) or "names" in keeps
    assert edges_again == (edges if "edge_weights" in keeps else dict.fromkeys(edges, 1))
    assert vertices_again == (vertices if "vertex_weights" in keeps else dict.fromkeys(vertices, 1))
    losses = format.losses(graph)
    assert again == graph or losses
    # Nothing else is lost than what is said.
    assert not format.losses(again) or set(format.losses(again)) < set(losses)


def test_losses_are_said_in_words():
    graph = Digraph.from_edges(
        [(0, 1), (1, 0)], 2, edge_weights=[0.5, 1], vertex_weights=[1, 2], names=[7, 9]
    )
    said = {format.name: format.losses(graph) for format in WRITTEN}
    assert said["node-link"] == said["npz"] == []
    assert said["dot"] == said["edge-list"] == ["the types of the names, which come back as texts or ids"]
    assert said["matrix-market"] == ["the names of the vertices", "the weights of the vertices"]
    assert said["metis"] == [
        "the names of the vertices",
        "the direction of edges from a higher id to a lower one",
        "that weights were scaled to integers",
    ]


def test_matrix_market_tells_weights_from_the_numbers_of_a_matrix(tmp_path):
    """Only where the file says so are its values weights, and a graph with cycles stays one."""
    ring = Digraph.from_edges([(0, 1, 2), (1, 2, 0), (2, 0, 0.5)], 3)
    write(ring, tmp_path / "ring.mtx")
    assert read(tmp_path / "ring.mtx") == ring
    assert read(tmp_path / "ring.mtx", edge_weights="unit", zeros="drop").edge_weights.tolist() == [1, 1]
    assert read(tmp_path / "ring.mtx", as_="lower").m == 1
    text = (tmp_path / "ring.mtx").read_text()
    (tmp_path / "other.mtx").write_text("\n".join(line for line in text.split("\n") if line[:2] != "% "))
    assert read(tmp_path / "other.mtx").edge_weights.tolist() == [1, 1]


def test_tabs_where_the_name_says_so(tmp_path):
    graph = Digraph.from_edges([("a,b", "c d", 2)])
    for name, format in (("g.tsv", None), ("G.TSV", "edge-list"), ("g.txt", "tsv")):
        write(graph, tmp_path / name, format)
        assert (tmp_path / name).read_text() == "source\ttarget\tweight\na,b\t\t1\nc d\t\t1\na,b\tc d\t2\n"
        assert read(tmp_path / name, "tsv") == graph
    write(graph, tmp_path / "g.csv")
    assert (tmp_path / "g.csv").read_text() == 'source,target,weight\n"a,b",,1\nc d,,1\n"a,b",c d,2\n'
