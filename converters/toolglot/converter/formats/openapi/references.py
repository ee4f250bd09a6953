"""References within one document. What lies outside of it is named and never fetched.

A document may say where it is to be found (`$self`), and a schema, too (`$id`), or give itself a name (`$anchor`).
Source: OpenAPI 3.2, "Base URI in a Reference"; JSON Schema 2020-12, core, section 8.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

from toolglot.converter.schema.keywords import subschemas
from toolglot.converter.schema.references import join_uri, split_reference
from toolglot.converter.text.pointers import (
    NOTHING,
    as_mapping,
    decode_fragment,
    escape,
    follow,
    list_at,
    only_keys,
    pointer_of,
    tokens_of,
    value_at,
    walk_values,
)

SCHEMA_HOMES = ("/components/schemas/", "/definitions/")  # where a name is that of a schema
_NAMES = ("$anchor", "$dynamicAnchor")
_TEXTS = ("summary", "description")  # of a Reference Object since 3.1
# Characters that the tools of a document may copy of it: so many times as it has, but not less, nor more.
_TIMES_THE_DOCUMENT, _LEAST_COPIED, _MOST_COPIED = 50, 5_000_000, 100_000_000
_LONGEST_CHAIN = 32  # references that lead to references


class Target(NamedTuple):
    """What a reference leads to, and where that stands in the document; `pointer` is `None` for what has none."""

    value: Any
    pointer: str | None


def _local_pointer(reference: str) -> str | None:
    """The JSON Pointer of a reference into its own document; `None` for every other.

    >>> _local_pointer("#/components/schemas/Pet%20shop"), _local_pointer("pets.yaml#/Pet"), _local_pointer("#pet")
    ('/components/schemas/Pet shop', None, None)
    """
    pointer = decode_fragment(reference)
    tokens = tokens_of(pointer[1:]) if pointer.startswith("#/") else None
    return None if tokens is None else pointer_of(tokens)


class _Addresses(NamedTuple):
    """What a document calls itself and its schemas.

    Attributes:
        pointers: the URI of the document, and of each schema that has one -> where it stands.
        bases: the other way round.
        anchors: URI and name -> where the schema of that name stands.
    """

    pointers: dict[str, str]
    bases: dict[str, str]
    anchors: dict[tuple[str, str], str]


class References:
    """The references of one document.

    Args:
        has_overriding_texts: whether a summary and a description beside `$ref` replace those of what it leads to.

    Attributes:
        used_pointers: pointers that something was read from, so that what nobody looks at can be reported.
        base: the URI of the document; empty where it states none.
    """

    def __init__(self, document: Any, has_overriding_texts: bool) -> None:
        self.document = document
        self._has_overriding_texts = has_overriding_texts
        self.used_pointers: dict[str, None] = {}
        self.base = ""
        own = as_mapping(document).get("$self")
        if isinstance(own, str):
            self.base = own.partition("#")[0]

    def without_trace(self) -> References:
        """The same references, for those who look at what these lead to and read nothing from it."""
        references = copy(self)
        references.used_pointers = {}
        return references

    @cached_property
    def room_for_copies(self) -> int:
        """How many characters of what references lead to the tools may still have; whoever copies some takes it."""
        return min(max(_TIMES_THE_DOCUMENT * len(repr(self.document)), _LEAST_COPIED), _MOST_COPIED)

    @cached_property
    def _addresses(self) -> _Addresses:
        addresses = _Addresses({self.base: ""}, {"": self.base}, {})
        waiting = [(schema, pointer, self.base) for pointer, schema in self._named_schemas()]
        waiting.reverse()
        while waiting:
            node, place, around = waiting.pop()
            if not isinstance(node, dict):
                continue
            if isinstance(node.get("$id"), str):
                own = join_uri(around, node["$id"])
                if own is not None:
                    around = own.partition("#")[0]
                    addresses.pointers.setdefault(around, place)
                    addresses.bases[place] = around
            for keyword in _NAMES:
                if isinstance(node.get(keyword), str):
                    addresses.anchors.setdefault((around, node[keyword]), place)
            waiting += [(inner, place + way, around) for way, inner in subschemas(node)]
        return addresses

    def _named_schemas(self) -> Iterator[tuple[str, Any]]:
        """The schemas that have a name in the document, each with its pointer."""
        for home in SCHEMA_HOMES:
            for name, schema in as_mapping(value_at(self.document, home.removesuffix("/"))).items():
                yield f"{home}{escape(name)}", schema

    @cached_property
    def _subtypes(self) -> dict[str, list[str]]:
        """By the pointer of a schema, those of the document that are said to be that too."""
        subtypes: dict[str, list[str]] = {}
        for pointer, schema in self._named_schemas():
            for part in list_at(as_mapping(schema), "allOf"):
                target = self.target(as_mapping(part).get("$ref"))
                if target is not None and target.pointer is not None:
                    subtypes.setdefault(target.pointer, []).append(pointer)
        return subtypes

    def subtypes_of(self, pointer: str) -> list[str]:
        """The schemas that are said to be the one at a pointer too, by one step or several."""
        found = [pointer]
        for one in found:  # grows on the way
            found += [subtype for subtype in self._subtypes.get(one, ()) if subtype not in found]
        return found[1:]

    def base_of(self, pointer: str) -> str:
        """The URI that the references of the schema at a pointer start from."""
        bases = self._addresses.bases
        while pointer not in bases:
            pointer = pointer.rpartition("/")[0]
        return bases[pointer]

    def target(self, reference: Any, base: str | None = None) -> Target | None:
        """What a reference leads to; `None` where that is outside the document, or not in it.

        Args:
            base: the URI of the schema that it stands in, if that has one.
        """
        if not isinstance(reference, str):
            return None
        if base is None:
            base = self.base
        # Generators give schemas an `$id` and write what is in them from the root of the document all the same.
        for pointer in (self._pointer_of(reference, base), _local_pointer(reference)):
            if pointer is None:
                continue
            value = follow(self.document, tokens_of(pointer) or (), NOTHING)
            if value is not NOTHING:
                self.used_pointers[pointer] = None
                return Target(value, pointer)
        return None

    def _pointer_of(self, reference: str, base: str) -> str | None:
        pointer = _local_pointer(reference)
        if base == self.base and pointer is not None:
            return pointer
        uri, fragment = split_reference(base, reference)
        if uri is None:
            return None
        home = self._addresses.pointers.get(uri)
        if home is None:
            return None
        if fragment.startswith("/"):
            pointer = _local_pointer(f"#{fragment}")
            return None if pointer is None else home + pointer
        if fragment:
            return self._addresses.anchors.get((uri, decode_fragment(fragment)))
        return home or None

    @cached_property
    def dynamic_names(self) -> Counter[str]:
        """How many schemas of the document have a name by `$dynamicAnchor`; which is meant depends on the way there."""
        return Counter(str(value) for _, key, value in walk_values(self.document) if key == "$dynamicAnchor")

    def resolve(self, node: Any, missing_references: list[str], base: str | None = None) -> Target | None:
        """The object that stands for a node: itself, or what its `$ref` leads to.

        Returns:
            `None` where that is not in the document, which `missing_references` then names, or no object.
        """
        target = Target(node, None)
        texts: dict[str, Any] = {}
        for _ in range(_LONGEST_CHAIN):
            if not isinstance(target.value, dict):
                return None
            reference = target.value.get("$ref")
            if not isinstance(reference, str):
                if texts:
                    return target._replace(value={**target.value, **texts})
                return target
            if self._has_overriding_texts:
                texts = only_keys(target.value, _TEXTS) | texts
            next_target = self.target(reference, base)
            if next_target is None:
                missing_references.append(reference)
                return None
            target = next_target
            base = self.base_of(target.pointer or "")
        missing_references.append(node["$ref"])
        return None
