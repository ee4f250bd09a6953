"""What is known of the effects of an operation, and what its method and annotations claim.

A request leaves the machine, and DELETE removes something. What RFC 9110 (9.2) calls safe or idempotent is what a
client asks for, and no promise of a server: many APIs change things by GET. So no method makes a tool look harmless
unless a person vouches for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from toolglot.converter.formats import Claim
from toolglot.converter.formats.mcp.hints import claims_at
from toolglot.converter.hub.model import Tool

_SAFE = frozenset({"get", "head", "options", "trace", "query"})
_REPEATABLE = _SAFE | {"put", "delete"}
_VARIABLE = re.compile(r"\{[^{}]*\}")


def effects_of(method: str, path: str, servers_hosts: tuple[str, ...] | None) -> dict[str, Any]:
    """The facts that hold for every operation of a method.

    >>> effects_of("get", "/pets", None)
    {'network': True}
    >>> effects_of("delete", "/pets/{petId}", None)
    {'network': True, 'deletes': ('pets',)}
    """
    effects: dict[str, Any] = {"network": True}
    if servers_hosts is not None:
        effects["hosts"] = servers_hosts
    if method.lower() == "delete":
        effects["deletes"] = (_resource(path),)
    return effects


def method_word(tool: Tool, field: str) -> str | None:
    """The method of an operation, as HTTP spells it, where it says something of a field."""
    if field in ("deletes", "mutates"):
        return str(tool.extension("openapi").get("method", "")).upper() or None
    return None


def _resource(path: str) -> str:
    """What a path is about: its last word that is no variable.

    >>> _resource("/repos/{owner}/{repo}"), _resource("/{id}")
    ('repos', '/{id}')
    """
    words = reversed(path.split("/"))
    return next((word for word in words if word and not _VARIABLE.search(word)), path)


def _has_method(methods: frozenset[str]) -> Callable[[Tool], bool]:
    return lambda tool: str(tool.extension("openapi").get("method", "")).lower() in methods


CLAIMS = {
    "safe-method": Claim({"safety_tier": "read", "destructive": False}, _has_method(_SAFE), is_method=True),
    "idempotent-method": Claim({"idempotent": True}, _has_method(_REPEATABLE), is_method=True),
    **claims_at("openapi", "x-mcp-annotations"),  # the hints of MCP, which others write into their documents too
}
"""What the method of an operation claims, and the annotations of a vendor."""
