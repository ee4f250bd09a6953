"""The dangers that a document states of operations elsewhere than in what their tools say.

An operation takes over what foreign keys state of itself, of its path and of the document, and what the texts warn of
that no tool gets: those of its body, its servers and its tags.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.formats import Record
from toolglot.converter.formats.openapi.operations import Operation, operation_records
from toolglot.converter.text.pointers import as_mapping, list_at, pointer_of


def records_with_dangers(data: Any) -> list[Record]:
    """The operations of a document, each with the dangers that are stated around it.

    >>> api = {"openapi": "3.1.0", "x-dangerous": True, "paths": {"/a": {"get": {"x-irreversible": True}}}}
    >>> [record] = records_with_dangers(api)
    >>> record.container.facts["reversible"], record.container.places["/x-dangerous"]
    (False, 'destructive')
    """
    return [_with_dangers(record) for record in operation_records(data)]


def _with_dangers(record: Record) -> Record:
    operation: Operation = record.context
    own = as_mapping(record.data)
    nodes = ((record.pointer, own), (operation.item_pointer, operation.item), ("", operation.api.data))
    container = record.container
    facts, places = dict(container.facts), dict(container.places)
    for pointer, node in nodes:
        for danger in safety.foreign_dangers(node):
            facts[danger.field] = safety.worse(danger.field, facts.get(danger.field), danger.value)
            places.setdefault(pointer + pointer_of(danger.path), danger.field)
    flags = [flag for text in _texts_around(operation, own) for flag in safety.warnings_in(text, with_labels=False)]
    if flags:
        facts["flags"] = safety.sort_warnings(flags)
    if facts == container.facts:
        return record
    container = replace(container, facts=facts, places=places)
    return replace(record, container=container)


def _texts_around(operation: Operation, own: dict[str, Any]) -> Iterator[str]:
    body = operation.api.references.without_trace().resolve(own.get("requestBody"), [])
    parts: list[Any] = [body.value if body is not None else None]
    owners = (own, operation.item, operation.api.data)
    parts += next(filter(None, (list_at(owner, "servers") for owner in owners)), [])
    names = list_at(own, "tags")
    parts += [tag for tag in list_at(operation.api.data, "tags") if as_mapping(tag).get("name") in names]
    for part in parts:
        text = as_mapping(part).get("description")
        if isinstance(text, str):
            yield text
