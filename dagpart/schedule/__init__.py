"""Scheduling: platforms, schedulers that keep the parts of a partition together, and a simulator."""

from dagpart.schedule.lists import LISTS, VARIANTS, ListScheduler, list_schedule
from dagpart.schedule.platform import Platform
from dagpart.schedule.problem import Problem
from dagpart.schedule.result import Messages, Schedule
from dagpart.schedule.simulate import POLICIES, replay, robustness, simulate, simulate_dynamic

__all__ = [
    "LISTS",
    "POLICIES",
    "VARIANTS",
    "ListScheduler",
    "Messages",
    "Platform",
    "Problem",
    "Schedule",
    "list_schedule",
    "replay",
    "robustness",
    "simulate",
    "simulate_dynamic",
]
