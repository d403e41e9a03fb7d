"""Scheduling: platforms, schedulers that keep the parts of a partition together, and a simulator."""

from dagpart.schedule.bounds import Bounds, lower_bounds
from dagpart.schedule.charts import gantt
from dagpart.schedule.clustering import CLUSTERINGS, Clustering, dsc, linear, sarkar
from dagpart.schedule.lists import LISTS, VARIANTS, ListScheduler, list_schedule
from dagpart.schedule.mapping import MAPPINGS, schedule_clusters
from dagpart.schedule.platform import Platform
from dagpart.schedule.platform_files import read_costs, read_platform, write_platform
from dagpart.schedule.portfolio import Parts
from dagpart.schedule.problem import Problem
from dagpart.schedule.reporting import Report, report
from dagpart.schedule.result import Messages, Schedule
from dagpart.schedule.scheduling import algorithms, compare, schedule, solve
from dagpart.schedule.simulation import POLICIES, replay, robustness, simulate, simulate_dynamic
from dagpart.schedule.traces import read_onestop, sched_rec, write_trace
from dagpart.schedule.validation import validate, violations

__all__ = [
    "CLUSTERINGS",
    "LISTS",
    "MAPPINGS",
    "POLICIES",
    "VARIANTS",
    "Bounds",
    "Clustering",
    "ListScheduler",
    "Messages",
    "Parts",
    "Platform",
    "Problem",
    "Report",
    "Schedule",
    "algorithms",
    "compare",
    "dsc",
    "gantt",
    "linear",
    "list_schedule",
    "lower_bounds",
    "read_costs",
    "read_onestop",
    "read_platform",
    "replay",
    "report",
    "robustness",
    "sarkar",
    "sched_rec",
    "schedule",
    "schedule_clusters",
    "simulate",
    "simulate_dynamic",
    "solve",
    "validate",
    "violations",
    "write_platform",
    "write_trace",
]
