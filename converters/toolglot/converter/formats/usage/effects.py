"""What a specification says of effects: `read`, `write` or `destructive`, of a command, a flag or an argument.

The worst of a command and of what can be given to it counts, because nobody knows what will be. It is not handed down
to the commands below, but a flag that they take too raises them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from toolglot.converter.formats.kit.field_tables import Row, Table
from toolglot.converter.formats.kit.unreadable_facts import nearest_key
from toolglot.converter.text.pointers import as_list, is_text

_ORDER = ("read", "write", "destructive")


class UnreadableEffect(msgspec.Struct, frozen=True):
    """What nobody can read, which is worse than all words.

    Attributes:
        beside: the worst word beside it that states a danger.
    """

    beside: str | None = None


StatedEffect = str | UnreadableEffect

# `read` says that a second call does no more than the first, and nothing of the network: a tool that only reads files
# and one that sends them away are alike. `write` denies no destruction here: nobody vouches for the word.
_FACTS: dict[str, dict[str, Any]] = {
    "read": {"idempotent": True},
    "write": {"safety_tier": "write"},
    "destructive": {"destructive": True, "reversible": False},
}
FIELDS = frozenset[str]().union(*_FACTS.values())


def worst(effects: Iterable[Any]) -> StatedEffect | None:
    """The worst of some effects; `None` where none is stated.

    >>> worst([]), worst(["read", "destructive"]), worst(["read", "wipe"])
    (None, 'destructive', UnreadableEffect(beside=None))
    """
    stated = list(effects)
    words = [effect.beside if isinstance(effect, UnreadableEffect) else effect for effect in stated]
    word = max((word for word in words if word in _ORDER), key=_ORDER.index, default=None)
    if all(effect in _ORDER for effect in stated):
        return word
    return UnreadableEffect(None if word == "read" else word)


_NAME = "effect"
_TABLE: Table = {_NAME: Row("destructive", is_text)}


def effects_left_in(rest: Mapping[str, Any]) -> Iterator[Any]:
    """The effects in what nobody understands otherwise, at any depth; a slip of the pen may mean any.

    >>> list(effects_left_in({"flagset": [{"children": [{"name": "flag", "properties": {"effect": "write"}}]}]}))
    ['write']
    >>> list(effects_left_in({"efect": "read", "dangerous": True}))
    [UnreadableEffect(beside=None)]
    """
    for key, value in rest.items():
        if key == _NAME:
            yield from as_list(value)
            continue
        if nearest_key(key, _TABLE):
            yield UnreadableEffect()
        elif isinstance(value, list):
            for node in value:
                yield from _effects_of_node(node)


def _effects_of_node(node: Any) -> Iterator[Any]:
    if isinstance(node, dict):
        yield from effects_left_in(node.get("properties", {}))
        for child in node.get("children", ()):
            yield from effects_left_in({child["name"]: child.get("arguments", [None])})
            yield from _effects_of_node(child)


def effects_in(entries: Iterable[dict[str, Any]]) -> list[Any]:
    """The effects that flags or arguments state."""
    inside = ((*entry.get("effects", ()), *effects_left_in(entry.get("others", {}))) for entry in entries)
    return [effect for effects in inside for effect in effects]


def facts_of(effect: StatedEffect | None) -> dict[str, Any]:
    """The fields of the hub that an effect states.

    >>> facts_of(UnreadableEffect("write"))
    {'safety_tier': 'write', 'unclear': ('destructive', 'reversible', 'safety_tier')}
    """
    if effect is None:
        return {}
    if isinstance(effect, UnreadableEffect):
        return {**facts_of(effect.beside), "unclear": tuple(sorted(_FACTS["write"] | _FACTS["destructive"]))}
    return dict(_FACTS[effect])
