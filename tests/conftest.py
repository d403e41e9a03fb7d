"""Settings of all tests. That it lies here is also what lets them import `_data`."""

from __future__ import annotations

import pytest
from hypothesis import settings

# No test asserts a time.
settings.register_profile("dagpart", deadline=None)
settings.load_profile("dagpart")


@pytest.fixture(scope="session", autouse=True)
def cache_of_data_sets(tmp_path_factory):
    """Data sets that tests make do not end up among those of the user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGPART_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
