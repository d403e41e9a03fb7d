"""An independent judge: what a partition is worth, told without any code of dagpart."""

from __future__ import annotations

import gzip
import io
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components


@dataclass(frozen=True)
class Verdict:
    """What the judge counted.

    Attributes
    ----------
    cut : int
        Edges between parts.
    heaviest, cap : int
        Vertices in the largest part, and as many as it may have.
    empty : int
        Parts without a vertex.
    acyclic : bool
    """

    cut: int
    heaviest: int
    cap: int
    empty: int
    acyclic: bool

    @property
    def faults(self) -> list[str]:
        """What is wrong, in words; nothing when the partition is legal."""
        faults = []
        if not self.acyclic:
            faults.append("cyclic")
        if self.heaviest > self.cap:
            faults.append(f"a part of {self.heaviest} > {self.cap}")
        if self.empty:
            faults.append(f"{self.empty} empty parts")
        return faults


def judge(n: int, edges: NDArray[Any], labels: NDArray[Any], k: int, imbalance: str) -> Verdict:
    """Judge labels for a graph with unit weights.

    Parameters
    ----------
    n : int
    edges : int array, shape (m, 2)
        Without repeated ones.
    labels : int array, shape (n,)
    k : int
        At most n.
    imbalance : str
        The tolerance as a decimal number, so that no rounding comes in.

    Raises
    ------
    ValueError
        If the labels are not n numbers from 0 to k - 1.
    """
    labels = np.asarray(labels)
    if labels.shape != (n,) or labels.dtype.kind not in "iu":
        raise ValueError(f"{labels.dtype} labels of shape {labels.shape} for {n} vertices")
    if n and not (labels.min() >= 0 and labels.max() < k):
        raise ValueError(f"labels from {labels.min()} to {labels.max()} for {k} parts")
    loads = np.bincount(labels, minlength=k)
    part_edges = labels[edges].reshape(-1, 2)
    part_edges = part_edges[part_edges[:, 0] != part_edges[:, 1]]
    quotient = sp.coo_array((np.ones(len(part_edges)), (part_edges[:, 0], part_edges[:, 1])), shape=(k, k))
    strong, _ = connected_components(quotient.tocsr(), connection="strong")
    return Verdict(
        cut=len(part_edges),
        heaviest=int(loads.max()),
        cap=int((1 + Fraction(imbalance)) * -(-n // k)),
        empty=int(np.count_nonzero(loads == 0)),
        acyclic=strong == k,
    )


def read_matrix(path: Path) -> Any:
    """A Matrix Market file by SciPy; one that lacks the banner is taken for a general real matrix."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    if not data.startswith(b"%%MatrixMarket"):
        data = b"%%MatrixMarket matrix coordinate real general\n" + data
    return scipy.io.mmread(io.BytesIO(data))


def adjacency_edges(matrix: Any) -> tuple[int, NDArray[Any]]:
    """Number of vertices and edges i -> j of an adjacency matrix without a diagonal and zeros."""
    coo = sp.coo_array(matrix)
    return coo.shape[0], np.column_stack((coo.row, coo.col))


def dependence_edges(matrix: Any) -> tuple[int, NDArray[Any], str]:
    """Vertices, edges and reading of a matrix file as ``dagpart --as auto`` promises to read it.

    An adjacency when what lies off the diagonal has no cycle; else the strict triangle with more entries, the
    upper one if they are equal, edges from the lower index to the higher.
    """
    coo = sp.coo_array(matrix)
    n = coo.shape[0]
    stored = (coo.data != 0) & (coo.row != coo.col)
    pattern = sp.coo_array((np.ones(stored.sum()), (coo.row[stored], coo.col[stored])), shape=(n, n)).tocsr()
    row, col = pattern.tocoo().coords
    if connected_components(pattern, connection="strong")[0] == n:
        return n, np.column_stack((row, col)), "adjacency"
    upper = row < col
    if 2 * np.count_nonzero(upper) >= len(row):
        return n, np.column_stack((row[upper], col[upper])), "upper"
    return n, np.column_stack((col[~upper], row[~upper])), "lower"
