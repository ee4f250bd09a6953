"""A decoded call as an HTTP request: data for whatever sends requests. Nothing is sent here, and nobody signs in.

The arguments come from a model, so that each stays where the description puts it: a value is encoded before it enters
an address, cannot leave its segment of the path, add a header or end one, and an argument that the description does
not know is refused. Where a request goes is the description's and the host's business, never the model's.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import SplitResult, quote, unquote, urlsplit

from toolglot.converter import formats
from toolglot.converter.formats.kit.request_templates import PlaceInRequest, RequestTemplate, Server, Slot
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema.arguments import Inputs, Schema, find_shape_fault
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.pointers import as_list, escape, without_keys, without_nulls
from toolglot.converter.text.uri_templates import (
    QUERY,
    Encode,
    Expansion,
    are_in_brackets,
    as_text,
    encode,
    encode_unreserved,
    expand_variable,
    in_brackets,
    is_nested,
)
from toolglot.errors import TO_RESTORE, ArgumentError, UsageError
from toolglot.option_checks import read_named_texts, require
from toolglot.runtime.bridge.naming import NamedCommand, only_leaf

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
_OF_A_PATH = "/?:@!$&'()*+,;=-._~%"  # what the path of a description may hold as it is
_VISIBLE = re.compile(r"[!-~]+", re.ASCII)
_HEADER_VALUE = re.compile(r"[\x20-\x7e\t]*", re.ASCII)
_COOKIE_VALUE = re.compile(r"[!#-+\--:<-\[\]-~]*", re.ASCII)
_FORM = "application/x-www-form-urlencoded"
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(; ?[\w.+-]+=[\w.+-]+)*", re.ASCII)  # one, and neither several nor a range
_PLAIN, _JSON, _BYTES = "text/plain", "application/json", "application/octet-stream"
# What the connection says for itself; a description that fills these in could smuggle a second request.
_OF_THE_CONNECTION = frozenset({
    "host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "expect", "keep-alive",
})  # fmt: skip


class HttpRequest(NamedTuple):
    """An HTTP request.

    >>> HttpRequest("GET", "https://a.example/pets", {}, None).method
    'GET'
    """

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None


def request(
    tool: Tool | NamedCommand,
    arguments: Mapping[str, Any],
    *,
    server: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> HttpRequest:
    """The HTTP request that carries out a call. Nothing is sent.

    Credentials are not in it: `auth_methods` of the tool says which it needs, and whoever sends it adds them.

    Args:
        tool: one of `leaves_of`, or what `toolglot.compile` returns, of an API that was read as OpenAPI.
        arguments: by property key of the input schema, as the model gave them; they are held to that schema.
        server: the beginning of the address, instead of the first server of the description.
        variables: values of variables in the address of the server; by default those of the description.

    Raises:
        ArgumentError: the tool has no requests, or the arguments are refused or cannot be written in one.
        UsageError: `tool` is none, nothing says which server is meant, or an option has another type.

    >>> from toolglot import read_one
    >>> parameters = [{"name": "petId", "in": "path", "required": True, "schema": {"type": "string"}}]
    >>> paths = {"/pets/{petId}": {"get": {"parameters": parameters, "responses": {}}}}
    >>> servers = [{"url": "https://pets.example/v1"}]
    >>> api = read_one({"openapi": "3.1.0", "info": {}, "servers": servers, "paths": paths})
    >>> request(api, {"petId": "a/b"}).url
    'https://pets.example/v1/pets/a%2Fb'
    """
    if server is not None:
        require("server", server, str, "a text")
    leaf = only_leaf(tool)
    template = formats.request_of(leaf.tool)
    if template is None:
        raise ArgumentError(
            "the tool has no requests: its description is of no HTTP API", "no-request", hint=TO_RESTORE
        )
    arguments = Schema(leaf.tool.inputs or {}).as_meant(_check_arguments(leaf.tool, arguments))
    arguments_of_slots = {key: arguments[key] for key in template.slots if key in arguments}
    others = without_keys(arguments, *template.slots)
    if others and template.media_type is None:
        message = "no part of the request takes this argument"
        raise ArgumentError(message, "unknown-argument", f"/{escape(next(iter(others)))}")
    address = _address_of_server(template, server, read_named_texts("variables", variables))
    url = address + _path(template, arguments_of_slots) + _query(template, arguments_of_slots, "?" in template.path)
    headers = _headers(template, arguments_of_slots)
    in_body = {key: value for key, value in arguments_of_slots.items() if _is_at(template, key, "body")}
    body = _body(template, in_body, others)
    content: bytes | None = None
    if body is not None:
        content = body.content
        headers = _without_header(headers, "content-type") | {"Content-Type": body.media_type}
    if not _HEADER_NAME.fullmatch(template.method) or not all(map(_HEADER_VALUE.fullmatch, headers.values())):
        raise ArgumentError("the method or a media type of the description is none", "bad-description")
    return HttpRequest(template.method, url, headers, content)


def _check_arguments(tool: Tool, arguments: Any) -> dict[str, Any]:
    """The arguments, if the tool accepts them.

    Raises:
        ArgumentError: it does not, or they are none.
    """
    if isinstance(arguments, Mapping):
        arguments = dict(arguments)
    fault = find_shape_fault(arguments) or next(iter(Inputs(tool).faults(arguments)), None)
    if fault is not None:
        raise ArgumentError(fault.message, "refused-arguments", fault.pointer)
    checked_arguments: dict[str, Any] = arguments
    return checked_arguments


def _is_at(template: RequestTemplate, key: str, place: PlaceInRequest) -> bool:
    return template.slots[key].place == place


# -- the address ------------------------------------------------------------------------------------------------


def _address_of_server(template: RequestTemplate, own_address: str | None, values: Mapping[str, str]) -> str:
    """The beginning of the address, without a slash at its end.

    Raises:
        UsageError: no server is known, or a variable of it has no value, or one that it may not have.
    """
    if own_address is None and not template.servers:
        raise UsageError("the description names no server; say which with server=", code="no-server")
    server = template.servers[0] if own_address is None else Server(own_address)
    address = _VARIABLE.sub(lambda match: _value_of_variable(server, match[1], values), server.url)
    parts = _split_address(address)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        message = f"{address!r} is no address of a server; give one that begins with https:// as server="
        raise UsageError(message, code="no-server")
    if parts.query or parts.fragment:
        raise UsageError(f"the address of a server has no query and no fragment: {address!r}", code="no-server")
    return address.rstrip("/")


def _split_address(address: str) -> SplitResult | None:
    """The parts of an address; `None` where it cannot be one, such as one with a bracket that nothing closes."""
    if not _VISIBLE.fullmatch(address):
        return None
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _value_of_variable(server: Server, name: str, values: Mapping[str, str]) -> str:
    value = values.get(name, server.variables.get(name))
    if value is None:
        raise UsageError(f"the variable {name!r} of the server has no value; give one in variables=", code="no-server")
    choices = server.choices.get(name)
    if choices is not None and value not in choices:
        raise UsageError(f"{name!r} is one of {', '.join(choices)}, not {value!r}", code="no-server")
    return value


def _path(template: RequestTemplate, arguments: Mapping[str, Any]) -> str:
    """The path with its variables filled in.

    Raises:
        ArgumentError: one has no value, or one by which the path would lead elsewhere.
    """
    keys = {template.slots[key].name: key for key in arguments if _is_at(template, key, "path")}

    def fill(name: str) -> str:
        key = keys.get(name)
        if key is None:
            raise ArgumentError(f"the path needs a value for {name!r}", "incomplete-path", f"/{escape(name)}")
        segment = _write(template.slots[key], arguments[key], key)
        if segment == "":
            raise ArgumentError("an empty value would lead to another path", "empty-segment", f"/{escape(key)}")
        return segment

    path = ""
    for index, part in enumerate(_VARIABLE.split(template.path)):  # texts, and between them the names of variables
        if index % 2:
            path += fill(part)
        else:
            path += quote(part, safe=_OF_A_PATH)
    if any(segment in (".", "..") for segment in path.split("/")):
        raise ArgumentError("a segment of dots would lead to another path", "dot-segment")
    if path.startswith("/"):
        return path
    return f"/{path}"


def _query(template: RequestTemplate, arguments: Mapping[str, Any], has_query: bool) -> str:
    query = "&".join(_written_at(template, arguments, "query", "querystring"))
    if not query:
        return ""
    mark = "&" if has_query else "?"
    return mark + query


def _written_at(template: RequestTemplate, arguments: Mapping[str, Any], *places: PlaceInRequest) -> list[str]:
    """The arguments that stand at some places of a request, each as it is written; those without a value are none."""
    texts: list[str] = []
    for key, value in arguments.items():
        slot = template.slots[key]
        if slot.place in places:
            _check_names(template, slot, value, key)
            texts.append(_write(slot, value, key))
    return list(filter(None, texts))


def _check_names(template: RequestTemplate, slot: Slot, value: Any, key: str) -> None:
    """Refuse an object whose members would stand in a request by themselves and be taken for other arguments."""
    if not isinstance(value, dict) or not slot.explode or slot.expansion is None or slot.expansion.members_in_brackets:
        return
    others = {other.name for other in template.slots.values() if other.place == slot.place and other is not slot}
    for name in sorted(value.keys() & others):
        message = f"the request has another argument of the name {name!r}, for which this would be taken"
        raise ArgumentError(message, "ambiguous-value", f"/{escape(key)}/{escape(name)}")


def _write(slot: Slot, value: Any, key: str) -> str:
    """A value as a part of an address or of a cookie; `null` is no value."""
    if value is None:
        return ""
    if slot.expansion is None:
        return _write_content(slot, value)
    encoder: Encode = encode
    if slot.keeps_reserved:
        encoder = encode_unreserved
    elif slot.is_verbatim:
        encoder = partial(_refuse_no_cookie, key=key)
    return _expand(slot, slot.expansion, value, key, encoder)


def _expand(slot: Slot, expansion: Expansion, value: Any, key: str, encoder: Encode) -> str:
    """A value in a style. What nobody could read back is refused: members in which stands what is put between them."""
    if not expansion.members_in_brackets and is_nested(value):
        message = "nothing says how lists and objects inside of others are written here"
        raise ArgumentError(message, "nested-value", f"/{escape(key)}")
    between = expansion.separator if slot.explode else expansion.joiner
    _check_members(value, between, key, encoder)
    return expand_variable(slot.name, _without_nulls(value), expansion, slot.explode, encoder)


def _check_members(value: Any, between: str, key: str, encoder: Encode) -> None:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    for member in value if isinstance(value, list) else ():
        if isinstance(member, str | int | float) and between in encoder(as_text(member)):
            message = f"{unquote(between)!r} stands between members here, so that none may hold it"
            raise ArgumentError(message, "ambiguous-value", f"/{escape(key)}")


def _refuse_no_cookie(text: str, key: str) -> str:
    """The text, if it can stand in a cookie as it is. Source: RFC 6265, section 4.1.1, `cookie-octet`."""
    if not _COOKIE_VALUE.fullmatch(text):
        message = "a cookie holds printable ASCII without blanks, quotes, commas, semicolons and backslashes"
        raise ArgumentError(message, "bad-header", f"/{escape(key)}")
    return text


def _write_content(slot: Slot, value: Any) -> str:
    """A value that is written by a media type, as a part of an address or of a cookie."""
    if slot.place == "querystring" and slot.media_type is None:
        return encode_unreserved(_content_text(slot, value))
    if slot.place == "querystring" and _plain_type(slot.media_type) == _FORM and isinstance(value, dict):
        return _form_text(_members_of(value))
    text = encode(_content_text(slot, value))
    if slot.place in ("path", "querystring"):
        return text
    return f"{encode(slot.name)}={text}"


def _content_text(slot: Slot, value: Any, ascii_only: bool = False) -> str:
    """A value in its media type; as JSON, unless it is a text and that another type."""
    plain = _plain_type(slot.media_type)
    if isinstance(value, str) and not _is_json(plain):
        return value
    if isinstance(value, dict) and plain == _FORM:
        return _form_text(_members_of(value))
    return json.dumps(value, ensure_ascii=ascii_only)


def _plain_type(media_type: str | None) -> str:
    """A media type without its parameters."""
    return (media_type or "").partition(";")[0].strip().lower()


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return without_nulls(value)
    if isinstance(value, list):
        return [member for member in value if member is not None]
    return value


# -- headers ----------------------------------------------------------------------------------------------------


def _headers(template: RequestTemplate, arguments: Mapping[str, Any]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for key, value in arguments.items():
        slot = template.slots[key]
        if slot.place == "header" and value is not None:
            if not _HEADER_NAME.fullmatch(slot.name) or slot.name.lower() in _OF_THE_CONNECTION:
                raise ArgumentError(f"{slot.name!r} is no header that a call may set", "bad-header", f"/{escape(key)}")
            headers[slot.name] = _header_value(slot, value, key)
    if template.accepts is not None and _without_header(headers, "accept") == headers:
        headers["Accept"] = template.accepts
    cookies = _written_at(template, arguments, "cookie")
    if cookies:
        own_cookies = [value for name, value in headers.items() if name.lower() == "cookie"]
        headers = _without_header(headers, "cookie") | {"Cookie": "; ".join([*own_cookies, *cookies])}
    return headers


def _without_header(headers: Mapping[str, str], lower_name: str) -> dict[str, str]:
    """The headers without one, whatever its case: of two, nobody knows which one counts."""
    return {name: value for name, value in headers.items() if name.lower() != lower_name}


def _header_value(slot: Slot, value: Any, key: str) -> str:
    """A value as a header: plain text, because nobody decodes headers."""
    if slot.expansion is None:
        text = _content_text(slot, value, ascii_only=True)
    else:
        text = _expand(slot, slot.expansion, value, key, as_text)
    if not _HEADER_VALUE.fullmatch(text):
        raise ArgumentError("a header holds printable ASCII on one line", "bad-header", f"/{escape(key)}")
    return text


# -- the body --------------------------------------------------------------------------------------------------


class _BodyBytes(NamedTuple):
    """What is sent, and its media type."""

    content: bytes
    media_type: str


def _body(template: RequestTemplate, arguments: Mapping[str, Any], others: Mapping[str, Any]) -> _BodyBytes | None:
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
    plain = _plain_type(media_type)
    if plain.startswith("multipart/"):
        return _multipart(media_type, list(_fields(template, arguments, others, whole)))
    if plain == _FORM:
        return _BodyBytes(_form_text(_fields(template, arguments, others, whole)).encode(), media_type)
    if whole is not None:
        content = _whole_content(plain, template.slots[whole], arguments[whole], whole)
    elif _is_json(plain):
        values_by_name = {template.slots[key].name: value for key, value in arguments.items()}
        content = _json({**others, **values_by_name})
    else:
        content = b""
    return _BodyBytes(content, media_type)


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
    """The fields of a form; an object that is given whole has those of its properties, and `null` has none.

    Raises:
        ArgumentError: what is given whole is nothing that has fields.
    """
    for key, value in arguments.items():
        if key != whole:
            _check_names(template, template.slots[key], value, key)
            yield key, template.slots[key], value
    rest = dict(others)
    if whole is not None and arguments[whole] is not None:
        if not isinstance(arguments[whole], dict):
            raise ArgumentError("a form is made of fields; give an object", "no-form", f"/{escape(whole)}")
        rest = {**arguments[whole], **others}
    yield from _members_of(rest, template.fields)


def _members_of(value: Mapping[str, Any], slots: Mapping[str, Slot] = {}) -> Iterator[_Field]:
    """The fields of an object, each as it is said to be written, if that is said."""
    for name, member in value.items():
        yield name, slots.get(name, Slot("body", name, None, explode=True)), member


def _form_text(fields: Iterable[_Field]) -> str:
    """The fields of a form in the words of an address."""
    texts = [_form_field(*field) for field in fields]
    return "&".join(filter(None, texts))


def _form_field(key: str, slot: Slot, value: Any) -> str:
    """One field of a form in the words of an address; what has no such words is JSON."""
    if value is None:
        return ""
    if slot.expansion is None and _is_json(_plain_type(slot.media_type)):  # each member of a list has its own field
        fields = [encode(slot.name) + "=" + encode(_json(member).decode()) for member in as_list(_without_nulls(value))]
        return "&".join(fields)
    expansion = slot.expansion or QUERY
    has_words = are_in_brackets(value, expansion) or not is_nested(value)
    if not has_words or (slot.expansion is None and isinstance(value, dict)):
        value = _json(value).decode()
    return _expand(slot, expansion, value, key, encode_unreserved if slot.keeps_reserved else encode)


def _multipart(media_type: str, fields: list[_Field]) -> _BodyBytes:
    """The parts of a form, between lines that occur in none of them."""
    parts: list[bytes] = []
    for field in fields:
        parts += _parts(*field)
    boundary = f"toolglot-{sha256_of(b''.join(parts))[:40]}"
    line = f"--{boundary}".encode()
    content = b"".join(line + b"\r\n" + part + b"\r\n" for part in parts) + line + b"--\r\n"
    return _BodyBytes(content, f"{media_type}; boundary={boundary}")


def _parts(key: str, slot: Slot, value: Any) -> Iterator[bytes]:
    """The parts of one field."""
    for own_name, member in _named_members(key, slot, value):
        if member is None:
            continue
        # As browsers write a name between quotes.
        name = own_name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        disposition = f'Content-Disposition: form-data; name="{name}"'
        if slot.is_base64 and isinstance(member, str):
            disposition += f'; filename="{name}"'
            content, own_type = _decode(member, key), _BYTES
        elif isinstance(member, dict | list) or _is_json(_plain_type(slot.media_type)):
            content, own_type = _json(member), _JSON
        else:
            content, own_type = as_text(member).encode("utf-8", "surrogatepass"), _PLAIN
        media_type = own_type
        if slot.media_type is not None and _MEDIA_TYPE.fullmatch(slot.media_type):
            media_type = slot.media_type
        yield f"{disposition}\r\nContent-Type: {media_type}\r\n\r\n".encode() + content


def _named_members(key: str, slot: Slot, value: Any) -> Iterable[tuple[str, Any]]:
    """What has a part of its own, by name: each member of a list, and of an object whose style has it so."""
    expansion = slot.expansion
    if expansion is not None and are_in_brackets(value, expansion):
        return in_brackets(slot.name, value)
    if expansion is not None and isinstance(value, list | dict) and not is_nested(value):
        if not slot.explode:
            value = _expand(slot, Expansion(joiner=unquote(expansion.joiner)), value, key, as_text)
        elif isinstance(value, dict):
            return value.items()
    return [(slot.name, member) for member in as_list(value)]


def _decode(value: Any, key: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise ArgumentError("the value stands for bytes, in base64", "no-base64", f"/{escape(key)}") from None
