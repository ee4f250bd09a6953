"""OpenAPI 3.0 to 3.2 and Swagger 2.0: one tool an operation of an HTTP API. It is read, not written.

What is stated once for many operations is read with each of them, and what no operation leads to is reported as left
over. Whoever lists the formats loads this module, so that it is small: `operations` and `tool_of_operation`, with all
that they need, are imported for documents of APIs alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolglot.converter.formats import CLAIMS_IN_TEXTS, Checks, Format, Places, Record
from toolglot.converter.formats.openapi.detection import MARKS
from toolglot.converter.formats.openapi.effects_of_methods import CLAIMS, method_word
from toolglot.converter.formats.openapi.reader_notes import MEANINGS_OF_NOTES
from toolglot.converter.formats.openapi.versions import VERSIONS, version_of
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import NAMES_BELOW

if TYPE_CHECKING:
    from toolglot.converter.formats.kit.request_templates import RequestTemplate


def _records(data: Any) -> list[Record]:
    from toolglot.converter.formats.openapi.dangers_around_operations import records_with_dangers

    return records_with_dangers(data)


def _read(record: Record) -> Tool:
    from toolglot.converter.formats.openapi.tool_of_operation import read_operation

    return read_operation(record)


def _request_of(tool: Tool) -> RequestTemplate | None:
    from toolglot.converter.formats.openapi.request_template import template_of

    return template_of(tool)


def _find_referenced(record: Record, field: str, rest: str) -> str:
    from toolglot.converter.formats.openapi.referenced_places import find_referenced

    return find_referenced(record, field, rest)


# -- places: which fields an operation has room for, and where --------------------------------------------------

_PLACES = {
    "summary": "/summary",
    "description": "/description",
    "flags": "/description",
    "tags": "/tags",
    "deprecated": "/deprecated",
    "inputs": "/parameters",
    "outputs": "/responses",
    "success": "/responses",
    "errors": "/responses",
    "scopes": "/security",
    "homepage": "/externalDocs/url",
}
HOLDS = frozenset({
    *_PLACES, "id", "namespace", "version", "license", "network", "hosts", "destructive", "deletes", "approval",
    "auth_required", "auth_methods", "examples",
})  # fmt: skip
_SCHEMA_OF_BODY = "/requestBody/content/*/schema"
_ENTRIES = {
    "inputs": (f"{_SCHEMA_OF_BODY}/properties/*", "/requestBody", "/parameters/*"),
    **dict.fromkeys(("outputs", "success", "errors"), ("/responses/*",)),
}


FORMAT = Format(
    name="openapi",
    title="OpenAPI and Swagger",
    url="https://spec.openapis.org/oas/",
    marks=MARKS,
    versions=VERSIONS,
    records=_records,
    version_of=version_of,
    holds=HOLDS,
    shares_schemas=True,
    names_below=NAMES_BELOW | {
        "callbacks", "content", "encoding", "examplesElsewhere", "links", "mapping", "otherContent", "parameters",
        "pathItems", "paths", "requestBodies", "responses", "schemas", "scopes", "securityDefinitions",
        "securitySchemes", "variables", "webhooks", "x-webhooks",
    },
    places=Places(_PLACES, {"inputs": (_SCHEMA_OF_BODY,)}, entries=_ENTRIES, key_word=method_word),
    read=_read,
    believed=lambda fields: set(),  # its records state them, with those around an operation
    checks=Checks("toolglot.converter.formats.openapi.rules", is_of_document=True),
    claims={**CLAIMS_IN_TEXTS, **CLAIMS},
    notes=MEANINGS_OF_NOTES,
    find_referenced=_find_referenced,
    request_of=_request_of,
)  # fmt: skip
