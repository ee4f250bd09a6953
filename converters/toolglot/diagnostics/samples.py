"""Values that stand beside a schema, held to it: defaults, examples, and the names of what is required.

A model copies an example and a host sends a default; one that its own schema refuses is a call that fails. Conditions
and severities: `look.md`, section 1.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import UNSET

from toolglot.formats import Finding
from toolglot.hub.model import JsonSchema, Tool
from toolglot.schema.arguments import Schema
from toolglot.schema.keywords import IN_PLACE, walk

FIELDS = ("inputs", "global_inputs", "outputs", "examples")
_MOST_NODES = 5_000
_MOST_FINDINGS = 50
_ELSEWHERE = IN_PLACE | {"$ref", "$dynamicRef", "patternProperties"}


def faults_of(tool: Tool, places: Mapping[str, str], pointer: str = "") -> Iterator[Finding]:
    """What is wrong with the values beside the schemas of a tool.

    Args:
        tool: what was read from a record.
        places: JSON Pointers to its schemas and examples in the record, as far as the record has them as they are.
        pointer: where the tool itself stands; what has no place of its own is reported there.

    >>> tool = Tool(id="a", inputs={"properties": {"n": {"type": "integer", "default": "x"}}, "required": ["m"]})
    >>> [(found.code, found.pointer) for found in faults_of(tool, {"inputs": "/inputs"})]
    [('required-undeclared', '/inputs/required/0'), ('default-invalid', '/inputs/properties/n/default')]
    """
    faults = islice(_faults_of(tool), _MOST_FINDINGS)
    for field, inner, fault in faults:
        place = places.get(field)
        message = fault.message if place is not None else f"in {field} at {inner}: {fault.message}"
        yield fault._replace(pointer=pointer if place is None else place + inner, message=message)


def _faults_of(tool: Tool) -> Iterator[tuple[str, str, Finding]]:
    """Each fault with the field that it is in and its pointer there."""
    for name in FIELDS[:3]:
        schema = getattr(tool, name)
        if not schema:
            continue
        whole = Schema(schema)
        for pointer, node in islice(walk(schema), _MOST_NODES):
            if isinstance(node, dict):
                for fault in (*_required(node, pointer), *_values(node, pointer, whole)):
                    yield name, pointer + fault.pointer, fault
    sides = [(side, Schema(schema)) for side, schema in (("input", tool.inputs), ("output", tool.outputs)) if schema]
    for index, example in enumerate(tool.examples or ()):
        for side, judge in sides:
            value = getattr(example, side)
            why = judge.refusal(value) if value is not UNSET else None
            if why is not None:
                yield "examples", f"/{index}/{side}", Finding("example-invalid", "", f"the schema refuses it: {why}")


def _required(node: JsonSchema, pointer: str) -> Iterator[Finding]:
    names, properties = node.get("required"), node.get("properties")
    if not isinstance(names, list) or not isinstance(properties, dict) or not _ELSEWHERE.isdisjoint(node):
        return
    if not IN_PLACE.isdisjoint(pointer.split("/")):
        return  # one condition among several says what another declares
    for index, name in enumerate(names):
        if isinstance(name, str) and name not in properties:
            message = f"{name!r} is required and nothing says what it is; declare it, or take it out"
            yield Finding("required-undeclared", f"/required/{index}", message)


def _values(node: JsonSchema, pointer: str, whole: Schema) -> Iterator[Finding]:
    samples: list[tuple[str, str, Any]] = []
    if node.get("default") is not None:  # null is how some generators say that there is none
        samples.append(("default-invalid", "/default", node["default"]))
    if isinstance(node.get("examples"), list):
        samples += [("example-invalid", f"/examples/{index}", value) for index, value in enumerate(node["examples"])]
    if not samples:
        return
    refers = any("$ref" in inner for _, inner in walk(node) if isinstance(inner, dict))
    judge = whole.part(pointer) if refers else Schema(node)  # alone, because another part may lead nowhere
    for code, place, value in samples:
        why = judge.refusal(value)
        if why is not None:
            yield Finding(code, place, f"its own schema refuses it: {why}")
