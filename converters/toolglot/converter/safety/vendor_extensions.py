"""Danger under keys that belong to no format, in the places where documents let anybody add keys.

Such places are `_meta`, `metadata` and keys that begin with `x-`. A few exact names count there, because people and
products write them. Any other key that sounds like danger is a finding of `check`, and no fact: a table of all that
people might write would still miss most, and would call harmless tools dangerous.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from toolglot.regexes import compile_later


class ForeignKey(msgspec.Struct, frozen=True):
    """A key of no format that counts.

    Attributes:
        field, value: the hub field and the value that the key states by its dangerous answer.
        danger: the dangerous answer, true or false.
        source: who writes the key.
    """

    field: str
    value: Any
    danger: bool
    source: str


# At most fifteen, by their letters; case, `-` and `_` make no difference.
FOREIGN_KEYS: dict[str, ForeignKey] = {
    "destructive": ForeignKey("destructive", True, True, "x-destructive of OpenAPI; _meta of tool servers"),
    "destructivehint": ForeignKey("destructive", True, True, "ToolAnnotations, in extensions of OpenAPI"),
    "readonlyhint": ForeignKey("safety_tier", "write", False, "ToolAnnotations, in extensions of OpenAPI"),
    "dangerous": ForeignKey("destructive", True, True, "x-dangerous of OpenAPI"),
    "irreversible": ForeignKey("reversible", False, True, "effects of command lines, as their opposite"),
    "reversible": ForeignKey("reversible", False, False, "effects of command lines"),
    "billable": ForeignKey("billable", True, True, "effects of command lines"),
    "openaiisconsequential": ForeignKey("approval", "always", True, "OpenAI, actions of GPTs"),
    "requireapproval": ForeignKey("approval", "always", True, "OpenAI, tools of remote servers"),
    "requiresapproval": ForeignKey("approval", "always", True, "_meta of tool servers"),
    "approvalrequired": ForeignKey("approval", "always", True, "ATIP 0.5, example of vendor extensions"),
    "requireconfirmation": ForeignKey("approval", "always", True, "Amazon Bedrock, action groups of agents"),
    "needsapproval": ForeignKey("approval", "always", True, "tools of agent SDKs"),
    "requiresconfirmation": ForeignKey("approval", "always", True, "_meta of tool servers"),
}
_OPEN = frozenset({"_meta", "metadata"})
_OF_VENDORS = "x-"
_SPOKEN = {
    **dict.fromkeys(("true", "yes", "always", "enabled"), True),
    **dict.fromkeys(("false", "no", "never", "disabled"), False),
    "": None,
}


def is_open(key: str) -> bool:
    """Whether documents let anybody add keys below this key."""
    return key in _OPEN or key.lower().startswith(_OF_VENDORS)


class ForeignDanger(msgspec.Struct, frozen=True):
    """A danger that is stated under a key that the format does not know.

    Attributes:
        path: the keys that lead to it.
        field: the hub field that it is about.
        is_clear: whether its answer can be read.
        value: the value of the hub field that it states.
    """

    path: tuple[str, ...]
    field: str
    is_clear: bool
    value: Any = None


def foreign_dangers(
    node: Mapping[str, Any], path: tuple[str, ...] = (), takes_any_key: bool = False
) -> Iterator[ForeignDanger]:
    """The dangers that a node states under keys of no format. An unreadable answer counts, a denial does not.

    Args:
        path: the keys that lead to the node.
        takes_any_key: whether anybody may add keys to the node itself.

    >>> own = {"com.acme/requiresApproval": "perhaps", "dangerous": False}
    >>> for danger in foreign_dangers({"x-destructive": True, "_meta": own, "destructive": True}):
    ...     print(danger)
    ForeignDanger(path=('x-destructive',), field='destructive', is_clear=True, value=True)
    ForeignDanger(path=('_meta', 'com.acme/requiresApproval'), field='approval', is_clear=False, value='always')
    >>> [danger.path for danger in foreign_dangers({"x-acme": {"approvalRequired": True}}, ("function",))]
    [('function', 'x-acme', 'approvalRequired')]
    """
    for key, value in node.items():
        if takes_any_key or key.lower().startswith(_OF_VENDORS):
            yield from _stated((*path, key), key, value)
        if isinstance(value, dict) and is_open(key):
            for inner, statement in value.items():
                own_name = inner.rpartition("/")[2]  # behind the prefix of an owner, as in `_meta`
                yield from _stated((*path, key, inner), own_name, statement)


def _stated(path: tuple[str, ...], name: str, value: Any) -> Iterator[ForeignDanger]:
    key = name.lower().removeprefix(_OF_VENDORS)
    known = FOREIGN_KEYS.get("".join(filter(str.isalnum, key)))
    answer = _answer(value)
    if known is not None and answer is not None and answer is not (not known.danger):
        yield ForeignDanger(path, known.field, answer is known.danger, known.value)


def _answer(value: Any) -> Any:
    return _SPOKEN.get(value.strip().lower(), value) if isinstance(value, str) else value


# -- what only sounds like danger ---------------------------------------------------------------------------------

# A participle says what has happened: `deletedAt`, `approved`.
_SOUNDS = compile_later(
    r"destr[ou]|danger|hazard|unsafe|irrevers|undone|consequen|billab|side.?effect|shell|wipe|risk|"
    r"(?:approv|confirm|(?<!per)mutat|execut|delet)(?!ed)",
    re.IGNORECASE,
)
_DEEPEST = 8
NAMES_BELOW = frozenset({
    "properties", "patternProperties", "$defs", "definitions", "dependentRequired", "dependentSchemas", "dependencies",
})  # fmt: skip
"""The keys of a schema whose own keys are names of anything."""
_NOTHING: tuple[Any, ...] = (None, False, 0, [], {})
_NO_STATEMENTS = frozenset({
    "examples", "example", "x-example", "x-examples", "x-ms-examples", "default", "enum", "const", "headers",
    "required", "x-toolglot",
})  # fmt: skip


def sounding_keys(
    node: Any, names_below: frozenset[str] = NAMES_BELOW, depth: int = _DEEPEST
) -> Iterator[tuple[str, ...]]:
    """The paths of keys that sound like danger and do not deny it, in data that no reader reads.

    Where such a key leads to another one, only the inner one is given.

    Args:
        names_below: keys with a mapping by name below them; such names are no statements.

    >>> list(sounding_keys({"deletes": ["rows"], "a": [{"risk": {"is": "high"}}], "unsafe": "no", "approver": None}))
    [('deletes',), ('a', '0', 'risk')]
    >>> list(sounding_keys({"properties": {"risk": {"dangerous": True}}}))
    [('properties', 'risk', 'dangerous')]
    """
    if isinstance(node, list):
        node = {str(index): item for index, item in enumerate(node)}
    elif not isinstance(node, dict):
        return
    for key, value in node.items():
        if key in _NO_STATEMENTS:
            continue
        below = [*sounding_keys(value, names_below, depth - 1)] if depth and isinstance(value, dict | list) else []
        yield from ((key, *inner) for inner in below if key not in names_below or len(inner) > 1)
        if not below and _answer(value) not in _NOTHING and _SOUNDS.search(key):
            yield (key,)
