"""Danger that stands under keys of no format: in the places where documents let anybody add what he likes.

Such places are keys that begin with `x-`, `_meta` and `metadata`. A few exact names count there, because people and
products write them. Every other key that sounds like danger is a finding of `check`, and no fact: a table of all that
people might write hears little, and calls harmless tools dangerous.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolglot.regexes import compile_later


class ForeignKey(NamedTuple):
    """What a name is about: a field of the hub, the answer that is a danger, and who writes it."""

    field: str
    danger: bool
    source: str


# At most fifteen, by their letters; case, `-` and `_` make no difference.
FOREIGN_KEYS: dict[str, ForeignKey] = {
    "destructive": ForeignKey("destructive", True, "x-destructive of OpenAPI operations; _meta of MCP servers"),
    "destructivehint": ForeignKey("destructive", True, "MCP, ToolAnnotations, in x-mcp-annotations of OpenAPI"),
    "readonlyhint": ForeignKey("modifies", False, "MCP, ToolAnnotations, in x-mcp-annotations of OpenAPI"),
    "dangerous": ForeignKey("destructive", True, "x-dangerous of OpenAPI operations"),
    "irreversible": ForeignKey("reversible", True, "ATIP, effects, as its opposite"),
    "reversible": ForeignKey("reversible", False, "ATIP, effects"),
    "billable": ForeignKey("billable", True, "ATIP, effects"),
    "openaiisconsequential": ForeignKey("approval", True, "OpenAI, actions of GPTs"),
    "requireapproval": ForeignKey("approval", True, "OpenAI, tools of remote servers"),
    "requiresapproval": ForeignKey("approval", True, "_meta of MCP servers"),
    "approvalrequired": ForeignKey("approval", True, "ATIP 0.5, example of vendor extensions"),
    "needsapproval": ForeignKey("approval", True, "tools of agent SDKs"),
    "requiresconfirmation": ForeignKey("approval", True, "_meta of MCP servers"),
}
_OPEN = frozenset({"_meta", "metadata"})
_OF_VENDORS = "x-"
_SPOKEN = {"true": True, "yes": True, "always": True, "false": False, "no": False, "never": False, "": None}


class ForeignDanger(NamedTuple):
    """One that was found: the keys that lead to it, and the field of the hub that it is about."""

    path: tuple[str, ...]
    field: str


def foreign_dangers(node: Mapping[str, Any]) -> Iterator[ForeignDanger]:
    """The dangers that a node states under keys of no format; what cannot be read counts, and what denies one does not.

    >>> own = {"com.acme/requiresApproval": "yes", "dangerous": False}
    >>> [danger.path for danger in foreign_dangers({"x-destructive": True, "_meta": own, "destructive": True})]
    [('x-destructive',), ('_meta', 'com.acme/requiresApproval')]
    >>> [danger.field for danger in foreign_dangers({"x-acme": {"approvalRequired": True}})]
    ['approval']
    """
    for key, value in node.items():
        name = key[len(_OF_VENDORS) :] if key[: len(_OF_VENDORS)].lower() == _OF_VENDORS else ""
        if name and _is_danger(name, value):
            yield ForeignDanger((key,), FOREIGN_KEYS[fold_key(name)].field)
        elif isinstance(value, dict) and (name or key in _OPEN):
            for inner, statement in value.items():
                own_name = inner.rpartition("/")[2]  # behind the prefix of an owner, as in `_meta`
                if _is_danger(own_name, statement):
                    yield ForeignDanger((key, inner), FOREIGN_KEYS[fold_key(own_name)].field)


def fold_key(key: str) -> str:
    """What is the same in all spellings of a key.

    >>> fold_key("READ-ONLY"), fold_key("readOnly")
    ('readonly', 'readonly')
    """
    return "".join(filter(str.isalnum, key.lower()))


def _is_danger(key: str, value: Any) -> bool:
    known = FOREIGN_KEYS.get(fold_key(key))
    if known is None or value is None:
        return False
    answer = _SPOKEN.get(value.strip().lower(), value) if isinstance(value, str) else value
    return answer is not None and answer is not (not known.danger)


# -- what only sounds like danger ---------------------------------------------------------------------------------

_SOUNDS = compile_later(
    r"destruct|danger|hazard|unsafe|irrevers|undone|consequen|approv|confirm|billab|side.?effect|mutat|"
    r"execut|shell|delet|wipe|risk",
    re.IGNORECASE,
)
_DEEPEST = 4
_NO_STATEMENTS = frozenset({
    "properties", "schema", "examples", "example", "default", "enum", "const", "headers", "input", "arguments",
})  # fmt: skip


def sounding_keys(node: Mapping[str, Any], depth: int = _DEEPEST) -> Iterator[tuple[str, ...]]:
    """The keys of what nobody reads that sound like danger and do not deny it, each behind those that lead to it.

    >>> list(sounding_keys({"deletesRows": True, "a": {"risk": "high"}, "unsafe": False, "approver": None}))
    [('deletesRows',), ('a', 'risk')]
    """
    for key, value in node.items():
        if key in _NO_STATEMENTS or key.startswith(("$", "x-toolglot")):
            continue
        if isinstance(value, dict):
            if depth:
                yield from ((key, *inner) for inner in sounding_keys(value, depth - 1))
        elif value not in (None, False, "", [], 0) and _SOUNDS.search(key):
            yield (key,)
