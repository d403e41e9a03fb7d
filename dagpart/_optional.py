"""Packages that are needed for some purposes only."""

from __future__ import annotations

import importlib
from typing import Any

from dagpart.errors import MissingDependencyError


def require(module: str, extra: str, purpose: str, package: str | None = None) -> Any:
    """The module of an optional package.

    Parameters
    ----------
    module : str
        What to import.
    extra : str
        The extra of dagpart that installs it.
    purpose : str
        What it is needed for, as in "to read ONNX models".
    package : str, optional
        What it is called on PyPI, if not as the module.

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
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        top = module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != top:
            raise
        raise MissingDependencyError(package or top, extra, purpose) from None
