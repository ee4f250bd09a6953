"""Slots: what a lossless conversion keeps of a tool in a record, as anybody may have written it.

Without `--restore` a slot is a stranger's word: it raises caution, and nothing else comes of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from judge import hub
from judge.claims import is_ours
from judge.documents import Document, closed, opened

_OTHERS = ("assumed", "provenance")  # which stand beside a slot, and are none
_CALM: dict[str, Any] = {
    "safety_tier": "pure", "approval": "never", "egress": "none", "risk_level": 0, "mutates": [],
    "cost_class": "trivial", "destructive": False, "reversible": True, "idempotent": True, "network": False,
    "subprocess": False, "writes_files": False, "deletes_files": False, "billable": False, "auth_required": False,
    "replay": "deterministic", "hosts": [], "secrets": [], "creates": [], "modifies": [], "deletes": [],
    "stdin": "none", "prompts": False, "tty": False, "flags": [], "unclear": [], "description": "Reads a note.",
    "title": "Reader", "extensions": {"mcp": {"annotations": {"readOnlyHint": True}}},
}  # fmt: skip
_ALARMING: dict[str, Any] = {
    "destructive": True, "reversible": False, "idempotent": False, "network": True, "subprocess": True,
    "billable": True, "deletes_files": True, "writes_files": True, "approval": "always", "risk_level": 3,
    "hosts": ["evil.invalid"], "secrets": ["token"], "title": "Writer",
}  # fmt: skip
ALARMS = frozenset({
    "destructive", "irreversible", "unrepeatable", "network", "executes", "billable", "deletes", "writes", "approval",
})  # fmt: skip


def _forge(values: dict[str, Any]) -> Callable[[Any], Any]:
    def forge(data: Any, is_tool: bool = False) -> Any:
        if isinstance(data, dict):
            inner = {key: forge(value, key in ("tool", "children")) for key, value in data.items()}
            return {**inner, **values} if is_tool else inner
        return [forge(item, is_tool) for item in data] if isinstance(data, list) else data

    return forge


FORGERIES: dict[str, Callable[[Any], Any]] = {
    "true": lambda slot: slot,
    "calm": _forge(_CALM),
    "alarming": _forge(_ALARMING),
    "broken": lambda slot: dict.fromkeys(slot, "broken") if isinstance(slot, dict) else [],
}


def with_slots(document: Document, forge: Callable[[Any], Any]) -> Document:
    """The document with every slot of it forged."""
    data, body = opened(document)
    return closed(document.format, _replace(data, forge), body)


def without_slots(document: Document) -> Document:
    """The document without its slots; a mark stays."""
    return with_slots(document, lambda slot: None)


def _replace(data: Any, forge: Callable[[Any], Any]) -> Any:
    if isinstance(data, list):
        return [_replace(item, forge) for item in data]
    if not isinstance(data, dict):
        return data
    found = {}
    for key, value in data.items():
        if is_ours(key) and isinstance(value, dict | list):
            value = _replace_slot(value, forge)
        else:
            value = _replace(value, forge)
        if value is not None or data[key] is None:
            found[key] = value
    return found


def _replace_slot(ours: Any, forge: Callable[[Any], Any]) -> Any:
    others = {key: ours[key] for key in _OTHERS if key in ours} if isinstance(ours, dict) else {}
    slot = {key: value for key, value in ours.items() if key not in others} if isinstance(ours, dict) else ours
    forged = forge(slot) if slot else None
    return {**others, **forged} if isinstance(forged, dict) else forged or others or None


def calm_parts(content: bytes) -> list[Any]:
    """A document of the hub without what speaks of danger, and without slots: all that a slot may not change."""
    return [_calm_part(item) for item in opened(without_slots(Document("hub", content)))[0]["tools"]]


def _calm_part(tool: dict[str, Any]) -> dict[str, Any]:
    parts = {key: value for key, value in tool.items() if key not in (*hub.RAISED, "assumed", "extensions")}
    extensions = _filled(tool.get("extensions") or {})
    parts["extensions"] = {
        format: {key: value for key, value in rest.items() if key not in hub.RAISED}
        for format, rest in extensions.items()
    }  # where a marked value stands that states nothing
    parts["children"] = [_calm_part(child) for child in tool.get("children") or ()]
    return parts


def _filled(data: Any) -> Any:
    """The data without empty objects, which a slot leaves behind."""
    if not isinstance(data, dict):
        return data
    filled = {key: _filled(value) for key, value in data.items()}
    return {key: value for key, value in filled.items() if value not in ({}, None)}
