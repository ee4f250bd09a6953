"""How deep and how large an untrusted schema may be.

The limits of providers are others: `provider_rules.SchemaLimits` for one schema, `provider_rules.Budget` for a request.
"""

from __future__ import annotations

from toolglot.converter.text.pointers import Path, pointer_of_path
from toolglot.errors import FitError

MAX_DEPTH = 100  # schemas inside one another
MAX_NODES = 100_000  # schemas in one document
MAX_PAIRS = 1_000_000  # of what stands in two lists, such as properties and patterns, each held against each
MAX_PLACES = 50_000_000  # characters of the pointers of all schemas in one document
_MAX_WRITTEN = 10_000_000  # characters of all pointers that are written out for one document


class WalkBudget:
    """Counts the schemas that a walk has seen, and ends it with a `FitError` where they are too many."""

    def __init__(self) -> None:
        self.nodes = 0
        self.place_characters = 0
        self.written_characters = 0

    def enter(self, depth: int, path: Path = None) -> None:
        """Count one more schema, `depth` schemas below the root.

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
        """A path as a JSON Pointer. Its length counts, because a document may have very many pointers.

        Raises:
            FitError: `schema-too-large`.
        """
        text = pointer_of_path(path)
        self.written_characters += len(text)
        if self.written_characters > _MAX_WRITTEN:
            message = "the names in the schema are too long to say where each change is; shorten them"
            raise FitError(message, "schema-too-large")
        return text
