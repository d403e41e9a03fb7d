"""Cuts compared over many graphs."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence


def geometric_mean(ratios: Sequence[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else math.nan


def ratio(ours: float, theirs: float) -> float:
    """Ours over theirs, cuts of nothing counted as 1 so that a mean of logarithms exists."""
    return max(ours, 1) / max(theirs, 1)
