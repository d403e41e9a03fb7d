"""Packages that are needed for some purposes only."""

from __future__ import annotations

import importlib
from typing import Any

from dagpart.errors import MissingDependencyError


def require(package: str, extra: str, purpose: str) -> Any:
    """The module of an optional package.

    Parameters
    ----------
    package : str
        What to import.
    extra : str
        The extra of dagpart that installs it.
    purpose : str
        What it is needed for, as in "to read ONNX models".

    Raises
    ------
    MissingDependencyError
        It is not installed; the message names the extra.

    Examples
    --------
    >>> require("json", "none", "to show this").loads("1")
    1
    """
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] != package.partition(".")[0]:
            raise
        raise MissingDependencyError(package.partition(".")[0], extra, purpose) from None
