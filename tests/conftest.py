"""Settings of all tests."""

from __future__ import annotations

import os

from hypothesis import settings

from dagpart.options import CHECK_VARIABLE

# The engine verifies its invariants after each phase, also in the processes that tests start.
os.environ.setdefault(CHECK_VARIABLE, "1")

# No test asserts a time.
settings.register_profile("dagpart", deadline=None)
settings.load_profile("dagpart")
