"""What is known of the effects of an operation, and what its method and annotations hint at.

A request leaves the machine, and DELETE removes something. What RFC 9110 (9.2) calls safe or idempotent is what a
client asks for, and no promise of a server: many APIs change things by GET. So no method makes a tool look harmless
unless a person vouches for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from toolglot.formats.kit.dangers_in_unknown_keys import (
    ASKS,
    Danger,
    dangers_in_keys,
    warnings_in_text,
    words_of,
    words_with,
)
from toolglot.formats.kit.doubts import Doubt
from toolglot.formats.mcp.hints import HINT_WORDS, VOUCHED, reassuring_hints
from toolglot.hub.model import Tool
from toolglot.text.pointers import mapping_at
from toolglot.text.wording import to_short_json

# The keys of annotations are those of MCP, which others write into their documents too.
ANNOTATIONS = tuple(VOUCHED)
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
    for word in reversed(path.split("/")):
        if word and not _VARIABLE.search(word):
            return word
    return path


_WORDS = words_with({**HINT_WORDS, **words_of({"openai-isConsequential": ASKS})})


def stated_dangers(part: Mapping[str, Any], pointer: str = "", reads_text: bool = False) -> Iterator[Danger]:
    """The dangers that unknown keys state of a part of a document.

    Args:
        pointer: where the part stands, as a JSON Pointer.
        reads_text: whether its description may warn of them too, because no tool gets that text.

    >>> [danger.place for danger in stated_dangers({"x-mcp": {"destructiveHint": True}, "x-destructive": False}, "/a")]
    ['/a/x-mcp/destructiveHint']
    """
    yield from dangers_in_keys(part, _WORDS, pointer)
    if reads_text:
        yield from warnings_in_text(part.get("description"), f"{pointer}/description")


def fact_of(danger: Danger) -> tuple[str, Any]:
    """The field of the hub that a danger states, and its value; `unclear` where nobody can read it.

    >>> [fact_of(danger) for danger in stated_dangers({"x-openai-isConsequential": True, "x-dangerous": "yes"})]
    [('approval', 'always'), ('unclear', ('destructive',))]
    """
    row = danger.row
    if row.accepts(danger.value):
        return row.field, row.load(danger.value)
    return "unclear", (row.doubtful_field,)


def unreadable_effects(part: Mapping[str, Any], pointer: str = "", reads_text: bool = False) -> Iterator[Doubt]:
    """The same dangers where they are stated in a way that nobody can read."""
    for danger in stated_dangers(part, pointer, reads_text):
        if not danger.row.accepts(danger.value):
            statement = to_short_json(danger.value)
            message = f"nobody can read {statement} as a statement about safety; it counts as dangerous"
            yield Doubt("unclear-safety", danger.place, danger.row.doubtful_field, message)


def unbelieved_hints(tool: Tool) -> dict[str, dict[str, Any]]:
    """What the method of an operation hints at, and annotations of a vendor, where nobody vouches for them.

    A method hints at nothing that the annotations deny.
    """
    extension = tool.extension("openapi")
    hints = reassuring_hints(mapping_at(extension, "x-mcp-annotations"))
    method = str(extension.get("method", "")).lower()
    if method in _SAFE and tool.safety_tier is None and tool.destructive is None:
        hints[SAFE_METHOD] = {"safety_tier": "read", "destructive": False}
    if method in _REPEATABLE and tool.idempotent is None:
        hints[REPEATABLE_METHOD] = {"idempotent": True}
    return hints
