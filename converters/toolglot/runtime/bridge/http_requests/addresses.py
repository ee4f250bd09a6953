"""The address of a request: its server, its path, and its query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import SplitResult, quote, urlsplit

from toolglot.converter.formats.kit.request_templates import RequestTemplate, Server
from toolglot.converter.text.pointers import escape
from toolglot.errors import ArgumentError, UsageError
from toolglot.runtime.bridge.http_requests.written_values import PlacedValue, write_value, written_at

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_OF_A_PATH = "/?:@!$&'()*+,;=-._~%"  # what the path of a description may hold as it is
_ENCODED_SLASH = re.compile("%2F|%5C|/", re.IGNORECASE)
_VISIBLE = re.compile(r"[!-~]+", re.ASCII)


def address_of_server(template: RequestTemplate, own_address: str | None, values: Mapping[str, str]) -> str:
    """The address of the server, without a slash at its end.

    Raises:
        UsageError: no server is known, or a variable of it has no value or a wrong one.
    """
    if own_address is None and not template.servers:
        raise UsageError("the description names no server; say which with server=", code="no-server")
    server = template.servers[0] if own_address is None else Server(own_address)
    address = _VARIABLE.sub(lambda match: _value_of_variable(server, match[1], values), server.url)
    parts = _split_address(address)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        message = f"{address!r} is no address of a server; give all of it, from https:// to its path, as server="
        raise UsageError(message, code="no-server")
    if parts.query or parts.fragment:
        raise UsageError(f"the address of a server has no query and no fragment: {address!r}", code="no-server")
    return address.rstrip("/")


def _split_address(address: str) -> SplitResult | None:
    """The parts of an address; `None` where it is malformed, such as one with an open bracket."""
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


def fill_path(template: RequestTemplate, placed: Iterable[PlacedValue]) -> str:
    """The path with its variables filled in.

    Raises:
        ArgumentError: a variable has no value, or one that would lead elsewhere.
    """
    values = {slot.name: (slot, value) for slot, value in placed if slot.place == "path"}

    def fill(name: str) -> str:
        if name not in values:
            raise ArgumentError(f"the path needs a value for {name!r}", "incomplete-path", f"/{escape(name)}")
        slot, value = values[name]
        segment = write_value(slot, value)
        if segment == "":
            raise ArgumentError("an empty value would lead to another path", "empty-segment", slot.pointer)
        return segment

    path = ""
    for index, part in enumerate(_VARIABLE.split(template.path)):  # texts, and between them the names of variables
        if index % 2:
            path += fill(part)
        else:
            path += quote(part, safe=_OF_A_PATH)
    is_led_up = ".." in _ENCODED_SLASH.split(path)  # by servers that decode it first
    if is_led_up or any(segment in (".", "..") for segment in path.split("/")):
        raise ArgumentError("a segment of dots would lead to another path", "dot-segment")
    if path.startswith("/"):
        return path
    return f"/{path}"


def write_query(template: RequestTemplate, placed: Iterable[PlacedValue]) -> str:
    """The query to append to the path, which may have a query of its own; empty where there is none."""
    query = "&".join(written_at(template, placed, "query", "querystring"))
    if not query:
        return ""
    mark = "&" if "?" in template.path else "?"
    return mark + query
