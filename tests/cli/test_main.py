"""What holds for every command: exit codes, messages in place of tracebacks, streams that end early."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

import dagpart
import dagpart.cli.info
from dagpart.cli import main

GRAPH = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n"


@pytest.fixture
def graph(tmp_path):
    path = tmp_path / "graph.mtx"
    path.write_text(GRAPH)
    return str(path)


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-P", "-m", "dagpart", *arguments],
        capture_output="stdout" not in options,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


def test_version_and_help(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"dagpart {dagpart.__version__}\n"
    for command in ([], ["partition"], ["check"], ["info"]):
        assert main([*command, "--help"]) == 0
        assert capsys.readouterr().out.startswith("usage: dagpart")


@pytest.mark.parametrize("arguments", [[], ["repartition"], ["--graph"]])
def test_wrong_command(capsys, arguments):
    assert main(arguments) == 2
    assert "usage: dagpart" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.mtx", None, "No such file or directory"),
        (".", None, "Is a directory"),
        ("x.mtx", b"", "x.mtx:1: found an empty file"),
        ("x.mtx", b"\x89PNG\r\n\x1a\n\x00\x00", "x.mtx:1: found"),
        ("x.mtx.gz", b"\x1f\x8b\x08\x00junk", "damaged gzip data"),
        ("x.png", b"grid", "--format"),
    ],
)
def test_files_that_are_no_graph(tmp_path, capsys, name, content, said):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert main(["info", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("dagpart: error: ")
    assert err.count("\n") == 1
    assert name.strip(".") in err
    assert said in err


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "dagpart: interrupted\n"),
        (MemoryError(), 2, "dagpart: error: not enough memory\n"),
        (OSError("odd"), 2, "dagpart: error: odd\n"),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
    ],
)
def test_what_ends_a_command(graph, capsys, monkeypatch, error, code, said):
    def fail(_):
        raise error

    monkeypatch.setattr(dagpart.cli.info, "read_graph", fail)
    assert main(["info", graph]) == code
    assert capsys.readouterr() == ("", said)


def test_bugs_are_not_hidden(graph, monkeypatch):
    def fail(_):
        raise AssertionError("a bug")

    monkeypatch.setattr(dagpart.cli.info, "read_graph", fail)
    with pytest.raises(AssertionError):
        main(["info", graph])


def test_as_a_process(graph, tmp_path):
    done = run("partition", "graph.mtx", "3", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "edge cut       2" in done.stderr
    assert (tmp_path / "graph.mtx.part.3").read_text() == "0\n1\n2\n"
    assert run("check", "graph.mtx", "graph.mtx.part.3", cwd=tmp_path).returncode == 0


def test_standard_input(tmp_path):
    done = run("partition", "-", "3", "-o", "-", "-q", input=GRAPH)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n1\n2\n", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no device that is full")
def test_full_standard_output(graph):
    with open("/dev/full", "w") as full:
        done = run("info", graph, "--json", stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, "dagpart: error: No space left on device\n")


def test_reader_that_leaves(graph):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        done = run("info", graph, "--json", stdout=pipe, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_interrupt():
    # A shell's background jobs inherit an ignored SIGINT, and so would the child of a test run that is one.
    script = """
import signal, sys, time
import dagpart.cli.info

signal.signal(signal.SIGINT, signal.default_int_handler)

def wait(_):
    print("waiting", flush=True)
    time.sleep(60)

dagpart.cli.info.read_graph = wait
sys.exit(dagpart.cli.main(["info", "graph"]))
"""
    command = [sys.executable, "-P", "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == ("", "dagpart: interrupted\n")
        assert process.returncode == 130
