"""Sequential task flow: a task graph from what the tasks of a sequential program read and write."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


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
    # Accesses of one datum side by side, in program order; in one task a read goes before a write.
    sequence = np.lexsort((writes, task, data))
    task, data, writes = task[sequence], data[sequence], writes[sequence]
    here = np.arange(len(task))
    # The last write before each position; one that belongs to another datum, or to the task itself,
    # does not count.
    last = np.maximum.accumulate(np.where(writes, here, -1))
    last = np.concatenate(([-1], last[:-1])) if len(last) else last
    found = (last >= 0) & (data[last] == data) & (task[last] != task)
    tasks = int(task.max(initial=0)) + 1
    key = np.unique(task[last[found]] * tasks + task[found])
    return np.column_stack(np.divmod(key, tasks))
