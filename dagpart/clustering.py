"""`cluster`: acyclic parts under a cap on their weight, as few of them as can be found."""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import cycle, islice
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dagpart._arguments import Objective, check_objective, check_parts, check_seed, check_threads
from dagpart._core import packing
from dagpart._named import Values
from dagpart._weights import INT64_MAX
from dagpart.dag import Digraph
from dagpart.errors import DagpartError, InfeasibleError
from dagpart.options import Options, options_of
from dagpart.search.request import Request, merge
from dagpart.search.result import Partition

__all__ = ["cluster"]

# Vertices and edges that packings may pass together, and how many packings a small graph gets.
_PACKING_WORK = 10_000_000
_MOST_PACKINGS = 1000
# The order the vertices came in, the heaviest first, the start of the longest path first.
_RULES = 3


def cluster(
    graph: Any,
    max_weight: float,
    *,
    objective: Objective = "edge_cut",
    preset: Literal["fast", "default", "strong"] | Options = "default",
    vertex_weights: Values | None = None,
    edge_weights: Values | None = None,
    groups: Iterable[Iterable[Hashable]] | None = None,
    on_cycle: Literal["raise", "condense"] = "raise",
    seed: int = 0,
    threads: int = 1,
) -> Partition:
    """Split a directed acyclic graph into parts of limited weight with an acyclic quotient: as few as it can.

    Among partitions into so few parts, one with little between them.

    Parameters
    ----------
    graph : Dag, Digraph, SciPy sparse matrix, (indptr, indices[, weights]), NetworkX DiGraph, edges, or path
        As for `dagpart.partition`.
    max_weight : int, float, Fraction or Decimal
        No part weighs more, in the unit of the vertex weights. (Weights that are no decimal numbers are
        rounded, as `Digraph` says; then so is this.)
    objective, preset, vertex_weights, edge_weights, groups, on_cycle, seed, threads
        As for `dagpart.partition`.

    Returns
    -------
    Partition
        `k` is the number of parts, all of them in use; `cap` is `max_weight`, rounded down to as
        many decimals as the weights have.

    Raises
    ------
    NotADagError
        If the graph has a cycle and `on_cycle` is "raise".
    InfeasibleError
        If a vertex, or what must share its part, weighs more than `max_weight`; names it and the cap that
        would do.
    DagpartError
        If an argument is not what it should be.

    Notes
    -----
    The least number of parts is NP-hard to find: without edges this is bin packing, with them it is
    the simple assembly line balancing problem of type 1 [1]_. Packings by several priority rules, along the
    edges and against them, give a number of parts that always suffices; a bound from bin packing [2]_
    one that may. Between the two the engine of `dagpart.partition` searches for a partition under the cap.

    References
    ----------
    .. [1] Scholl, Becker, "State-of-the-art exact and heuristic solution procedures for simple assembly line
       balancing", European Journal of Operational Research 168(3), 2006.
    .. [2] Martello, Toth, "Lower bounds and reduction procedures for the bin packing problem", Discrete
       Applied Mathematics 28(1), 1990.

    Examples
    --------
    >>> import dagpart
    >>> r = dagpart.cluster([("a", "b"), ("b", "c"), ("c", "d")], 5, vertex_weights=[2, 3, 4, 1])
    >>> r.k, r.part_weights.tolist()
    (2, [5, 5])
    """
    options = options_of(preset)
    seed, threads = check_seed(seed), check_threads(threads)
    objective = check_objective(objective)
    given = Digraph.from_any(graph, vertex_weights=vertex_weights, edge_weights=edge_weights)
    cap = _cap(max_weight, given.vertex_weight_scale)
    request = merge(given, _most_parts(given.n), cap, None, groups, on_cycle)
    if request.heaviest() > cap:
        raise _too_heavy(request, max_weight)

    started = time.perf_counter()
    merged = _search(request, objective, options, seed, threads)
    seconds = time.perf_counter() - started
    request = replace(request, k=_count(merged))
    labels, order = request.answer(merged)
    given = request.given
    cap_told = request.told(cap)
    return Partition(given, labels, request.k, order, cap_told, seed, seconds, given.n - request.dag.n)


def _cap(max_weight: Any, scale: float) -> int:
    """The cap in the unit of the integer weights; a float stands for the decimal number that it prints as."""
    try:
        cap = Fraction(str(max_weight))
    except (ValueError, ZeroDivisionError):
        cap = Fraction(-1)
    if cap < 0:
        raise DagpartError(f"max_weight must be a finite number from 0 up, got {max_weight!r}")
    if scale != 1 and math.frexp(scale)[0] == 0.5:
        # Weights were scaled by a power of two and rounded: what weighs as much as the cap is to be under it.
        return min(round(Fraction(float(max_weight)) * Fraction(scale)), INT64_MAX)
    return min(math.floor(cap * Fraction(scale)), INT64_MAX)


def _most_parts(n: int) -> int:
    return check_parts(n, n) if n else 0


def _too_heavy(request: Request, max_weight: Any) -> InfeasibleError:
    weight, scale = request.heaviest(), request.given.vertex_weight_scale
    needed = request.told(weight)
    while _cap(needed, scale) < weight:
        needed = math.nextafter(needed, math.inf)
    return InfeasibleError(
        f"{request.heaviest_words()} {needed}, more than max_weight={max_weight}; "
        f"the smallest max_weight that would do is {needed}",
        smallest_max_weight=needed,
    )


def _count(labels: NDArray[np.int32]) -> int:
    return int(labels.max(initial=-1)) + 1


def _search(
    request: Request, objective: Objective, options: Options, seed: int, threads: int
) -> NDArray[np.int32]:
    """Monotone labels of the merged graph, none of its parts above the cap and none empty."""
    fewest = tried = _least_parts(request.dag.vertex_weights, request.cap)
    best = _best_packing(request, fewest, seed)
    most = _count(best)
    if most < 2:
        return best
    found: NDArray[np.int32] | None = None
    while fewest < most:
        engine = replace(request, k=tried).engine_input(False, objective).engine()
        labels = engine.solve(options, seed, threads)
        if engine.score(labels)[0] == 0:
            found, most = labels, tried
        else:
            fewest = tried + 1
        # The bound itself is mostly what can be had; where it is not, halving gets there sooner.
        tried = (fewest + most) // 2
    if found is not None:
        return found
    engine = replace(request, k=most).engine_input(False, objective).engine()
    labels = engine.solve(options, seed, threads)
    if engine.score(labels)[0] == 0:
        return labels
    # The packing is sure to be under the cap, whatever it costs; and refinement keeps it there.
    refined = engine.refine(best, options, seed)
    return min((engine.combine(refined, refined, options, seed), refined, best), key=engine.score)


def _least_parts(weights: NDArray[np.int64], cap: int) -> int:
    """A number of parts below which no packing of these weights can be: Martello and Toth's bound L2.

    For each threshold: vertices too heavy to share a part with one at the threshold have parts of their own,
    those above half the cap have one each, and what weighs from the threshold to half the cap goes into the
    room that these leave, or into more parts. No weight may be above the cap.
    """
    total = int(weights.sum())
    if total == 0:
        return min(weights.size, 1)
    light = np.sort(weights)
    below = np.concatenate(([0], np.cumsum(light)))
    half = int(np.searchsorted(light, cap // 2, side="right"))
    # Only the weights up to half the cap change anything as thresholds.
    start = np.arange(half)
    alone = np.searchsorted(light, cap - light[:half], side="right")
    middle = below[half] - below[start]
    room = (alone - half) * cap - (below[alone] - below[half])
    extra = np.maximum(-(-(middle - room) // cap), 0)
    bounds = (light.size - half) + extra
    return max(-(-total // cap), light.size - half, int(bounds.max(initial=0)))


def _best_packing(request: Request, fewest: int, seed: int) -> NDArray[np.int32]:
    """The packing into fewest parts of those that there is time for; no other has less than `fewest`."""
    tries = min(_MOST_PACKINGS, _PACKING_WORK // (request.dag.n + request.dag.m + 1))
    packings = islice(_packings(request, seed), max(tries, 2 * _RULES))
    best = next(packings)
    while _count(best) > fewest and (other := next(packings, None)) is not None:
        best = min(best, other, key=_count)
    return best


def _packings(request: Request, seed: int) -> Iterator[NDArray[np.int32]]:
    """Packings without end, along the edges and against them: by each rule, then by mixtures of them."""
    dag, weights = request.dag, request.dag.vertex_weights
    order = np.empty(dag.n, dtype=np.int32)
    order[request.rank] = np.arange(dag.n, dtype=np.int32)
    sides = (
        (dag.indptr, dag.indices.astype(np.int32, copy=False), order),
        (dag.pred_indptr, dag.pred_indices.astype(np.int32, copy=False), order[::-1].copy()),
    )

    def packed(side: int, wanted: NDArray[Any]) -> NDArray[np.int32]:
        indptr, indices, _ = sides[side]
        first = np.argsort(wanted, kind="stable").astype(np.int32)
        labels = packing.pack(indptr, indices, weights, first, request.cap)
        return _count(labels) - 1 - labels if side else labels

    rules = []
    for side, (indptr, indices, first) in enumerate(sides):
        place = np.argsort(first)
        paths = packing.longest_paths(indptr, indices, weights, first)
        # As places in a list, rules can be mixed whatever they count.
        rules.append([place, *(np.argsort(np.lexsort((place, -keys))) for keys in (weights, paths))])
        yield from (packed(side, rule) for rule in rules[side])
    draw = np.random.default_rng(seed)
    for side in cycle((0, 1)):
        mixed = sum(share * rule for share, rule in zip(draw.random(_RULES), rules[side], strict=True))
        yield packed(side, mixed + draw.random() * dag.n * draw.random(dag.n))
