"""What a call of an operation becomes, read from the extension that reading left."""

from __future__ import annotations

import re
from typing import Any, get_args

from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.formats.kit.request_templates import PlaceInRequest, RequestTemplate, Server, Slot, is_json
from toolglot.converter.formats.openapi.parameter_styles import CONCRETE, shapes_of, slot_of
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import as_mapping, list_at, mapping_at, texts_of

_PLACES: tuple[PlaceInRequest, ...] = get_args(PlaceInRequest)
_FRAGMENT = re.compile(r"#[^{}]*\Z")  # tells operations on one path apart, as AWS has them; nobody sends it


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
    media_type = CONCRETE.get(media_type or "", media_type)
    parameters = {
        key: binding
        for key, binding in mapping_at(extension, "parameters").items()
        if stated_text(as_mapping(binding), "in") in _PLACES
    }
    inputs = as_mapping(tool.inputs)
    properties, definitions = mapping_at(inputs, "properties"), mapping_at(inputs, "$defs")
    if media_type is None or is_json(media_type):  # how a value is written does not depend on its schema
        properties = {}
    slots = {key: slot_of(properties.get(key), definitions, binding, key) for key, binding in parameters.items()}
    whole = next((key for key, slot in slots.items() if slot.place == "body" and not slot.name), None)
    return RequestTemplate(
        method,
        _FRAGMENT.sub("", path),
        tuple(_server(server) for server in list_at(extension, "servers") if isinstance(server, dict)),
        slots,
        media_type,
        body.get("required") is True,
        _media_type_of_result(mapping_at(extension, "responses")),
        _fields(properties.get(whole or ""), definitions, mapping_at(body, "encoding")),
        _credentials(extension),
    )


def _credentials(extension: dict[str, Any]) -> list[list[str]]:
    """What a request carries by each way to sign in, whatever a scheme is called in the document."""
    schemes = mapping_at(extension, "securitySchemes")
    return [
        sorted(_carried_by(mapping_at(schemes, name)) for name in as_mapping(way))
        for way in list_at(extension, "security")
    ]


def _carried_by(scheme: dict[str, Any]) -> str:
    kind = scheme.get("scheme") or scheme.get("type")  # `basic` is a type in Swagger
    return f"{kind} {scheme.get('in')} {scheme.get('name')}".lower()  # schemes and headers have no case


def _fields(schema: Any, definitions: dict[str, Any], encoding: dict[str, Any]) -> dict[str, Slot]:
    """Where the properties of a body go that is given whole, by the schema and what the document says of each."""
    schemas: dict[str, list[Any]] = {name: [] for name in encoding}
    for shape in shapes_of(schema, definitions):
        for name, inner in mapping_at(shape, "properties").items():
            schemas.setdefault(name, []).append(inner)
    return {
        name: slot_of({"anyOf": inner}, definitions, {**mapping_at(encoding, name), "in": "body", "name": name}, name)
        for name, inner in schemas.items()
    }


def _server(server_object: dict[str, Any]) -> Server:
    variables = {name: as_mapping(variable) for name, variable in mapping_at(server_object, "variables").items()}
    defaults = {name: str(variable["default"]) for name, variable in variables.items() if "default" in variable}
    choices = {
        name: tuple(map(str, variable["enum"]))
        for name, variable in variables.items()
        if isinstance(variable.get("enum"), list)
    }
    return Server(str(server_object.get("url", "")), defaults, choices)


def _media_type_of_result(responses: dict[str, Any]) -> str | None:
    """The media type of the first result that has one; JSON before others."""
    media_types = texts_of([as_mapping(answer).get("contentType") for answer in responses.values()])
    media_type = min(media_types, key=lambda media_type: not is_json(media_type), default=None)
    return CONCRETE.get(media_type or "", media_type)
