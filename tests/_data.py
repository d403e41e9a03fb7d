"""The tests' own data, and where that lives which is too large, or too foreign, for this repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from _made import made

_HERE = Path(__file__).resolve().parent
_ROOT = Path(os.environ.get("DAGPART_DATA") or _HERE.parents[1] / "shared")

# Small graphs that made other programs fail, and files of the kinds that public reports tell of.
CASES = _HERE / "cases"
REPORTS = _HERE / "reports"
DATASETS = _HERE.parent / "datasets"

# What of the matrices SciPy cannot read: no banner, or comments below the size line.
NOT_FOR_SCIPY = {
    "gre__115.mtx",
    "nos7.mtx",
    "orsreg_1.mtx.gz",
    "add32_no_banner.mtx.gz",
    "bcspwr01.mtx",
    "bcsstk01.mtx",
    "full_noheader.mtx",
    "lns__131.mtx",
    "west0067_jumbled.mtx",
}


def shared(path: str) -> Path:
    """The file or folder `path` of the shared data; the test is skipped where there is none."""
    found = _ROOT / path
    if not found.exists():
        pytest.skip(f"no {found}; set DAGPART_DATA to the folder that has it")
    return found


def sample(name: str) -> Path:
    """The file `name`: one that comes with the tests or is made, or one of the shared data.

    Of the first kind are those in the folders cases, datasets and made.
    """
    folder, _, own = name.partition("/")
    if folder == "made":
        return made(own)
    owned = {CASES.name: CASES, DATASETS.name: DATASETS}
    return owned[folder] / own if folder in owned else shared(f"data/{name}")
