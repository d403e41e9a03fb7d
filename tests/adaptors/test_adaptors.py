"""Objects of other libraries: each is the graph it holds, and gets its labels back in its own terms."""

from __future__ import annotations

import sys
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import dagpart
from dagpart import Dag, DagpartError, Digraph, MissingDependencyError, partition
from dagpart.adaptors import build, find, write_back

EDGES = [("load", "left", 8), ("load", "right", 1), ("left", "join", 8), ("right", "join", 2)]
DIAMOND = Dag.from_edges(EDGES)
WEIGHTED = Dag.from_edges(EDGES, vertex_weights=[1, 2, 3, 4])


def dags():
    """Random DAGs with edge weights."""
    pairs = st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] < pair[1])
    edges = st.dictionaries(pairs, st.integers(0, 9), max_size=20)
    return edges.map(lambda found: Dag.from_edges([(*pair, weight) for pair, weight in found.items()], n=10))


@pytest.mark.parametrize("library", ["networkx", "rustworkx", "igraph", "pandas"])
def test_out_and_in_again(library):
    pytest.importorskip(library)

    @given(dags())
    def check(graph):
        again = Digraph(build(graph, library), **({"n": 10} if library == "networkx" else {}))
        if library == "pandas":
            # A frame holds no vertex without an edge.
            kept = graph.to_networkx()
            kept.remove_nodes_from(list(nx.isolates(graph.to_networkx())))
            again, graph = again.to_networkx(), kept
            assert dict(again.edges) == dict(graph.edges)
        else:
            assert again == graph

    check()
    named = build(DIAMOND, library)
    assert Digraph(named) == DIAMOND
    assert find(named).package == library


@pytest.mark.parametrize("library", ["rustworkx", "igraph", "pandas"])
def test_absent_libraries(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingDependencyError, match=rf"{library} is needed.*dagpart.graphs"):
        build(DIAMOND, library)
    # What is not there holds nothing: lists stay lists.
    assert Dag([(0, 1)]).m == 1


def test_onnx_absent(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "onnx", None)
    (tmp_path / "net.onnx").write_bytes(b"")
    with pytest.raises(MissingDependencyError, match=r'onnx is needed.*pip install "dagpart\[onnx\]"'):
        dagpart.read(tmp_path / "net.onnx")


def test_unknown_library():
    with pytest.raises(DagpartError, match=r"library must be 'networkx', .*, got 'sage'"):
        build(DIAMOND, "sage")


def test_no_form_of_its_own():
    result = partition(EDGES, 2)
    for graph in (EDGES, DIAMOND, scipy.sparse.eye_array(4)):
        with pytest.raises(DagpartError, match=r"take result\.labels"):
            write_back(graph, result)
    with pytest.raises(DagpartError, match="5 vertices, but 4 were partitioned"):
        write_back(nx.path_graph(5, create_using=nx.DiGraph), result)


# ---------------------------------------------------------------------- NetworkX


def test_networkx_weights_and_labels():
    G = WEIGHTED.to_networkx()
    assert Digraph(G) == WEIGHTED
    result = partition(G, 2, imbalance=1)
    assert write_back(G, result, "block") is G
    assert nx.get_node_attributes(G, "block") == dict(zip(DIAMOND.names, result.labels.tolist(), strict=True))


def test_networkx_sizes_count_where_there_is_no_weight():
    G = nx.DiGraph()
    G.add_node("b", size=4)
    G.add_edge("a", "b", size=7)
    G.add_edge("b", "c")
    graph = Digraph(G)
    assert {graph.name(v): w for v, w in enumerate(graph.vertex_weights.tolist())} == {"a": 1, "b": 4, "c": 1}
    assert sorted(graph.edge_weights.tolist()) == [1, 7]


class Task:
    """A node that is an object."""


def test_networkx_nodes_may_be_objects():
    tasks = [Task() for _ in range(4)]
    G = nx.DiGraph(pairwise(tasks))
    write_back(G, partition(G, 2))
    assert [G.nodes[task]["part"] for task in tasks] == [0, 0, 1, 1]


# ---------------------------------------------------------------------- rustworkx, igraph, pandas


def test_rustworkx():
    rx = pytest.importorskip("rustworkx")
    G = rx.PyDiGraph()
    G.add_nodes_from(["spare", {"weight": 5}, None, "x"])
    G.add_edges_from([(1, 2, 7), (2, 3, {"size": 3}), (1, 3, None)])
    G.remove_node(0)
    graph = Digraph(G)
    assert (graph.names, graph.vertex_weights.tolist()) == ((1, 2, 3), [5, 1, 1])
    assert graph.edge_weights.tolist() == [7, 1, 3]
    result = partition(G, 2, imbalance=1)
    assert write_back(G, result) == dict(zip((1, 2, 3), result.labels.tolist(), strict=True))
    with pytest.raises(DagpartError, match="no directions"):
        Digraph(rx.PyGraph())


def test_igraph():
    igraph = pytest.importorskip("igraph")
    G = igraph.Graph(n=3, edges=[(0, 1), (1, 2)], directed=True)
    G.es["size"] = [2, None]
    assert Digraph(G).edge_weights.tolist() == [2, 1]
    assert write_back(G, partition(G, 3)).vs["part"] == [0, 1, 2]
    with pytest.raises(DagpartError, match="directed=True"):
        Digraph(igraph.Graph(n=2))


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"cost": [1, 1], "target": ["b", "c"], "source": ["a", "b"], "size": [2, 0.5]})
    graph = Digraph(frame)
    assert graph.names == ("a", "b", "c")
    assert (graph.edge_weights / graph.weight_scale).tolist() == [2, 0.5]
    parts = write_back(frame, partition(frame, 3))
    assert (parts.name, parts.to_dict()) == ("part", {"a": 0, "b": 1, "c": 2})
    plain = pandas.DataFrame([[2, 0], [0, 1]])
    assert (Digraph(plain).names, Digraph(plain).indices.tolist()) == (None, [1, 0])
    with pytest.raises(DagpartError, match="row 1 of the frame has no name"):
        Digraph(pandas.DataFrame({"source": ["a", None], "target": ["b", "c"]}))
    with pytest.raises(DagpartError, match="the columns source and target"):
        Digraph(pandas.DataFrame({"source": ["a"]}))


# ---------------------------------------------------------------------- Dask, torch.fx, SciPy


def test_dask_collections():
    dask = pytest.importorskip("dask")
    one = dask.delayed(lambda: 1, pure=False)()
    two = dask.delayed(lambda a, b: a + b, pure=False)(one, one)
    graph = Digraph(two)
    assert list(graph.to_networkx().edges) == [(one.key, two.key)]
    assert Digraph(two.__dask_graph__()) == graph
    bag = pytest.importorskip("dask.bag").from_sequence(range(8), npartitions=4).map(abs).sum()
    assert set(write_back(bag, partition(bag, 2))) == set(bag.__dask_graph__())


def test_torch_graphs():
    torch = pytest.importorskip("torch")
    traced = torch.fx.symbolic_trace(lambda x, y: torch.relu(x + y) * x)
    graph = Digraph(traced)
    assert graph.names == ("add", "relu", "mul")
    assert sorted(Digraph(traced.graph).to_networkx().edges) == [("add", "relu"), ("relu", "mul")]
    part_of = write_back(traced, partition(traced, 3))
    assert [part_of(node) for node in traced.graph.nodes if node.name in graph.names] == [0, 1, 2]
    with pytest.raises(DagpartError, match="the node x was not partitioned"):
        part_of(next(iter(traced.graph.nodes)))


@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("form", ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"])
@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_scipy_in_each_form(kind, form, width):
    made = getattr(scipy.sparse, f"coo_{kind}")(DIAMOND.to_scipy()).asformat(form)
    for name in ("indices", "indptr", "row", "col", "offsets"):
        if isinstance(getattr(made, name, None), np.ndarray):
            try:
                setattr(made, name, getattr(made, name).astype(width))
            except AttributeError:
                made.coords = tuple(ids.astype(width) for ids in made.coords)
    graph = Digraph(made, edge_weights="values", names=DIAMOND.names)
    assert graph == DIAMOND
