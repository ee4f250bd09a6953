"""How the value of a parameter is written into a request: by its style, its media type and its schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.formats.kit.request_templates import PlaceInRequest, Slot, is_json
from toolglot.converter.schema.keywords import truth_value
from toolglot.converter.schema.references import name_of_definition
from toolglot.converter.text.pointers import as_list, as_mapping, texts_of
from toolglot.converter.text.uri_templates import (
    LABEL,
    MATRIX,
    QUERY,
    RESERVED_IN_PATH,
    RESERVED_IN_QUERY,
    SIMPLE,
    Expansion,
    encode,
)

_STYLES: dict[str, Expansion] = {
    "simple": SIMPLE,
    "label": LABEL,
    "matrix": MATRIX,
    "form": QUERY,
    "deepObject": QUERY._replace(members_in_brackets=True),
}
_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}
_STYLE_KEYS = frozenset({"style", "explode", "allowReserved"})
_RESERVED = {"path": RESERVED_IN_PATH, "query": RESERVED_IN_QUERY, "body": RESERVED_IN_QUERY}
# What is sent where a document leaves the media type open.
CONCRETE = {"*/*": "application/json", "application/*": "application/json", "text/*": "text/plain"}


def slot_of(schema: Any, definitions: dict[str, Any], binding: dict[str, Any], key: str) -> Slot:
    """Where the value of a parameter, or of a field of a body, stands in a request, and how it is written there."""
    name, place = str(binding.get("name", "")), binding["in"]
    media_type = stated_text(binding, "contentType")
    style = stated_text(binding, "style")
    reserved = _RESERVED.get(place, "") if truth_value(binding.get("allowReserved")) else ""
    if place == "body":
        if not _STYLE_KEYS.isdisjoint(binding):  # of two ways to write a value that are stated, the style counts
            media_type, style = None, style or "form"
        expansion = None if style is None else _expansion(style, place)
        explode = bool(truth_value(binding.get("explode", style in (None, "form"))))
        shapes = list(shapes_of(schema, definitions, "items"))
        is_base64 = any(shape.get("contentEncoding") in ("base64", "base64url") for shape in shapes)
        of_texts = texts_of([shape.get("contentMediaType") for shape in shapes])
        media_type = media_type or next((text for text in of_texts if not is_json(text)), None)
        return Slot(place, name, expansion, explode, reserved, media_type, is_base64, key=key)
    if media_type is not None or place == "querystring":
        return Slot(place, name, None, media_type=CONCRETE.get(media_type or "", media_type), key=key)
    expansion = _expansion(style, place)
    if place == "cookie":
        expansion = expansion._replace(separator="; ")
    explode = bool(truth_value(binding.get("explode")))
    return Slot(place, name, expansion, explode, reserved, is_verbatim=style == "cookie", key=key)


def _expansion(style: str | None, place: PlaceInRequest) -> Expansion:
    """How a value is written at a place; between the members of a list may stand what an address has to encode."""
    default = SIMPLE if place in ("path", "header") else QUERY
    if style in _DELIMITERS:
        delimiter = _DELIMITERS[style]
        return default._replace(joiner=delimiter if place == "header" else encode(delimiter))
    return _STYLES.get(style or "", default)


def shapes_of(schema: Any, definitions: dict[str, Any], *more: str) -> Iterator[Mapping[str, Any]]:
    """A schema, what it refers to, its parts and alternatives, and what else stands under some keywords of them."""
    waiting = [schema]
    references: set[str] = set()
    for shape in waiting:  # grows on the way
        node = as_mapping(shape)
        yield node
        for keyword in ("allOf", "anyOf", "oneOf", *more):
            waiting += as_list(node.get(keyword, []))
        reference = node.get("$ref")
        if isinstance(reference, str) and reference not in references:
            references.add(reference)
            waiting.append(definitions.get(name_of_definition(reference)))
