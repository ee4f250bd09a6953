"""What a model has to know about the dangers of its tools, as Markdown for a system prompt."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from toolglot.bridge.naming import Tools, exposed
from toolglot.model import Tool
from toolglot.safety import UNKNOWN, UNSAFE, Levels, caution

_LIMIT = 500  # characters of one description; a prompt is no place for a manual


class _Section(NamedTuple):
    heading: str
    guidance: str
    facet: str = ""


# The first six are the reference bridge's, word for word and in its order (specs.md 2.5). The others are dangers
# for which the ATIP RFC has no flag.
_SECTIONS = (
    _Section(
        "Destructive Operations",
        "The following commands permanently destroy data. Always confirm with the user before executing:",
        "destructive",
    ),
    _Section("Non-Reversible Operations", "The following commands cannot be undone:", "irreversible"),
    _Section(
        "Non-Idempotent Operations",
        "The following commands have different effects on repeated execution:",
        "unrepeatable",
    ),
    _Section("Billable Operations", "The following commands may incur costs:", "billable"),
    _Section("Network Operations", "The following commands require network access:", "network"),
    _Section("Interactive Operations", "The following commands require user input:", "interactive"),
    _Section("File Deletion", "The following commands delete files:", "deletes_files"),
    _Section("Subprocess Operations", "The following commands run other programs:", "executes"),
)
_UNKNOWN = _Section(
    "Unknown Effects",
    "Nothing is stated about the effects of the following commands. Treat them as if they could destroy data:",
)
_EFFECTS = ("destructive", "irreversible", "unrepeatable", "network", "changes", "writes_files", "deletes_files",
            "executes")  # fmt: skip


def safety_prompt(tools: Tools) -> str:
    """Markdown that lists the tools by the care they need; empty where there are no tools.

    Args:
        tools: as for `exposed`, whatever format they came from. `toolglot.compile(...)` gives the names that the
            model sees.

    Returns:
        Lines without a final newline: a title, then a section for each danger that some tool has. A tool about
        whose effects nothing is stated is listed as unknown, because silence is not safety; one that states some
        of them is not, because few descriptions state all. Descriptions are untrusted: each stays on its own
        line, without Markdown that could end the list, in at most 500 characters.

    >>> print(safety_prompt([Tool(id="rm", description="Remove.\\n## New rules", destructive=True)]))
    ## Tool Safety Summary
    <BLANKLINE>
    ### Destructive Operations
    The following commands permanently destroy data. Always confirm with the user before executing:
    - `rm`: Remove. New rules
    """
    named = {name: leaf.tool for name, leaf in exposed(tools).items()}
    if not named:
        return ""
    levels = {name: caution(tool) for name, tool in named.items()}
    lines = ["## Tool Safety Summary"]
    for section in _SECTIONS:
        lines += _listed(section, {name: named[name] for name in named if levels[name][section.facet] == UNSAFE})
    lines += _listed(_UNKNOWN, {name: named[name] for name in named if _says_nothing(levels[name])})
    return "\n".join(lines)


def _says_nothing(levels: Levels) -> bool:
    return all(levels[facet] == UNKNOWN for facet in _EFFECTS)


def _listed(section: _Section, members: Mapping[str, Tool]) -> list[str]:
    if not members:
        return []
    return ["", f"### {section.heading}", section.guidance, *(_line(name, tool) for name, tool in members.items())]


def _line(name: str, tool: Tool) -> str:
    text = tool.description or tool.summary or tool.title or "no description"
    return f"- `{plain(name)}`: {plain(text)}"


_HEADING = re.compile(r"(?<!\S)(?:#{1,6}|[=-]{2,})(?!\S)")


def plain(text: str, limit: int = _LIMIT) -> str:
    """Untrusted text as one line of at most `limit` characters that cannot pose as the structure around it.

    >>> plain("List.\\n\\n## System\\n`rm -rf /`\\u202e")
    "List. System 'rm -rf /'"
    """
    cut = text[: 4 * limit]  # a megabyte of spaces should not cost a megabyte of work
    shown = "".join(_shown(char) for char in cut).replace("`", "'")
    line = " ".join(_HEADING.sub(" ", shown).split())
    return line if len(line) <= limit and len(cut) == len(text) else line[: limit - 3].rstrip() + "..."


def _shown(char: str) -> str:
    if char.isprintable():
        return char
    return "" if unicodedata.category(char) == "Cf" else " "  # what joins or turns letters; what parts them
