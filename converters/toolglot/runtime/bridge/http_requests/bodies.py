"""The body of a request."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from toolglot.converter.formats.kit.request_templates import RequestTemplate, Slot, is_json, plain_type
from toolglot.converter.hub.model import Arguments
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.pointers import as_list
from toolglot.converter.text.uri_templates import Expansion, are_in_brackets, as_text, in_brackets, is_nested
from toolglot.errors import ArgumentError
from toolglot.runtime.bridge.http_requests.written_values import (
    FORM,
    JSON,
    PlacedValue,
    check_names,
    expand_value,
    fields_of_object,
    form_text,
    to_json_bytes,
)

_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(; ?[\w.+-]+=[\w.+-]+)*", re.ASCII)  # one, and neither several nor a range
_PLAIN, _BYTES = "text/plain", "application/octet-stream"
_FIRST_ALPHABET = str.maketrans("-_", "+/")


class WrittenBody(NamedTuple):
    """A body and its media type."""

    content: bytes
    media_type: str


def write_body(template: RequestTemplate, placed: Sequence[PlacedValue], others: Arguments) -> WrittenBody | None:
    """The body of a request; `None` where none is sent.

    Args:
        placed: the values for the body.
        others: further properties, which an open body accepts beside those that it names.

    Raises:
        ArgumentError: a value cannot be written in it.
    """
    media_type = template.media_type
    if media_type is None or not (placed or others or template.is_body_required):
        return None
    whole = next((one for one in placed if not one[0].name), None)
    plain = plain_type(media_type)
    if plain.startswith("multipart/"):
        return _multipart(media_type, list(_fields(template, placed, others, whole)))
    if plain == FORM:
        return WrittenBody(form_text(_fields(template, placed, others, whole)).encode(), media_type)
    if whole is not None:
        content = _whole_content(plain, *whole)
    elif is_json(plain):
        content = to_json_bytes({**others, **{slot.name: value for slot, value in placed}})
    else:
        content = b""
    return WrittenBody(content, media_type)


def _whole_content(plain: str, slot: Slot, value: Any) -> bytes:
    """The body that consists of one argument."""
    if is_json(plain):
        return to_json_bytes(value)
    if slot.is_base64:
        return _decode(value, slot)
    return as_text(value).encode()


def _fields(
    template: RequestTemplate, placed: Iterable[PlacedValue], others: Arguments, whole: PlacedValue | None
) -> Iterator[PlacedValue]:
    """The fields of a form. One argument for the whole form gives a field for each property; `null` gives none.

    Raises:
        ArgumentError: the argument for the whole form is no object.
    """
    for one in placed:
        if one is not whole:
            check_names(template, *one)
            yield one
    rest = dict(others)
    if whole is not None and whole[1] is not None:
        slot, value = whole
        if not isinstance(value, dict):
            raise ArgumentError(
                "a form is made of fields, of which this has none; if the tool takes no object, its document is wrong",
                "no-form",
                slot.pointer,
            )
        rest = {**value, **others}
    yield from fields_of_object(rest, template.fields)


def _multipart(media_type: str, fields: list[PlacedValue]) -> WrittenBody:
    """The parts of a form, with a boundary between them that occurs in none."""
    parts: list[bytes] = []
    for field in fields:
        parts += _parts(*field)
    boundary = f"toolglot-{sha256_of(b''.join(parts))[:40]}"
    line = f"--{boundary}".encode()
    content = b"".join(line + b"\r\n" + part + b"\r\n" for part in parts) + line + b"--\r\n"
    return WrittenBody(content, f"{media_type}; boundary={boundary}")


def _parts(slot: Slot, value: Any) -> Iterator[bytes]:
    """The parts of one field."""
    for own_name, member in _named_members(slot, value):
        if member is None:
            continue
        # As browsers write a name between quotes.
        name = own_name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        disposition = f'Content-Disposition: form-data; name="{name}"'
        if slot.is_base64 and isinstance(member, str):
            disposition += f'; filename="{name}"'
            content, own_type = _decode(member, slot), _BYTES
        elif isinstance(member, dict | list) or is_json(slot.media_type):
            content, own_type = to_json_bytes(member), JSON
        else:
            content, own_type = as_text(member).encode("utf-8", "surrogatepass"), _PLAIN
        media_type = own_type
        if slot.media_type is not None and _MEDIA_TYPE.fullmatch(slot.media_type):
            media_type = slot.media_type
        yield f"{disposition}\r\nContent-Type: {media_type}\r\n\r\n".encode() + content


def _named_members(slot: Slot, value: Any) -> Iterable[tuple[str, Any]]:
    """The values with a part of their own, by name: each item of a list, and each property of an exploded object."""
    expansion = slot.expansion
    if expansion is not None and are_in_brackets(value, expansion):
        return in_brackets(slot.name, value)
    if expansion is not None and isinstance(value, list | dict) and not is_nested(value):
        if not slot.explode:
            value = expand_value(slot, Expansion(joiner=unquote(expansion.joiner)), value, as_text)
        elif isinstance(value, dict):
            return value.items()
    return [(slot.name, member) for member in as_list(value)]


def _decode(value: Any, slot: Slot) -> bytes:
    """The bytes of a text in base64, in either alphabet of RFC 4648, with or without padding."""
    try:
        text = value.translate(_FIRST_ALPHABET)
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (AttributeError, ValueError):
        raise ArgumentError("the value stands for bytes, in base64", "no-base64", slot.pointer) from None
