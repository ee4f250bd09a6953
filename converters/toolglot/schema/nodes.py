"""One schema while it is normalised, and the place where it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from toolglot.hub.model import JsonSchema
from toolglot.schema.budget import Path
from toolglot.schema.keywords import ANNOTATIONS
from toolglot.text.pointers import pointer_of

NEWEST = 2020  # the draft, by its year
MEANINGLESS = "no draft gives this a meaning; any value is accepted"
_SAYINGS = ANNOTATIONS | {"$defs", "definitions"}


class Place(msgspec.Struct, frozen=True):
    """Where a schema stands in the source, and what is in force there."""

    path: Path = None
    base: str = ""  # the URI that references are relative to
    draft: int = NEWEST
    depth: int = 0
    member: bool = False  # the schema of a property

    def inner(self, *tokens: str | int, member: bool = False) -> Place:
        """The place of a schema inside."""
        token = pointer_of(tokens)
        return msgspec.structs.replace(self, path=(self.path, token), depth=self.depth + 1, member=member)


class Node:
    """One schema on its way from `source` to `out`.

    `read` normalises a schema inside, `report` takes a step, and `resource` is the document root around.
    """

    def __init__(
        self,
        source: JsonSchema,
        place: Place,
        resource: JsonSchema,
        read: Callable[[Any, Place], Any],
        report: Callable[[Place, str, str, Any, Any, str], None],
    ) -> None:
        self.source = source
        self.place = place
        self.resource = resource
        self.read = read
        self.report = report
        self.out: JsonSchema = {}
        self.more: list[Any] = []  # what needs a keyword that is there already; it goes to `allOf`
        self.required: list[str] = []  # names that the properties themselves call required

    def inner(self, value: Any, *tokens: str | int) -> Any:
        """A schema inside, normalised."""
        return self.read(value, self.place.inner(*tokens))

    def put(self, keyword: str, value: Any) -> None:
        """A keyword that the source spells differently; where it has that one too, both count."""
        if keyword in self.out or keyword in self.source:
            self.more.append({keyword: value})
        else:
            self.out[keyword] = value

    def report_renamed(self, keyword: str, before: Any, after: Any, note: str) -> None:
        """Take the step that says: the same in another spelling."""
        self.report(self.place, keyword, "renamed", before, after, note)

    def refuse(self, keyword: str, value: Any, note: str = MEANINGLESS) -> None:
        """A value that has no meaning: an annotation is gone, or more is accepted."""
        action = "dropped" if keyword in _SAYINGS else "widened"
        self.report(self.place, keyword, action, value, None, note)
