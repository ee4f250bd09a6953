"""`SKILL.md`: instructions for an agent, under a name and a description (Agent Skills specification).

Most skills say how to do something and describe no tool. So a skill is read where somebody names the format, or where
its metadata hold the tool that it was made of; a folder is searched for skills only where the format is named.

A skill has no schema and no hint: everything about arguments and effects is lost, and the report says so; what it says
of danger stands in the description. `allowed-tools` is approval that its author gives ahead, and no statement of
caution; it states no fact here.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from toolglot.errors import ParseError
from toolglot.formats import Format, LookAlike, Record, SlotSpelling, get, names
from toolglot.formats.kit.description.tail import brief_description, join_description, locate_flags, split_description
from toolglot.formats.kit.doubts import doubts, unclear_fields
from toolglot.formats.kit.mapping import Table, fields_of, make_tool, places, put, take, text
from toolglot.formats.kit.markdown import printable
from toolglot.formats.kit.tool_ids import Name, fit_id, named_parts, qualify
from toolglot.formats.mcp.hints import ANYWHERE
from toolglot.hub.model import Tool
from toolglot.text import serialization

_DESCRIPTION_LIMIT = 1024
_NAME_LIMIT = 64
_SLOT = "toolglot"

_TABLE: Table = {
    "name": text("id"),
    "description": text("description"),
    "license": text("license"),
    "metadata": {"author": text("author"), "version": text("version")},
}
_HOLDS = fields_of(_TABLE) | {"body", "guidance"}


def _read(record: Record) -> Tool:
    fields: dict[str, Any] = {}
    rest = take(record.data, _TABLE, fields)
    fields.update(split_description(fields.pop("description", ""), _HOLDS))
    fields["unclear"] = unclear_fields(rest, _TABLE, ANYWHERE)
    tool = make_tool("skill", fields, rest)
    body = record.body or ""
    instructions = body.strip()
    if instructions:
        tool = _with_instructions(tool, instructions)
    if body == _body_of(_description(tool)[1]):
        return tool
    return replace(tool, body=body)


def _with_instructions(tool: Tool, instructions: str) -> Tool:
    """The tool with what stands below: its whole description, where the one above was cut, or else guidance."""
    whole = replace(tool, **split_description(instructions, _HOLDS))
    is_whole = _description(whole) == (join_description(tool, _HOLDS), instructions)
    if is_whole:
        return whole
    return replace(tool, guidance=instructions)


def _write(tool: Tool, version: str | None) -> Record:
    data = put(tool, _TABLE, tool.extension("skill"))
    description, long = _description(tool)
    data["description"] = description
    if tool.body is not None and tool.body.strip() == (long or ""):
        return Record(data, tool.body)  # as its document spaces it
    return Record(data, _body_of(long or printable((tool.body or "").strip())))


def _description(tool: Tool) -> tuple[str, str | None]:
    """The description, and the instructions below it: guidance, and what does not fit above.

    What is said about danger is never cut; the text, and what the other fields add to it, is.
    """
    full = join_description(tool, _HOLDS) or tool.summary or tool.title or tool.id
    if len(full) <= _DESCRIPTION_LIMIT:
        return full, tool.guidance
    parts = (join_description(replace(tool, flags=None), _HOLDS), tool.guidance)
    long = "\n\n".join(part for part in parts if part)
    return brief_description(tool, _HOLDS, _DESCRIPTION_LIMIT), printable(long)


def _body_of(instructions: str | None) -> str:
    if not instructions:
        return ""
    return f"\n{instructions}\n"


def _identify(name: Name) -> str:
    """Lower case, digits and single dashes, at most 64 long; it is the name of the folder, too."""
    own = "-".join(named_parts(name.path))
    identifier = fit_id(qualify(own, name, "-", "-v").lower(), "a-z0-9", _NAME_LIMIT, "skill")
    return re.sub("-+", "-", identifier)


def _is_prompt(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    """Markdown with a description for whoever reads on, and without an id, which every tool has."""
    if body is None or any(file_name in get(name).searched_patterns for name in names()):
        return False
    return "description" in data and "id" not in data and "schema" not in data


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    """Only what was made of a tool, and still holds it; every other skill has to be named."""
    metadata = data.get("metadata") if isinstance(data, dict) and body is not None else None
    return isinstance(metadata, dict) and isinstance(metadata.get(_SLOT), str) and "name" in data and "id" not in data


# -- the slot ---------------------------------------------------------------------------------------------------


def _dump_slot(content: dict[str, Any]) -> str:
    """JSON in one line, in which no reader can take a rule of Markdown for the end of the front matter.

    >>> _dump_slot({"body": "---"})
    '{"body":"\\\\u002d--"}'
    """
    return serialization.dump_json(content, indent=None).rstrip().replace("---", r"\u002d--")


def _load_slot(value: Any) -> Any:
    """What the text of the slot holds; the value itself where that is no JSON of ours."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        return serialization.load(value).data
    except ParseError:
        return value


FORMAT = Format(
    name="skill",
    title="Agent Skills SKILL.md",
    aliases=("skill.md", "agent-skill", "agentskills"),
    url="https://agentskills.io/specification",
    versions=("1",),
    writes=("1",),
    patterns=("SKILL.md",),
    is_searched=False,
    one_per_file=True,
    holds=_HOLDS,
    slot=("metadata", _SLOT),
    slot_spelling=SlotSpelling(_dump_slot, _load_slot),
    doubts=lambda node: doubts(node.extension("skill"), _TABLE, words=ANYWHERE),
    places=places(_TABLE),
    locate=locate_flags,
    sections={"guidance": "", "body": ""},
    sniff=_sniff,
    look_alikes=(
        LookAlike(
            "a skill, a prompt or another text for an agent",
            _is_prompt,
            "it says how to do something and is no tool; `--from skill` reads a SKILL.md all the same",
        ),
    ),
    records=lambda data: [Record(data)],
    version_of=lambda record: "1",
    read=_read,
    write=_write,
    identify=_identify,
    file_name=lambda identifier: f"{identifier}/SKILL.md",
)
