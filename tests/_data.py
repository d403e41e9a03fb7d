"""The tests' own data, and where that lives which is too large, or too foreign, for this repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_HERE = Path(__file__).resolve().parent
_ROOT = Path(os.environ.get("DAGPART_DATA") or _HERE.parents[1] / "shared")

# Small graphs that made other programs fail, and files of the kinds that public reports tell of.
CASES = _HERE / "cases"
REPORTS = _HERE / "reports"


def shared(path: str) -> Path:
    """The file or folder `path` of the shared data; the test is skipped where there is none."""
    found = _ROOT / path
    if not found.exists():
        pytest.skip(f"no {found}; set DAGPART_DATA to the folder that has it")
    return found
