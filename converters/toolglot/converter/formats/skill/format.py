"""`SKILL.md`: instructions for an agent, under a name and a description (Agent Skills specification).

Most skills say how to do something and describe no tool. So a skill is read where somebody names the format, or where
its metadata hold the tool that it was made of; a folder is searched for skills only where the format is named.

A skill has no schema and no hint: everything about arguments and effects is lost, and the report says so; what it says
of danger stands in the description. `allowed-tools` is approval that its author gives ahead, and no statement of
caution; but a shell or an interpreter among them, and hooks, say that the skill runs programs. `compatibility` says
what has to hold. `disable-model-invocation`, which clients add, keeps a skill to people: where a model may call it
after all, a person has to approve.
"""

from __future__ import annotations

import os
import re
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats import Checks, ExtensionSlot, Finding, Format, LinkedFacts, Places, Record, Spelling
from toolglot.converter.formats.kit.description.short_and_whole import divide_description, unite_description
from toolglot.converter.formats.kit.field_tables import (
    Row,
    Table,
    fields_of,
    is_bool,
    make_tool,
    places,
    put,
    take,
    text,
)
from toolglot.converter.formats.kit.tool_ids import Name, fit_id, named_parts, qualify
from toolglot.converter.formats.skill.detection import MARKS, SLOT
from toolglot.converter.hub.model import Tool
from toolglot.converter.text import document_reader, serialization
from toolglot.converter.text.pointers import as_list, is_text, is_texts
from toolglot.converter.text.serialization import printable
from toolglot.errors import ParseError

_DESCRIPTION_LIMIT = 1024
_NAME_LIMIT = 64

_TABLE: Table = {
    "name": text("id"),
    "description": text("description"),
    "license": text("license"),
    "metadata": {"author": text("author"), "version": text("version")},
}
_HOLDS = fields_of(_TABLE) | {"body", "guidance"}
_ALLOWED = "allowed-tools"
_FOR_PEOPLE = "disable-model-invocation"
_CONDITION = "compatibility"
_KNOWN_KEYS: Table = {
    **_TABLE,
    _FOR_PEOPLE: Row("approval", is_bool),
    _ALLOWED: Row("subprocess", lambda value: is_text(value) or is_texts(value)),
}


# A shell or an interpreter among the tools that a skill may use, with or without what it is limited to, or any tool.
_RUNS_PROGRAMS = re.compile(
    r"(?:bash|sh|zsh|shell|powershell|cmd|terminal|exec|execute|python[0-9.]*|node|perl|ruby)(?:\(|\Z)|\*\Z", re.I
)


def _names_of_tools(value: Any) -> list[str]:
    """The tools in a text with blanks or commas between them, or in a list; some write a list into a text.

    >>> _names_of_tools("Bash(dd:*) Write"), _names_of_tools(["Read", 1]), _names_of_tools('["Read", "Bash(ls)"]')
    (['Bash(dd:*)', 'Write'], ['Read'], ['Read', 'Bash(ls)'])
    """
    if isinstance(value, str):
        return [name for name in re.split(r"[\s,\[\]\"']+(?![^()]*\))", value) if name]
    return [name for name in as_list(value) if isinstance(name, str)]


def _read(record: Record) -> Tool:
    fields: dict[str, Any] = {}
    rest = take(record.data, _TABLE, fields)
    if is_texts(rest.get(_ALLOWED)):  # as clients have it; the specification has a text
        rest = {**rest, _ALLOWED: " ".join(rest[_ALLOWED])}
    body = record.body or ""
    instructions = body.strip()
    fields.update(unite_description(fields.pop("description", ""), instructions, _HOLDS, _DESCRIPTION_LIMIT))
    if rest.get(_FOR_PEOPLE) is True:
        fields["approval"] = "always"
    if isinstance(rest.get(_CONDITION), str):
        fields["conditions"] = (*fields.get("conditions", ()), rest[_CONDITION])
    if rest.get("hooks") or any(map(_RUNS_PROGRAMS.match, _names_of_tools(rest.get(_ALLOWED)))):
        fields["subprocess"] = True
    tool = make_tool("skill", fields, rest)
    if body == _body_of(instructions):
        return tool
    return replace(tool, body=body)


def _write(tool: Tool, version: str | None) -> Record:
    rest = tool.extension("skill")
    if _ends_with_own_condition(tool):
        tool = replace(tool, conditions=(tool.conditions or ())[:-1] or None)  # its own key says the last one
    data = put(tool, _TABLE, rest)
    description, long = divide_description(tool, _HOLDS, _DESCRIPTION_LIMIT)
    data["description"] = description if description.strip() else tool.id
    if tool.body is not None and tool.body.strip() == (long or ""):
        return Record(data, tool.body)  # as its document spaces it
    return Record(data, _body_of(long or printable((tool.body or "").strip())))


def _ends_with_own_condition(tool: Tool) -> bool:
    """Whether what the key of a skill says is the last condition, behind those in its description."""
    return (tool.conditions or ())[-1:] == (tool.extension("skill").get(_CONDITION),)


def _body_of(instructions: str | None) -> str:
    if not instructions:
        return ""
    return f"\n{instructions}\n"


def _identify(name: Name) -> str:
    """Lower case, digits and single dashes, at most 64 long; it is the name of the folder, too."""
    own = "-".join(named_parts(name.path))
    identifier = fit_id(qualify(own, name, "-", "-v").lower(), "a-z0-9", _NAME_LIMIT, "skill")
    return re.sub("-+", "-", identifier)


def _echoes(tool: Tool) -> list[str]:
    """What stands in the extension, and in a field as what it means."""
    said = {_FOR_PEOPLE: tool.extension("skill").get(_FOR_PEOPLE) is True, _CONDITION: _ends_with_own_condition(tool)}
    return [f"/{key}" for key, is_said in said.items() if is_said]


def _follow_links(data: dict[str, Any], path: str | None) -> LinkedFacts:
    """What is wrong with where a skill stands: clients look for it in a folder of its name."""
    folder, file_name = os.path.split(os.path.abspath(path or ""))
    folder = os.path.basename(folder)
    name = data.get("name") if isinstance(data, dict) else None
    if file_name != "SKILL.md" or not isinstance(name, str) or name == folder:
        return LinkedFacts()
    message = f"the folder of this skill is called {folder!r}; clients load it from one called like it"
    return LinkedFacts(findings=(Finding("skill-folder", "/name", message),))


# -- the slot ---------------------------------------------------------------------------------------------------


def _dump_slot(content: dict[str, Any]) -> str:
    """JSON in one line, in which no reader can take a rule of Markdown for the end of the front matter.

    >>> _dump_slot({"body": "---"})
    '{"body":"\\\\u002d--"}'
    """
    return serialization.dump_json_line(content).replace("---", r"\u002d--")


def _load_slot(value: Any) -> Any:
    """What the text of the slot holds; the value itself where that is no JSON of ours."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        return document_reader.load(value).data
    except ParseError:
        return value


FORMAT = Format(
    name="skill",
    title="Agent Skills SKILL.md",
    url="https://agentskills.io/specification",
    marks=MARKS,
    versions=("1",),
    writes=("1",),
    one_per_file=True,
    version_of=lambda record: "1",
    file_name=lambda identifier: f"{identifier}/SKILL.md",
    holds=_HOLDS,
    places=Places(places(_TABLE), {"approval": (f"/{_FOR_PEOPLE}",)}, sections={"guidance": "", "body": ""}),
    read=_read,
    write=_write,
    identify=_identify,
    follow_links=_follow_links,
    checks=Checks("toolglot.converter.formats.skill.rules"),
    known_keys=_KNOWN_KEYS,
    slot=ExtensionSlot(("metadata", SLOT), _dump_slot, _load_slot),
    spelling=Spelling(echoes=_echoes, repeats_fields=lambda tool: True),  # a body is kept for how it is spaced
    also_states=frozenset({"approval"}),
)
