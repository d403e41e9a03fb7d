"""Units of weights: what formats know of them, what derived graphs keep, quantities with units."""

from __future__ import annotations

import pickle

import pytest

from dagpart import Dag, DagpartError, read
from dagpart.metrics import quotient
from dagpart.schedule import Platform, Problem, schedule
from dagpart.units import GIGABIT, Units, bandwidth_in, bandwidth_words, seconds, time_in

# Two tasks of 2 and 3 seconds; 250 MB go from one to the other, which gigabit Ethernet carries in 2 seconds.
WORKFLOW = """{"workflow": {"specification": {"tasks": [
  {"id": "a", "children": ["b"], "outputFiles": ["f"]}, {"id": "b", "inputFiles": ["f"]}],
  "files": [{"id": "f", "sizeInBytes": 250000000}]},
  "execution": {"tasks": [{"id": "a", "runtimeInSeconds": 2}, {"id": "b", "runtimeInSeconds": 3}]}}}"""
DAX = """<adag><job id="a" runtime="2"><uses file="f" link="output" size="250000000"/></job>
<job id="b" runtime="3"><uses file="f" link="input" size="250000000"/></job>
<child ref="b"><parent ref="a"/></child></adag>"""


@pytest.fixture(params=["w.json", "w.dax"])
def workflow(request, tmp_path):
    path = tmp_path / request.param
    path.write_text(WORKFLOW if request.param == "w.json" else DAX)
    return read(path)


def test_workflows_are_in_seconds_and_bytes(workflow):
    assert workflow.units == Units(time=1.0, data=1.0)
    assert workflow.units.link == GIGABIT
    spread = schedule(workflow, 2, algorithm="round-robin")
    assert spread.processor.tolist() == [0, 1]
    assert spread.makespan == 2 + 2 + 3
    # A platform of the caller's own is in the units of the weights.
    own = Platform.homogeneous(2, bandwidth=250e6)
    assert schedule(workflow, own, algorithm="round-robin").makespan == 2 + 1 + 3


def test_what_a_file_does_not_tell_has_no_unit(tmp_path):
    (tmp_path / "w.json").write_text(
        WORKFLOW.replace("sizeInBytes", "size").replace("runtimeInSeconds", "no")
    )
    assert read(tmp_path / "w.json").units == Units(time=None, data=None)
    assert read(tmp_path / "w.json").units.link is None


def test_derived_graphs(workflow):
    for kept in (
        workflow.reverse(),
        Dag.from_any(workflow),
        quotient(workflow, [0, 1]),
        pickle.loads(pickle.dumps(workflow)),
    ):
        assert kept.units == workflow.units
    # New weights are in a unit that nobody has told.
    assert workflow.with_weights(vertex_weights=[1, 1]).units == Units(time=None, data=1.0)
    assert workflow.with_weights(edge_weights="unit").units == Units(time=1.0, data=None)
    assert Dag.from_edges([(0, 1)]).units is None
    assert workflow.measured(None) == workflow


def test_units_do_not_change_a_scheduling_problem_without_them():
    assert Problem.of([(0, 1)], 2).platform == Platform.homogeneous(2)


@pytest.mark.parametrize(
    ("text", "bandwidth"),
    [
        ("1GB/s", 1e9),
        ("1 GB/s", 1e9),
        ("1.5kB/ms", 1.5e6),
        ("100MiB/s", 100 * 2**20),
        ("10Gbit/s", 1.25e9),
        ("8bit/s", 1.0),
        ("2e3", 2000.0),
        ("1.", 1.0),
    ],
)
def test_bandwidths(text, bandwidth):
    assert bandwidth_in(text, Units(time=1.0, data=1.0)) == pytest.approx(bandwidth)
    if "/" in text:
        # By the nanosecond, in kilobytes.
        assert bandwidth_in(text, Units(time=1e-9, data=1e3)) == pytest.approx(bandwidth * 1e-12)
        # Edges that nobody has told the unit of are taken to weigh bytes.
        assert bandwidth_in(text, Units(time=1.0)) == pytest.approx(bandwidth)
        with pytest.raises(DagpartError, match="in what unit of time"):
            bandwidth_in(text, None)


@pytest.mark.parametrize("text", ["", "GB/s", "1GB", "1GB/week", "1Gb/s", "-1", "nan", "1 2", "1GB/s/s"])
def test_no_bandwidths(text):
    with pytest.raises(DagpartError, match="is not a bandwidth"):
        bandwidth_in(text, Units(time=1.0, data=1.0))


def test_times():
    assert time_in("3", None) == 3.0
    assert time_in("2.5ms", Units(time=1e-6)) == pytest.approx(2500)
    assert seconds(" min ") == 60.0
    assert seconds("2 h") == 7200.0
    assert seconds("0.5") == 0.5
    for wrong in ("", "parsec", "0", 0, -1, float("nan"), None, "1 parsec"):
        with pytest.raises(DagpartError, match="is not a unit of time"):
            seconds(wrong)
    with pytest.raises(DagpartError, match="is not a time"):
        time_in("1 parsec", Units(time=1.0))
    with pytest.raises(DagpartError, match="in what unit of time"):
        time_in("1s", Units(data=1.0))


def test_words():
    assert [bandwidth_words(rate) for rate in (0.5, 12.0, 1.5e3, 125e6, 1e10)] == [
        "0.5 B/s",
        "12 B/s",
        "1.5 kB/s",
        "125 MB/s",
        "10 GB/s",
    ]
