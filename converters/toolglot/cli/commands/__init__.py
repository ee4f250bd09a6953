"""What the commands do: `check_files` does what `check` says, whose options and help stand in `command_options`.

A module is imported when a command runs that it is for, so that neither it nor its options have imports in functions.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def carry_out(name: str, /, *arguments: Any, **values: Any) -> int:
    """Let a function of this package do what a command says, which is called like its module; the exit code."""
    function: Callable[..., int] = getattr(import_module(f"{__package__}.{name}"), name)
    return function(*arguments, **values)
