"""What the README shows works."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
from pathlib import Path

import pytest

from dagpart.cli import main

ROOT = Path(__file__).resolve().parents[1]


def blocks(language):
    return re.findall(
        rf"^```{language}\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )


def commands():
    """Every dagpart command in a block for the shell."""
    lines = "".join(blocks("sh")).splitlines()
    return [found[0] for line in lines if (found := re.search(r"(?<!\S)(\.venv/bin/)?dagpart .*", line))]


@pytest.mark.parametrize("block", blocks("python"))
def test_python(block):
    names = {}
    exec(block, names)
    assert names["r"].k == 2


def test_the_first_example_ends_in_the_terms_of_the_user():
    before, said = re.search(
        r"(.*)^r\.by_name  # (\{.*\})$", blocks("python")[0], re.MULTILINE | re.DOTALL
    ).groups()
    names = {}
    exec(before, names)
    assert names["r"].by_name == ast.literal_eval(said)


def test_commands(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "datasets", tmp_path / "datasets")
    shutil.copy(ROOT / "datasets/lap2d_40.mtx", tmp_path / "matrix.mtx")
    monkeypatch.chdir(tmp_path)
    shown = commands()
    assert len(shown) > 3
    for command in shown:
        assert main(shlex.split(command, comments=True)[1:]) == 0, command
