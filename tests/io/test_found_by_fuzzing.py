"""What made a reader fail once makes it say what is wrong now."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parents[1] / "fuzz"
CASES = sorted(path for path in (FUZZ / "found").rglob("*") if path.is_file())


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_found_cases(path):
    spec = importlib.util.spec_from_file_location("fuzz_readers", FUZZ / "fuzz_readers.py")
    fuzz = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fuzz)
    name = path.parent.name
    if name == "onnx":
        pytest.importorskip("onnx")
    fuzz.try_bytes(name, fuzz.pack(name, path.read_bytes()))
