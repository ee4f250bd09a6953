"""Packages that only an extra of toolglot brings: imported where they are needed; what is missing is named."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

from toolglot.errors import UsageError


def load_package(module: str, extra: str, purpose: str) -> Any:
    """A module of a package that an extra brings.

    Args:
        module: its full name.
        extra: as in `pip install 'toolglot[extra]'`.
        purpose: what needs it, as the subject of a sentence.

    Raises:
        UsageError: the package is not installed; code `"missing-extra"`.

    >>> load_package("a_package_that_nobody_has.parts", "pages", "a page needs")
    Traceback (most recent call last):
    toolglot.errors.UsageError: a page needs the package a_package_that_nobody_has; run: pip install 'toolglot[pages]' \
[missing-extra]
    """
    package = module.partition(".")[0]
    if find_spec(package) is None or find_spec(module) is None:
        message = f"{purpose} the package {package}; run: pip install 'toolglot[{extra}]'"
        raise UsageError(message, "missing-extra")
    return importlib.import_module(module)
