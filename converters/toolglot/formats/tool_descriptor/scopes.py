"""The scope that an id begins with, and what it says about what stands behind the tool (specs 3.2)."""

from __future__ import annotations

from toolglot.errors import WriteError
from toolglot.hub.model import Tool

SOURCES = {"mcp": "mcp", "connector": "connector"}  # scope -> the source of its tools
HOME = "x-host-toolglot"  # what an id begins with that comes without a scope


def scope_of(identifier: str) -> str:
    """What an id begins with; empty where it has no scope."""
    if ":" not in identifier:
        return ""
    return identifier.partition(":")[0]


def source_of(tool: Tool, scope: str | None) -> str | None:
    """What stands behind a tool that does not say it: what the scope stands for, or else its own format.

    Args:
        scope: what its id is to begin with, if anybody asks for it.
    """
    if scope is not None:
        return SOURCES.get(scope.rstrip(":"))
    default = None
    if tool.origin == "mcp":
        default = "mcp"
    return SOURCES.get(scope_of(tool.id), default)


def scope_for(path: tuple[str, ...], new_scope: str | None, source: str | None) -> str | None:
    """What the id of a callable node begins with; `None` where it keeps what it has.

    Args:
        new_scope: the scope that somebody asks for.
        source: what stands behind the tool; the scope must not contradict it.

    Raises:
        WriteError: the scope that is asked for stands for another source.
    """
    if new_scope is not None:
        return _check_scope(new_scope.rstrip(":"), source)
    if len(path) == 1:
        own = scope_of(path[0])
        if own and SOURCES.get(own, source) == source:
            return None
    for scope, scope_source in SOURCES.items():
        if scope_source == source:
            return scope
    return HOME


def _check_scope(scope: str, source: str | None) -> str:
    if scope in SOURCES:
        fits = SOURCES[scope] == source
    else:
        fits = source not in SOURCES.values()
    if not fits:
        message = f"ids of source {source} do not begin with {scope!r}; leave the scope or the source open"
        raise WriteError(message, code="scope-refused")
    return scope
