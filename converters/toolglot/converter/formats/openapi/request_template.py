"""What a call of an operation becomes, read from the extension that reading left."""

from __future__ import annotations

import re
from typing import Any

from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.formats.kit.request_templates import (
    PlaceInRequest,
    RequestTemplate,
    Server,
    Slot,
    members_as_texts,
)
from toolglot.converter.formats.openapi.request_bodies import is_json
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import as_mapping, list_at, mapping_at
from toolglot.converter.text.uri_templates import LABEL, MATRIX, QUERY, SIMPLE, Expansion, encode

_STYLES: dict[str, Expansion] = {
    "simple": SIMPLE,
    "label": LABEL,
    "matrix": MATRIX,
    "form": QUERY,
    "deepObject": QUERY._replace(members_in_brackets=True),
}
_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}
_PLACES: dict[str, PlaceInRequest] = {
    "path": "path", "query": "query", "querystring": "querystring", "header": "header", "cookie": "cookie",
    "body": "body",
}  # fmt: skip
_FRAGMENT = re.compile(r"#[^{}]*\Z")  # tells operations on one path apart, as AWS has them; nobody sends it
_STYLE_KEYS = frozenset({"style", "explode", "allowReserved"})
# What is sent where a document leaves the media type open.
_CONCRETE = {"*/*": "application/json", "application/*": "application/json", "text/*": "text/plain"}


def template_of(tool: Tool) -> RequestTemplate | None:
    """What a call of a tool becomes; `None` for a tool that no operation was read into."""
    extension = tool.extension("openapi")
    method, path = extension.get("method"), extension.get("path")
    if not isinstance(method, str) or not isinstance(path, str):
        return None
    if method.islower():
        method = method.upper()
    body = mapping_at(extension, "requestBody")
    media_type = stated_text(body, "contentType")
    media_type = _CONCRETE.get(media_type or "", media_type)
    parameters = mapping_at(extension, "parameters")
    return RequestTemplate(
        method,
        _FRAGMENT.sub("", path),
        tuple(_server(server) for server in list_at(extension, "servers") if isinstance(server, dict)),
        {key: _slot(tool, key, binding) for key, binding in parameters.items() if _is_binding(binding)},
        media_type,
        body.get("required") is True,
        _media_type_of_result(mapping_at(extension, "responses")),
    )


def _is_binding(value: Any) -> bool:
    return stated_text(as_mapping(value), "in") in _PLACES


def _slot(tool: Tool, key: str, binding: dict[str, Any]) -> Slot:
    name, place = str(binding.get("name", "")), _PLACES[binding["in"]]
    schema = mapping_at(as_mapping(tool.inputs), "properties").get(key)
    media_type = stated_text(binding, "contentType")
    style = stated_text(binding, "style")
    if place == "body":
        if not _STYLE_KEYS.isdisjoint(binding):  # of two ways to write a value that are stated, the style counts
            media_type = None
        expansion = None if style is None else _expansion(style, place)
        explode = binding.get("explode", style in (None, "form")) is True
        return Slot(place, name, expansion, explode, False, media_type, _is_base64(schema))
    if media_type is not None or place == "querystring":
        return Slot(place, name, None, media_type=_CONCRETE.get(media_type or "", media_type))
    expansion = _expansion(style, place)
    if place == "cookie":
        expansion = expansion._replace(separator="; ")
    explode = binding.get("explode") is True
    keeps_reserved = place == "query" and binding.get("allowReserved") is True
    return Slot(place, name, expansion, explode, keeps_reserved, is_verbatim=style == "cookie")


def _expansion(style: str | None, place: PlaceInRequest) -> Expansion:
    """How a value is written at a place; between the members of a list may stand what an address has to encode."""
    default = SIMPLE if place in ("path", "header") else QUERY
    if style in _DELIMITERS:
        delimiter = _DELIMITERS[style]
        return default._replace(joiner=delimiter if place == "header" else encode(delimiter))
    return _STYLES.get(style or "", default)


def _is_base64(schema: Any) -> bool:
    if isinstance(schema, dict) and isinstance(schema.get("items"), dict):
        schema = schema["items"]
    return isinstance(schema, dict) and schema.get("contentEncoding") == "base64"


def _server(server_object: dict[str, Any]) -> Server:
    defaults: dict[str, str] = {}
    choices: dict[str, tuple[str, ...]] = {}
    for name, variable in mapping_at(server_object, "variables").items():
        if not isinstance(variable, dict):
            continue
        if "default" in variable:
            defaults[name] = str(variable["default"])
        if isinstance(variable.get("enum"), list):
            choices[name] = members_as_texts(variable["enum"])
    return Server(str(server_object.get("url", "")), defaults, choices)


def _media_type_of_result(responses: dict[str, Any]) -> str | None:
    """The media type of the first result that has one; JSON before others."""
    media_types: list[str] = []
    for answer in responses.values():
        content_type = as_mapping(answer).get("contentType")
        if isinstance(content_type, str):
            media_types.append(content_type)
    media_type = min(media_types, key=lambda media_type: not is_json(media_type), default=None)
    return _CONCRETE.get(media_type or "", media_type)
