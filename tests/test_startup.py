"""What is loaded when: names come on demand, and the command line shows its help without the engine."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import dagpart
import dagpart.io

HEAVY = {
    "concurrent.futures",
    "dagpart.dag",
    "matplotlib",
    "networkx",
    "pandas",
    "scipy.optimize",
    "scipy.sparse.csgraph",
    "scipy.sparse.linalg",
    "scipy.spatial",
    "tqdm",
}
ON_DEMAND = [dagpart, dagpart.io]


def loaded_by(code: str) -> set[str]:
    """Names of all modules that a new interpreter has loaded after the code."""
    script = f"import contextlib, io, json, sys\n{code}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=120, check=True
    )
    return set(json.loads(done.stdout))


def command(*words: str) -> str:
    """Code that runs the command line, and throws away what it shows."""
    return (
        "from dagpart.cli import main\n"
        f"with contextlib.redirect_stdout(io.StringIO()) as out:\n    assert main({list(words)!r}) == 0\n"
        "assert 'dagpart' in out.getvalue()"
    )


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_by("import dagpart") & (HEAVY | {"numpy", "scipy"}) == set()


def test_a_graph_loads_what_graphs_need() -> None:
    loaded = loaded_by("import dagpart\ndagpart.Dag")
    assert {"dagpart.dag", "scipy.sparse"} <= loaded
    assert not loaded & {"networkx", "tqdm", "dagpart.io", "dagpart.schedule", "dagpart.generate"}


LIGHT = ["partition", "cluster", "check", "info", "generate"]


@pytest.mark.parametrize("words", [["--version"], ["--help"], *([name, "--help"] for name in LIGHT)])
def test_the_command_line_shows_its_help_without_the_engine(words: list[str]) -> None:
    loaded = loaded_by(command(*words))
    assert not loaded & (HEAVY | {"scipy"})
    assert not {name for name in loaded if name.startswith("dagpart._core")}


@pytest.mark.parametrize("package", ON_DEMAND, ids=lambda package: package.__name__)
def test_names_show_before_they_are_loaded(package: ModuleType) -> None:
    shown = [name for name in dir(package) if not name.startswith("_")]
    assert shown == sorted(name for name in package.__all__ if not name.startswith("_"))
    script = (
        f"import {package.__name__} as package, rlcompleter\n"
        "completer = rlcompleter.Completer({'package': package})\n"
        "found = []\n"
        "while (match := completer.complete('package.', len(found))) is not None:\n    found.append(match)\n"
        "wanted = {'package.' + name for name in package.__all__ if name[0] != '_'}\n"
        "assert wanted <= {name.rstrip('(') for name in found}, found"
    )
    loaded_by(script)


@pytest.mark.parametrize("package", ON_DEMAND, ids=lambda package: package.__name__)
def test_type_checkers_see_every_name_where_it_is_found(package: ModuleType) -> None:
    body = ast.parse(Path(package.__file__ or "").read_text("utf-8")).body
    (block,) = (node for node in body if isinstance(node, ast.If))
    seen = {}
    for node in (*body, *block.body):
        for name in node.names if isinstance(node, ast.ImportFrom) else ():
            if name.name in package.__all__:
                seen[name.name] = getattr(importlib.import_module(node.module or ""), name.name)
    assert sorted(seen) == sorted(package.__all__)
    for name, value in seen.items():
        assert getattr(package, name) is value


def test_what_was_an_attribute_stays_one() -> None:
    modules = ["clustering", "comparing", "dag", "errors", "io", "options", "partitioning"]
    check = "assert getattr(dagpart, name).__name__ == f'dagpart.{name}'"
    loaded_by(f"import dagpart\nfor name in {modules}:\n    {check}")


def test_names_that_do_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'dagpart' has no attribute 'partitoin'"):
        dagpart.partitoin  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'partitoin'"):
        exec("from dagpart import partitoin")
