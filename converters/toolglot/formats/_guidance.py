"""Guidance for a model in the words of a target: what the tool is, when to call it, and when not.

Sources say it in several places (AIP-14 in the body's `## Description`, ATDF in `when_to_use`, others in a title
alone). A target that has no place of its own for it is told in the description, after the description's own text.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from toolglot.formats._sentences import flowing, one_line
from toolglot.model import Tool


def guided(tool: Tool, holds: Collection[str]) -> Tool:
    """The tool with its guidance where a target that holds these fields has a place for it.

    What has no description is described by its summary, or its title.

    >>> guided(Tool(id="rm", description="Remove.", guidance="Only when\\nasked."), ()).description
    'Remove.\\n\\nOnly when asked.'
    >>> guided(Tool(id="rm", title="Remove a file"), ()).description
    'Remove a file'
    """
    said: dict[str, Any] = {}
    description = tool.description or tool.summary or tool.title
    if tool.guidance and "guidance" not in holds:
        said["guidance"] = None
        if "when_to_use" in holds and not tool.when_to_use:
            said["when_to_use"] = flowing(tool.guidance)
        elif not description:
            description = flowing(tool.guidance)
        elif one_line(tool.guidance) not in one_line(description):
            description = f"{description}\n\n{flowing(tool.guidance)}"
    if description and description != tool.description:
        said["description"] = description
    return msgspec.structs.replace(tool, **said) if said else tool
