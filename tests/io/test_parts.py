"""Part files, and files that appear whole or not at all."""

from __future__ import annotations

import gzip
import os
import stat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagpart._files import atomic_writer, check_writable
from dagpart.errors import ParseError
from dagpart.io import read_parts, write_parts
from dagpart.io.parts import read_weights

needs_a_user = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="no file is closed to the superuser"
)


def written(folder, text, name="graph.part.2"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(reader, path, **options):
    with pytest.raises(ParseError) as caught:
        reader(path, **options)
    return caught.value


# ---------------------------------------------------------------------- part files


@given(labels=st.lists(st.integers(0, 2**31 - 1)))
def test_round_trip(tmp_path_factory, labels):
    path = tmp_path_factory.mktemp("parts") / "graph.part.9"
    write_parts(path, labels)
    assert path.read_text() == "".join(f"{label}\n" for label in labels)
    read = read_parts(path)
    assert (read.tolist(), read.dtype) == (labels, np.int32)


def test_comments_blank_lines_line_ends_and_gzip(tmp_path):
    path = written(tmp_path, gzip.compress(b"% parts\r\n\r\n0 % first\r\n 2\r\n"))
    assert read_parts(path, n=2).tolist() == [0, 2]


@pytest.mark.parametrize(
    ("text", "options", "line", "found"),
    [
        ("0\n1\nx\n", {}, 3, "'x'"),
        ("0\n1 1\n", {}, 2, "2 fields"),
        ("0\n1.0\n", {}, 2, "'1.0'"),
        ("0\n-1\n", {}, 2, "part -1"),
        ("0\n-2\n", {"free": True}, 2, "part -2"),
        ("0\n\n2147483648\n", {}, 3, "part 2147483648"),
        ("0\n1\n% end\n", {"n": 3}, 3, "2 parts"),
        ("", {"n": 1}, 1, "0 parts"),
    ],
)
def test_wrong_part_files_are_refused(tmp_path, text, options, line, found):
    path = written(tmp_path, text)
    error = refusal(read_parts, path, **options)
    assert (error.path, error.line, error.found) == (str(path), line, found)


def test_free_vertices(tmp_path):
    assert read_parts(written(tmp_path, "-1\n3\n"), free=True).tolist() == [-1, 3]


def test_weights(tmp_path):
    whole = read_weights(written(tmp_path, f"{2**62 + 1}\n0\n"))
    assert (whole.tolist(), whole.dtype) == ([2**62 + 1, 0], np.int64)
    assert read_weights(written(tmp_path, "1\n0.25\n")).tolist() == [1, 0.25]
    error = refusal(read_weights, written(tmp_path, "1\n0.25\nmany\n"))
    assert (error.line, error.found) == (3, "'many'")


def test_damaged_gzip_is_refused(tmp_path):
    whole = gzip.compress(b"0\n" * 1000)
    for damaged in (whole[:-20], whole[:12] + bytes(8) + whole[20:], whole[:30]):
        error = refusal(read_parts, written(tmp_path, damaged))
        assert error.found.startswith("damaged gzip data")


def test_missing_files_and_folders_are_system_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_parts(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        read_parts(tmp_path)


# ---------------------------------------------------------------------- whole or not at all


def test_failure_keeps_the_old_file_and_leaves_no_other(tmp_path):
    path = written(tmp_path, "old")

    def stop_half_way():
        with atomic_writer(path) as stream:
            stream.write(b"new")
            stream.flush()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop_half_way()
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", [path.name])


def test_failure_to_take_the_place_keeps_the_old_file(tmp_path, monkeypatch):
    path = written(tmp_path, "old")

    def refuse(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="Input/output") as caught:
        write_parts(path, [0])
    assert caught.value.filename == str(path)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", [path.name])


def test_old_file_is_there_until_the_new_one_is_whole(tmp_path):
    path = written(tmp_path, "old")
    with atomic_writer(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"


def test_modes_are_those_of_the_old_file_or_the_default(tmp_path):
    old = written(tmp_path, "old")
    old.chmod(0o640)
    write_parts(old, [0])
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    plain = written(tmp_path, "", "plain")
    write_parts(tmp_path / "new", [0])
    assert (tmp_path / "new").stat().st_mode == plain.stat().st_mode


def test_links_are_followed(tmp_path):
    target = written(tmp_path, "old", "target")
    link = tmp_path / "link"
    link.symlink_to(target)
    write_parts(link, [4])
    assert (link.is_symlink(), target.read_text()) == (True, "4\n")


def test_devices_are_written_to():
    write_parts(os.devnull, [0])
    check_writable(os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_standard_output(capsysbinary):
    check_writable("-")
    write_parts("-", [3, 1])
    assert capsysbinary.readouterr().out == b"3\n1\n"


def test_process_without_standard_output(monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    with pytest.raises(OSError, match="<stdout>"):
        check_writable("-")


@pytest.mark.parametrize(
    "writer", [check_writable, lambda path: write_parts(path, [0])], ids=["check", "write"]
)
def test_places_that_cannot_be_written(tmp_path, writer):
    missing = tmp_path / "none" / "graph.part.2"
    with pytest.raises(FileNotFoundError) as caught:
        writer(missing)
    assert caught.value.filename == str(missing)
    with pytest.raises(IsADirectoryError):
        writer(tmp_path)
    with pytest.raises(OSError, match=r"graph\.mtx"):
        writer(written(tmp_path, "", "graph.mtx") / "graph.part.2")


def test_read_only_file_stays(tmp_path, monkeypatch):
    # The superuser may write to any file, so the answer is put in the system's mouth.
    path = written(tmp_path, "old")
    monkeypatch.setattr(os, "access", lambda *_: False)
    for writer in (check_writable, lambda path: write_parts(path, [0])):
        with pytest.raises(PermissionError):
            writer(path)
    assert path.read_text() == "old"


@needs_a_user
@pytest.mark.parametrize(
    "writer", [check_writable, lambda path: write_parts(path, [0])], ids=["check", "write"]
)
def test_closed_files_and_folders_stay(tmp_path, writer):
    path = written(tmp_path, "old")
    path.chmod(0o400)
    with pytest.raises(PermissionError):
        writer(path)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(PermissionError) as caught:
        writer(closed / "graph.part.2")
    assert caught.value.filename == str(closed / "graph.part.2")
    assert path.read_text() == "old"


def test_check_changes_nothing(tmp_path):
    path = written(tmp_path, "old")
    check_writable(path)
    check_writable(tmp_path / "new")
    assert (path.read_text(), os.listdir(tmp_path)) == ("old", [path.name])
