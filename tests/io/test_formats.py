"""Each text format: what its files mean, and what is said about those that are damaged."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagpart import Dag, DagpartError, Digraph, WeightError
from dagpart.errors import ParseError
from dagpart.io import FORMATS, Source, load, read, write
from dagpart.io.dot import load_attributes
from dagpart.io.parts import read_named_weights

BY_NAME = {format.name: format for format in FORMATS}
WRITTEN = [format.name for format in FORMATS if format.dump is not None]
TEXTS = [format.name for format in FORMATS if format.name not in ("npz", "onnx")]


def parse(name, text, **options):
    data = text if isinstance(text, bytes) else text.encode()
    return BY_NAME[name].load(Source("in", data), **options)


def refusal(name, text, **options):
    with pytest.raises(ParseError) as caught:
        parse(name, text, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def named_edges(graph):
    tails = graph.edge_sources().tolist()
    pairs = zip(
        tails, graph.indices.tolist(), (graph.edge_weights / graph.weight_scale).tolist(), strict=True
    )
    return {(graph.name(u), graph.name(v)): weight for u, v, weight in pairs}


# ---------------------------------------------------------------------- METIS and dagP


def test_metis_weights():
    graph = parse("metis", "% a comment\n3 2 011\n5 2 7\n6 1 7 3 8\n% another\n7 2 8\n\n").graph
    assert (graph.vertex_weights.tolist(), graph.edge_weights.tolist()) == ([5, 6, 7], [7, 8])


def test_metis_every_part_of_the_format_number():
    plain = parse("metis", "3 2\n2\n1 3\n2\n").graph
    sized = parse("metis", "3 2 100\n9 2\n9 1 3\n9 2\n").graph
    full = parse("metis", "3 2 111 2\n9 4 0 2 5\n9 5 0 1 5 3 6\n9 6 0 2 6\n")
    assert plain == sized == Dag.from_edges([(0, 1), (1, 2)])
    assert (full.graph.vertex_weights.tolist(), full.graph.edge_weights.tolist()) == ([4, 5, 6], [5, 6])
    assert full.notes[1] == "2 weights a vertex: the first is taken"


def test_metis_blank_lines_are_isolated_vertices():
    assert parse("metis", "4 1\n3\n\n1\n\n").graph == Dag.from_edges([(0, 2)], n=4)
    # What follows the last vertex is no vertex.
    assert parse("metis", "2 1\n2\n1\n\n\n").graph.n == 2
    assert parse("metis", "2 0\n\n\n").graph.n == 2


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        ("", 1, "an empty file", "a header"),
        ("% only\n", 1, "the end of the file", "a header"),
        ("3\n", 1, "3", "a header"),
        ("3 2 1 1 1\n", 1, "3 2 1 1 1", "a header"),
        ("-1 2\n", 1, "-1 2", "a header"),
        ("2 1 7\n2\n1\n", 1, "the format 7", "one of 000"),
        ("2 1 1 2\n2 1\n1 1\n", 1, "2 weights a vertex", "010"),
        ("2 1 10 0\n1 2\n1 1\n", 1, "0 weights a vertex", "1"),
        ("3 1\n2\n1\n", 3, "2 lines below the header", "3 lines of vertices, as the header in line 1 says"),
        ("999999999999 1\n2\n1\n", 3, "2 lines below", "999999999999 lines"),
        ("2 1\n2\n1\n1\n", 4, "one more line with numbers", "2 lines"),
        ("2 1\n3\n1\n", 2, "the neighbour 3", "one from 1 to 2"),
        ("2 1\n0\n1\n", 2, "the neighbour 0", "one from 1 to 2"),
        ("2 1\nx\n1\n", 2, "'x'", "a whole number"),
        ("2 1\n2.0\n1\n", 2, "'2.0'", "a whole number"),
        ("2 1\n1_0\n1\n", 2, "'1_0'", "a whole number"),
        ("2 1\n2\n\n", 2, "the neighbour 2 of vertex 1", "in the line of vertex 2, too"),
        (
            "2 1 1\n2 5\n1 6\n",
            2,
            "the neighbour 2 of vertex 1 (edge weight 5)",
            "in the line of vertex 2, too",
        ),
        ("2 5\n2\n1\n", 1, "5 edges in the header", "1, as the lines below have"),
        ("2 1 1\n2\n1\n", 2, "1 numbers", "pairs of neighbour and weight"),
        ("2 1 10\n1 2\n\n", 3, "0 numbers", "1 weights"),
        ("2 1 10\n-1 2\n1 1\n", 2, "the weight -1", "not negative"),
        ("2 1 1\n2 -5\n1 -5\n", 2, "the weight -5", "not negative"),
    ],
)
def test_metis_damage(text, line, found, expected):
    error = refusal("metis", text)
    assert error.line == line
    assert found in error.found
    assert expected in error.expected


def test_dagp_has_directions():
    """Offsets, then the predecessors of vertex 0, of vertex 1, ..., from 1, on any lines."""
    expected = {(1, 0): 1, (2, 0): 1, (1, 2): 1}
    assert named_edges(parse("dagp", "3 3\n0 2 2 3\n2 3 2\n").graph) == expected
    assert named_edges(parse("dagp", "3 3 0 2\n2\n3 2 3\n\n2 % the last one\n").graph) == expected
    assert parse("dagp", "2 0\n0 0 0\n").graph.n == 2


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("", 1, "an empty file"),
        ("3\n", 1, "the end of the file"),
        ("3 -1\n0 0 0\n", 1, "3 -1"),
        # METIS's layout, which other tools have under this suffix.
        ("3 2\n2\n3\n\n", 3, "2 numbers behind 3 vertices and 2 edges"),
        ("2 1\n0 0 1\n1 1\n", 3, "5 numbers behind 2 vertices and 1 edges"),
        ("2 1\n1 1 1\n1\n", 2, "the first offset 1"),
        ("3 1\n0 1\n0 1\n1\n", 3, "the offset 0 behind 1"),
        ("2 1\n0 0\n0\n1\n", 3, "the last offset 0"),
        ("2 1\n0 0 1\n3\n", 3, "the predecessor 3"),
        ("2 1\n0 0 1\n0\n", 3, "the predecessor 0"),
        ("2 1\n0 0 x\n0\n", 2, "'x'"),
    ],
)
def test_dagp_damage(text, line, found):
    error = refusal("dagp", text)
    assert (error.line, error.found) == (line, found)


# ---------------------------------------------------------------------- DOT


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("digraph{}", {}),
        ("strict digraph G { a -> b; a -> b [weight=7] }", {("a", "b"): 7}),
        ("DIGRAPH { a -> b; a -> b }", {("a", "b"): 2}),
        ("digraph { a -> b -> c }", {("a", "b"): 1, ("b", "c"): 1}),
        ("digraph { a:n -> b:x:sw [weight=2] }", {("a", "b"): 2}),
        ('digraph { "a:n" -> "b;[c]" }', {("a:n", "b;[c]"): 1}),
        ('digraph { "a\\"q" -> "b\\\\c" }', {('a"q', "b\\\\c"): 1}),
        ('digraph { "a\\\nb" -> c }', {("ab", "c"): 1}),
        ('digraph { "a" + "b" -> c }', {("ab", "c"): 1}),
        ("digraph { {a b} -> {c; d} }", {(u, v): 1 for u in "ab" for v in "cd"}),
        ("digraph { subgraph s { a -> b } -> c }", {("a", "b"): 1, ("a", "c"): 1, ("b", "c"): 1}),
        ("digraph { a -> {b -> c} [weight=3] }", {("a", "b"): 3, ("a", "c"): 3, ("b", "c"): 1}),
        ("digraph { edge [weight=3]; a -> b; { edge [weight=4] b -> c } c -> d }", {
            ("a", "b"): 3, ("b", "c"): 4, ("c", "d"): 3,
        }),
        ("digraph { color=white; rankdir=LR a -> b }", {("a", "b"): 1}),
        ("digraph { a -> b [color=red][weight=5,style=x;comm=9] }", {("a", "b"): 5}),
        ("digraph { a -> b [label=<x <b>y -- z</b>>] }", {("a", "b"): 1}),
        ("// c\n# line\n/* c\n*/ digraph { a -> b // c\n# c\n}", {("a", "b"): 1}),
        ("\ufeffdigraph { é -> 日本 }", {("é", "日本"): 1}),
        ("digraph { -1.5 -> .5 -> 2. }", {("-1.5", ".5"): 1, (".5", "2."): 1}),
        ("digraph { a -> b [size=\"-1\"]; b -> c [size=\"0.5\"] }", {("a", "b"): 0, ("b", "c"): 0.5}),
        ("digraph { a -> b [comm_weight=\"4\";]; }", {("a", "b"): 4}),
        ("graph { b -- a; c -- b }", {("b", "a"): 1, ("b", "c"): 1}),
        ("digraph { 1 -> 0; 2 }", {(1, 0): 1}),
        ("digraph { a, b -> c, d -> e [weight=2] }", {
            **{(u, v): 2 for u in "ab" for v in "cd"}, ("c", "e"): 2, ("d", "e"): 2,
        }),
        ("digraph { a:n, b:s -> {c d}, e }", {(u, v): 1 for u in "ab" for v in "cde"}),
        ("digraph { {a b}, c -> d }", {(u, "d"): 1 for u in "abc"}),
        ("digraph { {a b} [weight=3] a -> b subgraph c {d} [label=x]; }", {("a", "b"): 1}),
        ("graph { c -- a, b }", {("c", "a"): 1, ("c", "b"): 1}),
        ("strict digraph { a -> b [weight=5]; a -> b [color=red]; a -> b }", {("a", "b"): 5}),
        ("strict digraph { edge [weight=2] a -> b; edge [weight=7] a -> b }", {("a", "b"): 2}),
        ("strict digraph { a -> b [size=-1]; a -> b [comm=4]; a -> {b c} }", {("a", "b"): 4, ("a", "c"): 1}),
        ("strict graph { a -- b [weight=2]; b -- a [weight=3] }", {("a", "b"): 3}),
        ("digraph { a -> b [key=x, weight=1]; a -> b [key=x, weight=5] }", {("a", "b"): 5}),
        ("digraph { a -> b [key=x, weight=1]; a -> b [key=y, weight=5] }", {("a", "b"): 6}),
        ("digraph { subgraph S {a b} c -> subgraph S {d} }", {("c", v): 1 for v in "abd"}),
        ("digraph { subgraph S {a} {subgraph S {b}} c -> subgraph S {} }", {("c", "a"): 1}),
        ("digraph { subgraph S {a {b; subgraph T {d}}} c -> subgraph S {} }", {("c", v): 1 for v in "abd"}),
        ("digraph { subgraph S {edge [weight=3] a -> b} subgraph S {b -> c} c -> d }", {
            ("a", "b"): 3, ("b", "c"): 3, ("c", "d"): 1,
        }),
        ('digraph { a -> b [weight=""]; b -> c [weight=" ", comm=4] }', {("a", "b"): 1, ("b", "c"): 4}),
        ('digraph { a -> b [size="12 KB"] }', {("a", "b"): 1}),
        ("digraph { a->b;b->-1;-1->2.5/* c */;2.5->c//\n}", {
            ("a", "b"): 1, ("b", "-1"): 1, ("-1", "2.5"): 1, ("2.5", "c"): 1,
        }),
    ],
)  # fmt: skip
def test_dot(text, edges):
    assert named_edges(parse("dot", text).graph) == edges


def test_dot_further_attributes():
    """By vertex: nodes called by numbers come in the order of these; the last that is said counts."""
    text = b'digraph { 2 [proc=7]; node [proc=3]; 0 -> 1; 1 [proc="x y"]; 2 [size=4] }'
    loaded, found = load_attributes(Source("g.dot", text), "proc", "colour")
    assert loaded.graph.vertex_weights.tolist() == [1, 1, 4]
    assert found == {"proc": ["3", "x y", "7"], "colour": [None] * 3}
    named = load_attributes(Source("g.dot", b"digraph { b -> a; a [k=1] }"), "k")
    assert (named[0].graph.names, named[1]) == (("b", "a"), {"k": [None, "1"]})


def test_dot_weights_of_nodes():
    text = 'digraph { node [weight=3]; a; b [size="7", weight="5"]; node [work=2]; c; a -> b; c [work=9] }'
    graph = parse("dot", text).graph
    assert dict(zip(graph.names, graph.vertex_weights.tolist(), strict=True)) == {"a": 3, "b": 5, "c": 3}
    # Whatever is said of a node and where: the attribute that comes first in the documentation counts.
    assert parse("dot", "digraph { a [size=4]; a [work=6]; a [size=8] }").graph.vertex_weights.tolist() == [6]


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        ("", 1, "an empty file", "a graph"),
        ("hello", 1, "'hello'", "a graph"),
        ("digraph", 1, "the end of the file", "{"),
        ("digraph {\n a -> b", 2, "the end of the file", "a statement"),
        ("digraph {\n a ->\n}", 3, "'}'", "a node"),
        ("digraph {\n a -- b }", 2, "'-- b }'", "->, as this is a digraph"),
        ("graph {\n a -> b }", 2, "'-> b }'", "--, as this is a graph"),
        ("digraph {\n a [weight=1\n", 2, "the end of the file", "an attribute or ]"),
        ("digraph {\n a [weight=] }", 2, "'] }'", "the value of an attribute"),
        ("digraph {\n a [weight=-1] }", 2, "'-1'", "not negative"),
        ("digraph {\n\n a -> b [weight=nan] }", 3, "'nan'", "finite"),
        ("digraph { a -> b [weight=inf] }", 1, "'inf'", "finite"),
        ('digraph { a -> b [weight="1e400"] }', 1, "'1e400'", "finite"),
        ('digraph {\n "a -> b }', 2, "'\"a -> b }'", "quoted"),
        ("digraph {\n a -> b /* }", 2, "'/* }'", "comment"),
        ("digraph {\n a [label=<<b>] }", 2, "'<<b>] }'", "as many > as <"),
        ("digraph { } digraph { }", 1, "'digraph { }'", "one graph a file"),
        ("digraph { } }", 1, "'}'", "the end of the file"),
        ("digraph { subgraph a b }", 1, "'b }'", "{"),
        ("digraph { node a }", 1, "'a }'", "[ and attributes"),
        ('digraph { "a" + b }', 1, "'b }'", "quoted text"),
        ("digraph {\n a\0b }", 2, "b }'", "a name"),
        *(
            (f"digraph {{\n {name} -> b }}", 2, f"'{name} -> b }}'", f'a name in quotes: "{name}"') for name
            in ("3d", "1e5", "0x0", "1.2.3", "v1.2", "task-1", "a.b", "a/b", "-1-2", "a$", "3é")
        ),
        ("digraph { a [width=3d] }", 1, "'3d] }'", '"3d"'),
        ("digraph { a, }", 1, "'}'", "a node or a subgraph"),
        ("digraph { a, b; , c }", 1, "', c }'", "a statement"),
        ("digraph { a [x=1], b }", 1, "', b }'", "a statement"),
    ],
)  # fmt: skip
def test_dot_damage(text, line, found, expected):
    error = refusal("dot", text)
    assert error.line == line
    assert found in error.found
    assert expected in error.expected


def test_dot_says_what_it_passes_over():
    text = """digraph {
      a [size="12 KB"]; b [size="1 MB", weight=3]; c [weight="", size=4]; a -> b [size="-1"]; b -> c; a -> c
      [size="9 B"] }"""
    loaded = parse("dot", text)
    assert loaded.graph.vertex_weights.tolist() == [1, 3, 4]
    assert loaded.notes == (
        "edges of a negative size, taken for edges that carry nothing: 1",
        "edges without a weight among others that have one, taken to weigh 1: 2",
        "size='12 KB' in line 2 is no number, and 1 more: passed over",
    )


def test_dot_gives_weights_behind_a_subgraph_to_none():
    loaded = parse("dot", "digraph { subgraph s {a b} [weight=3]; {c} [label=x] }")
    assert loaded.graph.vertex_weights.tolist() == [1, 1, 1]
    assert loaded.notes == ("subgraphs with a weight behind them, which DOT gives to none of their nodes: 1",)


def test_dot_looks_at_no_weight_of_edges_that_nobody_wants(tmp_path):
    (tmp_path / "g.dot").write_text("digraph { a -> b [weight=heavy] }")
    with pytest.raises(ParseError, match="'heavy'"):
        read(tmp_path / "g.dot")
    assert read(tmp_path / "g.dot", edge_weights="unit").edge_weights.tolist() == [1]
    with pytest.raises(DagpartError, match="edge_weights"):
        read(tmp_path / "g.dot", edge_weights="heavy")


ENDS = st.sampled_from(
    ["a", "b", '"c d"', "-1", "a, b", "{a c}", "{b; d -> e}", "subgraph S {}", "subgraph S {f}"]
)
ATTRIBUTES = st.sampled_from(["", "[weight=3]", '[weight=""]', "[key=k]", "[key=k, weight=7]", "[color=red]"])
STATEMENTS = st.one_of(
    st.builds("{} {}".format, st.sampled_from(["a", "b, g"]), ATTRIBUTES),
    st.builds(
        lambda ends, more: f"{' -> '.join(ends)} {more}", st.lists(ENDS, min_size=2, max_size=3), ATTRIBUTES
    ),
    st.sampled_from(["subgraph S {a; edge [weight=2] a -> g}", "subgraph T {subgraph S {h}}"]),
)


@given(
    st.sampled_from(["", "strict "]),
    st.sampled_from(["", "edge [weight=5];"]),
    st.lists(STATEMENTS, max_size=6),
)
def test_dot_as_graphviz_reads_it(strict, defaults, statements):
    pygraphviz = pytest.importorskip("pygraphviz")
    text = f"{strict}digraph {{ {defaults} {'; '.join(statements)} }}"
    # With a new key Graphviz drops attributes of an edge that a strict graph has, which it does not document.
    text = text.replace("key=", "color=") if strict else text
    graph, expected = parse("dot", text).graph, pygraphviz.AGraph(string=text)
    edges = {}
    for edge in expected.edges_iter():
        if edge[0] != edge[1]:
            edges[tuple(edge)] = edges.get(tuple(edge), 0) + float(edge.attr["weight"] or 1)
    assert {str(graph.name(v)) for v in range(graph.n)} == set(expected.nodes())
    assert named_edges(graph) == edges


def test_dot_invalid_utf8():
    error = refusal("dot", b"digraph {\n \xff\xfe -> b }")
    assert (error.line, error.expected) == (2, "text in UTF-8")


def test_dot_nests_and_chains_without_recursion():
    deep = 50_000
    assert parse("dot", "digraph {" + "subgraph {" * deep + "a -> b" + "}" * (deep + 1)).graph.m == 1
    assert parse("dot", "digraph {" + "->".join(f"v{i}" for i in range(deep)) + "}").graph.m == deep - 1
    assert "the end of the file" in refusal("dot", "digraph {" + "{" * deep).found


def test_dot_does_not_multiply_without_bound():
    many = " ".join(f"v{i}" for i in range(5000))
    error = refusal("dot", f"digraph {{ {{ {many} }} -> {{ {many} }} }}")
    assert "edges between subgraphs" in error.expected
    again = "subgraph S {}, a; " * 5000
    error = refusal("dot", f"digraph {{ subgraph S {{ {many} }} {again} }}")
    assert "edges between subgraphs" in error.expected


def test_dot_names_that_cannot_be_written(tmp_path):
    for name in ("a\\", 'a\\"b', "a\\\nb", "a\rb"):
        with pytest.raises(DagpartError, match="DOT cannot write the name"):
            write(Dag.from_edges([(name, "c")]), tmp_path / "g.dot")
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------------- HyperDAG and STG

HDAG = "%% head\n2 3 4\n0 5\n1 7\n0 1\n1 2\n2 3\n0 0\n0 1\n1 1\n1 2\n"


def test_hyperdag():
    graph = parse("hyperdag", HDAG).graph
    assert named_edges(graph) == {(0, 1): 5, (1, 2): 7}
    assert graph.vertex_weights.tolist() == [1, 2, 3]
    # The first pin is the producer, wherever the lines of a hyperedge stand.
    mixed = parse("hyperdag", "2 3 4\n0\n1\n0\n1\n2\n1 2\n0 1\n1 0 % end\n0 0\n").graph
    assert named_edges(mixed) == {(2, 0): 1, (1, 0): 1}


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        ("", 1, "an empty file", "numbers of hyperedges"),
        ("%\n", 1, "comments only", "numbers of hyperedges"),
        ("2 3\n", 1, "2 3", "numbers of hyperedges"),
        ("-1 3 4\n", 1, "-1 3 4", "numbers of hyperedges"),
        ("9 9 999999999999999999\n0\n", 2, "1 lines of numbers", "1000000000000000017, as that line says"),
        (HDAG + "1 0\n", 12, "10 lines", "9, as that line says"),
        ("1 2 2\n1\n0\n1\n0 0\n0 1\n", 2, "1", "the id of a hyperedge, from 0 to 0"),
        ("1 2 2\n0\n0\n0\n0 0\n0 1\n", 4, "0", "the id of a node that has no line yet"),
        ("1 2 2\n0\n0\n1\n0 0\n1 1\n", 6, "1", "a hyperedge from 0 to 0"),
        ("1 2 2\n0\n0\n1\n0 0\n0 2\n", 6, "2", "a node from 0 to 1"),
        ("1 2 2\n0\n0\n1\n0 0\n0\n", 6, "numbers in the line: 1", "a pin"),
        ("1 2 2\n0 -3\n0\n1\n0 0\n0 1\n", 2, "-3", "not negative"),
        ("1 2 2\n0\n0 x\n1\n0 0\n0 1\n", 3, "'x'", "a whole number"),
    ],
)
def test_hyperdag_damage(text, line, found, expected):
    error = refusal("hyperdag", text)
    assert error.line == line
    assert found in error.found
    assert expected in error.expected


def test_hyperdag_without_lines_for_hyperedges(tmp_path):
    """OneStopParallel's .lhdag: pins, then node, work and the weight of what it sends."""
    text = "% SpMV\n2 4 5\n1 2\n0 0\n0 1\n0 3\n1 1\n0 5 7\n1 6 8\n2 1 9\n3 2 1\n"
    loaded = parse("lhdag", text)
    assert loaded.format == "lhdag"
    assert named_edges(loaded.graph) == {(0, 1): 7, (0, 3): 7, (2, 1): 9}
    assert loaded.graph.vertex_weights.tolist() == [5, 6, 1, 2]
    (tmp_path / "g.hdag").write_text(text)
    assert read(tmp_path / "g.hdag") == loaded.graph
    with pytest.raises(DagpartError, match=r"those of 0 weigh 1 and 2: write \.hdag"):
        write(Dag.from_edges([(0, 1, 1), (0, 2, 2)]), tmp_path / "g.lhdag")
    error = refusal("lhdag", "1 2 2\n0 0\n0 1\n0 1 1\n")
    assert error.expected == "5, as that line says, or 4 without those of hyperedges"


def test_stg():
    graph = parse("stg", "2\n0 0 0\n1 3 1 0\n2 4 1 0\n3 0 2 1 2\n# note\n").graph
    assert named_edges(graph) == {(0, 1): 1, (0, 2): 1, (1, 3): 1, (2, 3): 1}
    assert graph.vertex_weights.tolist() == [0, 3, 4, 0]
    costs = {(0, 1): 7, (0, 2): 8, (1, 2): 9}
    assert named_edges(parse("stg", "3\n0 0 0\n1 3 1\n0 7\n2 0 2\n0 8\n1 9\n").graph) == costs
    assert named_edges(parse("stg", "3\n0 0 0\n1 3 1 0 7\n2 0 2 0 8 1 9\n").graph) == costs
    # The prototype counts from 1 and tells the number of processors.
    assert named_edges(parse("stg", "2 3\n1 14 0\n2 20 1 1\n3 0 1 2\n").graph) == {(1, 2): 1, (2, 3): 1}


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        ("", 1, "an empty file", "the number of tasks"),
        ("1 2 3\n", 1, "1 2 3", "the number of tasks"),
        ("9\n0 0 0\n", 2, "1 tasks", "9, or up to 2 more for dummies"),
        ("1\n0 0\n", 2, "0 0", "a task"),
        ("1\n0 -1 0\n", 2, "0 -1 0", "a task"),
        ("1\n0 0 999999999999\n", 2, "the end of the file", "999999999999 predecessors"),
        ("2\n0 0 0\n1 0 3 0 0\n", 3, "2 numbers after the count 3", "3 predecessors"),
        ("2\n0 0 0\n0 0 0\n", 3, "task 0 for the second time", "one line"),
        ("2\n0 0 0\n1 0 1 5\n", 3, "the predecessor 5", "a task in this file"),
    ],
)
def test_stg_damage(text, line, found, expected):
    error = refusal("stg", text)
    assert error.line == line
    assert found in error.found
    assert expected in error.expected


# ---------------------------------------------------------------------- workflows


def test_dax():
    text = (
        '<?xml version="1.0"?><adag xmlns="x"><job id="a" runtime="1.5">'
        '<uses file="f" link="output" size="10"/><uses name="g" link="output" size="5"/></job>'
        '<job id="b"><uses file="f" link="input"/></job>'
        '<job id="c" runtime="2"/><child ref="b"><parent ref="a"/></child><child ref="c">'
        '<parent ref="b"/></child></adag>'
    )
    loaded = parse("dax", text)
    assert named_edges(loaded.graph) == {("a", "b"): 10, ("b", "c"): 0}
    assert (loaded.graph.vertex_weights / loaded.graph.vertex_weight_scale).tolist() == [1.5, 1, 2]
    assert len(loaded.notes) == 2
    bare = parse("dax", '<adag><job id="a"/><job id="b"/><child ref="b"><parent ref="a"/></child></adag>')
    assert named_edges(bare.graph) == {("a", "b"): 1}


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("", 1, "damaged XML"),
        ("<adag>\n<job", 2, "damaged XML"),
        ("<html/>", 1, "<html>"),
        ("<adag>\n<job/></adag>", 2, "<job> without id"),
        ('<adag><job id="a"/>\n<job id="a"/></adag>', 2, "'a' for the second time"),
        ('<adag>\n<job id="a" runtime="-1"/></adag>', 2, "'-1'"),
        ('<adag>\n<job id="a" runtime="nan"/></adag>', 2, "'nan'"),
        ('<adag>\n<child ref="b"><parent ref="a"/></child></adag>', 2, "the task 'a'"),
        ('<!DOCTYPE adag [\n<!ENTITY x "y">]><adag/>', 2, "the entity 'x'"),
    ],
)
def test_dax_damage(text, line, found):
    error = refusal("dax", text)
    assert error.line == line
    assert found in error.found


def test_dax_nests_without_recursion():
    assert parse("dax", "<adag>" + "<x>" * 100_000 + "</x>" * 100_000 + "</adag>").graph.n == 0


def test_dax_entities_do_not_explode():
    levels = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "x" * 100}">' for i in range(12))
    assert "entity" in refusal("dax", f"<!DOCTYPE adag [{levels}]><adag>&e11;</adag>").found


def test_wfformat_1_4():
    text = """{"schemaVersion": "1.4", "workflow": {"tasks": [
      {"name": "a", "id": "1", "runtimeInSeconds": 2, "parents": [], "children": ["b"],
       "files": [{"link": "output", "name": "f", "sizeInBytes": 8}]},
      {"name": "b", "id": "2", "runtime": 3, "parents": ["a"],
       "files": [{"link": "input", "name": "f", "sizeInBytes": 8}, {"link": "input", "name": "g"}]}]}}"""
    graph = parse("wfformat", text).graph
    assert named_edges(graph) == {("1", "2"): 8}
    assert graph.vertex_weights.tolist() == [2, 3]


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        ("", 1, "an empty file", "a JSON object"),
        ("[]", 1, "list", "a JSON object"),
        ('{"workflow": ', 1, "the end of the line", "JSON"),
        ("{}", None, "no workflow", "workflow: an object"),
        ('{\n"workflow": 3}', 2, "workflow: '3'", "workflow: an object"),
        ('{"workflow": {\n"tasks": 3}}', 2, "tasks: '3'", "tasks: a list"),
        ('{"workflow": {\n"tasks": [3]}}', 2, "'3' in tasks", "an object in each place"),
        ('{"workflow": {"tasks": [{}]}}', None, "no name", "name: a text"),
        (
            '{"workflow": {"tasks": [{"id": "a"},\n{"id": "a"}]}}',
            1,
            "'a' for the second time",
            "another name",
        ),
        ('{"workflow": {"tasks": [\n{"id": "a", "parents": ["b"]}]}}', 2, "the task 'b'", "in the file"),
        ('{"workflow": {"tasks": [\n{"id": "a", "runtime": -1}]}}', 2, "'-1'", "not negative"),
        ('{"workflow": {"tasks": [\n{"id": "a", "runtime": NaN}]}}', 2, "'nan'", "finite"),
        ('{"workflow": {"tasks": [\n{"id": "a", "runtime": true}]}}', 2, "'True'", "a number"),
    ],
)
def test_wfformat_damage(text, line, found, expected):
    error = refusal("wfformat", text)
    assert error.line == line
    assert found in error.found
    assert expected in error.expected


def test_json_that_nests_without_end():
    for name in ("wfformat", "node-link"):
        for text in ("[" * 200_000, '{"a":' * 200_000, '{"nodes": [' + "[" * 100_000):
            assert refusal(name, text).expected.startswith(("a JSON object", "JSON"))
        refusal(name, "1" * 10_000)


def test_wfformat_of_other_versions():
    old = """{"schemaVersion": "1.1", "workflow": {
      "jobs": [{"name": "a", "runtime": 2, "files": [{"name": "f", "link": "output", "size": 8}]}]}}"""
    error = refusal("wfformat", old)
    assert (error.line, error.found) == (2, "jobs: WfFormat 1.1, with files in KB")
    assert "WfFormat 1.4 to 1.6" in error.expected
    assert "1.1 or before" in refusal("wfformat", old.replace('"schemaVersion": "1.1", ', "")).found
    text = '{"schemaVersion": "%s", "workflow": {"tasks": [{"name": "a", "runtime": 2}]}}'
    assert parse("wfformat", text % "1.3").notes == (
        "WfFormat 1.3: sizes of files are taken for bytes, runtimes for seconds",
    )
    assert parse("wfformat", text % "1.4").notes == ()
    new = '{"schemaVersion": "1.6", "workflow": {"specification": {"metrics": {}, "tasks": [{"id": "a"}]}}}'
    assert parse("wfformat", new).graph.n == 1


# ---------------------------------------------------------------------- StarPU

TASK = (
    "Name: A\nModel: a\nJobId: {job}\nDependsOn: {before}\nHandles: {handles}\nModes: {modes}\n"
    "Sizes: {sizes}\nStartTime: 1.0\nEndTime: 3.5\nGFlop: 0.25\n\n"
)


def task(job, before="", handles="", modes="", sizes=""):
    return TASK.format(job=job, before=before, handles=handles, modes=modes, sizes=sizes)


def test_starpu_contracts_what_did_not_run():
    text = (
        task(1, "", "x y", "W RW", "10 20")
        + "JobId: 2\nDependsOn: 1\n\n"
        + "Name: sync\nJobId: 3\nDependsOn: 2 9\n\n"
    )
    text += (
        "Control: WontUse\nJobId: 4\n\n" + task(5, "3", "x y", "R W", "10 20") + task(6, "1 5", "z", "W", "5")
    )
    loaded = parse("starpu", text)
    assert named_edges(loaded.graph) == {("1", "5"): 10, ("1", "6"): 0, ("5", "6"): 0}
    assert loaded.graph.vertex_weights.tolist() == [2_500_000] * 3
    assert loaded.notes == ("records that are no tasks of the program, contracted: 2",)
    assert parse("starpu", text, work="flops").graph.vertex_weights.tolist() == [250_000_000] * 3
    assert parse("starpu", text, work="unit").graph.total_weight == 3
    with pytest.raises(DagpartError, match="work must be 'time', 'flops' or 'unit', got 'size'"):
        parse("starpu", text, work="size")


def test_starpu_long_chains_of_records():
    deep = 20_000
    chain = "".join(f"JobId: {i}\nDependsOn: {i + 1}\n\n" for i in range(1, deep))
    assert parse("starpu", task(0, "1") + chain + task(deep)).graph.m == 1


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("", 1, "an empty file"),
        ("JobId: 1\n", 1, "1 tasks, none of them with a Model"),
        ("nonsense\n", 1, "'nonsense'"),
        ("Name: A\n\n", 1, "a record without JobId"),
        (task(1) + task(1), 12, "the JobId '1' for the second time"),
        (task(1, "", "x", "R", ""), 1, "1 handles, 1 modes, 0 sizes"),
        (task(1, "", "x", "R", "-5"), 1, "'-5'"),
        (task(1).replace("3.5", "0.5"), 1, "the EndTime 0.5 before"),
        (task(1).replace("EndTime", "NoTime"), 1, "a task without EndTime"),
        (task(1) + "JobId: 2\nDependsOn: 3\n\nJobId: 3\nDependsOn: 2\n", 15, "that waits for itself"),
    ],
)
def test_starpu_damage(text, line, found):
    error = refusal("starpu", text)
    assert found in error.found
    assert error.line == line


# ---------------------------------------------------------------------- circuits


def test_bench_cuts_at_registers():
    loaded = parse(
        "bench", "# c\nINPUT(a)\nOUTPUT(q)\nq = DFF(d)\nd = NAND(a, q)\nz = vdd\ny=LUT 0x8 (a, z)\n"
    )
    assert named_edges(loaded.graph) == {("a", "d"): 1, ("q", "d"): 1, ("a", "y"): 1, ("z", "y"): 1}
    assert loaded.notes == ("loops cut at registers: 1",)


def test_blif_statements():
    text = (
        ".model m # c\n.inputs a \\\n b\n.outputs y\n.latch d q re clk 0\n.names a q d\n11 1\n.names c\n1\n"
        ".gate nand2 A=a B=b O=g\n.clock clk\n.end\n"
    )
    loaded = parse("blif", text)
    assert named_edges(loaded.graph) == {("a", "d"): 1, ("q", "d"): 1, ("a", "g"): 1, ("b", "g"): 1}
    assert set(loaded.graph.names) == {"a", "b", "q", "d", "c", "g"}


HEAD = ".model m\n.inputs a b c\n.clock clk\n"


@pytest.mark.parametrize(
    ("text", "edges", "registers"),
    [
        # By name, by its pins, by Q and QN; a register with several outputs is one vertex.
        (".gate dff C=clk D=a Q=q\n.gate inv I=q O=z\n", {("q", "z"): 1}, 1),
        (".gate DFFR_X1 D=z RN=a CK=clk Q=q QN=n\n.gate nand2 A=q B=n O=z\n", {("q", "z"): 2}, 1),
        (".gate DFFHQNx1_ASAP7 CLK=clk D=a QN=n\n.gate inv I=n O=z\n", {("n", "z"): 1}, 1),
        (".gate sky130_fd_sc_hd__dlxtp_1 D=z GATE=clk Q=q\n.gate inv A=q Y=z\n", {("q", "z"): 1}, 1),
        (".gate CUSTOM D=a CLK=clk Q=q\n.gate inv I=q O=z\n", {("q", "z"): 1}, 1),
        (".gate CUSTOM Q_N=n J=a K=b Q=q\n.gate or2 A=q B=n Y=z\n", {("q", "z"): 2}, 1),
        (".mlatch lat D=z Q=q clk 0\n.gate inv I=q O=z\n", {("q", "z"): 1}, 1),
        (".subckt $_DFF_P_ C=clk D=z Q=q\n.gate inv I=q O=z\n", {("q", "z"): 1}, 1),
        # Gates whose one output is called Q, among them one with pins called C and D.
        (".gate NAND4 A=a B=b C=c D=a Q=x\n.gate inv A=x Q=z\n", {
            ("a", "x"): 2, ("b", "x"): 1, ("c", "x"): 1, ("x", "z"): 1,
        }, 0),
        # A carry and a sum.
        (".gate FA_X1 A=a B=b CI=c CO=k S=s\n.gate xor A=k B=s Z=z\n", {
            ("a", "k"): 1, ("b", "k"): 1, ("c", "k"): 1, ("k", "z"): 2,
        }, 0),
        # A clock that a gate reads is an input, declared once or twice.
        (".gate and2 A=clk B=a Y=z\n", {("clk", "z"): 1, ("a", "z"): 1}, 0),
        (".clock a\n.gate inv A=a Y=z\n", {("a", "z"): 1}, 0),
        # A black box behind the model tells its outputs.
        (
            ".subckt mul o0=x p=a q=b o1=y\n.names x y z\n11 1\n.end\n"
            ".model mul\n.inputs p q\n.outputs o0 o1\n.blackbox\n.end\n",
            {("a", "x"): 1, ("b", "x"): 1, ("x", "z"): 2},
            0,
        ),
    ],
)  # fmt: skip
def test_blif_cells_of_libraries(text, edges, registers):
    loaded = parse("blif", HEAD + text)
    assert named_edges(loaded.graph) == edges
    assert loaded.notes == ((f"loops cut at registers: {registers}",) if registers else ())


def test_blif_says_what_stands_in_the_way():
    error = refusal("blif", HEAD + ".gate FOO A=a X=x Y=y\n.gate inv A=x Y=z\n")
    assert (error.line, error.found) == (4, "the net 'x' at the pin X of FOO")
    assert "the output of a cell is its last pin" in error.expected
    error = refusal("blif", HEAD + ".subckt FOO A=a X=x\n")
    assert "'FOO'" in error.found
    assert ".blackbox" in error.expected
    pad = ".subckt pad i=a\n.end\n.model pad\n.inputs i\n.outputs o\n.blackbox\n"
    assert parse("blif", HEAD + pad).notes == ("cells that drive no net, left out: 1",)


CELLS = [
    "DFF_X1",
    "SDFFRS_X2",
    "$_DFF_P_",
    "$_SDFF_PN0_",
    "$_ALDFF_PP_",
    "$_DLATCH_P_",
    "$_SR_PP_",
    "$_FF_",
    "sky130_fd_sc_hd__dfxtp_1",
    "sky130_fd_sc_hd__sdfbbp_2",
    "sky130_fd_sc_hd__edfxtp_1",
    "sky130_fd_sc_hd__dlrtn_1",
    "DLL_X1",
    "DLH_X1",
    "TLAT_X1",
    "FDRE",
    "FDCE",
    "LDCE",
    "TRELLIS_FF",
    "SB_DFFER",
    "latch",
    "DFQD1",
    "EDFCNQD1",
    "DHLx1_ASAP7_75t_R",
    "sg13g2_dlhq_1",
    "DF1",
    "DFE3",
    "DLQ1",
    "FD1P3AX",
    "gf180mcu_fd_sc_mcu7t5v0__latq_1",
    "GTECH_FD1",
    "JKFF",
    "D_FF",
]
GATES = [
    "BUF_X1",
    "BUFF1",
    "NAND2_X1",
    "sky130_fd_sc_hd__dlygate4sd1_1",
    "sky130_fd_sc_hd__dlclkp_1",
    "CLKGATE_X1",
    "FA_X1",
    "MUX2_X1",
    "inv",
    "AOI21",
    "LUT4",
    "DELLN1",
    "DLY1",
    "filler",
    "LOGIC0_X1",
    "sky130_fd_sc_hd__conb_1",
    "IBUF",
    "BUFG",
    "OFFSET",
]


@pytest.mark.parametrize("cell", CELLS + GATES)
def test_blif_registers_by_name(cell):
    graph = parse("blif", f".inputs a b\n.gate {cell} X=a Y=b Z=z\n").graph
    assert graph.m == (0 if cell in CELLS else 2)


@pytest.mark.parametrize(
    ("name", "text", "inputs"),
    [
        ("bench", "INPUT(a)\nINPUT(b)\nq = DFF(d)\nd = NAND(a, q)\n", ["a", "b"]),
        (
            "blif",
            ".inputs a b\n.latch d q\n.names a q d\n11 1\n.gate and A=clk B=d Y=e\n.clock clk\n",
            ["a", "b", "clk"],
        ),
        ("aiger", "aag 4 2 1 0 1\n2\n4\n6 8\n8 2 6\n", ["2", "4"]),
    ],
)
def test_weights_of_circuits(name, text, inputs, tmp_path):
    path = tmp_path / f"g{BY_NAME[name].suffixes[0]}"
    path.write_text(text)
    assert read(path) == read(path, weights="all")
    graph = read(path, weights="gates")
    weights = dict(zip(graph.names, graph.vertex_weights.tolist(), strict=True))
    assert {net for net, weight in weights.items() if weight == 0} == set(inputs)
    assert sum(weights.values()) == graph.n - len(inputs)
    with pytest.raises(DagpartError, match='it must be "gates", "all", or a file'):
        parse(name, text, weights="area")


def test_weights_by_name(tmp_path):
    path, weights = tmp_path / "g.bench", tmp_path / "area.csv"
    path.write_text("INPUT(a)\nINPUT(b)\nx = AND(a, b)\n")
    weights.write_text('name,area\na,0\n"x",2.5\n')
    loaded = load(path, weights=weights)
    assert (loaded.graph.vertex_weights / loaded.graph.vertex_weight_scale).tolist() == [0, 1, 2.5]
    assert loaded.notes == ("vertices without a weight by name, taken to weigh 1: 1",)
    assert load(path, weights=str(weights)).graph == loaded.graph
    assert load(path, weights={"a": 0, "x": 2.5}).graph == loaded.graph
    assert load(path, weights={"a": 0, "b": 7, "x": 2.5}).notes == ()
    with pytest.raises(DagpartError, match="no vertex is called 'y'"):
        load(path, weights={"y": 1})
    with pytest.raises(DagpartError, match="leave out one"):
        load(path, weights=weights, vertex_weights=[1, 2, 3])
    (tmp_path / "g.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
    assert load(tmp_path / "g.mtx", weights={0: 5, "1": 6}).graph.vertex_weights.tolist() == [5, 6]
    with pytest.raises(DagpartError, match="the format matrix-market has no option weights"):
        load(tmp_path / "g.mtx", weights="gates")


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("a,1\nb\n", 2, "'b'"),
        ("a,1\n\na,2\n", 3, "'a' for the second time"),
        ("a,1\nb,-2\n", 2, "'-2'"),
        ("a,nan\n", 1, "'nan'"),
        ("a,1\nb,heavy\n", 2, "'heavy'"),
        ("a,1\n,2\n", 2, "',2'"),
        ('a,1\n"b,2\n', 2, "a damaged line"),
    ],
)
def test_damaged_weights_by_name(text, line, found, tmp_path):
    (tmp_path / "w.csv").write_text(text)
    with pytest.raises(ParseError) as caught:
        read_named_weights(tmp_path / "w.csv")
    assert caught.value.line == line
    assert found in caught.value.found


def test_weights_by_name_with_tabs_and_quotes(tmp_path):
    (tmp_path / "w.tsv").write_text('vertex\tw\n# areas\n\n"a,b"\t1\nb \t2.5\n')
    assert read_named_weights(tmp_path / "w.tsv") == {"a,b": 1, "b": 2.5}


@pytest.mark.parametrize(
    ("name", "text", "line", "found"),
    [
        ("bench", "", 1, "an empty file"),
        ("bench", "INPUT(a)\nINPUT(a)\n", 2, "a second driver of 'a'"),
        ("bench", "INPUT(a)\ny = AND(a, b)\n", 2, "the net 'b'"),
        ("bench", "INPUT(a\n", 1, "'INPUT(a'"),
        ("bench", "INPUT(a)\ny = AND(a,,a)\n", 2, "'y = AND(a,,a)'"),
        ("blif", "", 1, "an empty file"),
        ("blif", ".inputs a\n.names b y\n1 1\n", 2, "the net 'b'"),
        ("blif", ".inputs a\n.inputs a\n", 2, "a second driver of 'a'"),
        ("blif", ".model a\n.end\n.model b\n", 3, "a second model"),
        ("blif", ".model a\n.subckt b x=y\n", 2, "a model inside the model"),
        ("blif", ".model a\n.nonsense\n", 2, "'.nonsense'"),
        ("blif", "11 1\n", 1, "'11 1'"),
        ("blif", ".names\n", 1, "'.names'"),
        ("blif", ".latch a\n", 1, "'.latch a'"),
        ("blif", ".gate and a b\n", 1, "'.gate and a b'"),
        ("aiger", "", 1, "an empty file"),
        ("aiger", "aag 1 1\n", 1, "'aag 1 1'"),
        ("aiger", "aag x 1 0 0 0\n", 1, "'aag x 1 0 0 0'"),
        ("aiger", "aag 1 2 0 0 0\n2\n4\n", 1, "'aag 1 2 0 0 0'"),
        ("aiger", "aag 2 2 0 0 0\n2\n", 2, "the end of the file"),
        ("aiger", "aag 2 2 0 0 0\n2\n2\n", 3, "the literal 2 for the second time"),
        ("aiger", "aag 2 2 0 0 0\n2\n3\n", 3, "the literal 3"),
        ("aiger", "aag 2 2 0 0 0\n2\n8\n", 3, "the literal 8"),
        ("aiger", "aag 2 1 0 0 1\n2\n4 2 6\n", 3, "the literal 6"),
        ("aiger", "aag 3 1 0 0 1\n2\n4 2 6\n", 3, "the literal 6"),
        ("aiger", "aag 1 1 0 0 0\n2\nsymbol\n", 3, "'symbol'"),
        ("aiger", "aig 999999999 999999999 0 0 0\n", 1, "999999999 vertices for"),
        ("aiger", b"aig 2 1 0 0 1\n\x02", None, "the end of the file at byte 15"),
        ("aiger", b"aig 2 1 0 0 1\n\x05\x00", None, "the inputs -1 and -1"),
        ("aiger", b"aig 2 1 0 0 1\n" + b"\xff" * 20, None, "a number of more than 64 bits"),
    ],
)
def test_damaged_circuits(name, text, line, found):
    error = refusal(name, text)
    assert found in error.found
    assert error.line == line


def test_aiger_in_text_and_in_binary():
    text = parse("aiger", "aag 3 2 0 1 1\n2\n4\n6\n6 4 2\ni0 x\nc\nanything\n").graph
    binary = parse("aiger", b"aig 3 2 0 1 1\n6\n\x02\x02i0 x\nc\n\xff").graph
    assert text == binary
    assert named_edges(text) == {("x", "6"): 1, ("4", "6"): 1}


# ---------------------------------------------------------------------- lists, archives, JSON


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("a,b\nb,c\n", {("a", "b"): 1, ("b", "c"): 1}),
        ("source,target,weight\na,b,2\n", {("a", "b"): 2}),
        ("cost;to;from;note\n2.5;b;a;x\n", {("a", "b"): 2.5}),
        ("a\tb\t3\r\n", {("a", "b"): 3}),
        ("# comment\na b 4\n\nb  c\n", {("a", "b"): 4, ("b", "c"): 1}),
        ('"a,x","b ""q"""\n', {("a,x", 'b "q"'): 1}),
        ("1,0\n0,2\n", {(1, 0): 1, (0, 2): 1}),
        ("10,20\n", {("10", "20"): 1}),
        ("a,b\nc,\n", {("a", "b"): 1}),
        ("from,to\n#1,%2\n//a,#1\n# a note\n#\n", {("#1", "%2"): 1, ("//a", "#1"): 1}),
        ("source target\n#1 #2\n# 2\n", {("#1", "#2"): 1}),
        ('"#1",b\n#2,c\n"%", "// x"\n', {("#1", "b"): 1, ("%", "// x"): 1}),
        ("% asym\n// (c)\n#\n1 2\n2 3 0.5\n", {("1", "2"): 1, ("2", "3"): 0.5}),
        ("# it's \"quoted\n1 2\n", {("1", "2"): 1}),
        (' a , b ,2\n"b ",\t" c"  , 3\n', {("a", "b"): 2, ("b ", " c"): 3}),
        ("caller,callee,calls\nmain,f,3\n", {("main", "f"): 3}),
        ("FromNodeId\tToNodeId\n5\t7\n", {("5", "7"): 1}),
        ("weight;Source Node;target_id\n2;a;b\n", {("a", "b"): 2}),
        ("user_id,item_id\nann,tea\n", {("ann", "tea"): 1}),
        ("node1,node2,w,note\n4,5,3,x\n", {("4", "5"): 3}),
        ("words,here\n4,5\n", {("4", "5"): 1}),
        ("words,here,w\na,b,3\n", {("a", "b"): 3}),
        ("u,v\nv,w\n", {("u", "v"): 1, ("v", "w"): 1}),
        ("a_id,b_id\nb_id,c\n", {("a_id", "b_id"): 1, ("b_id", "c"): 1}),
        ("source,a\na,sink\n", {("source", "a"): 1, ("a", "sink"): 1}),
        ("a b {}\nb c {'weight': 2.5, 'note': '{a b}'}\n", {("a", "b"): 1, ("b", "c"): 2.5}),
        ("a,b,{'size': 7}\n", {("a", "b"): 7}),
        ("a\tb\t{'weight': 7}\n#\nb\tc\t{'size': 2}\n", {("a", "b"): 7, ("b", "c"): 1}),
        ('"a\nb",c\n"x""y",z\n', {("a\nb", "c"): 1, ('x"y', "z"): 1}),
        ('"",b\n', {("", "b"): 1}),
        ("a,\nb,,3\nb,c\n", {("b", "c"): 1}),
        ("3,0\n1,3\n2,1\n", {(3, 0): 1, (1, 3): 1, (2, 1): 1}),
    ],
)
def test_edge_lists(text, edges):
    assert named_edges(parse("edge-list", text).graph) == edges


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("a,b\nb,c\n", None),
        ("1,2\n3,4\n", None),
        ("source,target\na,b\n", None),
        ("a,b\nc,d\n", "first line taken for an edge, from 'a' to 'b'"),
        ("u,v\nx,y\n", "first line taken for the names of the columns: u, v"),
        ("user_id,item_id\nann,tea\n", "first line taken for the names of the columns: user_id, item_id"),
        ("id,from,to,date\n1,a,b,x\n", "columns passed over: id, date"),
        ("x,y,kg\na,b,3\n", "columns passed over: kg"),
    ],
)
def test_edge_lists_say_what_they_take_the_first_line_for(text, note):
    assert parse("edge-list", text).notes == (() if note is None else (note,))


def test_edge_lists_of_networkx(tmp_path):
    G = nx.DiGraph([("a", "b", {"weight": 3, "why": "it's"}), ("b", "c", {"weight": 0.5}), ("c", "d", {})])
    expected = {("a", "b"): 3, ("b", "c"): 0.5, ("c", "d"): 1}
    for name, options in (("a.edgelist", {}), ("b.csv", {"delimiter": ","}), ("c.tsv", {"delimiter": "\t"})):
        nx.write_edgelist(G, tmp_path / name, **options)
        assert named_edges(read(tmp_path / name)) == expected
    nx.write_weighted_edgelist(G.edge_subgraph([("a", "b"), ("b", "c")]), tmp_path / "d.edges")
    assert named_edges(read(tmp_path / "d.edges")) == {("a", "b"): 3, ("b", "c"): 0.5}


def test_edge_lists_run_nothing_and_stop_at_what_is_too_deep():
    for literal in ("{'a': __import__('os')}", "{'a': " * 5000 + "1" + "}" * 5000, "{1, 2}", "{'a': 1e}"):
        assert "a Python dictionary" in refusal("edge-list", f"a b {{}}\na b {literal}\n").expected
    assert "not negative" in refusal("edge-list", "a b {'weight': '3'}\n").expected
    assert refusal("edge-list", "a b {'weight': 3}\na b c {'weight': 3}\n").line == 2


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("", 1, "an empty file"),
        ("# c\n", 1, "an empty file"),
        ("a,b,c,d\n", 1, "the columns 'a, b, c, d'"),
        ("a,b\na,b,-1\n", 2, "'-1'"),
        ("a,b\na,b,nan\n", 2, "'nan'"),
        ("a,b\na,b,1,2\n", 2, "4 fields"),
        ("a,b\n,b\n", 2, "no source"),
        ('a,b\n"a,b\n', 2, "a damaged line"),
        (b"a,b\n\xff,c\n", 2, "xff,c"),
        ("a,b\nc\0,d\n", 2, "a zero byte"),
        ("#1,#2\n#2,#3\n", 1, "'#1,#2'"),
        ("//a:b //c:d\n", 1, "'//a:b //c:d'"),
        ("a,b\n//a:b,@c//:d\n", 2, "'//a:b,@c//:d'"),
        ('a,b\n"a"b,c\n', 2, "a damaged line"),
        ("to,node\n1,2\n", 1, "the columns 'to, node'"),
        ("a,b,c\nd,e,f\n", 1, "the columns 'a, b, c'"),
        ("n1,n2,w,note\n1,2,3,x\n", 1, "the columns 'n1, n2, w, note'"),
    ],
)
def test_damaged_edge_lists(text, line, found):
    error = refusal("edge-list", text)
    assert found in error.found
    assert error.line == line


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"nodes": []}', "no edges"),
        ('{"directed": false, "nodes": [], "edges": []}', "an undirected graph"),
        ('{"nodes": [{}], "edges": []}', "a node without id"),
        ('{"nodes": [{"id": 1.5}], "edges": []}', "'1.5' for the id"),
        ('{"nodes": [{"id": {}}], "edges": []}', "'{}' for the id"),
        ('{"nodes": [{"id": [null]}], "edges": []}', "'[null]' for the id"),
        ('{"nodes": [{"id": 1}, {"id": 1}], "edges": []}', "'1' for the second time"),
        ('{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]}', "the target '2'"),
        ('{"nodes": [{"id": 1}], "edges": [{"source": 1}]}', "an edge without target"),
        ('{"nodes": [{"id": 1, "weight": "x"}], "edges": []}', "'x' for '1'"),
        ('{"nodes": [{"id": 1, "weight": 1e999}], "edges": []}', "'inf' for '1'"),
    ],
)
def test_damaged_node_link(text, found):
    assert found in refusal("node-link", text).found


def test_node_link_takes_the_list_that_is_not_empty():
    nodes = '"nodes": [{"id": "a"}, {"id": "b"}]'
    edge = '{"source": "a", "target": "b"}'
    for text in (
        f'{{{nodes}, "edges": [], "links": [{edge}]}}',
        f'{{{nodes}, "links": [], "edges": [{edge}]}}',
        f'{{{nodes}, "links": [{edge}], "edges": [{edge}]}}',
        f'{{{nodes}, "edges": null, "links": [{edge}]}}',
    ):
        assert named_edges(parse("node-link", text).graph) == {("a", "b"): 1}
    both = f'{{{nodes}, "edges": [{edge}],\n"links": [{edge}, {edge}]}}'
    error = refusal("node-link", both)
    assert (error.line, error.found) == (2, "1 edges and 2 links, which differ")


def test_node_link_weighs_as_networkx_objects_do():
    import json

    for key in ("weight", "size"):
        G = nx.DiGraph()
        G.add_node("a", **{key: 3})
        G.add_edge("a", "b", **{key: 7})
        assert parse("node-link", json.dumps(nx.node_link_data(G, edges="links"))).graph == Digraph.from_any(
            G
        )
    # Where some have a weight, a size is another thing.
    nodes = '[{"id": 0, "size": 9}, {"id": 1, "weight": 2, "size": 8}]'
    assert parse("node-link", f'{{"nodes": {nodes}, "edges": []}}').graph.vertex_weights.tolist() == [1, 2]


@pytest.mark.parametrize("depth", [51, 300, 700, 950])
def test_names_within_names_without_end(depth, tmp_path):
    name = "[" * depth + "1" + "]" * depth
    text = f'{{"nodes": [{{"id": {name}}}], "edges": []}}'
    deep = 1
    for _ in range(depth):
        deep = (deep,)
    # A thread has a stack of its own; how deep that of the test run is depends on who started it.
    with ThreadPoolExecutor(1) as thread:
        error = thread.submit(refusal, "node-link", text).result()
        assert error.expected == "a text, a whole number or a list of these"
        with pytest.raises(DagpartError, match="JSON has no way to write"):
            thread.submit(lambda: write(Dag.from_edges([(deep, "b")]), tmp_path / "g.json")).result()


def test_node_link_of_networkx():
    G = nx.DiGraph([("a", ("b", 1))])
    G.nodes["a"]["weight"] = 3
    import json

    for key in ("edges", "links"):
        graph = parse("node-link", json.dumps(nx.node_link_data(G, edges=key))).graph
        assert graph == Digraph(G)
    data = json.loads(BY_NAME["node-link"].dump(Digraph(G)))
    assert nx.utils.graphs_equal(nx.node_link_graph(data, edges="edges"), Digraph(G).to_networkx())


def npz(**arrays):
    import io

    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def test_npz():
    graph = parse(
        "npz", npz(edges=[[0, 1], [1, 2]], n=4, edge_weights=[2, 0.5], vertex_weights=[1, 2, 3, 4])
    ).graph
    assert (graph.n, graph.edge_weights.tolist(), graph.weight_scale) == (4, [20, 5], 10)
    assert parse("npz", npz(indptr=[0, 1, 1], indices=[1], names=["a", "b"])).graph.names == ("a", "b")


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (b"PK\x03\x04junk", "no archive"),
        (npz(a=[1]), "no array edges"),
        (npz(edges=[[0, 1, 2]]), "arrays that make no graph"),
        (npz(edges=[[0, 10**12]]), "1000000000001 vertices for 1 edges"),
        (npz(edges=[[0, 1]], n=10**12), "1000000000000 vertices for 1 edges"),
        (npz(edges=[[-1, 1]]), "arrays that make no graph"),
        (npz(indptr=[0, 5], indices=[0]), "arrays that make no graph"),
        (npz(edges=np.array([[0, 1]], dtype=object)), "damage in edges"),
        (npz(edges=[["a", "b"]]), "edges of the type"),
        (npz(indptr=[0], indices=[0], shape=[1, 1], data=[1], format="xyz"), "a matrix of the format 'xyz'"),
        (npz(row=[0], col=[0], shape=[10**12, 10**12], data=[1]), "1000000000000 vertices for 1 entries"),
    ],
)
def test_damaged_npz(data, found):
    assert found in refusal("npz", data).found


def test_npz_takes_no_memory_for_what_a_header_claims():
    import io
    import zipfile

    member = io.BytesIO()
    np.save(member, np.zeros((1, 2), dtype=np.int64))
    huge = member.getvalue().replace(b"(1, 2), ", b"(9999999999999, 2), ")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("edges.npy", huge)
    assert "damage in edges" in refusal("npz", out.getvalue()).found


def test_onnx_damage():
    pytest.importorskip("onnx")
    assert "no ONNX model" in refusal("onnx", b"\xff\xff\xff").found
    assert "without" in refusal("onnx", b"").found


def test_onnx_weights():
    onnx = pytest.importorskip("onnx")
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 3, 8, 8])
    y = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)
    kernel = onnx.helper.make_tensor("w", onnx.TensorProto.FLOAT, [4, 3, 3, 3], [0.0] * 108)
    nodes = [
        onnx.helper.make_node("Conv", ["x", "w"], ["c"], name="conv"),
        onnx.helper.make_node("Relu", ["c"], ["r"]),
        onnx.helper.make_node("Flatten", ["r"], ["y"]),
    ]
    model = onnx.helper.make_model(onnx.helper.make_graph(nodes, "g", [x], [y], [kernel])).SerializeToString()
    made = 4 * 6 * 6
    graph = parse("onnx", model).graph
    assert graph.names == ("conv", "Relu_1", "Flatten_2")
    assert graph.vertex_weights.tolist() == [2 * made * 27, made, 0]
    assert graph.edge_weights.tolist() == [4 * made, 4 * made]
    assert parse("onnx", model, work="bytes").graph.vertex_weights.tolist() == [4 * made] * 3
    assert parse("onnx", model, work="unit").graph.total_weight == 3


# ---------------------------------------------------------------------- what holds for all


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "text", [b"", b"\n\n", b"\x89PNG\r\n\x1a\n\0\0", b"\xff" * 9, b"\0" * 9, b"9" * 5000]
)
def test_what_is_no_graph_in_any_format(name, text):
    error = refusal(name, text)
    assert str(error).startswith("in")


@given(st.data(), st.sampled_from(WRITTEN))
def test_round_trips_are_exact(data, name):
    keeps = BY_NAME[name].keeps
    n = data.draw(st.integers(0, 7))
    pairs = [(u, v) for u in range(n) for v in range(n) if (u < v or "direction" in keeps) and u != v]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    weights = st.integers(0, 2**40)
    if "scale" in keeps:
        weights |= st.decimals(0, 1000, places=3).map(float)
    names = None
    if "names" in keeps and n:
        letters = st.text(
            st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], exclude_characters="\\"),
            min_size=1,
        )
        names = data.draw(
            st.none() | st.lists(letters.map(lambda word: f"v{word}"), unique=True, min_size=n, max_size=n)
        )
    edge_weights = data.draw(st.lists(weights, min_size=len(chosen), max_size=len(chosen)))
    if name == "lhdag":
        # One weight for all that a vertex sends.
        by_tail = data.draw(st.lists(weights, min_size=n, max_size=n))
        edge_weights = [by_tail[u] for u, _ in chosen]
    graph = Digraph.from_edges(
        np.array(chosen, dtype=np.int64).reshape(-1, 2),
        n,
        names=names,
        edge_weights=edge_weights if "edge_weights" in keeps else None,
        vertex_weights=data.draw(st.lists(weights, min_size=n, max_size=n))
        if "vertex_weights" in keeps
        else None,
    )
    options = (
        {"edge_weights": "values", "zeros": "keep", "as_": "adjacency"} if name == "matrix-market" else {}
    )
    again = BY_NAME[name].load(Source("again", BY_NAME[name].dump(graph)), **options).graph
    assert again == graph
    assert not BY_NAME[name].losses(again) or names is not None or "scale" in keeps


def test_losses_are_named():
    graph = Digraph.from_edges([("a", "b", 2), ("b", "a", 0.5)], vertex_weights=[1, 2])
    assert len(BY_NAME["metis"].losses(graph)) == 3
    assert BY_NAME["dot"].losses(graph) == []
    assert BY_NAME["matrix-market"].losses(Digraph.from_edges([(0, 1)])) == []


@pytest.mark.parametrize("name", ["dot", "edge-list", "node-link", "metis"])
def test_sums_that_are_too_large_name_the_file(name, tmp_path):
    big = 2**62
    texts = {
        "dot": f"digraph {{ a -> b [weight={big}]; b -> c [weight={big}] }}",
        "edge-list": f"a,b,{big}\nb,c,{big}\n",
        "node-link": f'{{"nodes":[{{"id":1,"weight":{big}}},{{"id":2,"weight":{big}}}],"edges":[]}}',
        "metis": f"3 2 1\n2 {big}\n1 {big} 3 {big}\n2 {big}\n",
    }
    path = tmp_path / f"g{BY_NAME[name].suffixes[0]}"
    path.write_text(texts[name])
    with pytest.raises(WeightError, match=rf"{path.name}: the weights of all .* add up to"):
        read(path)


def test_unit_weights_for_every_format(tmp_path):
    (tmp_path / "g.csv").write_text("a,b,5\n")
    assert read(tmp_path / "g.csv", edge_weights="unit").edge_weights.tolist() == [1]
    assert read(tmp_path / "g.csv", edge_weights="values").edge_weights.tolist() == [5]


@pytest.mark.parametrize("name", TEXTS)
def test_formats_that_are_told_by_how_they_start(name, tmp_path):
    starts = {
        "matrix-market": "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n",
        "dot": "strict\tdigraph { a -> b }",
        "dax": '<?xml version="1.0"?><adag><job id="a"/></adag>',
        "wfformat": '{"name": "x", "workflow": {"tasks": []}}',
        "bench": "# c\nINPUT(a)\n",
        "aiger": "aag 0 0 0 0 0\n",
        "blif": "# c\n.model m\n.inputs a\n",
        "node-link": '{"nodes": [], "edges": []}',
    }
    if name not in starts:
        assert BY_NAME[name].signature is None
        return
    (tmp_path / "unnamed").write_text(starts[name])
    assert load(tmp_path / "unnamed").format == name


def test_the_two_formats_of_json(tmp_path):
    (tmp_path / "a.json").write_text('{"nodes": [], "links": []}')
    (tmp_path / "b.json").write_text('{"x": 1, "workflow": {"tasks": []}}')
    (tmp_path / "c.json").write_text("{}")
    (tmp_path / "d.json").write_text('{"nodes": [{"id": 1, "workflow": {"x": 1}}], "edges": []}')
    (tmp_path / "e.json").write_text('{"workflow": {"tasks": [{"id": "a", "nodes": []}], "nodes": [1]}}')
    (tmp_path / "unnamed").write_text(" \n" * 10 + '{"x": "' + "y" * 10**5 + '", "edges": [], "nodes": []}')
    assert [load(tmp_path / f"{name}.json").format for name in "de"] == ["node-link", "wfformat"]
    assert load(tmp_path / "unnamed").format == "node-link"
    (tmp_path / "unnamed").write_text('{"nodes": [}')
    with pytest.raises(ParseError, match="expected JSON"):
        load(tmp_path / "unnamed")
    assert [load(tmp_path / f"{name}.json").format for name in "ab"] == ["node-link", "wfformat"]
    with pytest.raises(ParseError, match="no nodes"):
        load(tmp_path / "c.json")
