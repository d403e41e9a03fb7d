"""Scheduling: platforms, schedulers that keep the parts of a partition together, and a simulator."""

from dagpart.schedule.platform import Platform
from dagpart.schedule.problem import Problem
from dagpart.schedule.result import Messages, Schedule

__all__ = ["Messages", "Platform", "Problem", "Schedule"]
