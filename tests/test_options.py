"""The presets, and every option of the engine by itself."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from dagpart import DagpartError, Options, generate, partition
from dagpart.options import CHECK_VARIABLE, PRESETS, options_of


@pytest.mark.parametrize("name", ["fast", "default", "strong"])
def test_presets_by_name(name, monkeypatch):
    monkeypatch.delenv(CHECK_VARIABLE)
    assert options_of(name) == PRESETS[name]


def test_default_options_are_the_default_preset():
    assert PRESETS["default"] == Options()


@pytest.mark.parametrize("name", ["", "best", None, 3])
def test_unknown_preset(name):
    with pytest.raises(DagpartError, match=f"no preset {name!r}; choose from fast, default, strong"):
        options_of(name)


@pytest.mark.parametrize(("value", "check"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_the_environment_turns_checks_on(value, check, monkeypatch):
    monkeypatch.setenv(CHECK_VARIABLE, value)
    assert options_of("fast").check is check
    assert options_of(Options(check=True)).check


EXTREMES = {
    "phases": [("scan",), ("guide", "repair", "multilevel"), ("small", "order", "scan")],
    "clusterers": [("runs",), ("levels",), ("levels", "runs", "levels")],
    "refiners": [(), ("flow",), ("fm", "fm"), ("flow", "fm", "flow", "fm")],
    "guides": [1, 3],
    "guide_starts": [1, 30],
    "starts": [1, 40],
    "scans": [1, 8, 20],
    "repairs": [1, 4, 9],
    "cycles": [0, 5],
    "restarts": [0, 3],
    "bisection_restarts": [0, 3],
    "restart_work": [0, 10**9],
    "kway_cycles": [0, 5],
    "passes": [0, 1, 20],
    "shrink": [1.0, 8.0],
    "guide_shrink": [1.0, 8.0],
    "stop_fraction": [0.0, 1.0],
    "stop_min": [0, 10**6],
    "stop_max": [1, 10**6],
    "coarsest": [2, 10**6],
    "coarsest_per_part": [1, 1000],
    "order_ratio": [0.0, 100.0],
    "flow_vertices": [1, 10**6],
    "flow_rounds": [1, 9],
    "flow_depth": [1, 1000],
    "flow_nodes": [2, 10**6],
    "flow_reach": [0.0, 2.0],
    "small_rounds": [0, 1],
    "small_work": [0, 10**9],
    "check": [True],
}


def test_the_engine_has_a_field_for_every_number():
    # Where the options have a number more, the engine takes the others and says nothing.
    text = (Path(__file__).resolve().parents[1] / "dagpart/_core/base/options.pxd").read_text()
    body = re.sub(r"#.*", "", text.partition("cdef struct Options:")[2])
    declared = {
        name.strip()
        for line in body.splitlines()
        if (found := re.match(r"    \S+ (.+)", line))
        for name in found[1].split(",")
    }
    phases = {"clusterers", "starts_named", "refiners", "guide", "order", "small"}
    assert declared == set(Options().numbers()) | phases | {"slack"}


def test_every_option_is_listed():
    assert set(EXTREMES) == {field.name for field in fields(Options)}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in EXTREMES for value in EXTREMES[name]])
def test_no_value_of_an_option_breaks_a_promise(name, value):
    dag = generate.grid2d(25)
    edges = dag.to_scipy().tocoo()
    options = replace(Options(), **{name: value})
    result = partition(dag, 5, preset=options, seed=1)
    assert np.all(result.labels[edges.row] <= result.labels[edges.col])
    assert np.bincount(result.labels).max() <= result.cap == 128
    assert result.edge_cut == np.count_nonzero(result.labels[edges.row] != result.labels[edges.col])


@pytest.mark.parametrize(
    "name", [name for name in EXTREMES if name not in ("phases", "clusterers", "refiners")]
)
def test_numbers_outside_their_range(name):
    with pytest.raises(DagpartError, match=rf"the option {name} must be a (whole )?number from .* got -1"):
        replace(Options(), **{name: -1})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"phases": ("guide", "repair")}, "neither 'scan' nor 'multilevel'"),
        ({"phases": "scan"}, "tuple of names"),
        ({"clusterers": ()}, "must name one at least"),
        ({"refiners": (1, 2)}, "tuple of names"),
        ({"flow_vertices": 0}, "a phase that is not wanted is left out"),
    ],
)
def test_phases_that_cannot_be(changes, message):
    with pytest.raises(DagpartError, match=message):
        Options(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"phases": ("scan", "magic")}, "no start 'magic'; choose from scan, repair, multilevel"),
        ({"clusterers": ("run",)}, "no clusterer 'run'; choose from runs, levels"),
        ({"refiners": ("fm", "kl")}, "no refiner 'kl'; choose from fm, flow"),
        ({"refiners": ("fm",) * 17}, "16 are the most"),
    ],
)
def test_phases_that_nobody_knows(changes, message):
    with pytest.raises(DagpartError, match=message):
        partition(generate.grid2d(4), 2, preset=Options(**changes))


def test_without():
    options = Options().without("guide", "flow")
    assert "guide" not in options.phases
    assert options.refiners == ("fm", "fm")
    with pytest.raises(DagpartError, match="name no phase 'flow'"):
        options.without("flow")
