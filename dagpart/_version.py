"""The version, as it was installed."""

from importlib.metadata import version

__version__ = version("dagpart")
