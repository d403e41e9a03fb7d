"""The committed data sets are what datasets/make.py makes, and it makes what it says."""

from __future__ import annotations

import gzip
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.io

FOLDER = Path(__file__).resolve().parents[1] / "datasets"


@pytest.fixture(scope="module")
def make():
    spec = importlib.util.spec_from_file_location("datasets_make", FOLDER / "make.py")
    module = importlib.util.module_from_spec(spec)
    # dataclasses look their module up there.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_committed_files_are_reproduced(make, tmp_path):
    assert make.main(["--committed", "-o", str(tmp_path)]) == 0
    committed = {path.name: path.read_bytes() for path in FOLDER.glob("*.mtx")}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == committed
    assert all(len(data) < 100_000 for data in committed.values())


def test_the_matrix_is_the_five_point_laplacian():
    matrix = scipy.io.mmread(FOLDER / "lap2d_40.mtx").toarray()
    one = 2 * np.eye(40) - np.eye(40, k=1) - np.eye(40, k=-1)
    assert np.array_equal(matrix, np.kron(one, np.eye(40)) + np.kron(np.eye(40), one))


def test_every_family_has_a_set_of_about_the_size_asked_for(make, tmp_path, capsys):
    assert make.main(["--size", "1k", "-o", str(tmp_path)]) == 0
    paths = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert len(paths) == len(make.FAMILIES)
    for path in paths:
        matrix = scipy.io.mmread(path)
        assert 900 <= matrix.shape[0] <= 1100
        if not path.name.startswith("lap"):
            assert (matrix.row < matrix.col).all()


def test_compressed_sets_hold_the_same_and_do_not_change(make, tmp_path):
    for folder in ("a", "b"):
        assert make.main(["fft_3", "--gz", "-o", str(tmp_path / folder)]) == 0
    data = (tmp_path / "a" / "fft_3.mtx.gz").read_bytes()
    assert data == (tmp_path / "b" / "fft_3.mtx.gz").read_bytes()
    assert gzip.decompress(data) == make.content("fft_3")


@pytest.mark.parametrize("name", ["fft", "fft_", "fft_x", "fft_-1", "nothing_3", "grid2d_0"])
def test_names_that_are_none(make, tmp_path, capsys, name):
    assert make.main([name, "-o", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("make.py: ")
    assert not list(tmp_path.iterdir())


def test_the_list_names_every_family(make, capsys):
    assert make.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(make.FAMILIES)
