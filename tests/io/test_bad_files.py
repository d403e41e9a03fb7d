"""Files that cannot be read or written: one line to the user, exit 2, and nothing left behind."""

from __future__ import annotations

import errno
import gzip
import os
from pathlib import Path

import pytest

from dagpart import generate
from dagpart.cli import main
from dagpart.io import FORMATS, write

GRAPH = generate.grid2d(3)
WRITTEN = [format for format in FORMATS if format.dump is not None]


def said(capsys, *words):
    """The one line that dagpart info says in place of facts."""
    assert main(["info", *map(str, words)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


@pytest.mark.parametrize("format", WRITTEN, ids=lambda format: format.name)
def test_truncated_anywhere(format, tmp_path, capsys):
    """A part of a file is read as the smaller graph that it is, or refused in one line."""
    whole = format.dump(GRAPH)
    path = tmp_path / f"g{format.suffixes[0]}"
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        if main(["info", str(path)]) == 0:
            capsys.readouterr()
        else:
            assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_every_format_on_what_is_no_file(format, tmp_path, capsys):
    if format.name == "onnx":
        pytest.importorskip("onnx")
    suffix = format.suffixes[0]
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    assert "Is a directory" in said(capsys, folder)
    assert "No such file or directory" in said(capsys, tmp_path / f"none{suffix}")
    empty = tmp_path / f"empty{suffix}"
    empty.touch()
    if format.name != "onnx":
        assert f"{empty.name}" in said(capsys, empty)
    damaged = tmp_path / f"damaged{suffix}.gz"
    damaged.write_bytes(gzip.compress(b"x" * 99)[:-9])
    assert "damaged gzip data" in said(capsys, damaged)


@pytest.mark.parametrize("name", ["ü ñ 日本", "a\tb", "-dash", "with 'quotes\"", "100%s{}", "line\nbreak"])
def test_odd_paths(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(GRAPH, Path(f"{name}.mtx"))
    assert main(["info", f"./{name}.mtx"]) == 0
    assert main(["convert", f"./{name}.mtx", f"./{name}.dot"]) == 0
    Path(f"{name}.mtx").write_text("1\n")
    capsys.readouterr()
    assert "found" in said(capsys, f"./{name}.mtx")
    Path(f"{name}.mtx").unlink()
    assert "No such file" in said(capsys, f"./{name}.mtx")


@pytest.mark.parametrize("format", WRITTEN, ids=lambda format: format.name)
def test_a_full_disk(format, tmp_path, monkeypatch, capsys):
    path = tmp_path / f"out{format.suffixes[0]}"
    path.write_text("old")
    source = tmp_path / "in.mtx"
    write(GRAPH, source)
    real = open

    class Full:
        """Takes some bytes, then no more."""

        def __init__(self, stream):
            self.stream = stream

        def write(self, data):
            self.stream.write(data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.stream.close()

    def opened(file, mode="r", *rest, **options):
        stream = real(file, mode, *rest, **options)
        return Full(stream) if mode == "wb" else stream

    monkeypatch.setattr("builtins.open", opened)
    assert main(["convert", str(source), str(path)]) == 2
    monkeypatch.undo()
    assert f"{path}: No space left on device" in capsys.readouterr().err
    assert path.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == sorted([source, path])
