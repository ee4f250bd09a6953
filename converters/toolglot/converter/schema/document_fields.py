"""What the canonical schemas say of an entry in a document: its meaning, and the keys and words that it may have."""

from __future__ import annotations

import json
import re
from functools import reduce
from typing import Any

import msgspec

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema import canonical
from toolglot.converter.schema.keywords import IN_PLACE, keyword_of, subschemas
from toolglot.converter.text.pointers import as_list, mapping_at, tokens_of

SchemaPart = tuple[JsonSchema, str]
"""A schema inside of a canonical one, and the name of that."""

_OF_SAME_VALUE = IN_PLACE - {"not", "if"}  # keywords of schemas that may hold for it as well
_MOST_WORDS = 20  # that are named in a sentence


class FieldSchema(msgspec.Struct, frozen=True):
    """What the schemas say of one entry.

    Attributes:
        parts: the schemas for the entry, the one of its own place first.
        is_required: whether the object around it requires the entry.
    """

    parts: tuple[SchemaPart, ...]
    is_required: bool = False

    def inner(self, key: str) -> FieldSchema:
        """What the schemas say of the entry at a key or an index."""
        inner: list[tuple[Any, str]] = []
        for part, name in self.parts:
            properties, patterns = mapping_at(part, "properties"), mapping_at(part, "patternProperties")
            found = [properties[key]] if key in properties else []
            found += [schema for pattern, schema in patterns.items() if re.search(pattern, key)]
            found = found or [part[word] for word in ("additionalProperties", "items") if word in part]
            inner += [(schema, name) for schema in found]
        return FieldSchema(_expand(inner), any(key in part.get("required", ()) for part, _ in self.parts))

    @property
    def names(self) -> tuple[str, ...]:
        """The keys that the schemas name, each once."""
        return tuple(dict.fromkeys([key for part, _ in self.parts for key in mapping_at(part, "properties")]))

    @property
    def keys(self) -> dict[str, FieldSchema]:
        """The keys that the entry may have; a forbidden key has no parts."""
        return {key: self.inner(key) for key in self.names}

    def first(self, keyword: str) -> Any:
        """The value of a keyword in the first schema that has it; empty where none has it."""
        return next((part[keyword] for part, _ in self.parts if keyword in part), "")

    @property
    def words(self) -> list[str]:
        """The listed values of the entry, its default and its examples, each as JSON."""
        words: list[Any] = []
        for part, _ in self.parts:
            words += part.get("enum", (True, False) if part.get("type") == "boolean" else ())
            words += part.get("examples", ())
            words += [part[keyword] for keyword in ("const", "default") if keyword in part]
        return list(dict.fromkeys([json.dumps(word, ensure_ascii=False) for word in words]))

    @property
    def kind(self) -> str:
        """The JSON types of the entry, and whether it is required."""
        types = " or ".join(as_list(self.first("type")))
        return ", ".join(filter(None, (types, "required" if self.is_required else "")))

    @property
    def text(self) -> str:
        """The description of the entry as Markdown; empty where there is none."""
        words = ", ".join(f"`{word}`" for word in self.words[:_MOST_WORDS])
        facts = "; ".join(filter(None, (self.kind, f"such as {words}" if words else "")))
        return "\n\n".join(filter(None, (self.first("description"), facts)))


def field_at(schema: str, pointer: str) -> FieldSchema:
    """What the schema called `schema` says of the entry at a JSON Pointer.

    >>> field_at("aip14/v1", "/retry/backoff").words
    ['"fixed"', '"exponential"']
    """
    return reduce(FieldSchema.inner, tokens_of(pointer) or (), FieldSchema(_expand([(canonical.load(schema), schema)])))


def _expand(waiting: list[tuple[Any, str]]) -> tuple[SchemaPart, ...]:
    """Schemas with the ones that they refer to or combine, each once, because some refer to themselves."""
    expanded: list[SchemaPart] = []
    for schema, name in waiting:
        if not isinstance(schema, dict) or any(schema is other for other, _ in expanded):
            continue
        expanded.append((schema, name))
        if "$ref" in schema:
            waiting += filter(None, [canonical.target_of(schema["$ref"], name)])
        waiting += [(inner, name) for pointer, inner in subschemas(schema) if keyword_of(pointer) in _OF_SAME_VALUE]
    return tuple(expanded)
