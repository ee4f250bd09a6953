"""Python functions as tools: `definitions.tool` states what a signature and a docstring cannot say.

definitions    `tool`, `define_tool`, `define_action`: facts in keywords, as AIP-14's `defineTool` has them
tool_function  a function with its contract, and how a call reaches it
signatures     the parameters of a function: which a model gives, and which the host
schemas        annotations as JSON Schema, and values between JSON and Python
docstrings     descriptions, parameters and errors out of a docstring

pydantic and griffe come with `toolglot[functions]` and are imported when a function is looked at.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolglot.functions.definitions import define_action, define_tool, tool
    from toolglot.functions.signatures import Context
    from toolglot.functions.tool_function import ToolFunction, runner

__all__ = ["Context", "ToolFunction", "define_action", "define_tool", "runner", "tool"]

_HOME = {
    "Context": "signatures",
    **dict.fromkeys(("define_action", "define_tool", "tool"), "definitions"),
    **dict.fromkeys(("ToolFunction", "runner"), "tool_function"),
}

if not TYPE_CHECKING:  # to a type checker, this would make every misspelled name one of ours

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
