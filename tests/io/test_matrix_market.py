"""Reading Matrix Market files: against SciPy where it reads them, against known facts where it does not."""

from __future__ import annotations

import io
from contextlib import suppress

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from _data import CASES, NOT_FOR_SCIPY, shared
from hypothesis import given, settings
from hypothesis import strategies as st

import dagpart.io
from dagpart.dag import Dag, Digraph
from dagpart.errors import DagpartError, ParseError, WeightError
from dagpart.io import Source, matrix_market

REAL = "%%MatrixMarket matrix coordinate real general\n"
PATTERN = "%%MatrixMarket matrix coordinate pattern general\n"

# Sizes of the SuiteSparse collection and of the data's manifest: vertices, entries off the diagonal that are
# not zero, those above it, zeros that are written. nos7 has no banner, so its one stored triangle is all.
MATRICES = {
    "1138_bus.mtx": (1138, 2916, 1458, 0),
    "add32.mtx.gz": (4960, 18924 - 4036, 9462 - 2018, 4036),
    "bcsstk13.mtx.gz": (2003, 81880, 40940, 0),
    "blckhole.mtx": (2132, 12740, 6370, 0),
    "bp_____0.mtx": (822, 3275, 2482, 0),
    "ca-GrQc.mtx": (5242, 28968, 14484, 0),
    "cage8.mtx": (1015, 9988, 4994, 0),
    "cryg2500.mtx.gz": (2500, 9849, 4899, 0),
    "dwt_419.mtx": (419, 3144, 1572, 0),
    "e20r0000.mtx.gz": (4241, 128514 - 144, 64257 - 72, 144),
    "gre__115.mtx": (115, 421 - 115, 102, 0),
    "luxembourg.mtx.gz": (114599, 239332, 119666, 0),
    "nos7.mtx": (729, 2673 - 729, 0, 0),
    "orsreg_1.mtx.gz": (2205, 14133 - 2205, 5964, 0),
    "pushpull.mtx.gz": (4000, 194194, 97097, 0),
    "sherman1.mtx": (1000, 2750, 1375, 0),
    "west0067.mtx": (67, 292, 192, 0),
}

# Vertices, edges of the adjacency, self-loops, zeros that are written; the reading of "auto", and its edges.
QUIRKS = {
    "ErdosRenyi_2k_14k_A.mtx": (2000, 14046, 2000, 0, "adjacency", 14046),
    "LFAT5.mtx": (14, 32, 14, 0, "upper", 16),
    "LFAT5_hypersparse.mtx": (2000, 32, 14, 0, "upper", 16),
    "add32_no_banner.mtx.gz": (4960, 14888, 4960, 4036, "upper", 7444),
    "bcspwr01.mtx": (39, 46, 39, 0, "adjacency", 46),
    "bcsstk01.mtx": (48, 176, 48, 0, "adjacency", 176),
    "btree9.mtx": (1023, 2044, 0, 0, "upper", 1022),
    "cage4.mtx": (9, 40, 9, 0, "upper", 20),
    "comments_full.mtx": (3, 6, 3, 0, "upper", 3),
    "comments_west0067.mtx": (67, 292, 3, 0, "upper", 192),
    "complex.mtx": (3, 6, 3, 0, "upper", 3),
    "cover_structure.mtx": (7, 12, 0, 0, "upper", 6),
    "full.mtx": (3, 6, 3, 0, "upper", 3),
    "full_noheader.mtx": (3, 6, 3, 0, "upper", 3),
    "karate.mtx": (34, 156, 0, 0, "upper", 78),
    "ldbc-directed-example.mtx": (10, 17, 0, 0, "upper", 9),
    "lns__131.mtx": (131, 424, 112, 0, "lower", 254),
    "matrix_bool.mtx": (7, 7, 0, 5, "adjacency", 7),
    "msf3.mtx": (5, 7, 0, 0, "adjacency", 7),
    "skew_fp64.mtx": (6, 20, 0, 0, "upper", 10),
    "tree-example.mtx": (6, 10, 0, 0, "upper", 5),
    "west0067_jumbled.mtx": (67, 292, 2, 0, "upper", 192),
}

# Line that is wrong, and a word of the reason.
REFUSED = {
    "empty.mtx": (4, "3 x 4"),
    "lp_afiro.mtx": (65, "27 x 51"),
    "mangled1.mtx": (1, "mangled"),
    "mangled3.mtx": (1, "mangled"),
    "mangled5.mtx": (1, "hermitian"),
    "mangled7.mtx": (5, "2 fields"),
    "mangled9.mtx": (4, "3 x 4"),
    "mangled11.mtx": (4, "3 x 4"),
    "mangled13.mtx": (4, "3 x 4"),
    "mangled14.mtx": (5, "3 x 4"),
    "mangled_format.mtx": (1, "pattern"),
    "price_1000.mtx": (3, "--index-base 0"),
    "suitesparse_mangle1.mtx": (1, "junk"),
}


def load(text, **options):
    data = text if isinstance(text, bytes) else text.encode()
    return matrix_market.load(Source("test.mtx", data), **options)


def edges(graph):
    matrix = graph.to_scipy().tocoo()
    return sorted(zip(matrix.row.tolist(), matrix.col.tolist(), strict=True))


def adjacency(text, **options):
    return edges(load(text, as_="adjacency", **options).graph)


def refusal(text, **options):
    with pytest.raises(ParseError) as caught:
        load(text, **options)
    return caught.value


# ---------------------------------------------------------------------- files from the world


@pytest.mark.parametrize("name", MATRICES)
def test_published_sizes(name):
    n, off_diagonal, above, zeros = MATRICES[name]
    path = shared(f"data/matrices/{name}")
    graph = dagpart.io.read(path, as_="adjacency")
    assert (graph.n, graph.m, graph.dropped.explicit_zeros) == (n, off_diagonal, zeros)
    for triangle, m in (("upper", above), ("lower", off_diagonal - above)):
        dag = dagpart.io.read(path, as_=triangle)
        assert (dag.n, dag.m, dag.dropped.other_triangle) == (n, m, off_diagonal - m)


def test_every_matrix_has_a_row_here():
    assert {path.name for path in shared("data/matrices").iterdir()} == set(MATRICES)


@pytest.mark.parametrize("name", QUIRKS)
def test_quirks(name):
    n, m, loops, zeros, reading, auto_m = QUIRKS[name]
    path = shared(f"data/matrix_market_quirks/{name}")
    graph = dagpart.io.read(path, as_="adjacency")
    assert (graph.n, graph.m) == (n, m)
    assert graph.dropped.as_dict() == {
        "self_loops": loops,
        "duplicates_merged": 0,
        "explicit_zeros": zeros,
        "other_triangle": 0,
    }
    loaded = dagpart.io.load(path)
    assert (loaded.reading, loaded.graph.m, type(loaded.graph)) == (reading, auto_m, Dag)


@pytest.mark.parametrize("name", REFUSED)
def test_refused_quirks(name):
    line, reason = REFUSED[name]
    path = shared(f"data/matrix_market_quirks/{name}")
    with pytest.raises(ParseError, match=reason) as caught:
        dagpart.io.read(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert str(caught.value).startswith(f"{path}:{line}: found ")


def test_every_quirk_has_a_row_here():
    assert {path.name for path in shared("data/matrix_market_quirks").iterdir()} == set(QUIRKS) | set(REFUSED)


def test_zero_based_file_is_read_when_asked():
    path = shared("data/matrix_market_quirks/price_1000.mtx")
    loaded = dagpart.io.load(path, index_base=0)
    # A tree on 1000 vertices, stored as one triangle of a symmetric matrix.
    assert (loaded.graph.n, loaded.graph.m, loaded.reading) == (1000, 999, "upper")
    assert edges(loaded.graph)[:2] == [(0, 1), (0, 10)]


def test_files_without_a_banner_say_so():
    loaded = dagpart.io.load(shared("data/matrix_market_quirks/bcsstk01.mtx"))
    assert loaded.notes[0] == "no banner: read as coordinate real general, so only what is written counts"
    assert dagpart.io.load(shared("data/matrix_market_quirks/LFAT5.mtx")).notes == ()


def test_nist_free_format():
    loaded = dagpart.io.load(CASES / "nist_free_format.mtx")
    assert (loaded.graph.n, loaded.reading, edges(loaded.graph)) == (5, "adjacency", [(0, 3), (3, 1), (3, 4)])
    assert loaded.graph.dropped.self_loops == 5


@pytest.mark.parametrize("name", [name for name in [*MATRICES, *QUIRKS] if name not in NOT_FOR_SCIPY])
def test_same_pattern_as_scipy(name):
    folder = "matrices" if name in MATRICES else "matrix_market_quirks"
    path = shared(f"data/{folder}/{name}")
    expected = scipy.sparse.coo_array(scipy.io.mmread(path))
    keep = (expected.data != 0) & (expected.row != expected.col)
    pairs = set(zip(expected.row[keep].tolist(), expected.col[keep].tolist(), strict=True))
    assert set(edges(dagpart.io.read(path, as_="adjacency"))) == pairs


# ---------------------------------------------------------------------- files that SciPy writes


@st.composite
def written_by_scipy(draw):
    """A square matrix as SciPy writes it, with the symmetry it has, and its dense form."""
    n = draw(st.integers(1, 6))
    field = draw(st.sampled_from(["real", "integer", "complex", "pattern"]))
    symmetry = draw(st.sampled_from(["general", "symmetric", "skew-symmetric", "hermitian"]))
    dense = draw(st.booleans()) and field != "pattern"
    if field == "pattern" and symmetry == "hermitian":
        symmetry = "symmetric"
    numbers = (
        st.integers(-3, 3)
        if field != "complex"
        else st.complex_numbers(max_magnitude=3, allow_subnormal=False)
    )
    lower = np.array(draw(st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=n, max_size=n)))
    if field == "pattern":
        lower = (lower != 0).astype(int)
    if field == "real":
        lower = lower / 4
    strict = np.tril(lower, -1)
    matrix = {
        "general": lower,
        "symmetric": strict + strict.T + np.diag(np.diag(lower)),
        "skew-symmetric": strict - strict.T,
        "hermitian": strict + strict.conj().T + np.diag(np.diag(lower).real),
    }[symmetry]
    stream = io.BytesIO()
    target = matrix if dense else scipy.sparse.coo_array(matrix)
    scipy.io.mmwrite(stream, target, field=field, symmetry=symmetry, comment=" a comment", precision=17)
    return stream.getvalue(), matrix


@given(written_by_scipy(), st.sampled_from([b"\n", b"\r\n", b"\r", b"\n\n % more\n \t\n"]))
def test_round_trip(case, line_end):
    data, matrix = case
    graph = load(data.replace(b"\n", line_end), as_="adjacency").graph
    pattern = matrix != 0
    np.fill_diagonal(pattern, False)
    assert graph.n == len(matrix)
    assert edges(graph) == list(zip(*(ids.tolist() for ids in np.nonzero(pattern)), strict=True))
    assert graph.edge_weights.tolist() == [1] * graph.m


@given(
    st.lists(st.lists(st.integers(0, 2**62), min_size=3, max_size=3), min_size=3, max_size=3), st.booleans()
)
def test_values_come_back_exactly(rows, dense):
    matrix = np.triu(np.array(rows), 1)
    stream = io.BytesIO()
    scipy.io.mmwrite(stream, matrix if dense else scipy.sparse.coo_array(matrix), symmetry="general")
    if sum(matrix.ravel().tolist()) > 2**62:
        with pytest.raises(WeightError):
            load(stream.getvalue(), edge_weights="values")
    else:
        graph = load(stream.getvalue(), edge_weights="values").graph
        assert (graph.to_scipy().toarray() == matrix).all()


@given(written_by_scipy())
def test_letter_case_does_not_matter(case):
    data, _ = case
    banner, newline, rest = data.partition(b"\n")
    plain = load(data, as_="adjacency").graph
    assert load(banner.upper() + newline + rest, as_="adjacency").graph == plain
    assert load(banner.title() + newline + rest, as_="adjacency").graph == plain


@given(st.data())
def test_damaged_files_are_read_or_refused(data):
    text, _ = data.draw(written_by_scipy())
    at = data.draw(st.integers(0, len(text)))
    until = data.draw(st.integers(at, min(len(text), at + 4)))
    damaged = text[:at] + data.draw(st.binary(max_size=4)) + text[until:]
    with suppress(DagpartError):
        assert isinstance(load(damaged).graph, Dag)


@settings(max_examples=300)
@given(st.binary(max_size=60))
def test_garbage_is_read_or_refused(garbage):
    lines = 1 + garbage.count(b"\n") + garbage.count(b"\r")
    refused = None
    try:
        assert isinstance(load(garbage).graph, Dag)
    except ParseError as error:
        refused = error
    assert refused is None or 1 <= refused.line <= lines


# ---------------------------------------------------------------------- liberties that files take


def test_comments_and_blank_lines_anywhere():
    text = (
        "\n% first\n"
        + REAL
        + "\n%%GraphBLAS type double\n  \n3 3 2 % size\n\n% x\n1 2 1.0 % here\n\t\n2 3 1.0\n% end\n\n"
    )
    assert adjacency(text) == [(0, 1), (1, 2)]


def test_no_line_end_at_the_end():
    assert adjacency(PATTERN + "2 2 1\n1 2") == [(0, 1)]


def test_mark_of_utf8_and_foreign_letters_in_comments():
    text = b"\xef\xbb\xbf" + PATTERN.encode() + "% K. Müller\n".encode("latin-1") + b"2 2 1\n1 2\n"
    assert adjacency(text) == [(0, 1)]


def test_size_line_of_two_fields():
    assert adjacency(PATTERN + "4 2\n1 2\n3 4\n") == [(0, 1), (2, 3)]
    assert adjacency("4 2\n1 2\n3 4\n") == [(0, 1), (2, 3)]
    assert load("4 1\n1 2 0.5\n").graph.n == 4


def test_bare_triples():
    loaded = load("1 2 0.5\n2 5 1\n% and\n5 4 2\n")
    assert (loaded.graph.n, edges(loaded.graph)) == (5, [(0, 1), (1, 4), (4, 3)])
    assert loaded.notes == (
        "no banner: read as coordinate real general, so only what is written counts",
        "no size line: the largest id is taken for the last vertex",
    )


def test_bare_triples_of_whole_numbers_do_not_pass_for_a_size_line():
    assert adjacency("1 2 1\n2 3 1\n") == [(0, 1), (1, 2)]
    assert adjacency("1 2 7\n2 3 1\n3 4 5\n") == [(0, 1), (1, 2), (2, 3)]


def test_bare_pairs():
    assert adjacency("1 2\n2 3\n3 4\n") == [(0, 1), (1, 2), (2, 3)]
    assert adjacency("0 1\n1 2\n", index_base=0) == [(0, 1), (1, 2)]


def test_first_line_that_may_be_either_is_refused_when_it_counts_wrongly():
    error = refusal("5 5 4\n1 2 1.0\n2 3 1.0\n")
    assert (error.line, error.found) == (3, "2 entries")
    assert error.expected == "4, as the size line 1 says; if line 1 is an entry, put a size line above it"


def test_size_line_without_a_banner_keeps_ids_in_range():
    error = refusal("3 3 3\n1 1 3.0\n2 2 3.4\n3 9999 3.4\n")
    assert (error.line, error.found) == (4, "row 3, column 9999")


def test_zero_ids_are_refused_with_a_hint_and_read_when_asked():
    text = REAL + "3 3 2\n% zero\n1 2 1.0\n0 1 1.0\n"
    error = refusal(text)
    assert (error.line, error.found) == (5, "row 0, column 1")
    assert "index_base=0 (--index-base 0)" in error.expected
    assert adjacency(text, index_base=0) == [(0, 1), (1, 2)]


def test_one_based_ids_are_refused_with_a_hint_when_read_as_zero_based():
    error = refusal(REAL + "3 3 2\n1 2 1.0\n2 3 1.0\n", index_base=0)
    assert (error.line, error.found) == (4, "row 2, column 3")
    assert "if the file counts from 1" in error.expected


def test_explicit_zeros():
    text = REAL + "3 3 4\n1 2 0\n2 3 -0.0\n1 3 1e-300\n3 3 0\n"
    dropped = load(text).graph
    assert (edges(dropped), dropped.dropped.explicit_zeros, dropped.dropped.self_loops) == ([(0, 2)], 3, 0)
    kept = load(text, zeros="keep").graph
    assert (edges(kept), kept.dropped.explicit_zeros, kept.dropped.self_loops) == (
        [(0, 1), (0, 2), (1, 2)],
        0,
        1,
    )


def test_zeros_of_an_array_are_no_entries():
    text = "%%MatrixMarket matrix array real general\n2 2\n0\n0\n3\n0\n"
    graph = load(text, zeros="keep").graph
    assert (edges(graph), graph.dropped.explicit_zeros) == ([(0, 1)], 0)


def test_nan_and_infinity_are_entries():
    assert adjacency(REAL + "3 3 2\n1 2 NaN\n2 3 -inf\n") == [(0, 1), (1, 2)]


def test_integers_beyond_64_bits_are_entries():
    text = "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 99999999999999999999999\n"
    assert adjacency(text) == [(0, 1)]
    error = refusal(text, edge_weights="values")
    assert (error.line, error.found) == (3, "'99999999999999999999999'")


def test_fortran_exponents():
    graph = load(REAL + "3 3 2\n1 2 1.5D+03\n2 3 2d0\n", edge_weights="values").graph
    assert graph.edge_weights.tolist() == [1500, 2]
    error = refusal(REAL + "3 3 2\n1 2 1.5D+03\n2 3 dud\n")
    assert (error.line, error.found) == (4, "'dud'")


def test_duplicates_are_merged_and_counted():
    graph = load(REAL + "3 3 4\n1 2 1.0\n1 2 2.0\n2 3 1.0\n1 2 3.0\n").graph
    assert (edges(graph), graph.edge_weights.tolist(), graph.dropped.duplicates_merged) == (
        [(0, 1), (1, 2)],
        [3, 1],
        2,
    )


def test_symmetric_storage_counts_both_ways():
    text = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 1 1\n2 3 1\n"
    graph = load(text, as_="adjacency").graph
    assert (edges(graph), graph.dropped.self_loops) == ([(0, 1), (1, 0), (1, 2), (2, 1)], 1)
    assert not graph.is_acyclic


def test_skew_values_change_sign():
    text = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -3\n"
    assert load(text, as_="upper", edge_weights="values").graph.edge_weights.tolist() == [3]
    with pytest.raises(WeightError):
        load(text, as_="adjacency", edge_weights="values")


def test_complex_values_are_no_weights():
    text = "%%MatrixMarket matrix coordinate complex Hermitian\n2 2 2\n1 1 0 0\n2 1 0 1\n"
    assert adjacency(text) == [(0, 1), (1, 0)]
    assert load(text).graph.dropped.explicit_zeros == 1
    with pytest.raises(WeightError, match="complex"):
        load(text, edge_weights="values")


def test_array_of_a_symmetric_matrix_lists_the_lower_triangle_by_columns():
    head = "%%MatrixMarket matrix array integer "
    assert adjacency(head + "symmetric\n3 3\n0\n7\n0\n0\n0\n0\n") == [(0, 1), (1, 0)]
    assert adjacency(head + "skew-symmetric\n3 3\n0\n7\n0\n") == [(0, 2), (2, 0)]
    assert adjacency(head + "general\n2 2\n0\n1\n0\n0\n") == [(1, 0)]


def test_matrix_without_entries_or_vertices():
    assert (load(PATTERN + "3 3 0\n").graph.n, load(PATTERN + "0 0 0\n").graph.n) == (3, 0)
    assert load("%%MatrixMarket matrix array real general\n0 0\n").graph.n == 0


# ---------------------------------------------------------------------- readings


def test_auto_takes_the_adjacency_where_it_is_acyclic():
    loaded = load(PATTERN + "3 3 2\n3 2\n2 1\n")
    assert (loaded.reading, edges(loaded.graph)) == ("adjacency", [(1, 0), (2, 1)])


def test_auto_takes_the_fuller_triangle_else():
    loaded = load(PATTERN + "3 3 3\n1 2\n2 1\n3 1\n")
    assert (loaded.reading, edges(loaded.graph)) == ("lower", [(0, 1), (0, 2)])
    assert loaded.graph.dropped.other_triangle == 1
    assert load(PATTERN + "2 2 2\n1 2\n2 1\n").reading == "upper"


def test_cyclic_adjacency_comes_back_as_it_is():
    loaded = load(PATTERN + "2 2 2\n1 2\n2 1\n", as_="adjacency")
    assert (type(loaded.graph), loaded.reading) == (Digraph, "adjacency")
    assert type(load(PATTERN + "2 2 1\n1 2\n", as_="adjacency").graph) is Dag


@given(st.data())
def test_auto_is_one_of_the_three(data):
    n = data.draw(st.integers(1, 5))
    ids = st.integers(1, n)
    pairs = data.draw(st.lists(st.tuples(ids, ids), max_size=8))
    text = PATTERN + f"{n} {n} {len(pairs)}\n" + "".join(f"{i} {j}\n" for i, j in pairs)
    loaded = load(text)
    again = load(text, as_=loaded.reading)
    assert (loaded.graph, loaded.graph.dropped) == (again.graph, again.graph.dropped)
    whole = load(text, as_="adjacency").graph
    assert (loaded.reading == "adjacency") == whole.is_acyclic
    if loaded.reading != "adjacency":
        sizes = {side: load(text, as_=side).graph.m for side in ("upper", "lower")}
        assert loaded.reading == max(sizes, key=sizes.get)


@pytest.mark.parametrize(
    "options", [{"as_": "Lower"}, {"index_base": 2}, {"zeros": "no"}, {"edge_weights": "value"}], ids=str
)
def test_unknown_choices_are_refused(options):
    ((name, value),) = options.items()
    with pytest.raises(DagpartError, match=f"^{name} must be .* or .*, got {value!r}$"):
        load(PATTERN + "2 2 1\n1 2\n", **options)


# ---------------------------------------------------------------------- what is refused, and where


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("", 1, "an empty file"),
        ("\n \n", 1, "an empty file"),
        ("% only\n% comments\n", 2, "the end of the file"),
        (PATTERN, 1, "the end of the file"),
        ("hello\n", 1, "'hello'"),
        ("\x7fELF\x00\x01 1 2\n", 1, r"'\x7fELF\x00\x01 1 2'"),
        ("7\n", 1, "'7'"),
        ("1 2 3 4 5\n", 1, "'1 2 3 4 5'"),
        ("1.5 2\n3\n", 1, "'1.5 2'"),
        (REAL + "3 3\n1 2 x\n", 3, "'x'"),
        (REAL + "3 three 2\n", 2, "'3 three 2'"),
        (REAL + "3 3 -2\n", 2, "'3 3 -2'"),
        (REAL + "3 3 2.0\n", 2, "'3 3 2.0'"),
        (REAL + "3 3 2\n1 2 1\n", 3, "1 entry"),
        (REAL + "3 3 2\n1 2 1\n1 3 1\n% x\n2 3 1\n2 3 1\n", 6, "4 entries"),
        (REAL + "3 3 2\n1 2 1\n1 2\n", 4, "2 fields"),
        (REAL + "3 3 2\n1 2 1\n1 2 3 4\n", 4, "4 fields"),
        (REAL + "3 3 2\n1 2 1\n1.0 2 3\n", 4, "'1.0'"),
        (REAL + "3 3 2\n1 2 1\n1 2.0 3\n", 4, "'2.0'"),
        (REAL + "3 3 2\n1 2 1\n1 2 3abc\n", 4, "'3abc'"),
        (REAL + "3 3 2\n1 2 1\n1 2 0x10\n", 4, "'0x10'"),
        (REAL + "3 3 2\n1 2 1\n1 2 1_0\n", 4, "'1_0'"),
        (REAL + "3 3 2\n1 2 1\n1 2 3\x00\n", 4, r"'3\x00'"),
        (REAL + "3 3 1\n1 4 1\n", 3, "row 1, column 4"),
        (REAL + "3 3 1\n-1 2 1\n", 3, "row -1, column 2"),
        (REAL + "3 3 1\n99999999999999999999 2 1\n", 3, "'99999999999999999999'"),
        (PATTERN + "2 2 1\n1 2 1\n", 3, "3 fields"),
        (REAL + "3 3 1\n1 2 " + "9x" * 99 + "\n", 3, "'" + "9x" * 17 + "9...'"),
        (REAL + "3 3 1\n1 2 x" + "9" * 9999 + "\n", 3, "'x" + "9" * 34 + "...'"),
        (REAL + "3 3 1\n1 \x1c9 1\n", 3, "row 1, column 9"),
        (REAL + "3 3 1\n\x1c\n", 3, "1 field"),
        ("%%MatrixMarket matrix coordinate real\n", 1, "3 words in the banner"),
        ("%%MatrixMarket vector coordinate real general\n", 1, "'vector' in the banner"),
        ("%%MatrixMarket matrix coordinate real diagonal\n", 1, "'diagonal' in the banner"),
        ("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", 5, "3 entries"),
        ("%%MatrixMarket matrix array real general\n2 3\n", 2, "a 2 x 3 matrix"),
        ("%%MatrixMarket matrix array real general\n2 2 4\n", 2, "'2 2 4'"),
        ("4 4 1\n1 2 3 4 5\n", 1, "'4 4 1'"),
        ("2 3 1\n1 2 1.0\n", 1, "a 2 x 3 matrix"),
    ],
)
def test_refusals_name_the_line(text, line, found):
    error = refusal(text)
    assert (error.line, error.found) == (line, found)


def test_other_troubles_of_the_number_reader_are_passed_on(monkeypatch):
    def refuse(*_, **__):
        raise ValueError("odd")

    monkeypatch.setattr(np, "loadtxt", refuse)
    error = refusal(PATTERN + "3 3 1\n1 +2\n")
    assert (error.line, error.found) == (3, "text that NumPy refuses (odd)")


@pytest.mark.parametrize(
    "size",
    [
        "3 3 999999999999999999",
        "999999999999999 999999999999999 1",
        "9223372036854775807 9223372036854775807 1",
        f"{10**30} {10**30} 1",
    ],
)
def test_no_memory_is_taken_on_the_word_of_a_size_line(size):
    assert refusal(REAL + size + "\n1 2 1.0\n").line in (2, 3)


def test_no_memory_is_taken_on_the_word_of_an_array_size_or_an_id():
    error = refusal("%%MatrixMarket matrix array real general\n999999999 999999999\n1.0\n")
    assert (error.line, error.found) == (3, "1 entry")
    error = refusal("1 2 0.5\n1 999999999999999 0.5\n")
    assert (error.line, error.found) == (2, "999999999999999 vertices for 2 entries")


def test_many_isolated_vertices_are_fine():
    assert load(PATTERN + "1000000 1000000 1\n1 2\n").graph.n == 1_000_000


# ---------------------------------------------------------------------- the fast pass over usual files

FIELDS = st.sampled_from(
    ["1", "2", "3", "0", "+1", "-1", "01", "2147483647", "2147483648", "99999999999999999999", "1.0", "x", ""]
)
_ODD = "0 -0.0 0e99 1 1e-99 1e-400 .5 5. . e5 1e 1e+ nan inf 0x1 1d3 1_0"
VALUES = st.sampled_from([*_ODD.split(), "0." + "0" * 50 + "1", "\0", "1 1", ""])


@given(
    st.lists(st.tuples(FIELDS, FIELDS, VALUES), max_size=4), st.booleans(), st.sampled_from([" ", "\t", "  "])
)
def test_the_fast_pass_reads_what_the_strict_one_reads(rows, valued, blank):
    """With exact values the fast pass is not used; only the pattern counts in the end."""
    lines = [blank.join(row if valued else row[:2]) for row in rows]
    field = "real" if valued else "pattern"
    text = "\n".join(["banner", "size", *lines])
    results = []
    for entries in (len(rows), None):
        body = matrix_market.Text("t.mtx", text.encode(), len("banner size "), 3)
        banner = matrix_market._Banner("coordinate", field, "general")
        try:
            table = matrix_market._read_rows(body, banner, exact=False, entries=entries)
        except ParseError as error:
            results.append(str(error))
        else:
            values = matrix_market._values(table, banner, exact=False)
            results.append((table["row"].tolist(), table["column"].tolist(), values.tolist()))
    assert results[0] == results[1]


def test_the_fast_pass_takes_no_memory_for_what_a_header_claims():
    error = refusal(PATTERN + "3 3 9000000000000000000\n1 2\n")
    assert (error.line, error.found) == (3, "1 entry")


@pytest.mark.parametrize("word", ["MatrixMarket\0", "MatrixMarket-like", "MatrixMarkets"])
def test_words_that_only_begin_like_the_banner_are_comments(word):
    assert adjacency(f"%%{word} pattern\n1 2\n2 3\n") == [(0, 1), (1, 2)]


LOWER = "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 2\n"


def test_a_lower_triangle_is_told(tmp_path):
    path = tmp_path / "L.mtx"
    path.write_text(LOWER)
    loaded = dagpart.io.load(path)
    assert (loaded.reading, edges(loaded.graph)) == ("adjacency", [(1, 0), (2, 1)])
    assert loaded.notes == loaded.doubts != ()
    assert 'as_="lower" (--as lower)' in loaded.notes[0]
    with pytest.warns(dagpart.errors.DirectionWarning, match="from the higher index to the lower"):
        dagpart.read(path)
    with pytest.warns(dagpart.errors.DirectionWarning, match="L.mtx"):
        assert dagpart.partition(path, 3).labels.tolist() == [2, 1, 0]
    # Who says what it is, is not told.
    for options in ({"as_": "lower"}, {"as_": "adjacency"}, {"reverse": True}):
        dagpart.read(path, **options)
        assert dagpart.io.load(path, **options).doubts == ()
    assert edges(dagpart.read(path, as_="lower")) == [(0, 1), (1, 2)]
    # Nor is anybody of an upper triangle, or of what `write` made.
    dagpart.write(dagpart.read(path, as_="adjacency"), tmp_path / "own.mtx")
    assert edges(dagpart.read(tmp_path / "own.mtx")) == [(1, 0), (2, 1)]
    scipy.sparse.save_npz(tmp_path / "L.npz", scipy.sparse.csr_array(scipy.io.mmread(path)))
    with pytest.warns(dagpart.errors.DirectionWarning, match="L.npz"):
        dagpart.read(tmp_path / "L.npz")
