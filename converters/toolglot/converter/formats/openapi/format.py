"""OpenAPI 3.0 to 3.2 and Swagger 2.0: one tool an operation of an HTTP API. It is read, not written.

What is stated once for many operations is read with each of them, and what no operation leads to is reported as left
over. Whoever lists the formats loads this module, so that it is small: `operations` and `tool_of_operation`, with all
that they need, are imported for documents of APIs alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from toolglot.converter.formats import CLAIMS_IN_TEXTS, Checks, Finding, Format, Places, Record
from toolglot.converter.formats.openapi.detection import MARKS
from toolglot.converter.formats.openapi.effects_of_methods import CLAIMS, method_word
from toolglot.converter.formats.openapi.versions import VERSIONS, version_of
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import as_mapping, escape, list_at, mapping_at, unescape

if TYPE_CHECKING:
    from toolglot.converter.formats.kit.request_templates import RequestTemplate


def _records(data: Any) -> list[Record]:
    from toolglot.converter.formats.openapi.stated_dangers import records_with_dangers

    return records_with_dangers(data)


def _read(record: Record) -> Tool:
    from toolglot.converter.formats.openapi.tool_of_operation import read_operation

    return read_operation(record)


def _request_of(tool: Tool) -> RequestTemplate | None:
    from toolglot.converter.formats.openapi.request_template import template_of

    return template_of(tool)


def _find_faults(tool: Tool) -> Iterator[Finding]:
    for reference in tool.extension("openapi").get("unresolvedReferences", ()):
        if reference.startswith("#"):  # of those that leave their document a rule for every format speaks
            yield Finding(
                "unresolved-reference", "", f"{reference!r} leads nowhere in the document; what it stands for is lost"
            )
    for name in tool.extension("openapi").get("unknownTypes", ()):
        yield Finding("unknown-type", "", f"{name!r} is no type of JSON Schema; what has it accepts anything")
    for name in tool.extension("openapi").get("circularSchemas", ()):
        message = f"{name!r} comes back to itself before it looks into a value; the circle is cut where it adds nothing"
        yield Finding("circular-schema", "", message)
    for name in tool.extension("openapi").get("undeclaredVariables", ()):
        message = f"no parameter says what {{{name}}} of the path is; it is taken for a required text"
        yield Finding("undeclared-variable", "", message)


def _find_faults_of_document(data: Any) -> Iterator[Finding]:
    from toolglot.converter.formats.openapi.operations import paths_without_operations

    for pointer in paths_without_operations(data):
        yield Finding("no-operations", pointer, "no method is described here, so that no tool is made of it")


# -- places: which fields an operation has room for, and where --------------------------------------------------

_PLACES = {
    "summary": "/summary",
    "description": "/description",
    "flags": "/description",
    "tags": "/tags",
    "deprecated": "/deprecated",
    "inputs": "/parameters",
    "outputs": "/responses",
    "errors": "/responses",
    "scopes": "/security",
    "homepage": "/externalDocs/url",
}
HOLDS = frozenset({
    *_PLACES, "id", "namespace", "version", "license", "network", "hosts", "destructive", "deletes", "approval",
    "auth_required", "auth_methods", "examples",
})  # fmt: skip
_BODY = "/requestBody"


def _locate(data: dict[str, Any], field: str, rest: str) -> str:
    """Where an operation takes an input, and what its answers stand under.

    >>> operation = {"parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}]}
    >>> _locate(operation, "inputs", "/properties/limit/type")
    '/parameters/0/schema/type'
    """
    if field in ("outputs", "errors") and "responses" in data:
        return _PLACES[field]
    if field != "inputs":
        return ""
    parts = rest.split("/")
    name: str | None = None
    if len(parts) > 2 and parts[1] == "properties":
        name = unescape(parts[2])
    for index, parameter in enumerate(list_at(data, "parameters")):
        if isinstance(parameter, dict) and name is not None and parameter.get("name") == name:
            place = f"/parameters/{index}"
            if len(parts) > 3 and "schema" in parameter:
                return "/".join([place, "schema", *parts[3:]])
            return place
    if _BODY[1:] in data:
        return _locate_in_body(data[_BODY[1:]], rest)
    if name is None and "parameters" in data:
        return "/parameters"
    return ""


def _locate_in_body(body: Any, rest: str) -> str:
    """A property in the schema of the first media type, where that is written in place."""
    content = mapping_at(as_mapping(body), "content")
    media_type, entry = next(iter(content.items()), ("", None))
    schema = mapping_at(as_mapping(entry), "schema")
    if isinstance(schema.get("properties"), dict):
        return f"{_BODY}/content/{escape(media_type)}/schema{rest}"
    return _BODY


FORMAT = Format(
    name="openapi",
    title="OpenAPI and Swagger",
    url="https://spec.openapis.org/oas/",
    marks=MARKS,
    versions=VERSIONS,
    records=_records,
    version_of=version_of,
    holds=HOLDS,
    places=Places(_PLACES, locate=_locate, key_word=method_word),
    read=_read,
    believed=lambda fields: set(),  # its records state them, with those around an operation
    checks=Checks(_find_faults, "toolglot.converter.formats.openapi.rules", _find_faults_of_document),
    claims={**CLAIMS_IN_TEXTS, **CLAIMS},
    request_of=_request_of,
)  # fmt: skip
