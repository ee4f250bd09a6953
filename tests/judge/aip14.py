"""AIP-14 TOOL.md (specs 5): front matter, Markdown, and the action that a tool implements (AIP-39)."""

from __future__ import annotations

from typing import Any

from judge.keys import hear_foreign, mapping_of, respelled, texts_of
from judge.marks import assumed, is_constant, stated
from judge.statements import ALWAYS, NEVER, READS_ONLY, SOMETIMES, Statement
from judge.words import hear

_KEYS: dict[str, tuple[str, ...]] = {
    "idempotent": ("unrepeatable",), "mutates": ("changes",), "requires": ("network", "credentials"),
    "approval": ("approval",), "risk_level": ("destructive", "irreversible"), "cost_class": ("billable",),
    "implements": (),
}  # fmt: skip
# What a conversion writes where nobody states anything; approval depends on what else is stated.
_CONSTANTS: dict[str, Any] = {"mutates": ["external:*"], "risk_level": 2, "cost_class": "metered"}
_ASKED_ALWAYS = frozenset({"destructive", "irreversible", "deletes", "removes", "executes"})
_OF_ACTIONS = ("mutates", "requires", "approval", "risk_level")
_REQUIRES = {"network": ("network",), "secrets": ("credentials",), "tools": ()}
_CLASSES = {"workspace": "writes", "fs": "writes", "network": "network", "sandbox": "executes", "process": "executes"}

# The standard actions of AIP-39: what they change, how risky they are, and when a person is asked.
_ACTIONS: dict[str, dict[str, Any]] = {
    "sandbox:execute": {"mutates": ["sandbox:*"], "risk_level": 2, "approval": "on-mutate"},
    "sandbox:network-egress": {
        "mutates": ["network:*"], "risk_level": 2, "approval": "on-mutate", "requires": {"network": ["*"]},
    },
    "secrets:reveal": {"mutates": [], "risk_level": 1, "approval": "on-mutate"},
    "secrets:rotate": {
        "mutates": ["external:*", "database:secrets"], "risk_level": 3, "approval": "always",
        "requires": {"network": ["*"]},
    },
    "storage:commit": {"mutates": ["storage:*"], "risk_level": 1, "approval": "auto"},
    "storage:write": {"mutates": ["storage:*"], "risk_level": 1, "approval": "auto"},
}  # fmt: skip


def read(data: dict[str, Any], body: str) -> list[Statement]:
    tool = Statement(str(data.get("id")))
    tool.texts = [text for text in (data.get("description"), data.get("name"), body) if isinstance(text, str)]
    hear(tool, *tool.texts)
    hear_foreign(tool, data)
    entries = respelled(without_mark(data, body), _KEYS, tool)
    views = [entries]
    reference = entries.get("implements")
    if reference is not None:
        action = _action(reference)
        views.append(respelled(action or {}, {key: _KEYS[key] for key in _OF_ACTIONS}, tool))
        if action is None:  # nobody knows what it does, so it does what any action may
            tool.unclear |= {"changes", "destructive", "irreversible", "approval"}
    _merge(tool, views)
    _defaults(tool, data)
    return [tool]


def without_mark(data: dict[str, Any], body: str) -> dict[str, Any]:
    """The record without the marked values that are exactly what a conversion writes where nobody states anything."""
    mark = assumed(data, "metadata", "toolglot")
    rest = stated(data, mark, _CONSTANTS)
    if "approval" not in mark or "approval" not in rest:
        return rest
    without = {key: value for key, value in rest.items() if key != "approval"}
    (tool,) = read(without, body)
    supposed = "always" if tool.alarms() & _ASKED_ALWAYS else "on-mutate"
    return without if is_constant(rest["approval"], supposed) else rest


def _action(reference: Any) -> dict[str, Any] | None:
    if isinstance(reference, dict):
        inline = reference.get("inline")
        if isinstance(inline, dict):
            return inline
        reference = reference.get("ref")
    return _ACTIONS.get(reference) if isinstance(reference, str) else None


def _merge(tool: Statement, views: list[dict[str, Any]]) -> None:
    """The union of what is changed and needed, the higher risk, the stricter approval (specs 5.4)."""
    entries, stated_empty = [], False
    risks = []
    for view in views:
        _one(tool, view)
        some = texts_of(tool, view.get("mutates"), "changes")
        entries += some
        stated_empty = stated_empty or view.get("mutates") == []
        risks.append(_risk(tool, view.get("risk_level")))
    if entries:
        tool.dangers.add("changes")
        for entry in entries:
            kind = entry.partition(":")[0]
            if kind in _CLASSES:
                tool.dangers.add(_CLASSES[kind])
    highest = max((risk for risk in risks if risk is not None), default=None)
    if highest is not None and highest >= 1:
        tool.dangers.add("changes")
    if highest == 3:
        tool.dangers |= {"destructive", "irreversible"}
    if stated_empty and not entries and not highest and "changes" not in tool.alarms():
        tool.entailed |= READS_ONLY
        tool.claims |= READS_ONLY
        tool.additive = True
    for view in views:
        _approval(tool, view.get("approval"), bool(entries))
    if entries and tool.asks == NEVER:
        tool.asks = SOMETIMES  # a change that nobody approves is invalid, and read as on-mutate (specs 5.2)


def _one(tool: Statement, view: dict[str, Any]) -> None:
    tool.state("unrepeatable", view.get("idempotent"), danger=False)
    cost = view.get("cost_class")
    if cost in ("metered", "expensive"):
        tool.dangers.add("billable")
    elif cost == "trivial":
        tool.deny("billable")
    elif cost is not None:
        tool.unclear.add("billable")
    needs = respelled(mapping_of(tool, view.get("requires"), "network", "credentials"), _REQUIRES, tool)
    if texts_of(tool, needs.get("network"), "network"):
        tool.dangers.add("network")
    if texts_of(tool, needs.get("secrets"), "credentials"):
        tool.dangers.add("credentials")


def _risk(tool: Statement, value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value not in (0, 1, 2, 3):
        tool.unclear |= {"destructive", "irreversible"}
        return None
    return int(value)


def _approval(tool: Statement, value: Any, changing: bool) -> None:
    if value is None:
        return
    if value == "auto":
        tool.ask(NEVER)
    elif value == "on-mutate":
        approval = ALWAYS if changing else SOMETIMES
        tool.ask(approval)
    elif value == "always":
        tool.ask(ALWAYS)
    elif isinstance(value, str) and value.startswith("policy:") and len(value) > len("policy:"):
        tool.ask(SOMETIMES)
    else:
        tool.unclear.add("approval")


def _defaults(tool: Statement, data: dict[str, Any]) -> None:
    """What a host of AIP-14 takes an absent field for (specs 5.1)."""
    if data.get("mutates") in (None, []):
        tool.claims |= READS_ONLY
    if data.get("cost_class") is None:
        tool.claims.add("billable")
    tool.asks_by_default = NEVER if data.get("approval") is None else None
