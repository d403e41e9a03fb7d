"""The order of the house: every module imports only what stands below it, wherever the import is written."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import networkx as nx
import pytest

import dagpart

ROOT = Path(__file__).resolve().parents[1]

# Low to high. A unit imports itself and lower rows; units of a row marked "ordered" also each other.
LAYERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "ordered",
        (
            "dagpart.errors",
            "dagpart.options",
            "dagpart._arguments",
            "dagpart._child",
            "dagpart._files",
            "dagpart._json",
            "dagpart._lazy",
            "dagpart._named",
            "dagpart._optional",
            "dagpart._text",
            "dagpart._version",
            "dagpart.units",
        ),
    ),
    ("apart", ("dagpart._core",)),
    (
        "ordered",
        (
            "dagpart._cycles",
            "dagpart._entries",
            "dagpart._networkx",
            "dagpart._providers",
            "dagpart._weights",
            "dagpart.dag",
        ),
    ),
    ("apart", ("dagpart.metrics",)),
    ("apart", ("dagpart.io",)),
    ("apart", ("dagpart.search",)),
    ("apart", ("dagpart.clustering", "dagpart.exact", "dagpart.generate", "dagpart.partitioning")),
    ("apart", ("dagpart.adaptors", "dagpart.baselines")),
    ("apart", ("dagpart.comparing", "dagpart.datasets", "dagpart.schedule")),
    ("apart", ("dagpart",)),
    ("ordered", ("dagpart.cli", "dagpart.__main__")),
)
# What is named by a text is not seen below: these modules alone may load others that way.
LOADERS = {"dagpart._lazy", "dagpart._optional", "dagpart._providers", "dagpart.cli", "dagpart.io.registry"}

Sources = Mapping[str, tuple[str, str]]


def sources() -> dict[str, tuple[str, str]]:
    """Path and text of every Python module of the package, by its name."""
    out = {}
    for path in sorted((ROOT / "dagpart").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        out[name] = (path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
    for path in sorted((ROOT / "dagpart").rglob("*.pyx")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        out.setdefault(name, (path.relative_to(ROOT).as_posix(), ""))
    return out


def unit_of(module: str) -> tuple[int, str]:
    """Row and unit of a module."""
    found = [
        (len(unit), row, unit)
        for row, (_, units) in enumerate(LAYERS)
        for unit in units
        if module == unit or (unit != "dagpart" and module.startswith(f"{unit}."))
    ]
    if not found:
        raise AssertionError(f"{module} has no layer: give it one in {Path(__file__).name}")
    _, row, unit = max(found)
    return row, unit


def imports(module: str, text: str, known: Sources) -> Iterator[tuple[int, str, str]]:
    """Line, module and name of every import from the package; the name is empty for a whole module."""
    is_package = any(other.startswith(f"{module}.") for other in known)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (
                (node.lineno, name.name, "") for name in node.names if name.name.split(".")[0] == "dagpart"
            )
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module.split(".") if is_package else module.split(".")[:-1]
                base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [base])])
            if base.split(".")[0] != "dagpart":
                continue
            for name in node.names:
                inner = f"{base}.{name.name}"
                yield (node.lineno, inner, "") if inner in known else (node.lineno, base, name.name)


def faults(known: Sources) -> Iterator[str]:
    """Every import that goes up, sideways or behind a closed door, by its file and line."""
    for module, (path, text) in known.items():
        row, unit = unit_of(module)
        for line, target, name in imports(module, text, known):
            where = f"{path}:{line}: {module} imports {target}"
            their_row, their_unit = unit_of(target)
            if their_row > row:
                yield f"{where}, which stands higher (layer {their_row} above {row})"
            elif their_row == row and their_unit != unit and LAYERS[row][0] == "apart":
                yield f"{where}, which stands beside it (layer {row})"
            parts = target.split(".")
            for place, part in enumerate(parts):
                owner = ".".join(parts[:place])
                if part.startswith("_") and part != "__main__" and not f"{module}.".startswith(f"{owner}."):
                    yield f"{where}, which is private to {owner}"
            if name.startswith("_") and not name.startswith("__"):
                yield f"{where}.{name}, which is private to {target}"
        if module not in LOADERS:
            for number, content in enumerate(text.splitlines(), 1):
                if re.search(r"\bimport_module\(|\b__import__\(", content):
                    yield f"{path}:{number}: {module} loads a module by a text"


def circle(known: Sources) -> list[str]:
    """Modules around a circle of imports, with the lines; empty if there is none."""
    graph = nx.DiGraph()
    for module, (path, text) in known.items():
        for line, target, _ in imports(module, text, known):
            if target != module:
                graph.add_edge(module, target, line=f"{path}:{line}: {module} imports {target}")
    try:
        return [graph.edges[edge[:2]]["line"] for edge in nx.find_cycle(graph)]
    except nx.NetworkXNoCycle:
        return []


def test_imports_only_go_down() -> None:
    assert list(faults(sources())) == []


def test_no_circle() -> None:
    assert circle(sources()) == []


def test_every_unit_is_there() -> None:
    known = sources()
    assert len(known) > 100
    assert [unit for _, units in LAYERS for unit in units if unit not in known] == []


@pytest.mark.parametrize(
    ("module", "text", "fault"),
    [
        ("dagpart.dag", "from dagpart.io import read", "dag imports dagpart.io, which stands higher"),
        ("dagpart.dag", "def f():\n    from dagpart import io", ":2: dagpart.dag imports dagpart.io, which"),
        ("dagpart.dag", "if TYPE_CHECKING:\n    import dagpart.io", ":2: dagpart.dag imports dagpart.io, wh"),
        ("dagpart.metrics", "from dagpart import partition", "imports dagpart, which stands higher"),
        ("dagpart.metrics", "from .io import dot", "imports dagpart.io.dot, which stands higher"),
        ("dagpart.exact", "from dagpart.partitioning import partition", "which stands beside it (layer 6)"),
        ("dagpart.cli.info", "from dagpart.io._text import Text", "which is private to dagpart.io"),
        ("dagpart.io.dot", "from dagpart.metrics import _plain", "metrics._plain, which is private to"),
        ("dagpart.io.dot", 'import_module("dagpart.cli")', ":1: dagpart.io.dot loads a module by a text"),
    ],
)
def test_a_fault_is_named(module: str, text: str, fault: str) -> None:
    plain = dict.fromkeys(("dagpart", "dagpart.io", "dagpart.io.dot", "dagpart.io._text", "dagpart.metrics"))
    known = {name: (f"{name}.py", "") for name in (*plain, "dagpart.dag", "dagpart.partitioning")}
    known[module] = (f"{module}.py", text)
    (found,) = faults(known)
    assert fault in found


def test_what_goes_down_is_no_fault() -> None:
    text = "from dagpart import errors\nfrom dagpart._text import Text\nfrom dagpart.io._scan import scan"
    known = {"dagpart.io.dot": ("dot.py", text), "dagpart._text": ("_text.py", "from dagpart import _files")}
    empty = ("dagpart.errors", "dagpart.io._scan", "dagpart._files")
    assert list(faults(known | {name: (name, "") for name in empty})) == []


def test_a_circle_is_named() -> None:
    texts = {"dagpart.io.a": "from dagpart.io import b", "dagpart.io.b": "def f():\n    import dagpart.io.a"}
    known = {name: (f"{name[-1]}.py", text) for name, text in texts.items()}
    assert sorted(circle(known)) == [
        "a.py:1: dagpart.io.a imports dagpart.io.b",
        "b.py:2: dagpart.io.b imports dagpart.io.a",
    ]


def test_the_engine_stands_alone() -> None:
    outside = re.compile(r"^\s*(?:from|c?import)\s+dagpart(?!\._core\b)\S*", re.MULTILINE)
    texts = [path for kind in ("pyx", "pxd", "pyi") for path in (ROOT / "dagpart/_core").rglob(f"*.{kind}")]
    assert len(texts) > 20
    # What it raises, and the numbers it is given, are known everywhere.
    allowed = {"from dagpart.errors", "from dagpart.options"}
    found = {match.strip() for path in texts for match in outside.findall(path.read_text("utf-8"))}
    assert found <= allowed


def test_no_function_hides_a_module() -> None:
    for module in pkgutil.walk_packages(dagpart.__path__, "dagpart."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            package, _, name = module.name.rpartition(".")
            assert isinstance(getattr(importlib.import_module(package), name), ModuleType), module.name
