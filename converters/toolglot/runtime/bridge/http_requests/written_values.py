"""Values in an address, a header, a cookie or a form, written by a style or a media type."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import unquote

from toolglot.converter.formats.kit.request_templates import (
    PlaceInRequest,
    RequestTemplate,
    Slot,
    is_json,
    plain_type,
)
from toolglot.converter.text.pointers import as_list, pointer_below, without_nulls
from toolglot.converter.text.uri_templates import (
    QUERY,
    RESERVED_IN_QUERY,
    Encode,
    Expansion,
    are_in_brackets,
    as_text,
    encode,
    expand_variable,
    is_nested,
)
from toolglot.errors import ArgumentError

_COOKIE_VALUE = re.compile(r"[!#-+\--:<-\[\]-~]*", re.ASCII)

JSON = "application/json"
"""The media type of JSON."""

FORM = "application/x-www-form-urlencoded"
"""The media type of a form in the words of an address."""

PlacedValue = tuple[Slot, Any]
"""Where a value goes in a request, or in a form, and the value."""


def written_at(template: RequestTemplate, placed: Iterable[PlacedValue], *places: PlaceInRequest) -> list[str]:
    """The written arguments at some places of a request, without those that have no value."""
    texts: list[str] = []
    for slot, value in placed:
        if slot.place in places:
            check_names(template, slot, value)
            texts.append(write_value(slot, value))
    return list(filter(None, texts))


def check_names(template: RequestTemplate, slot: Slot, value: Any) -> None:
    """Refuse an object whose members would stand alone in a request and be taken for other arguments."""
    if not isinstance(value, dict) or not slot.explode or slot.expansion is None or slot.expansion.members_in_brackets:
        return
    others = {other.name for other in template.slots.values() if other.place == slot.place and other is not slot}
    for name in sorted(value.keys() & others):
        message = f"the request has another argument of the name {name!r}, for which this would be taken"
        raise ArgumentError(message, "ambiguous-value", pointer_below(slot.pointer, name))


def write_value(slot: Slot, value: Any) -> str:
    """A value as a part of an address or a cookie; empty for `null`."""
    if value is None:
        return ""
    if slot.expansion is None:
        return _write_content(slot, value)
    encoder = partial(_refuse_no_cookie, slot=slot) if slot.is_verbatim else partial(encode, reserved=slot.reserved)
    return expand_value(slot, slot.expansion, value, encoder)


def expand_value(slot: Slot, expansion: Expansion, value: Any, encoder: Encode) -> str:
    """A value in a style. It is refused if a member has the separator of the style in it: it could not be read back."""
    if not expansion.members_in_brackets and is_nested(value):
        message = "nothing says how lists and objects inside of others are written here"
        raise ArgumentError(message, "nested-value", slot.pointer)
    between = expansion.separator if slot.explode else expansion.joiner
    _check_members(value, between, slot, encoder)
    return expand_variable(slot.name, _without_nulls(value), expansion, slot.explode, encoder)


def _check_members(value: Any, between: str, slot: Slot, encoder: Encode) -> None:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    for member in value if isinstance(value, list) else ():
        if isinstance(member, str | int | float) and between in encoder(as_text(member)):
            message = f"{unquote(between)!r} stands between members here, so that none may hold it"
            raise ArgumentError(message, "ambiguous-value", slot.pointer)


def _refuse_no_cookie(text: str, slot: Slot) -> str:
    """The text, after a check that it can stand in a cookie. Source: RFC 6265, section 4.1.1, `cookie-octet`."""
    if not _COOKIE_VALUE.fullmatch(text):
        message = "a cookie holds printable ASCII without blanks, quotes, commas, semicolons and backslashes"
        raise ArgumentError(message, "bad-header", slot.pointer)
    return text


def _write_content(slot: Slot, value: Any) -> str:
    """A value of a media type as a part of an address or a cookie."""
    text = content_text(slot, value)
    if slot.place == "querystring" and slot.media_type is None:
        return encode(text, RESERVED_IN_QUERY)
    if slot.place == "querystring" and plain_type(slot.media_type) == FORM and isinstance(value, dict):
        return text
    if slot.place in ("path", "querystring"):
        return encode(text)
    return f"{encode(slot.name)}={encode(text)}"


def content_text(slot: Slot, value: Any, ascii_only: bool = False) -> str:
    """A value in its media type: JSON, unless the value is a text and the media type is not JSON."""
    if isinstance(value, str) and not is_json(slot.media_type):
        return value
    if isinstance(value, dict) and plain_type(slot.media_type) == FORM:
        return form_text(fields_of_object(value))
    return json.dumps(value, ensure_ascii=ascii_only)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return without_nulls(value)
    if isinstance(value, list):
        return [member for member in value if member is not None]
    return value


def to_json_bytes(value: Any) -> bytes:
    """A value as JSON without spaces, in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def fields_of_object(value: Mapping[str, Any], slots: Mapping[str, Slot] = {}) -> Iterator[PlacedValue]:
    """The properties of an object as fields, each with its own slot if it has one."""
    for name, member in value.items():
        yield slots.get(name, Slot("body", name, None, explode=True, key=name)), member


def form_text(fields: Iterable[PlacedValue]) -> str:
    """The fields of a form, encoded as in an address."""
    texts = [_form_field(*field) for field in fields]
    return "&".join(filter(None, texts))


def _form_field(slot: Slot, value: Any) -> str:
    """One field of a form, encoded as in an address; a value without such a form is JSON."""
    if value is None:
        return ""
    if slot.expansion is None and is_json(slot.media_type):  # each member of a list has its own field
        members = [encode(to_json_bytes(member).decode()) for member in as_list(_without_nulls(value))]
        return "&".join(f"{encode(slot.name)}={member}" for member in members)
    expansion = slot.expansion or QUERY
    has_words = are_in_brackets(value, expansion) or not is_nested(value)
    if not has_words or (slot.expansion is None and isinstance(value, dict)):
        value = to_json_bytes(value).decode()
    return expand_value(slot, expansion, value, partial(encode, reserved=slot.reserved))
