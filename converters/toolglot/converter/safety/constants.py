"""The cautious values of facts that nobody states, for targets that demand a value and for hosts that need one.

A writer puts them into documents, and names them there, so that the next reader knows that nobody states them. Policies
and sessions take them for what is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.danger_of_stated_facts import UNSAFE
from toolglot.converter.safety.stated_caution import caution

_ALWAYS_ASKED = ("destructive", "irreversible", "deletes", "executes")


def supposed_approval(tool: Tool) -> str:
    """When a person is asked about a tool without a stated approval: `always` or `on-mutate`, in the words of AIP-14.

    >>> supposed_approval(Tool(id="rm", destructive=True)), supposed_approval(Tool(id="ls"))
    ('always', 'on-mutate')
    """
    levels = caution(tool)
    return "always" if any(levels[facet] == UNSAFE for facet in _ALWAYS_ASKED) else "on-mutate"


def without_constants(tool: Tool) -> Tool:
    """The tool without the values that its document names as made up.

    >>> without_constants(Tool(id="ls", risk_level=2, idempotent=True, assumed=("risk_level",)))
    Tool(id='ls', idempotent=True)
    >>> without_constants(Tool(id="ls"))
    Tool(id='ls')
    """
    return tool if tool.assumed is None else replace(tool, assumed=None, **dict.fromkeys(tool.assumed))


CONSTANTS: dict[str, Callable[[Tool], Any]] = {
    "mutates": lambda tool: ("external:*",),
    "approval": supposed_approval,
    "risk_level": lambda tool: 2,
    "cost_class": lambda tool: "metered",
}
"""Field of the hub -> its cautious value for a tool that does not state it."""
