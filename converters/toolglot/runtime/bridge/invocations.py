"""A call that is about to be carried out, as its runner gets it."""

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
    """A decoded and validated call, as its runner gets it.

    Attributes:
        call: the call as the model sent it.
        leaf: the command, with its program.
        arguments: the arguments that the command accepts.
        context: data that the host adds for a tool that asks for it; no model sees them.
        advice: violations that do not stop the call, but that its runner should know.

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
        """The name for the model and the path. Tools of two servers may have the same path."""
        return self.call.name, self.path

    def argv(self, host: Mapping[str, Any] | None = None) -> list[str]:
        """The call as an argument vector; see `toolglot.bridge.argv`."""
        return argv(self.leaf, self.arguments, host=host)


def with_own_arguments(invocation: Invocation) -> Invocation:
    """The call with a copy of its arguments, so that nobody who has the original can change what is run."""
    return replace(invocation, arguments=deepcopy(invocation.arguments))
