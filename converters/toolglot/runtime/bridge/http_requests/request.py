"""A decoded call as an HTTP request, as data. Nothing is sent, and no credentials are added.

The arguments come from a model, so each has to stay in its place: a value is encoded before it enters an address, and
cannot leave its segment of the path, add a header, or end one. An unknown argument is refused. The description and the
host decide where a request goes, never the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolglot.converter import formats
from toolglot.converter.hub.model import Arguments, Tool
from toolglot.converter.schema.arguments import Inputs, Schema, find_shape_fault
from toolglot.converter.schema.meant_arguments import as_meant
from toolglot.converter.text.pointers import escape, without_keys
from toolglot.errors import TO_RESTORE, ArgumentError
from toolglot.option_checks import read_named_texts, require
from toolglot.runtime.bridge.http_requests.addresses import address_of_server, fill_path, write_query
from toolglot.runtime.bridge.http_requests.bodies import write_body
from toolglot.runtime.bridge.http_requests.headers import HEADER_NAME, HEADER_VALUE, without_header, write_headers
from toolglot.runtime.bridge.naming import NamedCommand, only_leaf


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

    It has no credentials: `auth_methods` of the tool says which are needed, and the sender adds them.

    Args:
        tool: a leaf from `leaves_of`, or an entry of `toolglot.compile`, of an API that was read as OpenAPI.
        arguments: key of the input schema -> value, as the model gave it; they are validated by that schema.
        server: the address of a server, instead of the first one of the description.
        variables: values of variables in the address of the server; default: those of the description.

    Raises:
        ArgumentError: the tool has no requests, or the arguments are refused or cannot be written in one.
        FitError: an integer was sent as a number that has lost digits (code `ambiguous-arguments`).
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
    arguments = as_meant(Schema(leaf.tool.inputs or {}), _check_arguments(leaf.tool, arguments))
    placed = [(slot, arguments[key]) for key, slot in template.slots.items() if key in arguments]
    others = without_keys(arguments, *template.slots)
    if others and template.media_type is None:
        message = "no part of the request takes this argument"
        raise ArgumentError(message, "unknown-argument", f"/{escape(next(iter(others)))}")
    address = address_of_server(template, server, read_named_texts("variables", variables))
    address += fill_path(template, placed) + write_query(template, placed)
    headers = write_headers(template, placed)
    in_body = [(slot, value) for slot, value in placed if slot.place == "body"]
    body = write_body(template, in_body, others)
    content: bytes | None = None
    if body is not None:
        content = body.content
        headers = without_header(headers, "content-type") | {"Content-Type": body.media_type}
    if not HEADER_NAME.fullmatch(template.method) or not all(map(HEADER_VALUE.fullmatch, headers.values())):
        raise ArgumentError("the method or a media type of the description is none", "bad-description")
    return HttpRequest(template.method, address, headers, content)


def _check_arguments(tool: Tool, arguments: Any) -> Arguments:
    """The arguments, after a check that the tool accepts them.

    Raises:
        ArgumentError: the tool refuses them, or they are no object.
    """
    checked: Arguments = dict(arguments) if isinstance(arguments, Mapping) else arguments
    fault = find_shape_fault(checked) or next(iter(Inputs(tool).faults(checked)), None)
    if fault is not None:
        raise ArgumentError(fault.message, "refused-arguments", fault.pointer)
    return checked
