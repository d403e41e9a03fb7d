"""Sequential task flow: a task graph from what the tasks of a sequential program read and write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dagpart._arguments import check_choice, check_size
from dagpart.dag import Dag
from dagpart.generate._arguments import Weights
from dagpart.generate._edges import distinct_edges, merged_edges, weighed

Dependences = Literal["last-writer", "sequential"]

# Bytes of a number in double precision.
WORD = 8


def last_writer_edges(
    task: NDArray[np.int64], data: NDArray[np.int64], writes: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Edges to every task from the last earlier writer of each datum that it reads or overwrites.

    This is what a task runtime infers from a sequential program, except that a task that overwrites a
    datum does not wait for its readers since the last write: a runtime may rename or copy the datum
    instead.

    Parameters
    ----------
    task : int64[a]
        Task that makes each access; tasks are numbered in program order.
    data : int64[a]
        Datum that is accessed.
    writes : bool[a]
        Whether the access writes (alone, or after reading).

    Returns
    -------
    int64[e, 2]
        Pairs (writer, task), each once, sorted.

    References
    ----------
    E. Agullo, C. Augonnet, J. Dongarra, H. Ltaief, R. Namyst, S. Thibault and S. Tomov, "A hybridization
    methodology for high-performance linear algebra software for GPUs", GPU Computing Gems, Jade edition,
    2011: StarPU's dependences from sequential submission.

    Examples
    --------
    Task 0 writes datum 7, task 1 reads it, task 2 overwrites it:

    >>> last_writer_edges(np.array([0, 1, 2]), np.array([7, 7, 7]), np.array([True, False, True])).tolist()
    [[0, 1], [0, 2]]
    """
    task, data, writes = _by_datum(task, data, writes)
    last = _last_write(task, data, writes)
    found = last >= 0
    return distinct_edges(int(task.max(initial=-1)) + 1, task[last[found]], task[found])


@dataclass(frozen=True)
class Tiles:
    """A matrix cut into tiles, each of which is one datum of a `TaskFlow`.

    Attributes
    ----------
    rows, columns : int64[p], int64[q]
        Heights and widths of the tiles.
    first : int
        Datum of tile (0, 0); the others follow row by row.

    Examples
    --------
    >>> Tiles(np.array([4, 4, 2]), np.array([5, 5]), first=10)[2, 1]
    15
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    first: int = 0

    def __getitem__(self, place: tuple[Any, Any]) -> Any:
        """Datum of the tile in some row and column; arrays are broadcast."""
        row, column = place
        return self.first + row * len(self.columns) + column


class TaskFlow:
    """A sequential program: tasks in program order, and the data that each reads and writes.

    The methods that add to it take arrays, so that many tasks are added at once; arguments are broadcast.

    Attributes
    ----------
    n : int
        Tasks so far.

    Examples
    --------
    A vector of two tiles is scaled, then summed up into one number:

    >>> flow = TaskFlow()
    >>> vector, total = flow.tiles([100, 50], [1]), flow.data(8)
    >>> scale = flow.submit("scale", flops=vector.rows, at=([0, 1], 0))
    >>> flow.update(scale, vector[np.arange(2), 0])
    >>> add = flow.submit("sum", flops=149, at=(0, 0))
    >>> flow.read(add, vector[np.arange(2), 0])
    >>> flow.write(add, total)
    >>> dag = flow.dag(weights="cost")
    >>> dag.vertex_weights.tolist(), dag.edge_weights.tolist()
    ([100, 50, 149], [800, 400])
    """

    def __init__(self) -> None:
        self.n = 0
        self._data = 0
        self._bytes: list[NDArray[np.int64]] = []
        self._owner: list[NDArray[np.int64]] = []
        self._kernels: list[NDArray[np.str_]] = []
        self._flops: list[NDArray[np.int64]] = []
        self._places: list[NDArray[np.int64]] = []
        self._accesses: list[NDArray[np.int64]] = []

    # ------------------------------------------------------------------ writing the program

    def data(self, nbytes: ArrayLike, at: tuple[ArrayLike, ArrayLike] = (0, 0)) -> NDArray[np.int64]:
        """New data, from their sizes in bytes and the row and column that say who owns them."""
        nbytes, row, column = np.broadcast_arrays(np.atleast_1d(nbytes), *at)
        self._bytes.append(nbytes.ravel())
        self._owner.append(np.column_stack((row.ravel(), column.ravel())))
        self._data += nbytes.size
        return np.arange(self._data - nbytes.size, self._data).reshape(nbytes.shape)

    def tiles(self, rows: ArrayLike, columns: ArrayLike) -> Tiles:
        """A new matrix in double precision, from the heights and the widths of its tiles."""
        rows, columns = np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)
        first = self._data
        self.data(WORD * rows[:, None] * columns, at=(np.arange(len(rows))[:, None], np.arange(len(columns))))
        return Tiles(rows, columns, first)

    def submit(
        self, kernel: str | NDArray[np.str_], flops: ArrayLike, at: tuple[ArrayLike, ArrayLike]
    ) -> NDArray[np.int64]:
        """New tasks: their kernels, their flops, and the row and column that say who owns them."""
        kernel, flops, row, column = np.broadcast_arrays(np.atleast_1d(kernel), flops, *at)
        self._kernels.append(kernel.ravel())
        self._flops.append(flops.ravel())
        self._places.append(np.column_stack((row.ravel(), column.ravel())))
        self.n += kernel.size
        return np.arange(self.n - kernel.size, self.n).reshape(kernel.shape)

    def read(self, tasks: ArrayLike, data: ArrayLike) -> None:
        """The tasks read the data."""
        self._access(tasks, data, _READ)

    def update(self, tasks: ArrayLike, data: ArrayLike) -> None:
        """The tasks read the data, then write them."""
        self._access(tasks, data, _READ)
        self._access(tasks, data, _WRITE)

    def write(self, tasks: ArrayLike, data: ArrayLike) -> None:
        """The tasks write the data, and do not care for what was there."""
        self._access(tasks, data, _WRITE)

    def _access(self, tasks: ArrayLike, data: ArrayLike, mode: int) -> None:
        tasks, data = np.broadcast_arrays(tasks, data)
        self._accesses.append(np.stack((tasks.ravel(), data.ravel(), np.full(tasks.size, mode))))

    # ------------------------------------------------------------------ what it amounts to

    @property
    def kernels(self) -> NDArray[np.str_]:
        """Name of the kernel of each task."""
        return np.concatenate([np.empty(0, dtype="U1"), *self._kernels])

    @property
    def flops(self) -> NDArray[np.int64]:
        """Floating-point operations of each task."""
        return np.concatenate([_NOTHING, *self._flops])

    @property
    def places(self) -> NDArray[np.int64]:
        """Row and column of the tile that each task mainly writes, shape (n, 2)."""
        return np.concatenate([_NOTHING.reshape(0, 2), *self._places])

    def dag(
        self,
        *,
        weights: Weights = "unit",
        dependences: Dependences = "last-writer",
        inputs: bool = False,
    ) -> Dag:
        """The task graph of the program.

        Parameters
        ----------
        weights : {"unit", "cost"}
            "cost": vertices weigh their flops, edges the bytes of all data that flow along them.
        dependences : {"last-writer", "sequential"}
            "last-writer": an edge to every task from the last earlier writer of each datum that it reads or
            overwrites. "sequential": besides, from every task that has read a datum since to the next one
            that overwrites it, for runtimes that neither rename nor copy data; such an edge carries no bytes.
            Pairs of tasks that depend on each other more than once have one edge.
        inputs : bool, default False
            Whether data that are read before any task writes them become vertices, of no flops, before all
            tasks and in the order of the data.

        Raises
        ------
        DagpartError
            If an option is unknown.

        Examples
        --------
        >>> flow = TaskFlow()
        >>> x = flow.data(8)
        >>> flow.read(flow.submit("print", 0, at=(0, 0)), x)
        >>> flow.update(flow.submit("square", 1, at=(0, 0)), x)
        >>> flow.dag().m, flow.dag(dependences="sequential").m, flow.dag(inputs=True).n
        (0, 1, 3)
        """
        check_choice(dependences, "dependences", ("last-writer", "sequential"))
        flops, nbytes = self.flops, np.concatenate([_NOTHING, *self._bytes])
        task, data, mode = self._all_accesses()
        if inputs:
            loaded = self._inputs()
            flops = np.concatenate((np.zeros_like(loaded), flops))
            task = np.concatenate((np.arange(len(loaded)), task + len(loaded)))
            data = np.concatenate((loaded, data))
            mode = np.concatenate((np.full_like(loaded, _WRITE), mode))
        task, data, mode = _by_datum(task, data, mode)
        writes = mode == _WRITE
        last = _last_write(task, data, writes)
        found = last >= 0
        source, target = task[last[found]], task[found]
        # Only what is read moves, and only once where a task reads and writes it.
        moved = np.where(writes[found], 0, nbytes[data[found]])
        if dependences == "sequential":
            overwrites = _next_write(task, data, writes)
            found = overwrites >= 0
            source = np.concatenate((source, task[found]))
            target = np.concatenate((target, task[overwrites[found]]))
            moved = np.concatenate((moved, np.zeros(np.count_nonzero(found), dtype=np.int64)))
        edges, carried = merged_edges(len(flops), source, target, moved)
        return weighed(len(flops), edges, flops, carried, weights)

    def block_cyclic(self, rows: int, columns: int, *, inputs: bool = False) -> NDArray[np.int32]:
        """Owner of each task when tiles are dealt out block-cyclically to a grid of processes.

        A start labelling: it spreads every step over all processes, and its quotient graph has cycles.

        Parameters
        ----------
        rows, columns : int
            Of the grid of processes; tile (i, j) belongs to process
            ``(i % rows) * columns + j % columns``, and so do the tasks that write it. A task that writes
            several tiles belongs to the owner of the lowest, one of a whole panel to that of its first tile.
        inputs : bool, default False
            As for `dag`: whether the vertices of the inputs come first.

        Returns
        -------
        int32[n]
            Labels from 0 to ``rows * columns - 1``, in the order of the vertices of `dag`.

        References
        ----------
        J. J. Dongarra, R. A. van de Geijn and D. W. Walker, "Scalability issues affecting the design of a
        dense linear algebra library", Journal of Parallel and Distributed Computing 22(3), 1994.

        Examples
        --------
        >>> flow = TaskFlow()
        >>> _ = flow.submit("load", 0, at=(np.arange(3)[:, None], np.arange(2)))
        >>> flow.block_cyclic(2, 2).tolist()
        [0, 1, 2, 3, 0, 1]
        """
        rows, columns = check_size(rows, "rows"), check_size(columns, "columns")
        places = self.places
        if inputs:
            owners = np.concatenate([_NOTHING.reshape(0, 2), *self._owner])
            places = np.concatenate((owners[self._inputs()], places))
        labels = places[:, 0] % rows * columns + places[:, 1] % columns
        return labels.astype(np.int32)

    def _all_accesses(self) -> NDArray[np.int64]:
        return np.concatenate([_NOTHING.reshape(3, 0), *self._accesses], axis=1)

    def _inputs(self) -> NDArray[np.int64]:
        """Data whose first access is a read, ascending."""
        _, data, mode = _by_datum(*self._all_accesses())
        accessed, first = np.unique(data, return_index=True)
        inputs: NDArray[np.int64] = accessed[mode[first] == _READ]
        return inputs


_READ, _WRITE = 0, 1
_NOTHING = np.empty(0, dtype=np.int64)


def _by_datum(
    task: NDArray[np.int64], data: NDArray[np.int64], writes: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    """Accesses of one datum side by side in program order, each once; in a task, a read before a write."""
    sequence = np.lexsort((writes, task, data))
    task, data, writes = task[sequence], data[sequence], writes[sequence]
    new = np.ones(len(task), dtype=bool)
    new[1:] = (task[1:] != task[:-1]) | (data[1:] != data[:-1]) | (writes[1:] != writes[:-1])
    return task[new], data[new], writes[new]


def _last_write(
    task: NDArray[np.int64], data: NDArray[np.int64], writes: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Position of the last write before each access of `_by_datum`; -1 where there is none."""
    if not len(task):
        return _NOTHING
    last = np.maximum.accumulate(np.where(writes, np.arange(len(task)), -1))
    last = np.concatenate(([-1], last[:-1]))
    return np.where((last >= 0) & (data[last] == data), last, -1)


def _next_write(
    task: NDArray[np.int64], data: NDArray[np.int64], writes: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Position of the next write after each read of `_by_datum`; -1 where the task itself makes it."""
    if not len(task):
        return _NOTHING
    end = len(task)
    following = np.minimum.accumulate(np.where(writes, np.arange(end), end)[::-1])[::-1]
    inside = np.minimum(following, end - 1)
    found = ~writes & (following < end) & (data[inside] == data) & (task[inside] != task)
    return np.where(found, following, -1)
