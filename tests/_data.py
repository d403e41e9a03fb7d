"""Where the shared data lives that is too large, or too foreign, for this repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_ROOT = Path(os.environ.get("DAGPART_DATA") or Path(__file__).resolve().parents[1].parent / "shared")


def shared(path: str) -> Path:
    """The file or folder `path` of the shared data; the test is skipped where there is none."""
    found = _ROOT / path
    if not found.exists():
        pytest.skip(f"no {found}; set DAGPART_DATA to the folder that has it")
    return found
