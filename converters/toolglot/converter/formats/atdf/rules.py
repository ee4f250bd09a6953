"""The rules of `check` for an ATDF record, beyond its schema."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolglot.converter.formats import Finding
from toolglot.converter.formats.atdf.format import FORMAT
from toolglot.converter.formats.atdf.versions import (
    TYPES,
    UNKNOWN_TYPE,
    find_version_faults,
    stated_major,
)
from toolglot.converter.formats.kit.rule import Hit, Rule, Subject, declare_rules
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import escape, mapping_at
from toolglot.converter.text.wording import to_short_json

_IMPLEMENTATION = re.compile(
    r"\b(?:via|using|through|calls?|uses|wraps|invokes)\b[^.]{0,30}?\b(?:REST|HTTP|gRPC|SOAP|GraphQL|MCP|API|endpoint|SDK|"
    r"subprocess|SQL|curl|webhook)\b",
    re.IGNORECASE,
)


def _find_implementation(subject: Subject) -> Iterator[Hit]:
    match = _IMPLEMENTATION.search(subject.own.description or "")
    if match is not None and subject.own.origin == "atdf":
        yield Hit({"words": f'"{match.group()}"'}, "description")


def _find_unknown_type(subject: Subject) -> Iterator[Hit]:
    if subject.own.origin != "atdf":
        return
    properties = mapping_at(subject.own.inputs or {}, "properties")
    for name, binding in (subject.own.bindings or {}).items():
        word = (binding.spelling or {}).get("type", UNKNOWN_TYPE)
        is_known = not isinstance(word, str) or word in (*TYPES, UNKNOWN_TYPE)
        if not is_known and "type" not in mapping_at(properties, name):
            yield Hit({"name": name, "type": to_short_json(word)}, "inputs", f"/properties/{escape(name)}/type")


_DOCUMENT = """\
{"tool_id": "archive_day", "description": "Archive the messages of one day.", "when_to_use": "When a day is over.",
 "how_to_use": {"inputs": [{"name": "day", "type": "%s", "description": "The day."}],
                "outputs": {"success": "Where the archive is.", "failure": []}}}
"""

RULES = (
    Rule(
        code="names-implementation",
        family="identity",
        severity="info",
        message="the description names how the tool is built: {words}",
        why="ATDF describes what a tool does, so that another implementation can take its place.",
        mend="Say what a call does, not by what.",
        citation="ATDF 0.2, description",
        of_tool=_find_implementation,
    ),
    Rule(
        code="unknown-input-type",
        family="atdf",
        message="{type} is no type that readers know, so `{name}` may be anything",
        why="Every text is a valid `type`. Readers know six and `unknown`; of any other they keep nothing.",
        mend="Write string, number, integer, boolean, object or array, and the rest as JSON Schema under `schema`.",
        citation="ATDF 0.2, how_to_use",
        bad=_DOCUMENT % "date",
        good=_DOCUMENT % "string",
        of_tool=_find_unknown_type,
    ),
    *declare_rules(
        "atdf",
        "ATDF 0.2",
        {
            "two-ids": ("error", "`tool_id` and `id` differ", "No tool was read from it.", "Keep `tool_id`."),
            "unknown-schema-version": (
                "warning",
                "`schema_version` is none that is known",
                "Its keys are read as those of 2.x and may mean something else.",
                "Write 1.0.0 or 2.0.0.",
            ),
            "newer-than-declared": (
                "warning",
                "`schema_version` is 1.x, and the record has keys of 2.x",
                "Readers of 1.x refuse the record.",
                "`toolglot migrate` writes 2.0.0.",
            ),
            "duplicate-input": ("error", "two inputs have one name", "No tool was read from it.", "Rename one."),
        },
    ),
)


def find_faults(tool: Tool) -> Iterator[Finding]:
    """The faults of the `schema_version` of a record."""
    if stated_major(tool.extension("atdf")) == 2:  # no fault is possible, and it takes time to write the record
        return iter(())
    return find_version_faults(FORMAT.write(tool, None).data)  # the record as it was read
