"""Calls in a process of their own: what crashes, hangs or prints there does not reach the caller."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dagpart.errors import ToolError

# The path first: the child has to find the same dagpart. Not multiprocessing, whose children run the caller's
# main module again, which a script without a guard would not survive.
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from dagpart import _child; _child._answer(sys.argv[2])"
)

_in_child = False


@dataclass(frozen=True)
class Outcome:
    """What came of a call.

    Attributes
    ----------
    value : object
        What it returned; None after an error.
    error : Exception or None
        What it raised, or a `ToolError` that says how the process ended.
    seconds : float
        Wall time of the call alone; that of the whole process where it did not finish.
    megabytes : float or None
        Most memory that the process, the interpreter and all, has held; None where it did not finish, or the
        system does not say.
    """

    value: Any
    error: Exception | None
    seconds: float
    megabytes: float | None


def run_in_child(
    name: str, function: Callable[..., Any], *arguments: Any, time_limit: float | None = None
) -> Outcome:
    """Call a function in a new process.

    Parameters
    ----------
    name : str
        What a `ToolError` calls it.
    function : callable
        Of a module: function, arguments and result are pickled.
    *arguments
    time_limit : float, optional
        Seconds; then the process is killed, with all that it has started.

    Returns
    -------
    Outcome

    Examples
    --------
    >>> import math
    >>> run_in_child("cosine", math.cos, 0).value
    1.0
    >>> import os
    >>> print(run_in_child("failure", os._exit, 3).error)
    failure: the process ended with code 3
    """
    with tempfile.TemporaryDirectory(prefix="dagpart-") as folder:
        Path(folder, "call").write_bytes(pickle.dumps((function, arguments)))
        started = time.perf_counter()
        with open(Path(folder, "stderr"), "wb") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-c", _BOOT, json.dumps(sys.path), folder],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )
        try:
            process.wait(time_limit)
        except subprocess.TimeoutExpired:
            error = ToolError(name, f"no answer within {time_limit:g} s")
            return Outcome(None, error, time.perf_counter() - started, None)
        finally:
            if process.poll() is None:
                _kill(process)
        # Some libraries crash in the end, when all is done.
        with suppress(FileNotFoundError):
            outcome: Outcome = pickle.loads(Path(folder, "outcome").read_bytes())
            return outcome
        last = Path(folder, "stderr").read_text(errors="replace").strip().rpartition("\n")[2]
        error = ToolError(name, ": ".join(filter(None, (ending(process.returncode), last[:200]))))
        return Outcome(None, error, time.perf_counter() - started, None)


def protected(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a call in a process of its own; in one that was made for a call already, of a plain call.

    Raises
    ------
    ToolError
        If the process crashed.
    Exception
        What the function raised.

    Examples
    --------
    >>> import math
    >>> protected("square root", math.sqrt, 4)
    2.0
    """
    if _in_child:
        return function(*arguments)
    outcome = run_in_child(name, function, *arguments)
    if outcome.error is not None:
        raise outcome.error
    return outcome.value


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and, where systems have groups of processes, what it has started."""
    if os.name == "posix":
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def ending(code: int) -> str:
    """How a process ended, from the code that `subprocess` gives it.

    Examples
    --------
    >>> ending(3), ending(-11)
    ('the process ended with code 3', 'crashed (SIGSEGV)')
    """
    if code >= 0:
        return f"the process ended with code {code}"
    try:
        return f"crashed ({signal.Signals(-code).name})"
    except ValueError:
        return f"crashed (signal {-code})"


def _answer(folder: str) -> None:
    """What the child does: the call that lies in the folder."""
    global _in_child
    _in_child = True
    function, arguments = pickle.loads(Path(folder, "call").read_bytes())
    value, error = None, None
    started = time.perf_counter()
    try:
        value = function(*arguments)
    except Exception as caught:
        error = caught
    seconds = time.perf_counter() - started
    try:
        data = pickle.dumps(Outcome(value, error, seconds, _peak_megabytes()))
    except Exception:
        plain = RuntimeError(f"{type(error).__name__}: {error}")
        data = pickle.dumps(Outcome(None, plain, seconds, _peak_megabytes()))
    arriving = Path(folder, "arriving")
    arriving.write_bytes(data)
    arriving.replace(Path(folder, "outcome"))


def _peak_megabytes() -> float | None:
    """Most memory that this process or one of its children has held."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    try:
        # What getrusage says of the process may be the memory of its parent, before the program started.
        status = Path("/proc/self/status").read_text()
        own = int(status.partition("VmHWM:")[2].split()[0])
    except (OSError, IndexError):
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # macOS counts bytes.
    return max(own, most) / (1024 if sys.platform != "darwin" else 1024**2)
