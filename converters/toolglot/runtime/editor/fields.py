"""What the canonical schemas say of an entry: what it means, and the keys and words that may stand there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from toolglot.converter.schema import canonical
from toolglot.converter.text.pointers import as_mapping
from toolglot.runtime.editor.described import DescribedText, Keys

_ALTERNATIVES = ("allOf", "anyOf", "oneOf")
_BRANCHES = ("then", "else")
_WORDS_OF_TYPE = {"boolean": (True, False), "null": (None,)}
_LONGEST_LIST = 20  # words that are named in a sentence


class FieldSchema(msgspec.Struct, frozen=True):
    """What the schemas say of one entry.

    Attributes:
        parts: the schemas that hold for it, that of its own place first.
        is_required: whether what it stands in needs it.
    """

    parts: tuple[dict[str, Any], ...]
    is_required: bool = False

    @property
    def description(self) -> str:
        """What it means; empty where no schema says so."""
        return next((part["description"] for part in self.parts if "description" in part), "")

    @property
    def words(self) -> list[Any]:
        """The values that it may have, where they are listed; else a default or examples, for whoever completes."""
        listed: list[Any] = []
        for part in self.parts:
            listed += part.get("enum", ())
            listed += [part["const"]] if "const" in part else []
            for name in _types_of(part):
                listed += _WORDS_OF_TYPE.get(name, ())
        return list({json.dumps(word): word for word in listed}.values())

    @property
    def samples(self) -> list[Any]:
        """Values that stand for others: the default, and examples."""
        found = [part["default"] for part in self.parts if "default" in part]
        return found + [sample for part in self.parts for sample in part.get("examples", ())]

    @property
    def types(self) -> list[str]:
        """The types of JSON that it may have."""
        return list(dict.fromkeys(name for part in self.parts for name in _types_of(part)))

    def sentences(self) -> Iterator[str]:
        """What the schemas say of it, for people."""
        if self.description:
            yield self.description
        facts = [" or ".join(self.types)] if self.types else []
        facts += ["required"] if self.is_required else []
        if self.words and "boolean" not in self.types:
            facts.append(f"one of {_join_code(self.words[:_LONGEST_LIST])}")
        facts += [f"{word} {part[key]:,}" for part in self.parts for key, word in _LIMITS.items() if key in part]
        if self.samples:
            facts.append(f"such as {_join_code(self.samples[:3])}")
        if facts:
            yield "; ".join(facts)


_LIMITS = {
    "minimum": "at least",
    "maximum": "at most",
    "minLength": "characters at least",
    "maxLength": "characters at most",
}


def field_at(known: DescribedText, path: Keys) -> FieldSchema | None:
    """What the schemas say of the entry that a path leads to; `None` where they say nothing."""
    parts = [(canonical.load(known.schema), known.schema)]
    is_required = False
    for token in known.way_in_record(path):
        around = list(_expand(parts))
        is_required = any(token in schema.get("required", ()) for schema, _ in around)
        parts = [inner for schema, name in around for inner in _step(schema, name, token)]
    found = tuple(schema for schema, _ in _expand(parts))
    return FieldSchema(found, is_required) if found else None


def keys_at(known: DescribedText, path: Keys) -> dict[str, FieldSchema]:
    """The keys that may stand in the entry that a path leads to."""
    around = field_at(known, path)
    parts = around.parts if around else ()
    names = dict.fromkeys(name for part in parts for name in as_mapping(part.get("properties")))
    found = {name: field_at(known, (*path, name)) for name in names}
    return {name: field for name, field in found.items() if field is not None}


def _types_of(schema: dict[str, Any]) -> list[str]:
    types = schema.get("type", ())
    return [types] if isinstance(types, str) else list(types)


def _expand(parts: Iterable[tuple[Any, str]]) -> Iterator[tuple[dict[str, Any], str]]:
    """Schemas with those that they refer to or are put together of; each once, for some refer to themselves."""
    waiting, seen = list(parts), set[int]()
    while waiting:
        schema, name = waiting.pop(0)
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema, name
        target = canonical.target_of(schema["$ref"], name) if "$ref" in schema else None
        waiting += [target] if target else []
        waiting += [(inner, name) for key in _ALTERNATIVES for inner in schema.get(key, ())]
        waiting += [(schema[key], name) for key in _BRANCHES if key in schema]


def _step(schema: dict[str, Any], name: str, token: str) -> Iterator[tuple[Any, str]]:
    """The schemas of what a key or an index leads to."""
    properties = as_mapping(schema.get("properties"))
    patterns = as_mapping(schema.get("patternProperties"))
    matching = [inner for pattern, inner in patterns.items() if re.search(pattern, token)]
    if token in properties:
        yield properties[token], name
    elif matching:
        yield from ((inner, name) for inner in matching)
    elif "additionalProperties" in schema:
        yield schema["additionalProperties"], name
    if token.isdigit() and "items" in schema:
        yield schema["items"], name


def _join_code(values: Iterable[Any]) -> str:
    return ", ".join(f"`{json.dumps(value, ensure_ascii=False)}`" for value in values)
