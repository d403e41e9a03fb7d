"""Calls in a process of their own: every way in which one can end."""

from __future__ import annotations

import os
import signal
import time

import pytest

from dagpart import _child
from dagpart.errors import DagpartError, ToolError


class Unpicklable(Exception):
    def __reduce__(self):
        raise TypeError("no")


def double(x):
    # What is printed must go nowhere.
    print("noise")
    return 2 * x


def fail(kind):
    raise kind("on purpose")


def die(number):
    os.kill(os.getpid(), number)


def leave_a_process(path):
    if os.fork() == 0:
        time.sleep(60)
    with open(path, "w") as file:
        file.write(str(os.getpgrp()))
    time.sleep(60)


def crash_at_the_end():
    import atexit

    atexit.register(os.abort)
    return "done"


def where():
    return os.getpid(), _child.protected("inner", os.getpid)


def hold(megabytes):
    return len(bytearray(megabytes * 2**20))


def test_a_value_comes_back(capfd):
    outcome = _child.run_in_child("double", double, 21)
    assert (outcome.value, outcome.error) == (42, None)
    assert outcome.seconds >= 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", [DagpartError, KeyError])
def test_an_error_comes_back(kind):
    outcome = _child.run_in_child("fail", fail, kind)
    assert type(outcome.error) is kind
    assert outcome.error.args == ("on purpose",)


def test_an_error_that_cannot_be_sent_is_told():
    outcome = _child.run_in_child("fail", fail, Unpicklable)
    assert isinstance(outcome.error, RuntimeError)
    assert str(outcome.error) == "Unpicklable: on purpose"


def test_a_value_that_cannot_be_sent_is_an_error():
    outcome = _child.run_in_child("lock", os.fdopen, 0)
    assert outcome.value is None
    assert isinstance(outcome.error, RuntimeError)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_a_crash_is_told(number):
    outcome = _child.run_in_child("crash", die, number)
    assert isinstance(outcome.error, ToolError)
    assert str(outcome.error) == f"crash: crashed ({number.name})"
    assert (outcome.value, outcome.megabytes) == (None, None)


def test_an_exit_is_told():
    assert str(_child.run_in_child("exit", os._exit, 5).error) == "exit: the process ended with code 5"


def test_a_crash_after_the_answer_does_no_harm():
    assert _child.run_in_child("late", crash_at_the_end).value == "done"


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes are looked for in /proc")
def test_a_time_limit_ends_the_process_and_what_it_started(tmp_path):
    path = tmp_path / "group"
    outcome = _child.run_in_child("slow", leave_a_process, path, time_limit=6)
    assert str(outcome.error) == "slow: no answer within 6 s"
    group = int(path.read_text())
    # The killed one may take a moment to vanish, or be left to a process 1 that never asks for it.
    for _ in range(100):
        if all(state(pid) in (None, "Z") for pid in members(group)):
            return
        time.sleep(0.05)
    raise AssertionError(f"process group {group} is still there")


def members(group):
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return [pid for pid in pids if group_of(pid) == group]


def group_of(pid):
    try:
        return os.getpgid(pid)
    except OSError:
        return None


def state(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return None


def test_one_process_is_enough():
    outer, inner = _child.run_in_child("outer", where).value
    assert outer == inner != os.getpid()
    assert _child.protected("other", os.getpid) != os.getpid()


def test_protected_raises_what_was_raised():
    with pytest.raises(KeyError, match="on purpose"):
        _child.protected("fail", fail, KeyError)
    with pytest.raises(ToolError, match="crashed"):
        _child.protected("crash", die, signal.SIGSEGV)


def test_memory_is_that_of_the_child():
    ballast = bytearray(300 * 2**20)
    small, large = (_child.run_in_child("hold", hold, m).megabytes for m in (1, 200))
    assert len(ballast) == 300 * 2**20
    assert small < 250 < large + 60
    assert large - small > 150
