"""Scheduling: platforms, schedulers that keep the parts of a partition together, and a simulator."""

from dagpart.schedule.bounds import Bounds, lower_bounds
from dagpart.schedule.gantt import gantt
from dagpart.schedule.platform import Platform
from dagpart.schedule.platform_files import read_costs, read_platform, write_platform
from dagpart.schedule.problem import Problem
from dagpart.schedule.report import Report, report
from dagpart.schedule.result import Messages, Schedule
from dagpart.schedule.traces import read_onestop, sched_rec, write_trace
from dagpart.schedule.validate import validate, violations

__all__ = [
    "Bounds",
    "Messages",
    "Platform",
    "Problem",
    "Report",
    "Schedule",
    "gantt",
    "lower_bounds",
    "read_costs",
    "read_onestop",
    "read_platform",
    "report",
    "sched_rec",
    "validate",
    "violations",
    "write_platform",
    "write_trace",
]
