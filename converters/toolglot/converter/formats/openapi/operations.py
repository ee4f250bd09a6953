"""The operations of a document, each with what its reader looks at besides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from toolglot.converter.formats import Container, Record, is_short_text
from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.formats.openapi.reader_notes import FROM_SERVER, TO_SERVER, Notes
from toolglot.converter.formats.openapi.references import References
from toolglot.converter.formats.openapi.schemas import DocumentSchemas
from toolglot.converter.formats.openapi.tool_names import free_name
from toolglot.converter.formats.openapi.versions import METHODS, SWAGGER, has_older_schemas, version_of
from toolglot.converter.text.pointers import as_mapping, escape, list_at, mapping_at, only_keys, pointer_below, value_at
from toolglot.errors import LimitError, SchemaError

_JSON_SCHEMA = "//json-schema.org/"
# Where a document says something of all its tools.
_OF_ALL = {
    "namespace": "/info/title",
    "version": "/info/version",
    "license": "/info/license/identifier",
    "homepage": "/externalDocs/url",
}
_BESIDE_REFERENCE = ("summary", "description", "servers", "parameters")  # what a path says beside the item it refers to
_MOST_PARTS = 1_000_000  # of all operations: parameters, properties of bodies, answers, servers, requirements


class Api:
    """A document, and what its operations share.

    What many operations refer to is read for each of them, so that a small document could have more parts than fit
    anywhere: they are counted.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self._parts_left = _MOST_PARTS
        self.version = version_of(data)
        self.is_swagger = self.version == SWAGGER
        self.references = References(data, has_overriding_texts=not has_older_schemas(self.version))
        dialect = self.look_at("jsonSchemaDialect")
        if not isinstance(dialect, str) or _JSON_SCHEMA not in dialect:
            dialect = None  # its own dialects are the newest draft with more words
        self.sent_schemas = DocumentSchemas(self.references, TO_SERVER, self.version, dialect)
        self.answered_schemas = DocumentSchemas(self.references, FROM_SERVER, self.version, dialect)

    def look_at(self, key: str) -> Any:
        """What stands under a key of the document, which counts as read."""
        if key in self.data:
            self.references.used_pointers[f"/{escape(key)}"] = None
        return self.data.get(key)

    def spend(self, parts: int) -> None:
        """Count parts of an operation.

        Raises:
            LimitError: all operations together have too many.
        """
        self._parts_left -= parts
        if self._parts_left < 0:
            message = f"its operations have more than {_MOST_PARTS:,} parts together; split the document"
            raise LimitError(message, code="too-large")


class Operation(NamedTuple):
    """One operation, and where it stands.

    Attributes:
        method: in lower case, unless the document names one of its own.
        item: what the operations of a path share.
        item_pointer: where that stands.
        name: of the tool; no other of the document has it.
        data: what the document says of it.
        notes: what its tool has to say of the way it was read.
    """

    api: Api
    method: str
    path: str
    item: dict[str, Any]
    item_pointer: str
    name: str
    data: Any
    notes: Notes

    def resolve(self, node: Any) -> dict[str, Any] | None:
        """What a node is, or refers to; `None` where it refers to nothing, which is noted."""
        target = self.api.references.resolve(node, self.notes.missing_references)
        if target is None:
            return None
        value: dict[str, Any] = target.value
        return value

    def own_or_common(self, key: str) -> Any:
        """What it states under a key, or else what the document does for all of them."""
        return self.data[key] if key in self.data else self.api.look_at(key)

    def look_at(self, key: str) -> Any:
        """What stands under a key beside the operations of a path, which counts as read."""
        if key in self.item:
            self.api.references.used_pointers[pointer_below(self.item_pointer, key)] = None
        return self.item.get(key)


def operation_records(data: Any) -> list[Record]:
    """The operations of a document, in its order.

    Raises:
        SchemaError: its paths are no object.

    >>> [record.pointer for record in operation_records({"openapi": "3.1.0", "paths": {"/a": {"get": {}, "x-b": 1}}})]
    ['/paths/~1a/get']
    """
    api = Api(data)
    paths = api.data.get("paths", {})
    if not isinstance(paths, dict):
        raise SchemaError("`paths` is an object of paths", code="schema-type", pointer="/paths")
    container = _container(api)
    records: list[Record] = []
    numbers: dict[str, int] = {}
    for path, item in paths.items():
        if path.startswith("x-"):
            continue
        pointer = pointer_below("/paths", path)
        if not isinstance(item, dict):
            raise SchemaError("what stands for a path is an object", code="schema-type", pointer=pointer)
        target = api.references.resolve(item, [])
        if target is None:
            continue  # it lies outside the document; what is left over of the document names it
        shared = target.value
        if target.pointer is not None:
            api.references.used_pointers.pop(target.pointer, None)  # not all of it is read
            beside = only_keys(item, _BESIDE_REFERENCE)
            api.references.used_pointers |= dict.fromkeys(f"{pointer}/{key}" for key in ("$ref", *beside))
            parameters = list_at(shared, "parameters") + list_at(beside, "parameters")
            shared, pointer = {**shared, **beside, "parameters": parameters}, target.pointer
        for place, method, body in _methods(api, shared):
            name = free_name(stated_text(as_mapping(body), "operationId") or f"{method} {path}", numbers)
            operation = Operation(api, method, path, shared, pointer, name, body, Notes())
            records.append(Record(data=body, pointer=pointer + place, container=container, context=operation))
    if records:  # what was looked at is the same for all, and is asked once
        with_sources = replace(container, sources=api.references.used_pointers)
        records[0] = replace(records[0], container=with_sources)
    return records


def _methods(api: Api, item: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """The operations of a path: the place of each in it, its method, and what it says."""
    for key, body in item.items():
        if key in METHODS[api.version]:
            yield f"/{key}", key, body
        elif key == "additionalOperations" and isinstance(body, dict):
            yield from ((f"/{key}/{escape(method)}", method, inner) for method, inner in body.items())


def paths_without_operations(data: Any) -> Iterator[str]:
    """Where each path stands of which no tool is made; a reference out of the document is none.

    >>> paths = {"/a": {"gett": {}}, "/b": {"get": {}}, "/c": {"$ref": "#/d"}}
    >>> [*paths_without_operations({"openapi": "3.1.0", "paths": paths})]
    ['/paths/~1a', '/paths/~1c']
    """
    api = Api(as_mapping(data))
    for path, item in mapping_at(api.data, "paths").items():
        if path.startswith("x-") or not (stated_text(as_mapping(item), "$ref") or "#").startswith("#"):
            continue
        target = api.references.resolve(item, [])
        if target is None or next(_methods(api, target.value), None) is None:
            yield pointer_below("/paths", path)


def _container(api: Api) -> Container:
    """What the document says of all its operations."""
    facts: dict[str, str] = {}
    places: dict[str, str] = {}
    for field, place in _OF_ALL.items():
        value = value_at(api.data, place)
        if is_short_text(value):
            facts[field], places[place] = value, field
    for key in ("openapi", "swagger", "$self"):
        api.look_at(key)
    return Container(facts, places)
