"""ATIP (specs 1): a program and its commands; unsafe facts of the root and of groups hold below them."""

from __future__ import annotations

from typing import Any

from judge.keys import hear_foreign, mapping_of, respelled, texts_of
from judge.statements import READS_ONLY, Statement
from judge.words import hear

_FILESYSTEM = {"read": (), "write": ("writes",), "delete": ("deletes",), "paths": ()}
_INTERACTIVE = {"stdin": ("stdin", "password"), "prompts": ("prompts",), "tty": ("tty",)}
_QUIET = {"stdin": "none", "prompts": False, "tty": False}  # who says all of it asks nobody for input
_EFFECTS: dict[str, tuple[str, ...]] = {
    "filesystem": ("writes", "deletes"), "network": ("network",), "subprocess": ("executes",),
    "idempotent": ("unrepeatable",), "reversible": ("irreversible",), "destructive": ("destructive",),
    "creates": ("creates",), "modifies": ("modifies",), "deletes": ("removes",), "cost": ("billable",), "duration": (),
    "interactive": ("interactive",),
}  # fmt: skip
_ALL = tuple(dict.fromkeys(fact for facts in _EFFECTS.values() for fact in facts))
_NODE: dict[str, tuple[str, ...]] = {
    "effects": _ALL,
    "authentication": ("credentials",),
}

LOSSES = {"modifies", "removes", "destructive", "deletes"}  # who denies all of them adds things at most


def read(data: Any) -> list[Statement]:
    program = _state(data, str(data.get("name") or (data.get("binary") or {}).get("name")), data.get("title"))
    return _walk(data, program, [], root=None)


def _walk(data: dict[str, Any], node: Statement, above: list[Statement], root: Statement | None) -> list[Statement]:
    commands = data.get("commands")
    commands = commands if isinstance(commands, dict) else {}
    found = []
    takes = bool(data.get("arguments") or data.get("options")) and root is not None
    if not commands or takes:
        called = copy(node)
        called.inherit(above, root)
        conclude(called)
        found.append(called)
    groups = [*above, node] if root is not None else above
    for name, command in commands.items():
        if isinstance(command, dict):
            child = _state(command, f"{node.name} {name}".strip(), None)
            found += _walk(command, child, groups, root or node)
    return found


def copy(node: Statement) -> Statement:
    return Statement(
        node.name, list(node.texts), set(node.dangers), set(node.denials), set(node.claims), set(node.entailed),
        set(node.stated), set(node.unclear), set(node.doubtful), node.asks, tier=node.tier,
        warnings=list(node.warnings), says_read_only=node.says_read_only, additive=node.additive,
    )  # fmt: skip


def _state(data: dict[str, Any], name: str, title: Any) -> Statement:
    node = Statement(name, [text for text in (data.get("description"), title) if isinstance(text, str)])
    hear(node, *node.texts)
    hear_foreign(node, data)
    entries = respelled(data, _NODE, node)
    effects = respelled(mapping_of(node, entries.get("effects"), *_ALL), _EFFECTS, node)
    files = respelled(mapping_of(node, effects.get("filesystem"), "writes", "deletes"), _FILESYSTEM, node)
    node.state("writes", files.get("write"))
    node.state("deletes", files.get("delete"))
    node.state("network", effects.get("network"))
    node.state("executes", effects.get("subprocess"))
    node.state("destructive", effects.get("destructive"))
    node.state("irreversible", effects.get("reversible"), danger=False)
    node.state("unrepeatable", effects.get("idempotent"), danger=False)
    for key, fact in (("creates", "creates"), ("modifies", "modifies"), ("deletes", "removes")):
        if texts_of(node, effects.get(key), fact):
            node.dangers.add(fact)
        elif effects.get(key) == []:
            node.denials.add(fact)
    cost = respelled(
        mapping_of(node, effects.get("cost"), "billable"), {"billable": ("billable",), "estimate": ("estimate",)}, node
    )
    node.state("billable", cost.get("billable"))
    places = (effects.get("interactive"), data.get("interactive"))  # the second place is no key of the text
    _interactive(
        node, [respelled(mapping_of(node, place, *_EFFECTS["interactive"]), _INTERACTIVE, node) for place in places]
    )
    if "interactive" in node.unclear:
        node.doubtful.add("credentials")  # it may be about a password
    _authentication(node, entries.get("authentication"))
    node.additive = node.denials >= LOSSES and "irreversible" not in node.dangers
    return node


def _interactive(node: Statement, places: list[dict[str, Any]]) -> None:
    """What all the places together say; one that is silent about a fact takes nothing back from another."""
    denied = set()
    for place in places:
        stdin = place.get("stdin")
        if stdin is not None:
            node.stated |= {"stdin", "password"}
        if stdin in ("required", "password"):
            danger = "stdin" if stdin == "required" else "password"
            node.dangers.add(danger)
        elif stdin not in (None, "none", "optional"):
            node.unclear |= {"stdin", "password"}
        node.state("prompts", place.get("prompts"))
        node.state("tty", place.get("tty"))
        denied |= {fact for fact, quiet in _QUIET.items() if place.get(fact) is not None and place[fact] == quiet}
    loud = any(place.get("stdin") not in (None, "none") for place in places)
    if denied == set(_QUIET) and not loud:
        node.deny("interactive")


def _authentication(node: Statement, value: Any) -> None:
    keys = {"required": ("credentials",), "methods": ("credentials",), "checkCommand": ()}
    data = respelled(mapping_of(node, value, "credentials"), keys, node)
    node.state("credentials", data.get("required"))
    methods = data.get("methods")
    if isinstance(methods, list):
        node.stated.add("credentials")
        if any(isinstance(item, dict) and item.get("type") != "none" for item in methods):
            node.dangers.add("credentials")
        if not all(isinstance(item, dict) for item in methods):
            node.unclear.add("credentials")
    elif methods is not None:
        node.unclear.add("credentials")


def conclude(leaf: Statement) -> None:
    """Reading only, as a program can prove it: RO(ATIP) of specs 6.0, and nothing that cannot be understood."""
    dangerous = leaf.alarms() & {"destructive", "irreversible", "executes", "billable", "changes"}
    if {"network", "writes", "deletes"} <= leaf.denials - leaf.alarms() and not dangerous and not leaf.unclear:
        leaf.entailed |= READS_ONLY
        leaf.additive = True
