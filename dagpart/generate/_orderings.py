"""Symmetric patterns of matrices, and fill-reducing orderings of them, each through a library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from dagpart._arguments import check_choice
from dagpart._optional import require

Ordering = Literal["mmd", "colamd", "rcm", "metis", "natural"]


class Pattern(NamedTuple):
    """A symmetric matrix's entries off the diagonal, in compressed rows, as the symbolic kernels take them.

    Attributes
    ----------
    indptr, indices : int64[n + 1], int32[m]
        Columns ascending in each row.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]

    @classmethod
    def of(cls, n: int, row: NDArray[Any], column: NDArray[Any]) -> Self:
        """From entries, each given once or more; those of one triangle do, and the diagonal is ignored."""
        off = row != column
        row, column = row[off], column[off]
        both = (np.concatenate((row, column)), np.concatenate((column, row)))
        rows = scipy.sparse.coo_array((np.ones(len(both[0]), dtype=np.int8), both), shape=(n, n)).tocsr()
        return cls(rows.indptr.astype(np.int64), rows.indices.astype(np.int32))

    @property
    def n(self) -> int:
        """Rows."""
        return len(self.indptr) - 1

    def csr(self) -> scipy.sparse.csr_array[Any]:
        """The pattern as a matrix of ones."""
        ones = np.ones(len(self.indices))
        return scipy.sparse.csr_array((ones, self.indices, self.indptr), shape=(self.n, self.n))

    def permuted(self, order: NDArray[np.int64]) -> Self:
        """The pattern with row and column ``order[k]`` moved to k."""
        number = np.empty_like(order)
        number[order] = np.arange(self.n)
        row = np.repeat(np.arange(self.n), np.diff(self.indptr))
        upper = row < self.indices
        return self.of(self.n, number[row[upper]], number[self.indices[upper]])


def fill_reducing(pattern: Pattern, ordering: Ordering) -> NDArray[np.int64]:
    """Rows in the order of their elimination."""
    check_choice(ordering, "ordering", _ORDERINGS)
    if len(pattern.indices) == 0:
        # Nothing to order, and not every library takes a matrix of no rows or a graph of no edges.
        return np.arange(pattern.n)
    return np.asarray(_ORDERINGS[ordering](pattern)).astype(np.int64)


def _superlu(pattern: Pattern, method: Literal["MMD_AT_PLUS_A", "COLAMD"]) -> NDArray[Any]:
    from scipy.sparse.linalg import spilu

    # SuperLU orders only on its way to a factorization; an incomplete one that drops all it may is cheap.
    dominant = scipy.sparse.diags_array(np.diff(pattern.indptr) + 1.0)
    matrix = scipy.sparse.csc_array(pattern.csr() + dominant)
    options = {"SymmetricMode": True}
    factors = spilu(
        matrix, drop_tol=1.0, fill_factor=1, permc_spec=method, diag_pivot_thresh=0.0, options=options
    )
    return np.argsort(factors.perm_c)


def _cuthill_mckee(pattern: Pattern) -> NDArray[Any]:
    from scipy.sparse import csgraph

    return np.asarray(csgraph.reverse_cuthill_mckee(pattern.csr(), symmetric_mode=True))


def _metis(pattern: Pattern) -> NDArray[Any]:
    pymetis = require("pymetis", "bench", "for nested dissection")
    order, _ = pymetis.nested_dissection(adjacency=pymetis.CSRAdjacency(pattern.indptr, pattern.indices))
    return np.asarray(order)


_ORDERINGS: dict[str, Callable[[Pattern], NDArray[Any]]] = {
    "mmd": lambda pattern: _superlu(pattern, "MMD_AT_PLUS_A"),
    "colamd": lambda pattern: _superlu(pattern, "COLAMD"),
    "rcm": _cuthill_mckee,
    "metis": _metis,
    "natural": lambda pattern: np.arange(pattern.n),
}
