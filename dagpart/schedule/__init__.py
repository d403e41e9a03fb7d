"""Scheduling: platforms, schedulers that keep the parts of a partition together, and a simulator."""

from dagpart.schedule.clustering import CLUSTERINGS, Clustering, dsc, linear, sarkar
from dagpart.schedule.lists import LISTS, VARIANTS, ListScheduler, list_schedule
from dagpart.schedule.mapping import MAPPINGS, schedule_clusters
from dagpart.schedule.platform import Platform
from dagpart.schedule.portfolio import Parts
from dagpart.schedule.problem import Problem
from dagpart.schedule.result import Messages, Schedule
from dagpart.schedule.scheduling import algorithms, compare, schedule, solve
from dagpart.schedule.simulate import POLICIES, replay, robustness, simulate, simulate_dynamic

__all__ = [
    "CLUSTERINGS",
    "LISTS",
    "MAPPINGS",
    "POLICIES",
    "VARIANTS",
    "Clustering",
    "ListScheduler",
    "Messages",
    "Parts",
    "Platform",
    "Problem",
    "Schedule",
    "algorithms",
    "compare",
    "dsc",
    "linear",
    "list_schedule",
    "replay",
    "robustness",
    "sarkar",
    "schedule",
    "schedule_clusters",
    "simulate",
    "simulate_dynamic",
    "solve",
]
