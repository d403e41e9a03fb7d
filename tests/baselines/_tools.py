"""What the tests of baselines share."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from dagpart import _child
from dagpart.baselines import BASELINES
from dagpart.dag import Dag
from dagpart.io import read


def require(name):
    """The baseline of a name; the test is skipped where its library is not installed."""
    baseline = BASELINES[name]
    if importlib.util.find_spec(baseline.module) is None:
        pytest.skip(f"{baseline.package} is not installed")
    return baseline


def in_one_child(function, *arguments):
    """Call a function of a module beside this one in a process in which all libraries are called."""
    outcome = _child.run_in_child(function.__name__, function, *arguments)
    if outcome.error is not None:
        raise outcome.error
    return outcome.value


def partition_files(name, paths, k):
    """Labels of every file, by one baseline."""
    return [BASELINES[name](Dag.from_any(read(path)), k, seed=1) for path in paths]


def partition_cases(name, cases):
    """Labels, or the error, for graphs with what is asked of each: (graph, k, imbalance)."""
    found = []
    for graph, k, imbalance in cases:
        for variant in BASELINES[name].variants:
            try:
                labels = BASELINES[name](graph, k, imbalance=imbalance, variant=variant)
                found.append(np.asarray(labels))
            except Exception as error:
                found.append(error)
    return found
