"""What the canonical schemas say of an entry: what it means, and the keys and words that may stand there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from toolglot.converter.schema import canonical
from toolglot.converter.text.pointers import as_mapping
from toolglot.runtime.editor.described import KeyPath

_WORDS_OF_TYPE = {"boolean": (True, False)}
_MOST_WORDS = 20  # that are named in a sentence


class FieldSchema(msgspec.Struct, frozen=True):
    """What the schemas say of one entry.

    Attributes:
        parts: the schemas that hold for it, that of its own place first.
        is_required: whether what it stands in needs it.
    """

    parts: tuple[dict[str, Any], ...]
    is_required: bool = False

    def first(self, keyword: str) -> Any:
        """What the first of the schemas that has a keyword says under it; empty where none has it."""
        return next((part[keyword] for part in self.parts if keyword in part), "")

    @property
    def words(self) -> list[str]:
        """The values that it may have, as far as they are listed, its default and examples; each as JSON."""
        words: list[Any] = []
        for part in self.parts:
            words += (*part.get("enum", ()), *_WORDS_OF_TYPE.get(str(part.get("type")), ()), *part.get("examples", ()))
            words += [part[keyword] for keyword in ("const", "default") if keyword in part]
        return list(dict.fromkeys([json.dumps(word, ensure_ascii=False) for word in words]))

    @property
    def kind(self) -> str:
        """The types of JSON that it may have, and whether it is required."""
        types = self.first("type")
        kind = types if isinstance(types, str) else " or ".join(types)
        return f"{kind}, required" if self.is_required else kind

    @property
    def text(self) -> str:
        """What the schemas say of it, as Markdown."""
        words = ", ".join(f"`{word}`" for word in self.words[:_MOST_WORDS])
        facts = "; ".join(filter(None, (self.kind, f"such as {words}" if words else "")))
        return "\n\n".join(filter(None, (self.first("description"), facts)))


def field_at(schema: str, keys: KeyPath) -> FieldSchema | None:
    """What the schema called `schema` says of the entry that keys and indexes lead to; `None` where it says nothing.

    >>> field_at("aip14/v1", ("retry", "backoff")).words
    ['"fixed"', '"exponential"']
    """
    parts: list[tuple[Any, str]] = [(canonical.load(schema), schema)]
    is_required = False
    for key in keys:
        around = list(_expand(parts))
        is_required = any(key in part.get("required", ()) for part, _ in around)
        parts = [inner for part, name in around for inner in _step(part, name, key)]
    found = tuple([part for part, _ in _expand(parts)])
    return FieldSchema(found, is_required) if found else None


def keys_at(schema: str, keys: KeyPath) -> dict[str, FieldSchema]:
    """The keys that may stand in the entry that keys and indexes lead to."""
    around = field_at(schema, keys)
    names = [name for part in (around.parts if around else ()) for name in as_mapping(part.get("properties"))]
    found = {name: field_at(schema, (*keys, name)) for name in names}
    return {name: field for name, field in found.items() if field is not None}


def _expand(parts: Iterable[tuple[Any, str]]) -> Iterator[tuple[dict[str, Any], str]]:
    """Schemas with those that they refer to or are put together of; each once, for some refer to themselves."""
    waiting = list(parts)
    seen: list[Any] = []
    for schema, name in waiting:
        if not isinstance(schema, dict) or any(schema is other for other in seen):
            continue
        seen.append(schema)
        yield schema, name
        if "$ref" in schema:
            waiting += filter(None, [canonical.target_of(schema["$ref"], name)])
        alternatives = (inner for key in ("allOf", "anyOf", "oneOf") for inner in schema.get(key, ()))
        branches = (schema[key] for key in ("then", "else") if key in schema)
        waiting += [(inner, name) for inner in (*alternatives, *branches)]


def _step(schema: dict[str, Any], name: str, key: str) -> Iterator[tuple[Any, str]]:
    """The schemas of what a key or an index leads to."""
    properties, patterns = as_mapping(schema.get("properties")), as_mapping(schema.get("patternProperties"))
    found = [properties[key]] if key in properties else []
    found += [inner for pattern, inner in patterns.items() if re.search(pattern, key)]
    if not found:
        found = [schema[word] for word in ("additionalProperties", "items") if word in schema]
    return ((inner, name) for inner in found)
