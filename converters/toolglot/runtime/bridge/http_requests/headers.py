"""The headers and cookies of a request."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolglot.converter.formats.kit.request_templates import RequestTemplate, Slot
from toolglot.converter.text.uri_templates import as_text
from toolglot.errors import ArgumentError
from toolglot.runtime.bridge.http_requests.written_values import PlacedValue, content_text, expand_value, written_at

HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
"""The names of headers, and of methods. Source: RFC 9110, section 5.6.2, `token`."""

HEADER_VALUE = re.compile(r"[\x20-\x7e\t]*", re.ASCII)
"""What a header holds: printable ASCII on one line."""

# What the connection says for itself; a description that fills these in could smuggle a second request.
_OF_THE_CONNECTION = frozenset({
    "host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "expect", "keep-alive",
})  # fmt: skip


def write_headers(template: RequestTemplate, placed: Sequence[PlacedValue]) -> dict[str, str]:
    """The headers of a request, cookies among them.

    Raises:
        ArgumentError: a call may not set a header, or its value cannot stand in one; code `"bad-header"`.
    """
    headers: dict[str, str] = {}
    for slot, value in placed:
        if slot.place == "header" and value is not None:
            if not HEADER_NAME.fullmatch(slot.name) or slot.name.lower() in _OF_THE_CONNECTION:
                raise ArgumentError(f"{slot.name!r} is no header that a call may set", "bad-header", slot.pointer)
            headers[slot.name] = _header_value(slot, value)
    if template.accepts is not None and without_header(headers, "accept") == headers:
        headers["Accept"] = template.accepts
    cookies = written_at(template, placed, "cookie")
    if cookies:
        own_cookies = [value for name, value in headers.items() if name.lower() == "cookie"]
        headers = without_header(headers, "cookie") | {"Cookie": "; ".join([*own_cookies, *cookies])}
    return headers


def without_header(headers: Mapping[str, str], lower_name: str) -> dict[str, str]:
    """The headers without one of them in any case. Of two headers it would not be known which one counts."""
    return {name: value for name, value in headers.items() if name.lower() != lower_name}


def _header_value(slot: Slot, value: Any) -> str:
    """A value as a header: plain text, because nobody decodes headers."""
    if slot.expansion is None:
        text = content_text(slot, value, ascii_only=True)
    else:
        text = expand_value(slot, slot.expansion, value, as_text)
    if not HEADER_VALUE.fullmatch(text):
        raise ArgumentError("a header holds printable ASCII on one line", "bad-header", slot.pointer)
    return text
