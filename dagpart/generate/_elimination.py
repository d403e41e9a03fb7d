"""Steps of the tiled eliminations: what LU and QR factorizations, and their hybrids, are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import check_choice
from dagpart.errors import DagpartError
from dagpart.generate import _flops
from dagpart.generate.task_flow import TaskFlow, Tiles

Tree = Literal["flat", "binary", "greedy"]
# Tile row that stays, tile row that it annihilates.
Eliminations = list[tuple[int, int]]


@dataclass(frozen=True)
class Step:
    """One step of an elimination: some columns of one tile column, by the first rows that are left.

    Attributes
    ----------
    row, column : int
        Of the tile with the pivots.
    pivots : int
        Columns that are eliminated.
    height, width : int
        Rows and columns of that tile that are left before the step.
    below, right : int64 arrays
        The tile rows below and the tile columns to the right.
    heights, widths : int64 arrays
        Their sizes.
    """

    row: int
    column: int
    pivots: int
    height: int
    width: int
    below: NDArray[np.int64]
    right: NDArray[np.int64]
    heights: NDArray[np.int64]
    widths: NDArray[np.int64]


def steps(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Iterator[Step]:
    """The steps for a matrix cut into tiles of any sizes: a new one wherever the diagonal crosses a cut."""
    row_end, column_end = np.cumsum(rows), np.cumsum(columns)
    done = 0
    while done < min(row_end[-1], column_end[-1]):
        i = int(np.searchsorted(row_end, done, side="right"))
        j = int(np.searchsorted(column_end, done, side="right"))
        height, width = int(row_end[i]) - done, int(column_end[j]) - done
        yield Step(
            i,
            j,
            min(height, width),
            height,
            width,
            np.arange(i + 1, len(rows)),
            np.arange(j + 1, len(columns)),
            rows[i + 1 :],
            columns[j + 1 :],
        )
        done += min(height, width)


def eliminate_below(
    flow: TaskFlow,
    matrix: Tiles,
    step: Step,
    pivot: NDArray[np.int64] | int,
    before: NDArray[np.int64] | None = None,
    row_kernel: str = "trsm",
) -> None:
    """The rest of an LU step, once datum `pivot` holds the factors of the pivot tile.

    Tasks that begin the step also read `before`, if given.
    """
    k, c = step.column, step.pivots
    # Columns or rows of the pivot's own tile row and column that are left have their update in the same task.
    solved = _flops.trsm(step.heights, c) + _flops.gemm(step.heights, step.width - c, c)
    below = flow.submit("trsm", solved, at=(step.below, k))
    solved = _flops.trsm_unit(step.widths, c) + _flops.gemm(step.height - c, step.widths, c)
    right = flow.submit(row_kernel, solved, at=(step.row, step.right))
    for tasks, tiles in ((below, matrix[step.below, k]), (right, matrix[step.row, step.right])):
        flow.read(tasks, pivot)
        if before is not None:
            flow.read(tasks, before)
        flow.update(tasks, tiles)
    i, j = step.below[:, None], step.right
    update = flow.submit("gemm", _flops.gemm(step.heights[:, None], step.widths, c), at=(i, j))
    flow.read(update, matrix[i, k])
    flow.read(update, matrix[step.row, j])
    flow.update(update, matrix[i, j])


def orthogonalize(
    flow: TaskFlow,
    matrix: Tiles,
    step: Step,
    eliminations: Eliminations | None,
    before: NDArray[np.int64] | None = None,
) -> None:
    """A QR step along a reduction tree; None is the flat one, a square tile on top of the pivot's triangle.

    Tasks that begin the step also read `before`, if given.
    """
    first = np.array([step.row]) if eliminations is None else np.append(step.row, step.below)
    heights = np.array([step.height]) if eliminations is None else np.append(step.height, step.heights)
    k, c, j = step.column, step.pivots, step.right
    factor = flow.submit("geqrt", _flops.geqrt(heights, step.width, c), at=(first, k))
    if before is not None:
        flow.read(factor, before)
    flow.update(factor, matrix[first, k])
    i, reflectors = first[:, None], np.minimum(heights, c)[:, None]
    apply = flow.submit("unmqr", _flops.unmqr(heights[:, None], step.widths, reflectors), at=(i, j))
    flow.read(apply, matrix[i, k])
    flow.update(apply, matrix[i, j])

    if eliminations is None:
        kind, pivot, row, sizes = "ts", np.full_like(step.below, step.row), step.below, step.heights
        factored, applied = _flops.tsqrt, _flops.tsmqr
    else:
        pivot, row = np.array(eliminations, dtype=np.int64).reshape(-1, 2).T
        kind, sizes = "tt", step.heights[row - step.row - 1]
        factored, applied = _flops.ttqrt, _flops.ttmqr
    # Elimination by elimination: the task that makes the reflectors, then those that apply them.
    kernel = np.array([kind + "qrt"] + [kind + "mqr"] * len(j))
    flops = np.column_stack(
        (factored(sizes, step.width, c), applied(sizes[:, None], step.widths[None, :], c))
    )
    tasks = flow.submit(kernel, flops, at=(row[:, None], np.append(k, j)))
    for member in (pivot, row):
        flow.update(tasks[:, 0], matrix[member, k])
        flow.update(tasks[:, 1:], matrix[member[:, None], j])
    flow.read(tasks[:, 1:], matrix[row, k][:, None])


def eliminations(tree: Tree, rows: NDArray[np.int64], all_steps: Sequence[Step]) -> list[Eliminations | None]:
    """Who annihilates whom in each step: the pairs in program order, or None for the flat tree."""
    check_choice(tree, "tree", ("flat", "binary", "greedy"))
    if tree == "flat":
        return [None] * len(all_steps)
    for step in all_steps:
        # A tile that stays must hold a whole triangle; the last one never stays.
        staying = step.heights[:-1]
        lowest = min(step.height, int(staying.min(initial=step.height)))
        if len(step.below) and lowest < step.width:
            raise DagpartError(
                f"the {tree} tree needs tiles with at least as many rows as columns, but one of tile column "
                f"{step.column} has {lowest} rows left and {step.width} columns; use tree='flat'"
            )
    if tree == "binary":
        return [_binary(step) for step in all_steps]
    return _greedy(len(rows), all_steps)


def _binary(step: Step) -> Eliminations:
    count, stride, pairs = len(step.below) + 1, 1, []
    while stride < count:
        first = range(0, count - stride, 2 * stride)
        pairs += [(step.row + i, step.row + i + stride) for i in first]
        stride *= 2
    return pairs


def _greedy(rows: int, all_steps: Sequence[Step]) -> list[Eliminations | None]:
    """As many eliminations as possible at any time, each taking one unit, the lowest rows first."""
    # When each tile row is done with the step before.
    ready = np.zeros(rows, dtype=np.int64)
    result: list[Eliminations | None] = []
    for step in all_steps:
        left = np.append(step.row, step.below)
        pairs: Eliminations = []
        done = ready.copy()
        time = 0
        while len(left) > 1:
            able = left[done[left] <= time]
            half = len(able) // 2
            if half == 0:
                # The second of those that become ready makes the next pair possible.
                time = int(np.partition(done[left], 1)[1])
                continue
            stay, go = able[-2 * half : -half], able[-half:]
            pairs += zip(stay.tolist(), go.tolist(), strict=True)
            time += 1
            done[stay] = done[go] = time
            left = np.setdiff1d(left, go, assume_unique=True)
        ready = done
        result.append(pairs)
    return result
