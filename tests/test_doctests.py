"""The examples in the documentation of every module run and show what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import dagpart

_MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(dagpart.__path__, "dagpart.")
    # Running the command line is what importing this one does.
    if not module.name.endswith("__main__")
)
# An example may leave out the middle of a long output.
_OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_modules_are_found() -> None:
    assert {"dagpart.dag", "dagpart.errors", "dagpart._core.graph.csr"} <= set(_MODULES)


@pytest.mark.parametrize("name", _MODULES)
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=_OPTIONS)
    assert failed == 0


@pytest.mark.parametrize("name", _MODULES)
def test_every_prompt_stands_at_the_front_of_a_line_where_doctest_finds_it(name: str) -> None:
    for found in doctest.DocTestFinder().find(importlib.import_module(name)):
        assert (found.docstring or "").count(">>>") == len(found.examples), found.name


@pytest.mark.parametrize("name", ["Digraph", "Dag", "Dropped"])
def test_every_public_method_of_the_graphs_has_an_example(name: str) -> None:
    from dagpart import dag

    finder = doctest.DocTestFinder(exclude_empty=False)
    without = [
        found.name
        for found in finder.find(getattr(dag, name), name)
        if not found.examples and not found.name.rpartition(".")[2].startswith("_")
    ]
    # Properties say all in one line.
    assert set(without) <= {"Digraph.is_acyclic", "Dag.is_acyclic", "Dag.order", "Dag.levels"}
