"""How deep and how large a schema may be that somebody hands us, and where a node stands in it.

What a provider takes is another matter: `provider_rules.SchemaLimits` for one schema, `provider_rules.Budget` for a
request.

A place is a chain of tokens that is written out only when somebody asks: the pointers of all nodes below one
property whose name has a million characters would otherwise not fit into memory.
"""

from __future__ import annotations

from typing import TypeAlias

from toolglot.errors import FitError

MAX_DEPTH = 100  # schemas inside one another
MAX_NODES = 100_000  # schemas in one document
MAX_PAIRS = 1_000_000  # of what stands in two lists, such as properties and patterns, each held against each
MAX_PLACES = 50_000_000  # characters of the pointers of all schemas in one document
_MAX_WRITTEN = 10_000_000  # characters of all pointers that are written out for one document

Path: TypeAlias = "tuple[Path, str] | None"
"""The place above and the JSON Pointer from there, such as `/properties/a`; `None` is the root."""


def pointer_of_path(path: Path) -> str:
    """A place as a JSON Pointer.

    >>> pointer_of_path(((None, "/properties/a"), "/items"))
    '/properties/a/items'
    """
    tokens = []
    while path is not None:
        path, token = path
        tokens.append(token)
    return "".join(reversed(tokens))


class WalkBudget:
    """Counts what a walk has seen, and ends it with a `FitError` when that is too much."""

    def __init__(self) -> None:
        self.nodes = 0
        self.place_characters = 0
        self.written_characters = 0

    def enter(self, depth: int, path: Path = None) -> None:
        """One more schema, `depth` schemas below the root.

        Raises:
            FitError: `schema-too-deep` or `schema-too-large`.
        """
        self.nodes += 1
        if depth > MAX_DEPTH:
            message = f"more than {MAX_DEPTH} schemas inside one another; make the schema flatter"
            raise FitError(message, "schema-too-deep", pointer_of_path(path))
        if self.nodes > MAX_NODES:
            raise FitError(f"more than {MAX_NODES} schemas in one; split the tool", "schema-too-large")
        while path is not None:
            path, token = path
            self.place_characters += len(token)
        if self.place_characters > MAX_PLACES:
            raise FitError("the names in the schema are too long; shorten them", "schema-too-large")

    def write(self, path: Path) -> str:
        """A place as a JSON Pointer, of which there may be so many.

        Raises:
            FitError: `schema-too-large`.
        """
        text = pointer_of_path(path)
        self.written_characters += len(text)
        if self.written_characters > _MAX_WRITTEN:
            message = "the names in the schema are too long to say where each change is; shorten them"
            raise FitError(message, "schema-too-large")
        return text
