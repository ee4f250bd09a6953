"""The state of its tools that an agent shares with another one: ATIP RFC, section 10.3.

    {"toolContext": {"availableTools": ["gh"], "authenticatedTools": ["gh"],
                     "recentCommands": [{"tool": "gh", "command": "pr list", "exitCode": 0}]}}

What another agent says is untrusted: it is bounded, cleaned and redacted, and it grants nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.model import Tool, to_json
from toolglot.converter.hub.trees import list_tools
from toolglot.errors import UsageError
from toolglot.runtime.bridge.naming import NamedCommand, leaf_of
from toolglot.runtime.bridge.prompt import clean_line
from toolglot.runtime.bridge.result_filter import ResultFilter
from toolglot.runtime.bridge.stated_objects import read_record

_MOST_TOOLS = 10_000
_MOST_COMMANDS = 50  # the last ones
_LENGTH = 200  # characters of a command


class RecentCommand(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A command that was run: its program, its words without arguments, and how it ended."""

    tool: str
    command: str = ""
    exit_code: int | None = None


class ToolContext(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The state of its tools that an agent shares with others.

    Attributes:
        available_tools: programs that can be run; `None`: not said.
        authenticated_tools: those of them that are signed in; `None`: not said.
        recent_commands: the last 50 commands at most, the oldest first.

    >>> gh = Tool(id="gh", children=(Tool(id="pr", children=(Tool(id="list"),)),))
    >>> from toolglot.converter.safety.inheritance import leaves_of
    >>> context = ToolContext(available_tools=("gh",)).with_command(next(leaves_of(gh)), exit_code=0)
    >>> context.to_json()["toolContext"]["recentCommands"]
    [{'tool': 'gh', 'command': 'pr list', 'exitCode': 0}]
    """

    available_tools: tuple[str, ...] | None = None
    authenticated_tools: tuple[str, ...] | None = None
    recent_commands: tuple[RecentCommand, ...] = ()

    @classmethod
    def from_json(cls, data: Any) -> ToolContext:
        """The context that another agent sent, alone or under `toolContext`.

        Raises:
            UsageError: the data are no context, or too large (code `bad-context`).

        >>> ToolContext.from_json({"availableTool": []})
        Traceback (most recent call last):
        toolglot.errors.UsageError: 'availableTool' is not a key of a tool context; did you mean "availableTools"? \
[bad-context]
        """
        context = read_record(
            cls, data, "a tool context as an object", "a key of a tool context", "bad-context", "toolContext"
        )
        for tools in (context.available_tools, context.authenticated_tools):
            if len(tools or ()) > _MOST_TOOLS:
                raise UsageError(f"expected at most {_MOST_TOOLS} tools, found {len(tools or ())}", "bad-context")
        return cls(
            available_tools=_clean_names(context.available_tools),
            authenticated_tools=_clean_names(context.authenticated_tools),
            recent_commands=tuple(_redact_command(command) for command in context.recent_commands[-_MOST_COMMANDS:]),
        )

    def to_json(self) -> dict[str, Any]:
        """The context as JSON of the RFC; keys that are not said are absent."""
        return {"toolContext": to_json(self)}

    def with_command(self, tool: NamedCommand, exit_code: int | None = None) -> ToolContext:
        """The context after a command was run. Its arguments are left out, because they can have secrets.

        Args:
            tool: the leaf that was called, or anything with a `leaf`.

        Raises:
            UsageError: `tool` is none (code `bad-tools`).
        """
        program, *words = leaf_of(tool).path
        command = RecentCommand(tool=program, command=" ".join(filter(None, words)), exit_code=exit_code)
        return replace(self, recent_commands=(*self.recent_commands, command)[-_MOST_COMMANDS:])

    def available(self, tools: Iterable[Tool]) -> list[Tool]:
        """The tools that are said to be available; all tools where nothing is said."""
        return [tool for tool in list_tools(tools) if self.available_tools is None or tool.id in self.available_tools]


def _clean_names(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    return tuple(clean_line(name, _LENGTH) for name in names)


def _redact_command(command: RecentCommand) -> RecentCommand:
    words = ResultFilter().filter(command.command[:10_000], command.tool)
    return replace(command, tool=clean_line(command.tool, _LENGTH), command=clean_line(words, _LENGTH))
