"""Files that appear beside a migrated document, such as the one that says how a tool is carried out.

The comments of what moves there travel with it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from typing import Any

from toolglot.converter.formats import CompanionFile, Record
from toolglot.converter.schema.json_values import have_same_spelling
from toolglot.converter.text import document_reader
from toolglot.converter.text.credentials import find_secret
from toolglot.converter.text.pointers import escape
from toolglot.errors import WriteError
from toolglot.verbs.migration.edit.entry_texts import EntryTexts
from toolglot.verbs.migration.edit.moved_entries import Lifted, entry_lines


def write_companion(document: document_reader.Document, record: Record, companion: CompanionFile) -> tuple[str, bytes]:
    """A file that appears: front matter, with the comments of what moved there above its keys, and a body.

    Raises:
        WriteError: reading it gives something else.
    """
    entries_of_document = EntryTexts(document)
    pointers_with_comments: set[str] = set()

    def find(pointer: str, key: str | None, value: Any) -> Lifted | None:
        origin = companion.origins.get(pointer)
        if not origin:
            return None
        entry = entries_of_document.excerpt(record.pointer + origin, value)
        if entry is not None:
            pointers_with_comments.add(pointer)
        return entry

    entries = [
        line for key, value in companion.data.items() for line in entry_lines(f"/{escape(key)}", key, value, find)
    ]
    content = "\n".join(("---", *entries, "---", companion.body))
    lines = content.split("\n")
    travelling = _find_travelling_comments(
        entries_of_document, record, companion, document_reader.load(content), pointers_with_comments
    )
    for number, comment in sorted(travelling, reverse=True):
        indent = len(lines[number]) - len(lines[number].lstrip(" "))
        lines[number:number] = [" " * indent + line for line in comment]
    data = "\n".join(lines).replace("\r\n", "\n").replace("\n", document.newline).encode()
    again = document_reader.load(data)
    if not have_same_spelling(again.data, companion.data) or (again.body or "").replace("\r\n", "\n") != companion.body:
        raise WriteError(f"{companion.name} cannot be written so that it says what it should", code="unfaithful-edit")
    return companion.name, data


def _find_travelling_comments(
    entries: EntryTexts,
    record: Record,
    companion: CompanionFile,
    target: document_reader.Document,
    pointers_with_comments: Collection[str],
) -> Iterator[tuple[int, list[str]]]:
    """Line numbers in a new file, counted from 0, and the comments that belong above them.

    Args:
        entries: those of the old document.
        pointers_with_comments: JSON Pointers in the new file, of entries that have their comments already.

    Raises:
        WriteError: a comment holds a secret, which would be copied.
    """
    lines = target.text.split("\n")
    inner_comments: dict[str, Counter[str]] = defaultdict(Counter)  # by the place that they stand below
    places: set[str] = set()
    for pointer, origin in sorted(companion.origins.items(), key=lambda item: -item[1].count("/")):
        own = entries.comments(record.pointer + origin)
        # What belongs to an entry also belongs to those around it, and is wanted once.
        fresh = list((Counter(own) - inner_comments[origin]).elements())
        if origin not in places:
            places.add(origin)
            for slash in re.finditer("/", origin):
                inner_comments[origin[: slash.start()]].update(own)
        if find_secret(own) is not None:
            message = f"a comment here holds a secret, which would go to {companion.name}; take it out, and renew it"
            raise WriteError(message, code="literal-secret", pointer=record.pointer + origin)
        if fresh and pointer not in pointers_with_comments:
            line, column = target.position(pointer) or (2, 1)
            is_below_key = not lines[line - 1][: column - 1].strip()  # as a block is
            yield max(line - 1 - is_below_key, 1), fresh  # below the line that opens the front matter
