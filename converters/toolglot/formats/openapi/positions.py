"""Which fields of the hub an operation has a place for, and where."""

from __future__ import annotations

from typing import Any

from toolglot.text.pointers import as_mapping, escape, list_at, mapping_at, unescape

PLACES = {
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
    *PLACES, "id", "namespace", "version", "license", "network", "hosts", "destructive", "deletes", "approval",
    "auth_required", "auth_methods", "examples",
})  # fmt: skip
_BODY = "/requestBody"


def locate(data: dict[str, Any], field: str, rest: str) -> str | None:
    """Where an operation says a field; `None`: as `PLACES` says.

    >>> operation = {"parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}]}
    >>> locate(operation, "inputs", "/properties/limit/type")
    '/parameters/0/schema/type'
    """
    if field == "inputs":
        return _locate_input(data, rest)
    if field in ("outputs", "errors"):
        if "responses" in data:
            return PLACES[field]
        return ""
    return None


def _locate_input(data: dict[str, Any], rest: str) -> str:
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
