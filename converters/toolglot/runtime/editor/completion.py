"""The keys and words that may stand at a place, by the canonical schemas."""

from __future__ import annotations

import json
from typing import Any

from lsprotocol.types import CompletionItem, CompletionItemKind, TextEdit

from toolglot.converter.schema.document_fields import field_at
from toolglot.converter.text.pointers import as_mapping, value_at
from toolglot.converter.text.serialization import dump_yaml
from toolglot.runtime.editor.described import describe_entry
from toolglot.runtime.editor.entries import EntryAtPlace
from toolglot.runtime.editor.positions import TextPositions

TRIGGERS = ('"', ":")


def complete(entry: EntryAtPlace, places: TextPositions) -> list[CompletionItem]:
    """What may stand in the place of an entry that is being written: keys that are not there yet, or words."""
    described = describe_entry(entry)
    if described is None:
        return []
    document, written = entry.document, entry.written
    around = field_at(described.schema, described.pointer.rpartition("/")[0] if entry.is_key else described.pointer)
    there = as_mapping(value_at(document.data, entry.pointer.rpartition("/")[0]))
    fields = {name: field for name, field in around.keys.items() if field.parts and name not in there}
    is_json = document.syntax in ("json", "json-lines")
    part = places.range(written.start, written.stop)
    if fields and entry.is_key:
        colon = "" if places.text[written.stop :].lstrip(" \t").startswith(":") else ": "
        return [
            CompletionItem(
                name,
                kind=CompletionItemKind.Property,
                detail=field.kind,
                documentation=field.first("description"),
                sort_text=f"{int(not field.is_required)}{name}",
                filter_text=_write(name, is_json) + colon,
                text_edit=TextEdit(part, _write(name, is_json) + colon),
            )
            for name, field in fields.items()
        ]
    blank = " " if places.text[written.start - 1 : written.start] == ":" and not is_json else ""
    words = [_write(json.loads(word), is_json) for word in around.words]
    return [
        CompletionItem(word.strip("'\""), filter_text=word, text_edit=TextEdit(part, blank + word)) for word in words
    ]


def _write(value: Any, is_json: bool) -> str:
    """A value in one line.

    >>> _write("auto", False), _write("0.2", False), _write(True, False), _write([], False), _write("a", True)
    ('auto', "'0.2'", 'true', '[]', '"a"')
    """
    if is_json or isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return dump_yaml([value])[2:].strip()
