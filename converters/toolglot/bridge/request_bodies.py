"""The body of an HTTP request, made of arguments: JSON, forms, text and bytes."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolglot.errors import ArgumentError
from toolglot.formats.kit.request_templates import RequestTemplate, Slot
from toolglot.text.digests import sha256_of
from toolglot.text.pointers import as_list, escape
from toolglot.text.uri_templates import QUERY, as_text, expand_variable, is_nested

_FORM = "application/x-www-form-urlencoded"
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(; ?[\w.+-]+=[\w.+-]+)*", re.ASCII)  # one, and neither several nor a range
_PLAIN, _JSON, _BYTES = "text/plain", "application/json", "application/octet-stream"


class BodyBytes(NamedTuple):
    """What is sent, and its media type."""

    content: bytes
    media_type: str


def body_bytes(template: RequestTemplate, arguments: Mapping[str, Any], others: Mapping[str, Any]) -> BodyBytes | None:
    """The body of a request; `None` where there is none to send.

    Args:
        arguments: the arguments that the body is made of.
        others: properties that an open body takes beside those that it names.

    Raises:
        ArgumentError: a value cannot be written in it.
    """
    media_type = template.media_type
    if media_type is None or not (arguments or others or template.is_body_required):
        return None
    whole = next((key for key in arguments if not template.slots[key].name), None)
    plain = media_type.partition(";")[0].strip().lower()
    if plain.startswith("multipart/"):
        return _multipart(media_type, list(_fields(template, arguments, others, whole)))
    if plain == _FORM:
        fields = [_form_field(slot, value) for _, slot, value in _fields(template, arguments, others, whole)]
        return BodyBytes("&".join(filter(None, fields)).encode(), media_type)
    if whole is not None:
        content = _whole_content(plain, template.slots[whole], arguments[whole], whole)
    elif _is_json(plain):
        values_by_name = {template.slots[key].name: value for key, value in arguments.items()}
        content = _json({**others, **values_by_name})
    else:
        content = b""
    return BodyBytes(content, media_type)


def _whole_content(plain: str, slot: Slot, value: Any, key: str) -> bytes:
    """The body that one argument is by itself."""
    if _is_json(plain):
        return _json(value)
    if slot.is_base64:
        return _decode(value, key)
    return as_text(value).encode()


def _is_json(media_type: str) -> bool:
    return media_type == _JSON or media_type.endswith("+json")


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


_Field = tuple[str, Slot, Any]  # the key of the argument, where it goes, its value


def _fields(
    template: RequestTemplate, arguments: Mapping[str, Any], others: Mapping[str, Any], whole: str | None
) -> Iterator[_Field]:
    """The fields of a form; an object that is given whole has those of its properties."""
    for key, value in arguments.items():
        if key != whole:
            yield key, template.slots[key], value
    rest = dict(others)
    if whole is not None and isinstance(arguments[whole], dict):
        rest = {**arguments[whole], **others}
    for name, value in rest.items():
        yield name, Slot("body", name, None, explode=True), value


def _form_field(slot: Slot, value: Any) -> str:
    """One field of a form in the words of an address; what has no such words is JSON."""
    if value is None:
        return ""
    if is_nested(value) or (slot.expansion is None and isinstance(value, dict)):
        value = _json(value).decode()
    return expand_variable(slot.name, value, slot.expansion or QUERY, slot.explode)


def _multipart(media_type: str, fields: list[_Field]) -> BodyBytes:
    """The parts of a form, between lines that occur in none of them."""
    parts: list[bytes] = []
    for field in fields:
        parts += _parts(*field)
    boundary = f"toolglot-{sha256_of(b''.join(parts))[:40]}"
    line = f"--{boundary}".encode()
    content = b"".join(line + b"\r\n" + part + b"\r\n" for part in parts) + line + b"--\r\n"
    return BodyBytes(content, f"{media_type}; boundary={boundary}")


def _parts(key: str, slot: Slot, value: Any) -> Iterator[bytes]:
    """The parts of one field; each member of a list has its own."""
    for member in as_list(value):
        if member is None:
            continue
        name = _quote_name(slot.name)
        disposition = f'Content-Disposition: form-data; name="{name}"'
        if slot.is_base64:
            disposition += f'; filename="{name}"'
            content, own_type = _decode(member, key), _BYTES
        elif isinstance(member, dict | list):
            content, own_type = _json(member), _JSON
        else:
            content, own_type = as_text(member).encode("utf-8", "surrogatepass"), _PLAIN
        media_type = own_type
        if slot.media_type is not None and _MEDIA_TYPE.fullmatch(slot.media_type):
            media_type = slot.media_type
        yield f"{disposition}\r\nContent-Type: {media_type}\r\n\r\n".encode() + content


def _quote_name(name: str) -> str:
    """A name between quotes, as browsers write it."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _decode(value: Any, key: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise ArgumentError("the value stands for bytes, in base64", "no-base64", f"/{escape(key)}") from None
