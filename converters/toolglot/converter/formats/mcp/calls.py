"""Calls as a client of the Model Context Protocol sends them: requests `tools/call`, which are never streamed.

Source: revisions 2025-06-18, 2025-11-25 and 2026-07-28, server/tools.
"""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats.kit.call_arguments import says_nothing
from toolglot.converter.formats.kit.call_faults import call_error, describe_value
from toolglot.converter.formats.kit.calls import Draft, ResponsePart
from toolglot.converter.formats.mcp.results_for_clients import result_message
from toolglot.converter.formats.mcp.results_of_servers import content_of_result
from toolglot.converter.hub.calls import Calls, ToolCall

_METHOD = "tools/call"
_REQUEST = "a request with the method 'tools/call', or its params"


# `CallShape` cannot describe such a request: it is one call, and its id stands outside the object that has the name. A
# request without a name is refused, as MCP servers do; a call of a model without a name would be answered.
def _parse(request: Any) -> list[ToolCall]:
    """The call of one request; none where the request has another method."""
    message = ResponsePart.whole(request, _REQUEST)
    method = message.data.get("method", _METHOD)
    if method != _METHOD:
        if isinstance(method, str):
            return []
        raise call_error(_REQUEST, describe_value(method), "pass the request as the client sent it", "/method")
    params = message.part("params") if "params" in message.data else message
    name, arguments = params.name(), params.get("arguments")
    call = ToolCall(_identifier(message.get("id"), name), name, None)
    draft = Draft(call, f"{params.pointer}/arguments", value=arguments)
    if isinstance(arguments, str) and not says_nothing(arguments):
        draft.error = call_error("an object at 'arguments'", describe_value(arguments), "send an object", draft.pointer)
    return [draft.complete()]


def _identifier(identifier: Any, name: str) -> str:
    """The id of the JSON-RPC request as a text; bare params have none, and the name stands in."""
    if identifier is None:
        return name
    if isinstance(identifier, str) or (type(identifier) is int and abs(identifier) < 2**63):
        return str(identifier)
    raise call_error("a text or an integer at 'id'", describe_value(identifier), "send a JSON-RPC request", "/id")


class _McpBuilder:
    """Takes requests, each of which is whole."""

    def feed(self, event: Any) -> list[ToolCall]:
        return _parse(event)

    def finish(self) -> list[ToolCall]:
        return []


CALLS = Calls(_parse, _McpBuilder, result_message, content=content_of_result, holds_results=True)
