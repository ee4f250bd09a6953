"""Where a document says a part of a schema that an operation only refers to."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from toolglot.converter.formats import Record
from toolglot.converter.formats.openapi.operations import Operation
from toolglot.converter.formats.openapi.references import SCHEMA_HOMES, References
from toolglot.converter.text.pointers import as_mapping, follow, keyed_values, pointer_of, tokens_of

_MOST_STEPS = 1_000
_ALIKE = ("allOf", "anyOf", "oneOf")  # keywords of schemas that say more of the same value


class _Way(NamedTuple):
    """A value at a place of the document, and the way from there to what is looked for."""

    value: Any
    pointer: str
    tokens: Sequence[str]

    def step(self, *keys: str) -> _Way:
        """The same way from further inside, by keys that are none of it."""
        return self._replace(value=follow(self.value, keys), pointer=self.pointer + pointer_of(keys))


def find_referenced(record: Record, field: str, rest: str) -> str:
    """The JSON Pointer in the document of a part of a schema; empty where nobody knows.

    Args:
        field: `inputs` or `outputs`; nothing else of an operation is a schema.
        rest: the JSON Pointer in the schema of the tool.

    >>> from toolglot.converter.formats.openapi.operations import operation_records
    >>> body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}
    >>> pet = {"properties": {"name": {"type": "string"}}}
    >>> document = {"paths": {"/a": {"put": {"requestBody": body}}}, "components": {"schemas": {"Pet": pet}}}
    >>> [record] = operation_records({"openapi": "3.1.0", **document})
    >>> find_referenced(record, "inputs", "/properties/name/type")
    '/components/schemas/Pet/properties/name/type'
    """
    operation, tokens = record.context, tokens_of(rest)
    if not isinstance(operation, Operation) or not tokens:
        return ""
    references = operation.api.references.without_trace()
    if tokens[0] == "$defs" and len(tokens) > 1:
        starts = _definitions(_Way(references.document, "", tokens[2:]), tokens[1])
    else:
        starts = _schemas_of_field(field, operation, _Way(operation.data, record.pointer, tokens), references)
    return next(filter(None, (_find_inside(start, references) for start in starts)), "")


def _definitions(document: _Way, name: str) -> Iterator[_Way]:
    """Where a document may have the schema that a tool has under this name."""
    yield from (document.step(*(tokens_of(home) or [])[:-1], name) for home in SCHEMA_HOMES)


def _schemas_of_field(field: str, operation: Operation, own: _Way, references: References) -> Iterator[_Way]:
    if field == "inputs":
        yield from _schemas_of_inputs(operation, own, references)
    elif field == "outputs":
        yield from (schema for answer in _items(own.step("responses")) for schema in _schemas_in(answer, references))


def _schemas_of_inputs(operation: Operation, own: _Way, references: References) -> Iterator[_Way]:
    """Where the arguments of an operation are described: in each parameter of the name, and in its bodies."""
    for holder in (own, _Way(operation.item, operation.item_pointer, own.tokens)):
        for entry in _items(holder.step("parameters")):
            parameter = _follow(entry, references)
            if as_mapping(parameter.value).get("in") == "body":
                yield parameter.step("schema")
            elif list(own.tokens[:2]) == ["properties", as_mapping(parameter.value).get("name")]:
                inside = parameter._replace(tokens=own.tokens[2:])
                yield from (inside.step("schema"), inside)
    yield from _schemas_in(own.step("requestBody"), references)


def _schemas_in(holder: _Way, references: References) -> Iterator[_Way]:
    """The schemas of a body or an answer, one for each of its media types; in Swagger it has only one."""
    whole = _follow(holder, references)
    yield from (_follow(entry, references).step("schema") for entry in _items(whole.step("content")))
    yield whole.step("schema")


def _items(way: _Way) -> Iterator[_Way]:
    yield from (way.step(str(key)) for key, _ in keyed_values(way.value))


def _follow(way: _Way, references: References) -> _Way:
    """The same where a reference leads, if the value is one."""
    target = references.resolve(way.value, [])
    if target is None or target.pointer is None:
        return way
    return way._replace(value=target.value, pointer=target.pointer)


def _find_inside(start: _Way, references: References) -> str:
    """Where a way ends, through references and through what else is said of the same value.

    A keyword that stands nowhere was made by the reader; then the schema is meant that it would stand in.
    """
    around, waiting = "", deque([start])
    for _ in range(_MOST_STEPS):
        if not waiting:
            break
        way = waiting.popleft()
        if way.value is not None and not way.tokens:
            return way.pointer
        node = _follow(way, references)
        if not isinstance(node.value, dict | list):
            continue
        waiting.appendleft(node.step(node.tokens[0])._replace(tokens=node.tokens[1:]))
        if len(node.tokens) == 1:
            around = around or node.pointer
        waiting.extend(part for keyword in _ALIKE for part in _items(node.step(keyword)))
    return around
