"""Any schema as JSON Schema 2020-12, which is what the hub holds; most schemas are that already.

`dialects` says how each dialect is read. Here is when it is asked, and what it does not look at: a map of properties
where the schema around it is missing, and a `$schema` that says what is true.
"""

from __future__ import annotations

from operator import is_not
from typing import Any

import msgspec

from toolglot.errors import FitError
from toolglot.hub.model import SCHEMAS, JsonSchema, Tool
from toolglot.schema.fitting_steps import Step
from toolglot.schema.keywords import MANY, NAMED, ONE
from toolglot.schema.plain_schemas import is_plain, is_plain_with_references

_NEWEST = "json-schema.org/draft/2020-12/schema"
_DECLARED = "said in JSON Schema 2020-12"
_DRAFTS = "json-schema.org/draft"
_WRAPPED = Step("", "", "renamed", note="a map of properties, as the schema that holds them")

# Keywords whose values may be objects, so that a schema of nothing but objects could be more than its properties.
_MAPS = ONE | MANY | NAMED | {
    "definitions", "dependencies", "dependentRequired", "const", "default", "example", "components", "additionalItems",
    "extends", "disallow", "$vocabulary",
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
    if is_plain_with_references(schema) and not is_bare(schema):  # properties called `x-...` look like notes
        return schema, []
    dialect = schema.get("$schema")
    is_newest = isinstance(dialect, str) and _NEWEST in dialect
    if isinstance(dialect, str):
        rest = {keyword: value for keyword, value in schema.items() if keyword != "$schema"}
        if _DRAFTS in dialect and is_plain(rest):  # with references the draft counts: up to 07 nothing does beside them
            if is_newest:
                return schema, []
            return rest, [Step("", "$schema", "renamed", dialect, note=_DECLARED)]
    if is_bare(schema):
        newest_schema, steps = _normalise({"type": "object", "properties": schema})
        return newest_schema, [_WRAPPED, *steps]
    newest_schema, steps = _normalise(schema)
    if is_newest:
        newest_schema = {"$schema": dialect, **newest_schema}
        steps = [step for step in steps if (step.pointer, step.keyword) != ("", "$schema")]
    return (newest_schema, steps) if steps else (schema, [])


def _normalise(schema: JsonSchema) -> tuple[JsonSchema, list[Step]]:
    """As `dialects.normalise`; a schema that cannot be walked accepts anything."""
    from toolglot.schema import dialects  # 10 ms that plain_schemas schemas do without

    try:
        return dialects.normalise(schema)
    except FitError as error:
        return {}, [Step("", "", "widened", note=error.message)]


def is_bare(schema: JsonSchema) -> bool:
    """Whether what stands for a schema is only the map of its properties.

    >>> is_bare({"path": {"type": "string"}}), is_bare({"type": "object"}), is_bare({"$defs": {"a": {"type": "null"}}})
    (True, False, False)
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
    fields: dict[str, Any] = {}
    spellings: dict[str, JsonSchema] = {}
    for name in SCHEMAS:
        schema = getattr(tool, name)
        if schema is None:
            continue
        newest_schema = newest(schema)
        if newest_schema is not schema:
            fields[name], spellings[name] = newest_schema, schema
    if spellings and owner:
        extensions = tool.extensions or {}
        fields["extensions"] = {**extensions, owner: {**extensions.get(owner, {}), **spellings}}
    if tool.children:
        children = tuple(restate_tool(child, owner) for child in tool.children)
        if any(map(is_not, children, tool.children)):
            fields["children"] = children
    return msgspec.structs.replace(tool, **fields) if fields else tool
