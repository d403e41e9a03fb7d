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
from dagpart import Dag, DagpartError, Digraph, MissingDependencyError, WeightError, partition
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


@pytest.mark.torch
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


# ---------------------------------------------------------------------- weights and labels in all of them


def path_in(library, weights):
    """A path of three vertices whose edges and vertices have these weights in the attribute "cost"."""
    module = pytest.importorskip(library)
    if library == "networkx":
        G = nx.path_graph(3, create_using=nx.DiGraph)
        for i, weight in enumerate(weights[:2]):
            G.edges[i, i + 1]["cost"] = weight
        for i, weight in enumerate(weights):
            G.nodes[i]["cost"] = weight
    elif library == "igraph":
        G = module.Graph(n=3, edges=[(0, 1), (1, 2)], directed=True)
        G.es["cost"], G.vs["cost"] = weights[:2], weights
    elif library == "rustworkx":
        G = module.PyDiGraph()
        G.add_nodes_from([{"cost": weight} for weight in weights])
        G.add_edges_from([(i, i + 1, {"cost": weight}) for i, weight in enumerate(weights[:2])])
    else:
        G = module.DataFrame({"source": [0, 1], "target": [1, 2], "cost": weights[:2]})
    return G


LIBRARIES = ["networkx", "igraph", "rustworkx", "pandas"]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("missing", [None, float("nan"), "NA"])
def test_missing_weights_count_one_and_are_told(library, missing):
    if missing == "NA":
        missing = pytest.importorskip("pandas").NA
    asked = {"edge_weights": "cost"} | ({} if library == "pandas" else {"vertex_weights": "cost"})
    graph = Digraph(path_in(library, [5, missing, 7]), **asked)
    assert graph.edge_weights.tolist() == [5, 1]
    assert graph.vertex_weights.tolist() == ([1, 1, 1] if library == "pandas" else [5, 1, 7])
    assert graph.dropped.missing_weights == len(asked)
    whole = Digraph(path_in(library, [5, 6, 7]), **asked)
    assert (whole.edge_weights.tolist(), whole.dropped.missing_weights) == ([5, 6], 0)
    # Where none has a weight, none is missing.
    none = Digraph(path_in(library, [missing] * 3), **asked)
    assert (none.total_edge_weight, none.dropped.missing_weights) == (2, 0)


@pytest.mark.parametrize("library", LIBRARIES)
def test_attributes_that_are_not_there(library):
    graph = path_in(library, [1, 2, 3])
    with pytest.raises(DagpartError, match=r"'prize'.*'cost'"):
        Digraph(graph, edge_weights="prize")
    with pytest.raises(DagpartError, match="prize"):
        Digraph(graph, vertex_weights="prize")
    with pytest.raises(WeightError, match="-1"):
        Digraph(path_in(library, [-1, 2, 3]), edge_weights="cost")


def test_from_networkx_misses_weights_in_the_same_way():
    graph = Digraph.from_networkx(
        path_in("networkx", [5, float("nan"), None]), weight="cost", node_weight="cost"
    )
    assert (graph.edge_weights.tolist(), graph.vertex_weights.tolist()) == ([5, 1], [5, 1, 1])
    assert graph.dropped.missing_weights == 3


def named_path(library, names):
    if library == "pandas":
        pandas = pytest.importorskip("pandas")
        return pandas.DataFrame({"source": names[:-1], "target": names[1:]})
    if library == "dask":
        pytest.importorskip("dask")
        from dask._task_spec import Task, TaskRef
        from dask.highlevelgraph import HighLevelGraph

        tasks = {names[0]: Task(names[0], int)}
        tasks |= {v: Task(v, int, TaskRef(u)) for u, v in pairwise(names)}
        return HighLevelGraph({"all": tasks}, {"all": set()})
    return build(Dag(list(pairwise(names))), library)


def attributes(library, graph):
    if library == "networkx":
        return dict(graph.nodes(data=True))
    return graph.vs.attributes() if library == "igraph" else None


@pytest.mark.parametrize("library", [*LIBRARIES, "dask"])
def test_another_graph_is_refused_before_anything_is_written(library):
    result = partition(named_path(library, ["a", "b", "c"]), 3)
    for names in (["a", "b", "x"], ["a", "b", "c", "d"]):
        other = named_path(library, names)
        before = str(attributes(library, other))
        with pytest.raises(DagpartError, match=r"'x'.*was not partitioned|4 vertices, but 3"):
            write_back(other, result)
        assert str(attributes(library, other)) == before


@pytest.mark.parametrize("library", ["networkx", "igraph", "rustworkx", "dask"])
def test_labels_go_by_name(library):
    result = partition(named_path(library, ["a", "b", "c"]), 3)
    back = write_back(named_path(library, ["c", "b", "a"]), result)
    if library == "networkx":
        assert nx.get_node_attributes(back, "part") == {"a": 0, "b": 1, "c": 2}
    elif library == "dask":
        assert back == {"a": 0, "b": 1, "c": 2}
    else:
        assert (back.vs["part"] if library == "igraph" else list(back.values())) == [2, 1, 0]


def test_dask_refuses_keys_that_are_not_there():
    dask = pytest.importorskip("dask")
    from dask._task_spec import Task, TaskRef
    from dask.highlevelgraph import HighLevelGraph

    tasks = {"a": Task("a", int), "b": Task("b", int, TaskRef("a"), TaskRef("lost"))}
    with pytest.raises(DagpartError, match="task 'b' needs 'lost'"):
        Digraph(HighLevelGraph({"all": tasks}, {"all": set()}))
    with pytest.raises(DagpartError, match=r"edges of a Dask graph.*'size'"):
        Digraph(dask.delayed(int)(), edge_weights="size")


# ---------------------------------------------------------------------- frames


@pytest.mark.parametrize(
    "columns",
    [("source", "target"), ("From", "To"), ("SRC", "dst"), ("FromNodeId", "ToNodeId"),
     ("parent_id", "child_id"), ("from", "target"), ("x", "y")],
)  # fmt: skip
@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 0, 1, 3], [0, 2, 1, 3], [1, 2, 0, 3]])
def test_ends_in_any_place_and_case(columns, order):
    pandas = pytest.importorskip("pandas")
    if columns == ("x", "y"):
        # Other names are told apart by their places alone.
        order = sorted(order)
    frame = pandas.DataFrame(
        {columns[0]: ["a", "b"], columns[1]: ["b", "c"], "Weight": [2, 3], "note": ["", ""]}
    )
    graph = Digraph(frame.iloc[:, order])
    assert list(graph.to_networkx().edges(data="weight")) == [("a", "b", 2), ("b", "c", 3)]
    indexed = frame.set_index(list(columns))
    if columns != ("x", "y"):
        assert Digraph(indexed) == graph
        assert Digraph(indexed, edge_weights=indexed["Weight"][::-1]) == graph


def test_columns_that_could_be_either():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(DagpartError, match="more than one column 'source'"):
        Digraph(pandas.DataFrame([["a", "b", "c"]], columns=["source", "target", "source"]))
    with pytest.raises(DagpartError, match=r"'SRC', 'DST', 'From', 'To'"):
        Digraph(pandas.DataFrame([list("abcd")], columns=["From", "To", "SRC", "DST"]))
    with pytest.raises(DagpartError, match="could all hold weights"):
        Digraph(pandas.DataFrame([["a", "b", 1, 2]], columns=["from", "to", "Weight", "WEIGHT"]))
    with pytest.raises(DagpartError, match="4 columns without names"):
        Digraph(pandas.DataFrame([[0, 1, 2, 3]]))


def test_a_square_frame_is_an_adjacency():
    pandas = pytest.importorskip("pandas")
    names = ["a", "b", "c"]
    frame = pandas.DataFrame([[0, 2, 0.5], [0, float("nan"), 1], [0, 0, 0]], index=names, columns=names)
    wanted = [("a", "b", 2), ("a", "c", 0.5), ("b", "c", 1)]
    for square in (frame, frame[::-1], frame[["b", "c", "a"]], frame.convert_dtypes()):
        graph = Digraph(square)
        edges = graph.to_networkx().edges(data="weight")
        assert sorted((u, v, w / graph.weight_scale) for u, v, w in edges) == wanted
    parts = write_back(frame, partition(frame, 3))
    assert parts.to_dict() == {"a": 0, "b": 1, "c": 2}
    ones = np.triu(np.ones((4, 4), dtype=int), 1)
    assert list(Digraph(pandas.DataFrame(ones)).to_networkx().edges) == list(
        zip(*np.nonzero(ones), strict=True)
    )
    with pytest.raises(DagpartError, match="adjacency matrix or edges"):
        Digraph(pandas.DataFrame(ones[1:, 1:]))
    with pytest.raises(DagpartError, match="holds the weights itself"):
        Digraph(frame, edge_weights="a")


def test_a_frame_without_names_is_a_list():
    pandas = pytest.importorskip("pandas")
    triples = [(0, 1, 5), (1, 2, 3), (0, 2, 1)]
    assert Digraph(pandas.DataFrame(triples)) == Digraph(triples)


def test_weights_of_a_frame_go_by_its_rows():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "cost": [4, 9]}, index=[7, 9])
    by_cost = frame["cost"].sort_values(ascending=False)
    assert Digraph(frame, edge_weights=by_cost).edge_weights.tolist() == [4, 9]
    vertex = pandas.Series({"c": 3, "a": 1, "b": 2})
    assert Digraph(frame, vertex_weights=vertex).vertex_weights.tolist() == [1, 2, 3]
    with pytest.raises(DagpartError, match="edge 7 has no weight"):
        Digraph(frame, edge_weights=pandas.Series([1, 2]))
