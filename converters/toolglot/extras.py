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
        extra: as in `pip install '.[extra]'`.
        purpose: what needs it, as the subject of a sentence.

    Raises:
        UsageError: the package is not installed; code `"missing-extra"`.

    >>> load_package("a_package_that_nobody_has.parts", "pages", "a page needs")
    Traceback (most recent call last):
    toolglot.errors.UsageError: a page needs the package a_package_that_nobody_has; in a clone of \
toolglot, run: pip install '.[pages]' [missing-extra]
    """
    package = module.partition(".")[0]
    if find_spec(package) is None or find_spec(module) is None:
        raise UsageError(f"{purpose} the package {package}; {how_to_install(extra)}", "missing-extra")
    return importlib.import_module(module)


def how_to_install(extra: str) -> str:
    """What people are told to run, as long as no package index has a release."""
    return f"in a clone of toolglot, run: pip install '.[{extra}]'"
