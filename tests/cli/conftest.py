"""A small graph on disk."""

from __future__ import annotations

import pytest


@pytest.fixture
def chain(tmp_path, monkeypatch):
    """A path of six vertices, in the current folder."""
    monkeypatch.chdir(tmp_path)
    entries = "1 2\n2 3\n3 4\n4 5\n5 6\n"
    (tmp_path / "chain.mtx").write_text(f"%%MatrixMarket matrix coordinate pattern general\n6 6 5\n{entries}")
    return "chain.mtx"
