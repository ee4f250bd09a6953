"""Files that appear beside a migrated document, such as the one that says how a tool is carried out."""

from __future__ import annotations

from typing import Any

from toolglot.errors import WriteError
from toolglot.formats import CompanionFile, Record
from toolglot.migration.comments import find_travelling_comments
from toolglot.migration.edit import Lifted, entry_lines, excerpt
from toolglot.schema.json_values import have_same_spelling
from toolglot.text import serialization
from toolglot.text.pointers import escape


def write_companion(document: serialization.Document, record: Record, companion: CompanionFile) -> tuple[str, bytes]:
    """A file that appears: front matter, with the comments of what moved there above its keys, and a body.

    Raises:
        WriteError: reading it gives something else.
    """
    pointers_with_comments: set[str] = set()

    def find(pointer: str, key: str | None, value: Any) -> Lifted | None:
        origin = companion.origins.get(pointer)
        entry = excerpt(document, record.pointer + origin, value) if origin else None
        if entry is not None:
            pointers_with_comments.add(pointer)
        return entry

    entries: list[str] = []
    for key, value in companion.data.items():
        entries += entry_lines(f"/{escape(key)}", key, value, find)
    content = "\n".join(("---", *entries, "---", companion.body))
    lines = content.split("\n")
    travelling = find_travelling_comments(
        document, record, companion, serialization.load(content), pointers_with_comments
    )
    for number, comment in sorted(travelling, reverse=True):
        indent = len(lines[number]) - len(lines[number].lstrip(" "))
        lines[number:number] = [" " * indent + line for line in comment]
    data = "\n".join(lines).replace("\r\n", "\n").replace("\n", document.newline).encode()
    again = serialization.load(data)
    if not have_same_spelling(again.data, companion.data) or (again.body or "").replace("\r\n", "\n") != companion.body:
        raise WriteError(f"{companion.name} cannot be written so that it says what it should", code="unfaithful-edit")
    return companion.name, data
