"""AIP-39 actions: what one says that tools inherit.

A fact that an action states in a way that nobody can read counts as the worst that it could mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from toolglot.converter import safety
from toolglot.converter.formats import Finding
from toolglot.converter.formats.aip14.keys import OF_ACTIONS, with_present_keys
from toolglot.converter.formats.kit.field_tables import Table, take, text, texts
from toolglot.converter.formats.kit.unreadable_facts import doubts
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import only_keys, texts_at

SCHEMA_LINE = "action/v1"


class _Narrowed(msgspec.Struct, frozen=True):
    """A fact of an action: the worst that it may mean, and what is said of a tool that takes from it."""

    worst: Any
    message: str


TABLE: Table = {
    "mutates": texts("mutates"),
    **OF_ACTIONS,
    "category": text("category"),
}
_NEEDED = "{action} needs {lacking}, and a tool may add to that but not take from it; list it, or leave the key out"
NARROWED = {
    "mutates": _Narrowed(
        ("external:*",),
        "{action} changes {lacking}, and a tool may add to that but not take from it; list it, or leave the key out",
    ),
    "hosts": _Narrowed(("*",), _NEEDED),
    "secrets": _Narrowed(("*",), _NEEDED),
    "calls": _Narrowed(("*",), _NEEDED),
    "approval": _Narrowed("always", "{action} asks {lacking}, and a tool may ask more often but not less"),
    "risk_level": _Narrowed(3, "the risk of {action} is {lacking}, and a tool may raise it but not lower it"),
}
"""What a tool may not take from what its action says, by field."""


def action_of(data: dict[str, Any]) -> tuple[Tool, dict[str, str]]:
    """What tools inherit from the action that the front matter of an ACTION.md, or an inline block, describes.

    What the hub has no field for (`target_kind`, `fires_events`) is an extension.

    Returns:
        The facts under the id of the action; and what cannot be read: JSON Pointer in the data -> a sentence.

    >>> action_of({"id": "shelf:fill", "mutates": ["shelf:*"], "risk_level": "high"})[0]
    Tool(id='shelf:fill', mutates=('shelf:*',), risk_level=3)
    >>> action_of({"id": "shelf:burn", "x-destructive": True})[0]
    Tool(id='shelf:burn', risk_level=3)
    >>> action_of({"id": "shelf:lend", "requires": {"network": [], "screts": ["card"]}})[0]
    Tool(id='shelf:lend', hosts=(), secrets=('*',))
    """
    data = with_present_keys(data)
    fields: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for doubt in doubts(take(data, TABLE, fields), TABLE, (), NARROWED):
        fields[doubt.field] = NARROWED[doubt.field].worst
        faults[doubt.pointer] = "; ".join(filter(None, (doubt.message, doubt.hint)))
    fields.update(warned_facts(data))
    identifier = data.get("id")
    if not (isinstance(identifier, str) and identifier):
        faults["/id"] = "an action has an id"
        identifier = "an action without an id"
    rest = only_keys(data, ("target_kind", "fires_events"))
    return Tool(id=identifier, extensions={"aip14": rest} if rest else None, **fields), faults


def find_faults_of_manifest(data: dict[str, Any], path: str | None) -> Iterator[Finding]:
    """What of an action cannot be understood."""
    for pointer, message in action_of(data)[1].items():
        yield Finding("action-invalid", pointer, message)


def warned_facts(data: dict[str, Any]) -> dict[str, Any]:
    """What the texts and the tags of an action, or of what carries out a tool, warn of, at worst; and foreign keys.

    >>> warned_facts({"tags": ["shelf", "destructive"], "name": "Burn"}), warned_facts({"x-destructive": True})
    ({'risk_level': 3}, {'risk_level': 3})
    """
    texts = {field: data[key] for key, field in _WARNING.items() if isinstance(data.get(key), str)}
    tags = tuple(tag for key in ("tags", "policy_tags") for tag in texts_at(data, key))
    warnings = safety.text_warnings(Tool(id="", tags=tags or None, **texts))
    fields = [safety.WORDS[name].facet for name in warnings]
    fields += [danger.field for danger in safety.foreign_dangers(data)]
    names = {field if field in NARROWED else "risk_level" for field in fields}
    return {name: NARROWED[name].worst for name in names}


_WARNING = {"name": "title", "description": "description", "category": "category"}
