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
    references: References

    def step(self, *keys: str) -> _Way:
        """The same way from further inside, by keys that are none of it."""
        return self._replace(value=follow(self.value, keys), pointer=self.pointer + pointer_of(keys))

    def items(self) -> Iterator[_Way]:
        """The same from each item of the value."""
        yield from (self.step(str(key)) for key, _ in keyed_values(self.value))

    def follow(self) -> _Way:
        """The same where a reference leads, if the value is one."""
        target = self.references.resolve(self.value, [])
        if target is None or target.pointer is None:
            return self
        return self._replace(value=target.value, pointer=target.pointer)

    def schemas(self) -> Iterator[_Way]:
        """The schemas of a body or an answer, one for each of its media types; in Swagger it has only one."""
        whole = self.follow()
        yield from (entry.follow().step("schema") for entry in whole.step("content").items())
        yield whole.step("schema")


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
    own = _Way(operation.data, record.pointer, tokens, operation.api.references.without_trace())
    starts: Iterator[_Way] = iter(())
    if tokens[0] == "$defs" and len(tokens) > 1:
        document = own._replace(value=operation.api.data, pointer="", tokens=tokens[2:])
        starts = (document.step(*home.strip("/").split("/"), tokens[1]) for home in SCHEMA_HOMES)
    elif field == "inputs":
        starts = _schemas_of_inputs(operation, own)
    elif field == "outputs":
        starts = (schema for answer in own.step("responses").items() for schema in answer.schemas())
    return next(filter(None, map(_find_inside, starts)), "")


def _schemas_of_inputs(operation: Operation, own: _Way) -> Iterator[_Way]:
    """Where the arguments of an operation are described: in each parameter of the name, and in its bodies."""
    for holder in (own, own._replace(value=operation.item, pointer=operation.item_pointer)):
        for entry in holder.step("parameters").items():
            parameter = entry.follow()
            if as_mapping(parameter.value).get("in") == "body":
                yield parameter.step("schema")
            elif list(own.tokens[:2]) == ["properties", as_mapping(parameter.value).get("name")]:
                inside = parameter._replace(tokens=own.tokens[2:])
                yield from (inside.step("schema"), inside)
    yield from own.step("requestBody").schemas()


def _find_inside(start: _Way) -> str:
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
        node = way.follow()
        if not isinstance(node.value, dict | list):
            continue
        waiting.appendleft(node.step(node.tokens[0])._replace(tokens=node.tokens[1:]))
        if len(node.tokens) == 1:
            around = around or node.pointer
        waiting.extend(part for keyword in _ALIKE for part in node.step(keyword).items())
    return around
