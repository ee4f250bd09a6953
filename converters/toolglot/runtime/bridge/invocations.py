"""A call that is about to be carried out, as whoever runs it gets it."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.model import Leaf, LeafBase
from toolglot.runtime.bridge.calls import ToolCall
from toolglot.runtime.bridge.command_line.argv import argv
from toolglot.runtime.bridge.violations import Violation

CommandIdentity = tuple[str, tuple[str, ...]]
"""The name under which a command is offered, and its path behind that."""


class Invocation(LeafBase, msgspec.Struct, frozen=True):
    """A call that was decoded and judged, as what runs tools gets it.

    Attributes:
        call: as the model sent it.
        leaf: the command, with its program.
        arguments: those that the command accepts.
        context: what the host adds, for a tool that asks for it; no model sees it.
        advice: what does not speak against the call, but whoever runs it should know.

    >>> from toolglot import Session, Tool
    >>> ls = Tool(id="ls", safety_tier="pure", reversible=True, subprocess=False, billable=False)
    >>> Session(ls, "anthropic", runner=lambda call: [call.path, call.arguments]).call("ls", {})
    [('ls',), {}]
    """

    call: ToolCall
    leaf: Leaf
    arguments: dict[str, Any]
    context: Any = None
    advice: tuple[Violation, ...] = ()

    @property
    def identity(self) -> CommandIdentity:
        """What tells it from other commands that are offered: tools of two servers may have one path."""
        return self.call.name, self.path

    def argv(self, host: Mapping[str, Any] | None = None) -> list[str]:
        """The call as a command line; `toolglot.bridge.argv` says how."""
        return argv(self.leaf, self.arguments, host=host)


def with_own_arguments(invocation: Invocation) -> Invocation:
    """The same with a copy of its arguments: what becomes of those of the response, or of who is asked, is not run."""
    return replace(invocation, arguments=deepcopy(invocation.arguments))
