"""Any schema as JSON Schema 2020-12, which is what the hub holds; most schemas are that already.

A quick look tells so: what passes it needs no `older_dialects`, and without references no `references` either; they
would give it back as it is, and take three quarters of the time of fitting. What does not pass may still be plain, and
only takes the longer way. Here is also what that way does not look at: a map of properties where the schema around it
is missing, and a `$schema` that says what is true.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from toolglot.converter.hub.model import SCHEMAS, JsonSchema, Tool, map_nodes
from toolglot.converter.schema.budget import MAX_DEPTH
from toolglot.converter.schema.keywords import ALL_SHAPES, MANY, NAMED, ONE, SHAPES, TYPES
from toolglot.converter.schema.transformation_steps import Step
from toolglot.converter.text.pointers import are_different_texts, without_keys
from toolglot.errors import FitError

_NEWEST = "json-schema.org/draft/2020-12/schema"
_DECLARED = "said in JSON Schema 2020-12"
_DRAFTS = "json-schema.org/draft"
_WRAPPED = Step("", "", "renamed", note="a map of properties, as the schema that holds them")

# Keywords whose values may be objects, so that a schema of nothing but objects could be more than its properties.
_MAPS = ONE | MANY | NAMED | {
    "definitions", "dependencies", "dependentRequired", "const", "default", "example", "components", "additionalItems",
    "$vocabulary",
}  # fmt: skip
_OF_A_PROPERTY = frozenset({
    "type", "description", "title", "enum", "const", "default", "anyOf", "oneOf", "allOf", "$ref", "items",
    "properties", "format", "nullable",
})  # fmt: skip


def newest(schema: JsonSchema) -> JsonSchema:
    """A schema as JSON Schema 2020-12; the very same object where it is that already.

    >>> newest({"type": "dict", "properties": {"a": {"type": "STRING", "nullable": True}}})
    {'type': 'object', 'properties': {'a': {'type': ['string', 'null']}}}
    >>> newest({"path": {"type": "string", "required": True}})
    {'type': 'object', 'properties': {'path': {'type': 'string'}}, 'required': ['path']}
    """
    return restate_schema(schema)[0]


def restate_schema(schema: JsonSchema) -> tuple[JsonSchema, list[Step]]:
    """A schema of any dialect as JSON Schema 2020-12, and what had to be done for it.

    A root that declares 2020-12 goes on declaring it. A schema that is too large to be walked accepts anything here,
    and the step says so.

    >>> restate_schema({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"})[0]
    {'type': 'object'}
    >>> restate_schema({"x-key": {"type": "string"}})[0]
    {'type': 'object', 'properties': {'x-key': {'type': 'string'}}}
    """
    is_map = is_map_of_properties(schema)
    if not is_map and is_plain(schema, with_references=True):  # properties called `x-...` look like notes
        return schema, []
    dialect = schema.get("$schema")
    is_newest = isinstance(dialect, str) and _NEWEST in dialect
    if isinstance(dialect, str):
        rest = without_keys(schema, "$schema")
        if _DRAFTS in dialect and is_plain(rest):  # with references the draft counts: up to 07 nothing does beside them
            if is_newest:
                return schema, []
            return rest, [Step("", "$schema", "renamed", dialect, note=_DECLARED)]
    if is_map:
        newest_schema, steps = _normalise({"type": "object", "properties": schema})
        return newest_schema, [_WRAPPED, *steps]
    newest_schema, steps = _normalise(schema)
    if is_newest:
        newest_schema = {"$schema": dialect, **newest_schema}
        steps = [step for step in steps if (step.pointer, step.keyword) != ("", "$schema")]
    return (newest_schema, steps) if steps else (schema, [])


def why_unread(schema: JsonSchema) -> str | None:
    """Why a schema that a document holds was read as one that accepts anything; `None` where it was read.

    >>> why_unread({"type": "dict"}) is None
    True
    """
    for step in restate_schema(schema)[1]:
        if (step.pointer, step.keyword, step.action) == ("", "", "widened"):
            return step.note
    return None


def _normalise(schema: JsonSchema) -> tuple[JsonSchema, list[Step]]:
    """As `older_dialects.normalise`; a schema that cannot be walked accepts anything."""
    from toolglot.converter.schema import older_dialects  # 4 ms that plain schemas do without

    try:
        return older_dialects.normalise(schema)
    except FitError as error:
        return {}, [Step("", "", "widened", note=error.message)]


def is_map_of_properties(schema: JsonSchema) -> bool:
    """Whether what stands for a schema is only the map of its properties.

    >>> is_map_of_properties({"path": {"type": "string"}}), is_map_of_properties({"type": "object"})
    (True, False)
    """
    return (
        bool(schema)
        and _MAPS.isdisjoint(schema)
        and all(isinstance(item, dict) and not _OF_A_PROPERTY.isdisjoint(item) for item in schema.values())
    )


def restate_tool(tool: Tool, owner: str | None = None) -> Tool:
    """A tree with every schema as JSON Schema 2020-12; the very same tree where all are that already.

    Args:
        owner: the format in whose extension the schemas stay as they were spelled, under the names of their fields.

    >>> restate_tool(Tool(id="a", inputs={"type": "dict"})).inputs
    {'type': 'object'}
    """
    return map_nodes(tool, lambda node: _restate_node(node, owner))


def _restate_node(node: Tool, owner: str | None) -> Tool:
    fields: dict[str, Any] = {}
    spellings: dict[str, JsonSchema] = {}
    for name in SCHEMAS:
        schema = getattr(node, name)
        if schema is None:
            continue
        newest_schema = newest(schema)
        if newest_schema is not schema:
            fields[name], spellings[name] = newest_schema, schema
    if spellings and owner:
        extensions = node.extensions or {}
        fields["extensions"] = {**extensions, owner: {**extensions.get(owner, {}), **spellings}}
    return replace(node, **fields) if fields else node


# -- the quick look ---------------------------------------------------------------------------------------------

_MAX_NODES = 2_000  # a larger one goes the longer way
_LONGEST_NAME = 1_000  # characters; one with longer names, too
_KNOWN_TYPES = frozenset(TYPES)
_WITH_REFERENCES = frozenset({"$ref", "$defs"})
_is_definition = re.compile(r"#/\$defs/[A-Za-z0-9._-]+").fullmatch


def _is_type(value: Any) -> bool:
    if isinstance(value, str):
        return value in _KNOWN_TYPES
    return are_different_texts(value) and bool(value) and set(value) <= _KNOWN_TYPES


# Keyword -> whether its value is as 2020-12 has it; keywords that hold schemas are walked instead.
_ACCEPTS: dict[str, Callable[[Any], bool]] = {
    **{keyword: shape.fits for keyword, shape in SHAPES.items() if not keyword.startswith("$")},
    **dict.fromkeys(("default", "const"), lambda value: True),
    **{keyword: ALL_SHAPES[keyword].fits for keyword in ("$comment", "required", "dependentRequired")},
    "$ref": lambda value: isinstance(value, str) and bool(_is_definition(value)),
    "type": _is_type,
}


def is_plain(schema: Any, with_references: bool = False) -> bool:
    """Whether a schema is plain 2020-12, as far as a quick look can tell.

    Args:
        with_references: whether it may have references to definitions.

    >>> is_plain({"type": "object", "properties": {"$ref": {"type": "string"}}})
    True
    >>> is_plain({"type": "STRING"}), is_plain({"$ref": "#/$defs/a"})
    (False, False)
    >>> is_plain({"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}}, with_references=True)
    True
    """
    if not isinstance(schema, dict):
        return False
    waiting: list[tuple[Any, int]] = [(schema, 0)]
    for _ in range(_MAX_NODES):
        if not waiting:
            return True
        node, depth = waiting.pop()
        if depth > MAX_DEPTH:  # whoever walks it recursively says so
            return False
        if not isinstance(node, dict):
            if isinstance(node, bool):
                continue
            return False
        for keyword, value in node.items():
            accepts = _ACCEPTS.get(keyword)
            if accepts is not None:
                if not accepts(value):
                    return False
            elif keyword in NAMED and isinstance(value, dict):
                if max(map(len, value), default=0) > _LONGEST_NAME:
                    return False
                waiting += [(inner, depth + 1) for inner in value.values()]
            elif keyword in ONE:
                waiting.append((value, depth + 1))
            elif keyword in MANY and isinstance(value, list) and value:
                waiting += [(inner, depth + 1) for inner in value]
            elif not keyword.startswith("x-"):
                return False
        if not with_references and not _WITH_REFERENCES.isdisjoint(node):
            return False
    return False
