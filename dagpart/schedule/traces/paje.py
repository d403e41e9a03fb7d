"""Paje traces, for ViTE and pj_dump.

A processor is a container, what it runs is its state, and a message is a link between two of them. The
format is described in B. de Oliveira Stein, J. Chassin de Kergommeaux and G. Mounie, "Paje trace file
format", 2002.
"""

from __future__ import annotations

from operator import itemgetter

import numpy as np

from dagpart.schedule.result import Schedule

__all__ = ["dump"]

_HEADER = """\
%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineLinkType 2
% Alias string
% Type string
% StartContainerType string
% EndContainerType string
% Name string
%EndEventDef
%EventDef PajeDefineEntityValue 3
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeCreateContainer 4
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeDestroyContainer 5
% Time date
% Name string
% Type string
%EndEventDef
%EventDef PajeSetState 6
% Time date
% Type string
% Container string
% Value string
% Task string
%EndEventDef
%EventDef PajeStartLink 7
% Time date
% Type string
% Container string
% StartContainer string
% Value string
% Key string
%EndEventDef
%EventDef PajeEndLink 8
% Time date
% Type string
% Container string
% EndContainer string
% Value string
% Key string
%EndEventDef
0 platform 0 "Platform"
0 processor platform "Processor"
1 state processor "State"
2 message platform processor processor "Message"
3 task state "task" "0.20 0.50 0.90"
3 idle state "idle" "0.90 0.90 0.90"
"""


def dump(schedule: Schedule) -> bytes:
    """The trace of a schedule.

    Examples
    --------
    >>> import numpy as np
    >>> from dagpart.schedule import Messages, Problem, Schedule
    >>> start = np.array([0.0, 1.0])
    >>> serial = Schedule(Problem.of([(0, 1)], 1), np.zeros(2, np.int32), start, start + 1, Messages.none())
    >>> print(*dump(serial).decode().splitlines()[-5:], sep="\\n")
    6 0 state p0 task "0"
    6 1 state p0 task "1"
    6 2 state p0 idle "idle"
    5 2 p0 processor
    5 2 root platform
    """
    p = schedule.problem.p
    # A stable sort by time keeps what comes first ahead: states in their order, links open before they close.
    events = sorted([*_states(schedule), *_links(schedule)], key=itemgetter(0))
    last = max((time for time, _ in events), default=0.0)
    lines = [f'4 0 root platform 0 "{_word(schedule.algorithm or "schedule")}"']
    lines += [f'4 0 p{q} processor root "processor {q}"' for q in range(p)]
    lines += [line for _, line in events]
    lines += [f"5 {_time(last)} p{q} processor" for q in range(p)]
    lines.append(f"5 {_time(last)} root platform")
    return (_HEADER + "\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


def _states(schedule: Schedule) -> list[tuple[float, str]]:
    """What each processor does from when on; between two tasks that follow at once it is never idle."""
    graph = schedule.problem.graph
    order = np.lexsort((schedule.finish, schedule.start, schedule.processor)).tolist()
    processor, start, finish = (
        array.tolist() for array in (schedule.processor, schedule.start, schedule.finish)
    )
    first = {}
    for v in reversed(order):
        first[processor[v]] = start[v]
    events = [
        (0.0, f'6 0 state p{q} idle "idle"') for q in range(schedule.problem.p) if first.get(q, 1.0) > 0
    ]
    for place, v in enumerate(order):
        q = processor[v]
        events.append((start[v], f'6 {_time(start[v])} state p{q} task "{_word(str(graph.name(v)))}"'))
        follower = order[place + 1] if place + 1 < len(order) else None
        if follower is None or processor[follower] != q or start[follower] > finish[v]:
            events.append((finish[v], f'6 {_time(finish[v])} state p{q} idle "idle"'))
    return events


def _links(schedule: Schedule) -> list[tuple[float, str]]:
    m, name = schedule.messages, schedule.problem.graph.name
    columns = (m.producer, m.consumer, m.source, m.destination, m.start, m.finish)
    starts, ends = [], []
    for i, row in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        producer, consumer, source, destination, start, finish = row
        value = _word(f"{name(producer)} -> {name(consumer)}")
        starts.append((start, f'7 {_time(start)} message root p{source} "{value}" m{i}'))
        ends.append((finish, f'8 {_time(finish)} message root p{destination} "{value}" m{i}'))
    return starts + ends


def _time(time: float) -> str:
    """Every digit, and no exponent."""
    return np.format_float_positional(time, trim="-")


def _word(text: str) -> str:
    """A text between quotes, not empty; the format cannot write a quote or the end of a line."""
    word = "".join("'" if sign == '"' else sign if sign.isprintable() else " " for sign in text)
    return word if word.strip() else "-"
