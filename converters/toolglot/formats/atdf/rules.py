"""What `check` says of an ATDF record beyond its schema, rule by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolglot.formats.kit.rule import Hit, Rule, Subject, declared

_IMPLEMENTATION = re.compile(
    r"\b(?:via|using|through|calls?|uses|wraps|invokes)\b[^.]{0,30}?\b(?:REST|HTTP|gRPC|SOAP|GraphQL|MCP|API|endpoint|SDK|"
    r"subprocess|SQL|curl|webhook)\b",
    re.IGNORECASE,
)


def _find_implementation(subject: Subject) -> Iterator[Hit]:
    match = _IMPLEMENTATION.search(subject.own.description or "")
    if match is not None and subject.own.origin == "atdf":
        yield Hit({"words": f'"{match.group()}"'}, "description")


RULES = (
    Rule(
        code="names-implementation",
        family="identity",
        severity="info",
        message="the description names how the tool is built: {words}",
        why="ATDF describes what a tool does, so that another implementation can take its place.",
        mend="Say what a call does, not by what.",
        source="ATDF 0.2, description",
        of_tool=_find_implementation,
    ),
    *declared(
        "atdf",
        "ATDF 0.2",
        {
            "two-ids": ("error", "`tool_id` and `id` differ", "No tool was read from it.", "Keep `tool_id`."),
            "duplicate-input": ("error", "two inputs have one name", "No tool was read from it.", "Rename one."),
        },
    ),
)
