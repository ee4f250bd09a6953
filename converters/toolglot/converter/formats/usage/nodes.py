"""What a node of a usage specification says: a fact can be a property or a node of its own, and means the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from toolglot.converter.text.pointers import without_keys

KdlNode = dict[str, Any]

# Nodes that are no facts even where they look like one: a name and a value.
_PARTS = frozenset({"flag", "arg", "cmd", "alias", "example", "choices", "mount", "complete", "group", "config"})


class Statements(msgspec.Struct, frozen=True):
    """What a node says.

    Attributes:
        facts: name -> value.
        parts: name -> the nodes of that name which say more than one value, and those that say a fact again.
    """

    facts: dict[str, Any]
    parts: dict[str, list[KdlNode]]

    def take(self, *names: str) -> dict[str, Any]:
        """The facts of these names, which are taken out."""
        return {name: self.facts.pop(name) for name in names if name in self.facts}

    def take_parts(self, name: str) -> list[KdlNode]:
        return self.parts.pop(name, [])

    def take_values(self, name: str) -> list[Any]:
        """Every value that is given for a fact, as a property, as a node, or more than once."""
        values = [self.facts.pop(name)] if name in self.facts else []
        for node in self.take_parts(name):
            values += node.get("arguments", [None])
        return values

    @property
    def rest(self) -> dict[str, Any]:
        """What nobody has taken."""
        return {**self.parts, **self.facts}


def statements(properties: dict[str, Any], nodes: Iterable[KdlNode]) -> Statements:
    """The facts and the parts of a node.

    >>> statements({"hide": True}, [{"name": "help", "arguments": ["List."]}]).facts
    {'hide': True, 'help': 'List.'}
    """
    facts = dict(properties)
    parts: dict[str, list[KdlNode]] = {}
    for node in nodes:
        name = node["name"]
        others = without_keys(node, "name")
        is_fact = name not in _PARTS and others.keys() == {"arguments"} and len(others["arguments"]) == 1
        if is_fact and name not in facts:
            facts[name] = others["arguments"][0]
        else:
            parts.setdefault(name, []).append(others)
    # A part beside a fact of the same name would hide it.
    for name in parts.keys() & facts.keys():
        parts[name].insert(0, {"arguments": [facts.pop(name)]})
    return Statements(facts, parts)


def read_statements(node: KdlNode) -> Statements:
    return statements(node.get("properties", {}), node.get("children", []))


def first_text(node: KdlNode) -> str:
    """The first argument of a node, if it is a text; empty otherwise."""
    arguments = node.get("arguments") or [""]
    return arguments[0] if isinstance(arguments[0], str) else ""
