"""What tells a `TOOL.md` from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.formats import Marks
from toolglot.formats.aip14.manifest_kinds import (
    LOOK_ALIKES,
    TOOL_LINES,
    describes_no_tool,
    is_tool_file,
    is_unmarked_tool,
)


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    """By the `schema` line; without one, by the front matter of a tool in a file of its name."""
    if not isinstance(data, dict):
        return False
    if "schema" in data:
        return data["schema"] in TOOL_LINES
    return is_unmarked_tool(data, body) and is_tool_file(file_name) and not describes_no_tool(data, body)


MARKS = Marks(
    aliases=("agenttool", "aip-14", "tool.md", "toolmd"),
    patterns=("TOOL.md",),
    folders=(".actions", ".drivers", ".tools"),
    has_body=True,
    sniff=_sniff,
    look_alikes=LOOK_ALIKES,
)
