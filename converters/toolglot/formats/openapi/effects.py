"""What is known of the effects of an operation, and what its method hints at.

A request leaves the machine, and DELETE removes something. What RFC 9110 (9.2) calls safe or idempotent is what a
client asks for, and no promise of a server: many APIs change things by GET. So no method makes a tool look harmless
unless a person vouches for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolglot.hub.model import Tool

METHODS = SAFE_METHOD, REPEATABLE_METHOD = ("safe-method", "idempotent-method")
_SAFE = frozenset({"get", "head", "options", "trace", "query"})
_REPEATABLE = _SAFE | {"put", "delete"}
_VARIABLE = re.compile(r"\{[^{}]*\}")


def effects_of(method: str, path: str, servers_hosts: tuple[str, ...] | None) -> dict[str, Any]:
    """The facts that hold for every operation of a method.

    >>> effects_of("get", "/pets", None)
    {'network': True}
    >>> effects_of("delete", "/pets/{petId}", None)
    {'network': True, 'destructive': True, 'deletes': ('pets',)}
    """
    effects: dict[str, Any] = {"network": True}
    if servers_hosts is not None:
        effects["hosts"] = servers_hosts
    if method.lower() == "delete":
        effects |= {"destructive": True, "deletes": (_resource(path),)}
    return effects


def _resource(path: str) -> str:
    """What a path is about: its last word that is no variable.

    >>> _resource("/repos/{owner}/{repo}"), _resource("/{id}")
    ('repos', '/{id}')
    """
    words = [word for word in path.split("/") if word and not _VARIABLE.search(word)]
    return words[-1] if words else path


def asks_first(stated: Mapping[str, Any]) -> bool:
    """Whether a person is asked before each call, as a vendor's key says; that none need be asked is not believed."""
    return stated.get("x-openai-isConsequential") is True


def hints_of_method(tool: Tool) -> dict[str, dict[str, Any]]:
    """What the method of an operation hints at, and nobody vouches for."""
    method = str(tool.extension("openapi").get("method", "")).lower()
    hints: dict[str, dict[str, Any]] = {}
    if method in _SAFE:
        hints[SAFE_METHOD] = {"safety_tier": "read", "destructive": False}
    if method in _REPEATABLE:
        hints[REPEATABLE_METHOD] = {"idempotent": True}
    return hints
