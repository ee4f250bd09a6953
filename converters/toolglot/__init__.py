"""toolglot reads, checks and converts descriptions of agent tools, and reports every difference.

The verbs are `read`, `read_one`, `write`, `convert`, `compile`, `check` and `detect`; everything else is what they
take and return. In all of them a `str` or `bytes` is the text itself, an `os.PathLike` is a file, and a `dict` or
`list` is data that was parsed already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "Change",
    "Compiled",
    "Conversion",
    "Diagnostic",
    "Error",
    "Report",
    "Tool",
    "check",
    "compile",
    "convert",
    "detect",
    "read",
    "read_one",
    "write",
]

if TYPE_CHECKING:
    from toolglot.api import check, compile, convert, detect, read, read_one, write
    from toolglot.compiling import Compiled
    from toolglot.diagnostics import Diagnostic
    from toolglot.errors import Error
    from toolglot.model import Tool
    from toolglot.pipeline import Conversion
    from toolglot.report import Change, Report

# Imported on first use: `toolglot --help` would otherwise pay for YAML and the schema library.
_HOME = {
    **dict.fromkeys(("check", "compile", "convert", "detect", "read", "read_one", "write"), "toolglot.api"),
    "Compiled": "toolglot.compiling",
    "Conversion": "toolglot.pipeline",
    "Diagnostic": "toolglot.diagnostics",
    "Error": "toolglot.errors",
    "Tool": "toolglot.model",
    "Change": "toolglot.report",
    "Report": "toolglot.report",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'toolglot' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
