"""Rules of the family `meaning` about parameters: whether a model can tell what they mean and what they may be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolglot.converter.formats.kit.rule import (
    Hit,
    Rule,
    SchemaPlace,
    SchemaTest,
    Severity,
    Subject,
)
from toolglot.converter.text.pointers import mapping_at, pointer_below
from toolglot.converter.text.sentences import says_optional
from toolglot.verbs.diagnostics.rules.phrases import quote, with_parameter


def _find_undocumented(subject: Subject) -> Iterator[Hit]:
    properties = mapping_at(subject.own.inputs or {}, "properties")
    bindings = subject.own.bindings or {}
    silent: list[str] = []
    for name, schema in properties.items():
        is_explained = not isinstance(schema, dict) or schema.keys() & {"description", "$ref", "const"}
        is_stand_in = name in bindings and bindings[name].stand_in
        if not is_explained and not is_stand_in:
            silent.append(name)
    if silent:
        is_half = len(silent) > 1 and 2 * len(silent) >= len(properties)
        severity: Severity | None = None if is_half else "info"
        names = ", ".join(f"`{name}`" for name in silent[:5])
        if len(silent) > 5:
            names += ", …"
        yield Hit({"names": names}, "inputs", pointer_below("/properties", silent[0]), severity)


_CHOICE = re.compile(
    r"\b(?:one of|options(?: are)?|must be|either|allowed values?|valid values?|possible values?)\b", re.IGNORECASE
)
# What says that there are other values: examples, several at once, or a form.
_OPEN = re.compile(
    r"\betc\b|e\.g\.|\b(?:such as|for example|for instance|like|some of|comma|format)\b|\bcombination|\.\.\.|…",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"'`“‘]([\w./:+-]{1,40})[\"'`”’]")
_BOOLEAN = re.compile(r"\b(?:true (?:or|/) false|true/false|'true' or 'false'|\"true\" or \"false\")", re.IGNORECASE)
_BEFORE_AND_AFTER = 120  # characters around the words of choice


def _quoted_choices(node: SchemaPlace) -> list[str]:
    """The values that the text of a parameter offers, if it says that there are no others."""
    text = node.schema.get("description")
    if not isinstance(text, str) or _OPEN.search(text):
        return []
    match = _CHOICE.search(text)
    return [] if match is None else _QUOTED.findall(text[match.start() : match.end() + _BEFORE_AND_AFTER])


def _find_enum_in_prose(node: SchemaPlace) -> Iterator[Hit]:
    if node.schema.get("type") == "string" and node.schema.keys().isdisjoint(("enum", "const", "pattern", "format")):
        choices = _quoted_choices(node)
        siblings = (node.owner or {}).get("properties") or {}
        if len(set(choices)) >= 2 and not any(choice in siblings for choice in choices):
            yield Hit({"values": ", ".join(map(quote, dict.fromkeys(choices)))}, inner="/description")


def _find_contradicted_type(node: SchemaPlace) -> Iterator[Hit]:
    text = node.schema.get("description")
    if isinstance(text, str) and node.schema.get("type") == "string" and "enum" not in node.schema:
        match = _BOOLEAN.search(text)
        if match is not None:
            yield Hit({"text": quote(match.group())}, inner="/description")


def _find_optional(node: SchemaPlace) -> Iterator[Hit]:
    text, required = node.schema.get("description"), (node.owner or {}).get("required")
    if isinstance(text, str) and isinstance(required, list) and node.name in required and says_optional(text):
        yield Hit({"name": node.name}, inner="/description")


RULES = (
    Rule(
        code="parameter-undocumented",
        message="no description says what {names} may be",
        why="A model fills in what it takes the name for.",
        mend="Give each parameter a description with an example of a value. It is a warning where it is half of "
        "several.",
        citation="agent-friend",
        bad={"id": "add", "inputs": {"properties": {"a": {"type": "number"}, "b": {"type": "number"}}}},
        good={
            "id": "add",
            "inputs": {
                "properties": {
                    "a": {"type": "number", "description": "The first number, such as 2."},
                    "b": {"type": "number", "description": "The number that is added to it."},
                }
            },
        },
        of_tool=_find_undocumented,
    ),
    Rule(
        code="enum-in-prose",
        message="only the text says that the value is one of {values}",
        why="A provider that enforces schemas cannot enforce a text, and a host cannot offer the choice.",
        mend="Put the values into `enum`.",
        citation="agent-friend; AgentGauge (13 to 40 points of task success)",
        bad={
            "id": "sort",
            "inputs": {"properties": {"by": {"type": "string", "description": 'One of "name", "date".'}}},
        },
        good={"id": "sort", "inputs": {"properties": {"by": {"type": "string", "enum": ["name", "date"]}}}},
        of_schema=SchemaTest(("description",), _find_enum_in_prose),
    ),
    Rule(
        code="text-contradicts-type",
        message="the text says {text}, and the schema asks for a string",
        why="Models follow the text, and validators the schema: calls fail that look right.",
        mend="Correct the one that is wrong.",
        citation="AgentGauge (13 to 40 points of task success)",
        bad={"id": "add", "inputs": {"properties": {"a": {"type": "string", "description": "true or false"}}}},
        good={"id": "add", "inputs": {"properties": {"a": {"type": "boolean", "description": "true or false"}}}},
        of_schema=SchemaTest(("description",), _find_contradicted_type),
    ),
    Rule(
        code="required-says-optional",
        message="`{name}` is required, and its text says that it is optional",
        why="Models leave out what they take for optional, and the call fails.",
        mend="Take it out of `required`, or correct the text.",
        citation="agent-friend",
        bad=with_parameter({"type": "number", "description": "Optional first number."}, required=["a"]),
        good=with_parameter({"type": "number", "description": "The first number."}, required=["a"]),
        of_schema=SchemaTest(("description",), _find_optional),
    ),
)
