"""What is known of the effects of an operation, and what its method and annotations claim.

A request leaves the machine, and DELETE removes something. What RFC 9110 (9.2) calls safe or idempotent is what a
client asks for, and no promise of a server: many APIs change things by GET. So no method makes a tool look harmless
unless a person vouches for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from toolglot.converter.formats import Claim
from toolglot.converter.formats.mcp.hints import claims_at
from toolglot.converter.hub.model import Tool

_SAFE = frozenset({"get", "head", "options", "trace", "query"})
_REPEATABLE = _SAFE | {"put", "delete"}
_VARIABLE = re.compile(r"\{[^{}]*\}")


def deleted_by(method: str, path: str) -> tuple[str, ...] | None:
    """What an operation deletes, if its method says so: what its path is about, the last word that is no variable.

    >>> deleted_by("get", "/pets"), deleted_by("delete", "/repos/{owner}/{repo}"), deleted_by("delete", "/{id}")
    (None, ('repos',), ('/{id}',))
    """
    if method.lower() != "delete":
        return None
    words = reversed(path.split("/"))
    return (next((word for word in words if word and not _VARIABLE.search(word)), path),)


def method_word(tool: Tool, field: str) -> str | None:
    """The method of an operation, as HTTP spells it, where it says something of a field."""
    if field in ("deletes", "mutates"):
        return str(tool.extension("openapi").get("method", "")).upper() or None
    return None


def _has_method(methods: frozenset[str]) -> Callable[[Tool], bool]:
    return lambda tool: str(tool.extension("openapi").get("method", "")).lower() in methods


CLAIMS = {
    "safe-method": Claim({"safety_tier": "read", "destructive": False}, _has_method(_SAFE), is_method=True),
    "idempotent-method": Claim({"idempotent": True}, _has_method(_REPEATABLE), is_method=True),
    **claims_at("openapi", "x-mcp-annotations"),  # the hints of MCP, which others write into their documents too
}
"""What the method of an operation claims, and the annotations of a vendor."""
