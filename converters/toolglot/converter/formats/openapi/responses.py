"""What an operation answers: the schema of what it gives, and its failures."""

from __future__ import annotations

from collections.abc import Hashable
from http import HTTPStatus
from itertools import chain
from typing import Any, NamedTuple

from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.formats.kit.request_templates import is_json, is_sequence
from toolglot.converter.formats.openapi.operations import Operation
from toolglot.converter.formats.openapi.schemas import RestatedSchema
from toolglot.converter.hub.model import ErrorCode, JsonSchema
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.text.pointers import mapping_at, without_empty, without_keys

_DEFAULT = "default"


class Answers(NamedTuple):
    """What an operation answers.

    Attributes:
        outputs: schema of what a call gives; `None` where nothing says it.
        success: what the first result says of itself; `None` where it repeats the name of its status.
        statuses: status -> what else is stated of it, with the JSON Pointer of its schema in `outputs`.
    """

    outputs: JsonSchema | None
    success: str | None
    errors: tuple[ErrorCode, ...] | None
    statuses: dict[str, Any]


def answers_of(operation: Operation) -> Answers:
    """What an operation answers, by status; of several results, what is answered is one of them."""
    entries: dict[str, dict[str, Any]] = {}
    for status, entry in mapping_at(operation.data, "responses").items():
        answer = operation.resolve(entry)
        if answer is not None:
            entries[str(status)] = answer
    successes = {status for status in entries if status.startswith("2")}
    errors: list[ErrorCode] = []
    results: dict[str, _Result] = {}
    for status, entry in entries.items():
        if status.startswith(("4", "5")) or (status == _DEFAULT and successes):
            errors.append(_error(status, entry))
        else:
            is_read = status in successes or status == _DEFAULT
            results[status] = _result(operation, entry, _content_of(operation, entry) if is_read else {})
    outputs, pointers = _alternatives(operation, results)
    statuses: dict[str, Any] = {}
    success: str | None = None
    for status, (_, rest) in results.items():
        words, other_keys = _words_and_rest(rest)
        if words and success is None and status in successes and words.rstrip(".").lower() != _NAMES.get(status):
            success, rest = words, other_keys
        if status in pointers:
            rest["output"] = pointers[status]
        statuses[status] = rest
    return Answers(outputs, success, tuple(errors) or None, statuses)


_NAMES = {str(status.value): status.phrase.lower() for status in HTTPStatus}


def _error(status: str, entry: dict[str, Any]) -> ErrorCode:
    words, rest = _words_and_rest(entry)
    extensions = {"openapi": rest} if rest else None
    return ErrorCode(code=status, description=words or None, extensions=extensions)


def _words_and_rest(entry: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    key_of_words = "description" if "description" in entry else "summary"  # of 3.2
    words = stated_text(entry, key_of_words)
    return words, dict(entry) if words is None else without_keys(entry, key_of_words)


class _Result(NamedTuple):
    """What one status gives: its schema where that is JSON, and what else is stated, with what was not read of it."""

    definition: RestatedSchema | None
    rest: dict[str, Any]


_OF_ITEMS = "itemSchema"


def _result(operation: Operation, entry: dict[str, Any], content: dict[str, Any]) -> _Result:
    """What a status gives.

    Args:
        content: what of it may be read, by media type.
    """
    rest = without_keys(entry, "content", "schema")
    stated = mapping_at(entry, "content")
    # A whole result before a stream of it.
    candidates = [(media_type, "schema") for media_type in content if is_json(media_type)]
    candidates += [(media_type, _OF_ITEMS) for media_type in content if is_sequence(media_type)]
    for media_type, key in candidates:
        described = operation.resolve(content[media_type]) or {}
        if key not in described:
            continue
        definition = operation.api.answered_schemas.restate(described[key], operation.notes)
        if key == _OF_ITEMS:  # a stream is treated as an array of its items (OpenAPI 3.2, sequential media types)
            definition = definition._replace(schema={"type": "array", "items": definition.schema})
        rest |= {"contentType": media_type, **without_empty({"otherContent": without_keys(stated, media_type)})}
        if stated:  # Swagger has no such key, and lists media types elsewhere
            rest |= without_keys(described, key)
        return _Result(definition, rest)
    if "schema" in entry:  # of Swagger, and of what is no JSON
        rest["schema"] = entry["schema"]
    return _Result(None, rest | without_empty({"otherContent": stated}))


def _content_of(operation: Operation, entry: dict[str, Any]) -> dict[str, Any]:
    """What a status gives, by media type; Swagger lists these apart from the schema."""
    if not operation.api.is_swagger:
        return mapping_at(entry, "content")
    media_types = operation.own_or_common("produces")
    if "schema" not in entry:
        return {}
    if not isinstance(media_types, list) or not media_types:
        media_types = ["application/json"]
    return {str(media_type): entry for media_type in media_types}


def _alternatives(operation: Operation, results: dict[str, _Result]) -> tuple[JsonSchema | None, dict[str, str]]:
    """One schema for the results of all statuses, and where each stands in it."""
    different: dict[Hashable, RestatedSchema] = {}
    key_of: dict[str, Hashable] = {}
    for status, result in results.items():
        if result.definition is not None:
            key_of[status] = equality_key(result.definition.schema)
            different.setdefault(key_of[status], result.definition)
    if not different:
        return None, {}
    schemas = [definition.schema for definition in different.values()]
    outputs: JsonSchema = {"anyOf": schemas}
    places = {key: f"/anyOf/{index}" for index, key in enumerate(different)}
    if len(schemas) == 1 and isinstance(schemas[0], dict):
        outputs, places = dict(schemas[0]), dict.fromkeys(different, "")
    needs = chain.from_iterable(definition.needs for definition in different.values())
    definitions = operation.api.answered_schemas.collect(needs, operation.notes)
    if definitions:
        outputs["$defs"] = {**outputs.get("$defs", {}), **definitions}
    return outputs, {status: places[key] for status, key in key_of.items()}
