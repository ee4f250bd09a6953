"""The keys and words that may stand at a place, by the canonical schemas."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from lsprotocol.types import CompletionItem, CompletionItemKind, TextEdit

from toolglot.converter.text.pointers import as_mapping, follow
from toolglot.converter.text.serialization import dump_yaml
from toolglot.runtime.editor.cursor import TextCursor
from toolglot.runtime.editor.described import DescribedText
from toolglot.runtime.editor.fields import FieldSchema, field_at, keys_at
from toolglot.runtime.editor.positions import TextPositions

TRIGGERS = ('"', ":")


def complete(known: DescribedText, cursor: TextCursor, places: TextPositions) -> list[CompletionItem]:
    """What may stand at a place: keys that the entry does not have yet, or words that a key may have."""
    is_json = places.text.lstrip()[:1] in tuple("{[")
    if cursor.is_key:
        around = cursor.path[:-1]
        # What was there when the text could be read, and is not being written anew.
        there = {name for name in as_mapping(follow(known.data, around)) if _has_key(places.text, name)}
        found = {name: field for name, field in keys_at(known, around).items() if name not in there}
        if found:
            return [*_keys(found, cursor, places, is_json)]
    field = field_at(known, cursor.path[:-1] if cursor.is_key else cursor.path)
    return [*_words(field, cursor, places, is_json)] if field else []


def _has_key(text: str, name: str) -> bool:
    return re.search(rf"{re.escape(name)}[\"']?[ \t]*:", text) is not None


def _keys(
    fields: dict[str, FieldSchema], cursor: TextCursor, places: TextPositions, is_json: bool
) -> Iterator[CompletionItem]:
    has_colon = places.text[cursor.end :].lstrip(" \t").startswith(":")
    for number, (name, field) in enumerate(fields.items()):
        text = json.dumps(name, ensure_ascii=False) if is_json else name
        yield CompletionItem(
            name,
            kind=CompletionItemKind.Property,
            detail=" or ".join(field.types) + (", required" if field.is_required else ""),
            documentation=field.description,
            sort_text=f"{int(not field.is_required)}{number:04}",
            filter_text=text,
            text_edit=TextEdit(places.range(cursor.start, cursor.end), text if has_colon else f"{text}: "),
        )


def _words(field: FieldSchema, cursor: TextCursor, places: TextPositions, is_json: bool) -> Iterator[CompletionItem]:
    lead = " " if places.text[cursor.start - 1 : cursor.start] == ":" and not cursor.is_flow else ""
    for number, word in enumerate([*field.words, *field.samples]):
        text = json.dumps(word, ensure_ascii=False) if is_json else _yaml_of(word)
        yield CompletionItem(
            text.strip('"'),
            kind=CompletionItemKind.EnumMember if word in field.words else CompletionItemKind.Value,
            documentation=field.description,
            sort_text=f"{number:04}",
            filter_text=text,
            text_edit=TextEdit(places.range(cursor.start, cursor.end), lead + text),
        )


def _yaml_of(word: Any) -> str:
    """A value as YAML has it in one line.

    >>> _yaml_of("auto"), _yaml_of("0.2"), _yaml_of(True), _yaml_of([])
    ('auto', "'0.2'", 'true', '[]')
    """
    if isinstance(word, dict | list):
        return json.dumps(word, ensure_ascii=False)
    return dump_yaml([word])[2:].strip()
