"""The packages of the extra `functions`: `toolglot` itself goes without them."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

from toolglot.errors import UsageError


def load_package(name: str) -> Any:
    """A package of the extra, or a module of it.

    Raises:
        UsageError: it is not installed; code `"missing-extra"`.

    >>> load_package("a_package_that_nobody_has")
    Traceback (most recent call last):
    toolglot.errors.UsageError: functions as tools need the package a_package_that_nobody_has; run: pip install \
'toolglot[functions]' [missing-extra]
    """
    package = name.partition(".")[0]
    if find_spec(package) is None:
        message = f"functions as tools need the package {package}; run: pip install 'toolglot[functions]'"
        raise UsageError(message, "missing-extra")
    return importlib.import_module(name)
