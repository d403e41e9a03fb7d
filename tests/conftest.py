"""Settings of all tests. That it lies here is also what lets them import `_data`."""

from __future__ import annotations

from hypothesis import settings

# No test asserts a time.
settings.register_profile("dagpart", deadline=None)
settings.load_profile("dagpart")
