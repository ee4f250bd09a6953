"""One operation as a tool: what each part of it says, put together.

What a call needs to become a request again (method, path, servers, where each argument goes) stays in the extension, in
the words of the format; `request_template` reads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sized
from itertools import chain
from typing import Any

from toolglot.converter.formats import Record
from toolglot.converter.formats.kit.description.facts_in_description import take_description
from toolglot.converter.formats.kit.parameters import stated_bool, stated_text, stated_texts
from toolglot.converter.formats.kit.request_templates import is_json
from toolglot.converter.formats.openapi.effects_of_methods import deleted_by
from toolglot.converter.formats.openapi.format import HOLDS
from toolglot.converter.formats.openapi.operations import Operation
from toolglot.converter.formats.openapi.parameters import (
    Argument,
    arguments_of_address,
    stated_parameters,
)
from toolglot.converter.formats.openapi.reader_notes import MEANINGS_OF_NOTES, Notes
from toolglot.converter.formats.openapi.request_bodies import Body, body_of, in_base64
from toolglot.converter.formats.openapi.responses import answers_of
from toolglot.converter.formats.openapi.security import security_of
from toolglot.converter.formats.openapi.servers import hosts_of, servers_of
from toolglot.converter.hub.model import Example, JsonSchema, Tool
from toolglot.converter.hub.trees import free_name
from toolglot.converter.text.pointers import mapping_at, only_keys, without_empty, without_keys, without_nulls

# What is read from an operation; all else that it says stays as it is.
_READ = frozenset({
    "operationId", "summary", "description", "tags", "deprecated", "parameters", "requestBody", "responses", "security",
    "servers", "schemes", "consumes", "produces",
})  # fmt: skip
_OTHER_KEYS = "otherKeys"
# What the extension says in words of its own: a key of the document that is called so would be taken for them.
_OF_READER = frozenset({"method", "path", "securitySchemes", _OTHER_KEYS, *MEANINGS_OF_NOTES})


def read_operation(record: Record) -> Tool:
    """The tool that an operation is."""
    context: Operation = record.context
    operation = context._replace(data=record.data, notes=Notes())  # one record may be read twice
    parameters = stated_parameters(operation)
    body = body_of(operation, parameters)
    arguments = _with_keys([*arguments_of_address(operation, parameters), *body.arguments])
    answers = answers_of(operation)
    security = security_of(operation)
    servers = servers_of(operation)
    parts: tuple[Sized, ...] = (arguments, servers, answers.statuses, answers.errors or (), security.methods or ())
    operation.api.spend(sum(map(len, parts)))
    inputs = _inputs(operation, body, arguments)
    examples, other_examples = _sort_examples(body, arguments)
    operation_id = operation.data.get("operationId")
    if operation_id == operation.name:
        operation_id = None
    facts = {
        "method": operation.method,
        "path": operation.path,
        "servers": servers,
        "operationId": operation_id,
        "parameters": {key: argument.binding for key, argument in arguments.items()},
        "requestBody": body.binding | without_empty({"examples": other_examples}),
        "responses": answers.statuses,
        "security": security.requirements,
        "securitySchemes": security.schemes,
    }
    extension = {key: fact for key, fact in facts.items() if fact not in (None, [], {})}
    extension |= _unread_keys(operation.data) | operation.notes.to_json()
    return Tool(
        id=operation.name,
        origin="openapi",
        **_read_texts(operation),
        network=True,
        hosts=hosts_of(servers),
        deletes=deleted_by(operation.method, operation.path),
        deprecated=stated_bool(operation.data, "deprecated"),
        inputs=inputs,
        outputs=answers.outputs,
        success=answers.success,
        errors=answers.errors,
        examples=examples or None,
        auth_required=security.auth_required,
        auth_methods=security.methods,
        scopes=security.scopes,
        extensions={"openapi": extension},
    )


def _unread_keys(operation_object: dict[str, Any]) -> dict[str, Any]:
    """What an operation says that nothing is read from.

    >>> _unread_keys({"summary": "List.", "x-team": "a", "method": "delete"})
    {'x-team': 'a', 'otherKeys': {'method': 'delete'}}
    """
    other_keys = {_OTHER_KEYS: only_keys(operation_object, _OF_READER)}
    return without_keys(operation_object, *_READ, *_OF_READER) | without_empty(other_keys)


def _read_texts(operation: Operation) -> dict[str, Any]:
    """The texts about an operation, or else those about its path."""
    fields: dict[str, Any] = {}
    for key in ("summary", "description"):
        text = operation.data[key] if key in operation.data else operation.look_at(key)
        if isinstance(text, str) and text:
            fields[key] = text
    take_description(fields, HOLDS)
    homepage = stated_text(mapping_at(operation.data, "externalDocs"), "url")
    return without_nulls({**fields, "tags": stated_texts(operation.data, "tags") or None, "homepage": homepage})


def _with_keys(arguments: list[Argument]) -> dict[str, Argument]:
    """Arguments by their keys: the name, with its place where another has the name; the body keeps it."""
    keys_in_use = {argument.name for argument in arguments if argument.place == "body"}
    by_key: dict[str, Argument] = {}
    numbers = Counter[str]()
    for argument in arguments:
        key = argument.name
        if argument.place != "body":
            if key in keys_in_use:
                key = free_name(f"{key}_{argument.place}", keys_in_use, numbers)
            keys_in_use.add(key)
        by_key[key] = argument
    return by_key


def _inputs(operation: Operation, body: Body, arguments: dict[str, Argument]) -> JsonSchema:
    """The schema of the arguments; closed where no request could carry more than they are."""
    keys = {argument.name: key for key, argument in arguments.items() if argument.place == "body"}
    needed = [keys[name] for name in body.of_any]
    others = {key: [other for other in needed if other != key] for key in keys.values()}
    required = [key for key, argument in arguments.items() if argument.is_required]
    needs = chain.from_iterable(argument.needs for argument in arguments.values())
    definitions = operation.api.sent_schemas.collect(needs, operation.notes)
    if body.binding and not is_json(body.binding["contentType"]):
        definitions = {name: in_base64(definition) for name, definition in definitions.items()}
    return {
        "type": "object",
        **body.texts,
        "properties": {key: argument.schema for key, argument in arguments.items()},
        **without_empty({"required": required, "dependentRequired": without_empty(others)}),
        **without_nulls({"additionalProperties": body.takes_more}),
        **without_empty({"$defs": definitions}),
    }


def _sort_examples(body: Body, arguments: dict[str, Argument]) -> tuple[tuple[Example, ...], list[Any]]:
    """The examples of a body that are examples of calls, because a call needs nothing else, and the others."""
    if any(argument.is_required and argument.place != "body" for argument in arguments.values()):
        return (), body.examples
    calls = tuple(Example(input=example) for example in body.examples if isinstance(example, dict))
    return calls, [example for example in body.examples if not isinstance(example, dict)]
