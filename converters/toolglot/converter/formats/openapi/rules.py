"""What `check` says of an OpenAPI document beyond its schema, rule by rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.converter.formats import Finding
from toolglot.converter.formats.kit.rule import declare_rules
from toolglot.converter.formats.openapi.tool_names import free_name
from toolglot.converter.hub.model import Tool

RULES = declare_rules(
    "openapi",
    "OpenAPI 3.1, Reference Object",
    {
        "unresolved-reference": ("warning", "a reference leads nowhere in its document",
                                 "What it stands for is left out, or accepts anything.",
                                 "Correct the reference, or add what it leads to."),
        "circular-schema": ("warning", "a schema is said to be itself too",
                            "No validator reaches its end, and what is meant has to be guessed.",
                            "Take the schema out of its own allOf, or its children out of its alternatives."),
        "beside-reference": ("warning", "a keyword stands beside a `$ref` and does not count",
                             "OpenAPI 3.0 and Swagger ignore it, so that nobody is held to it.",
                             "Put the reference and the keyword into `allOf`."),
        "undeclared-variable": ("warning", "no parameter declares a variable of the path",
                                "What may stand there is not known; callers are asked for a text.",
                                "Declare a parameter of that name, in path."),
        "unsent-parameter": ("warning", "no request carries a parameter",
                             "Nobody can give it, so that what its author expects never arrives.",
                             "Correct its name or its place, or take it out."),
        "repeated-name": ("warning", "an operation has the name of another",
                          "It gets a number, and which of them gets it depends on their order in the document.",
                          "Give each an `operationId` of its own, which differs in letters, digits, `_` or `-`."),
        "no-operations": ("warning", "a path has no method",
                          "No tool is made of it, and nobody misses what is not there.",
                          "Describe a method, correct its name, or remove the path."),
    },
)  # fmt: skip


# What the reader noted of an operation: the rule that it goes against, and what is said of each name.
_FAULTS = {
    "unknownTypes": ("unknown-type", "{!r} is no type of JSON Schema; what has it accepts anything"),
    "ignoredKeywords": (
        "beside-reference",
        "{} of a schema stands beside a `$ref`, where it does not count in this version; put both into `allOf`",
    ),
    "dynamicReferences": (
        "unresolved-reference",
        "where {!r} leads depends on the way taken to it; any value is accepted there",
    ),
    "circularSchemas": (
        "circular-schema",
        "{!r} comes back to itself before it looks into a value; the circle is cut where it adds nothing",
    ),
    "undeclaredVariables": (
        "undeclared-variable",
        "no parameter says what {{{}}} of the path is; it is taken for a required text",
    ),
    "unsentParameters": (
        "unsent-parameter",
        "no request carries {0[name]!r} in {0[in]}: another parameter has its name and place, or leaves it no room, or "
        "there is no such place",
    ),
}


def find_faults(tool: Tool) -> Iterator[Finding]:
    """What of the operation leads nowhere or cannot be called."""
    extension = tool.extension("openapi")
    for reference in extension.get("unresolvedReferences", ()):
        if reference.startswith("#"):  # of those that leave their document a rule for every format speaks
            yield Finding(
                "unresolved-reference", "", f"{reference!r} leads nowhere in the document; what it stands for is lost"
            )
    own_id = extension.get("operationId")
    if own_id is not None and tool.id != free_name(own_id, {}):
        yield Finding(
            "repeated-name",
            "/operationId",
            f"{own_id!r} makes the name of an operation before it; this one is {tool.id!r}",
        )
    for key, (code, sentence) in _FAULTS.items():
        for name in extension.get(key, ()):
            yield Finding(code, "", sentence.format(name))


def find_faults_of_document(data: Any) -> Iterator[Finding]:
    """The paths of which no tool is made."""
    from toolglot.converter.formats.openapi.operations import paths_without_operations

    for pointer in paths_without_operations(data):
        yield Finding("no-operations", pointer, "no method is described here, so that no tool is made of it")
