"""Partitioners that are programs of their own: their input is written, they run, their parts are read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_parts, check_seed
from dagpart._child import ending
from dagpart.dag import Dag
from dagpart.errors import DagpartError, ParseError, ToolError
from dagpart.io.parts import read_parts
from dagpart.metrics import as_labels

# Asking a program how it is used should take no time; one that waits for something is not asked again.
_USAGE_SECONDS = 10


@dataclass(frozen=True)
class ExternalTool(ABC):
    """A program that partitions the graph in a file; it is called as the partitioners of libraries are.

    Every run has a folder of its own, which is removed in the end.

    Parameters
    ----------
    path : str
        The executable.

    Raises
    ------
    FileNotFoundError
        If there is no such program.
    """

    path: str
    title: ClassVar[str]

    def __post_init__(self) -> None:
        found = shutil.which(self.path)
        if found is None:
            raise FileNotFoundError(2, f"no executable of {self.title}", self.path)
        # Absolute, since it runs in another folder.
        object.__setattr__(self, "path", os.path.abspath(found))

    def __call__(self, graph: Any, k: int, *, imbalance: float = 0.03, seed: int = 0) -> NDArray[np.int32]:
        """Partition a graph.

        Parameters
        ----------
        graph : Dag or anything `dagpart.partition` takes
        k : int
        imbalance : float, default 0.03
        seed : int, default 0

        Returns
        -------
        labels : int32[n]

        Raises
        ------
        ToolError
            If the program fails, or leaves no file with the part of every vertex.
        NotADagError, DagpartError
            If the graph has a cycle, or an argument is not what it should be.
        """
        dag = graph if isinstance(graph, Dag) else Dag.from_any(graph)
        k, seed = check_parts(dag.n, k), check_seed(seed)
        with tempfile.TemporaryDirectory(prefix="dagpart-") as folder:
            given = self.write_input(dag, Path(folder))
            before = set(Path(folder).iterdir())
            done = self._run([str(given), *self.arguments(k, imbalance, seed)], folder)
            if done.returncode:
                said = (done.stderr or done.stdout).decode(errors="replace")
                last = said.strip().rpartition("\n")[2]
                raise ToolError(self.title, ": ".join(filter(None, (ending(done.returncode), last[:200]))))
            return self.read_output(sorted(set(Path(folder).iterdir()) - before), dag.n, k)

    @abstractmethod
    def write_input(self, dag: Dag, folder: Path) -> Path:
        """Write the graph to a new file of the folder."""

    @abstractmethod
    def arguments(self, k: int, imbalance: float, seed: int) -> list[str]:
        """What follows the file's name on the command line."""

    def read_output(self, files: list[Path], n: int, k: int) -> NDArray[np.int32]:
        """Labels from the files that the program has left: the first with a part for every vertex."""
        for file in files:
            try:
                return as_labels(read_parts(file, n=n), n, k)[0]
            except (OSError, ParseError, DagpartError):
                continue
        names = ", ".join(file.name for file in files) or "nothing"
        wanted = f"left no file with {n} parts from 0 to {k - 1}"
        raise ToolError(self.title, f"{wanted}, but {names}")

    def usage(self) -> str:
        """What the program says when it is called without arguments; empty where it does not answer."""
        with tempfile.TemporaryDirectory(prefix="dagpart-") as folder:
            try:
                done = self._run([], folder, timeout=_USAGE_SECONDS)
            except subprocess.TimeoutExpired:
                return ""
        return (done.stdout + done.stderr).decode(errors="replace")

    def _run(
        self, arguments: list[str], folder: str, timeout: float | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [self.path, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=False,
        )


class DagP(ExternalTool):
    """dagP, the acyclic partitioner of Herrmann, Ozkaya, Ucar, Kaya and Catalyurek (SISC 41(4), 2019).

    Its README gives the command line, ``rMLGP FILE K --ratio R``, the graph formats, the name of an output
    file, ``FILE_dagP.out``, and says that the program shows its options when it is called without any. The
    seed, and an option to write the parts, are told to it where it shows them. Its seed 0 stands for the time
    of day, so seed s is passed as s + 1. What it finds varies much by seed: judge it by several. Any file
    that it leaves with a part for every vertex is taken for the answer.
    """

    title = "dagP"

    def write_input(self, dag: Dag, folder: Path) -> Path:
        """A graph in the dot language, with weights where some are not 1.

        Not what `dagpart.io.write` makes of a ``.dot``: this file is for dagP's own small parser, so its
        vertices are bare numbers, and it has neither quotes nor a line that sets defaults.
        """
        path = folder / "graph.dot"
        vertices = _attributes(dag.vertex_weights)
        edges = _attributes(dag.edge_weights)
        source = np.repeat(np.arange(dag.n), np.diff(dag.indptr)).tolist()
        with open(path, "w", encoding="ascii") as file:
            file.write("digraph G {\n")
            file.writelines(f"{v}{words};\n" for v, words in enumerate(vertices))
            ends = zip(source, dag.indices.tolist(), edges, strict=True)
            file.writelines(f"{u}->{v}{words};\n" for u, v, words in ends)
            file.write("}\n")
        return path

    def arguments(self, k: int, imbalance: float, seed: int) -> list[str]:
        """The number of parts and the tolerance, and what else the program shows to have."""
        options = set(re.findall(r"--\w+", self.usage()))
        words = [str(k), "--ratio", repr(1 + float(imbalance))]
        for option in sorted(options):
            if option == "--seed":
                words += [option, str(1 + seed % (2**31 - 1))]
            elif "write" in option and "part" in option:
                words += [option, "1"]
        return words


def _attributes(weights: NDArray[np.int64]) -> list[str]:
    if np.all(weights == 1):
        return [" "] * weights.size
    return [f" [weight={weight}]" for weight in weights.tolist()]
