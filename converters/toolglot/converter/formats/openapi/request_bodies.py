"""The body of a request: which of its media types is sent, and the arguments that it is made of.

The properties of an object become arguments of their own wherever that says the same: they stand beside those of the
address, as a person would give them. Where it would not (a body that may be left out whole although it asks for
properties, a choice between shapes, a list) the body is one argument.

JSON cannot hold bytes, so that what a schema calls binary is an argument in base64.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from toolglot.converter.formats.kit.request_templates import is_json, is_text, plain_type
from toolglot.converter.formats.openapi.operations import Operation
from toolglot.converter.formats.openapi.parameters import (
    Argument,
    example_values,
    examples_elsewhere,
    put_beside,
    put_words,
    style_of,
)
from toolglot.converter.formats.openapi.reader_notes import Notes
from toolglot.converter.formats.openapi.schemas import RestatedSchema
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.json_values import stated_types
from toolglot.converter.schema.keywords import ASSERTIONS, rebuild, truth_value
from toolglot.converter.text.pointers import as_mapping, mapping_at, only_keys, texts_of, without_empty, without_keys

_WHOLE = "body"  # what an argument is called that is the whole body
URL_ENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_MOST_PROPERTIES = 500  # that stand beside the other arguments
_OF_AN_OBJECT = frozenset({"type", "properties", "required", "additionalProperties"})
_BYTES = frozenset({"application/octet-stream", "application/pdf", "application/zip", "application/gzip"})
_IN_BASE64: JsonSchema = {"type": "string", "contentEncoding": "base64"}
_SAME_MEDIA_TYPE = ("/items", "/anyOf/", "/oneOf/")  # parts of a schema whose values have that of the whole


class Body(NamedTuple):
    """The body of a request.

    Attributes:
        arguments: what it is made of; none where no body is sent.
        takes_more: whether it takes properties beside those that it names; `None` where it does not say.
        texts: what its schema says of the whole, where its properties are arguments of their own.
        binding: its media type, and what else is stated that no field of a tool says.
        examples: values of the whole body, where its properties are arguments of their own.
        of_any: names of the arguments that a body has, if it has any at all.
    """

    arguments: list[Argument]
    takes_more: bool | None
    texts: Mapping[str, Any]
    binding: dict[str, Any]
    examples: list[Any]
    of_any: tuple[str, ...] = ()


def body_of(operation: Operation, parameters: Iterable[dict[str, Any]]) -> Body:
    """The body of an operation's requests."""
    if operation.api.is_swagger:
        request_body = _from_parameters(operation, list(parameters))
    else:
        request_body = operation.resolve(operation.data.get("requestBody")) or {}
    content = mapping_at(request_body, "content")
    if not content:
        return Body([], False, {}, {}, [])
    media_type = _best_media_type(operation, content)
    entry = operation.resolve(content[media_type]) or {}
    binding: dict[str, Any] = {"contentType": media_type, "required": bool(truth_value(request_body.get("required")))}
    stated = without_keys(request_body, "content", "required")
    binding = put_beside(binding, stated, "contentType", "encoding", "itemSchema", "otherContent", "schema")
    binding |= without_empty({
        "encoding": entry.get("encoding"),
        "itemSchema": entry.get("itemSchema"),
        "otherContent": without_keys(content, media_type),
    })  # fmt: skip
    if not _is_made_of_values(media_type) and not is_text(media_type):
        return _opaque_body(RestatedSchema({**_IN_BASE64}, (), Notes()), binding, entry)
    definition = operation.api.sent_schemas.restate(entry.get("schema", {}), operation.notes)
    if not _is_made_of_values(media_type):
        return _opaque_body(_text_of(media_type, definition), binding, entry)
    root = operation.api.sent_schemas.root_of(definition)
    if _can_be_flat(root.schema):
        if root is not definition:  # it becomes no definition of the tool, of which the notes are taken elsewhere
            operation.notes.add(root.notes)
        return _flat_body(root, binding, entry)
    return _whole_body(definition, binding, entry)


def _is_made_of_values(media_type: str) -> bool:
    """Whether a body of a media type is written from JSON values, and not a text or bytes that are given whole."""
    plain = plain_type(media_type)
    return is_json(plain) or plain == URL_ENCODED or plain.startswith("multipart/")


def _best_media_type(operation: Operation, content: dict[str, Any]) -> str:
    """The media type that is sent, of those that are as good the first; bytes that JSON cannot hold go into a form."""
    media_type = min(content, key=_preference)
    form = next((other for other in content if plain_type(other).startswith("multipart/")), None)
    if form is not None and is_json(media_type) and _has_bytes(operation, content[media_type]):
        return form
    return media_type


def _has_bytes(operation: Operation, entry: Any) -> bool:
    """Whether the schema of a media type, or one that it refers to, says that a value is bytes."""
    schemas = operation.api.sent_schemas
    root = schemas.root_of(schemas.restate(as_mapping(entry).get("schema"), Notes()))
    parts = [root.schema, *(schemas.definition(pointer).schema for pointer in root.needs)]
    return any(in_base64(part) != part for part in parts)


def _preference(media_type: str) -> int:
    """How well a body of a media type can be made of JSON values; less is better."""
    plain = plain_type(media_type)
    if plain == "application/json":
        return 0
    if is_json(plain):
        return 1
    if plain == URL_ENCODED:
        return 2
    if _is_made_of_values(plain):
        return 3
    return 4 if plain.startswith("text/") else 5


def _can_be_flat(schema: JsonSchema | bool) -> bool:
    """Whether the properties of a body can stand beside the other arguments and still say the same."""
    if not isinstance(schema, dict) or stated_types(schema) != ("object",):
        return False
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not 0 < len(properties) <= _MOST_PROPERTIES:
        return False
    if not schema.keys() & ASSERTIONS <= _OF_AN_OBJECT:
        return False
    if not isinstance(schema.get("additionalProperties", True), bool):
        return False
    return set(schema.get("required", [])) <= properties.keys()


def _flat_body(root: RestatedSchema, binding: dict[str, Any], entry: dict[str, Any]) -> Body:
    schema = root.schema
    assert isinstance(schema, dict)
    names = schema.get("required", ())
    required, of_any = (names, ()) if binding["required"] else ((), tuple(names))
    encoding = dict(mapping_at(binding, "encoding"))
    binding.pop("encoding", None)
    arguments = []
    for name, inner in schema["properties"].items():
        binding_of_property = put_beside({"in": "body", "name": name}, mapping_at(encoding, name), "in", "name")
        encoding.pop(name, None)
        if not is_json(binding["contentType"]):
            inner = in_base64(inner, _is_of_bytes(binding_of_property.get("contentType")))
        arguments.append(Argument(name, "body", inner, name in required, binding_of_property, root.needs))
    texts: dict[str, Any] = only_keys(schema, ("title", "description"))
    examples = [*example_values(entry), *schema.get("examples", ())]
    rest = without_keys(schema, *_OF_AN_OBJECT, *texts, "examples")
    binding |= without_empty({"encoding": encoding}) | examples_elsewhere(entry) | without_empty({"schema": rest})
    return Body(arguments, schema.get("additionalProperties"), texts, binding, examples, of_any)


def _text_of(media_type: str, content: RestatedSchema) -> RestatedSchema:
    """The schema of a text that holds something of a media type."""
    schema: JsonSchema = {"type": "string"}
    if plain_type(media_type) != "text/plain":
        schema["contentMediaType"] = plain_type(media_type)
    stated = as_mapping(content.schema)
    if stated.get("type") == "string" or not stated.keys() & ASSERTIONS:
        return RestatedSchema({**without_keys(stated, "format"), **schema}, content.needs, Notes())
    return RestatedSchema({**schema, "contentSchema": stated}, content.needs, Notes())


def _opaque_body(definition: RestatedSchema, binding: dict[str, Any], entry: dict[str, Any]) -> Body:
    """A text, or bytes; what the schema says of what they hold is kept."""
    if "schema" in entry:
        binding["content"] = {binding["contentType"]: {"schema": entry["schema"]}}
    return _whole_body(definition, binding, entry)


def _whole_body(definition: RestatedSchema, binding: dict[str, Any], entry: dict[str, Any]) -> Body:
    words = {key: entry[key] for key in entry if "example" in key}
    words["description"] = binding.pop("description", None)
    schema = put_words(definition.schema, words, binding)
    if not is_json(binding["contentType"]):
        schema = in_base64(schema)
    argument = Argument(_WHOLE, "body", schema, binding["required"], {"in": "body"}, definition.needs)
    return Body([argument], False, {}, binding, [])


def in_base64(schema: JsonSchema | bool, of_bytes: bool = False) -> JsonSchema | bool:
    """A schema of bytes as one of a text that stands for them, wherever in it the bytes are.

    Args:
        of_bytes: whether the media type of the value is one of bytes, so that a schema need not say it.

    >>> in_base64({"anyOf": [{"type": "string", "format": "binary"}, {"type": "null"}]})
    {'anyOf': [{'type': 'string', 'contentEncoding': 'base64'}, {'type': 'null'}]}
    """
    if not isinstance(schema, dict):
        return schema

    def restate(inner: Any, pointer: str) -> Any:
        return in_base64(inner, of_bytes and pointer.startswith(_SAME_MEDIA_TYPE))

    node: JsonSchema = rebuild(schema, restate)
    if "items" in node or "contentEncoding" in node:
        return node
    if node.get("format") == "binary":
        rest = without_keys(node, "format")
        return {**rest, "type": rest.get("type", "string"), "contentEncoding": "base64"}
    says_only_text = node.get("type", "string") == "string" and not node.keys() & ASSERTIONS - {"type"}
    if (of_bytes and says_only_text) or _is_of_bytes(node.get("contentMediaType")):
        return node | _IN_BASE64
    return node


def _is_of_bytes(media_types: Any) -> bool:
    """Whether the first of some media types, with commas between them, is one of bytes.

    >>> _is_of_bytes("image/png, image/jpeg"), _is_of_bytes("application/json"), _is_of_bytes(None)
    (True, False, False)
    """
    if not isinstance(media_types, str):
        return False
    plain = plain_type(media_types.partition(",")[0])
    return plain in _BYTES or (plain.startswith(("image/", "audio/", "video/")) and not plain.endswith("xml"))


# -- Swagger ----------------------------------------------------------------------------------------------------


def _from_parameters(operation: Operation, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    """The body that Swagger describes by parameters, as later versions describe it; empty where there is none."""
    media_types = texts_of(operation.own_or_common("consumes"))
    for parameter in parameters:
        if parameter["in"] == "body":
            body = without_keys(parameter, "schema", "in", "name")
            entry = {"schema": parameter.get("schema", {})}
            body["content"] = dict.fromkeys(media_types or ["application/json"], entry)
            return body
    fields = [parameter for parameter in parameters if parameter["in"] == "formData"]
    if not fields:
        return {}
    return _from_fields(fields, media_types)


def _from_fields(fields: list[dict[str, Any]], media_types: list[str]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    encoding: dict[str, Any] = {}
    media_type = URL_ENCODED
    if MULTIPART in media_types:
        media_type = MULTIPART
    for field in fields:
        name = field["name"]
        properties[name] = without_keys(field, "in", "name", "required", "collectionFormat")
        if truth_value(field.get("required")):
            required.append(name)
        if field.get("type") == "array":
            encoding[name] = style_of(field, "form")
        if field.get("type") == "file":
            properties[name] |= {"type": "string", "format": "binary"}
            media_type = MULTIPART
    schema = {"type": "object", "properties": properties, **without_empty({"required": required})}
    return {"content": {media_type: {"schema": schema, "encoding": encoding}}, "required": bool(required)}
