"""What a specification says of effects: `read`, `write` or `destructive`, of a command, a flag or an argument.

The worst of a command and of what can be given to it counts, because nobody knows what will be. It is not handed down
to the commands below, but a flag that they take too raises them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolglot.formats.kit.dangers_in_unknown_keys import dangers_elsewhere
from toolglot.formats.kit.field_tables import Row, Table, is_text
from toolglot.formats.kit.unreadable_facts import nearest_key
from toolglot.formats.mcp.hints import ANYWHERE
from toolglot.text.pointers import as_list

_ORDER = ("read", "write", "destructive")
_UNREADABLE = "unreadable"  # worse than all words, because it may mean any

# `read` says that a second call does no more than the first, and nothing of the network: a tool that only reads files
# and one that sends them away are alike. `write` denies no destruction here: nobody vouches for the word.
_FACTS: dict[str | None, dict[str, Any]] = {
    None: {},
    "read": {"idempotent": True},
    "write": {"safety_tier": "write"},
    "destructive": {"destructive": True, "reversible": False},
    _UNREADABLE: {"unclear": ("destructive", "reversible", "safety_tier")},
}


def worst(effects: Iterable[Any]) -> str | None:
    """The worst of some effects; `None` where none is stated.

    >>> worst([]), worst(["read", "destructive"]), worst(["read", "readonly"])
    (None, 'destructive', 'unreadable')
    """
    ranks = [_rank(effect) for effect in effects]
    return (*_ORDER, _UNREADABLE)[max(ranks)] if ranks else None


def _rank(effect: Any) -> int:
    return _ORDER.index(effect) if effect in _ORDER else len(_ORDER)


_NAME = "effect"
_TABLE: Table = {_NAME: Row("destructive", is_text)}


def effects_left_in(rest: Mapping[str, Any]) -> Iterator[Any]:
    """The effects in what nobody understands otherwise, at any depth; a slip of the pen may mean any.

    >>> list(effects_left_in({"flagset": [{"children": [{"name": "flag", "properties": {"effect": "write"}}]}]}))
    ['write']
    >>> list(effects_left_in({"efect": "read"})), list(effects_left_in({"dangerous": True}))
    (['unreadable'], ['unreadable'])
    >>> list(effects_left_in({"dangerous": [{}]})), list(effects_left_in({"dangerous": [{"arguments": [False]}]}))
    (['unreadable'], [])
    """
    for key, value in rest.items():
        if key == _NAME:
            yield from as_list(value)
        elif nearest_key(key, _TABLE) or _is_danger(key, value):
            yield _UNREADABLE
        elif isinstance(value, list):
            for node in value:
                yield from _effects_of_node(node)


def _is_danger(name: str, value: Any) -> bool:
    """Whether a property or a node is none of the format's own, and states a danger in words that others use."""
    for item in as_list(value):
        statement = item if item != {} else True  # a node that says nothing more says yes
        if not isinstance(statement, dict) and any(dangers_elsewhere(name, statement, ANYWHERE, "")):
            return True
    return False


def _effects_of_node(node: Any) -> Iterator[Any]:
    if isinstance(node, dict):
        yield from effects_left_in(node.get("properties", {}))
        for child in node.get("children", ()):
            yield from effects_left_in({child["name"]: child.get("arguments", [None])})
            yield from _effects_of_node(child)


def effects_in(entries: Iterable[dict[str, Any]]) -> list[Any]:
    """The effects that flags or arguments state."""
    effects: list[Any] = []
    for entry in entries:
        effects += entry.get("effects", [])
        effects += effects_left_in(entry.get("others", {}))
    return effects


def facts_of(effect: str | None) -> dict[str, Any]:
    """The fields of the hub that an effect states."""
    return dict(_FACTS[effect])
