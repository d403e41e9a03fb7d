"""Platforms in files: JSON, and OneStopParallel's machine files."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagpart import DagpartError, ParseError
from dagpart.io import load
from dagpart.schedule import Platform, read_costs, read_platform, write_platform

# The example of OneStopParallel's description of the format has these numbers.
THREE = "% a comment\n3 3 5 % and one more\n" + "".join(
    f"{q} {r} {int(q != r)}\n" for q in range(3) for r in range(3)
)


@st.composite
def platforms(draw):
    p = draw(st.integers(1, 4))
    number = st.floats(0, 1e6)
    matrix = st.lists(st.lists(number, min_size=p, max_size=p), min_size=p, max_size=p)
    speeds = draw(st.lists(st.floats(1e-3, 1e3), min_size=p, max_size=p))
    return Platform(np.array(speeds), np.array(draw(matrix)), np.array(draw(matrix)), draw(number))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("platforms")


@given(platforms())
def test_json_there_and_back(folder, platform):
    write_platform(folder / "p.json", platform)
    assert read_platform(folder / "p.json") == platform


@given(
    st.integers(1, 4).flatmap(
        lambda p: st.tuples(
            st.just(p),
            st.integers(0, 9),
            st.integers(0, 9),
            st.lists(st.lists(st.integers(0, 9), min_size=p, max_size=p), min_size=p, max_size=p),
        )
    )
)
def test_arch_there_and_back(folder, numbers):
    p, g, wait, factors = numbers
    platform = Platform.bsp(p, g=g, L=wait, numa=factors)
    write_platform(folder / "p.arch.gz", platform)
    assert read_platform(folder / "p.arch.gz") == platform


def test_a_machine_file(tmp_path):
    path = tmp_path / "p3.arch"
    path.write_text(THREE)
    assert read_platform(path) == Platform.bsp(3, g=3, L=5)
    # Limits on memory are passed over.
    path.write_text(THREE.replace("3 3 5", "3 3 5 3 100"))
    assert read_platform(path) == Platform.bsp(3, g=3, L=5)


def test_numa_factors(tmp_path):
    path = tmp_path / "p2.arch"
    path.write_text("2 5 10\n0 0 0\n0 1 2\n1 0 4\n1 1 0\n")
    assert read_platform(path).gap.tolist() == [[0, 10], [20, 0]]
    write_platform(path, read_platform(path))
    assert "2 10 10\n" in path.read_text()
    assert "1 0 2\n" in path.read_text()


@pytest.mark.parametrize(
    ("document", "platform"),
    [
        ({"p": 3}, Platform.homogeneous(3)),
        ({"p": 2, "bandwidth": 4, "latency": 0.5}, Platform.homogeneous(2, bandwidth=4, latency=0.5)),
        ({"speeds": [1, 2]}, Platform.heterogeneous([1, 2])),
        ({"p": 2, "gap": 3, "synchronisation": 7}, Platform.bsp(2, g=3, L=7)),
        (
            {"p": 2, "gap": 3, "synchronisation": 7, "barriers": "sending"},
            Platform.bsp(2, g=3, L=7, barriers="sending"),
        ),
        (
            {"speeds": [1, 2], "bandwidth": [[1, 2], [4, 1]]},
            Platform.heterogeneous([1, 2], bandwidth=[[1, 2], [4, 1]]),
        ),
    ],
)
def test_what_json_may_say(tmp_path, document, platform):
    (tmp_path / "p.json").write_text(json.dumps(document))
    assert read_platform(tmp_path / "p.json") == platform
    write_platform(tmp_path / "again.json", platform)
    assert read_platform(tmp_path / "again.json") == platform


def test_which_supersteps_cost_l(tmp_path):
    path = tmp_path / "p3.arch"
    path.write_text(THREE)
    assert read_platform(path, barriers="sending") == Platform.bsp(3, g=3, L=5, barriers="sending")
    assert read_platform(path, barriers="sending") != read_platform(path)
    for wrong in ("none", None, ["all"]):
        with pytest.raises(DagpartError, match="it must be one of all, sending"):
            Platform.bsp(3, barriers=wrong)
    (tmp_path / "p.json").write_text('{"p": 2, "barriers": []}')
    with pytest.raises(ParseError, match="it must be one of all, sending"):
        read_platform(tmp_path / "p.json")


RECORD = "Model: a\nJobId: {}\nHandles: f0\nModes: RW\nSizes: 8\nStartTime: 0\nEndTime: 1\n{}\n"


def test_costs_of_a_trace(tmp_path):
    """StarPU estimates in microseconds; the graph of its trace is in nanoseconds."""
    path = tmp_path / "tasks.rec"
    path.write_text(
        RECORD.format(1, "EstimatedTime: 1.5e+00 20\n")
        + RECORD.format(2, "EstimatedTime: 3 0\nDependsOn: 1\n")
    )
    assert read_costs(path, 2, 2).tolist() == [[1500, 20000], [3000, 0]]
    assert load(path).costs.tolist() == [[1500, 20000], [3000, 0]]
    with pytest.raises(ParseError, match="times of 2 tasks on 2 workers; expected those of 2 tasks on 3"):
        read_costs(path, 2, 3)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("", "", "no EstimatedTime"),
        ("EstimatedTime: 1 2\n", "", "tasks without EstimatedTime: 1"),
        ("EstimatedTime: 1 nan\n", "EstimatedTime: 1 2\n", "some EstimatedTime is no time"),
        ("EstimatedTime: 1 -2\n", "EstimatedTime: 1 2\n", "some EstimatedTime is no time"),
        ("EstimatedTime: 1 2\n", "EstimatedTime: 1\n", "1 estimated times; expected 2"),
        ("EstimatedTime: 1 x\n", "EstimatedTime: 1\n", "expected a number for each worker"),
    ],
)
def test_costs_that_a_trace_does_not_tell(tmp_path, first, second, words):
    path = tmp_path / "tasks.rec.gz"
    path.write_text(RECORD.format(1, first) + RECORD.format(2, second))
    with pytest.raises(ParseError, match=words):
        read_costs(path, 2, 2)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("p.json", "", "found an empty file"),
        ("p.json", "{}", "neither p nor speeds"),
        ("p.json", '{"p": 2,\n"speed": 3}', ":2: found a member 'speed'; expected one of p, speeds"),
        ("p.json", '{"p": 2, "gap": 1, "bandwidth": 1}', "both gap and bandwidth"),
        ("p.json", '{"p": 3, "speeds": [1, 2]}', "p: 3 and 2 speeds"),
        ("p.json", '{"p": "two"}', "p must be a whole number"),
        ("p.json", '{"p": 2, "bandwidth": 0}', "bandwidth must be finite and positive"),
        ("p.json", '{"p": 2, "gap": "wide"}', "gap must be numbers"),
        ("p.json", '{"p": [2]}', "p must be a whole number"),
        ("p.json", '{"p": 2, "synchronisation": [1]}', "synchronisation must be finite and not negative"),
        ("p.json", '{"p": 2, "gap": [1]}', "gap has the shape"),
        ("p.json", '{"p": 2, "latency": [[1], [1, 2]]}', "latency must be numbers, in rows of one length"),
        ("p.json", '{"p": 2, "bandwidth": {}}', "bandwidth must be numbers"),
        ("p.json", '{"p": 2, "barriers": ["all"]}', "barriers="),
        ("p.json", '{"p": 2, "gap": [[1]]}', "gap has the shape (1, 1)"),
        ("p.json", '{"p": 2, "latency": [[1, 2], [3]]}', "latency must be numbers"),
        ("p.json", '{"p": 2, "latency": null}', "latency must be finite"),
        ("p.json", '{"speeds": {"a": 1}}', "speeds must be numbers"),
        ("p.json", '{"p": 99999999999}', "p must be a whole number from 1 to 16384"),
        ("p.arch", "", "found 0 fields"),
        ("p.arch", "3 3\n", ":1: found 2 fields"),
        ("p.arch", "3 3 -5\n", ":1: found '-5'"),
        ("p.arch", "2 1 0\n0 0 0\n0 1 1.5\n", ":3: found '1.5'"),
        ("p.arch", "2 1 0\n0 0 0\n0 2 1\n", ":3: found processor 2"),
        ("p.arch", "2 1 0\n0 0 1\n", ":2: found the factor 1 from a processor to itself"),
        ("p.arch", "2 1 0\n0 1 1\n0 1 1\n", ":3: found the pair 0 1 for the second time"),
        ("p.arch", "2 1 0\n0 1\n", ":2: found 2 fields"),
        ("p.arch", "2 1 0\n0 0 0\n0 1 1\n\n", ":3: found 2 pairs of processors; expected 4"),
        ("p.arch", "16000 1 0\n", "found 0 pairs of processors"),
        ("p.arch", "0 1 0\n", "p must be a whole number from 1"),
    ],
)
def test_damage_is_named(tmp_path, name, content, words):
    (tmp_path / name).write_text(content)
    with pytest.raises(ParseError) as caught:
        read_platform(tmp_path / name)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        (Platform.heterogeneous([1, 2]), "no place for speeds"),
        (Platform.homogeneous(2, latency=1), "no place for latencies"),
        (Platform.bsp(2, g=0.5), "whole numbers only"),
        (Platform.bsp(2, L=0.5), "whole numbers only"),
    ],
)
def test_what_a_machine_file_cannot_hold(tmp_path, platform, words):
    with pytest.raises(DagpartError, match=words):
        write_platform(tmp_path / "p.arch", platform)
    assert not (tmp_path / "p.arch").exists()


@pytest.mark.parametrize("wrong", [[1], "1", -1, float("nan"), None])
def test_what_is_no_number_for_a_machine(wrong):
    for name in ("L", "g"):
        with pytest.raises(DagpartError, match=f"{name} must be finite and not negative"):
            Platform.bsp(2, **{name: wrong})
