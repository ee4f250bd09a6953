"""References within one document. What lies outside of it is named and never fetched."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import unquote

from toolglot.errors import escape
from toolglot.text.pointers import follow, tokens_of

_LONGEST_CHAIN = 32  # references that lead to references
_NOTHING = object()


class Target(NamedTuple):
    """What a reference leads to, and where that stands in the document; `pointer` is `None` for what has none."""

    value: Any
    pointer: str | None


def local_pointer(reference: Any) -> str | None:
    """The JSON Pointer of a reference into its own document; `None` for every other.

    >>> local_pointer("#/components/schemas/Pet%20shop"), local_pointer("pets.yaml#/Pet"), local_pointer("#pet")
    ('/components/schemas/Pet shop', None, None)
    """
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    pointer = unquote(reference[1:])
    tokens = tokens_of(pointer) if pointer.startswith("/") else None
    return None if tokens is None else "".join(f"/{escape(token)}" for token in tokens)


class References:
    """The references of one document.

    Attributes:
        used: pointers that something was read from, so that what nobody looks at can be reported.
    """

    def __init__(self, document: Any) -> None:
        self.document = document
        self.used: dict[str, None] = {}

    def target(self, reference: Any) -> Target | None:
        """What a reference leads to; `None` where that is outside the document, or not in it."""
        pointer = local_pointer(reference)
        if pointer is None:
            return None
        value = follow(self.document, tokens_of(pointer) or (), _NOTHING)
        if value is _NOTHING:
            return None
        self.used[pointer] = None
        return Target(value, pointer)

    def resolve(self, node: Any, unresolved: list[str]) -> Target | None:
        """The object that stands for a node: itself, or what its `$ref` leads to.

        Returns:
            `None` where that is not in the document, which `unresolved` then names, or no object.
        """
        target = Target(node, None)
        for _ in range(_LONGEST_CHAIN):
            if not isinstance(target.value, dict):
                return None
            reference = target.value.get("$ref")
            if not isinstance(reference, str):
                return target
            found = self.target(reference)
            if found is None:
                unresolved.append(reference)
                return None
            target = found
        return None
