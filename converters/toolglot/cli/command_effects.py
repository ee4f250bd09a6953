"""What a command of toolglot does to the world, as `toolglot --agent` says it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, Unpack

from toolglot import agent

if TYPE_CHECKING:
    from toolglot.runtime.agent.decorator_types import CommandEffects

Described = TypeVar("Described")

_READS: CommandEffects = {
    "reads_files": True,
    "writes_files": False,
    "deletes_files": False,
    "network": False,
    "subprocess": False,
    "idempotent": True,
    "reversible": True,
    "destructive": False,
    "stdin": "none",
    "prompts": False,
    "tty": False,
    "cost_estimate": "free",
    "billable": False,
}


def effects(**differing: Unpack[CommandEffects]) -> Callable[[Described], Described]:
    """State what a command can do at most, whatever its options; without a word it only reads files."""
    facts: CommandEffects = {**_READS, **differing}
    return agent.effects(**facts)


def replaces_files(**differing: Unpack[CommandEffects]) -> Callable[[Described], Described]:
    """State that a command writes files, and that what it replaces is gone for good."""
    facts: CommandEffects = {"writes_files": True, "reversible": False, "destructive": True, **differing}
    return effects(**facts)
