"""AIP-39 actions: the facts that tools inherit from them.

A fact that cannot be read counts as its most dangerous value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from toolglot.converter import safety
from toolglot.converter.formats import Finding
from toolglot.converter.formats.aip14.keys import SHARED_WITH_ACTIONS, with_present_keys
from toolglot.converter.formats.kit.field_tables import Table, take, text, texts
from toolglot.converter.formats.kit.unreadable_facts import doubts
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import only_keys, texts_at

SCHEMA_LINE = "action/v1"


class _InheritedFact(msgspec.Struct, frozen=True):
    """A fact that tools inherit.

    Attributes:
        worst: the most dangerous value, which counts where the action's own cannot be read.
        message: the fault of a tool that states less danger than its action.
    """

    worst: Any
    message: str


ACTION_TABLE: Table = {
    "mutates": texts("mutates"),
    **SHARED_WITH_ACTIONS,
    "category": text("category"),
}
_NEEDS_MESSAGE = (
    "{action} needs {lacking}, and a tool may add to that but not take from it; list it, or leave the key out"
)
INHERITED_FACTS = {
    "mutates": _InheritedFact(
        ("external:*",),
        "{action} changes {lacking}, and a tool may add to that but not take from it; list it, or leave the key out",
    ),
    "hosts": _InheritedFact(("*",), _NEEDS_MESSAGE),
    "secrets": _InheritedFact(("*",), _NEEDS_MESSAGE),
    "calls": _InheritedFact(("*",), _NEEDS_MESSAGE),
    "approval": _InheritedFact("always", "{action} asks {lacking}, and a tool may ask more often but not less"),
    "risk_level": _InheritedFact(3, "the risk of {action} is {lacking}, and a tool may raise it but not lower it"),
}
"""Hub field -> the fact that a tool inherits from its action, and may only make more dangerous."""


def action_of(data: dict[str, Any]) -> tuple[Tool, dict[str, str]]:
    """The facts that tools inherit from an action.

    Args:
        data: the front matter of an ACTION.md, or an inline block.

    Returns:
        A tool with the id and the facts of the action, and with `target_kind` and `fires_events`, which have no hub
        field, as its extension; and the faults: JSON Pointer in the data -> a sentence.

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
    for doubt in doubts(take(data, ACTION_TABLE, fields), ACTION_TABLE, (), INHERITED_FACTS):
        fields[doubt.field] = INHERITED_FACTS[doubt.field].worst
        faults[doubt.pointer] = "; ".join(filter(None, (doubt.message, doubt.hint)))
    fields.update(warned_facts(data))
    identifier = data.get("id")
    if not (isinstance(identifier, str) and identifier):
        faults["/id"] = "an action has an id"
        identifier = "an action without an id"
    rest = only_keys(data, ("target_kind", "fires_events"))
    return Tool(id=identifier, extensions={"aip14": rest} if rest else None, **fields), faults


def find_faults_of_manifest(data: dict[str, Any], path: str | None) -> Iterator[Finding]:
    """The parts of an ACTION.md that cannot be read."""
    for pointer, message in action_of(data)[1].items():
        yield Finding("action-invalid", pointer, message)


def warned_facts(data: dict[str, Any]) -> dict[str, Any]:
    """The most dangerous values of what the texts, tags and unknown keys of an action or a driver warn of.

    A warning about a field that tools do not inherit counts as the highest risk.

    >>> warned_facts({"tags": ["shelf", "destructive"], "name": "Burn"}), warned_facts({"x-destructive": True})
    ({'risk_level': 3}, {'risk_level': 3})
    """
    texts = {field: data[key] for key, field in _FIELD_OF_TEXT.items() if isinstance(data.get(key), str)}
    tags = tuple(tag for key in ("tags", "policy_tags") for tag in texts_at(data, key))
    warnings = safety.text_warnings(Tool(id="", tags=tags or None, **texts))
    fields = [safety.WORDS[name].facet for name in warnings]
    fields += [danger.field for danger in safety.foreign_dangers(data)]
    names = {field if field in INHERITED_FACTS else "risk_level" for field in fields}
    return {name: INHERITED_FACTS[name].worst for name in names}


_FIELD_OF_TEXT = {"name": "title", "description": "description", "category": "category"}  # key with a text -> hub field
