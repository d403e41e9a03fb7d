"""Sparse factorizations and triangular solves of a real matrix, as task graphs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from dagpart._arguments import check_choice, check_number, check_size
from dagpart._core import symbolic
from dagpart.dag import Dag, Digraph
from dagpart.errors import DagpartError
from dagpart.generate import _flops
from dagpart.generate._arguments import Weights
from dagpart.generate._edges import distinct, weighed
from dagpart.generate._orderings import Ordering, Pattern, fill_reducing
from dagpart.generate.task_flow import WORD

# A SciPy sparse matrix, a Digraph, or the path of a Matrix Market file or name of a data set.
Matrix = str | os.PathLike[str] | Digraph | Any

# More row indices than this, in all supernodes, are a sign of a bad ordering, and would fill the memory.
_MOST_ROWS = 2**30


@dataclass(frozen=True)
class SymbolicFactor:
    """Structure of the Cholesky factor L of a reordered matrix, by supernodes.

    A supernode is a set of adjacent columns with the same rows below them; columns are numbered in the order
    of their elimination, which is a postorder of the elimination tree.

    Attributes
    ----------
    order : int64[n]
        Row and column of the given matrix that is eliminated k-th.
    parent : int32[n]
        Elimination tree; -1 for roots.
    counts : int64[n]
        Entries of each column of L, the diagonal one included.
    start : int64[s + 1]
        First column of each supernode, and n.
    row_start, rows : int64[s + 1], int32[r]
        Rows of supernode s below its own: ``rows[row_start[s]:row_start[s + 1]]``, ascending.

    Examples
    --------
    >>> arrow = scipy.sparse.coo_array(([1, 1, 1], ([0, 0, 0], [1, 2, 3])), shape=(4, 4))
    >>> factor = symbolic_factor(arrow)
    >>> factor.counts.tolist(), factor.parent.tolist(), factor.nnz, factor.flops
    ([2, 2, 2, 1], [3, 3, 3, -1], 7, 13)
    """

    order: NDArray[np.int64]
    parent: NDArray[np.int32]
    counts: NDArray[np.int64]
    start: NDArray[np.int64]
    row_start: NDArray[np.int64]
    rows: NDArray[np.int32]

    @property
    def nnz(self) -> int:
        """Entries of L."""
        return int(self.counts.sum())

    @property
    def flops(self) -> int:
        """Operations of the Cholesky factorization, square roots and divisions included."""
        return int((self.counts * self.counts).sum())

    @property
    def widths(self) -> NDArray[np.int64]:
        """Columns of each supernode."""
        return np.diff(self.start)

    @property
    def heights(self) -> NDArray[np.int64]:
        """Rows of each supernode below its own columns."""
        return np.diff(self.row_start)

    @property
    def stored(self) -> int:
        """Entries that the supernodes store: those of L, and the zeros that merging has brought."""
        return int((self.widths * (self.widths + 1) // 2 + self.widths * self.heights).sum())

    def pattern(self) -> scipy.sparse.csc_array[Any]:
        """The stored entries, as a lower triangular matrix of ones in the order of elimination.

        Examples
        --------
        >>> path = scipy.sparse.diags_array([1.0, 1.0], offsets=1, shape=(3, 3))
        >>> symbolic_factor(path, ordering="natural").pattern().toarray().tolist()
        [[1, 0, 0], [1, 1, 0], [0, 1, 1]]
        """
        n = len(self.order)
        supernode = np.repeat(np.arange(len(self.widths)), self.widths)
        column = np.arange(n)
        own = self.start[supernode + 1] - column
        length = own + self.heights[supernode]
        indptr = np.concatenate(([0], np.cumsum(length)))
        within = np.arange(indptr[-1]) - np.repeat(indptr[:-1], length)
        column, supernode, own = (np.repeat(each, length) for each in (column, supernode, own))
        indices = column + within
        below = within >= own
        indices[below] = self.rows[(self.row_start[supernode] + within - own)[below]]
        return scipy.sparse.csc_array((np.ones(len(indices), dtype=np.int8), indices, indptr), shape=(n, n))


def symbolic_factor(
    matrix: Matrix, *, ordering: Ordering = "mmd", relax: float = 0.0, width: int | None = None
) -> SymbolicFactor:
    """Symbolic Cholesky factorization: where the factor of a matrix has entries.

    The elimination tree [1]_, the entries of each column [2]_, and supernodes, relaxed if wanted [3]_.

    Parameters
    ----------
    matrix : SciPy sparse matrix or array, Digraph, or path
        Square; only its pattern counts, and it is made symmetric. A path is that of a Matrix Market file, or
        the name of a data set.
    ordering : {"mmd", "colamd", "rcm", "metis", "natural"}
        Fill-reducing ordering: multiple minimum degree or column approximate minimum degree by SuperLU,
        reverse Cuthill-McKee by SciPy, nested dissection by METIS (needs pymetis), or none. It is followed by
        a postorder of the elimination tree, which changes neither fill nor work.
    relax : float, default 0
        A supernode is merged with its parent, the columns of which come right after, while at most this share
        of what the two store is zero. 0: fundamental supernodes, where every column is the only child of the
        next one.
    width : int, optional
        Supernodes of more columns are split evenly.

    Returns
    -------
    SymbolicFactor

    Raises
    ------
    DagpartError
        If the matrix is not square, an argument is out of range, or the factor has too many entries.
    MissingDependencyError
        If the ordering needs a package that is not installed.

    References
    ----------
    .. [1] J. W. H. Liu, "The role of elimination trees in sparse factorization", SIAM Journal on Matrix
       Analysis and Applications 11(1), 1990.
    .. [2] J. R. Gilbert, E. G. Ng and B. W. Peyton, "An efficient algorithm to compute row and column counts
       for sparse Cholesky factorization", SIAM Journal on Matrix Analysis and Applications 15(4), 1994.
    .. [3] C. Ashcraft and R. Grimes, "The influence of relaxed supernode partitions on the multifrontal
       method", ACM Transactions on Mathematical Software 15(4), 1989.

    Examples
    --------
    A dense matrix is one supernode:

    >>> import numpy as np
    >>> factor = symbolic_factor(scipy.sparse.csr_array(np.ones((10, 10))))
    >>> factor.nnz, factor.flops, factor.start.tolist()
    (55, 385, [0, 10])
    """
    relax = check_number(relax, "relax", 0.0, 1.0)
    most = None if width is None else check_size(width, "width")
    pattern = _symmetric_pattern(matrix)
    n = pattern.n
    order = fill_reducing(pattern, ordering)
    pattern = pattern.permuted(order)
    parent = symbolic.elimination_tree(*pattern)
    post = symbolic.postorder(parent).astype(np.int64)
    if not np.array_equal(post, np.arange(n)):
        order = order[post]
        pattern = pattern.permuted(post)
        parent = symbolic.elimination_tree(*pattern)
    counts = symbolic.column_counts(*pattern, parent)
    start = _fundamental(parent, counts)
    if relax > 0:
        start = symbolic.amalgamate(start, parent, counts, relax, n if most is None else most)
    if most is not None:
        start = _in_strips(start, most)
    # The rows below a supernode are those below the diagonal of its last column.
    below = int((counts[start[1:] - 1] - 1).sum())
    if below > _MOST_ROWS:
        raise DagpartError(
            f"the factor has {int(counts.sum())} entries, in supernodes with {below} rows: too many to list; "
            "choose another ordering, or merge supernodes with relax="
        )
    row_start, rows = symbolic.supernode_rows(*pattern, parent, start)
    return SymbolicFactor(order, parent, counts, start, row_start, rows)


def sparse_cholesky(
    matrix: Matrix,
    *,
    ordering: Ordering = "mmd",
    factorization: Literal["cholesky", "ldl"] = "cholesky",
    tasks: Literal["fine", "coarse", "multifrontal"] = "fine",
    updates: Literal["chain", "any"] = "chain",
    relax: float = 0.0,
    width: int | None = None,
    weights: Weights = "unit",
) -> Dag:
    """Supernodal Cholesky, or LDL^T, factorization of a sparse matrix.

    Parameters
    ----------
    matrix : SciPy sparse matrix or array, Digraph, or path
        As for `symbolic_factor`.
    ordering, relax, width
        As for `symbolic_factor`.
    factorization : {"cholesky", "ldl"}
        Changes the flops only: LDL^T has no square roots.
    tasks : {"fine", "coarse", "multifrontal"}
        "fine": one task for each supernode, which factors its panel, and one for each pair of supernodes of
        which the first updates the panel of the second [2]_. "coarse": one task for each supernode, which
        makes all updates to its panel and factors it [1]_. "multifrontal": one task for each supernode, which
        factors its frontal matrix and passes what is left to its parent in the elimination tree [3]_.
    updates : {"chain", "any"}
        Of fine tasks: the updates of a panel follow one another, in the order of the program, or may be made
        in any order, each being kept until the panel is factored.
    weights : {"unit", "cost"}
        "cost": vertices weigh their flops, edges the bytes that flow along them: the part of the panel that
        an update needs; a panel, or an update by itself; one triangle of what is left of a frontal matrix.

    Returns
    -------
    Dag
        Tasks in the order of a right-looking program: each supernode, and after it, if fine, its updates.
        With ``weights="cost"`` the total is `SymbolicFactor.flops` if no zeros are stored (``relax=0``), n
        less for LDL^T. Operations on stored zeros count, the additions of assembly do not.

    Raises
    ------
    DagpartError, MissingDependencyError
        As for `symbolic_factor`.

    References
    ----------
    .. [1] E. G. Ng and B. W. Peyton, "Block sparse Cholesky algorithms on advanced uniprocessor computers",
       SIAM Journal on Scientific Computing 14(5), 1993.
    .. [2] X. Lacoste, M. Faverge, G. Bosilca, P. Ramet and S. Thibault, "Taking advantage of hybrid systems
       for sparse direct solvers via task-based runtimes", IPDPSW 2014: panel and update tasks.
    .. [3] I. S. Duff and J. K. Reid, "The multifrontal solution of indefinite sparse symmetric linear
       equations", ACM Transactions on Mathematical Software 9(3), 1983.

    Examples
    --------
    A path, eliminated from one end to the other, is a chain of panels and updates; its last two columns are
    one supernode:

    >>> path = scipy.sparse.diags_array([1.0, 1.0, 1.0, 1.0], offsets=1, shape=(5, 5))
    >>> sparse_cholesky(path, ordering="natural")
    Dag(n=7, m=6)
    >>> sparse_cholesky(path, ordering="natural", tasks="coarse", weights="cost").vertex_weights.tolist()
    [2, 4, 4, 7]
    """
    check_choice(factorization, "factorization", ("cholesky", "ldl"))
    check_choice(tasks, "tasks", ("fine", "coarse", "multifrontal"))
    check_choice(updates, "updates", ("chain", "any"))
    check_choice(weights, "weights", ("unit", "cost"))
    factor = symbolic_factor(matrix, ordering=ordering, relax=relax, width=width)
    w, r = factor.widths, factor.heights
    panel_flops = _flops.potrf(w) + _flops.trsm(r, w)
    if factorization == "ldl":
        panel_flops -= w
    if tasks == "multifrontal":
        source = np.flatnonzero(r)
        supernode = _supernode_of(factor)
        target = supernode[factor.rows[factor.row_start[source]]]
        flops = panel_flops + _flops.syrk(r, w)
        sent = WORD * (r * (r + 1) // 2)[source]
        return weighed(len(flops), np.column_stack((source, target)), flops, sent, weights)
    pairs = _pairs(factor)
    work = _flops.syrk(pairs.rows, w[pairs.source])
    work += _flops.gemm(pairs.below, pairs.rows, w[pairs.source])
    needed = WORD * w[pairs.source] * (pairs.rows + pairs.below)
    if tasks == "coarse":
        np.add.at(panel_flops, pairs.target, work)
        return weighed(len(w), np.column_stack((pairs.source, pairs.target)), panel_flops, needed, weights)
    # Each panel is followed by the updates that it makes.
    update = np.arange(len(pairs.source)) + pairs.source + 1
    made = np.bincount(pairs.source, minlength=len(w))
    panel = np.arange(len(w)) + np.cumsum(made) - made
    flops = np.empty(len(w) + len(update), dtype=np.int64)
    flops[panel], flops[update] = panel_flops, work
    into = panel[pairs.target]
    if updates == "any":
        sent = WORD * (pairs.rows * (pairs.rows + 1) // 2 + pairs.rows * pairs.below)
    else:
        sent = WORD * (w * (w + 1) // 2 + w * r)[pairs.target]
        # Panel by panel, in program order: all but the last update of a panel go into the next one.
        sequence = np.argsort(pairs.target, kind="stable")
        same = pairs.target[sequence[1:]] == pairs.target[sequence[:-1]]
        into[sequence[:-1][same]] = update[sequence[1:][same]]
    edges = np.concatenate((np.column_stack((panel[pairs.source], update)), np.column_stack((update, into))))
    return weighed(len(flops), edges, flops, np.concatenate((needed, sent)), weights)


def sparse_solve(
    matrix: Matrix,
    *,
    triangle: Literal["auto", "lower", "upper"] = "auto",
    factor: bool = False,
    ordering: Ordering = "mmd",
    tasks: Literal["row", "level"] = "row",
    rows: int | None = None,
    weights: Weights = "unit",
) -> Dag:
    """Sparse triangular solve, by rows or by level sets.

    Parameters
    ----------
    matrix : SciPy sparse matrix or array, Digraph, or path
        As for `symbolic_factor`.
    triangle : {"auto", "lower", "upper"}
        Which strict triangle of the matrix to solve with, as for `Dag.from_matrix`.
    factor : bool, default False
        Whether to solve with the Cholesky factor of the matrix, instead of one of its own triangles.
    ordering : {"mmd", "colamd", "rcm", "metis", "natural"}
        For that factor, as for `symbolic_factor`.
    tasks : {"row", "level"}
        One task for each row; or for each level set, which are the rows that can be solved for at the same
        time.
    rows : int, optional
        Level sets of more rows are split into tasks of this many.
    weights : {"unit", "cost"}
        "cost": a row takes 2 flops for each entry off the diagonal, and a division. Edges carry 8 bytes for
        each unknown that the target needs.

    Returns
    -------
    Dag
        Rows in the order of the solve, or level sets from the first.

    Raises
    ------
    DagpartError, MissingDependencyError
        As for `symbolic_factor`.

    References
    ----------
    E. Anderson and Y. Saad, "Solving sparse triangular linear systems on parallel computers", International
    Journal of High Speed Computing 1(1), 1989: level sets.

    Examples
    --------
    >>> A = scipy.sparse.csr_array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 1]])
    >>> sparse_solve(A), sparse_solve(A, tasks="level")
    (Dag(n=4, m=4), Dag(n=3, m=2))
    >>> sparse_solve(A, tasks="level", weights="cost").vertex_weights.tolist()
    [1, 6, 5]
    """
    check_choice(triangle, "triangle", ("auto", "lower", "upper"))
    check_choice(tasks, "tasks", ("row", "level"))
    check_choice(weights, "weights", ("unit", "cost"))
    most = None if rows is None else check_size(rows, "rows")
    if factor:
        dag = Dag.from_matrix(symbolic_factor(matrix, ordering=ordering).pattern(), triangle="lower")
    else:
        dag = Dag.from_matrix(_graph_of(matrix).to_scipy(), triangle=triangle)
    flops = 2 * np.diff(dag.pred_indptr) + 1
    source, target = np.repeat(np.arange(dag.n), np.diff(dag.indptr)), dag.indices.astype(np.int64)
    if tasks == "row":
        return weighed(len(flops), np.column_stack((source, target)), flops, np.full(dag.m, WORD), weights)
    task = _level_tasks(dag, most)
    count = int(task.max(initial=-1)) + 1
    work = np.zeros(count, dtype=np.int64)
    np.add.at(work, task, flops)
    # An unknown goes to a task once, however many of its rows need it.
    unknown, needed_by = np.divmod(distinct(source * count + task[target]), count)
    key, unknowns = np.unique(task[unknown] * count + needed_by, return_counts=True)
    return weighed(count, np.column_stack(np.divmod(key, count)), work, WORD * unknowns, weights)


# ---------------------------------------------------------------------- patterns


def _graph_of(matrix: Matrix) -> Digraph:
    """The pattern of a matrix, without its diagonal."""
    if isinstance(matrix, str | os.PathLike):
        from dagpart.io import read

        return read(matrix, as_="adjacency")
    return Digraph.from_any(matrix) if isinstance(matrix, Digraph) else Digraph.from_scipy(matrix)


def _symmetric_pattern(matrix: Matrix) -> Pattern:
    graph = _graph_of(matrix)
    if graph.indices.dtype != np.int32:
        raise DagpartError(f"the matrix has {graph.n} rows, more than 2**31 - 1")
    row = np.repeat(np.arange(graph.n), np.diff(graph.indptr))
    return Pattern.of(graph.n, row, graph.indices)


# ---------------------------------------------------------------------- supernodes


def _fundamental(parent: NDArray[np.int32], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """First columns of the supernodes in which every column is the only child of the next one."""
    n = len(parent)
    children = np.bincount(parent[parent >= 0], minlength=n)
    same = (parent[:-1] == np.arange(1, n)) & (counts[:-1] == counts[1:] + 1) & (children[1:] == 1)
    return np.concatenate(([0] if n else [], np.flatnonzero(~same) + 1, [n])).astype(np.int64)


def _in_strips(start: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Supernodes of at most `width` columns, each cut evenly."""
    widths = np.diff(start)
    pieces = -(-widths // width)
    first = np.repeat(np.cumsum(pieces) - pieces, pieces)
    piece = np.arange(len(first)) - first
    cuts = np.repeat(start[:-1], pieces) + piece * np.repeat(widths, pieces) // np.repeat(pieces, pieces)
    return np.append(cuts, start[-1])


def _supernode_of(factor: SymbolicFactor) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(factor.widths)), factor.widths)


@dataclass(frozen=True)
class _Pairs:
    """Supernodes `source` that have rows among the columns of `target`: how many, and how many below."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    rows: NDArray[np.int64]
    below: NDArray[np.int64]


def _pairs(factor: SymbolicFactor) -> _Pairs:
    source = np.repeat(np.arange(len(factor.heights)), factor.heights)
    target = _supernode_of(factor)[factor.rows]
    new = np.ones(len(source), dtype=bool)
    new[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    first = np.flatnonzero(new)
    end = np.append(first[1:], len(source))
    return _Pairs(source[first], target[first], end - first, factor.row_start[source[first] + 1] - end)


# ---------------------------------------------------------------------- graphs


def _level_tasks(dag: Dag, most: int | None) -> NDArray[np.int64]:
    """Task of each row: one for each level set, or for every `most` rows of it."""
    levels = dag.levels.astype(np.int64)
    in_level = np.bincount(levels)
    pieces = np.ones_like(in_level) if most is None else -(-in_level // most)
    sequence = np.argsort(levels, kind="stable")
    place = np.arange(dag.n) - np.repeat(np.cumsum(in_level) - in_level, in_level)
    task = np.empty(dag.n, dtype=np.int64)
    task[sequence] = (np.cumsum(pieces) - pieces)[levels[sequence]] + (0 if most is None else place // most)
    return task
