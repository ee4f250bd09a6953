"""Documents that people take for tool descriptions, or that are some, but that toolglot does not read.

Knowing them makes the difference between "unknown format" and a sentence that says what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class LookAlike(NamedTuple):
    name: str
    matches: Callable[[dict[str, Any], str | None], bool]
    advice: str


def _has(*keys: str) -> Callable[[dict[str, Any], str | None], bool]:
    return lambda data, body: all(key in data for key in keys)


def _schema_line(start: str) -> Callable[[dict[str, Any], str | None], bool]:
    return lambda data, body: str(data.get("schema", "")).startswith(start)


_NOT_YET = "toolglot does not read it in this version"

LOOK_ALIKES = (
    LookAlike(
        "an ATIP registry manifest",
        lambda data, body: "atip" in data and ("registry" in data or "endpoints" in data),
        "it lists where programs are, not what they do; convert the programs' own metadata",
    ),
    LookAlike("an OpenAPI document", _has("openapi", "info"), _NOT_YET),
    LookAlike("a Swagger document", _has("swagger"), _NOT_YET),
    LookAlike(
        "a JSON Schema",
        lambda data, body: "$schema" in data and ("properties" in data or "$defs" in data or "definitions" in data),
        "a schema describes documents; convert a document",
    ),
    LookAlike("an ARDF resource", _has("resource_id", "resource_type"), "it describes a resource, not a tool"),
    LookAlike("an AIP-39 ACTION.md", _schema_line("action/"), "a tool that implements the action can be converted"),
    LookAlike(
        "an AIP-39 ACTION.md",
        lambda data, body: body is not None and "verb" in data and "target_kind" in data,
        "a tool that implements the action can be converted",
    ),
    LookAlike(
        "an AIP-30 DRIVER.md",
        lambda data, body: "implements" in data and "kind" in data,
        "convert the TOOL.md that the driver implements",
    ),
    LookAlike("an AIP-19 SECRETS.md", _schema_line("agentproto/secrets"), "it names secrets, not a tool"),
    LookAlike(
        "an AIP-19 SECRETS.md",
        lambda data, body: body is not None and list(data) == ["secrets"],
        "it names secrets, not a tool",
    ),
    LookAlike(
        "an AIP workflow or another AIP manifest",
        lambda data, body: body is not None and str(data.get("schema", "")).startswith(("agentproto/", "agent")),
        "only agentproto/tool/v1 describes a tool",
    ),
    LookAlike("a list of MCP servers", _has("mcpServers"), "convert what a server answers to tools/list"),
    LookAlike("a JSON-RPC message", _has("jsonrpc"), "only the answer to tools/list describes tools"),
    LookAlike(
        "a report of toolglot",
        _has("toolglot-report"),
        "it says what a conversion changed",
    ),
)


def recognise(data: Any, body: str | None) -> LookAlike | None:
    """The known kind of document that `data` is, or that the first item of its list is.

    >>> recognise({"openapi": "3.1.0", "info": {}}, None).name
    'an OpenAPI document'
    """
    for candidate in _candidates(data):
        for known in LOOK_ALIKES:
            if known.matches(candidate, body):
                return known
    return None


def _candidates(data: Any) -> list[dict[str, Any]]:
    """The document, and the first item of each list that it wraps others in (some wrap twice)."""
    found: list[dict[str, Any]] = []
    for _ in range(3):
        if isinstance(data, dict):
            found.append(data)
            data = data.get("tools")
        if isinstance(data, list):
            data = data[0] if data else None
    return found
