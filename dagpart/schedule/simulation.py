"""Times of plans: exact under every model, with other durations, and of runs that decide as they go."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from dagpart import _cycles
from dagpart._arguments import (
    check_count,
    check_floats,
    check_ids,
    check_not_negative,
    check_range,
    check_size,
    is_one_of,
)
from dagpart._core.scheduling import ports
from dagpart._core.scheduling.dynamic import as_it_goes
from dagpart._core.scheduling.in_order import placement_order
from dagpart._core.scheduling.machine import Machine
from dagpart._core.scheduling.supersteps import in_given_supersteps
from dagpart.errors import DagpartError, WeightError, cycle_words
from dagpart.schedule import _kernels
from dagpart.schedule.blocks import BlockGraph
from dagpart.schedule.models import names_of
from dagpart.schedule.problem import Problem
from dagpart.schedule.result import Messages, Schedule

__all__ = ["POLICIES", "Policy", "replay", "robustness", "simulate", "simulate_dynamic"]

Policy = Literal["greedy", "work-stealing"]
POLICIES: tuple[Policy, ...] = get_args(Policy)

# Every superstep takes time to simulate, also one without tasks.
_MOST_EMPTY = 2**20

_MOST_RUNS = 2**31 - 1


def simulate(
    problem: Problem,
    processor: ArrayLike,
    order: ArrayLike,
    *,
    message_order: Messages | ArrayLike | None = None,
    durations: ArrayLike | None = None,
    superstep: ArrayLike | None = None,
    message_superstep: ArrayLike | None = None,
) -> Schedule:
    """The times of tasks that run on given processors in a given order, each as early as that allows.

    Under ``"duplex"`` tasks get their ports one after the other in the given order: a task's incoming
    messages are sent ordered by the times at which their producers end, then by the producers' ids, each as
    soon as both ports have ended the messages of tasks before. With `message_order`, ports serve messages
    in that order instead.

    Under ``"bsp"`` a task is in the earliest superstep that its processor's order and its predecessors allow,
    and data are sent at the end of the superstep of their producer. With `superstep` and `message_superstep`
    both are as given, so that a plan of another tool costs what it costs there.

    Parameters
    ----------
    problem : Problem
    processor : array_like of int, shape (n,)
    order : array_like of int, shape (n,)
        A permutation of the tasks. Where it is no topological order, tasks are put after their predecessors
        and the order on every processor is kept.
    message_order : Messages or array_like of int, shape (M, 2), optional
        For ``"duplex"``: all messages, by start, or as rows (producer, consumer) from first to last. Under
        charging ``"unique"`` a message's consumer is any on its processor.
    durations : array_like, shape (n,), optional
        What the tasks turn out to take, in place of the problem's durations.
    superstep : array_like of int, shape (n,), optional
        For ``"bsp"``: of each task, from 0. `order` counts inside a superstep only.
    message_superstep : array_like of int, shape (m,), optional
        With `superstep`: at the end of which one each edge's data are sent, in the order of
        ``graph.indices``; from that of the producer to the one before the consumer's. It does not matter
        where both run on one processor. Of several edges that share a message (charging ``"unique"``) the
        earliest counts.

    Returns
    -------
    Schedule

    Raises
    ------
    DagpartError
        An argument is not as said; a message is missing, or one too many; data would come too late; or orders
        and edges make a cycle, which is named.
    WeightError
        A duration is negative or not finite.

    Examples
    --------
    >>> problem = Problem.of([(0, 1), (0, 2)], 2)
    >>> simulate(problem, [0, 0, 1], [0, 1, 2]).finish.tolist()
    [1.0, 2.0, 3.0]
    >>> from dagpart.schedule import Platform
    >>> bsp = Problem.of([(0, 1)], Platform.bsp(2, L=5), model="bsp")
    >>> simulate(bsp, [0, 0], [0, 1]).makespan, simulate(bsp, [0, 0], [0, 1], superstep=[0, 1]).makespan
    (7.0, 12.0)
    """
    place, sequence = _plan(problem, processor, order)
    if (superstep is not None or message_superstep is not None) and not problem.communication.has_supersteps:
        with_supersteps = names_of(lambda model: model.has_supersteps)
        raise DagpartError(f"superstep with the model {problem.model!r}: only {with_supersteps} has them")
    machine = _kernels.machine(problem, _durations(problem, durations))
    if message_order is not None:
        if not problem.communication.has_ports:
            with_ports = names_of(lambda model: model.has_ports)
            raise DagpartError(f"message_order with the model {problem.model!r}: only {with_ports} has ports")
        return _in_port_order(problem, machine, place, sequence, _pairs(problem, message_order))
    step, sent_in = _given_supersteps(problem, place, superstep, message_superstep)
    if step.size:
        sequence = sequence[np.argsort(step[sequence], kind="stable")]
    sequence = _topological(problem, place, sequence)
    if step.size:
        phase, outcome = in_given_supersteps(machine, place, sequence, step, sent_in)
        made = _kernels.schedule_of(problem, outcome, algorithm="simulate")
        return replace(made, messages=replace(made.messages, superstep=phase)) if sent_in.size else made
    outcome = problem.communication.timing(machine, place, sequence)
    return _kernels.schedule_of(problem, outcome, algorithm="simulate")


def replay(schedule: Schedule, durations: ArrayLike | None = None) -> Schedule:
    """The same plan with other durations: every processor and every port keeps its order, every task and
    every message its superstep.

    Without `durations` nothing starts later than in the schedule. Idle time without need disappears.

    Parameters
    ----------
    schedule : Schedule
    durations : array_like, shape (n,), optional
        What the tasks turn out to take.

    Returns
    -------
    Schedule
        Of the same problem, whose durations are not those of its tasks where others are given.

    Raises
    ------
    DagpartError, WeightError
        As `simulate`.

    Examples
    --------
    >>> schedule = simulate(Problem.of([(0, 1)], 2), [0, 1], [0, 1])
    >>> schedule.makespan, replay(schedule, [1, 5]).makespan
    (3.0, 7.0)
    """
    return simulate(
        schedule.problem,
        schedule.processor,
        schedule.order,
        message_order=_port_order(schedule),
        durations=durations,
        superstep=schedule.superstep,
        message_superstep=_message_supersteps(schedule),
    )


def robustness(schedule: Schedule, noise: float, runs: int, seed: int = 0) -> NDArray[np.float64]:
    """Makespans of a plan when durations turn out other than planned.

    Parameters
    ----------
    schedule : Schedule
    noise : float
        Coefficient of variation: each duration is multiplied by a lognormal factor with mean 1 and this
        standard deviation.
    runs : int
    seed : int, default 0

    Returns
    -------
    float64[runs]

    Raises
    ------
    DagpartError
        An argument is not as said.

    Examples
    --------
    >>> schedule = simulate(Problem.of([(0, 1)], 2), [0, 1], [0, 1])
    >>> robustness(schedule, 0.0, 3).tolist()
    [3.0, 3.0, 3.0]
    """
    rng = np.random.default_rng(check_count(seed, "seed"))
    taken = schedule.finish - schedule.start
    ports, phases = _port_order(schedule), _message_supersteps(schedule)
    makespans = np.empty(check_size(runs, "runs", 0, _MOST_RUNS))
    for run in range(makespans.size):
        noisy = taken * _factors(rng, noise, taken.size)
        makespans[run] = simulate(
            schedule.problem,
            schedule.processor,
            schedule.order,
            message_order=ports,
            durations=noisy,
            superstep=schedule.superstep,
            message_superstep=phases,
        ).makespan
    return makespans


def simulate_dynamic(
    problem: Problem, policy: Policy = "greedy", *, noise: float = 0.0, seed: int = 0
) -> Schedule:
    """A run without a plan: processors that have nothing to do take ready tasks.

    - ``"greedy"``: one queue; the ready task of the highest bottom level goes to the idle processor that
      would have its data first.
    - ``"work-stealing"``: each processor has a queue of tasks that became ready when it ended their last
      predecessor, and takes the newest; one with an empty queue takes the oldest of another one's, drawn at
      random [1]_.

    Data are sent when a task is taken; the processor waits for them. Decisions take no time.

    Parameters
    ----------
    problem : Problem
        Not with the model ``"bsp"``.
    policy : {"greedy", "work-stealing"}
    noise : float, default 0.0
        As for `robustness`: what tasks turn out to take is not known before they end.
    seed : int, default 0

    Returns
    -------
    Schedule
        With noise, its tasks do not take what the problem says.

    Raises
    ------
    DagpartError
        An argument is not as said.

    References
    ----------
    .. [1] R. D. Blumofe and C. E. Leiserson, "Scheduling multithreaded computations by work stealing",
       Journal of the ACM 46(5), 1999.

    Examples
    --------
    >>> simulate_dynamic(Problem.of([(0, 1), (0, 2)], 2, model="none")).makespan
    2.0
    """
    if not is_one_of(policy, POLICIES):
        raise DagpartError(f"there is no policy {policy!r}; choose from {', '.join(POLICIES)}")
    if problem.communication.has_supersteps:
        raise DagpartError(f'a dynamic run has no supersteps; choose another model than "{problem.model}"')
    seed = check_count(seed, "seed") % 2**64
    rng = np.random.default_rng(seed)
    durations = problem.durations * _factors(rng, noise, problem.n)[:, None]
    blocks = BlockGraph.of_tasks(problem)
    rank = _kernels.ranks(blocks.bottom_levels(), _kernels.inverse(blocks.order))
    outcome = as_it_goes(_kernels.machine(problem, durations), rank, policy == "work-stealing", seed)
    return _kernels.schedule_of(problem, outcome, algorithm=policy)


def _factors(rng: np.random.Generator, noise: float, n: int) -> NDArray[np.float64]:
    """Lognormal factors with mean 1 and standard deviation `noise`."""
    deviation = check_not_negative(noise, "noise")
    # The square of a large number may be none.
    variance = math.log1p(deviation**2) if deviation < 1e8 else 2 * math.log(deviation)
    return rng.lognormal(-variance / 2, np.sqrt(variance), n)


def _plan(
    problem: Problem, processor: ArrayLike, order: ArrayLike
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Processors and order as the kernels take them, once they are what they should be."""
    place = check_ids(processor, "processors")
    sequence = check_ids(order, "the order")
    for name, given in (("processors", place), ("tasks in order", sequence)):
        if given.size != problem.n:
            raise DagpartError(f"{given.size} {name} for {problem.n} tasks")
    if place.size and not 0 <= place.min() <= place.max() < problem.p:
        task = int(np.flatnonzero((place < 0) | (place >= problem.p))[0])
        raise DagpartError(f"processor {place[task]} of task {task} is none of 0 to {problem.p - 1}")
    check_range(sequence, problem.n)
    times = np.bincount(sequence, minlength=problem.n)
    if (times != 1).any():
        task = int(np.flatnonzero(times != 1)[0])
        raise DagpartError(f"the order has task {task} {times[task]} times: each has to stand in it once")
    return _kernels.narrow(place), _kernels.narrow(sequence)


def _durations(problem: Problem, durations: ArrayLike | None) -> NDArray[np.float64] | None:
    if durations is None:
        return None
    taken = check_floats(durations, "durations")
    if taken.shape != (problem.n,):
        raise DagpartError(f"durations of the shape {taken.shape} for {problem.n} tasks: give one for each")
    bad = np.flatnonzero(~(np.isfinite(taken) & (taken >= 0)))
    if bad.size:
        raise WeightError(f"task {bad[0]} takes {taken[bad[0]]}: durations are finite and not negative")
    return taken[:, None]


def _topological(
    problem: Problem, processor: NDArray[np.int32], order: NDArray[np.int32]
) -> NDArray[np.int32]:
    """The order, changed so that tasks come after their predecessors, and no more than that."""
    indices = _kernels.indices(problem)
    place = _kernels.inverse(order)
    if (place[problem.graph.edge_sources()] < place[indices]).all():
        return order
    sequence = placement_order(problem.graph.indptr, indices, processor, order)
    if sequence.size < problem.n:
        tails, heads = _waits(problem, processor, order)
        raise DagpartError(
            f"the order makes tasks wait for each other: {cycle_words(_cycle(tails, heads, problem.n))}"
        )
    return sequence


def _given_supersteps(
    problem: Problem,
    processor: NDArray[np.int32],
    superstep: ArrayLike | None,
    message_superstep: ArrayLike | None,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Supersteps of tasks and of the data on edges, as the kernel takes them; empty where not given."""
    nothing = np.zeros(0, np.int32)
    if superstep is None:
        if message_superstep is not None:
            raise DagpartError("message_superstep without superstep: give both, or the latter alone")
        return nothing, nothing
    step = check_ids(superstep, "supersteps")
    if step.size != problem.n:
        raise DagpartError(f"{step.size} supersteps for {problem.n} tasks: give one for each")
    most = problem.n + _MOST_EMPTY
    wrong = np.flatnonzero((step < 0) | (step >= most))
    if wrong.size:
        task = int(wrong[0])
        raise DagpartError(f"superstep {step[task]} of task {task} is none of 0 to {most - 1}")
    graph = problem.graph
    tail, head = graph.edge_sources(), graph.indices
    across = processor[tail] != processor[head]
    early = np.flatnonzero(step[head] < step[tail] + across)
    if early.size:
        raise DagpartError(f"{_edge_words(problem, step, int(early[0]))} comes too early")
    if message_superstep is None:
        return _kernels.narrow(step), nothing
    sent = check_ids(message_superstep, "supersteps of messages")
    if sent.size != graph.m:
        raise DagpartError(f"{sent.size} supersteps of messages for {graph.m} edges: give one for each")
    wrong = np.flatnonzero(across & ((sent < step[tail]) | (sent >= step[head])))
    if wrong.size:
        e = int(wrong[0])
        words = _edge_words(problem, step, e)
        raise DagpartError(f"{words}: its data cannot be sent at the end of superstep {sent[e]}")
    return _kernels.narrow(step), _kernels.narrow(np.where(across, sent, 0))


def _edge_words(problem: Problem, step: NDArray[Any], e: int) -> str:
    ends = int(problem.graph.edge_sources()[e]), int(problem.graph.indices[e])
    u, v = (f"{problem.graph.name(w)} in superstep {step[w]}" for w in ends)
    return f"the edge from {u} to {v}"


def _message_supersteps(schedule: Schedule) -> NDArray[np.int32] | None:
    """What `simulate` takes as `message_superstep` to keep that of each message, where it is told."""
    problem, m = schedule.problem, schedule.messages
    if m.superstep is None or schedule.superstep is None:
        return None
    graph = problem.graph
    sent: NDArray[np.int32] = schedule.superstep[graph.edge_sources()]
    if problem.charging == "edge":
        sent[problem.edge_positions(m.producer, m.consumer)] = m.superstep
        return sent
    by_pair = {
        (u, q): s
        for u, q, s in zip(m.producer.tolist(), m.destination.tolist(), m.superstep.tolist(), strict=True)
    }
    ends = zip(graph.edge_sources().tolist(), schedule.processor[graph.indices].tolist(), strict=True)
    for e, pair in enumerate(ends):
        sent[e] = by_pair.get(pair, sent[e])
    return sent


def _port_order(schedule: Schedule) -> NDArray[np.int32] | None:
    """What `simulate` takes as `message_order` to keep the order of each port, where there are ports."""
    if not schedule.problem.communication.has_ports:
        return None
    return _pairs(schedule.problem, schedule.messages).T


def _pairs(problem: Problem, messages: Messages | ArrayLike) -> NDArray[np.int32]:
    """Producers and consumers in the order of service: int32[2, M]."""
    if isinstance(messages, Messages):
        for ends in messages.producer, messages.consumer:
            check_range(ends, problem.n)
        # Messages without length may share an instant; a topological order tells what comes first.
        place = _kernels.places(problem)
        keys = (place[messages.producer], place[messages.consumer], messages.finish, messages.start)
        by_time = np.lexsort(keys)
        return np.stack([messages.producer[by_time], messages.consumer[by_time]])
    try:
        rows = np.asarray(messages)
    except ValueError:
        raise DagpartError(
            "message_order has rows of several lengths: rows are (producer, consumer)"
        ) from None
    if rows.size == 0:
        return np.zeros((2, 0), np.int32)
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise DagpartError(f"message_order has the shape {rows.shape}: rows are (producer, consumer)")
    for column in check_ids(rows[:, 0], "producers"), check_ids(rows[:, 1], "consumers"):
        check_range(column, problem.n)
    return _kernels.narrow(rows.T)


def _in_port_order(
    problem: Problem,
    machine: Machine,
    processor: NDArray[np.int32],
    order: NDArray[np.int32],
    pairs: NDArray[np.int32],
) -> Schedule:
    producer, consumer = pairs
    indptr, indices = problem.graph.indptr, _kernels.indices(problem)
    unique = problem.charging == "unique"
    message = ports.messages_of_edges(indptr, indices, processor, producer, consumer, unique)
    edge = _edge_of_messages(problem, processor, pairs, message)
    start, finish, sent, received, done = ports.in_port_order(
        machine, processor, order, producer, consumer, problem.message_sizes[edge], message
    )
    if not done.all():
        raise DagpartError(
            "the orders of tasks and messages make these wait for each other: "
            + cycle_words(_port_cycle(problem, processor, order, pairs, message))
        )
    messages = Messages(producer, consumer, processor[producer], processor[consumer], sent, received)
    return Schedule(problem, processor, start, finish, messages, algorithm="simulate")


def _edge_of_messages(
    problem: Problem, processor: NDArray[np.int32], pairs: NDArray[np.int32], message: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Position of an edge that each message serves; all that are needed must be there, and no other."""
    missing = np.flatnonzero(message == -2)
    if missing.size:
        tail = int(problem.graph.edge_sources()[missing[0]])
        head = int(problem.graph.indices[missing[0]])
        raise DagpartError(
            f"message_order has no message from task {tail} to task {head}, which are on processors "
            f"{processor[tail]} and {processor[head]}"
        )
    edge = np.full(pairs.shape[1], -1, np.int64)
    served = np.flatnonzero(message >= 0)
    edge[message[served]] = served
    idle = np.flatnonzero(edge < 0)
    if idle.size:
        producer, consumer = pairs[:, idle[0]]
        raise DagpartError(
            f"message_order has a message from task {producer} to task {consumer} that no edge between two "
            "processors needs, or has it twice"
        )
    return edge


def _waits(
    problem: Problem, processor: NDArray[np.int32], order: NDArray[np.int32]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Which task waits for which: the edges, and the order on each processor."""
    by_processor = order[np.argsort(processor[order], kind="stable")]
    before, after = _consecutive(by_processor, processor[by_processor])
    graph = problem.graph
    return np.concatenate([graph.edge_sources(), before]), np.concatenate([graph.indices, after])


def _consecutive(items: NDArray[Any], owner: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    same = owner[:-1] == owner[1:]
    return items[:-1][same], items[1:][same]


def _port_cycle(
    problem: Problem,
    processor: NDArray[np.int32],
    order: NDArray[np.int32],
    pairs: NDArray[np.int32],
    message: NDArray[np.int64],
) -> list[str]:
    """Names around a cycle of tasks and messages that wait for each other; messages are numbered from n."""
    n = problem.n
    tails, heads = _waits(problem, processor, order)
    # An edge that a message serves is two waits: the message's for the producer, the consumer's for the
    # message.
    carried = np.flatnonzero(message >= 0)
    tails = np.concatenate([tails, pairs[0], message[carried] + n])
    heads = np.concatenate([heads, np.arange(pairs.shape[1]) + n, heads[carried]])
    for end in pairs:
        port = processor[end]
        served = np.argsort(port, kind="stable")
        before, after = _consecutive(served, port[served])
        tails = np.concatenate([tails, before + n])
        heads = np.concatenate([heads, after + n])
    return [
        f"task {v}" if v < n else "message from {} to {}".format(*pairs[:, v - n])
        for v in _cycle(tails, heads, n + pairs.shape[1])
    ]


def _cycle(tails: NDArray[Any], heads: NDArray[Any], size: int) -> list[int]:
    waits = scipy.sparse.coo_array((np.ones(tails.size), (tails, heads)), shape=(size, size)).tocsr()
    waits.sum_duplicates()
    return _cycles.short_cycle(waits.indptr.astype(np.int64), waits.indices)
