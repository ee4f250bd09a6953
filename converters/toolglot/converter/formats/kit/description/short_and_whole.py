"""A description in two places: a short one in a field with a limit, and the whole with guidance in a body.

`unite_description` is the inverse of `divide_description`. A body that somebody else wrote is guidance.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats.kit.description.facts_in_description import join_description, split_description
from toolglot.converter.formats.kit.description.shortening import brief_description
from toolglot.converter.hub.model import Tool, text_about
from toolglot.converter.text.serialization import printable


def divide_description(tool: Tool, holds: Collection[str], limit: int) -> tuple[str, str | None]:
    """The short text of at most `limit` code points, and the text of the body: guidance, and what did not fit.

    Warnings are never cut. The description, and what other fields add to it, may be.

    >>> tool = Tool(id="rm", description="Remove all of it, and then more.", flags=("destructive",))
    >>> divide_description(tool, (), 40)
    ('Remove all of it,... [⚠️ DESTRUCTIVE]', 'Remove all of it, and then more.')
    """
    full = join_description(tool, holds) or text_about(tool)
    if len(full) <= limit:
        return full, tool.guidance
    parts = (join_description(replace(tool, flags=None), holds), tool.guidance)
    return brief_description(tool, holds, limit), printable("\n\n".join(filter(None, parts)))


def unite_description(above: str, below: str, holds: Collection[str], limit: int) -> Mapping[str, Any]:
    """The fields that the short text and the body state together.

    >>> dict(unite_description("Remove all of it,... [⚠️ DESTRUCTIVE]", "Remove all of it, and then more.", (), 40))
    {'description': 'Remove all of it, and then more.', 'flags': ('destructive',)}
    >>> dict(unite_description("Remove.", "Ask first.", (), 40))
    {'description': 'Remove.', 'guidance': 'Ask first.'}
    """
    fields = split_description(above, holds)
    if not below:
        return fields
    whole = {**fields, **split_description(below, holds)}
    if divide_description(Tool(id="", **whole), holds, limit) == (above, below):
        return whole
    return {**fields, "guidance": below}
