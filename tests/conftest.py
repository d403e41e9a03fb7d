"""Settings of all tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from dagpart.options import CHECK_VARIABLE

# The engine verifies its invariants after each phase, also in the processes that tests start.
os.environ.setdefault(CHECK_VARIABLE, "1")

# No test asserts a time, which a busy machine takes.
settings.register_profile("dagpart", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dagpart")
