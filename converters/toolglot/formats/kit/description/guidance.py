"""Guidance for a model in the words of a target: what the tool is, when to call it, and when not.

Sources say it in several places (AIP-14 in the body's `## Description`, ATDF in `when_to_use`, others in a title
alone). A target that has no place of its own for it is told in the description, after the description's own text.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec import UNSET

from toolglot.formats.kit.description.labelled_facts import join_description, units
from toolglot.hub.model import Example, Tool
from toolglot.text.language import is_english
from toolglot.text.sentences import one_line, unwrap_paragraphs


def describe_with_guidance(tool: Tool, holds: Collection[str]) -> Tool:
    """The tool with its guidance where a target that holds these fields has a place for it.

    What has no description is described by its summary, or its title.

    >>> describe_with_guidance(Tool(id="rm", description="Remove.", guidance="Only when\\nasked."), ()).description
    'Remove.\\n\\nOnly when asked.'
    >>> describe_with_guidance(Tool(id="rm", title="Remove a file"), ()).description
    'Remove a file'
    """
    changes: dict[str, Any] = {}
    description = tool.description or tool.summary or tool.title
    if tool.guidance and "guidance" not in holds:
        changes["guidance"] = None
        if "when_to_use" in holds and not tool.when_to_use:
            changes["when_to_use"] = unwrap_paragraphs(tool.guidance)
        elif not description:
            description = unwrap_paragraphs(tool.guidance)
        elif one_line(tool.guidance) not in one_line(description):
            description = f"{description}\n\n{unwrap_paragraphs(tool.guidance)}"
    if description and description != tool.description:
        changes["description"] = description
    if not changes:
        return tool
    return msgspec.structs.replace(tool, **changes)


def with_examples(tool: Tool, holds: Collection[str], limit: int | None) -> Tool:
    """The tool with as many of its examples in its description as there is room for, each on a line.

    Args:
        limit: UTF-16 units that the description may have with everything that `join_description` adds to it.

    >>> pay = Tool(id="pay", description="Pay.", examples=(Example(title="Rent", input={"to": "Ann"}),))
    >>> with_examples(pay, (), None).description
    'Pay.\\n\\nExamples:\\n- Rent: {"to":"Ann"}'
    """
    description = tool.description or ""
    opening = "\n\n"
    if is_english(description):
        opening += "Examples:\n"
    room: int | None = None
    if limit is not None:
        room = limit - units(join_description(tool, holds) or "")
    text = ""
    for example in tool.examples or ():
        line = _line_of_example(example)
        if text:
            longer = f"{text}\n{line}"
        else:
            longer = opening + line
        if line and (room is None or units(longer) <= room):
            text = longer
    if not text:
        return tool
    return msgspec.structs.replace(tool, description=description + text)


def _line_of_example(example: Example) -> str:
    """An example on a line: what it is called, and the call; nothing where it shows no call."""
    call = call_of_example(example)
    if call and example.title:
        return f"- {one_line(example.title)}: {call}"
    if call:
        return f"- {call}"
    return ""


def call_of_example(example: Example) -> str:
    """The call that an example shows, as a description tells it; nothing where it shows none."""
    if example.command is not None:
        return f"`{one_line(example.command)}`"
    if example.input is not UNSET:
        return msgspec.json.encode(example.input).decode()
    return ""
