"""toolglot's own JSON: a tree whose fields have the names of its schema (`schemas/hub`)."""

from __future__ import annotations

from typing import Any

from judge import atip
from judge.statements import ALWAYS, NEVER, READS_ONLY, SOMETIMES, Statement
from judge.words import hear, hear_tags

_FACTS = {
    "writes_files": ("writes", True), "deletes_files": ("deletes", True), "network": ("network", True),
    "subprocess": ("executes", True), "destructive": ("destructive", True), "reversible": ("irreversible", False),
    "idempotent": ("unrepeatable", False), "prompts": ("prompts", True), "tty": ("tty", True),
    "billable": ("billable", True), "auth_required": ("credentials", True),
}  # fmt: skip
_FLAGS = {
    "destructive": "destructive", "not-reversible": "irreversible", "not-idempotent": "unrepeatable",
    "billable": "billable", "runs-programs": "executes", "deletes-files": "deletes", "deletes-data": "removes",
    "writes-files": "writes",
    "changes-data": "changes", "network": "network", "credentials": "credentials", "interactive": "interactive",
    "asks-password": "interactive",
    "risk-1": "changes", "risk-2": "changes",
}  # fmt: skip
_CLASSES = {
    "workspace": "workspace", "fs": "workspace", "network": "network scope", "sandbox": "sandbox", "process": "sandbox",
}  # fmt: skip
_UNCLEAR = {
    **{name: fact for name, (fact, _) in _FACTS.items()}, "mutates": "mutates", "creates": "creates",
    "modifies": "modifies", "deletes": "removes", "approval": "approval", "cost_class": "cost",
    "safety_tier": "exec", "egress": "egress", "hosts": "hosts", "stdin": "password",
    "auth_methods": "credentials", "secrets": "credentials", "replay": "unrepeatable", "cost_estimate": "estimate",
}  # fmt: skip
_TEXTS = ("description", "summary", "title", "when_to_use", "guidance", "body")

# The fields that a slot may raise: those that say how dangerous a tool is, and lead nowhere.
RAISED = frozenset({*_UNCLEAR, "risk_level", "flags", "unclear"}) - {"hosts", "auth_methods", "secrets"}


def read(data: dict[str, Any]) -> list[Statement]:
    return _walk(data, "", [], None)


def _walk(data: dict[str, Any], path: str, above: list[Statement], root: Statement | None) -> list[Statement]:
    node = _state(data, f"{path} {data.get('id', '')}".strip())
    children = data.get("children") or []
    found = []
    if not children or data.get("inputs") is not None:
        called = atip.copy(node)
        _together(called, data)
        called.inherit(above, root)
        atip.conclude(called)
        found.append(called)
    groups = [*above, node] if root is not None else above
    for child in children:
        found += _walk(child, node.name, groups, root or node)
    return found


def _state(data: dict[str, Any], name: str) -> Statement:
    tool = Statement(name)
    tool.texts = [data[key] for key in _TEXTS if isinstance(data.get(key), str)]
    hear(tool, *tool.texts)
    hear_tags(tool, data.get("tags"))
    for key, (fact, danger) in _FACTS.items():
        tool.state(fact, data.get(key), danger)
    for key, fact in (("creates", "creates"), ("modifies", "modifies"), ("deletes", "removes")):
        if data.get(key):
            tool.dangers.add(fact)
        elif data.get(key) == []:
            tool.denials.add(fact)
    if data.get("mutates") is not None:
        tool.stated |= {"mutates", *_CLASSES.values()}
    for entry in data.get("mutates") or ():
        tool.dangers.add("mutates")
        kind = entry.partition(":")[0]
        if kind in _CLASSES:
            tool.dangers.add(_CLASSES[kind])
    if data.get("hosts") is not None:
        (tool.dangers if data["hosts"] else tool.stated).add("hosts")
    for key, fact in (("auth_methods", "methods"), ("secrets", "secrets")):
        if data.get(key):
            tool.dangers.add(fact)
        elif data.get(key) == []:
            tool.stated.add(fact)
    if data.get("stdin") is not None:
        tool.stated |= {"stdin", "password"}
    if data.get("stdin") in ("required", "password"):
        tool.dangers.add("password" if data["stdin"] == "password" else "stdin")
    _egress(tool, data.get("egress"))
    tool.additive = tool.denials >= atip.LOSSES and "irreversible" not in tool.dangers
    _tier(tool, data)
    _approval(tool, data)
    if data.get("cost_class") in ("metered", "expensive"):
        tool.dangers.add("cost")
    elif data.get("cost_class") == "trivial":
        tool.stated.add("cost")
        tool.entailed.add("billable")
        tool.claims.add("billable")
    for flag in data.get("flags") or ():
        if flag in _FLAGS:
            tool.dangers.add(_FLAGS[flag])
        elif flag == "risk-3":
            tool.dangers.add("risk")
        elif flag == "always-asks-approval":
            tool.ask(ALWAYS)
        elif flag == "may-ask-approval":
            tool.ask(SOMETIMES)
    if data.get("implements") and not data.get("inherits"):  # nobody knows what it does
        tool.unclear |= {"changes", "destructive", "irreversible", "approval"}
    for field in data.get("unclear") or ():
        if field == "risk_level":
            tool.unclear.add("risk")
        elif field in _UNCLEAR:
            tool.unclear.add(_UNCLEAR[field])
        if field == "mutates" and data.get("approval") == "on-mutate":
            tool.ask(ALWAYS)  # nobody can read what it changes, so it is asked about every time
    return tool


def _egress(tool: Statement, egress: Any) -> None:
    if egress == "none":
        tool.stated.add("egress")
        tool.entailed.add("network")
        tool.claims.add("network")
    elif egress is not None:
        tool.dangers.add("egress")


def _tier(tool: Statement, data: dict[str, Any]) -> None:
    tier, risk = data.get("safety_tier"), data.get("risk_level")
    if tier in ("pure", "read") or (data.get("mutates") == [] and risk in (None, 0)):
        tool.entailed |= READS_ONLY
        tool.claims |= READS_ONLY
        tool.additive = True
    if tier == "write":
        tool.dangers.add("tier")
    if risk in (1, 2):
        tool.dangers.add("low risk")
    if tier is not None:
        tool.stated |= {"exec", "tier"}
    if tier == "exec":
        tool.dangers.add("exec")
    if risk is not None:
        tool.stated |= {"risk", "low risk"}
    if risk == 3:
        tool.dangers.add("risk")


def _together(tool: Statement, data: dict[str, Any]) -> None:
    """What only several fields of one node say together."""
    if data.get("stdin") == "none" and data.get("prompts") is False and data.get("tty") is False:
        tool.deny("interactive")
    tier, replay = data.get("safety_tier"), data.get("replay")
    if replay in ("idempotent", "deterministic"):
        tool.claims.add("replay")
    if replay == "non-deterministic":
        found = tool.dangers if tier in ("write", "exec") else tool.doubtful
        found.add("unrepeatable")
    if replay == "deterministic" and tier in ("pure", "read"):
        tool.deny("unrepeatable")
    if data.get("mutates") and data.get("approval") == "auto":
        tool.ask(SOMETIMES)
    if data.get("mutates") and data.get("approval") == "on-mutate":
        tool.ask(ALWAYS)


def _approval(tool: Statement, data: dict[str, Any]) -> None:
    word = data.get("approval")
    if word in ("never", "auto"):
        tool.ask(NEVER)
    elif word == "always":
        tool.ask(ALWAYS)
    elif word is not None:
        tool.ask(SOMETIMES)
