"""The code of the commands: `check_files` carries out `check`, whose options and help stand in `command_options`.

A module is imported when its command runs. So neither it nor its options need imports inside functions.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def carry_out(name: str, /, *arguments: Any, **values: Any) -> int:
    """Call the function of this package with the name of its module, and give the exit code."""
    function: Callable[..., int] = getattr(import_module(f"{__package__}.{name}"), name)
    return function(*arguments, **values)
