"""What a reader notes of an operation that no key of the document says: what was left out, and what leads nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from toolglot.converter.text.pointers import without_empty

_MOST_NOTES = 100  # of a kind, of one tool

HidingKeyword: TypeAlias = Literal["readOnly", "writeOnly"]
"""The keyword of properties that do not travel: `readOnly` to the server, `writeOnly` back from it."""
TO_SERVER: HidingKeyword = "readOnly"
FROM_SERVER: HidingKeyword = "writeOnly"

MEANINGS_OF_NOTES = {
    "unresolvedReferences": "leads nowhere in the document, so that anything is accepted",
    "dynamicReferences": "depends on the way taken to it, so that anything is accepted",
    TO_SERVER: "does not travel to the server",  # each an object of its name and its schema
    FROM_SERVER: "does not travel back",  # likewise
    "openSchemas": "too many definitions, so that anything is accepted",
    "unknownTypes": "no type that is known, so that anything is accepted",
    "ignoredKeywords": "beside a `$ref`, where it does not count before 3.1",
    "circularSchemas": "comes back to itself before it looks into a value",
    "undeclaredVariables": "of the path, and declared by no parameter, so that it is taken for a text",
    "ignoredParameters": "a header that requests have for other reasons",
    "unsentParameters": "no request carries it",
}
"""What a reader notes of an operation beside its keys, and what that means, in few words."""


class Notes:
    """What a tool has to say of the way its schemas were read, by `MEANINGS_OF_NOTES`."""

    def __init__(self) -> None:
        self.missing_references: list[str] = []
        self._entries: dict[str, list[Any]] = {"unresolvedReferences": self.missing_references}

    def note(self, key: str, entries: Iterable[Any]) -> None:
        """Add what there is room for."""
        own = self._entries.setdefault(key, [])
        own += [*entries][: max(0, _MOST_NOTES - len(own))]

    def add(self, other: Notes) -> None:
        for key, entries in other._entries.items():
            self.note(key, entries)

    def to_json(self) -> dict[str, list[Any]]:
        """The notes under keys of an extension; only what there is."""
        return without_empty(self._entries)
