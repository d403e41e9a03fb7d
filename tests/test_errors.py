from __future__ import annotations

import pickle

import pytest

from dagpart import errors


@pytest.mark.parametrize(
    "error",
    [
        errors.DagpartError("wrong"),
        errors.NotADagError(["a", ("b", 1), 3]),
        errors.InfeasibleError("vertex 3 is too heavy", 0.25),
        errors.InfeasibleError("no tolerance helps"),
        errors.InfeasibleError("vertex 3 is too heavy", smallest_max_weight=7),
        errors.InvalidScheduleError(["task 3 starts twice", "task 4 never runs"]),
        errors.ParseError("graph.mtx", 7, "two fields", "three"),
        errors.WeightError("edge 0 -> 1 has weight -1"),
        errors.MissingDependencyError("pooch", "datasets", "to fetch matrices"),
        errors.DownloadError("https://example.org/a", "the server has no such file"),
        errors.ToolError("KaHIP", "crashed (SIGSEGV)"),
    ],
)
def test_errors_are_value_errors_and_survive_another_process(error: errors.DagpartError) -> None:
    assert isinstance(error, errors.DagpartError)
    assert isinstance(error, ValueError)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_a_cycle_is_named_in_full_when_it_is_short() -> None:
    error = errors.NotADagError(name for name in "abc")
    assert error.cycle == ["a", "b", "c"]
    assert "a -> b -> c -> a (3 edges)" in str(error)


def test_a_long_cycle_is_kept_whole_but_not_printed() -> None:
    error = errors.NotADagError(range(10**6))
    assert len(error.cycle) == 10**6
    assert "0 -> 1 -> 2" in str(error)
    assert "999999 -> 0 (1000000 edges)" in str(error)
    assert len(str(error)) < 250


@pytest.mark.parametrize(
    ("path", "line", "place"),
    [("a.mtx", 3, "a.mtx:3: "), ("a.mtx", None, "a.mtx: "), (None, 3, "<input>:3: ")],
)
def test_a_parse_error_starts_with_the_place(path: str | None, line: int | None, place: str) -> None:
    assert str(errors.ParseError(path, line, "x", "y")) == f"{place}found x; expected y"


def test_the_smallest_tolerance_is_carried() -> None:
    error = errors.InfeasibleError("vertex 3 is too heavy", 0.25)
    assert error.smallest_imbalance == 0.25
    assert str(error) == "vertex 3 is too heavy"
